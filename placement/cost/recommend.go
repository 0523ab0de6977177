package cost

import (
	"fmt"
	"math/big"

	corev1 "k8s.io/api/core/v1"
)

// Sizing says how requests follow from usage. The zero value asks for what is used.
type Sizing struct {
	// HeadroomPercent is added to the usage.
	HeadroomPercent int64
	// Floor is the least to ask for of each resource that was observed.
	Floor Resources
}

// Recommendation is what a DaemonSet would better ask for.
type Recommendation struct {
	// Requests is the recommended price of a pod. What was not observed stays.
	Requests Resources
	// PerPod is what a pod asks for too much, All is the same for all pods. An amount
	// is negative where it asks for too little.
	PerPod, All Resources
	// AboveLimit is by how much the recommendation exceeds the limits there are: the
	// API server refuses such a pod.
	AboveLimit Resources
}

// Recommend compares the requests of a DaemonSet with what one of its pods uses, as
// the caller has observed: a percentile over pods and time. pods is for how many the
// sum is, such as DaemonCost.Nodes. Amounts are rounded up, CPU to thousandths and
// anything else to whole units. The error is for a headroom below -100, pods below
// 0, a nil DaemonSet, or is [ErrOverflow].
func Recommend(d *Daemon, usage Resources, pods int, s Sizing) (Recommendation, error) {
	switch {
	case d == nil:
		return Recommendation{}, fmt.Errorf("cost: no DaemonSet")
	case s.HeadroomPercent < -100:
		return Recommendation{}, fmt.Errorf("cost: headroomPercent: must be at least -100, is %d", s.HeadroomPercent)
	case pods < 0:
		return Recommendation{}, fmt.Errorf("cost: pods: must not be negative, is %d", pods)
	}
	r, err := recommend(d, usage, int64(pods), s)
	if err != nil {
		return Recommendation{}, fmt.Errorf("cost: %s: %w", d.Key, err)
	}
	return r, nil
}

func recommend(d *Daemon, usage Resources, pods int64, s Sizing) (r Recommendation, err error) {
	var observed, asked Resources // asked: what is asked for of the observed ones
	for _, used := range usage {
		v, fits := withHeadroom(used, s.HeadroomPercent)
		if !fits {
			return r, overflow(used.Name)
		}
		if floor := s.Floor.value(used.Name); floor.compare(v) > 0 {
			v = floor
		}
		if !v.isZero() {
			observed = append(observed, Amount{used.Name, v})
		}
		if now := d.Requests.value(used.Name); !now.isZero() {
			asked = append(asked, Amount{used.Name, now})
		}
	}
	rest, err := d.Requests.Minus(asked)
	if err != nil {
		return r, err
	}
	if r.Requests, err = rest.Plus(observed); err != nil {
		return r, err
	}
	if r.PerPod, err = d.Requests.Minus(r.Requests); err != nil {
		return r, err
	}
	before, err := d.Requests.Times(pods)
	if err != nil {
		return r, err
	}
	after, err := r.Requests.Times(pods)
	if err != nil {
		return r, err
	}
	if r.All, err = before.Minus(after); err != nil {
		return r, err
	}
	var limited Resources
	for _, a := range r.Requests {
		if !d.Limits.value(a.Name).isZero() {
			limited = append(limited, a)
		}
	}
	r.AboveLimit, err = limited.Over(d.Limits)
	return r, err
}

// withHeadroom is an amount and so many percent of it, rounded up.
func withHeadroom(a Amount, percent int64) (value, bool) {
	step := int64(1000)
	if a.Name == corev1.ResourceCPU {
		step = 1
	}
	n := a.value.thousandths()
	n.Mul(n, new(big.Int).Add(big.NewInt(100), big.NewInt(percent)))
	divisor := big.NewInt(100 * step)
	rest := new(big.Int)
	n.DivMod(n, divisor, rest)
	if rest.Sign() > 0 {
		n.Add(n, big.NewInt(1))
	}
	return valueOf(n.Mul(n, big.NewInt(step)))
}
