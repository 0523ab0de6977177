package status_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/status"
)

func value(text string) *intstr.IntOrString {
	v := intstr.Parse(text)
	return &v
}

// 39 of 40, one machine is dead: helm/helm#5219 and kubernetes/kubernetes#73667.
func TestFinishedWithinBudget(t *testing.T) {
	var f placement.Fleet
	for i := range 40 {
		f.Nodes = append(f.Nodes, on(string(rune('A'+i)), facts("p", good, 60)))
	}
	f.Nodes[7].Pods[0].Flags &^= placement.Ready
	for text, done := range map[string]bool{"0": false, "1": true, "5": true, "1%": true, "0%": false, "100%": true, "-5": false} {
		got, err := status.Finished(f, at(0), status.Policy{Unavailable: value(text)})
		assert.NoError(t, err)
		assert.Equal(t, done, got.Done, text)
		assert.Equal(t, 39, got.Available)
		assert.Len(t, got.Waiting, 1)
	}
	got, err := status.Finished(f, at(0), status.Policy{LeaveOut: func(n placement.Node) bool { return n.Name == "H" }})
	assert.NoError(t, err)
	assert.True(t, got.Done)
	assert.Equal(t, "done: of 39 nodes 39 are updated and 39 available, 0 may be unavailable", got.String())

	got, err = status.Finished(f, at(0), status.Policy{Unavailable: value("half")})
	assert.ErrorContains(t, err, "status: policy: unavailable: ")
	assert.Zero(t, got)
}

func TestFinishedPods(t *testing.T) {
	old := on("n", facts("p", placement.Ready, 60))
	leaving := on("n", facts("old", placement.Ready|placement.Terminating, 60), facts("new", good, 60))
	surging := on("n", facts("old", placement.Ready, 60), facts("new", good, 60))
	halves := on("n", facts("old", placement.Ready, 60), facts("new", placement.Updated, 0))
	for name, c := range map[string]struct {
		node   placement.Node
		policy status.Policy
		done   bool
	}{
		"old":                         {old, status.Policy{}, false},
		"old, any revision":           {old, status.Policy{AnyRevision: true}, true},
		"no pod, any revision":        {on("n"), status.Policy{AnyRevision: true}, false},
		"new behind a leaving one":    {leaving, status.Policy{}, false},
		"seen":                        {leaving, status.Policy{AnyPod: true}, true},
		"new beside an old one":       {surging, status.Policy{}, false},
		"seen too":                    {surging, status.Policy{AnyPod: true}, true},
		"one is new, another is good": {halves, status.Policy{AnyPod: true}, false},
		"that is enough for some":     {halves, status.Policy{AnyPod: true, AnyRevision: true}, true},
		"not eligible":                {placement.Node{Verdict: placement.KeepOnly, Pods: old.Pods}, status.Policy{}, true},
	} {
		got, err := status.Finished(fleet(c.node), at(0), c.policy)
		assert.NoError(t, err)
		assert.Equal(t, c.done, got.Done, name)
		assert.Equal(t, c.done, len(got.Waiting) == 0, name)
	}
}

// A policy that allows more is never stricter.
func TestFinishedGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		nodes := gen.Nodes(5).Draw(t, "nodes")
		f := placement.NewFleet(placement.Compile(nil, placement.Options{}), nodes, gen.Pods(ds, 6, nodes).Draw(t, "pods"), placement.Reading{Revision: "new"})
		in := at(gen.Pick(t, "minReadySeconds", 0, 30))
		p := status.Policy{AnyRevision: gen.Chance(t, 50, "any revision"), AnyPod: gen.Chance(t, 50, "any pod")}
		n := int32(gen.Pick(t, "unavailable", 0, 1, 2))
		p.Unavailable = &intstr.IntOrString{IntVal: n}
		narrow, err := status.Finished(f, in, p)
		assert.NoError(t, err)
		more := p
		more.Unavailable = &intstr.IntOrString{IntVal: n + 1}
		wide, err := status.Finished(f, in, more)
		assert.NoError(t, err)
		assert.True(t, wide.Done || !narrow.Done)
		p.AnyRevision = true
		wide, err = status.Finished(f, in, p)
		assert.NoError(t, err)
		assert.True(t, wide.Done || !narrow.Done)
		p.LeaveOut = func(placement.Node) bool { return true }
		wide, err = status.Finished(f, in, p)
		assert.NoError(t, err)
		assert.True(t, wide.Done)
		assert.Zero(t, wide.Desired)
	})
}
