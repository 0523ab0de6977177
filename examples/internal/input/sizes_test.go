package input

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSizes: what nodes have and pods request is read where it is asked for, and
// only there; what does not parse is told with its place.
func TestSizes(t *testing.T) {
	const text = `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": {"cpu": "2"}}}
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"nodeName": "n", "containers": [{"name": "c", "resources": {"requests": {"cpu": "100m"}}}]}}`
	read := func(text string, s Source) (Objects, error) {
		s.Files, s.Stdin = []string{"-"}, strings.NewReader(text)
		return Read(s)
	}
	in, err := read(text, Source{})
	require.NoError(t, err)
	assert.Empty(t, in.Nodes[0].Status.Allocatable)
	assert.Empty(t, in.Pods[0].Spec.Containers)

	in, err = read(text, Source{NodeAllocatable: true, WholePods: true})
	require.NoError(t, err)
	assert.Equal(t, "2", in.Nodes[0].Status.Allocatable.Cpu().String())
	assert.Equal(t, "100m", in.Pods[0].Spec.Containers[0].Resources.Requests.Cpu().String())
	assert.Equal(t, "n", in.Pods[0].Spec.NodeName)

	_, err = read(strings.Replace(text, `"2"`, `"many"`, 1), Source{NodeAllocatable: true})
	assert.ErrorContains(t, err, "status.allocatable[cpu]")
	_, err = read(strings.Replace(text, `"100m"`, `"some"`, 1), Source{WholePods: true})
	assert.ErrorContains(t, err, "document 2 (line 2): spec.containers[0].resources.requests[cpu]")
}
