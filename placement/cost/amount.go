package cost

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// ErrOverflow says that a sum does not fit: its whole units are beyond 64 bits,
// which is also where the API stops.
var ErrOverflow = errors.New("cost: sum out of range")

// Amount is how much of one resource. It is exact to a thousandth of a unit, the
// finest step that the API keeps, and comparable with ==.
type Amount struct {
	Name  corev1.ResourceName
	value value
}

// Quantity returns the amount in the API's form: bytes in powers of 1024,
// anything else in powers of 1000.
func (a Amount) Quantity() resource.Quantity { return a.value.quantity(formatOf(a.Name)) }

// String is the name and the quantity: "cpu 100m".
func (a Amount) String() string {
	q := a.Quantity()
	return string(a.Name) + " " + q.String()
}

// formatOf is the format in which amounts of a resource are written.
func formatOf(name corev1.ResourceName) resource.Format {
	switch {
	case name == corev1.ResourceMemory, name == corev1.ResourceEphemeralStorage, name == corev1.ResourceStorage,
		strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix):
		return resource.BinarySI
	}
	return resource.DecimalSI
}

// value is units + milli/1000, with milli from 0 up to 999 whatever the sign.
type value struct{ units, milli int64 }

func (v value) isZero() bool { return v == value{} }

func (v value) negative() bool { return v.units < 0 }

// plus adds. It reports whether the sum fits.
func (v value) plus(o value) (value, bool) {
	sum := value{v.units + o.units, v.milli + o.milli}
	fits := (sum.units > v.units) == (o.units > 0)
	if sum.milli >= 1000 {
		sum.milli -= 1000
		// Together with the carry the units may fit where without it they did
		// not, but then both amounts were negative, at the end of the range.
		if sum.units == math.MaxInt64 {
			fits = false
		}
		sum.units++
	}
	return sum, fits
}

// minus subtracts. It reports whether the difference fits.
func (v value) minus(o value) (value, bool) {
	negated, ok := o.negated()
	if !ok {
		return value{}, false
	}
	return v.plus(negated)
}

func (v value) negated() (value, bool) {
	switch {
	case v.milli != 0: // -(u + m/1000) = -u-1 + (1000-m)/1000, and -u-1 always fits
		return value{^v.units, 1000 - v.milli}, true
	case v.units == math.MinInt64:
		return value{}, false
	}
	return value{-v.units, 0}, true
}

// times multiplies a value that is not negative by a count that is not either. It
// reports whether the product fits.
func (v value) times(n int64) (value, bool) {
	if v.negative() || n < 0 {
		return value{}, false
	}
	high, low := bits.Mul64(uint64(v.units), uint64(n))
	if high != 0 || low > math.MaxInt64 {
		return value{}, false
	}
	high, milli := bits.Mul64(uint64(v.milli), uint64(n))
	carry, rest := bits.Div64(high, milli, 1000) // high < 1000, as v.milli is
	if carry > math.MaxInt64-low {
		return value{}, false
	}
	return value{int64(low + carry), int64(rest)}, true
}

func (v value) compare(o value) int {
	switch {
	case v == o:
		return 0
	case v.units < o.units || v.units == o.units && v.milli < o.milli:
		return -1
	}
	return 1
}

// thousandths is the value as a number of them.
func (v value) thousandths() *big.Int {
	n := new(big.Int).Mul(big.NewInt(v.units), big.NewInt(1000))
	return n.Add(n, big.NewInt(v.milli))
}

// valueOf is the inverse of thousandths. It reports whether the number fits.
func valueOf(thousandths *big.Int) (value, bool) {
	units, milli := new(big.Int).DivMod(thousandths, big.NewInt(1000), new(big.Int))
	if !units.IsInt64() {
		return value{}, false
	}
	return value{units.Int64(), milli.Int64()}, true
}

func (v value) quantity(format resource.Format) resource.Quantity {
	const most = math.MaxInt64 / 1000
	switch {
	case v.milli == 0:
		return *resource.NewQuantity(v.units, format)
	case v.units > -most && v.units < most:
		return *resource.NewMilliQuantity(v.units*1000+v.milli, format)
	}
	q := resource.NewQuantity(v.units, format)
	q.Add(*resource.NewMilliQuantity(v.milli, format))
	return *q
}

// read is the value of a quantity, with anything finer than a thousandth rounded
// up, as the API server does. odd says that something was. A quantity made by
// hand can have a scale of nine digits; no power of ten is taken before it is known
// to be small.
func read(q resource.Quantity) (v value, odd bool, err error) {
	if q.IsZero() { // even 0 can have such a scale
		return value{}, q != resource.Quantity{Format: q.Format} && q != parsedZero, nil
	}
	if units, ok := q.AsInt64(); ok {
		return value{units, 0}, false, nil
	}
	q = q.DeepCopy() // AsDec changes the form of its receiver
	dec := q.AsDec()
	unscaled := dec.UnscaledBig()
	shift := 3 - int64(dec.Scale()) // the value is unscaled * 10^shift thousandths
	switch {
	case shift > 40 || unscaled.BitLen() > 4096:
		return value{}, false, fmt.Errorf("must be below 2^63")
	case shift < -2000: // less than one thousandth, as 10^2000 has more than 4096 bits
		return value{0, 1}.withSign(unscaled.Sign()), true, nil
	}
	n := new(big.Int).Set(unscaled)
	if shift >= 0 {
		n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(shift), nil))
	} else {
		rest := new(big.Int)
		n.QuoRem(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(-shift), nil), rest)
		n.Add(n, big.NewInt(int64(rest.Sign()))) // away from zero
	}
	v, ok := valueOf(n)
	if !ok {
		return value{}, false, fmt.Errorf("must be below 2^63")
	}
	return v, shift < 0, nil
}

// parsedZero is the 0 of a manifest.
var parsedZero = resource.MustParse("0")

// withSign is the value or, for a negative sign, its opposite.
func (v value) withSign(sign int) value {
	if sign < 0 {
		v, _ = v.negated()
	}
	return v
}
