package purity

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Kind says who compiles a package.
type Kind string

const (
	Library Kind = "library" // whoever imports the module
	Support Kind = "support" // our tests
	Example Kind = "example" // readers
)

// kindOf goes by the directory alone. The nested modules below are no part of
// the root module, so for an import of theirs Example is the right answer: no
// library package may have it.
func kindOf(dir string) Kind {
	_, inLayers := layers[dir]
	switch {
	case within(dir, "examples"), within(dir, "conformance"), within(dir, "tools"):
		return Example
	case within(dir, "internal") && !inLayers:
		return Support
	}
	return Library
}

// A Package is the non-test files of one directory.
type Package struct {
	Dir   string // below the module's root, with slashes
	Files []*ast.File
}

// Load parses the non-test Go files of the module whose root directory is
// given, by directory in order. It leaves out what the go command leaves out:
// modules of their own, testdata, and names that start with a dot or _. Build
// constraints are not looked at, so that no file escapes by having one.
func Load(root string) (*token.FileSet, []Package, error) {
	fset := token.NewFileSet()
	dirs := make(map[string]*Package)
	tree := os.DirFS(root)
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".":
			return nil
		case entry.IsDir():
			if skipped(tree, name) {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || hidden(name):
			return nil
		}
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, name, source, parser.ParseComments)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		if dirs[dir] == nil {
			dirs[dir] = &Package{Dir: dir}
		}
		dirs[dir].Files = append(dirs[dir].Files, file)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	var packages []Package
	for _, p := range dirs {
		packages = append(packages, *p)
	}
	slices.SortFunc(packages, func(a, b Package) int { return cmp.Compare(a.Dir, b.Dir) })
	return fset, packages, nil
}

func skipped(tree fs.FS, dir string) bool {
	if base := path.Base(dir); base == "testdata" || base == "vendor" || hidden(dir) {
		return true
	}
	_, err := fs.Stat(tree, dir+"/go.mod")
	return err == nil
}

func hidden(name string) bool {
	base := path.Base(name)
	return base[0] == '.' || base[0] == '_'
}
