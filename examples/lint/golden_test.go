package main

import (
	"flag"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func runLint(stdin string, args ...string) programtest.Ran {
	return programtest.RunAt(run, time.Unix(0, 0), stdin, args...)
}

// TestGolden compares whole runs with files. Rewrite them with
//
//	go test ./examples/lint -run TestGolden -update
//
// and read the difference.
func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name, args, stdin string
		status            int
	}{
		{"demo", "", "", found},
		{"demo-json", "-o json", "", found},
		{"demo-yaml", "-o yaml", "", found},
		{"demo-sarif", "-o sarif", "", found},
		{"help", "-h", "", done},
		{"clean", "-f testdata/clean.yaml", "", done},
		{"clean-json", "-f testdata/clean.yaml -o json", "", done},
		{"alone", "-f - -off invalid,no-readiness", programtest.MinimalSet, found},
		{"several", "-f demo/agent.yaml -f - -fail error -max-rollout 0", programtest.MinimalSet + "---\n" + programtest.MinimalNode + "---\napiVersion: v1\nkind: Service\n", found},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runLint(test.stdin, strings.Fields(test.args)...)
			assert.Equal(t, test.status, got.Status)
			programtest.Golden(t, *update, program, test.name, test.args, got)
			if !strings.Contains(test.args, "-o ") {
				for line := range strings.Lines(got.Stdout) {
					assert.LessOrEqual(t, utf8.RuneCountInString(line), columns+1, line)
				}
			}
		})
	}
}
