package cost

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Sums are what DaemonSets cost somewhere. "pods" in each is a number of pods. The
// fields are never set off against each other: a pod too many in one place does not
// hide one that is missing in another.
type Sums struct {
	// Expected is one pod of each DaemonSet on each node it is Eligible for, at its
	// present price.
	Expected Resources
	// Present is the pod that each has on such a node, at what that pod takes. Of
	// several it is the one that the controller keeps: scheduled, then old.
	Present Resources
	// Surge is the others there: a rollout with maxSurge doubles a node for a while.
	Surge Resources
	// Unexpected is the pods on nodes that their DaemonSet is not Eligible for.
	Unexpected Resources
	// Missing is, of Expected, what is on nodes without any pod of the DaemonSet.
	Missing Resources
	// OldRevision is, of Reserved, the pods that are not of the current revision.
	OldRevision Resources
	// Reserved is Present, Surge and Unexpected: what pods take now.
	Reserved Resources
}

// bucket is the number of a field of Sums.
type bucket int

const (
	expected bucket = iota
	present
	surge
	unexpected
	missing
	oldRevision
	reserved
	buckets
)

// table gives every resource a column. Columns are never taken away.
type table struct {
	names  []corev1.ResourceName
	column map[corev1.ResourceName]int
	order  []int // columns by name
}

func newTable() *table { return &table{column: map[corev1.ResourceName]int{}} }

// entry is an amount of the resource of a column.
type entry struct {
	column int
	value  value
}

// entries are resources by their columns, which are made where there are none.
func (t *table) entries(r Resources) []entry {
	all := make([]entry, len(r))
	for i, a := range r {
		c, ok := t.column[a.Name]
		if !ok {
			c = len(t.names)
			t.column[a.Name] = c
			t.names = append(t.names, a.Name)
		}
		all[i] = entry{c, a.value}
	}
	return all
}

// sorted are the columns by name.
func (t *table) sorted() []int {
	if len(t.order) != len(t.names) {
		t.order = t.order[:0]
		for i := range t.names {
			t.order = append(t.order, i)
		}
		slices.SortFunc(t.order, func(a, b int) int { return strings.Compare(string(t.names[a]), string(t.names[b])) })
	}
	return t.order
}

// column is a sum of one resource, in every bucket.
type column [buckets]value

// accumulator sums up resources: a column of the table each.
type accumulator struct {
	columns []column
	full    []bool // by column; nil while everything fits
}

// add adds to a bucket.
func (a *accumulator) add(to bucket, what []entry) {
	for _, e := range what {
		cell := a.cell(to, e.column)
		v, fits := cell.plus(e.value)
		if *cell = v; !fits {
			a.overflow(e.column)
		}
	}
}

// addTimes adds to a bucket so many times.
func (a *accumulator) addTimes(to bucket, what []entry, n int) {
	for _, e := range what {
		cell := a.cell(to, e.column)
		product, fits := e.value.times(int64(n))
		v, fitsToo := cell.plus(product)
		if *cell = v; !fits || !fitsToo {
			a.overflow(e.column)
		}
	}
}

// takeBack takes out of a bucket what was added to it.
func (a *accumulator) takeBack(from bucket, what []entry) {
	for _, e := range what {
		cell := a.cell(from, e.column)
		*cell, _ = cell.minus(e.value) // if it did not fit, that was noted
	}
}

func (a *accumulator) cell(of bucket, at int) *value {
	for at >= len(a.columns) {
		a.columns = append(a.columns, column{})
	}
	return &a.columns[at][of]
}

// clone returns a copy that shares no memory.
func (a *accumulator) clone() accumulator {
	return accumulator{columns: slices.Clone(a.columns), full: slices.Clone(a.full)}
}

// addAll adds all buckets of another accumulator.
func (a *accumulator) addAll(o *accumulator) {
	for len(a.columns) < len(o.columns) {
		a.columns = append(a.columns, column{})
	}
	for c := range o.columns {
		for b := range o.columns[c] {
			v, fits := a.columns[c][b].plus(o.columns[c][b])
			if a.columns[c][b] = v; !fits {
				a.overflow(c)
			}
		}
	}
	for c, full := range o.full {
		if full {
			a.overflow(c)
		}
	}
}

func (a *accumulator) overflow(column int) {
	for column >= len(a.full) {
		a.full = append(a.full, false)
	}
	a.full[column] = true
}

// sums reads the accumulator. The lists lie in one block.
func (a *accumulator) sums(t *table) (Sums, error) {
	order := t.sorted()
	n := 0
	for c := range a.columns {
		for _, v := range a.columns[c] {
			if !v.isZero() {
				n++
			}
		}
	}
	block := make(Resources, 0, n)
	var s Sums
	for b, list := range [buckets]*Resources{&s.Expected, &s.Present, &s.Surge, &s.Unexpected, &s.Missing, &s.OldRevision, &s.Reserved} {
		from := len(block)
		for _, c := range order {
			if c < len(a.full) && a.full[c] {
				return Sums{}, overflow(t.names[c])
			}
			if c < len(a.columns) && !a.columns[c][b].isZero() {
				block = append(block, Amount{t.names[c], a.columns[c][b]})
			}
		}
		if len(block) > from {
			*list = block[from:len(block):len(block)]
		}
	}
	return s, nil
}
