package revision_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/labels"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
)

// Undo twice, after kubernetes/kubernetes#55072: back to 2, which becomes 4, and
// then to 3, which becomes 5.
func TestRollBackTwice(t *testing.T) {
	ds := daemonSet(2)
	s := store{revisions: []*appsv1.ControllerRevision{stored(t, "one", 1, 0), stored(t, "two", 2, 1), stored(t, "three", 3, 2)}}
	numbers := func() (all []int64) {
		for _, e := range revision.Entries(s.revisions) {
			all = append(all, e.Number)
		}
		return all
	}
	for _, want := range []struct {
		target  string
		numbers []int64
	}{{"probe-two", []int64{1, 3, 4}}, {"probe-three", []int64{1, 4, 5}}} {
		r, err := revision.RollBack(&ds.Spec.Template, s.revisions, revision.Previous)
		assert.NoError(t, err)
		assert.Equal(t, want.target, r.Target.Name)
		assert.Equal(t, "rolled back", r.String())
		ds.Spec.Template = *r.Template
		h, err := revision.Resolve(state(ds, s.revisions), revision.Options{})
		assert.NoError(t, err)
		s.apply(placement.OwnerOf(ds), h)
		assert.Equal(t, want.numbers, numbers())
	}
}

func TestRollBackErrors(t *testing.T) {
	ds := daemonSet(0)
	one := []*appsv1.ControllerRevision{stored(t, "one", 1, 0)}
	two := append(one, stored(t, "two", 2, 1))
	for _, c := range []struct {
		revisions []*appsv1.ControllerRevision
		to        int64
		want      string
	}{
		{nil, 0, "no last revision to roll back to"},
		{one, 0, "no last revision to roll back to"},
		{two, 9, "unable to find specified revision 9 in history"},
		{two, -1, "unable to find specified revision -1 in history"},
		{nil, -1, "unable to find specified revision -1 in history"},
		{nil, math.MaxInt64, "unable to find specified revision 9223372036854775807 in history"},
	} {
		r, err := revision.RollBack(&ds.Spec.Template, c.revisions, c.to)
		assert.EqualError(t, err, c.want)
		assert.Zero(t, r)
		if c.to == 0 {
			assert.ErrorIs(t, err, revision.ErrNoPrevious)
		} else {
			var notFound *revision.NotFoundError
			assert.ErrorAs(t, err, &notFound)
			assert.Equal(t, c.to, notFound.Revision)
		}
	}
	broken := two[1].DeepCopy()
	broken.Data.Raw = []byte("{}")
	_, err := revision.RollBack(&ds.Spec.Template, []*appsv1.ControllerRevision{broken, nil}, 2)
	assert.ErrorContains(t, err, "probe-two: data.spec.template: not there")

	// The template in force is the target already. Asked for as the previous one
	// the number in the text is 0.
	r, err := revision.RollBack(&ds.Spec.Template, two, 1)
	assert.NoError(t, err)
	assert.Equal(t, "skipped rollback (current template already matches revision 1)", r.String())
	r, err = revision.RollBack(&ds.Spec.Template, two, revision.Previous)
	assert.NoError(t, err)
	assert.Equal(t, "skipped rollback (current template already matches revision 0)", r.String())
}

// Rolled back is matching: whatever the history, the template that comes back
// matches its target, and the patch is what the target stores.
func TestRollBackThenMatch(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, rollBackMatches(&reached))
	reached.Require(t, "rolled back", "matches already", "no previous", "not found", "no template")
}

func rollBackMatches(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		ds := daemonSet(gen.Pick(t, "template", 0, 1, 2))
		patches := [][]byte{patchOf(t, 0), patchOf(t, 1), patchOf(t, 2), []byte(`{"spec":{}}`)}
		all := gen.History(ds, 5, patches, []string{"a"}).Draw(t, "history")
		visible := revision.Visible(placement.OwnerOf(ds), probe, append(all, nil))
		for _, r := range visible {
			assert.True(t, probe.Matches(labels.Set(r.Labels)))
		}
		to := rapid.Int64Range(-1, 6).Draw(t, "to")
		before := copies(visible)
		r, err := revision.RollBack(&ds.Spec.Template, visible, to)
		assert.Equal(t, before, copies(visible))
		again, errAgain := revision.RollBack(&ds.Spec.Template, gen.Shuffled(t, visible), to)
		assert.Equal(t, r, again)
		assert.Equal(t, err == nil, errAgain == nil)
		table := revision.Table("daemonset.apps/probe", visible)
		assert.Equal(t, table, revision.Table("daemonset.apps/probe", gen.Shuffled(t, visible)))
		if err != nil {
			assert.Zero(t, r)
			switch {
			case err == revision.ErrNoPrevious:
				reached.Add("no previous")
			case strings.HasPrefix(err.Error(), "unable to find"):
				reached.Add("not found")
			default:
				reached.Add("no template")
			}
			return
		}
		assert.Equal(t, r.Target.Data.Raw, []byte(r.Patch))
		assert.Equal(t, to == revision.Previous || r.Target.Revision == to, true)
		matches, err := revision.Matches(r.Template, r.Target)
		assert.NoError(t, err)
		assert.True(t, matches)
		reached.AddIf(r.Matches, "matches already")
		reached.AddIf(!r.Matches, "rolled back")
	}
}

func FuzzRollBack(f *testing.F) { f.Fuzz(rapid.MakeFuzz(rollBackMatches(&tally.Tally{}))) }

// Any bytes may be stored in a revision.
func FuzzStoredData(f *testing.F) {
	f.Add([]byte(`{"spec":{"template":{"$patch":"replace"}}}`))
	f.Add([]byte(`{"spec":{"template":{"$patch":"replace","metadata":{"creationTimestamp":null},"spec":{"containers":[{"ports":[{}]}]}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := stored(t, "one", 1, 0)
		r.Data.Raw = data
		template, err := revision.Template(r)
		if (err == nil) != (template != nil) {
			t.Fatal("a template and an error, or neither")
		}
		ds := daemonSet(0)
		if _, err := revision.Resolve(state(ds, []*appsv1.ControllerRevision{r}), revision.Options{ByMeaning: true}); err != nil {
			t.Fatal(err)
		}
		_, _ = revision.RollBack(&ds.Spec.Template, []*appsv1.ControllerRevision{r}, 1)
		if template != nil {
			if _, err := revision.Diff(template, &ds.Spec.Template); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestVisible(t *testing.T) {
	ds := daemonSet(0)
	owner := placement.OwnerOf(ds)
	ours, orphan, unlabelled, elsewhere := stored(t, "b", 2, 0), stored(t, "a", 1, 1), stored(t, "c", 3, 1), stored(t, "d", 4, 1)
	orphan.OwnerReferences = nil
	unlabelled.Labels = nil
	elsewhere.Namespace = "elsewhere"
	all := []*appsv1.ControllerRevision{ours, nil, orphan, unlabelled, elsewhere}
	assert.Equal(t, []string{"probe-b"}, names(revision.Visible(owner, probe, all)))
	assert.Empty(t, revision.Visible(owner, nil, all))
	assert.Empty(t, revision.Visible(placement.Owner{}, probe, all))
}

func TestTable(t *testing.T) {
	one, two, twice := stored(t, "one", 1, 0), stored(t, "two", 10, 1), stored(t, "twice", 10, 2)
	one.Annotations = map[string]string{revision.ChangeCauseAnnotation: "first"}
	twice.Annotations = map[string]string{revision.ChangeCauseAnnotation: ""}
	two.Annotations = map[string]string{revision.ChangeCauseAnnotation: "second"}
	assert.Equal(t, "daemonset.apps/probe \n"+
		"REVISION  CHANGE-CAUSE\n"+
		"1         first\n"+
		"10        second\n"+
		"\n", revision.Table("daemonset.apps/probe", []*appsv1.ControllerRevision{two, nil, twice, one}))
	assert.Equal(t, "daemonset.apps/probe \nREVISION  CHANGE-CAUSE\n10        <none>\n\n",
		revision.Table("daemonset.apps/probe", []*appsv1.ControllerRevision{twice}))
	assert.Equal(t, "daemonset.apps/probe \nNo rollout history found.\n", revision.Table("daemonset.apps/probe", nil))
}

func TestEntries(t *testing.T) {
	one := stored(t, "one", 1, 0)
	one.CreationTimestamp.Time = gen.Epoch
	assert.Equal(t, []revision.Entry{{Number: 1, Name: "probe-one", Hash: "one", Created: gen.Epoch, Revision: one}},
		revision.Entries([]*appsv1.ControllerRevision{one, nil}))
}

func TestRestartPatch(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 999, time.FixedZone("", 3600))
	assert.Equal(t, `{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-01-02T03:04:05+01:00"}}}}}`,
		string(revision.RestartPatch(at)))
	assert.True(t, json.Valid(revision.RestartPatch(time.Time{})))
}
