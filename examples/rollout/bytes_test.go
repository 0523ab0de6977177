package main

import (
	"testing"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// TestAnyBytes: whatever the input is, the program ends with a status of its own
// and says something on the output that counts.
func TestAnyBytes(t *testing.T) {
	short := []string{"-until", "40m", "-o"}
	programtest.AnyBytes{
		Program: program, Run: runRollout,
		Seeds: []string{
			"nodes: 3\n", "nodes: 4\nevents: [{at: 1m, zone: b, health: not-ready}]\n",
			programtest.Text(t, "testdata/busy.yaml"), programtest.Text(t, "testdata/careful.yaml"), programtest.Text(t, "testdata/cluster.yaml"),
		},
		Args: [][]string{
			append([]string{"-scenario", "-"}, append(short, "json")...),
			append([]string{"-scenario", "-", "-nodes", "7"}, append(short, "table")...),
			append([]string{"-scenario", "-", "-nodes", "5", "-compare", "strict,exempt=cordoned"}, append(short, "svg")...),
			append([]string{"-f", "-"}, append(short, "csv")...),
			append([]string{"-f", "-", "-f", "testdata/cluster.yaml", "-daemonset", "kube-system/agent"}, append(short, "json")...),
		},
		Reported: []int{finished, unfinished}, Unusable: unusable,
	}.Check(t)
}
