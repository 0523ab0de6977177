package canary_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/rollout/canary"
)

// Where the rules of ExtendedDaemonSet stand, at DataDog/extendeddaemonset b6860a0.
const (
	failures = "strategy/canary.go:manageCanaryPodFailures"
	reasons  = "pod.go:cannotStartReasons"
	end      = "utils.go:IsCanaryDeploymentEnded"
	current  = "selectCurrentReplicaSet"
)

type (
	pods   = []canary.Health
	health = canary.Health
)

// begun is the state of a canary that began so long ago.
func begun(age time.Duration) canary.State { return canary.State{Started: ago(age)} }

func TestExtendedDaemonSet(t *testing.T) {
	decided := func(d canary.Decision) canary.State {
		s := begun(11 * time.Minute)
		s.Decision = d
		return s
	}
	paused := begun(11 * time.Minute)
	paused.Paused = canary.Cause{Reason: canary.TooManyRestarts, Pod: "p", Since: ago(time.Minute)}
	unpaused := paused
	unpaused.Decision = canary.Unpaused
	for _, c := range []struct {
		source, rule string
		change       func(*canary.Thresholds)
		pods         pods
		state        canary.State
		verdict      canary.Verdict
		reason       canary.Reason
	}{
		{failures, "5 restarts do not fail", nil, pods{restarting("p", 5, now)}, begun(time.Minute), canary.Pause, canary.TooManyRestarts},
		{failures, "6 restarts fail", nil, pods{restarting("p", 6, now)}, begun(time.Minute), canary.Fail, canary.TooManyRestarts},
		{failures, "of any pod", nil, pods{sick("a", nil), restarting("b", 6, now), sick("c", nil)}, begun(time.Minute), canary.Fail, canary.TooManyRestarts},
		{failures, "2 restarts do not pause", nil, pods{restarting("p", 2, now)}, begun(time.Minute), canary.Continue, canary.DurationRuns},
		{failures, "3 restarts pause", nil, pods{restarting("p", 3, now)}, begun(time.Minute), canary.Pause, canary.TooManyRestarts},
		{
			failures, "restarts for exactly maxRestartsDuration do not fail",
			func(x *canary.Thresholds) { x.Fail.MaxRestartsDuration = time.Hour },
			pods{restarting("a", 1, ago(time.Hour)), restarting("b", 1, now)}, begun(time.Minute), canary.Continue, canary.DurationRuns,
		}, {
			failures, "restarts for longer fail, though of different pods, as the condition is that of all",
			func(x *canary.Thresholds) { x.Fail.MaxRestartsDuration = time.Hour },
			pods{restarting("a", 1, ago(time.Hour+1)), restarting("b", 1, now)}, begun(time.Minute), canary.Fail, canary.KeepsRestarting,
		}, {
			failures, "a canary as old as the timeout does not fail",
			func(x *canary.Thresholds) { x.Fail.Timeout, x.Promote.Duration = time.Hour, nil },
			pods{sick("p", nil)}, begun(time.Hour), canary.Continue, canary.NeedsPerson,
		}, {
			failures, "an older one fails",
			func(x *canary.Thresholds) { x.Fail.Timeout, x.Promote.Duration = time.Hour, nil },
			pods{sick("p", nil)}, begun(time.Hour + 1), canary.Fail, canary.TimedOut,
		}, {
			failures, "and so does one that is paused",
			func(x *canary.Thresholds) { x.Fail.Timeout = 10 * time.Minute }, nil, paused, canary.Fail, canary.TimedOut,
		}, {
			failures, "restarts come before how long there were any",
			func(x *canary.Thresholds) { x.Fail.Timeout, x.Fail.MaxRestartsDuration = time.Second, time.Second },
			pods{restarting("a", 6, ago(time.Hour)), restarting("b", 6, now)}, begun(time.Hour), canary.Fail, canary.TooManyRestarts,
		}, {
			failures, "and that comes before the timeout",
			func(x *canary.Thresholds) { x.Fail.Timeout, x.Fail.MaxRestartsDuration = time.Second, time.Second },
			pods{restarting("a", 5, ago(time.Hour)), restarting("b", 5, now)}, begun(time.Hour), canary.Fail, canary.KeepsRestarting,
		},
		{failures, "a paused canary stays paused when its pods recover", nil, pods{sick("p", nil)}, paused, canary.Pause, canary.TooManyRestarts},
		{failures, "unpaused comes before the rules that pause", nil, pods{restarting("p", 3, ago(time.Minute))}, unpaused, canary.Continue, canary.QuietTimeRuns},
		{failures, "and clears the pause", nil, pods{sick("p", nil)}, unpaused, canary.Promote, canary.TimeOver},
		{failures, "but not before those that fail", nil, pods{restarting("p", 6, now)}, unpaused, canary.Fail, canary.TooManyRestarts},
		{reasons, "a pod that cannot start pauses", nil, pods{waiting("p", 0, "ImagePullBackOff")}, begun(time.Minute), canary.Pause, canary.CannotStart},
		{failures, "which comes before its restarts", nil, pods{sick("p", func(h *health) {
			h.Waiting, h.Restarts = []string{"CreateContainerError"}, 3
		})}, begun(time.Minute), canary.Pause, canary.CannotStart},
		{reasons, "one that waits to be restarted can start", nil, pods{waiting("p", time.Hour, "CrashLoopBackOff")}, begun(time.Minute), canary.Continue, canary.DurationRuns},
		{
			failures, "one that cannot start has the slow-start time",
			func(x *canary.Thresholds) { x.Pause.MaxSlowStart = time.Minute },
			pods{waiting("p", time.Minute, "ErrImagePull")}, begun(time.Minute), canary.Continue, canary.DurationRuns,
		}, {
			failures, "and pauses after it",
			func(x *canary.Thresholds) { x.Pause.MaxSlowStart = time.Minute },
			pods{waiting("p", time.Minute+1, "ErrImagePull")}, begun(time.Minute), canary.Pause, canary.CannotStart,
		}, {
			failures, "as one does whose containers are being created",
			func(x *canary.Thresholds) { x.Pause.MaxSlowStart = time.Minute },
			pods{waiting("p", time.Minute+1, "ContainerCreating")}, begun(time.Minute), canary.Pause, canary.SlowStart,
		},
		{end, "after 10 minutes it is not over", nil, pods{sick("p", nil)}, begun(10 * time.Minute), canary.Continue, canary.DurationRuns},
		{end, "a moment later it is", nil, pods{sick("p", nil)}, begun(10*time.Minute + 1), canary.Promote, canary.TimeOver},
		{end, "5 minutes after a restart it is not over", nil, pods{restarting("p", 1, ago(5*time.Minute))}, begun(time.Hour), canary.Continue, canary.QuietTimeRuns},
		{end, "a moment later it is", nil, pods{restarting("p", 1, ago(5*time.Minute+1))}, begun(time.Hour), canary.Promote, canary.TimeOver},
		{
			end, "without a duration never, though the quiet time is over",
			func(x *canary.Thresholds) { x.Promote.Duration = nil }, pods{sick("p", nil)}, begun(1000 * time.Hour), canary.Continue, canary.NeedsPerson,
		},
		{end, "it does not need a pod", nil, nil, begun(time.Hour), canary.Promote, canary.TimeOver},
		{current, "validated by a person, before its time", nil, pods{restarting("p", 3, now)}, canary.State{Started: now, Decision: canary.Validated}, canary.Promote, canary.ByPerson},
		{current, "or although it was paused", nil, nil, canary.State{Started: now, Decision: canary.Validated, Paused: paused.Paused}, canary.Promote, canary.ByPerson},
		{current, "paused by a person, its time does not promote it", nil, pods{sick("p", nil)}, decided(canary.Paused), canary.Pause, canary.ByPerson},
		{current, "not paused, its time does", nil, pods{sick("p", nil)}, decided(canary.Undecided), canary.Promote, canary.TimeOver},
	} {
		t.Run(c.rule, func(t *testing.T) {
			rules := canary.ExtendedDaemonSet()
			if c.change != nil {
				c.change(&rules)
			}
			j, s, err := canary.Judge(c.pods, rules, c.state, now)
			assert.NoError(t, err)
			assert.Equal(t, c.verdict, j.Verdict, c.source)
			assert.Equal(t, c.reason, j.Reason, c.source)
			assert.Equal(t, c.verdict == canary.Fail, s.Failed.Reason != "")
			assert.Equal(t, c.verdict == canary.Promote, s.Promoted.Reason != "")
		})
	}
}

// The rules of other engines, and those that are ours.
func TestRules(t *testing.T) {
	failed := func(name string) health { return sick(name, func(h *health) { h.Failed, h.Ready = true, false }) }
	fail := func(r canary.Rules) canary.Thresholds { return canary.Thresholds{Fail: r} }
	swarm := func(share string) canary.Thresholds {
		return fail(canary.Rules{OnFailed: true, MaxFailing: of(intstr.FromString(share))})
	}
	slow := canary.Thresholds{Pause: canary.Rules{MaxSlowStart: time.Minute}}
	unready := canary.Thresholds{Pause: canary.Rules{UnreadyFor: time.Minute}}
	since := func(at, created time.Time) pods {
		return pods{sick("p", func(h *health) { h.Ready, h.ReadyChanged, h.Created = false, at, created })}
	}
	for _, c := range []struct {
		source, rule string
		thresholds   canary.Thresholds
		pods         pods
		verdict      canary.Verdict
		reason       canary.Reason
	}{
		{"SwarmKit, update/updater.go:Run", "a share as large as maxFailureRatio is allowed", swarm("50%"), pods{failed("a"), sick("b", nil)}, canary.Continue, canary.NeedsPerson},
		{"SwarmKit, update/updater.go:Run", "a larger one is not", swarm("49%"), pods{failed("a"), sick("b", nil)}, canary.Fail, canary.PodFailed},
		{"SwarmKit, update/updater.go:Run", "a share of 0 allows no failure", swarm("0%"), pods{failed("a"), sick("b", nil), sick("c", nil)}, canary.Fail, canary.PodFailed},
		{"SwarmKit, update/updater.go:Run", "a share of 1 allows all", swarm("100%"), pods{failed("a"), failed("b")}, canary.Continue, canary.NeedsPerson},
		{"NVIDIA, R15", "10 restarts are allowed", fail(canary.Rules{MaxRestarts: of[int32](10)}), pods{restarting("p", 10, now)}, canary.Continue, canary.NeedsPerson},
		{"NVIDIA, R15", "more fail", fail(canary.Rules{MaxRestarts: of[int32](10)}), pods{restarting("p", 11, now)}, canary.Fail, canary.TooManyRestarts},
		{"KubeVirt, processCanaryUpgrade", "a crash loop fails", fail(canary.Rules{CannotStart: []string{"CrashLoopBackOff"}}), pods{waiting("p", 0, "CrashLoopBackOff")}, canary.Fail, canary.CannotStart},
		{
			"KubeVirt, processCanaryUpgrade", "one ready pod lets it go on",
			canary.Thresholds{Promote: canary.Promotion{Duration: of(time.Duration(0)), MinReady: 1}}, pods{sick("p", nil)}, canary.Promote, canary.TimeOver,
		}, {
			"KubeVirt, processCanaryUpgrade", "and none does not",
			canary.Thresholds{Promote: canary.Promotion{Duration: of(time.Duration(0)), MinReady: 1}}, pods{waiting("p", 0)}, canary.Continue, canary.TooFewReady,
		},
		{"ours", "a number of pods may fail", fail(canary.Rules{OnFailed: true, MaxFailing: of(intstr.FromInt32(1))}), pods{failed("a")}, canary.Continue, canary.NeedsPerson},
		{"ours", "and no more", fail(canary.Rules{OnFailed: true, MaxFailing: of(intstr.FromInt32(1))}), pods{failed("a"), failed("b")}, canary.Fail, canary.PodFailed},
		{"ours", "failed pods are nothing unless asked for", canary.ExtendedDaemonSet(), pods{failed("a")}, canary.Promote, canary.TimeOver},
		{"ours", "pods with init containers wait with PodInitializing", slow, pods{waiting("p", time.Minute+1, "PodInitializing")}, canary.Pause, canary.SlowStart},
		{"ours", "without a limit a start may take any time", canary.ExtendedDaemonSet(), pods{waiting("p", time.Hour, "ContainerCreating")}, canary.Promote, canary.TimeOver},
		{"ours", "not ready for just a minute", unready, since(ago(time.Minute), ago(time.Hour)), canary.Continue, canary.NeedsPerson},
		{"ours", "not ready for longer", unready, since(ago(time.Minute+1), ago(time.Minute)), canary.Pause, canary.Unready},
		{"ours", "never ready for longer", unready, since(time.Time{}, ago(time.Minute+1)), canary.Pause, canary.Unready},
		{"ours", "without rules nothing happens", canary.Thresholds{}, pods{restarting("p", math.MaxInt32, now), failed("a")}, canary.Continue, canary.NeedsPerson},
	} {
		t.Run(c.rule, func(t *testing.T) {
			j, _, err := canary.Judge(c.pods, c.thresholds, begun(11*time.Minute), now)
			assert.NoError(t, err)
			assert.Equal(t, c.verdict, j.Verdict, c.source)
			assert.Equal(t, c.reason, j.Reason, c.source)
		})
	}
}

// What is reported is the first rule, and of the pods that break it the first by
// name and node.
func TestCause(t *testing.T) {
	rules := canary.Thresholds{Pause: canary.Rules{
		CannotStart: canary.CannotStartReasons(), MaxSlowStart: 10 * time.Second, OnFailed: true, UnreadyFor: time.Second, MaxRestarts: of[int32](2),
	}}
	all := pods{
		restarting("a", 3, now),
		sick("b", func(h *health) { h.Ready = false }),
		sick("c", func(h *health) { h.Failed = true }),
		waiting("d", time.Minute, "ContainerCreating"),
		waiting("f", time.Minute, "ErrImagePull", "InvalidImageName"),
		waiting("e", time.Minute, "ContainerCreating", "InvalidImageName"),
	}
	for _, want := range []string{
		"pause: cannot-start (InvalidImageName), pod e on node-of-e", "pause: cannot-start (ErrImagePull), pod f on node-of-f",
		"pause: slow-start (ContainerCreating), pod d on node-of-d", "pause: pod-failed, pod c on node-of-c",
		"pause: unready (for more than 1s), pod b on node-of-b", "pause: too-many-restarts (3 restarts), pod a on node-of-a",
	} {
		j, s, err := canary.Judge(all, rules, canary.State{}, now)
		assert.NoError(t, err)
		assert.Equal(t, want, j.String())
		assert.Equal(t, now, j.Since)
		assert.Equal(t, j.Cause, s.Paused)
		all = all[:len(all)-1]
	}
	same := pods{restarting("a", 4, now), restarting("a", 3, now)}
	same[0].Node = "z"
	j, _, err := canary.Judge(same, rules, canary.State{}, now)
	assert.NoError(t, err)
	assert.Equal(t, "node-of-a", j.Node)

	rules = canary.Thresholds{Fail: canary.Rules{MaxRestartsDuration: time.Minute, Timeout: time.Hour}, Promote: canary.Promotion{Duration: of(time.Hour)}}
	j, s, err := canary.Judge(pods{restarting("a", 1, ago(time.Hour))}, rules, canary.State{}, now)
	assert.NoError(t, err)
	assert.Equal(t, "continue: duration-runs, look again after 2026-01-02T04:04:05Z", j.String())
	j, _, err = canary.Judge(pods{restarting("a", 2, ago(time.Minute))}, rules, s, now)
	assert.NoError(t, err)
	assert.Equal(t, "fail: keeps-restarting (for 59m0s)", j.String(), "what was seen before is remembered")
	j, _, err = canary.Judge(nil, rules, s, now.Add(2*time.Hour))
	assert.NoError(t, err)
	assert.Equal(t, "fail: timed-out (older than 1h0m0s)", j.String())
}

// The end of a canary in exact times.
func TestJudgeTimes(t *testing.T) {
	const minute = time.Minute
	type times = struct {
		rule                string
		duration, quiet     time.Duration
		started, restart    time.Time // zero for no restart
		ready               []time.Duration
		minReady            int
		minReadySeconds     int32
		reason              canary.Reason
		never               bool
		failAfter, pauseAge time.Duration // a timeout, and a slow start of a pod created now
		want                time.Duration
	}
	for _, c := range []times{
		{rule: "the duration", duration: 10 * minute, started: ago(4 * minute), reason: canary.DurationRuns, want: 6*minute + 1},
		{rule: "a duration of nothing", duration: 0, started: now, reason: canary.DurationRuns, want: 1},
		{rule: "the quiet time ends later", duration: 10 * minute, quiet: 5 * minute, started: ago(9 * minute), restart: ago(minute), reason: canary.QuietTimeRuns, want: 4*minute + 1},
		{rule: "the quiet time ends first", duration: 10 * minute, quiet: 5 * minute, started: ago(minute), restart: ago(minute), reason: canary.DurationRuns, want: 9*minute + 1},
		{rule: "both end together", duration: 10 * minute, quiet: 5 * minute, started: ago(6 * minute), restart: ago(minute), reason: canary.DurationRuns, want: 4*minute + 1},
		{rule: "no quiet time is asked", duration: 10 * minute, started: ago(9 * minute), restart: now, reason: canary.DurationRuns, want: minute + 1},
		{rule: "no restart", duration: 10 * minute, quiet: time.Hour, started: ago(9 * minute), reason: canary.DurationRuns, want: minute + 1},
		{rule: "a clock ahead", duration: 10 * minute, quiet: 5 * minute, started: ago(-minute), restart: ago(-7 * minute), reason: canary.QuietTimeRuns, want: 12*minute + 1},
		{rule: "the second pod that is ready for long enough", duration: minute, started: ago(time.Hour), ready: []time.Duration{0, 10 * time.Second, 20 * time.Second}, minReady: 2, minReadySeconds: 30, reason: canary.TooFewReady, want: 20 * time.Second},
		{rule: "too few are ready", duration: minute, started: now, ready: []time.Duration{0}, minReady: 2, reason: canary.TooFewReady, never: true},
		{rule: "the timeout comes first", duration: 10 * minute, started: ago(4 * minute), failAfter: 5 * minute, reason: canary.DurationRuns, want: minute + 1},
		{rule: "the slow start comes first", duration: 10 * minute, started: ago(4 * minute), pauseAge: 2 * minute, reason: canary.DurationRuns, want: 2*minute + 1},
		{rule: "the slow start alone", duration: -1, started: now, pauseAge: 2 * minute, reason: canary.NeedsPerson, want: 2*minute + 1},
		{rule: "the timeout alone", duration: -1, started: now, failAfter: 2 * minute, reason: canary.NeedsPerson, want: 2*minute + 1},
		{rule: "nothing", duration: -1, started: now, reason: canary.NeedsPerson, never: true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var x canary.Thresholds
			if c.duration >= 0 {
				x.Promote.Duration = &c.duration
			}
			x.Promote.Quiet, x.Promote.MinReady, x.Promote.MinReadySeconds = c.quiet, c.minReady, c.minReadySeconds
			x.Fail.Timeout, x.Pause.MaxSlowStart = c.failAfter, c.pauseAge
			all := pods{waiting("creating", 0, "ContainerCreating"), restarting("restarting", 1, c.restart)}
			all[1].Ready = false
			for _, d := range c.ready {
				all = append(all, sick("ready", func(h *health) { h.ReadyChanged = ago(d) }))
			}
			j, s, err := canary.Judge(all, x, canary.State{Started: c.started}, now)
			assert.NoError(t, err)
			assert.Equal(t, canary.Continue, j.Verdict)
			assert.Equal(t, c.reason, j.Reason)
			if c.never {
				assert.Zero(t, j.Next)
				return
			}
			assert.Equal(t, now.Add(c.want), j.Next)
			before, _, err := canary.Judge(all, x, s, j.Next.Add(-1))
			assert.NoError(t, err)
			assert.Equal(t, canary.Continue, before.Verdict)
			after, _, err := canary.Judge(all, x, s, j.Next)
			assert.NoError(t, err)
			assert.NotEqual(t, canary.Continue, after.Verdict)
		})
	}
}

func TestState(t *testing.T) {
	j, s, err := canary.Judge(pods{restarting("p", 3, ago(time.Minute))}, canary.ExtendedDaemonSet(), canary.State{}.For("new"), now)
	assert.NoError(t, err)
	assert.Equal(t, canary.State{
		Revision: "new", Started: now, FirstRestart: ago(time.Minute), LastRestart: ago(time.Minute), Paused: j.Cause,
	}, s)
	text, err := json.Marshal(s)
	assert.NoError(t, err)
	var back canary.State
	assert.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, s, back)
	empty, err := json.Marshal(canary.State{})
	assert.NoError(t, err)
	assert.Equal(t, "{}", string(empty))
	assert.Equal(t, s, s.For("new"))
	assert.Equal(t, canary.State{Revision: "newer"}, s.For("newer"))

	s.Decision = canary.Rejected
	j, s, err = canary.Judge(nil, canary.ExtendedDaemonSet(), s, now)
	assert.NoError(t, err)
	assert.Equal(t, "fail: by-person", j.String())
	s.Decision = canary.Validated
	again, _, err := canary.Judge(nil, canary.ExtendedDaemonSet(), s, now.Add(time.Hour))
	assert.NoError(t, err)
	assert.Equal(t, j, again, "what has failed cannot be validated")
}

func TestJudgeErrors(t *testing.T) {
	for want, x := range map[string]canary.Thresholds{
		"fail.maxRestarts: -1 is negative":          {Fail: canary.Rules{MaxRestarts: of[int32](-1)}},
		"pause.maxRestarts: -1 is negative":         {Pause: canary.Rules{MaxRestarts: of[int32](-1)}},
		"fail.maxFailing: -1% is negative":          {Fail: canary.Rules{MaxFailing: percent("-1%")}},
		"pause.maxSlowStart: -1s is negative":       {Pause: canary.Rules{MaxSlowStart: -time.Second}},
		"pause.unreadyFor: -1s is negative":         {Pause: canary.Rules{UnreadyFor: -time.Second}},
		"fail.maxRestartsDuration: -1s is negative": {Fail: canary.Rules{MaxRestartsDuration: -time.Second}},
		"fail.timeout: -1s is negative":             {Fail: canary.Rules{Timeout: -time.Second}},
		"promote.duration: -1s is negative":         {Promote: canary.Promotion{Duration: of(-time.Second)}},
		"promote.quiet: -1s is negative":            {Promote: canary.Promotion{Quiet: -time.Second}},
		"promote.minReady: -1 is negative":          {Promote: canary.Promotion{MinReady: -1}},
		"promote.minReadySeconds: -1 is negative":   {Promote: canary.Promotion{MinReadySeconds: -1}},
		"pause.maxFailing: invalid value for IntOrString: invalid type: string is not a percentage": {Pause: canary.Rules{MaxFailing: percent("1")}},
	} {
		j, s, err := canary.Judge(nil, x, begun(time.Hour), now)
		assert.EqualError(t, err, "canary: thresholds."+want)
		assert.Zero(t, j)
		assert.Zero(t, s)
	}
}
