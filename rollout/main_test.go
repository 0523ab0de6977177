package rollout_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

func TestMain(m *testing.M) { gen.Main(m, "14000") }

var now = gen.Epoch

const (
	old   = placement.Scheduled
	fresh = placement.Scheduled | placement.Updated
	ready = placement.Ready
)

// pod is a pod that is only facts, ready for a minute if it is.
func pod(name string, flags placement.Flags) placement.Pod {
	p := placement.Pod{Name: name, UID: types.UID(name), Revision: "old", Flags: flags}
	if flags.Has(placement.Updated) {
		p.Revision = "new"
	}
	if flags.Has(placement.Ready) {
		p.ReadyChanged = now.Add(-time.Minute)
	}
	return p
}

func node(name string, v placement.Verdict, pods ...placement.Pod) placement.Node {
	return placement.Node{Name: name, Verdict: v, Stable: v, Pods: pods}
}

// on is an eligible node.
func on(name string, pods ...placement.Pod) placement.Node {
	return node(name, placement.Eligible, pods...)
}

// rolling is a rolling update with limits.
func rolling(maxUnavailable, maxSurge intstr.IntOrString) rollout.Spec {
	return rollout.Spec{
		Strategy:      appsv1.RollingUpdateDaemonSetStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &maxUnavailable, MaxSurge: &maxSurge},
	}
}

func one(n int) rollout.Spec     { return rolling(intstr.FromInt(n), intstr.FromInt(0)) }
func surging(n int) rollout.Spec { return rolling(intstr.FromInt(0), intstr.FromInt(n)) }

func state(spec rollout.Spec, nodes ...placement.Node) rollout.State {
	return rollout.State{Fleet: placement.Fleet{Nodes: nodes}, Spec: spec, Target: "new", ObservedGeneration: 3, Now: now}
}

// manage is what [rollout.Manage] plans without a policy, which has no errors.
func manage(s rollout.State) rollout.Plan {
	plan, err := rollout.Manage(s, rollout.Policy{})
	if err != nil {
		panic(err)
	}
	return plan
}
