package main

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// report is everything that the program says, and the form of -o json and -o yaml.
// Names of fields are stable; new ones may be added.
type report struct {
	// Runs are one, or with -compare two.
	Runs []runReport `json:"runs"`
	// Comparison is what the second has more than the first.
	Comparison *comparison `json:"comparison,omitempty"`
	// PassedOver counts objects of kinds that play no part, by kind.
	PassedOver map[string]int  `json:"passedOver"`
	Warnings   []input.Warning `json:"warnings"`

	runs       []*played
	difference simulate.Comparison
}

// runReport is one run.
type runReport struct {
	Name string `json:"name"`
	// Answer is the run in one sentence, and the next three are what was played,
	// by which rules, and how pods behave.
	Answer string `json:"answer"`
	What   string `json:"what"`
	Rules  string `json:"rules"`
	Pods   string `json:"pods"`

	End                      simulate.End `json:"end"`
	DurationSeconds          float64      `json:"durationSeconds"`
	Eligible                 int          `json:"eligible"`
	Done                     int          `json:"done"`
	PeakUnavailable          int          `json:"peakUnavailable"`
	PeakUnavailableAtSeconds float64      `json:"peakUnavailableAtSeconds"`
	LowestAvailable          int          `json:"lowestAvailable"`
	LowestAvailableAtSeconds float64      `json:"lowestAvailableAtSeconds"`
	PeakSurging              int          `json:"peakSurging"`
	// Extra is what the second pods of a surge request at its peak.
	Extra corev1.ResourceList `json:"extra,omitempty"`
	// Waves are the moments at which nodes begin to be updated.
	Waves   int `json:"waves"`
	Creates int `json:"creates"`
	Deletes int `json:"deletes"`
	Writes  int `json:"writes"`
	// WithoutSeconds is for how long all nodes together had no available pod.
	WithoutSeconds float64 `json:"withoutSeconds"`
	// Unfinished are the nodes that are not done in the end, by name.
	Unfinished []string    `json:"unfinished"`
	Timeline   []rowReport `json:"timeline"`
	// Diagnosis is why the run is not finished.
	Diagnosis *rollout.Diagnosis `json:"diagnosis,omitempty"`
}

// rowReport is a row of the timeline: numbers of nodes at a time.
type rowReport struct {
	Seconds float64 `json:"seconds"`
	simulate.Counts
	Unavailable int `json:"unavailable"`
	// MostUnavailable is since the row before.
	MostUnavailable int `json:"mostUnavailable"`
	// MaxUnavailable is the budget.
	MaxUnavailable int      `json:"maxUnavailable"`
	Events         []string `json:"events,omitempty"`
}

// comparison is simulate.Comparison, with times in seconds.
type comparison struct {
	DurationSeconds float64 `json:"durationSeconds"`
	PeakUnavailable int     `json:"peakUnavailable"`
	LowestAvailable int     `json:"lowestAvailable"`
	PeakSurging     int     `json:"peakSurging"`
	Waves           int     `json:"waves"`
	Creates         int     `json:"creates"`
	Deletes         int     `json:"deletes"`
	Writes          int     `json:"writes"`
	Done            int     `json:"done"`
	WithoutSeconds  float64 `json:"withoutSeconds"`
}

func newReport(runs []*played, from source, warnings []input.Warning) *report {
	r := &report{runs: runs, PassedOver: map[string]int{}, Warnings: append([]input.Warning{}, warnings...)}
	if from.objects.PassedOver != nil {
		r.PassedOver = from.objects.PassedOver
	}
	r.Warnings = append(r.Warnings, runs[0].odd...)
	at := moments(runs)
	for _, one := range runs {
		r.Runs = append(r.Runs, one.report(at))
	}
	if len(runs) == 2 {
		d := simulate.Compare(runs[0].Summary, runs[1].Summary)
		r.difference = d
		r.Comparison = &comparison{
			DurationSeconds: d.Duration.Seconds(), PeakUnavailable: d.PeakUnavailable, LowestAvailable: d.LowestAvailable,
			PeakSurging: d.PeakSurging, Waves: d.Waves, Creates: d.Creates, Deletes: d.Deletes, Writes: d.Writes,
			Done: d.Done, WithoutSeconds: d.Without.Seconds(),
		}
	}
	return r
}

// report is the run, with rows at some times.
func (r *played) report(at []time.Duration) runReport {
	out := runReport{
		Name: r.name, Answer: r.sentence(), What: r.what, Rules: r.rules, Pods: r.pods,
		End: r.End, DurationSeconds: r.Duration.Seconds(), Eligible: r.Eligible, Done: r.Done,
		PeakUnavailable: r.PeakUnavailable, PeakUnavailableAtSeconds: r.PeakUnavailableAt.Seconds(),
		LowestAvailable: r.LowestAvailable, LowestAvailableAtSeconds: r.LowestAvailableAt.Seconds(),
		PeakSurging: r.PeakSurging, Extra: r.Extra, Waves: r.Waves, Creates: r.Creates, Deletes: r.Deletes, Writes: r.Writes,
		WithoutSeconds: r.without().Seconds(), Unfinished: []string{}, Timeline: []rowReport{}, Diagnosis: r.Diagnosis,
	}
	for _, n := range r.Nodes {
		if !n.Finished {
			out.Unfinished = append(out.Unfinished, n.Name)
		}
	}
	for _, one := range r.rows(at) {
		if one.over {
			break
		}
		out.Timeline = append(out.Timeline, rowReport{
			Seconds: one.at.Seconds(), Counts: one.Counts, Unavailable: one.Unavailable(), MostUnavailable: one.most,
			MaxUnavailable: one.budget, Events: one.events,
		})
	}
	return out
}

// without is for how long all nodes together had no available pod.
func (r *played) without() (sum time.Duration) {
	for _, n := range r.Nodes {
		sum += n.Without
	}
	return sum
}
