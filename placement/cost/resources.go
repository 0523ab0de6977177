package cost

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Resources is a sum of resources: sorted by name, each name once, and none of
// which there is 0. Two of them are equal when their elements are. Operations
// return new lists.
type Resources []Amount

// ResourcesOf reads a list of the API. Anything finer than a thousandth is rounded
// up. It is an error when a quantity is negative or not below 2^63; path, which may
// be nil, is where the list stands.
func ResourcesOf(list corev1.ResourceList, path *field.Path) (Resources, error) {
	var all Resources
	var bad field.ErrorList
	for name, quantity := range list {
		v, _, err := readAmount(quantity)
		switch {
		case err != nil:
			bad = append(bad, invalid(path, name, err))
		case !v.isZero():
			if all == nil {
				all = make(Resources, 0, len(list))
			}
			all = append(all, Amount{name, v})
		}
	}
	if len(bad) > 0 {
		return nil, first(bad)
	}
	all.sort()
	return all, nil
}

// readAmount is read for what cannot be negative.
func readAmount(q resource.Quantity) (v value, odd bool, err error) {
	if v, odd, err = read(q); err == nil && v.negative() {
		err = fmt.Errorf("must not be negative")
	}
	return v, odd, err
}

// invalid is the error of one quantity. The quantity itself is left out: printing
// one made by hand can take for ever.
func invalid(path *field.Path, name corev1.ResourceName, err error) *field.Error {
	at := path.Key(string(name))
	if path == nil {
		at = field.NewPath(string(name))
	}
	return field.Invalid(at, field.OmitValueType{}, err.Error())
}

// first is the error whose field sorts first, as maps have no order.
func first(errs field.ErrorList) *field.Error {
	return slices.MinFunc(errs, func(a, b *field.Error) int { return strings.Compare(a.Field, b.Field) })
}

func (r Resources) sort() {
	slices.SortFunc(r, func(a, b Amount) int { return strings.Compare(string(a.Name), string(b.Name)) })
}

// Get returns how much there is of one resource; 0 when it is not in the list.
func (r Resources) Get(name corev1.ResourceName) resource.Quantity {
	return Amount{name, r.value(name)}.Quantity()
}

func (r Resources) value(name corev1.ResourceName) value {
	i, found := slices.BinarySearchFunc(r, name, func(a Amount, n corev1.ResourceName) int {
		return strings.Compare(string(a.Name), string(n))
	})
	if !found {
		return value{}
	}
	return r[i].value
}

// List returns the resources as a list of the API.
func (r Resources) List() corev1.ResourceList {
	list := make(corev1.ResourceList, len(r))
	for _, a := range r {
		list[a.Name] = a.Quantity()
	}
	return list
}

// String joins the amounts with ", "; "nothing" when there are none.
func (r Resources) String() string {
	if len(r) == 0 {
		return "nothing"
	}
	parts := make([]string, len(r))
	for i, a := range r {
		parts[i] = a.String()
	}
	return strings.Join(parts, ", ")
}

// Plus returns the sum. The error is [ErrOverflow].
func (r Resources) Plus(o Resources) (Resources, error) {
	return r.merge(o, value.plus)
}

// Minus returns the difference, in which amounts may be negative. The error is
// [ErrOverflow].
func (r Resources) Minus(o Resources) (Resources, error) {
	return r.merge(o, value.minus)
}

// Times returns the product with a count that is not negative. A list with negative
// amounts has none. The error is [ErrOverflow].
func (r Resources) Times(n int64) (Resources, error) {
	return r.merge(nil, func(v, _ value) (value, bool) { return v.times(n) })
}

// Max returns the greater amount of each resource.
func (r Resources) Max(o Resources) Resources { return r.pick(o, 1) }

// Min returns the smaller amount of each resource, where one that is not listed
// counts as 0.
func (r Resources) Min(o Resources) Resources { return r.pick(o, -1) }

// pick takes of each pair the one that compares as sign to the other.
func (r Resources) pick(o Resources, sign int) Resources {
	all, _ := r.merge(o, func(a, b value) (value, bool) {
		if a.compare(b) == sign {
			return a, true
		}
		return b, true
	})
	return all
}

// Over returns by how much the resources exceed a limit, in which a resource that is
// not listed counts as 0. It is empty when they fit.
func (r Resources) Over(limit Resources) (Resources, error) {
	return r.merge(limit, func(a, b value) (value, bool) {
		if a.compare(b) <= 0 {
			return value{}, true
		}
		return a.minus(b)
	})
}

// merge combines two lists name by name, leaving zeros out.
func (r Resources) merge(o Resources, combine func(a, b value) (value, bool)) (Resources, error) {
	var all Resources
	for i, j := 0, 0; i < len(r) || j < len(o); {
		var a, b value
		var name corev1.ResourceName
		switch {
		case j == len(o) || i < len(r) && r[i].Name < o[j].Name:
			name, a = r[i].Name, r[i].value
			i++
		case i == len(r) || o[j].Name < r[i].Name:
			name, b = o[j].Name, o[j].value
			j++
		default:
			name, a, b = r[i].Name, r[i].value, o[j].value
			i, j = i+1, j+1
		}
		v, fits := combine(a, b)
		if !fits {
			return nil, overflow(name)
		}
		if !v.isZero() {
			if all == nil {
				all = make(Resources, 0, len(r)+len(o)-min(i, j))
			}
			all = append(all, Amount{name, v})
		}
	}
	return all, nil
}

func overflow(name corev1.ResourceName) error {
	return fmt.Errorf("%w: %s", ErrOverflow, name)
}

// Ratio is a share of one resource. Whether it is Defined comes first: a part of
// nothing is no number, neither 0 nor infinite.
type Ratio struct {
	Name    corev1.ResourceName
	Defined bool
	// PerMille is the share in thousandths, rounded down; that of 100m in 2 CPU is
	// 50. One that does not fit into 64 bits is not Defined.
	PerMille int64
}

// String is "cpu 5.0%", or "cpu undefined".
func (r Ratio) String() string {
	if !r.Defined {
		return string(r.Name) + " undefined"
	}
	sign, n := "", r.PerMille
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s %s%d.%d%%", r.Name, sign, uint64(n)/10, uint64(n)%10)
}

// Share returns what part of the whole each resource is, sorted by name: those of
// which there is a part. Where the whole is 0, negative or not listed, it is not
// Defined.
func Share(part, whole Resources) []Ratio {
	var all []Ratio
	for _, a := range part {
		r := Ratio{Name: a.Name}
		if of := whole.value(a.Name); of.compare(value{}) > 0 {
			n := a.value.thousandths()
			n.Mul(n, big.NewInt(1000))
			n.Div(n, of.thousandths())
			if r.Defined = n.IsInt64(); r.Defined {
				r.PerMille = n.Int64()
			}
		}
		all = append(all, r)
	}
	return all
}
