package revision

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// ChangeCauseAnnotation is the annotation that kubectl shows as the cause of a
// change. A revision has that of its owner at the time when it was created.
const ChangeCauseAnnotation = "kubernetes.io/change-cause"

// Entry is one line of a history.
type Entry struct {
	Number  int64     `json:"revision"`
	Name    string    `json:"name"`
	Hash    string    `json:"hash,omitempty"`
	Cause   string    `json:"changeCause,omitempty"`
	Created time.Time `json:"created"`
	// Revision is the object.
	Revision *appsv1.ControllerRevision `json:"-"`
}

// Entries returns the history as data, by number and name: every revision that
// is given, which are those of [Visible] for kubectl's view. Nil entries are
// passed over.
func Entries(revisions []*appsv1.ControllerRevision) []Entry {
	var all []Entry
	for _, r := range revisions {
		if r == nil {
			continue
		}
		all = append(all, Entry{
			Number: r.Revision, Name: r.Name, Hash: r.Labels[HashLabel], Cause: r.Annotations[ChangeCauseAnnotation],
			Created: r.CreationTimestamp.Time, Revision: r,
		})
	}
	slices.SortStableFunc(all, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// Table returns what kubectl rollout history prints for a resource, which is
// named as kubectl does: "daemonset.apps/agent". Of revisions with the same
// number, which kubectl folds into one, the last by name is shown.
func Table(resource string, revisions []*appsv1.ControllerRevision) string {
	entries := Entries(revisions)
	if len(entries) == 0 {
		return resource + " \nNo rollout history found.\n"
	}
	var b strings.Builder
	b.WriteString(resource + " \n")
	// Cells are padded to the widest of their column and two.
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "REVISION\tCHANGE-CAUSE\n")
	for i, e := range entries {
		if i+1 < len(entries) && entries[i+1].Number == e.Number {
			continue
		}
		cause := e.Cause
		if cause == "" {
			cause = "<none>"
		}
		fmt.Fprintf(w, "%d\t%s\n", e.Number, cause)
	}
	// Writes to a strings.Builder do not fail.
	_ = w.Flush()
	b.WriteByte('\n')
	return b.String()
}
