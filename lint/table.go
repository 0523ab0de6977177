package lint

// The rules. Each says of itself what it looks for: see [Rules].
const (
	// Where pods run.
	NoNode             RuleID = "no-node"
	LabelSpelling      RuleID = "label-spelling"
	NodeNameSet        RuleID = "node-name-set"
	LandsOnWindows     RuleID = "lands-on-windows"
	MixedArchitectures RuleID = "mixed-architectures"
	LandsOnVirtualNode RuleID = "lands-on-virtual-node"
	AffinityUnparsable RuleID = "affinity-unparsable"

	// What they tolerate.
	ToleratesEverything       RuleID = "tolerates-everything"
	TolerationWithoutOperator RuleID = "toleration-without-operator"
	MasterWithoutControlPlane RuleID = "master-without-control-plane"

	// What they cost.
	NoResources     RuleID = "no-resources"
	LimitsOnly      RuleID = "limits-only"
	CostShare       RuleID = "cost-share"
	NoPriorityClass RuleID = "no-priority-class"

	// How they roll.
	SurgeHostPort       RuleID = "surge-host-port"
	SurgeHostNetwork    RuleID = "surge-host-network"
	SurgeExclusive      RuleID = "surge-exclusive-resource"
	MaxUnavailableFleet RuleID = "max-unavailable-whole-fleet"
	SlowRollout         RuleID = "slow-rollout"
	NoReadiness         RuleID = "no-readiness"
	OnDelete            RuleID = "on-delete"
	TopologySpread      RuleID = "topology-spread"

	// Labels.
	LabelNumber       RuleID = "label-number"
	LabelTooLong      RuleID = "label-too-long"
	DeprecatedLabel   RuleID = "deprecated-label"
	SelectorCollision RuleID = "selector-collision"

	// Named for review.
	PrivilegedContainer RuleID = "privileged-container"
	HostNamespace       RuleID = "host-namespace"
)

// table is every rule. A new one is an entry here and one in TestRules.
var table = []Rule{
	{
		ID: NoNode, Severity: Warning, check: checkNoNode,
		Summary: "selects no node",
		Why:     "A DaemonSet without nodes is done at once, 0 of 0, and nothing reports that no agent runs.",
		Source:  "https://github.com/kubernetes/kubernetes/issues/112759",
	},
	{
		ID: LabelSpelling, Severity: Warning, Needs: NeedsNodes, check: checkSpelling,
		Summary: "selects fewer nodes than meant, because a label differs in spelling alone",
		Why:     "Labels are compared byte by byte. A node with Pool=GPU is left out without a word, and no status counts it.",
		Source:  "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/",
	},
	{
		ID: NodeNameSet, Severity: Warning, check: checkNodeName,
		Summary: "nodeName in the template",
		Why:     "The controller compares it with every node, so pods run on one node, or on none once that is gone.",
		Source:  "https://github.com/kubernetes/kubernetes/issues/14326",
	},
	{
		ID: LandsOnWindows, Severity: Warning, Needs: NeedsNodes, check: checkWindows,
		Summary: "lands on Windows nodes without a selector for the operating system",
		Why:     "A blanket toleration covers the taint that keeps Linux pods off Windows nodes; the pods never start there and use up maxUnavailable.",
		Source:  "https://github.com/kubernetes/kubernetes/issues/94366",
	},
	{
		ID: MixedArchitectures, Severity: Notice, Needs: NeedsNodes, check: checkArchitectures,
		Summary: "lands on nodes of several architectures without a selector for one",
		Why:     "An image that is built for amd64 alone fails on arm64 nodes with an exec format error.",
		Source:  "https://github.com/kubernetes-sigs/aws-fsx-csi-driver/issues/137",
	},
	{
		ID: LandsOnVirtualNode, Severity: Warning, Needs: NeedsNodes, check: checkVirtual,
		Summary: "lands on virtual nodes, such as Fargate, that run no daemon pods",
		Why:     "Pods stay Pending on such nodes for ever and use up maxUnavailable, so that updates stop.",
		Source:  "https://github.com/aws/amazon-cloudwatch-agent-operator/issues/183",
	},
	{
		ID: AffinityUnparsable, Severity: Error, check: checkAffinity,
		Summary: "a term of node affinity that does not parse or is empty",
		Why:     "The controller drops the error and takes the term as one that matches nothing; other terms still count.",
		Source:  "https://github.com/kubernetes/kubernetes/issues/62221",
	},
	{
		ID: ToleratesEverything, Severity: Notice, check: checkEverything,
		Summary: "tolerates every taint",
		Why:     "Pods start on nodes that an autoscaler is removing and on virtual nodes, and are never evicted from dead ones. Agents that every node needs mean this.",
		Source:  "https://github.com/admiraltyio/admiralty/issues/114",
	},
	{
		ID: TolerationWithoutOperator, Severity: Warning, check: checkOperator,
		Summary: "a toleration without operator and value",
		Why:     "No operator means Equal, and no value the empty one: a taint key=value is not tolerated.",
		Source:  "https://github.com/kubereboot/kured/issues/833",
	},
	{
		ID: MasterWithoutControlPlane, Severity: Warning, check: checkMaster,
		Summary: "tolerates the taint of masters and not that of the control plane",
		Why:     "Kubernetes 1.25 removed the master taint; pods have been off the control plane since.",
		Source:  "https://kubernetes.io/docs/reference/labels-annotations-taints/",
	},
	{
		ID: NoResources, Severity: Warning, check: checkNoResources,
		Summary: "a container without requests and limits",
		Why:     "The scheduler keeps no room for it, autoscalers size nodes without it, and with BestEffort it is evicted first.",
		Source:  "https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/",
	},
	{
		ID: LimitsOnly, Severity: Notice, check: checkLimitsOnly,
		Summary: "a limit of cpu or memory without a request",
		Why:     "The API server copies the limit to the request of pods, not of templates: pods ask for more than meant, and autoscalers that read the template see 0.",
		Source:  "https://github.com/aws/karpenter-provider-aws/issues/1573",
	},
	{
		ID: CostShare, Severity: Warning, Needs: NeedsNodes, check: checkShare,
		Summary: "asks for more than a share of the smallest node",
		Why:     "What a daemon pod asks for is taken from every node, and where it does not fit it stays Pending and blocks updates.",
		Source:  "https://github.com/kubernetes/kubernetes/issues/140984",
	},
	{
		ID: NoPriorityClass, Severity: Warning, check: checkPriority,
		Summary: "an agent with host access and without a priority class",
		Why:     "On a full node other pods keep the agent out, and under pressure it is evicted before them.",
		Source:  "https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/",
	},
	{
		ID: SurgeHostPort, Severity: Error, check: checkSurgePorts,
		Summary: "surge with a port of the host",
		Why:     "Both pods want the port: the new one stays Pending until the old one is gone, and the old one stays until the new one is ready.",
		Source:  "https://github.com/openkruise/kruise/issues/2361",
	},
	{
		ID: SurgeHostNetwork, Severity: Warning, check: checkSurgeNetwork,
		Summary: "surge on the host network, with ports that are not declared",
		Why:     "The second process fails to bind the port that the first one has; the scheduler cannot know.",
		Source:  "https://kubernetes.io/docs/tasks/manage-daemon/update-daemon-set/",
	},
	{
		ID: SurgeExclusive, Severity: Warning, check: checkSurgeDevices,
		Summary: "surge with a device that a node has too few of for two pods",
		Why:     "The new pod waits for the device, and the old one gives it up only when the new one is ready.",
		Source:  "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",
	},
	{
		ID: MaxUnavailableFleet, Severity: Warning, check: checkMaxUnavailable,
		Summary: "maxUnavailable at or above the number of nodes",
		Why:     "One step of an update replaces every pod; a bad image takes all agents down.",
		Source:  "https://github.com/helm/helm/issues/8660",
	},
	{
		ID: SlowRollout, Severity: Warning, Needs: NeedsNodes, check: checkSlow,
		Summary: "a limit so small that an update takes longer than it may",
		Why:     "maxUnavailable is 1 unless it is set, which takes hours on a thousand nodes.",
		Source:  "https://kubernetes.io/docs/tasks/manage-daemon/update-daemon-set/",
	},
	{
		ID: NoReadiness, Severity: Warning, check: checkReadiness,
		Summary: "minReadySeconds 0 and no probe",
		Why:     "A pod that crashes a second after its start was available for that second, and the update went on.",
		Source:  "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/",
	},
	{
		ID: OnDelete, Severity: Notice, check: checkOnDelete,
		Summary: "the update strategy OnDelete",
		Why:     "Nothing replaces old pods. New nodes get the new template all the same, and tools disagree whether such a rollout is ever done.",
		Source:  "https://github.com/fluxcd/flux2/issues/2078",
	},
	{
		ID: TopologySpread, Severity: Warning, check: checkSpread,
		Summary: "topology spread constraints",
		Why:     "The controller pins each pod to its node, so there is no choice left to make.",
		Source:  "https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/",
	},
	{
		ID: LabelNumber, Severity: Notice, check: checkNumbers,
		Summary: "a label value that YAML reads as a number",
		Why:     "The API server refuses a label value that is no string, which is what comes out of a template engine without quotes.",
		Source:  "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/",
	},
	{
		ID: LabelTooLong, Severity: Error, check: checkLength,
		Summary: "a label value of more than 63 characters",
		Why:     "The API server refuses the object; in nodeSelector it asks for a label that no node can have.",
		Source:  "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/",
	},
	{
		ID: DeprecatedLabel, Severity: Warning, check: checkDeprecated,
		Summary: "a node label that was replaced",
		Why:     "Nodes lose the old label with a new version, and the DaemonSet loses the nodes at once.",
		Source:  "https://kubernetes.io/docs/reference/labels-annotations-taints/",
	},
	{
		ID: SelectorCollision, Severity: Warning, Needs: NeedsOthers, check: checkSelector,
		Summary: "a selector that matches the pods of another DaemonSet",
		Why:     "Each may adopt pods that the other left behind, and tools that list by selector show both.",
		Source:  "https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/",
	},
	{
		ID: PrivilegedContainer, Severity: Notice, check: checkPrivileged,
		Summary: "a privileged container",
		Why:     "It can do to the node whatever root can.",
		Source:  "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
	},
	{
		ID: HostNamespace, Severity: Notice, check: checkNamespaces,
		Summary: "a namespace of the host",
		Why:     "The pod sees the processes or the traffic of the node.",
		Source:  "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
	},
}
