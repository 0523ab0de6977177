package input

import (
	"fmt"
	"maps"
	"strings"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// None is the error of a program that did not find what it needs in the files.
// It says what was found there instead, and gives an advice.
func (o Objects) None(files []string, what, advice string) error {
	places := make([]string, len(files))
	for i, name := range files {
		places[i] = placeOf(name).String()
	}
	found := "nothing else was found"
	if n := output.Counts(o.kinds()); n != "" {
		found = "found " + n
	}
	return fmt.Errorf("%s: no %s (%s): %s", strings.Join(places, ", "), what, found, advice)
}

// kinds counts all that was read.
func (o Objects) kinds() map[string]int {
	all := map[string]int{}
	maps.Copy(all, o.PassedOver)
	for kind, n := range map[string]int{
		daemonSetKind.Kind: len(o.DaemonSets), nodeKind.Kind: len(o.Nodes),
		podKind.Kind: len(o.Pods), revisionKind.Kind: len(o.Revisions),
	} {
		if n > 0 {
			all[kind] += n
		}
	}
	return all
}
