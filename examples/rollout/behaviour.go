package main

import (
	"path"
	"slices"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// defaultReady is how long a pod takes when nobody says so.
const defaultReady = 30 * time.Second

// neverReady and failing are the behaviours of -never-ready and -fail-nodes.
func neverReady() behaviour {
	fate := simulate.NeverReady
	return behaviour{Fate: &fate}
}

func failing() behaviour {
	ever := -1
	return behaviour{Fails: &ever}
}

// over is a behaviour where this one says nothing else.
func (b *behaviour) over(other simulate.Behaviour) simulate.Behaviour {
	for _, t := range []struct {
		from *lasting
		to   *simulate.Duration
	}{{b.Schedule, &other.Schedule}, {b.Ready, &other.Ready}, {b.Stop, &other.Stop}} {
		if t.from != nil {
			*t.to = t.from.Duration
		}
	}
	if b.Fate != nil {
		other.Fate = *b.Fate
	}
	if b.Fails != nil {
		other.Fails = *b.Fails
	}
	return other
}

// check finds a fate that there is none of, in a field of a document.
func (b *behaviour) check(c *input.Checker, field string) {
	if b.Fate != nil {
		input.OneOf(c, field, *b.Fate, simulate.StaysPending, simulate.NeverReady, simulate.CrashLoops)
	}
}

// matches reports whether a node is among those that are meant; a list of names
// that is empty is all.
func (w *which) matches(node, zone string) bool {
	return (w.Zone == "" || w.Zone == zone) && (len(w.Nodes) == 0 || slices.ContainsFunc(w.Nodes, func(pattern string) bool {
		is, _ := path.Match(pattern, node)
		return is || pattern == node
	}))
}

// behaviours are those of all pods.
type behaviours struct {
	of map[string]simulate.Behaviour // by revision
	// some are the exceptions of each node, in their order.
	some map[string][]*exception
}

// add finds which exceptions concern a node.
func (b *behaviours) add(all []exception, node, zone string) {
	for i := range all {
		if all[i].matches(node, zone) {
			b.some[node] = append(b.some[node], &all[i])
		}
	}
}

// behaviour is that of a pod. Old pods, of whatever revision, behave as those of
// the first target do; they only stop.
func (b *behaviours) behaviour(node, revision string) simulate.Behaviour {
	is, known := b.of[revision]
	if !known {
		is = b.of[target]
	}
	for _, e := range b.some[node] {
		if e.Revision == "" || e.Revision == revision {
			is = e.behaviour.over(is)
		}
	}
	return is
}
