package policies

import "strings"

// String is the policy in a few words; empty for the controller's.
func (p Policy) String() string {
	var words []string
	add := func(is bool, word string) {
		if is {
			words = append(words, word)
		}
	}
	exempt := p.Count.Exempt
	if p.Count.ExemptSelector != nil {
		exempt = append(exempt[:len(exempt):len(exempt)], "some nodes")
	}
	add(p.Count.Nodes != "", "counts "+string(p.Count.Nodes)+" nodes")
	add(len(exempt) > 0, "exempt "+strings.Join(exempt, ", "))
	add(p.Candidates.Selector != nil || p.Candidates.Nodes != nil, "some nodes only")
	add(p.Candidates.Partition.Value != nil, "partition "+p.Candidates.Partition.Value.String())
	add(len(p.Candidates.NoRestart) > 0, "some changes restart nothing")
	add(p.Order.By == byNameDescending, p.Order.By)
	add(p.Order.Waves.Label != "", "waves by "+p.Order.Waves.Label)
	add(p.Limit.Strict, "strict")
	add(p.Limit.PerStep != nil, "perStep "+p.Limit.PerStep.String())
	add(p.Limit.Burst != nil, "burst "+p.Limit.Burst.String())
	add(p.Limit.Removals != nil, "removals "+p.Limit.Removals.String())
	add(p.Limit.SlowStart.Interval.Duration > 0, "slow start")
	add(p.Gate.Pause != "", "paused")
	add(p.Gate.Failures.Max != nil, "stops at "+p.Gate.Failures.Max.String()+" failures")
	add(!p.Gate.From.IsZero() || !p.Gate.Until.IsZero(), "in a window")
	return strings.Join(words, ", ")
}
