package status

import "github.com/daemonplan/daemonplan/placement"

// Details are counts of nodes that the status of the API has no room for.
type Details struct {
	// MayStay and MustGo are numberMisscheduled split: pods that nothing removes,
	// and pods that the next sync deletes.
	MayStay int `json:"mayStay"`
	MustGo  int `json:"mustGo"`
	// NodesGone are nodes that do not exist and that pods are on or meant for.
	NodesGone int `json:"nodesGone"`
	// AnyUpdated, AnyReady and AnyAvailable are eligible nodes on which some pod
	// that is not terminating and has not ended is of the current revision; is
	// so and is ready; is so and is available. They see a new pod behind an old
	// one that is still terminating, which updatedNumberScheduled does not.
	AnyUpdated   int `json:"anyUpdated"`
	AnyReady     int `json:"anyReady"`
	AnyAvailable int `json:"anyAvailable"`
	// Behind are eligible nodes with a ready pod of the current revision behind
	// the one that counts.
	Behind int `json:"behind"`
	// Surging are eligible nodes with an old and a new pod that are both neither
	// terminating nor have ended.
	Surging int `json:"surging"`
}

// Detail counts what the counters hide. Of in it reads MinReadySeconds and Now. It
// goes through the fleet once and allocates nothing.
func Detail(fleet placement.Fleet, in Input) Details {
	var d Details
	for i := range fleet.Nodes {
		d.add(&fleet.Nodes[i], in)
	}
	return d
}

func (d *Details) add(n *placement.Node, in Input) {
	if len(n.Pods) == 0 {
		return
	}
	switch n.Verdict {
	case placement.KeepOnly:
		d.MayStay++
		return
	case placement.Excluded:
		d.MustGo++
		return
	case placement.Unevaluated:
		if n.Ref == nil {
			d.NodesGone++
		}
		return
	}
	var updated, old, ready, usable bool
	for i := range n.Pods {
		p := &n.Pods[i]
		if !live(p) {
			continue
		}
		if !p.Flags.Has(placement.Updated) {
			old = true
			continue
		}
		updated = true
		ready = ready || p.Flags.Has(placement.Ready)
		usable = usable || available(p, in.MinReadySeconds, in.Now)
	}
	d.AnyUpdated += one(updated)
	d.AnyReady += one(ready)
	d.AnyAvailable += one(usable)
	d.Surging += one(updated && old)
	d.Behind += one(readyBehind(n) != nil)
}

// one is 1 for true.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
