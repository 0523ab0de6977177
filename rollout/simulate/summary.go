package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// Summary is a run in numbers.
type Summary struct {
	End End `json:"end"`
	// Duration is from the start to the last step.
	Duration time.Duration `json:"duration"`
	Steps    int           `json:"steps"`
	// Eligible is how many nodes were eligible at the end, and Done how many of them
	// were done.
	Eligible int `json:"eligible"`
	Done     int `json:"done"`
	// PeakUnavailable is the most eligible nodes that were without an available pod
	// at a time, LowestAvailable the fewest with one, each with when first.
	PeakUnavailable   int           `json:"peakUnavailable"`
	PeakUnavailableAt time.Duration `json:"peakUnavailableAt"`
	LowestAvailable   int           `json:"lowestAvailable"`
	LowestAvailableAt time.Duration `json:"lowestAvailableAt"`
	// PeakSurging is the most nodes with two pods at a time, and Extra what the
	// second ones request.
	PeakSurging int                 `json:"peakSurging"`
	Extra       corev1.ResourceList `json:"extra,omitempty"`
	// DoneAt is when the last eligible node was done, if all were in the end.
	DoneAt time.Duration `json:"doneAt,omitempty"`
	// Waves counts the moments at which nodes are begun to be updated, Creates and Deletes the pods, and
	// Most the most that one step did of both.
	Waves   int `json:"waves"`
	Creates int `json:"creates"`
	Deletes int `json:"deletes"`
	Most    int `json:"most"`
	// Writes are requests to the API server: creates, deletes, and the status where
	// a counter of it changed.
	Writes int `json:"writes"`
	// Nodes are those that there were at any time, by name.
	Nodes []NodeSummary `json:"nodes,omitempty"`
	// Diagnosis says why the run is not finished; nil if it is.
	Diagnosis *rollout.Diagnosis `json:"diagnosis,omitempty"`
	Err       error              `json:"-"`

	wave time.Duration // the last one
}

// NodeSummary is how it went for a node.
type NodeSummary struct {
	Name string `json:"name"`
	// Finished says whether it came to have an available pod of the last target and
	// no old one, and At when it did so for good.
	Finished bool          `json:"finished"`
	At       time.Duration `json:"at,omitempty"`
	// Without is for how long it was eligible and had no available pod.
	Without time.Duration `json:"without,omitempty"`
}

// Summarize plays a scenario to its end and adds up.
func Summarize(s Scenario) (Summary, error) {
	return Watch(s, func(Step) bool { return true })
}

// Watch is [Summarize] that shows every step, as [Play] does. It stops when the
// watcher returns false.
func Watch(s Scenario, watch func(Step) bool) (Summary, error) {
	if err := s.check(); err != nil {
		return Summary{}, err
	}
	w := newWorld(&s)
	out := Summary{wave: -1, LowestAvailable: w.counts.Available, PeakUnavailable: w.counts.Unavailable()}
	last := Counts{}
	w.play(func(step Step) bool {
		out.add(step)
		if step.Counts != last {
			w.writes++
			last = step.Counts
		}
		return watch(step)
	})
	out.wave = 0
	out.Eligible, out.Done, out.Writes = w.counts.Eligible, w.counts.Done, w.writes
	out.Extra = times(s.Requests, out.PeakSurging)
	for i := range w.nodes() {
		m := &w.more[i]
		n := NodeSummary{Name: w.nodes()[i].Name, Finished: m.doneAt >= 0, At: max(m.doneAt, 0), Without: m.bare}
		if m.bareSince >= 0 {
			n.Without += w.at - m.bareSince
		}
		out.DoneAt = max(out.DoneAt, n.At)
		out.Nodes = append(out.Nodes, n)
	}
	if out.Done < out.Eligible {
		out.DoneAt = 0
	}
	slices.SortFunc(out.Nodes, func(a, b NodeSummary) int { return cmp.Compare(a.Name, b.Name) })
	if out.End != Finished && out.End != Failed {
		o := rollout.DiagnoseOptions{}
		if out.End == Blocked {
			o.Patience = -1 // nothing is to come
		}
		d, err := rollout.Diagnose(w.state, w.policy, o)
		if err == nil {
			if out.End == Blocked && d.Condition == rollout.Waiting {
				d.Condition = rollout.Blocked // what it waits for will not come
			}
			out.Diagnosis = &d
		}
	}
	return out, nil
}

func (out *Summary) add(step Step) {
	out.Steps++
	out.Duration, out.End, out.Err = step.At, step.End, step.Err
	if n := step.Counts.Unavailable(); n > out.PeakUnavailable {
		out.PeakUnavailable, out.PeakUnavailableAt = n, step.At
	}
	if n := step.Counts.Available; n < out.LowestAvailable {
		out.LowestAvailable, out.LowestAvailableAt = n, step.At
	}
	out.PeakSurging = max(out.PeakSurging, step.Counts.Surging)
	out.Creates += len(step.Plan.Create)
	out.Deletes += len(step.Plan.Delete)
	out.Most = max(out.Most, len(step.Plan.Create)+len(step.Plan.Delete))
	if updates(step.Plan) && step.At != out.wave {
		out.Waves++
		out.wave = step.At
	}
}

// updates reports whether a plan begins to update a node.
func updates(p rollout.Plan) bool {
	return slices.ContainsFunc(p.Create, func(c rollout.Create) bool {
		return c.Reason == rollout.SurgeAvailable || c.Reason == rollout.SurgeUnavailable
	}) || slices.ContainsFunc(p.Delete, func(d rollout.Delete) bool {
		return d.Reason == rollout.OutdatedAvailable || d.Reason == rollout.OutdatedUnavailable || d.Reason == rollout.OutdatedNotEligible
	})
}

// times is a list of resources, several times.
func times(list corev1.ResourceList, n int) corev1.ResourceList {
	if len(list) == 0 || n == 0 {
		return nil
	}
	all := corev1.ResourceList{}
	for name, q := range list {
		sum := q.DeepCopy()
		if !sum.Mul(int64(n)) { // beyond 64 bits
			sum = *resource.NewQuantity(1<<63-1, q.Format)
		}
		all[name] = sum
	}
	return all
}

// String is the summary for a person, a few lines.
func (out Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s after %s: %d of %d nodes done in %d waves\n", out.End, out.Duration, out.Done, out.Eligible, out.Waves)
	fmt.Fprintf(&b, "at most %d unavailable at a time (at %s), at least %d available\n", out.PeakUnavailable, out.PeakUnavailableAt, out.LowestAvailable)
	fmt.Fprintf(&b, "%d creates, %d deletes, %d writes\n", out.Creates, out.Deletes, out.Writes)
	if out.PeakSurging > 0 {
		fmt.Fprintf(&b, "at most %d nodes with two pods at a time\n", out.PeakSurging)
	}
	if out.Diagnosis != nil {
		b.WriteString(out.Diagnosis.String())
	}
	if out.Err != nil {
		fmt.Fprintln(&b, out.Err)
	}
	return b.String()
}

// Comparison is a second run beside a first: what it has more, or less where it is
// negative.
type Comparison struct {
	// First and Second are how they ended: numbers of runs that ended differently
	// say little.
	First           End           `json:"first"`
	Second          End           `json:"second"`
	Duration        time.Duration `json:"duration"`
	PeakUnavailable int           `json:"peakUnavailable"`
	LowestAvailable int           `json:"lowestAvailable"`
	PeakSurging     int           `json:"peakSurging"`
	Waves           int           `json:"waves"`
	Creates         int           `json:"creates"`
	Deletes         int           `json:"deletes"`
	Writes          int           `json:"writes"`
	Done            int           `json:"done"`
	// Without is the time without an available pod, of all nodes together.
	Without time.Duration `json:"without"`
}

// Compare sets a second run beside a first.
func Compare(first, second Summary) Comparison {
	without := func(s Summary) (sum time.Duration) {
		for _, n := range s.Nodes {
			sum += n.Without
		}
		return sum
	}
	return Comparison{
		First: first.End, Second: second.End,
		Duration:        second.Duration - first.Duration,
		PeakUnavailable: second.PeakUnavailable - first.PeakUnavailable,
		LowestAvailable: second.LowestAvailable - first.LowestAvailable,
		PeakSurging:     second.PeakSurging - first.PeakSurging,
		Waves:           second.Waves - first.Waves,
		Creates:         second.Creates - first.Creates,
		Deletes:         second.Deletes - first.Deletes,
		Writes:          second.Writes - first.Writes,
		Done:            second.Done - first.Done,
		Without:         without(second) - without(first),
	}
}

// Uniform is a fleet of facts: so many eligible nodes, named node-1 and so on, each
// with an available pod of a revision.
func Uniform(nodes int, revision string, ready time.Time) placement.Fleet {
	f := placement.Fleet{Nodes: make([]placement.Node, nodes)}
	width := len(fmt.Sprint(nodes))
	for i := range f.Nodes {
		name := fmt.Sprintf("node-%0*d", width, i+1)
		f.Nodes[i] = placement.Node{
			Name: name, Verdict: placement.Eligible, Stable: placement.Eligible,
			Pods: []placement.Pod{{
				Name: "old-" + name, UID: types.UID("old-" + name), Revision: revision, Created: ready, ReadyChanged: ready,
				Flags: placement.Scheduled | placement.Ready,
			}},
		}
	}
	return f
}
