package cost_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// quantity draws a quantity of any size, up to those that no manifest can hold.
func quantity(t *rapid.T) resource.Quantity {
	switch gen.Pick(t, "kind", "plain", "milli", "any", "end", "scaled", "absurd") {
	case "plain":
		return *resource.NewQuantity(rapid.Int64Range(0, 1000).Draw(t, "units"), resource.BinarySI)
	case "milli":
		return *resource.NewMilliQuantity(rapid.Int64Range(0, 100000).Draw(t, "milli"), resource.DecimalSI)
	case "any":
		return *resource.NewQuantity(rapid.Int64().Draw(t, "units"), resource.DecimalSI)
	case "end":
		return *resource.NewQuantity(math.MaxInt64-rapid.Int64Range(0, 3).Draw(t, "less"), resource.DecimalSI)
	case "scaled":
		return *resource.NewScaledQuantity(rapid.Int64().Draw(t, "unscaled"), resource.Scale(rapid.Int32Range(-20, 20).Draw(t, "scale")))
	}
	q := resource.NewScaledQuantity(rapid.Int64().Draw(t, "unscaled"), resource.Scale(rapid.Int32().Draw(t, "scale")))
	if rapid.Bool().Draw(t, "decimal") {
		q.ToDec()
	}
	return *q
}

// resources draws a list that can be read, and the thousandths in it.
func resources(t *rapid.T) (cost.Resources, map[corev1.ResourceName]*big.Int) {
	l := corev1.ResourceList{}
	exact := map[corev1.ResourceName]*big.Int{}
	for _, name := range []corev1.ResourceName{"cpu", "memory", "pods"} {
		if gen.Chance(t, 30, "absent") {
			continue
		}
		units := gen.Pick(t, "units", 0, 1, rapid.Int64Range(0, 1e6).Draw(t, "some"), math.MaxInt64/2, math.MaxInt64-1, math.MaxInt64)
		milli := int64(0)
		if units < math.MaxInt64/1000 {
			milli = rapid.Int64Range(0, 999).Draw(t, "milli")
			l[name] = *resource.NewMilliQuantity(units*1000+milli, resource.DecimalSI)
		} else {
			l[name] = *resource.NewQuantity(units, resource.DecimalSI)
		}
		exact[name] = new(big.Int).Add(new(big.Int).Mul(big.NewInt(units), big.NewInt(1000)), big.NewInt(milli))
	}
	r, err := cost.ResourcesOf(l, nil)
	require.NoError(t, err)
	return r, exact
}

// thousandths is an amount by way of its quantity.
func thousandths(t require.TestingT, r cost.Resources, name corev1.ResourceName) *big.Int {
	q := r.Get(name)
	d := q.DeepCopy()
	dec := d.AsDec()
	n := new(big.Int).Set(dec.UnscaledBig())
	shift := 3 - int64(dec.Scale())
	require.GreaterOrEqual(t, shift, int64(0))
	return n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(shift), nil))
}

// arithmeticIsExact compares every operation with integers of any size. It is a fuzz
// target too.
func arithmeticIsExact(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		a, exactA := resources(t)
		b, exactB := resources(t)
		count := gen.Pick(t, "count", 0, 1, 2, 200, int64(math.MaxInt64), rapid.Int64Range(0, 1e9).Draw(t, "some"))
		zero := new(big.Int)
		of := func(m map[corev1.ResourceName]*big.Int, name corev1.ResourceName) *big.Int {
			if m[name] == nil {
				return zero
			}
			return m[name]
		}
		greater := func(x, y *big.Int) *big.Int {
			if x.Cmp(y) > 0 {
				return x
			}
			return y
		}
		for _, op := range []struct {
			name string
			got  func() (cost.Resources, error)
			want func(x, y *big.Int) *big.Int
		}{
			{"plus", func() (cost.Resources, error) { return a.Plus(b) }, func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }},
			{"minus", func() (cost.Resources, error) { return a.Minus(b) }, func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }},
			{"times", func() (cost.Resources, error) { return a.Times(count) }, func(x, _ *big.Int) *big.Int { return new(big.Int).Mul(x, big.NewInt(count)) }},
			{"max", func() (cost.Resources, error) { return a.Max(b), nil }, greater},
			{"min", func() (cost.Resources, error) { return a.Min(b), nil }, func(x, y *big.Int) *big.Int {
				return new(big.Int).Sub(new(big.Int).Add(x, y), greater(x, y))
			}},
			{"over", func() (cost.Resources, error) { return a.Over(b) }, func(x, y *big.Int) *big.Int {
				return greater(new(big.Int).Sub(x, y), zero)
			}},
		} {
			got, err := op.got()
			fits := true
			for _, name := range []corev1.ResourceName{"cpu", "memory", "pods"} {
				want := op.want(of(exactA, name), of(exactB, name))
				fits = fits && new(big.Int).Quo(want, big.NewInt(1000)).IsInt64()
				if err == nil {
					assert.Zero(t, want.Cmp(thousandths(t, got, name)), "%s %s: want %s, got %s", op.name, name, want, got)
				}
			}
			assert.Equal(t, fits, err == nil, "%s: %v", op.name, err)
			if err != nil {
				assert.ErrorIs(t, err, cost.ErrOverflow)
				assert.Nil(t, got)
			}
			for i := range got {
				assert.True(t, i == 0 || got[i-1].Name < got[i].Name)
				q := got[i].Quantity()
				assert.False(t, q.IsZero())
			}
			reached.AddIf(err != nil, op.name+" overflows")
			reached.AddIf(err == nil && len(got) > 0, op.name)
		}
		for _, r := range cost.Share(a, b) {
			whole := of(exactB, r.Name)
			if whole.Sign() == 0 {
				assert.False(t, r.Defined)
				reached.Add("share undefined")
				continue
			}
			want := new(big.Int).Mul(of(exactA, r.Name), big.NewInt(1000))
			want.Quo(want, whole)
			assert.Equal(t, want.IsInt64(), r.Defined)
			if r.Defined {
				assert.Equal(t, want.Int64(), r.PerMille)
				reached.Add("share")
			}
		}
	}
}

func TestArithmeticIsExact(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, arithmeticIsExact(&reached))
	reached.Require(t, "plus", "minus", "times", "max", "min", "over", "plus overflows", "times overflows", "share", "share undefined")
}

func FuzzArithmetic(f *testing.F) { f.Fuzz(rapid.MakeFuzz(arithmeticIsExact(&tally.Tally{}))) }

// quantitiesAreRead checks that any quantity is read as the API server would store it,
// or is an error. It is a fuzz target too.
func quantitiesAreRead(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		q := quantity(t)
		r, err := cost.ResourcesOf(corev1.ResourceList{"cpu": q}, nil)
		switch {
		case err != nil:
			assert.ErrorContains(t, err, "cpu: Invalid value: must")
			assert.Nil(t, r)
			reached.Add("refused")
		case q.Sign() == 0:
			assert.Empty(t, r)
			reached.Add("zero")
		default:
			got := r.Get("cpu")
			if dec := got.DeepCopy(); dec.AsDec().Scale() > 3 {
				t.Fatalf("finer than a thousandth: %v", got)
			}
			d := q.DeepCopy()
			if dec := d.AsDec(); dec.Scale() > 60 {
				assert.Equal(t, "1m", got.String())
				reached.Add("tiny")
				return
			}
			want := q.DeepCopy()
			want.RoundUp(resource.Milli)
			assert.Zero(t, want.Cmp(got), "want %v, got %v", want, got)
			reached.Add("read")
			reached.AddIf(want.Cmp(q) != 0, "rounded up")
		}
	}
}

func TestQuantitiesAreRead(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, quantitiesAreRead(&reached))
	reached.Require(t, "refused", "zero", "read", "rounded up", "tiny")
}

func FuzzQuantities(f *testing.F) { f.Fuzz(rapid.MakeFuzz(quantitiesAreRead(&tally.Tally{}))) }
