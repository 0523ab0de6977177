package cost_test

import (
	"bufio"
	"bytes"
	_ "embed"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

//go:embed testdata/overhead.yaml
var overheadFile []byte

// overheadScenario is a document of the file.
type overheadScenario struct {
	Title   string
	Source  string
	Daemons []struct {
		Name  string
		CPU   string `json:"cpu"`
		Spec  corev1.PodSpec
		Terms []corev1.NodeSelectorTerm // of the required node affinity
	}
	Shapes []struct {
		Name         string
		Labels       map[string]string
		Taints       []corev1.Taint
		Allocatable  corev1.ResourceList
		AssumeLabels map[string]string
		IgnoreTaints []corev1.Taint
		Want         string
		Over         string
	}
	Domains []struct {
		Name    string
		Labels  map[string]cost.Values
		Depends []string
	}
}

func TestScenarios(t *testing.T) {
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(overheadFile)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		var s overheadScenario
		require.NoError(t, yaml.UnmarshalStrict(document, &s))
		t.Run(s.Title, func(t *testing.T) { s.check(t) })
	}
}

func (s *overheadScenario) check(t *testing.T) {
	t.Logf("after %s", s.Source)
	var daemons []*cost.Daemon
	for _, d := range s.Daemons {
		spec := d.Spec.DeepCopy()
		spec.Containers = asking("cpu", d.CPU).Containers
		if d.Terms != nil {
			spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: d.Terms},
			}}
		}
		daemons = append(daemons, daemon(t, daemonSet(d.Name, *spec)))
	}
	set := cost.NewSet(daemons)
	require.NotEmpty(t, s.Shapes)
	for _, shape := range s.Shapes {
		asked := placement.Shape{Name: shape.Name, Labels: shape.Labels, Taints: shape.Taints}
		q := cost.Question{IgnoreTaints: shape.IgnoreTaints, AssumeLabels: shape.AssumeLabels}
		overhead, err := set.Overhead(asked, q)
		require.NoError(t, err)
		assert.Equal(t, shape.Want, overhead.String(), shape.Name)
		groups, err := set.Group([]placement.Shape{asked}, q)
		require.NoError(t, err)
		assert.Equal(t, overhead, groups[0].Overhead, shape.Name)
		if shape.Over != "" {
			room, err := cost.ResourcesOf(shape.Allocatable, nil)
			require.NoError(t, err)
			over, err := overhead.Requests.Over(room)
			require.NoError(t, err)
			assert.Equal(t, shape.Over, over.String(), shape.Name)
		}
	}
	for _, domain := range s.Domains {
		bounds, err := set.On(cost.Domain{Labels: domain.Labels}, cost.Question{})
		require.NoError(t, err)
		var open []string
		for _, a := range bounds.Depends {
			open = append(open, a.Daemon.Key.String()+" on "+a.Labels[0])
		}
		assert.Equal(t, domain.Depends, open, domain.Name)
	}
}
