package lint_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/daemonplan/daemonplan/lint"
)

var update = flag.Bool("update", false, "write what the rules find in testdata/agents")

// mixedFleet has a node of every kind that surprises people.
func mixedFleet() []*corev1.Node {
	return []*corev1.Node{
		member("amd64-1", "pool", "workers"), member("amd64-2", "pool", "workers"), member("amd64-3", "pool", "workers"),
		member("arm64", "kubernetes.io/arch", "arm64"),
		tainted(member("control", "node-role.kubernetes.io/control-plane", ""), "node-role.kubernetes.io/control-plane", "", corev1.TaintEffectNoSchedule),
		tainted(member("fargate", "eks.amazonaws.com/compute-type", "fargate"), "eks.amazonaws.com/compute-type", "fargate", corev1.TaintEffectNoSchedule),
		tainted(member("gpu", "nvidia.com/gpu.present", "true"), "nvidia.com/gpu", "present", corev1.TaintEffectNoSchedule),
		tainted(member("windows", "kubernetes.io/os", "windows"), "os", "windows", corev1.TaintEffectNoSchedule),
	}
}

// TestAgents holds the findings in manifests of the kinds that agents come with,
// written from memory, alone and on a mixed fleet. A finding that appears here has
// been judged: it is true, and worth its severity.
func TestAgents(t *testing.T) {
	files, err := filepath.Glob("testdata/agents/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var sets []*appsv1.DaemonSet
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		ds := &appsv1.DaemonSet{}
		require.NoError(t, yaml.UnmarshalStrict(data, ds), file)
		sets = append(sets, ds)
		assert.Empty(t, lint.Validate(ds, lint.Options{}), file)
	}
	for i, file := range files {
		var b strings.Builder
		b.WriteString("alone:\n")
		for _, f := range lint.Check(sets[i], lint.Context{}) {
			b.WriteString("  " + f.String() + "\n")
		}
		b.WriteString("on a mixed fleet:\n")
		alone := b.String()
		for _, f := range lint.Check(sets[i], lint.Context{Nodes: mixedFleet(), Others: sets}) {
			if line := "  " + f.String() + "\n"; !strings.Contains(alone, line) {
				b.WriteString(line)
			}
		}
		golden := strings.TrimSuffix(file, ".yaml") + ".txt"
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		assert.Equal(t, string(want), b.String(), file)
	}
}
