package cost

import (
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
)

// Side is one side of a change: a DaemonSet and the nodes of that time. A nil Daemon
// is one that does not exist.
type Side struct {
	Daemon *Daemon
	Nodes  []*corev1.Node
}

// Rollout is how pods are replaced. The zero value is a rollout without surge, or
// OnDelete: a node holds the old pod or the new one.
type Rollout struct {
	// MaxSurge is that of the DaemonSet; nil is 0. A percentage is one of the nodes
	// that it is Eligible for afterwards, rounded up.
	MaxSurge *intstr.IntOrString
	// Unavailable is how many nodes have an old pod that is not available. With a
	// surge those get their new pod beyond MaxSurge.
	Unavailable int
}

// Change is what a change of the template, of the fleet, or of both costs. It counts
// one pod on each node that the DaemonSet is Eligible for; nodes are told apart by
// name, and those without one are passed over.
type Change struct {
	// Kept, Gained, Lost and Latent count nodes: those that have a pod before and
	// after, that get one, that lose it at once or are gone, and that lose it when
	// it next goes away, as the node has a NoSchedule taint.
	Kept, Gained, Lost, Latent int
	// Before and After are the sums, Difference is After less Before and may be
	// negative. After does without the pods of Latent.
	Before, After, Difference Resources
	// Doubled is how many nodes hold an old and a new pod at the same time, at most.
	Doubled int
	// Peak bounds what is taken at any moment from Before to After: it has the
	// greater of both pods on each node that is kept, both on those that are Doubled,
	// what is gained already and what is lost still.
	Peak Resources
	// NodePeak is the same for one node that is kept.
	NodePeak Resources
}

// Compare returns what a change costs. When both sides have the same Daemon, pods
// are not replaced. Errors are for a MaxSurge that is negative or no number, and
// [ErrOverflow].
func Compare(before, after Side, r Rollout) (Change, error) {
	var c Change
	old := verdicts(before)
	for name, verdict := range verdicts(after) {
		had := old[name] == placement.Eligible
		switch {
		case verdict == placement.Eligible && had:
			c.Kept++
		case verdict == placement.Eligible:
			c.Gained++
		case had && verdict == placement.KeepOnly:
			c.Latent++
		case had:
			c.Lost++
		}
		delete(old, name)
	}
	for _, verdict := range old { // the node is gone
		if verdict == placement.Eligible {
			c.Lost++
		}
	}
	if before.Daemon != after.Daemon {
		surge, err := r.surge(c.Kept + c.Gained)
		if err != nil {
			return Change{}, err
		}
		c.Doubled = min(surge, c.Kept)
	}
	if err := c.price(before.Daemon.requests(), after.Daemon.requests()); err != nil {
		return Change{}, fmt.Errorf("cost: change: %w", err)
	}
	return c, nil
}

// verdicts are those of one side by node name.
func verdicts(s Side) map[string]placement.Verdict {
	all := make(map[string]placement.Verdict, len(s.Nodes))
	for _, node := range s.Nodes {
		switch {
		case node == nil || node.Name == "":
		case s.Daemon == nil:
			all[node.Name] = placement.Excluded
		default:
			all[node.Name] = s.Daemon.Matcher.Match(node)
		}
	}
	return all
}

// requests are those of a DaemonSet that may not exist.
func (d *Daemon) requests() Resources {
	if d == nil {
		return nil
	}
	return d.Requests
}

// surge is how many nodes of a rollout hold two pods at most.
func (r *Rollout) surge(desired int) (int, error) {
	if r.MaxSurge == nil {
		return 0, nil
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(r.MaxSurge, desired, true)
	if err == nil && n < 0 {
		err = fmt.Errorf("must not be negative")
	}
	if err != nil {
		return 0, fmt.Errorf("cost: maxSurge: %w", err)
	}
	if n > 0 {
		n = min(n, math.MaxInt/2) + min(max(r.Unavailable, 0), math.MaxInt/2)
	}
	return n, nil
}

// price fills in the sums, from the counts.
func (c *Change) price(old, new Resources) (err error) {
	times := func(r Resources, n int) Resources {
		product, e := r.Times(int64(n))
		if err == nil {
			err = e
		}
		return product
	}
	sum := func(parts ...Resources) Resources {
		var all Resources
		for _, p := range parts {
			s, e := all.Plus(p)
			if err == nil {
				err = e
			}
			all = s
		}
		return all
	}
	had := c.Lost + c.Latent
	c.Before = times(old, c.Kept+had)
	c.After = times(new, c.Kept+c.Gained)
	c.Peak = sum(times(old.Max(new), c.Kept), times(old.Min(new), c.Doubled), times(new, c.Gained), times(old, had))
	switch {
	case c.Doubled > 0:
		c.NodePeak = sum(old, new)
	case c.Kept > 0:
		c.NodePeak = old.Max(new)
	}
	if err == nil {
		c.Difference, err = c.After.Minus(c.Before)
	}
	return err
}

// String is a line of counts and the sums.
func (c Change) String() string {
	return fmt.Sprintf("%d kept, %d gained, %d lost, %d lost at the next restart\nbefore: %s\nafter: %s\ndifference: %s\npeak: %s, with %d nodes doubled\n",
		c.Kept, c.Gained, c.Lost, c.Latent, c.Before, c.After, c.Difference, c.Peak, c.Doubled)
}
