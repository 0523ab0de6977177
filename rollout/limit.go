package rollout

import (
	"fmt"
	"math"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// unlimited is more than any fleet.
const unlimited = math.MaxInt32

// share resolves a number or percentage of a policy; nil is otherwise. Rounded up,
// no percentage but 0% is 0, even of no nodes: pods that must go still go.
func share(field string, v *intstr.IntOrString, of int, rounding Rounding, otherwise int) (int, error) {
	if v == nil {
		return otherwise, nil
	}
	// A percentage may be so huge that its share is no int; that of one always is.
	one, err := intstr.GetScaledValueFromIntOrPercent(v, 1, true)
	if err == nil && v.Type == intstr.String && one > math.MaxInt32 {
		return unlimited, nil
	}
	all, _ := intstr.GetScaledValueFromIntOrPercent(v, 100, true)
	switch {
	case err != nil:
		return 0, fmt.Errorf("rollout: policy.%s: %w", field, err)
	case min(one, all) < 0:
		return 0, fmt.Errorf("rollout: policy.%s: %s is negative", field, v)
	}
	if rounding != RoundDown {
		of = max(of, 1)
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(v, of, rounding != RoundDown)
	return min(n, unlimited), err
}

// Keep is how many of a number of eligible nodes keep what they have: all at most.
func (p Partition) Keep(eligible int) (int, error) {
	switch {
	case p.Rounding != RoundUp && p.Rounding != RoundDown:
		return 0, fmt.Errorf("rollout: policy.candidates.partition.rounding: %q is unknown", p.Rounding)
	case p.Base < 0:
		return 0, fmt.Errorf("rollout: policy.candidates.partition.base: %d is negative", p.Base)
	}
	base := p.Base
	if base == 0 {
		base = eligible
	}
	n, err := share("candidates.partition.value", p.Value, base, p.Rounding, 0)
	return min(n, max(eligible, 0)), err
}

// At is how many are allowed at a moment for a number of eligible nodes, and when
// that grows; the zero time for never.
func (s SlowStart) At(now time.Time, eligible int) (int, time.Time, error) {
	step, err := share("limit.slowStart.step", s.Step, eligible, RoundUp, 1)
	if err != nil {
		return 0, time.Time{}, err
	}
	most, err := share("limit.slowStart.max", s.Max, eligible, RoundUp, unlimited)
	switch {
	case err != nil:
		return 0, time.Time{}, err
	case s.Interval < 0:
		return 0, time.Time{}, fmt.Errorf("rollout: policy.limit.slowStart.interval: %s is negative", s.Interval)
	case s.Interval == 0:
		return unlimited, time.Time{}, nil
	case s.Since.IsZero():
		return 0, time.Time{}, fmt.Errorf("rollout: policy.limit.slowStart.since: is not set")
	}
	steps := max(now.Sub(s.Since)/s.Interval, 0)
	if step == 0 || steps >= time.Duration(most/step) {
		return min(most, step*unlimited), time.Time{}, nil
	}
	steps++
	allowed := min(step*int(steps), most)
	if allowed == most {
		return allowed, time.Time{}, nil
	}
	return allowed, s.Since.Add((steps - 1) * s.Interval).Add(s.Interval), nil
}

// bound is the lowest of some limits and the reason for what is beyond it.
type bound struct {
	n   int
	why Reason
}

func free() bound { return bound{n: unlimited} }

// lower takes the limit if it is lower. Of equal ones the first is the reason.
func (b *bound) lower(n int, why Reason) {
	if n < b.n {
		*b = bound{n: max(0, n), why: why}
	}
}

// lowest is the lower of two.
func lowest(a, b bound) bound {
	if b.n < a.n {
		return b
	}
	return a
}
