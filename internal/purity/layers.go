package purity

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

const modulePath = "github.com/daemonplan/daemonplan"

// layers lists, for each package of the library, which of our packages its
// non-test files may import; a name stands for the package and those below it.
// A package without a line of its own follows the nearest one above it, and may
// also import the packages above it. Every library package may import the foundations, which are the
// packages of internal/ that have a line.
//
// A new package, or a new edge, is a decision: it is made here.
var layers = map[string][]string{
	"internal/decimal":  nil,
	"internal/defaults": nil,

	".":                nil,
	"tolerations":      nil,
	"placement":        {"tolerations"},
	"placement/cost":   {"tolerations", "placement"},
	"placement/drain":  {"placement"},
	"revision":         {"placement"},
	"status":           {"placement", "revision"},
	"rollout":          {"placement", "revision", "status"},
	"rollout/canary":   {"placement", "rollout"},
	"rollout/simulate": {"placement", "rollout"},
	"lint":             {"tolerations", "placement", "revision", "status", "rollout"},
}

// Modules that code of each kind may import, beside the standard library.
var (
	libraryModules = []string{"k8s.io/api", "k8s.io/apimachinery", "k8s.io/component-helpers"}
	exampleModules = append(slices.Clone(libraryModules), "sigs.k8s.io/yaml")
	supportModules = append(slices.Clone(exampleModules), "github.com/stretchr/testify", "pgregory.net/rapid")
)

// CheckImports reports the imports of a package's files that its kind or its
// layer does not allow. dir is the package's directory below the module's root,
// with slashes.
func CheckImports(fset *token.FileSet, dir string, files []*ast.File) []Finding {
	modules := map[Kind][]string{Library: libraryModules, Example: exampleModules, Support: supportModules}[kindOf(dir)]
	var found []Finding
	for _, file := range files {
		for _, spec := range file.Imports {
			importPath := importPath(spec)
			report := func(rule Rule, detail string) {
				found = append(found, Finding{fset.Position(spec.Pos()), rule, detail})
			}
			if ours, ok := own(importPath); ok {
				if why := layerProblem(dir, ours); why != "" {
					report(Layer, why)
				}
			} else if !standard(importPath) && !slices.ContainsFunc(modules, func(m string) bool { return within(importPath, m) }) {
				report(Dependency, "import of "+importPath)
			}
		}
	}
	sortFindings(found)
	return found
}

// layerProblem says why the package in dir must not import target, or nothing.
func layerProblem(dir, target string) string {
	switch kindOf(dir) {
	case Example, Support:
		shared := within(dir, "examples") && within(target, "examples/internal")
		if kindOf(target) == Example && !shared {
			return dir + " imports the example " + target
		}
		return ""
	}
	if kindOf(target) != Library {
		return dir + " imports " + target + ", which is not library code; if it should be, give it a line in layers"
	}
	foundation := func(d string) bool { return within(d, "internal") }
	line, ok := lineOf(dir)
	if !ok {
		return dir + " has no line in layers"
	}
	switch allowed := layers[line]; {
	case foundation(target) && !foundation(dir):
		return ""
	case line != dir && target != "." && within(dir, target):
		return ""
	case slices.ContainsFunc(allowed, func(d string) bool { return within(target, d) }):
		return ""
	}
	return dir + " must not import " + target
}

// lineOf returns the package whose line in layers dir follows.
func lineOf(dir string) (string, bool) {
	for d := dir; ; d = parent(d) {
		if _, ok := layers[d]; ok && (d != "." || dir == ".") {
			return d, true
		}
		if d == "." {
			return "", false
		}
	}
}

func parent(dir string) string {
	if slash := strings.LastIndexByte(dir, '/'); slash >= 0 {
		return dir[:slash]
	}
	return "."
}

// own returns the directory of a package of this module.
func own(importPath string) (dir string, ok bool) {
	if importPath == modulePath {
		return ".", true
	}
	return strings.CutPrefix(importPath, modulePath+"/")
}

// standard reports whether a path is the standard library's: no dot in its
// first element.
func standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// within reports whether a path is prefix or below it.
func within(p, prefix string) bool {
	return p == prefix || strings.HasPrefix(p, prefix+"/")
}
