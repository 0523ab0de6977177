package main

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func runRollout(stdin string, args ...string) programtest.Ran {
	return programtest.RunAt(run, time.Date(2026, 3, 4, 11, 2, 0, 0, time.UTC), stdin, args...)
}

const (
	// question is the one of a newcomer.
	question = "-nodes 3000 -max-unavailable 10% -ready 40s -min-ready-seconds 30"
	small    = "-nodes 6 -max-unavailable 2 -stop 5s -schedule 2s -ready 10s -zone-down b@20s-60s "
)

// TestGolden compares whole runs with files. Rewrite them with
//
//	go test ./examples/rollout -run 'TestGolden|TestPicture' -update
//
// and read the difference.
func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name, args string
		status     int
	}{
		{"demo", "", finished},
		{"help", "-h", finished},
		{"question", question, finished},
		{"zone-down", question + " -zone-down b", unfinished},
		{"small", small, finished},
		{"small-csv", small + "-o csv", finished},
		{"small-json", small + "-compare exempt=not-ready -o json", finished},
		{"small-svg", small + "-o svg", finished},
		{"small-compare", small + "-compare max-surge=2,strict,never-ready=node-1,node-2 -width 100", unfinished},
		{"blocked-yaml", "-nodes 3 -zone-down b -o yaml", unfinished},
		{"busy", "-scenario testdata/busy.yaml", unfinished},
		{"busy-careful", "-scenario testdata/busy.yaml -compare testdata/careful.yaml -until 30m", unfinished},
		{"files", "-f testdata/cluster.yaml -ready 20s -fail-nodes n3 -until 1h", unfinished},
		{"files-compare", "-f testdata/cluster.yaml -compare max-unavailable=34%,ready=1m", finished},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runRollout("", strings.Fields(test.args)...)
			assert.Equal(t, test.status, got.Status)
			programtest.Golden(t, *update, program, test.name, test.args, got)
		})
	}
}

// pictureFile is the picture of the example, which README shows.
const pictureFile = "testdata/zone-down.svg"

// TestPicture: the file is what the command under it in README prints.
func TestPicture(t *testing.T) {
	got := runRollout("", append(demoArgs(), "-o", "svg")...)
	require.Equal(t, finished, got.Status, got.Stderr)
	if *update {
		require.NoError(t, os.WriteFile(pictureFile, []byte(got.Stdout), 0o644))
	}
	assert.Equal(t, programtest.Text(t, pictureFile), got.Stdout)
}
