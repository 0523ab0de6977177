package readme_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(data)
}

// The example is the one that the root package runs.
func TestExampleIsCompiled(t *testing.T) {
	_, rest, found := strings.Cut(read(t, "README.md"), "```go\n")
	require.True(t, found)
	example, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	assert.Contains(t, read(t, "example_test.go"), example)
}

// section is the part of the README under a heading.
func section(t *testing.T, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(read(t, "README.md"), "\n"+heading+"\n")
	require.True(t, found, heading)
	level := heading[:strings.IndexByte(heading, ' ')]
	body, _, _ := strings.Cut(rest, "\n"+level+" ")
	return body
}

// A departure without a test is a claim.
func TestDeparturesHaveTests(t *testing.T) {
	declared := map[string]bool{}
	declaration := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range declaration.FindAllSubmatch(data, -1) {
				declared[string(m[1])] = true
			}
		}
		return err
	}))
	rows := 0
	for line := range strings.Lines(section(t, "## Departures")) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| situation") {
			continue
		}
		rows++
		names := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(line, -1)
		assert.NotEmpty(t, names, line)
		for _, name := range names {
			assert.True(t, declared[name[1]], "no test is called %s", name[1])
		}
	}
	assert.Positive(t, rows)
}

// codes are the string constants of the given types in a package.
func codes(t *testing.T, dir string, types ...string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	require.NoError(t, err)
	var all []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if kind, ok := spec.Type.(*ast.Ident); !ok || !slices.Contains(types, kind.Name) {
				return true
			}
			for _, v := range spec.Values {
				if text, err := strconv.Unquote(v.(*ast.BasicLit).Value); err == nil && text != "" {
					all = append(all, text)
				}
			}
			return true
		})
	}
	require.NotEmpty(t, all)
	return all
}

func TestGlossaryKnowsEveryCode(t *testing.T) {
	glossary := section(t, "## Glossary")
	all := codes(t, "placement", "Code", "HintCode", "Trigger")
	all = append(all, codes(t, "status", "State", "Rule", "Pace")...)
	all = append(all, codes(t, "revision", "Class")...)
	all = append(all, codes(t, "rollout", "Reason", "Condition", "Spending", "NodeTrouble", "RemedyCode")...)
	all = append(all, codes(t, "rollout/canary", "Reason", "Verdict")...)
	all = append(all, codes(t, "placement/cost", "Verdict", "Presence", "Unnamed")...)
	all = append(all, codes(t, "placement/drain", "Mode", "Action", "Code", "Outcome", "Lack")...)
	all = append(all, codes(t, "lint", "RuleID", "Severity", "Needs")...)
	all = append(all, codes(t, "rollout/simulate", "End", "Fate", "Health")...)
	for _, code := range all {
		assert.Regexp(t, "(?m)^\\| [^|]*`"+code+"`[^|]* \\|", glossary)
	}
	for _, verdict := range []string{"eligible", "keep-only", "excluded", "unevaluated"} {
		assert.Contains(t, glossary, "| `"+verdict+"` |")
	}
}
