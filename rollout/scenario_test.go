package rollout_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/internal/scenario"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

func TestScenarios(t *testing.T) { scenario.Run(t, "rollout", checkScenario) }

func checkScenario(t *testing.T, sc scenario.Scenario) {
	ds, nodes := sc.DaemonSet(), sc.NodeObjects()
	pods := sc.PodObjects(ds)
	s := rollout.State{
		Fleet: placement.FleetOf(ds, nodes, pods, sc.CurrentHash()), Spec: rollout.SpecOf(ds), Target: sc.CurrentHash(), Now: scenario.Now,
	}
	manage := manage(s)
	checkActions(t, *sc.Manage, manage)
	update, err := rollout.PlanRollingUpdate(ds, nodes, pods, sc.CurrentHash(), scenario.Now)
	assert.NoError(t, err)
	checkActions(t, *sc.Update, update)
	if sc.Next.Duration > 0 {
		assert.Equal(t, sc.Next.Duration, update.Next.Sub(scenario.Now))
	}
	if manage.Empty() {
		sync, err := rollout.Sync(s, rollout.Policy{})
		assert.NoError(t, err)
		checkActions(t, *sc.Update, sync)
	}
}

func checkActions(t *testing.T, want scenario.Actions, plan rollout.Plan) {
	t.Helper()
	if want.CreateCount > 0 {
		assert.Len(t, plan.Create, want.CreateCount)
	} else {
		var nodes []string
		for _, c := range plan.Create {
			nodes = append(nodes, c.Node)
		}
		assert.ElementsMatch(t, want.Create, nodes)
	}
	if want.DeleteCount > 0 {
		assert.Len(t, plan.Delete, want.DeleteCount)
		return
	}
	var pods []string
	for _, d := range plan.Delete {
		pods = append(pods, d.Pod)
	}
	assert.ElementsMatch(t, want.Delete, pods)
}
