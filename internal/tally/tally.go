// Package tally counts what generated inputs reach, so that a property over
// them cannot be vacuous without being noticed.
package tally

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Tally counts names. It is safe for concurrent use.
type Tally struct {
	mu     sync.Mutex
	counts map[string]int
}

// Add counts each name once.
func (y *Tally) Add(names ...string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.counts == nil {
		y.counts = make(map[string]int)
	}
	for _, name := range names {
		y.counts[name]++
	}
}

// AddIf counts the name when the condition holds.
func (y *Tally) AddIf(condition bool, name string) {
	if condition {
		y.Add(name)
	}
}

// Count returns how often the name was counted.
func (y *Tally) Count(name string) int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.counts[name]
}

// Require prints the distribution and fails the test for every wanted name
// that was never counted.
func (y *Tally) Require(t testing.TB, wanted ...string) {
	t.Helper()
	y.mu.Lock()
	defer y.mu.Unlock()
	names := make([]string, 0, len(y.counts))
	for name := range y.counts {
		names = append(names, name)
	}
	slices.Sort(names)
	lines := make([]string, len(names))
	for i, name := range names {
		lines[i] = fmt.Sprintf("%9d  %s", y.counts[name], name)
	}
	t.Logf("distribution:\n%s", strings.Join(lines, "\n"))
	for _, name := range wanted {
		if y.counts[name] == 0 {
			t.Errorf("never reached: %s", name)
		}
	}
}
