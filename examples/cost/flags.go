package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

const usage = `usage: cost [-f FILE]... [-group LABEL] [-o table|csv|json|yaml]
            [-shape SHAPE]... [-ignore-taint TAINT]... [-assume-label LABEL]...

cost says what DaemonSets request: on the nodes there are, by DaemonSet and by
group of nodes, and on nodes that do not exist yet. Without -f it shows an
example that is built in.

  -f FILE        read FILE; - is standard input. Give it once for each file. YAML
                 with any number of documents, JSON, and lists as kubectl prints
                 them. DaemonSets are needed, and Nodes unless there is a -shape.
                 With Pods it also says what is taken now. Other kinds are
                 counted and passed over.
  -group LABEL   the label whose value is the group of a node. By default it is
                 node.kubernetes.io/instance-type if some node has it; an empty
                 LABEL makes no groups.
  -o FORMAT      table (the default), csv, or one document of json or yaml

A node that does not exist yet:

  -shape SHAPE   its resources, labels and taints, with commas between them:
                   RESOURCE=QUANTITY         cpu=4 memory=16Gi pods=110
                   label.KEY=VALUE           label.kubernetes.io/arch=arm64
                   taint.KEY[=VALUE]:EFFECT  taint.dedicated=batch:NoSchedule
                 The resources are what is allocatable. A label that is not
                 written is not there: not even kubernetes.io/os.
  -ignore-taint KEY[=VALUE][:EFFECT]
                 a taint that will be gone when the node is in use
  -assume-label KEY=VALUE
                 a label that will be there, in place of that of the shape

The table has cpu and memory, and so has csv, where shares are in thousandths;
json and yaml have every resource. Amounts are exact and written as Kubernetes
quantities; percentages are rounded down. A share is of what is allocatable on
the nodes of a row. SURGE is what a rollout of the DaemonSet adds for a while by
its maxSurge, at most. The smallest and the largest node are so by cpu, then
memory, then name, among those with an allocatable cpu.

What a pod takes is worked out from the template. LimitRanges, RuntimeClasses,
PriorityClasses and webhooks are not read: where a LimitRange or a webhook fills
in requests, or a RuntimeClass adds overhead, more is taken than is said here.

A namespace that is missing is "default".

Exit status: 0; 1 when the output cannot be written; 2 for input that cannot be
used.

On a cluster of your own:

  kubectl get daemonsets,nodes,pods -A -o json | cost -f -
`

// options are what the command line says.
type options struct {
	files    []string
	format   string
	group    string
	grouped  bool // -group was given
	shapes   []shape
	question cost.Question
}

// shape is a node that does not exist yet.
type shape struct {
	text      string
	shape     placement.Shape
	resources cost.Resources
	named     []corev1.ResourceName // the resources that were written, 0 too
}

// parse reads the command line. The error flag.ErrHelp is a wish, not a fault.
func parse(args []string) (options, error) {
	o := options{question: cost.Question{AssumeLabels: map[string]string{}}}
	flags := input.NewFlags(program)
	flags.Func("group", "", func(text string) error {
		o.group, o.grouped = text, true
		if text == "" {
			return nil
		}
		return labelKey(text)
	})
	flags.Func("shape", "", func(text string) error {
		s, err := shapeOf(text)
		o.shapes = append(o.shapes, s)
		return err
	})
	flags.Func("ignore-taint", "", func(text string) error {
		taint, err := taintOf(text)
		o.question.IgnoreTaints = append(o.question.IgnoreTaints, taint)
		return err
	})
	flags.Func("assume-label", "", func(text string) error { return addLabel(o.question.AssumeLabels, text) })
	// Not Flags.Parse, which has no csv.
	if err := flags.FlagSet.Parse(args); err != nil {
		return o, err
	}
	o.files, o.format = flags.Files, flags.Format
	formats := []string{"table", "csv", "json", "yaml"}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q: every file has its own -f, as in -f %[1]s", flags.Arg(0))
	case !slices.Contains(formats, o.format):
		return o, fmt.Errorf("-o %s: must be one of %s", o.format, strings.Join(formats, ", "))
	case len(o.shapes) == 0 && len(o.question.IgnoreTaints)+len(o.question.AssumeLabels) > 0:
		return o, errors.New("-ignore-taint and -assume-label are about a -shape, and there is none")
	}
	return o, nil
}

// shapeOf reads a shape.
func shapeOf(text string) (shape, error) {
	s := shape{text: text, shape: placement.Shape{Labels: map[string]string{}, Allocatable: corev1.ResourceList{}}}
	for part := range strings.SplitSeq(text, ",") {
		if err := s.add(strings.TrimSpace(part)); err != nil {
			return s, fmt.Errorf("%q: %w", part, err)
		}
	}
	var err error
	s.resources, err = cost.ResourcesOf(s.shape.Allocatable, nil)
	return s, err
}

// add reads one part of a shape.
func (s *shape) add(part string) error {
	if rest, ok := strings.CutPrefix(part, "label."); ok {
		return addLabel(s.shape.Labels, rest)
	}
	if rest, ok := strings.CutPrefix(part, "taint."); ok {
		taint, err := taintOf(rest)
		if err == nil && taint.Effect == "" {
			err = errors.New("must end with an effect, as in taint.KEY=VALUE:NoSchedule")
		}
		s.shape.Taints = append(s.shape.Taints, taint)
		return err
	}
	key, value, ok := strings.Cut(part, "=")
	if !ok {
		return errors.New("must be RESOURCE=QUANTITY, label.KEY=VALUE or taint.KEY=VALUE:EFFECT")
	}
	if faults := validation.IsQualifiedName(key); len(faults) > 0 {
		return fmt.Errorf("%q is no name of a resource: %s", key, strings.Join(faults, "; "))
	}
	name := corev1.ResourceName(key)
	q, err := resource.ParseQuantity(value)
	switch _, twice := s.shape.Allocatable[name]; {
	case err != nil:
		return fmt.Errorf("%q is no quantity, such as 4, 500m or 16Gi", value)
	case q.Sign() < 0:
		return errors.New("must not be negative")
	case twice:
		return errors.New("is written twice")
	}
	s.shape.Allocatable[name] = q
	s.named = append(s.named, name)
	return nil
}

// addLabel reads KEY=VALUE.
func addLabel(into map[string]string, text string) error {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("must be KEY=VALUE")
	}
	if err := labelKey(key); err != nil {
		return err
	}
	if faults := validation.IsValidLabelValue(value); len(faults) > 0 {
		return fmt.Errorf("%q is no value of a label: %s", value, strings.Join(faults, "; "))
	}
	if _, twice := into[key]; twice {
		return fmt.Errorf("the label %s is written twice", key)
	}
	into[key] = value
	return nil
}

func labelKey(key string) error {
	if faults := validation.IsQualifiedName(key); len(faults) > 0 {
		return fmt.Errorf("%q is no key of a label: %s", key, strings.Join(faults, "; "))
	}
	return nil
}

// taintOf reads KEY[=VALUE][:EFFECT].
func taintOf(text string) (corev1.Taint, error) {
	var taint corev1.Taint
	rest, effect, _ := strings.Cut(text, ":")
	taint.Effect = corev1.TaintEffect(effect)
	taint.Key, taint.Value, _ = strings.Cut(rest, "=")
	if faults := validation.IsQualifiedName(taint.Key); len(faults) > 0 {
		return taint, fmt.Errorf("%q is no key of a taint: %s", taint.Key, strings.Join(faults, "; "))
	}
	if faults := validation.IsValidLabelValue(taint.Value); len(faults) > 0 {
		return taint, fmt.Errorf("%q is no value of a taint: %s", taint.Value, strings.Join(faults, "; "))
	}
	switch taint.Effect {
	case "", corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute:
		return taint, nil
	}
	return taint, fmt.Errorf("%q is no effect of a taint: must be NoSchedule, PreferNoSchedule or NoExecute", effect)
}
