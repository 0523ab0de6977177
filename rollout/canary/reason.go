package canary

// Reason says why a verdict is what it is, or why a node is no longer chosen. The
// values are stable.
type Reason string

// Why a canary fails or pauses: the rules of [Rules] in their order.
const (
	// CannotStart: a container waits with a reason of Rules.CannotStart.
	CannotStart Reason = "cannot-start"
	// SlowStart: containers are still being created after Rules.MaxSlowStart.
	SlowStart Reason = "slow-start"
	// PodFailed: a pod is in phase Failed.
	PodFailed Reason = "pod-failed"
	// Unready: a pod has not been ready for longer than Rules.UnreadyFor.
	Unready Reason = "unready"
	// TooManyRestarts: a container restarted more than Rules.MaxRestarts times.
	TooManyRestarts Reason = "too-many-restarts"
	// KeepsRestarting: between the first and the last restart lies more than
	// Rules.MaxRestartsDuration.
	KeepsRestarting Reason = "keeps-restarting"
	// TimedOut: the canary is older than Rules.Timeout.
	TimedOut Reason = "timed-out"
)

// ByPerson: a person paused, validated or rejected the canary.
const ByPerson Reason = "by-person"

// TimeOver: the canary is promoted, since its time is over.
const TimeOver Reason = "time-over"

// What a canary that continues waits for.
const (
	// DurationRuns: for Promotion.Duration.
	DurationRuns Reason = "duration-runs"
	// QuietTimeRuns: for Promotion.Quiet, since a container restarted.
	QuietTimeRuns Reason = "quiet-time-runs"
	// TooFewReady: for Promotion.MinReady pods.
	TooFewReady Reason = "too-few-ready"
	// NeedsPerson: for a person, since there is no Promotion.Duration.
	NeedsPerson Reason = "needs-person"
)

// Why a node that was chosen before is not any more.
const (
	// NodeGone: it is not in the fleet, or there for its pods alone.
	NodeGone Reason = "node-gone"
	// NotEligible: it gets no pods any more.
	NotEligible Reason = "not-eligible"
	// NotSelected: its labels do not match the selector.
	NotSelected Reason = "not-selected"
	// Surplus: fewer nodes are wanted than there were.
	Surplus Reason = "surplus"
)
