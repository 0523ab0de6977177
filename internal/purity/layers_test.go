package purity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCheckImports(t *testing.T) {
	const ours = modulePath + "/"
	cases := []struct {
		dir, target string
		want        Rule // empty: allowed
	}{
		{"lint", "strings", ""},
		{"lint", "k8s.io/api/core/v1", ""},
		{"lint", "k8s.io/apimachinery/pkg/labels", ""},
		{"lint", "k8s.io/component-helpers/resource", ""},
		{"lint", "k8s.io/utils/ptr", Dependency},
		{"lint", "k8s.io/apiserver", Dependency},
		{"lint", "k8s.io/kubernetes/pkg/apis/core", Dependency},
		{"lint", "sigs.k8s.io/yaml", Dependency},
		{"lint", "github.com/stretchr/testify/assert", Dependency},
		{"lint", "pgregory.net/rapid", Dependency},
		{"examples/plan", "sigs.k8s.io/yaml", ""},
		{"examples/plan", "pgregory.net/rapid", Dependency},
		{"examples/plan", "k8s.io/client-go/kubernetes", Dependency},
		{"internal/gen", "pgregory.net/rapid", ""},
		{"internal/gen", "github.com/stretchr/testify/require", ""},
		{"internal/gen", "github.com/google/go-cmp/cmp", Dependency},
		{"internal/decimal", "pgregory.net/rapid", Dependency},

		{".", ours + "placement", Layer},
		{"tolerations", ours + "placement", Layer},
		{"tolerations", modulePath, Layer},
		{"placement", ours + "tolerations", ""},
		{"placement", ours + "revision", Layer},
		{"revision", ours + "placement", ""},
		{"revision", ours + "tolerations", Layer},
		{"revision", ours + "status", Layer},
		{"status", ours + "placement", ""},
		{"status", ours + "revision", ""},
		{"status", ours + "rollout", Layer},
		{"rollout", ours + "placement", ""},
		{"rollout", ours + "revision", ""},
		{"rollout", ours + "status", ""},
		{"rollout", ours + "placement/index", ""},
		{"rollout", ours + "lint", Layer},
		{"lint", ours + "tolerations", ""},
		{"lint", ours + "placement", ""},
		{"lint", ours + "revision", ""},
		{"lint", ours + "status", ""},
		{"lint", ours + "rollout", ""},

		{"placement/index", ours + "placement", ""},
		{"placement/index", ours + "tolerations", ""},
		{"placement/index", ours + "placement/cost", Layer},
		{"placement/index", ours + "rollout", Layer},
		{"placement", ours + "placement/index", Layer},
		{"rollout/canary/set", ours + "rollout", ""},
		{"rollout/canary/set", modulePath, Layer},

		{"tolerations", ours + "internal/decimal", ""},
		{"placement/index", ours + "internal/decimal", ""},
		{"internal/decimal", ours + "tolerations", Layer},
		{"placement", ours + "internal/gen", Layer},
		{"placement", ours + "internal/purity", Layer},
		{"placement", ours + "examples/plan", Layer},
		{"placement", ours + "conformance", Layer},
		{"internal/gen", ours + "rollout", ""},
		{"internal/gen", ours + "examples/plan", Layer},
		{"internal/gen", ours + "conformance/oracle", Layer},
		{"examples/plan", ours + "rollout", ""},
		{"examples/plan", ours + "examples/internal/input", ""},
		{"examples/plan", ours + "examples/status", Layer},
		{"internal/gen", ours + "examples/internal/input", Layer},
		{"newcomer", ours + "placement", Layer},
		{"newcomer", modulePath + "er/placement", Dependency},
	}
	covered := make(map[Rule]bool)
	for _, c := range cases {
		fset, files := parse(t, fmt.Sprintf("package p\nimport %q\n", c.target))
		var want []string
		if c.want != "" {
			want = []string{"2 " + string(c.want)}
		}
		found := CheckImports(fset, c.dir, files)
		assert.Equal(t, want, brief(found), "%s imports %s: %v", c.dir, c.target, found)
		covered[c.want] = true
	}
	assert.True(t, covered[Layer] && covered[Dependency])
}

// An order has no cycles: following the lines never comes back.
func TestLayersAreAcyclic(t *testing.T) {
	var walk func(dir string, above []string)
	walk = func(dir string, above []string) {
		assert.NotContains(t, above, dir, "%s", strings.Join(above, " -> "))
		if len(above) > len(layers) {
			return
		}
		for _, next := range layers[dir] {
			assert.Contains(t, layers, next, "a name in the line of %s has no line", dir)
			walk(next, append(above[:len(above):len(above)], dir))
		}
	}
	for dir := range layers {
		walk(dir, nil)
	}
}
