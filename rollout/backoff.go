package rollout

import (
	"maps"
	"time"
)

// Backoff remembers how long failed pods are left alone on each node, so that a
// node that fails every pod is not hit without pause: 1 s after the first, twice
// as long after each other up to 15 min, and from the start after 30 idle minutes.
// It is a value: nothing changes it in place. The zero value has seen nothing.
type Backoff struct {
	// Generation is the observed generation that the delays belong to. Another
	// one starts anew.
	Generation int64            `json:"generation"`
	Nodes      map[string]Delay `json:"nodes,omitempty"`
}

// Delay is the back-off of one node: For how long since when.
type Delay struct {
	For   time.Duration `json:"for"`
	Since time.Time     `json:"since"`
}

// BackoffChange is a delay to remember.
type BackoffChange struct {
	Node  string `json:"node"`
	Delay Delay  `json:"delay"`
}

const (
	firstDelay   = time.Second
	longestIdle  = 2 * longestDelay
	longestDelay = 15 * time.Minute
)

// With returns the back-off with the changes of a plan that was made for the
// observed generation, without what is so old that it does not count any more.
func (b Backoff) With(generation int64, changes []BackoffChange, now time.Time) Backoff {
	next := Backoff{Generation: generation}
	if b.Generation == generation {
		next.Nodes = maps.Clone(b.Nodes)
		maps.DeleteFunc(next.Nodes, func(_ string, d Delay) bool { return d.expired(now) })
	}
	for _, c := range changes {
		if next.Nodes == nil {
			next.Nodes = make(map[string]Delay, len(changes))
		}
		next.Nodes[c.Node] = c.Delay
	}
	return next
}

// expired reports whether the node has been quiet for so long that it starts from
// the first delay again.
func (d Delay) expired(now time.Time) bool { return now.Sub(d.Since) > longestIdle }

// holds reports whether the node is left alone at a moment.
func (d Delay) holds(now time.Time) bool { return !d.expired(now) && now.Sub(d.Since) < d.For }

// after is the delay that follows once a failed pod is deleted.
func (d Delay) after(known bool, now time.Time) Delay {
	if !known || d.expired(now) {
		return Delay{For: firstDelay, Since: now}
	}
	return Delay{For: min(2*d.For, longestDelay), Since: now}
}

// delay is what is remembered of a node.
func (s *State) delay(node string) (Delay, bool) {
	if s.Backoff.Generation != s.ObservedGeneration {
		return Delay{}, false
	}
	d, ok := s.Backoff.Nodes[node]
	return d, ok
}
