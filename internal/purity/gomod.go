package purity

import (
	"encoding/json"
	"fmt"
	"go/token"
	"os/exec"
	"slices"
	"strings"
)

// What the root go.mod may ask of those who import the module: the oldest Go
// and k8s.io/* that a known importer still builds with, and nothing beside.
const (
	goVersion  = "1.24.0"
	k8sVersion = "v0.32."
)

// CheckModule reports how a go.mod file departs from goVersion, k8sVersion and
// the modules that supportModules lists. The go command reads the file.
func CheckModule(name string) ([]Finding, error) {
	output, err := exec.Command("go", "mod", "edit", "-json", name).Output()
	if err != nil {
		return nil, fmt.Errorf("go mod edit -json %s: %w", name, err)
	}
	var module struct {
		Module    struct{ Path string }
		Go        string
		Toolchain string
		Require   []struct {
			Path, Version string
			Indirect      bool
		}
		Replace, Exclude, Tool []any
	}
	if err := json.Unmarshal(output, &module); err != nil {
		return nil, err
	}

	var found []Finding
	report := func(rule Rule, format string, args ...any) {
		found = append(found, Finding{token.Position{Filename: name}, rule, fmt.Sprintf(format, args...)})
	}
	if module.Module.Path != modulePath {
		report(Module, "module is %s, not %s", module.Module.Path, modulePath)
	}
	if module.Go != goVersion {
		report(Module, "go is %s, not %s", module.Go, goVersion)
	}
	if module.Toolchain != "" {
		report(Module, "toolchain %s: the go line is all that is asked", module.Toolchain)
	}
	if len(module.Replace)+len(module.Exclude) > 0 {
		report(Module, "replace or exclude: importers would not get what is tested here")
	}
	if len(module.Tool) > 0 {
		report(Module, "tool: tools belong into tools/go.mod")
	}
	var direct []string
	for _, require := range module.Require {
		if require.Indirect {
			continue
		}
		direct = append(direct, require.Path)
		if !slices.Contains(supportModules, require.Path) {
			report(Dependency, "direct dependency %s", require.Path)
		}
		if slices.Contains(libraryModules, require.Path) && !strings.HasPrefix(require.Version, k8sVersion) {
			report(Module, "%s is %s, not %sx", require.Path, require.Version, k8sVersion)
		}
	}
	for _, wanted := range supportModules {
		if !slices.Contains(direct, wanted) {
			report(Dependency, "no direct dependency %s", wanted)
		}
	}
	sortFindings(found)
	return found, nil
}
