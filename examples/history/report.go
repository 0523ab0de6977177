package main

import (
	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/revision"
)

// report is everything that the program says, and the form of -o json and -o
// yaml. Names of fields are stable; new ones may be added.
type report struct {
	// DaemonSets are in the order of the input. One that was given twice is
	// here twice.
	DaemonSets []daemonSetReport `json:"daemonSets"`
	// PassedOver counts objects of kinds that play no part, by kind.
	PassedOver map[string]int `json:"passedOver"`
	// Warnings are about the input.
	Warnings []input.Warning `json:"warnings"`
}

// daemonSetReport is the history of one DaemonSet.
type daemonSetReport struct {
	input.Identity
	// Strategy is that of the update.
	Strategy string `json:"strategy"`
	// Revisions are those that kubectl shows, by number and name, and Table is
	// how it shows them. It is empty when nobody can tell whose revisions are
	// whose, and then so is everything below.
	Revisions []revision.Entry `json:"revisions"`
	Table     string           `json:"table"`
	// Current is the revision of the template.
	Current *currentReport `json:"current,omitempty"`
	// Undo, Diff and Limit are there when they are asked for.
	Undo  *undoReport  `json:"undo,omitempty"`
	Diff  *diffReport  `json:"diff,omitempty"`
	Limit *limitReport `json:"limit,omitempty"`
}

// outcome says what becomes of the template in force.
type outcome string

const (
	isCurrent  outcome = "current"   // a revision stores it
	isRenumber outcome = "renumber"  // and gets a new number
	isCreate   outcome = "create"    // none stores it
	isBorrowed outcome = "borrowed"  // none of the DaemonSet's, but one of its name
	isCollided outcome = "collision" // the name is taken by another template
)

// currentReport is what the next sync makes of the history.
type currentReport struct {
	Outcome outcome `json:"outcome"`
	// Revision is that of the template; with its new number, if it gets one.
	// After a collision it is the one that has the name.
	Revision reference `json:"revision"`
	// CollisionCount is what status.collisionCount becomes after a collision.
	CollisionCount *int32 `json:"collisionCount,omitempty"`
	// SameMeaning are revisions of the DaemonSet that store the template in
	// other bytes: an order, a default or a null time differs.
	SameMeaning []reference `json:"sameMeaning"`
	// Adopt, Release and Label are revisions to adopt, to release, and to give
	// a hash label; Delete are duplicates of the current one.
	Adopt   []reference `json:"adopt"`
	Release []reference `json:"release"`
	Label   []reference `json:"label"`
	Delete  []reference `json:"delete"`
	// Relabel are the pods that get the hash of the current one.
	Relabel []string `json:"relabel"`
}

// reference names a revision.
type reference struct {
	Number int64  `json:"revision"`
	Name   string `json:"name"`
}

// undoReport is a rollback.
type undoReport struct {
	// Requested is the number that was asked for, 0 for the previous one.
	Requested int64 `json:"requested"`
	// Error is kubectl's, and nothing else is there beside it.
	Error string `json:"error,omitempty"`
	// Target is the revision to go back to.
	Target *reference `json:"target,omitempty"`
	// Result is what kubectl says, after the name of the object.
	Result string `json:"result,omitempty"`
	// Difference is from the template in force to that of the target.
	Difference *revision.Difference `json:"difference,omitempty"`
}

// diffReport is what differs between two revisions.
type diffReport struct {
	From       int64                `json:"from"`
	To         int64                `json:"to"`
	Error      string               `json:"error,omitempty"`
	Difference *revision.Difference `json:"difference,omitempty"`
}

// limitReport is what the limit of the history does.
type limitReport struct {
	Limit int32 `json:"limit"`
	// Old counts the revisions that are not current, and InUse names those of
	// them that pods are of.
	Old   int         `json:"old"`
	InUse []reference `json:"inUse"`
	// Delete are those to delete, by number and name.
	Delete []reference `json:"delete"`
	// Unknown says why nothing is known; then nothing else is there.
	Unknown string `json:"unknown,omitempty"`
}

// refused reports whether something that was asked for cannot be done.
func (r *report) refused() bool {
	for _, ds := range r.DaemonSets {
		if ds.Undo != nil && ds.Undo.Error != "" || ds.Diff != nil && ds.Diff.Error != "" {
			return true
		}
	}
	return false
}
