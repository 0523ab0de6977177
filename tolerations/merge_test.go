package tolerations_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/slow"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/tolerations"
)

func copyOf(list []corev1.Toleration) []corev1.Toleration {
	return (&corev1.PodSpec{Tolerations: list}).DeepCopy().Tolerations
}

// additions draws a list to merge: the defaults, or any other.
func additions(t *rapid.T, base []corev1.Toleration) []corev1.Toleration {
	switch rapid.IntRange(0, 2).Draw(t, "additions") {
	case 0:
		return tolerations.DefaultTolerations(nil)
	case 1:
		return tolerations.DefaultTolerations(&corev1.PodSpec{HostNetwork: true})
	}
	add := gen.Tolerations().Draw(t, "add")
	if len(base) > 0 {
		add = append(add, base[0], base[len(base)-1])
		add[len(add)-1].TolerationSeconds = nil
	}
	return add
}

func TestMergeIsTheObviousMerge(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		base := gen.Tolerations().Draw(t, "base")
		if rapid.Bool().Draw(t, "holds a default") {
			base = append(base, rapid.SampledFrom(tolerations.DefaultTolerations(nil)).Draw(t, "default"))
			if rapid.Bool().Draw(t, "with a limit") {
				seconds := int64(300)
				base[len(base)-1].TolerationSeconds = &seconds
			}
		}
		add := additions(t, base)
		baseBefore, addBefore := copyOf(base), copyOf(add)

		merged := tolerations.Merge(base, add)
		assert.Equal(t, slow.Merge(base, add), merged)
		assert.Equal(t, merged, tolerations.Merge(merged, add), "merging twice is merging once")

		// The changes rebuild the result from the base.
		rebuilt := copyOf(base)
		changes := tolerations.Changes(base, add)
		for _, c := range changes {
			reached.Add(string(c.Code))
			if c.Code == tolerations.Added {
				assert.Equal(t, len(rebuilt), c.Index)
				assert.Zero(t, c.Before)
				rebuilt = append(rebuilt, c.After)
				continue
			}
			assert.Equal(t, rebuilt[c.Index], c.Before)
			assert.NotEqual(t, c.Before.TolerationSeconds, c.After.TolerationSeconds)
			rebuilt[c.Index] = c.After
		}
		assert.ElementsMatch(t, rebuilt, merged)
		reached.AddIf(len(changes) == 0, "nothing changes")
		reached.AddIf(len(base) == 0, "empty base")

		for i := range merged {
			merged[i].Key = "overwritten"
			if merged[i].TolerationSeconds != nil {
				*merged[i].TolerationSeconds = 77
			}
		}
		assert.Equal(t, baseBefore, copyOf(base), "the result shares no memory with the base")
		assert.Equal(t, addBefore, copyOf(add), "nor with what was added")
	})
	reached.Require(t, string(tolerations.Added), string(tolerations.SecondsReplaced), "nothing changes", "empty base")
}

func TestChangesSayWhatWasLost(t *testing.T) {
	thirty := int64(30)
	own := []corev1.Toleration{
		{Key: "dedicated", Operator: corev1.TolerationOpExists},
		{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &thirty},
	}
	changes := tolerations.Changes(own, tolerations.DefaultTolerations(nil)[:2])
	var lines []string
	for _, c := range changes {
		lines = append(lines, c.String())
	}
	assert.Equal(t, []string{
		"tolerations[1]: node.kubernetes.io/not-ready:NoExecute op=Exists for 30s became node.kubernetes.io/not-ready:NoExecute op=Exists",
		"added node.kubernetes.io/unreachable:NoExecute op=Exists",
	}, lines)
	assert.Nil(t, tolerations.Changes(own[:1], nil))
	assert.Equal(t, []corev1.Toleration{}, tolerations.Merge(nil, nil))
}
