package purity

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const goodModule = `module github.com/daemonplan/daemonplan

go 1.24.0

require (
	github.com/stretchr/testify v1.11.1
	k8s.io/api v0.32.0
	k8s.io/apimachinery v0.32.0
	k8s.io/component-helpers v0.32.0
	pgregory.net/rapid v1.2.0
	sigs.k8s.io/yaml v1.4.0
)

require k8s.io/klog/v2 v2.130.1 // indirect
`

func TestCheckModule(t *testing.T) {
	cases := map[string]struct {
		old, new string
		want     Rule
		detail   string
	}{
		"good":       {},
		"another":    {"module github.com/daemonplan/daemonplan", "module example.org/m", Module, "module is example.org/m"},
		"newer Go":   {"go 1.24.0", "go 1.26.0", Module, "go is 1.26.0"},
		"toolchain":  {"go 1.24.0", "go 1.24.0\ntoolchain go1.26.0", Module, "toolchain go1.26.0"},
		"newer API":  {"k8s.io/api v0.32.0", "k8s.io/api v0.37.2", Module, "k8s.io/api is v0.37.2"},
		"one more":   {" // indirect", "", Dependency, "direct dependency k8s.io/klog/v2"},
		"one less":   {"\tsigs.k8s.io/yaml v1.4.0\n", "", Dependency, "no direct dependency sigs.k8s.io/yaml"},
		"replace":    {"\nrequire k8s.io/klog", "\nreplace k8s.io/api => ../api\nrequire k8s.io/klog", Module, "replace"},
		"exclude":    {"\nrequire k8s.io/klog", "\nexclude k8s.io/api v0.31.0\nrequire k8s.io/klog", Module, "replace or exclude"},
		"tool":       {"\nrequire k8s.io/klog", "\ntool k8s.io/api/cmd\nrequire k8s.io/klog", Module, "tools/go.mod"},
		"not direct": {"k8s.io/api v0.32.0", "k8s.io/api v0.32.0 // indirect", Dependency, "no direct dependency k8s.io/api"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			content := strings.Replace(goodModule, c.old, c.new, 1)
			file := filepath.Join(t.TempDir(), "go.mod")
			require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
			found, err := CheckModule(file)
			require.NoError(t, err)
			if c.want == "" {
				assert.Empty(t, found)
				return
			}
			require.NotEqual(t, goodModule, content)
			require.NotEmpty(t, found)
			for _, f := range found {
				assert.Equal(t, c.want, f.Rule, "%v", f)
				assert.Contains(t, f.Detail, c.detail)
			}
		})
	}
}

func TestCheckModuleNeedsAReadableFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "go.mod")
	require.NoError(t, os.WriteFile(file, []byte("nonsense"), 0o600))
	_, err := CheckModule(file)
	assert.ErrorContains(t, err, file)
}
