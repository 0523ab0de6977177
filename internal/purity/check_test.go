package purity

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// parse reads sources as the files a.go, b.go … of one package.
func parse(t *testing.T, sources ...string) (*token.FileSet, []*ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for i, source := range sources {
		file, err := parser.ParseFile(fset, fmt.Sprintf("%c.go", 'a'+i), source, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, file)
	}
	return fset, files
}

// brief writes findings as "line rule".
func brief(found []Finding) []string {
	var lines []string
	for _, f := range found {
		lines = append(lines, fmt.Sprintf("%d %s", f.Pos.Line, f.Rule))
	}
	return lines
}

func TestCheck(t *testing.T) {
	const file = "package p\n" // so that a case's source begins on line 2
	cases := map[string]struct {
		source string
		want   []string
	}{
		"client":              {`import "k8s.io/client-go/kubernetes"`, []string{"2 client"}},
		"logging":             {`import "k8s.io/klog/v2"`, []string{"2 logging"}},
		"logging, std":        {`import "log/slog"`, []string{"2 logging"}},
		"randomness, v2":      {`import "math/rand/v2"`, []string{"2 randomness"}},
		"environment":         {`import "os"`, []string{"2 environment"}},
		"environment, below":  {`import "os/exec"`, []string{"2 environment"}},
		"runtime":             {`import "runtime/debug"`, []string{"2 environment"}},
		"network":             {`import "net/http"`, []string{"2 network"}},
		"lock":                {`import "sync"`, []string{"2 concurrency"}},
		"testing":             {`import "testing"`, []string{"2 testing"}},
		"import block":        {"import (\n\"strings\"\n\"os\"\n)", []string{"4 environment"}},
		"import under a name": {`import harmless "os"`, []string{"2 environment"}},
		"cgo":                 {`import "C"`, []string{"2 opaque"}},
		"blank import":        {`import _ "embed"`, []string{"2 opaque"}},
		"dot import":          {"import . \"time\"\nvar x = Now()", []string{"2 opaque"}},
		"linkname":            {"//go:linkname nanotime runtime.nanotime\nfunc nanotime() int64", []string{"2 opaque"}},

		"clock":               {"import \"time\"\nfunc f() time.Time {\nreturn time.Now() }", []string{"4 clock"}},
		"clock, value":        {"import \"time\"\nvar now = time.Now", []string{"3 clock"}},
		"clock, renamed":      {"import t \"time\"\nvar now = t.Now", []string{"3 clock"}},
		"clock, method":       {"import \"time\"\nvar s = time.Now().String", []string{"3 clock"}},
		"clock, deferred":     {"import \"time\"\nfunc f() { defer g(time.Since) }", []string{"3 clock"}},
		"clock, metav1":       {"import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\nvar now = metav1.Now()", []string{"3 clock"}},
		"clock, metav1 as v1": {"import \"k8s.io/apimachinery/pkg/apis/meta/v1\"\nvar now = v1.Now()", []string{"3 clock"}},
		"clock, argument of the unknown": {
			"import \"time\"\nfunc f() { unknown.G(unknown.T{A: func() { unknown.H[time.Time](time.Now()) }}) }", []string{"3 clock"},
		},
		"zone": {"import \"time\"\nvar here = time.Local", []string{"3 environment"}},
		"random name": {
			"import \"k8s.io/apimachinery/pkg/util/rand\"\nfunc f() string { return rand.SafeEncodeString(rand.String(5)) }", []string{"3 randomness"},
		},

		"output":          {"import \"fmt\"\nfunc f() { fmt.Println() }", []string{"3 output"}},
		"output, value":   {"import \"fmt\"\nvar f = fmt.Printf", []string{"3 output"}},
		"output, builtin": {"func f() {\nprintln(1)\nprint(2) }", []string{"3 output", "4 output"}},

		"go":      {"func f() { go f() }", []string{"2 concurrency"}},
		"select":  {"func f() { select {} }", []string{"2 concurrency"}},
		"channel": {"func f(c chan int) {\nc <- 1\n<-c }", []string{"2 concurrency", "3 concurrency", "4 concurrency"}},

		"init":                  {"func init() {}", []string{"2 init"}},
		"global, exported":      {"var (\na = 1\nB = 2 )", []string{"4 global"}},
		"global, typed":         {"var A, B int", []string{"2 global", "2 global"}},
		"global, only looks so": {"import \"errors\"\nvar ErrA = errors.Unwrap(nil)", []string{"3 global"}},
		"global, assigned":      {"var n int\nfunc f() { n = 1 }", []string{"3 global"}},
		"global, counted":       {"var n int\nfunc f() { n++ }", []string{"3 global"}},
		"global, element":       {"var m = map[int][]struct{ x int }{}\nfunc f() { (m[1][2]).x = 3 }", []string{"3 global"}},
		"global, pointer":       {"var p *int\nfunc f() { *p += 1 }", []string{"3 global"}},
		"global, range":         {"var i int\nfunc f() { for i = range 3 {} }", []string{"3 global"}},
		"global, delete":        {"var m map[int]int\nfunc f() {\ndelete(m, 1)\nclear(m)\ncopy(s[:], s[:]) }\nvar s [2]int", []string{"4 global", "5 global", "6 global"}},
		"global of another":     {"import \"k8s.io/api/core/v1\"\nfunc f() { v1.SchemeGroupVersion.Group = \"\" }", []string{"3 global"}},
	}
	covered := make(map[Rule]bool)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			fset, files := parse(t, file+c.source)
			found := Check(fset, files)
			assert.Equal(t, c.want, brief(found), "%v", found)
			for _, f := range found {
				covered[f.Rule] = true
			}
		})
	}
	for _, rule := range rules {
		switch rule {
		case Dependency, Layer, Module: // not Check's
		default:
			assert.True(t, covered[rule], "no case finds %s", rule)
		}
	}
}

// Everything here is pure, though most of it resembles what is not.
const silent = `package p

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"
)

// time.Now() in a comment, and a go:linkname in passing.
const text = "time.Now()"

var (
	ErrA       = errors.New("a")
	ErrB       = fmt.Errorf("b: %w", ErrA)
	ErrC error = nil
	table      = map[string]time.Duration{"a": time.Second}
)

type clock struct{ Now func() time.Time }

func (clock) init() {}

func f(now time.Time, n int) (string, metav1.Time) {
	{
		time := clock{}
		_ = time.Now()
		table := map[string]int{}
		table["a"], n = 1, 2
		delete(table, "a")
	}
	delete := func(map[string]time.Duration, string) {}
	delete(table, "a")
	print(now.After(now.Add(table["a"])), netip.Addr{})
	var local struct{ ErrA error }
	local.ErrA = ErrA
	return rand.SafeEncodeString(fmt.Sprint(n)), metav1.NewTime(now)
}
`

func TestCheckIsSilentOnPureCode(t *testing.T) {
	fset, files := parse(t, silent, "package p\n\n// shadows the builtin in both files\nfunc print(...any) {}\n")
	assert.Empty(t, Check(fset, files))
}

// A package clause that differs leaves a file unresolved; it is read all the same.
func TestCheckReadsWhatDoesNotTypeCheck(t *testing.T) {
	fset, files := parse(t, "package p\n", "package q\nimport \"time\"\nvar now = time.Now()\nfunc f() { println() }\n")
	assert.Equal(t, []string{"3 clock", "4 output"}, brief(Check(fset, files)))
}

func TestEveryForbiddenEntryIsFound(t *testing.T) {
	for entry, rule := range forbiddenImports {
		paths := []string{entry}
		if tree, ok := strings.CutSuffix(entry, "/..."); ok {
			paths = []string{tree, tree + "/below"}
		}
		for _, p := range paths {
			fset, files := parse(t, fmt.Sprintf("package p\nimport %q\n", p))
			assert.Equal(t, []string{"2 " + string(rule)}, brief(Check(fset, files)), p)
		}
	}
	for importPath, names := range forbiddenNames {
		for name, rule := range names {
			fset, files := parse(t, fmt.Sprintf("package p\nimport alias %q\nvar x = alias.%s\n", importPath, name))
			assert.Equal(t, []string{"3 " + string(rule)}, brief(Check(fset, files)), "%s.%s", importPath, name)
		}
	}
	for _, p := range []string{"network", "logs", "k8s.io/klogger", "net/netip", "net/url"} {
		_, forbidden := forbiddenImport(p)
		assert.False(t, forbidden, p)
	}
}

func TestFindingNamesPlaceRuleAndCause(t *testing.T) {
	fset, files := parse(t, "package p\n\nimport \"os\"\n")
	found := Check(fset, files)
	require.Len(t, found, 1)
	assert.Equal(t, "a.go:3:8: environment: import of os", found[0].String())
}
