package purity

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const moduleRoot = "../.."

func TestLibraryIsPure(t *testing.T) {
	fset, packages, err := Load(moduleRoot)
	require.NoError(t, err)
	seen := make(map[string]Kind)
	for _, p := range packages {
		kind := kindOf(p.Dir)
		seen[p.Dir] = kind
		found := CheckImports(fset, p.Dir, p.Files)
		if kind == Library {
			found = append(found, Check(fset, p.Files)...)
			_, ok := lineOf(p.Dir)
			assert.True(t, ok, "%s has no line in layers", p.Dir)
		}
		sortFindings(found)
		for _, f := range found {
			t.Error(f)
		}
		t.Logf("%s: %s, %d files, %d findings", p.Dir, kind, len(p.Files), len(found))
	}
	// The walk found the module, and library and support code in it.
	assert.Contains(t, seen, ".")
	assert.Equal(t, Library, seen["."])
	assert.Equal(t, Support, seen["internal/purity"])
}

func TestModuleAsksForLittle(t *testing.T) {
	found, err := CheckModule(filepath.Join(moduleRoot, "go.mod"))
	require.NoError(t, err)
	for _, f := range found {
		t.Error(f)
	}
}

func TestLoad(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":               "module m",
		"doc.go":               "package m",
		"doc_test.go":          "package m",
		"_off.go":              "package m",
		"a/b/b.go":             "package b",
		"a/b/c.go":             "//go:build never\n\npackage b",
		"a/b/notes.txt":        "",
		"a/testdata/t.go":      "package t",
		"a/.hidden/h.go":       "package h",
		"a/_hidden/h.go":       "package h",
		"nested/go.mod":        "module n",
		"nested/n.go":          "package n",
		"nested/deeper/d.go":   "package d",
		"internal/gen/gen.go":  "package gen",
		"examples/plan/pl.go":  "package main",
		"vendor/v/vendored.go": "package v",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
	}
	_, packages, err := Load(root)
	require.NoError(t, err)
	files := make(map[string]int)
	var order []string
	for _, p := range packages {
		files[p.Dir] = len(p.Files)
		order = append(order, p.Dir)
	}
	assert.Equal(t, map[string]int{".": 1, "a/b": 2, "internal/gen": 1, "examples/plan": 1}, files)
	assert.IsIncreasing(t, order)

	require.NoError(t, os.WriteFile(filepath.Join(root, "broken.go"), []byte("package"), 0o600))
	_, _, err = Load(root)
	assert.ErrorContains(t, err, "broken.go")
}

func TestKindOf(t *testing.T) {
	for dir, want := range map[string]Kind{
		".": Library, "lint": Library, "placement/index": Library, "internal/decimal": Library, "internalize": Library,
		"internal": Support, "internal/purity": Support, "internal/decimal/sub": Support,
		"examples": Example, "examples/plan": Example, "conformance/oracle": Example,
	} {
		assert.Equal(t, want, kindOf(dir), dir)
	}
}
