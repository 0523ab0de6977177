package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/policies"
)

// options are what the command line says.
type options struct {
	files     []string
	daemonSet string // the one to play, as NAMESPACE/NAME
	scenario  string // file; empty for none
	compare   string // the second run; empty for none
	format    string
	width     int
	given     *layer // the flags that are edits of the scenario
}

// layer are edits of a scenario.
type layer struct {
	edits              []func(*document)
	unavailable, surge bool // are among them
}

func (l *layer) add(edit func(*document)) { l.edits = append(l.edits, edit) }

// apply edits a document. Of the two limits, the API server takes one that is more
// than 0: to give one of them says that it is to be the one.
func (l *layer) apply(d *document) {
	for _, edit := range l.edits {
		edit(d)
	}
	d.limits.settle(l.unavailable, l.surge)
}

// settle sets the limit that was not given to 0.
func (l *limits) settle(unavailable, surge bool) {
	none, _ := policies.ParseAmount("0")
	switch {
	case unavailable && !surge && !l.MaxUnavailable.None():
		l.MaxSurge = &none
	case surge && !unavailable && !l.MaxSurge.None():
		l.MaxUnavailable = &none
	}
}

// parse reads the command line. The error flag.ErrHelp is a wish, not a fault.
func parse(args []string) (options, error) {
	o := options{given: &layer{}}
	flags := input.NewFlags(program)
	flags.StringVar(&o.daemonSet, "daemonset", "", "")
	flags.StringVar(&o.scenario, "scenario", "", "")
	flags.StringVar(&o.compare, "compare", "", "")
	flags.IntVar(&o.width, "width", 80, "")
	o.given.flags(flags.FlagSet)
	// The formats are more than those that other programs have.
	if err := flags.FlagSet.Parse(args); err != nil {
		return o, err
	}
	o.files, o.format = flags.Files, flags.Format
	formats := []string{"table", "csv", "json", "yaml", "svg"}
	switch reads := slices.Contains(o.files, "-"); {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q: every file has its own -f, as in -f %[1]s", flags.Arg(0))
	case !slices.Contains(formats, o.format):
		return o, fmt.Errorf("-o %s: must be one of %s", o.format, strings.Join(formats, ", "))
	case o.width < 60 || o.width > 1000:
		return o, fmt.Errorf("-width %d: must be from 60 to 1000", o.width)
	case o.daemonSet != "" && len(o.files) == 0:
		return o, fmt.Errorf("-daemonset %s: is looked for in files, and there is no -f", o.daemonSet)
	case o.scenario == "-" && reads:
		return o, errors.New("-scenario -: standard input can be read only once, and -f reads it")
	}
	return o, nil
}

// flags adds those that are edits.
func (l *layer) flags(to *flag.FlagSet) {
	to.Func("nodes", "", func(text string) error {
		n, err := strconv.Atoi(text)
		l.add(func(d *document) { d.Nodes = &n })
		return orMust(err == nil && n >= 0 && n <= mostNodes, "must be a number from 0 to 100000")
	})
	to.Func("zones", "", func(text string) error {
		l.add(func(d *document) { d.Zones = strings.Split(text, ",") })
		return nil
	})
	to.Func("now", "", parsed(l, policies.ParseMoment, func(d *document, m policies.Moment) { d.Start = m }))
	to.Func("max-unavailable", "", parsed(l, policies.ParseAmount, func(d *document, a policies.Amount) { d.MaxUnavailable, l.unavailable = &a, true }))
	to.Func("max-surge", "", parsed(l, policies.ParseAmount, func(d *document, a policies.Amount) { d.MaxSurge, l.surge = &a, true }))
	to.Func("min-ready-seconds", "", func(text string) error {
		n, err := strconv.ParseInt(strings.TrimSuffix(text, "s"), 10, 32)
		seconds := int32(n)
		l.add(func(d *document) { d.MinReadySeconds = &seconds })
		return orMust(err == nil && n >= 0, "must be a number of seconds")
	})
	to.Func("schedule", "", parsed(l, parseLasting, func(d *document, t lasting) { d.Pods.Schedule = &t }))
	to.Func("ready", "", parsed(l, parseLasting, func(d *document, t lasting) { d.Pods.Ready = &t }))
	to.Func("stop", "", parsed(l, parseLasting, func(d *document, t lasting) { d.Pods.Stop = &t }))
	to.Func("never-ready", "", l.exception("-never-ready", neverReady()))
	to.Func("fail-nodes", "", l.exception("-fail-nodes", failing()))
	to.Func("zone-down", "", parsed(l, parseOutage, func(d *document, o outage) { d.Events = append(d.Events, o.events()...) }))
	to.Func("exempt", "", func(text string) error {
		names := strings.Split(text, ",")
		for _, name := range names {
			if !slices.Contains(policies.Exemptions, name) {
				return fmt.Errorf("must be some of %s", strings.Join(policies.Exemptions, ","))
			}
		}
		l.add(func(d *document) { d.Policy.Count.Exempt = names })
		return nil
	})
	to.BoolFunc("strict", "", func(text string) error {
		strict, err := strconv.ParseBool(text)
		l.add(func(d *document) { d.Policy.Limit.Strict = strict })
		return orMust(err == nil, "must be true or false")
	})
	to.Func("waves", "", func(text string) error {
		label := text
		if text == "zone" {
			label = zoneLabel
		}
		l.add(func(d *document) {
			if d.Policy.Order.Waves.Label = label; label == "" { // none, whatever the scenario says of them
				d.Policy.Order.Waves = policies.Waves{}
			}
		})
		return nil
	})
	to.Func("partition", "", parsed(l, policies.ParseAmount, func(d *document, a policies.Amount) { d.Policy.Candidates.Partition.Value = &a }))
	to.Func("seed", "", func(text string) error {
		seed, err := strconv.ParseUint(text, 10, 64)
		l.add(func(d *document) { d.Seed = seed })
		return orMust(err == nil, "must be a number")
	})
	to.Func("until", "", parsed(l, policies.ParseSpan, func(d *document, s policies.Span) { d.Until = s }))
}

// parsed is a flag that parses its value and edits the document with it.
func parsed[T any](l *layer, parse func(string) (T, error), edit func(*document, T)) func(string) error {
	return func(text string) error {
		value, err := parse(text)
		l.add(func(d *document) { edit(d, value) })
		return err
	}
}

// exception is a flag that names nodes on which pods behave in another way.
func (l *layer) exception(flag string, b behaviour) func(string) error {
	return func(text string) error {
		names := strings.Split(text, ",")
		for _, name := range names {
			if _, err := path.Match(name, ""); err != nil || name == "" {
				return fmt.Errorf("must be names of nodes, or patterns such as node-1*")
			}
		}
		l.add(func(d *document) {
			d.Some = append(d.Some, exception{which: which{Nodes: names}, behaviour: b, flag: flag + " " + text})
		})
		return nil
	}
}

func orMust(is bool, must string) error {
	if is {
		return nil
	}
	return errors.New(must)
}

// variant reads the text of -compare when it is no file: flags without their dash,
// between commas. What is no flag belongs to the value before it, which may be a
// list.
func variant(text string) (*layer, error) {
	l := &layer{}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	l.flags(flags)
	var args []string
	for _, part := range strings.Split(text, ",") {
		name, _, _ := strings.Cut(part, "=")
		switch {
		case flags.Lookup(strings.TrimLeft(name, "-")) != nil:
			args = append(args, "-"+strings.TrimLeft(part, "-"))
		case len(args) > 0:
			args[len(args)-1] += "," + part
		default:
			return l, fmt.Errorf("-compare %s: %q is no setting: write flags without their dash, as in max-unavailable=20%%,strict, or a file that ends in .yaml or .json", text, name)
		}
	}
	if err := flags.Parse(args); err != nil {
		return l, fmt.Errorf("-compare %s: %w", text, err)
	}
	return l, nil
}
