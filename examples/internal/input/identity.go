package input

import "github.com/daemonplan/daemonplan/examples/internal/output"

// Identity names a DaemonSet in a report.
type Identity struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Source is where the DaemonSet was read.
	Source Place `json:"source"`
}

// Title names the DaemonSet at an index, and where it is from when there are
// several of the name, as two versions of one manifest are.
func Title(all []Identity, at int) string {
	own := all[at]
	title := "DaemonSet " + output.Clean(own.Namespace+"/"+output.OrNoName(own.Name))
	for i, other := range all {
		if i == at || other.Namespace != own.Namespace || other.Name != own.Name {
			continue
		}
		if other.Source.File != own.Source.File {
			return title + " of " + own.Source.File
		}
		return title + " of " + own.Source.String()
	}
	return title
}
