package tolerations

import (
	"math"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/internal/decimal"
)

// Covers reports whether a admits every taint that b admits, so that b is
// superfluous beside a. A toleration that admits nothing is covered by any,
// nil included. tolerationSeconds plays no part, as in [Tolerates].
//
// The answer is exact, also between Equal and the comparison operators: Lt 10
// covers Lt 5 and Equal 3, and Equal 4 covers nothing of them.
func Covers(a, b *corev1.Toleration, o Options) bool {
	values := valuesOf(b, o)
	if values.kind == noValue {
		return true
	}
	outer := valuesOf(a, o)
	if outer.kind == noValue {
		return false
	}
	// The taints that a toleration admits are a product of three sets, and
	// one product lies in another exactly when each factor does.
	return (a.Effect == "" || a.Effect == b.Effect) &&
		(a.Key == "" || a.Key == b.Key) &&
		outer.holds(values)
}

// For returns the toleration that admits this taint and no other: its key,
// value and effect, with the operator Equal. It is what has to be added to a
// pod for the taint not to matter.
//
// Where the taint has no value, people often write the operator Exists
// instead; that admits the key with any value. A taint without key or without
// effect, which the API server refuses, has no toleration of its own: the
// result then admits every key or effect.
func For(taint corev1.Taint) corev1.Toleration {
	return corev1.Toleration{
		Key:      taint.Key,
		Operator: corev1.TolerationOpEqual,
		Value:    taint.Value,
		Effect:   taint.Effect,
	}
}

// valueSet is the set of taint values that a toleration admits.
type valueSet struct {
	kind   valueKind
	value  string // of oneValue
	lo, hi int64  // of numbers, both included
}

type valueKind uint8

const (
	noValue  valueKind = iota // also a toleration that admits nothing at all
	anyValue                  // every string
	oneValue                  // one string
	numbers                   // the plain decimal integers from lo to hi
)

// valuesOf is the set for a toleration, which may be nil.
func valuesOf(t *corev1.Toleration, o Options) valueSet {
	if t == nil {
		return valueSet{}
	}
	switch t.Operator {
	case corev1.TolerationOpExists:
		return valueSet{kind: anyValue}
	case "", corev1.TolerationOpEqual:
		return valueSet{kind: oneValue, value: t.Value}
	case OpLt, OpGt:
		limit, ok := decimal.ParseCanonical(t.Value)
		switch {
		case !ok || !o.ComparisonOperators:
		case t.Operator == OpLt && limit > math.MinInt64:
			return valueSet{kind: numbers, lo: math.MinInt64, hi: limit - 1}
		case t.Operator == OpGt && limit < math.MaxInt64:
			return valueSet{kind: numbers, lo: limit + 1, hi: math.MaxInt64}
		}
	}
	return valueSet{}
}

// holds reports whether every value of inner, which is not empty, is in s.
func (s valueSet) holds(inner valueSet) bool {
	switch s.kind {
	case anyValue:
		return true
	case oneValue:
		if inner.kind == numbers && inner.lo == inner.hi {
			// A single number has a single spelling.
			n, ok := decimal.ParseCanonical(s.value)
			return ok && n == inner.lo
		}
		return inner.kind == oneValue && inner.value == s.value
	case numbers:
		switch inner.kind {
		case oneValue:
			n, ok := decimal.ParseCanonical(inner.value)
			return ok && s.lo <= n && n <= s.hi
		case numbers:
			return s.lo <= inner.lo && inner.hi <= s.hi
		}
	}
	return false
}
