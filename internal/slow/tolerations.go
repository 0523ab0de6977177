// Package slow holds second implementations: obvious ones, which nobody needs
// to trust for anything but being obvious. The fast ones are checked against
// them.
package slow

import (
	"math/big"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// Tolerates is the table of the API documentation, line by line.
func Tolerates(tol corev1.Toleration, taint corev1.Taint, comparison bool) bool {
	effect := tol.Effect == "" || tol.Effect == taint.Effect
	key := tol.Key == "" || tol.Key == taint.Key
	value := false
	switch string(tol.Operator) {
	case "Exists":
		value = true
	case "", "Equal":
		value = tol.Value == taint.Value
	case "Lt":
		a, b, ok := numbers(taint.Value, tol.Value)
		value = comparison && ok && a.Cmp(b) < 0
	case "Gt":
		a, b, ok := numbers(taint.Value, tol.Value)
		value = comparison && ok && a.Cmp(b) > 0
	}
	return effect && key && value
}

// numbers parses both, if both are plain integers that fit.
func numbers(s, t string) (*big.Int, *big.Int, bool) {
	a, aok := number(s)
	b, bok := number(t)
	return a, b, aok && bok
}

func number(s string) (*big.Int, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != s {
		return nil, false
	}
	return big.NewInt(n), true
}

// Merge adds one toleration after the other, in the words of the controller.
func Merge(base, add []corev1.Toleration) []corev1.Toleration {
	list := append([]corev1.Toleration{}, base...)
	for _, t := range add {
		var next []corev1.Toleration
		updated := false
		for _, have := range list {
			if have.Key == t.Key && have.Effect == t.Effect && have.Operator == t.Operator && have.Value == t.Value {
				next = append(next, t)
				updated = true
			} else {
				next = append(next, have)
			}
		}
		if !updated {
			next = append(next, t)
		}
		list = next
	}
	return list
}
