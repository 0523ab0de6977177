package placement

import "fmt"

// Verdict is what a node is to a DaemonSet. Between evaluated verdicts a
// greater one allows more.
//
// The controller's pair (shouldRun, shouldContinueRunning) has three legal
// values; this type has no others.
type Verdict uint8

const (
	// Unevaluated is the zero value: the node was not judged, or does not
	// exist. Nothing is ever created or deleted because of it.
	Unevaluated Verdict = iota
	// Excluded: no pod is created, and one that runs there is deleted.
	Excluded
	// KeepOnly: no pod is created, but one that runs there may stay. Once it
	// is gone, for whatever reason, it does not come back.
	KeepOnly
	// Eligible: a pod runs there, and is created where there is none.
	Eligible
)

// ShouldRun reports whether a pod is created where there is none.
func (v Verdict) ShouldRun() bool { return v == Eligible }

// ShouldContinue reports whether a pod that is there may stay as far as
// placement goes. It is false for Unevaluated too: ask for Excluded before
// deleting anything.
func (v Verdict) ShouldContinue() bool { return v == Eligible || v == KeepOnly }

var verdictNames = [...]string{"unevaluated", "excluded", "keep-only", "eligible"}

// String returns "unevaluated", "excluded", "keep-only" or "eligible".
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return fmt.Sprintf("verdict(%d)", uint8(v))
}

// MarshalText returns the name of the verdict, which makes it a string in JSON
// and YAML.
func (v Verdict) MarshalText() ([]byte, error) {
	if int(v) >= len(verdictNames) {
		return nil, fmt.Errorf("placement: no such verdict: %d", uint8(v))
	}
	return []byte(v.String()), nil
}

// UnmarshalText accepts what MarshalText returns.
func (v *Verdict) UnmarshalText(text []byte) error {
	for i, name := range verdictNames {
		if name == string(text) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("placement: no such verdict: %q", text)
}
