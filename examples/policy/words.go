package main

import "github.com/daemonplan/daemonplan/rollout"

// reasonTexts say in words why something is done or held. They follow the name of
// a pod or a node.
var reasonTexts = map[rollout.Reason]string{
	rollout.PodMissing:       "the node has no pod",
	rollout.SurgeNoneLeft:    "none of the pods of the node runs",
	rollout.SurgeUnavailable: "beside an old pod that is not available: no limit",
	rollout.SurgeAvailable:   "beside an old pod, within maxSurge",

	rollout.Failed:              "it failed: another one gets a try",
	rollout.Succeeded:           "it ended",
	rollout.Excess:              "the node has one too many",
	rollout.NotEligible:         "no pod may stay on the node",
	rollout.NodeGone:            "its node does not exist",
	rollout.SurgedOverUnready:   "old, not ready any more, and a new one is there",
	rollout.SurgedOver:          "old, and the new one is available",
	rollout.OutdatedUnavailable: "old, and not available anyway",
	rollout.OutdatedAvailable:   "old, and the budget allows it",
	rollout.OutdatedNotEligible: "old, and the node gets no new one",

	rollout.HeldBackoff:  "failed a moment ago: the node is left alone for a while",
	rollout.HeldBudget:   "the budget is spent",
	rollout.HeldCapacity: "stays until enough pods are available elsewhere",
	rollout.HeldNodeGone: "the node does not exist",
	rollout.HeldStrategy: "the strategy rolls nothing: delete pods by hand",
	rollout.HeldBurst:    "more than one sync does",
	rollout.HeldInFlight: "earlier writes are not seen yet",

	rollout.HeldNotEligible: "the node gets no new pod, and does not count",
	rollout.HeldSelector:    "the selector leaves the node out",
	rollout.HeldNotChosen:   "the node is not on the list",
	rollout.HeldPartition:   "the partition keeps what the node has",
	rollout.HeldNoRestart:   "as good as new: needs no restart",
	rollout.HeldWave:        "another wave has its turn",
	rollout.HeldWaveBudget:  "too many nodes of the wave are unavailable",
	rollout.HeldStep:        "more than one plan updates",
	rollout.HeldSlowStart:   "more than is allowed this early",
	rollout.HeldRemovals:    "more than one plan removes",
	rollout.HeldFailures:    "too many new pods fail",
	rollout.HeldWindow:      "it is not the time for updates",
	rollout.HeldPaused:      "the policy pauses it",
	rollout.HeldTurn:        "what comes before an update is held",
}

// conditionTexts say in words how an update stands.
var conditionTexts = map[rollout.Condition]string{
	rollout.Done:    "every node that counts has an available new pod alone",
	rollout.Moving:  "there is something to do now",
	rollout.Waiting: "for pods that start or stop, or for a moment to come",
	rollout.Held:    "what is left is held back by choice",
	rollout.Blocked: "nothing will happen until somebody does something",
}

// spendingTexts say in words why a node spends the budget.
var spendingTexts = map[rollout.Spending]string{
	rollout.NoPod:           "has no pod",
	rollout.Stopping:        "the pod terminates",
	rollout.SeveralPods:     "has several pods, of which one has to go",
	rollout.Unscheduled:     "the pod has no node yet",
	rollout.PodFailed:       "the pod failed, or ended",
	rollout.CrashLoops:      "the pod crashes again and again",
	rollout.PodNotReady:     "the pod is not ready",
	rollout.NotReadyForLong: "ready, but not for minReadySeconds yet",
}

// troubleTexts say in words what is wrong with a node.
var troubleTexts = map[rollout.NodeTrouble]string{
	rollout.TroubleGone:        "node gone",
	rollout.TroubleNotEligible: "node gets no new one",
	rollout.TroubleNotReady:    "node not ready",
}
