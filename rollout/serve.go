package rollout

import "github.com/daemonplan/daemonplan/placement"

// servesStable reports whether some nodes may be served from another revision than
// the target.
func (d *draft) servesStable() bool {
	return d.survey != nil && d.state.Stable != "" && d.state.Stable != d.state.Target
}

// serve returns the verdict that is in force on a node and the revision that it
// gets, and why these are not the target's. A node that runs the target already is
// never taken back.
func (d *draft) serve(n *placement.Node) (placement.Verdict, string, Reason) {
	if !d.servesStable() || d.runsTarget(n) {
		return n.Verdict, d.state.Target, ""
	}
	v := d.survey
	why := v.holds(n)
	if why == HeldWave && v.reached(n) {
		why = "" // its wave is done, and not taken back
	}
	if why == "" && v.keeps && (n.Verdict < n.Stable || v.late[n]) {
		why = HeldPartition
	}
	if why == "" {
		return n.Verdict, d.state.Target, ""
	}
	if n.Verdict != placement.Eligible {
		// It keeps what it has and gets nothing that the target would take away.
		return min(n.Stable, placement.KeepOnly), d.state.Stable, why
	}
	return n.Stable, d.state.Stable, why
}

func (d *draft) runsTarget(n *placement.Node) bool {
	for i := range n.Pods {
		p := &n.Pods[i]
		if (p.Flags.Has(placement.Updated) || p.Revision == d.state.Target) && !p.Flags.Any(placement.Terminating|placement.Failed|placement.Succeeded) {
			return true
		}
	}
	return false
}

// getsPod reports whether an eligible node gets a pod.
func (d *draft) getsPod(n *placement.Node) bool {
	if len(n.Pods) == 0 || !d.surges {
		return len(n.Pods) == 0
	}
	for i := range n.Pods {
		if !n.Pods[i].Flags.Any(placement.Terminating | placement.Failed | placement.Succeeded) {
			return false
		}
	}
	return true
}
