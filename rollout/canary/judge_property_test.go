package canary_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/rollout/canary"
)

// drawSeconds draws a time of 0 to 9 seconds, and often none.
func drawSeconds(t *rapid.T, label string) time.Duration {
	return gen.Pick[time.Duration](t, label, 0, 0, 0, 1, 3, 5, 9) * time.Second
}

func drawMoment(t *rapid.T, label string) time.Time {
	return gen.Pick(t, label, ago(9*time.Second), ago(5*time.Second), ago(3*time.Second), ago(time.Second), now, ago(-2*time.Second))
}

func drawRules(t *rapid.T) canary.Rules {
	return canary.Rules{
		CannotStart:         gen.Pick(t, "cannot start", nil, canary.CannotStartReasons(), []string{"CrashLoopBackOff"}),
		MaxSlowStart:        drawSeconds(t, "max slow start"),
		OnFailed:            gen.Chance(t, 30, "on failed"),
		UnreadyFor:          drawSeconds(t, "unready for"),
		MaxRestarts:         gen.Pick(t, "max restarts", nil, of[int32](0), of[int32](2), of[int32](5)),
		MaxFailing:          gen.Pick(t, "max failing", nil, nil, replicas(1), percent("34%"), percent("50%"), percent("9223372036854775807%")),
		MaxRestartsDuration: drawSeconds(t, "max restarts duration"),
		Timeout:             drawSeconds(t, "timeout"),
	}
}

func drawThresholds(t *rapid.T) canary.Thresholds {
	x := canary.Thresholds{Pause: drawRules(t), Promote: canary.Promotion{Quiet: drawSeconds(t, "quiet")}}
	if gen.Chance(t, 60, "fail") {
		x.Fail = drawRules(t)
	}
	if gen.Chance(t, 80, "by time") {
		x.Promote.Duration = of(drawSeconds(t, "duration"))
	}
	if gen.Chance(t, 30, "ready") {
		x.Promote.MinReady, x.Promote.MinReadySeconds = gen.Pick(t, "min ready", 1, 2), gen.Pick[int32](t, "min ready seconds", 0, 4)
	}
	return x
}

// drawPods draws pods of which most are well.
func drawPods(t *rapid.T) pods {
	var all pods
	for range gen.Pick(t, "pods", 0, 1, 2, 2, 3, 3) {
		h := canary.Health{
			Pod: gen.Pick(t, "pod", "a", "b", "c"), Node: gen.Pick(t, "node", "n1", "n2"),
			Created: drawMoment(t, "created"), Ready: gen.Chance(t, 70, "ready"), ReadyChanged: drawMoment(t, "ready changed"),
			Failed: gen.Chance(t, 10, "failed"),
		}
		if gen.Chance(t, 15, "no time") {
			h.ReadyChanged = time.Time{}
		}
		if gen.Chance(t, 30, "restarted") {
			h.Restarts = gen.Pick[int32](t, "restarts", 1, 2, 3, 6)
			h.LastRestart = drawMoment(t, "last")
			h.FirstRestart = gen.Pick(t, "first", h.LastRestart, h.LastRestart.Add(-4*time.Second))
		}
		if gen.Chance(t, 30, "waiting") {
			h.Waiting = gen.Pick(t, "waiting", []string{"ErrImagePull"}, []string{"ContainerCreating"}, []string{"CrashLoopBackOff", "PodInitializing"})
		}
		all = append(all, h)
	}
	return all
}

func drawDecision(t *rapid.T) canary.Decision {
	if gen.Chance(t, 60, "undecided") {
		return canary.Undecided
	}
	return gen.Pick(t, "decision", canary.Paused, canary.Unpaused, canary.Unpaused, canary.Validated, canary.Rejected, "unknown")
}

func drawState(t *rapid.T) canary.State {
	s := canary.State{Decision: drawDecision(t)}
	if gen.Chance(t, 80, "started") {
		s.Started = drawMoment(t, "started")
	}
	if gen.Chance(t, 20, "restarted") {
		s.FirstRestart = ago(6 * time.Second)
		s.LastRestart = s.FirstRestart.Add(drawSeconds(t, "between"))
	}
	if gen.Chance(t, 10, "paused") {
		s.Paused = canary.Cause{Reason: canary.CannotStart, Pod: "a"}
	}
	switch {
	case gen.Chance(t, 4, "has failed"):
		s.Failed = canary.Cause{Reason: canary.TimedOut}
	case gen.Chance(t, 4, "was promoted"):
		s.Promoted = canary.Cause{Reason: canary.TimeOver}
	}
	return s
}

// slowBroken reports whether a set of rules is broken, in the words of the rules.
func slowBroken(r canary.Rules, all pods, s canary.State, now time.Time) bool {
	failing := 0
	for _, h := range all {
		age, unready := now.Sub(h.Created), now.Sub(h.ReadyChanged)
		if h.ReadyChanged.IsZero() {
			unready = age
		}
		bad := h.Failed && r.OnFailed || !h.Ready && r.UnreadyFor > 0 && unready > r.UnreadyFor || r.MaxRestarts != nil && h.Restarts > *r.MaxRestarts
		for _, w := range h.Waiting {
			if slices.Contains(r.CannotStart, w) {
				bad = bad || r.MaxSlowStart == 0 || age > r.MaxSlowStart
			}
			if w == "ContainerCreating" || w == "PodInitializing" {
				bad = bad || r.MaxSlowStart > 0 && age > r.MaxSlowStart
			}
		}
		if bad {
			failing++
		}
	}
	switch {
	case r.MaxFailing == nil && failing > 0:
		return true
	case r.MaxFailing != nil && r.MaxFailing.Type == intstr.Int && failing > r.MaxFailing.IntValue():
		return true
	case r.MaxFailing != nil && r.MaxFailing.StrVal == "34%" && failing*100 > 34*len(all):
		return true
	case r.MaxFailing != nil && r.MaxFailing.StrVal == "50%" && failing*100 > 50*len(all):
		return true
	}
	return r.MaxRestartsDuration > 0 && s.LastRestart.Sub(s.FirstRestart) > r.MaxRestartsDuration || r.Timeout > 0 && now.Sub(s.Started) > r.Timeout
}

// slowVerdict goes through the rules in the order of the documentation, with a
// state that has seen the pods.
func slowVerdict(x canary.Thresholds, all pods, s canary.State, now time.Time) canary.Verdict {
	ready := 0
	for _, h := range all {
		wait := time.Duration(x.Promote.MinReadySeconds) * time.Second
		if h.Ready && (wait == 0 || !h.ReadyChanged.IsZero() && now.Sub(h.ReadyChanged) >= wait) {
			ready++
		}
	}
	quiet := s.LastRestart.IsZero() || x.Promote.Quiet == 0 || now.Sub(s.LastRestart) > x.Promote.Quiet
	for _, rule := range []struct {
		verdict canary.Verdict
		holds   bool
	}{
		{canary.Fail, s.Failed.Reason != ""},
		{canary.Promote, s.Promoted.Reason != ""},
		{canary.Fail, s.Decision == canary.Rejected},
		{canary.Promote, s.Decision == canary.Validated},
		{canary.Fail, slowBroken(x.Fail, all, s, now)},
		{canary.Pause, s.Decision != canary.Unpaused && (s.Paused.Reason != "" || slowBroken(x.Pause, all, s, now))},
		{canary.Pause, s.Decision == canary.Paused},
		{canary.Promote, x.Promote.Duration != nil && now.Sub(s.Started) > *x.Promote.Duration && quiet && ready >= x.Promote.MinReady},
	} {
		if rule.holds {
			return rule.verdict
		}
	}
	return canary.Continue
}

// seen is what a state remembers after a look at the pods.
func seen(s canary.State, all pods, now time.Time) canary.State {
	if s.Started.IsZero() {
		s.Started = now
	}
	for _, h := range all {
		for _, at := range []time.Time{h.FirstRestart, h.LastRestart} {
			if !at.IsZero() && (s.FirstRestart.IsZero() || at.Before(s.FirstRestart)) {
				s.FirstRestart = at
			}
			if at.After(s.LastRestart) {
				s.LastRestart = at
			}
		}
	}
	return s
}

// rank orders verdicts from the best to the worst.
func rank(v canary.Verdict) int {
	return slices.Index([]canary.Verdict{canary.Promote, canary.Continue, canary.Pause, canary.Fail}, v)
}

// worse is a pod whose health is worse.
func worse(t *rapid.T, h canary.Health) canary.Health {
	switch gen.Pick(t, "worse", 0, 1, 2, 3, 4) {
	case 0:
		h.Restarts += gen.Pick[int32](t, "more restarts", 1, 3, 6)
		if h.LastRestart.Before(now) {
			h.LastRestart = now
		}
	case 1:
		h.FirstRestart = ago(time.Minute)
	case 2:
		h.Waiting = append([]string{"CreateContainerError"}, h.Waiting...)
	case 3:
		h.Ready = false
	case 4:
		h.Failed = true
	}
	return h
}

func judgeIsObvious(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		x, all, prev := drawThresholds(t), drawPods(t), drawState(t)
		before := text(t, all)
		j, s, err := canary.Judge(all, x, prev, now)
		assert.NoError(t, err)
		assert.Equal(t, before, text(t, all), "the pods were changed")

		saw := prev
		if prev.Failed.Reason == "" && prev.Promoted.Reason == "" {
			saw = seen(prev, all, now)
		}
		assert.Equal(t, slowVerdict(x, all, saw, now), j.Verdict)
		assert.Equal(t, []any{saw.Started, saw.FirstRestart, saw.LastRestart, prev.Decision}, []any{s.Started, s.FirstRestart, s.LastRestart, s.Decision})
		reached.Add(string(j.Verdict)+" "+string(j.Reason), string(j.Verdict))

		// Order does not matter, and the same again says the same.
		again, _, err := canary.Judge(gen.Shuffled(t, all), x, prev, now)
		assert.NoError(t, err)
		assert.Equal(t, j, again)
		again, same, err := canary.Judge(all, x, s, now)
		assert.NoError(t, err)
		assert.Equal(t, j, again)
		assert.Equal(t, s, same)

		// Next is the first moment with another verdict. All times are whole seconds,
		// so verdicts change at these moments or right after.
		var next time.Time
		for i := 0; i < 60 && next.IsZero(); i++ {
			for _, at := range []time.Time{now.Add(time.Duration(i) * time.Second), now.Add(time.Duration(i)*time.Second + 1)} {
				later, _, err := canary.Judge(all, x, s, at)
				assert.NoError(t, err)
				assert.Equal(t, slowVerdict(x, all, s, at), later.Verdict)
				if later.Verdict != j.Verdict {
					next = at
					reached.Add("then " + string(later.Verdict))
					break
				}
				if later.Verdict == canary.Continue {
					assert.Equal(t, j.Reason, later.Reason)
				}
			}
		}
		assert.Equal(t, next, j.Next)

		if len(all) > 0 {
			sicker := slices.Clone(all)
			sicker[0] = worse(t, all[0])
			worst, _, err := canary.Judge(sicker, x, prev, now)
			assert.NoError(t, err)
			assert.GreaterOrEqual(t, rank(worst.Verdict), rank(j.Verdict), "worse health, better verdict")
			reached.AddIf(rank(worst.Verdict) > rank(j.Verdict), "worse verdict")
		}
	}
}

func TestJudgeIsObvious(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, judgeIsObvious(&reached))
	reached.Require(t, "promote time-over", "promote by-person", "fail by-person", "pause by-person",
		"fail cannot-start", "fail slow-start", "fail pod-failed", "fail unready", "fail too-many-restarts", "fail keeps-restarting", "fail timed-out",
		"pause cannot-start", "pause slow-start", "pause pod-failed", "pause unready", "pause too-many-restarts", "pause keeps-restarting", "pause timed-out",
		"continue duration-runs", "continue quiet-time-runs", "continue too-few-ready", "continue needs-person",
		"then fail", "then pause", "then promote", "worse verdict")
}

func FuzzJudge(f *testing.F) { f.Fuzz(rapid.MakeFuzz(judgeIsObvious(&tally.Tally{}))) }

// However a canary goes, its end is final and a pause lasts until a person speaks;
// a state can be stored between any two judgements.
func TestJudgeKeepsItsWord(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		x, at := drawThresholds(t), now
		var s canary.State
		var last canary.Judgement
		for range 8 {
			at = at.Add(drawSeconds(t, "passes"))
			decision := s.Decision
			if gen.Chance(t, 15, "a person speaks") {
				s.Decision = drawDecision(t)
			}
			before := s
			j, after, err := canary.Judge(drawPods(t), x, s, at)
			assert.NoError(t, err)
			switch {
			case last.Verdict == canary.Fail || last.Verdict == canary.Promote:
				assert.Equal(t, last, j)
				assert.Equal(t, before, after)
				reached.Add("after " + string(last.Verdict))
			case last.Verdict == canary.Pause && last.Reason != canary.ByPerson && s.Decision == decision && decision != canary.Unpaused:
				assert.Contains(t, []canary.Verdict{canary.Pause, canary.Fail}, j.Verdict)
				reached.Add("paused for longer")
			case last.Verdict == canary.Pause && j.Verdict == canary.Continue:
				reached.Add("unpaused")
			}
			assert.True(t, j.Next.IsZero() || j.Next.After(at))
			assert.True(t, before.Started.IsZero() || before.Started.Equal(after.Started))
			assert.False(t, after.LastRestart.Before(before.LastRestart))

			data, err := json.Marshal(after)
			assert.NoError(t, err)
			s = canary.State{}
			assert.NoError(t, json.Unmarshal(data, &s))
			assert.Equal(t, after, s)
			last = j
		}
	})
	reached.Require(t, "after fail", "after promote", "paused for longer", "unpaused")
}
