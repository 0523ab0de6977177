package readme_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every exported name of the library has a runnable Example or is shown in one.
func TestExamplesShowEveryName(t *testing.T) {
	for _, dir := range []string{"tolerations", "placement", "placement/cost", "placement/drain", "revision", "status", "rollout", "rollout/canary", "rollout/simulate", "lint"} {
		shown := ""
		examples, err := filepath.Glob(filepath.Join(root, dir, "example*_test.go"))
		require.NoError(t, err)
		for _, name := range examples {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			shown += string(text)
		}
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		require.NoError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			require.NoError(t, err)
			for _, declared := range exported(file) {
				assert.Regexp(t, regexp.MustCompile(`\b`+declared+`\b`), shown, "%s.%s is in no Example", dir, declared)
			}
		}
	}
}

// ofUnexported reports whether a function is a method that importers cannot see.
func ofUnexported(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return false
	}
	t := d.Recv.List[0].Type
	if pointer, ok := t.(*ast.StarExpr); ok {
		t = pointer.X
	}
	if generic, ok := t.(*ast.IndexExpr); ok {
		t = generic.X
	}
	name, ok := t.(*ast.Ident)
	return ok && !name.IsExported()
}

// exported are the names that a file declares for importers. String, which fmt
// calls, is shown wherever a value is printed.
func exported(file *ast.File) []string {
	var names []string
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name != "String" && !ofUnexported(d) {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	kept := names[:0]
	for _, n := range names {
		if ast.IsExported(n) {
			kept = append(kept, n)
		}
	}
	return kept
}
