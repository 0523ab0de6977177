package canary

import (
	"fmt"
	"math"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// amount resolves a number or percentage of a field, rounded down and rounded up.
// What is beyond any fleet comes out as the largest number of 32 bits.
func amount(field string, v intstr.IntOrString, of int) (down, up int, err error) {
	// That of one is an int whatever the percentage.
	switch one, err := intstr.GetScaledValueFromIntOrPercent(&v, 1, false); {
	case err != nil:
		return 0, 0, fmt.Errorf("canary: %s: %w", field, err)
	case one < 0:
		return 0, 0, fmt.Errorf("canary: %s: %s is negative", field, v.String())
	case one >= math.MaxInt32:
		return math.MaxInt32, math.MaxInt32, nil
	}
	// Neither fails where the first did not.
	down, _ = intstr.GetScaledValueFromIntOrPercent(&v, of, false)
	up, _ = intstr.GetScaledValueFromIntOrPercent(&v, of, true)
	return min(down, math.MaxInt32), min(up, math.MaxInt32), nil
}
