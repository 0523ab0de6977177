package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
	counters "github.com/daemonplan/daemonplan/status"
)

// judge asks the policy of the command line. When nobody knows which pods are
// updated, only a policy that does not ask can be satisfied.
func judge(fleet placement.Fleet, ask counters.Input, o policyOptions, known bool) (policyReport, error) {
	p := counters.Policy{Unavailable: o.unavailable, AnyRevision: o.anyRevision, AnyPod: o.anyPod}
	if o.leaveOutNotReady {
		p.LeaveOut = notReady
	}
	finish, err := counters.Finished(fleet, ask, p)
	if err != nil {
		return policyReport{}, err
	}
	r := policyReport{Waiting: nodeReports(finish.Waiting, known), Rule: o.String(), Text: finish.String()}
	switch {
	case o.anyRevision:
		word := "waiting"
		if finish.Done {
			word = "done"
		}
		r.Text = fmt.Sprintf("%s: of %d nodes %d are available, %d may be unavailable",
			word, finish.Desired, finish.Available, finish.Allowed)
	case !known:
		finish.Done = false
		r.Text = fmt.Sprintf("unknown: of %d nodes %d are available, %d may be unavailable, and nobody knows how many are updated",
			finish.Desired, finish.Available, finish.Allowed)
	default:
		r.Updated = &finish.Updated
	}
	r.Finish = finish
	return r, nil
}

// notReady reports whether a node says of itself that it is not ready. One that
// says nothing is taken for ready, as by status.Nodes.
func notReady(node placement.Node) bool {
	if node.Ref == nil {
		return false
	}
	for _, c := range node.Ref.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status != corev1.ConditionTrue
		}
	}
	return false
}

// String is the policy in words.
func (o policyOptions) String() string {
	one, several, pod := "eligible node", "eligible nodes", "its pod"
	if o.leaveOutNotReady {
		one += " that is ready"
		several += " that are ready"
	}
	if o.anyPod {
		pod = "one of its pods"
	}
	switch {
	case o.anyRevision && o.unavailable != nil:
		return fmt.Sprintf("on all but %s of the %s, %s is available", o.unavailable, several, pod)
	case o.anyRevision:
		return fmt.Sprintf("on every %s, %s is available", one, pod)
	case o.unavailable != nil:
		return fmt.Sprintf("on every %s, %s is updated, and on all but %s of them available", one, pod, o.unavailable)
	}
	return fmt.Sprintf("on every %s, %s is updated and available", one, pod)
}
