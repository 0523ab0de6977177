package purity

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"
)

// Check reports how the files of one library package break the rules about what
// code may see and do. The files must have been parsed with comments; they are
// read together, as a name in one may be declared in another.
func Check(fset *token.FileSet, files []*ast.File) []Finding {
	c := checker{fset: fset, scope: resolve(fset, files)}
	for _, file := range files {
		c.file(file)
	}
	sortFindings(c.found)
	return c.found
}

// scope tells what a name stands for, as far as one package's own files say.
type scope struct {
	*types.Info
	pkg *types.Package
}

// resolve type-checks files against empty stand-ins for all they import. Types
// stay unknown and every error is expected; what is gained is Go's own idea of
// which `time` is the package and which a local variable.
func resolve(fset *token.FileSet, files []*ast.File) scope {
	info := &types.Info{
		Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object),
	}
	config := types.Config{Importer: standIns{}, Error: func(error) {}}
	pkg, _ := config.Check("p", fset, files, info)
	return scope{info, pkg}
}

type standIns struct{}

func (standIns) Import(importPath string) (*types.Package, error) {
	pkg := types.NewPackage(importPath, path.Base(importPath))
	pkg.MarkComplete()
	return pkg, nil
}

type checker struct {
	fset    *token.FileSet
	scope   scope
	imports map[string]string // of the current file: local name to path
	found   []Finding
}

func (c *checker) report(pos token.Pos, rule Rule, format string, args ...any) {
	c.found = append(c.found, Finding{c.fset.Position(pos), rule, fmt.Sprintf(format, args...)})
}

func (c *checker) file(file *ast.File) {
	c.imports = make(map[string]string, len(file.Imports))
	for _, spec := range file.Imports {
		c.importSpec(spec)
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if strings.HasPrefix(comment.Text, "//go:linkname ") {
				c.report(comment.Pos(), Opaque, "go:linkname")
			}
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && decl.Name.Name == "init" {
				c.report(decl.Pos(), Init, "func init")
			}
		case *ast.GenDecl:
			if decl.Tok == token.VAR {
				c.packageVars(decl)
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if node != nil {
			c.node(node)
		}
		return true
	})
}

func (c *checker) importSpec(spec *ast.ImportSpec) {
	importPath := importPath(spec)
	name := path.Base(importPath)
	if spec.Name != nil {
		name = spec.Name.Name
	}
	c.imports[name] = importPath
	if rule, ok := forbiddenImport(importPath); ok {
		c.report(spec.Pos(), rule, "import of %s", importPath)
	}
	if name == "." || name == "_" {
		c.report(spec.Pos(), Opaque, "import %s of %s", name, importPath)
	}
}

// packageVars reports exported variables, which any importer could change. The
// errors among them stay, as errors.Is needs something to compare with.
func (c *checker) packageVars(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		for i, name := range spec.Names {
			if !name.IsExported() || isIdent(spec.Type, "error") || i < len(spec.Values) && c.makesError(spec.Values[i]) {
				continue
			}
			c.report(name.Pos(), Global, "exported variable %s", name.Name)
		}
	}
}

func (c *checker) makesError(value ast.Expr) bool {
	call, ok := value.(*ast.CallExpr)
	if !ok {
		return false
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	switch importPath, _ := c.packageOf(selector); importPath {
	case "errors":
		return selector.Sel.Name == "New"
	case "fmt":
		return selector.Sel.Name == "Errorf"
	}
	return false
}

func (c *checker) node(node ast.Node) {
	switch node := node.(type) {
	case *ast.GoStmt:
		c.report(node.Pos(), Concurrency, "go statement")
	case *ast.SelectStmt:
		c.report(node.Pos(), Concurrency, "select statement")
	case *ast.ChanType:
		c.report(node.Pos(), Concurrency, "channel type")
	case *ast.SendStmt:
		c.report(node.Pos(), Concurrency, "send statement")
	case *ast.UnaryExpr:
		if node.Op == token.ARROW {
			c.report(node.Pos(), Concurrency, "receive operation")
		}
	case *ast.SelectorExpr:
		if importPath, ok := c.packageOf(node); ok {
			if rule, ok := forbiddenNames[importPath][node.Sel.Name]; ok {
				c.report(node.Pos(), rule, "%s.%s", importPath, node.Sel.Name)
			}
		}
	case *ast.AssignStmt:
		if node.Tok != token.DEFINE {
			for _, target := range node.Lhs {
				c.written(target)
			}
		}
	case *ast.IncDecStmt:
		c.written(node.X)
	case *ast.RangeStmt:
		if node.Tok == token.ASSIGN {
			c.written(node.Key)
			c.written(node.Value)
		}
	case *ast.CallExpr:
		c.builtin(node)
	}
}

func (c *checker) builtin(call *ast.CallExpr) {
	name, ok := call.Fun.(*ast.Ident)
	if !ok {
		return
	}
	if object := c.scope.Uses[name]; object != nil && object.Parent() != types.Universe {
		return
	}
	switch name.Name {
	case "print", "println":
		c.report(call.Pos(), Output, "builtin %s", name.Name)
	case "clear", "copy", "delete":
		if len(call.Args) > 0 {
			c.written(call.Args[0])
		}
	}
}

// written reports target when it is, or is part of, a package-level variable.
func (c *checker) written(target ast.Expr) {
	for {
		switch expr := target.(type) {
		case *ast.ParenExpr:
			target = expr.X
		case *ast.StarExpr:
			target = expr.X
		case *ast.IndexExpr:
			target = expr.X
		case *ast.SliceExpr:
			target = expr.X
		case *ast.SelectorExpr:
			if importPath, ok := c.packageOf(expr); ok {
				c.report(expr.Pos(), Global, "write to %s.%s", importPath, expr.Sel.Name)
				return
			}
			target = expr.X
		case *ast.Ident:
			object, ok := c.scope.Uses[expr].(*types.Var)
			if ok && object.Parent() == c.scope.pkg.Scope() {
				c.report(expr.Pos(), Global, "write to package variable %s", expr.Name)
			}
			return
		default:
			return
		}
	}
}

// packageOf returns the import path of x in x.y when x is a package. A name
// that could not be resolved counts as the import of that name: reporting too
// much is seen, reporting too little is not.
func (c *checker) packageOf(selector *ast.SelectorExpr) (string, bool) {
	name, ok := selector.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	switch object := c.scope.Uses[name].(type) {
	case *types.PkgName:
		return object.Imported().Path(), true
	case nil:
		importPath, ok := c.imports[name.Name]
		return importPath, ok
	}
	return "", false
}

func importPath(spec *ast.ImportSpec) string {
	unquoted, err := strconv.Unquote(spec.Path.Value)
	if err != nil { // the parser accepts no such literal
		return spec.Path.Value
	}
	return unquoted
}

func isIdent(expr ast.Expr, name string) bool {
	ident, ok := expr.(*ast.Ident)
	return ok && ident.Name == name
}
