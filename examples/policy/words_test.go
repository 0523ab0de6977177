package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daemonplan/daemonplan/rollout"
)

// codesOf are the constants of a type of the library.
func codesOf[T ~string](t *testing.T, name string) (all []T) {
	files, err := filepath.Glob("../../rollout/*.go")
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if of, ok := spec.Type.(*ast.Ident); !ok || of.Name != name {
				return true
			}
			for _, v := range spec.Values {
				text, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				require.NoError(t, err)
				all = append(all, T(text))
			}
			return true
		})
	}
	require.NotEmpty(t, all, name)
	return all
}

// TestWords: every code of the library is said in words, each in others.
func TestWords(t *testing.T) {
	said := map[string]bool{}
	check := func(code, text string) {
		assert.NotEmpty(t, text, code)
		assert.LessOrEqual(t, len(text), 60, code)
		assert.False(t, said[text] && code != string(rollout.HeldNodeGone), text)
		said[text] = true
	}
	for _, code := range codesOf[rollout.Reason](t, "Reason") {
		check(string(code), reasonTexts[code])
	}
	for _, code := range codesOf[rollout.Condition](t, "Condition") {
		check(string(code), conditionTexts[code])
	}
	for _, code := range codesOf[rollout.Spending](t, "Spending") {
		check(string(code), spendingTexts[code])
	}
	for _, code := range codesOf[rollout.NodeTrouble](t, "NodeTrouble") {
		check(string(code), troubleTexts[code])
	}
}

// TestManages: every reason of a create or a delete is either of the first half of
// a sync, so that the table says that the update waits, or of the update.
func TestManages(t *testing.T) {
	update := []rollout.Reason{
		rollout.SurgeUnavailable, rollout.SurgeAvailable, rollout.SurgedOver,
		rollout.OutdatedUnavailable, rollout.OutdatedAvailable, rollout.OutdatedNotEligible,
	}
	for _, code := range codesOf[rollout.Reason](t, "Reason") {
		if strings.HasPrefix(string(code), "held-") {
			continue
		}
		p := planReport{Delete: []deleteReport{{Reason: code}}}
		assert.Equal(t, !slices.Contains(update, code), p.manages(), code)
	}
}
