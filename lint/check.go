package lint

import (
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/internal/defaults"
	"github.com/daemonplan/daemonplan/placement"
)

// Context is what a DaemonSet is judged against. The zero value judges the object
// alone: rules that need more say nothing.
type Context struct {
	// Nodes are the fleet. Nil entries are passed over, and of nodes with the same
	// name the last one counts. A fleet without nodes is as good as none.
	Nodes []*corev1.Node
	// Others are the other DaemonSets of the cluster. One with the namespace and
	// the name of the DaemonSet is taken for the DaemonSet itself.
	Others []*appsv1.DaemonSet
	// MaxShare is how many percent of the smallest node a pod may ask for; 0
	// stands for 25.
	MaxShare int
	// MaxRollout is how long a rollout may take; 0 for any time.
	MaxRollout time.Duration
	// PodStart is how long it takes to replace one pod, until it is ready; 0
	// stands for 30 seconds.
	PodStart time.Duration
	// Placement says how nodes are judged. Its Path is not used.
	Placement placement.Options
	// Off are the rules that are not asked.
	Off []RuleID
}

const (
	defaultMaxShare = 25
	defaultPodStart = 30 * time.Second
)

// Check returns what the rules of [Rules] find, ordered by severity, the worst
// first, then by rule, field and message; a finding comes once. It judges the
// object with its defaults filled in. It is nil for a nil DaemonSet and where there
// is nothing to say.
//
// Whether the API server takes the object is for [Validate] to say. Most rules
// look at what it does take.
func Check(ds *appsv1.DaemonSet, c Context) []Finding {
	if ds == nil {
		return nil
	}
	s := newSubject(ds, c)
	var found []Finding
	for i := range table {
		r := &table[i]
		if slices.Contains(c.Off, r.ID) || r.Needs == NeedsNodes && len(s.nodes) == 0 {
			continue
		}
		r.check(s, func(field, message, suggestion string) {
			found = append(found, Finding{Rule: r.ID, Severity: r.Severity, Field: field, Message: message, Suggestion: suggestion})
		})
	}
	slices.SortFunc(found, Finding.compare)
	return slices.Compact(found)
}

// report files a finding of the rule that is asked.
type report func(field, message, suggestion string)

// subject is what rules look at. They do not write to it.
type subject struct {
	Context
	ds       *appsv1.DaemonSet // a copy with its defaults
	spec     *corev1.PodSpec   // of its template
	matcher  *placement.Matcher
	nodes    []*corev1.Node // each name once, by name
	eligible []*corev1.Node // those among them, by name
}

func newSubject(ds *appsv1.DaemonSet, c Context) *subject {
	s := &subject{Context: c, ds: defaults.DaemonSet(ds)}
	s.spec = &s.ds.Spec.Template.Spec
	s.Placement.Path = templatePath
	s.matcher = placement.Compile(&s.ds.Spec.Template, s.Placement)
	last := make(map[string]int, len(c.Nodes))
	for i, node := range c.Nodes {
		if node != nil {
			last[node.Name] = i
		}
	}
	for i, node := range c.Nodes {
		if node != nil && (node.Name == "" || last[node.Name] == i) {
			s.nodes = append(s.nodes, node)
		}
	}
	slices.SortStableFunc(s.nodes, func(a, b *corev1.Node) int { return strings.Compare(a.Name, b.Name) })
	for _, node := range s.nodes {
		if s.matcher.Match(node) == placement.Eligible {
			s.eligible = append(s.eligible, node)
		}
	}
	return s
}
