package main

import (
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func runAutoscaler(args ...string) programtest.Ran {
	return programtest.Run(func(args []string, _ io.Reader, stdout, stderr io.Writer) int {
		return run(args, stdout, stderr)
	}, "", args...)
}

// TestGolden compares whole runs with files. Rewrite them with
//
//	go test ./examples/autoscaler -run TestGolden -update
//
// and read the difference.
func TestGolden(t *testing.T) {
	for _, test := range []struct{ name, args string }{
		{"cases", ""}, {"cases-json", "-o json"}, {"help", "-h"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runAutoscaler(strings.Fields(test.args)...)
			assert.Equal(t, done, got.Status)
			programtest.Golden(t, *update, program, test.name, test.args, got)
		})
	}
}

// TestDocument: a program that reads the document loses nothing, and every run
// gives the same one.
func TestDocument(t *testing.T) {
	var r report
	got := runAutoscaler("-o", "json")
	got.Document(t, &r)
	assert.Len(t, r.Cases, len(knownCases))
	assert.Equal(t, got, runAutoscaler("-o", "json"))
}

// TestUnusable: exit status 2, and nothing on standard output.
func TestUnusable(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-o xml", "autoscaler: -o xml: must be one of table, json\n"},
		{"-f x", "autoscaler: flag provided but not defined: -f\n"},
		{"nodes.yaml", "autoscaler: unexpected argument \"nodes.yaml\": nothing is read\n"},
	} {
		got := runAutoscaler(strings.Fields(test.args)...)
		assert.Equal(t, unusable, got.Status, test.args)
		assert.Empty(t, got.Stdout)
		assert.Equal(t, test.want+"autoscaler: -h tells about the flags\n", got.Stderr)
	}
}

// TestOutputFails: a full disk is no success.
func TestOutputFails(t *testing.T) {
	for _, format := range []string{"table", "json"} {
		var stderr strings.Builder
		assert.Equal(t, broken, run([]string{"-o", format}, programtest.BrokenWriter{}, &stderr))
		assert.Equal(t, "autoscaler: file already closed\n", stderr.String())
	}
}
