package conformance_test

import "strings"

// What a run has to have seen of the create rules: path without indices, type and
// the beginning of the text. Only those kinds are missing that a run sees fewer
// than about fifteen times.
const lintCreateKinds = `
metadata.annotations | Invalid value | a valid label key must consist of alphanumeric characters, '
metadata.annotations | Too long | may not be more than 262144 bytes
metadata.annotations[] | Invalid value | strconv.ParseInt: parsing "": invalid syntax
metadata.annotations[] | Invalid value | strconv.ParseInt: parsing "": value out of range
metadata.finalizers | Invalid value | a valid label key must consist of alphanumeric characters, '
metadata.finalizers | Invalid value | finalizer orphan and foregroundDeletion cannot be both set
metadata.finalizers[] | Invalid value | name is neither a standard finalizer name nor is it fully qu
metadata.generateName | Invalid value | a lowercase RFC 1123 subdomain must consist of lower case al
metadata.generation | Invalid value | must be greater than or equal to 0
metadata.labels | Invalid value | a valid label key must consist of alphanumeric characters, '
metadata.labels | Invalid value | a valid label must be an empty string or consist of alphanum
metadata.labels | Invalid value | must be no more than 63 bytes
metadata.labels | Invalid value | name part must be no more than 63 bytes
metadata.labels | Invalid value | name part must be non-empty
metadata.labels | Invalid value | name part must consist of alphanumeric characters, '-', '_'
metadata.labels | Invalid value | prefix part a lowercase RFC 1123 subdomain must consist of l
metadata.labels | Invalid value | prefix part must be non-empty
metadata.managedFields[].fieldsType | Invalid value | must be ` + "`" + `FieldsV1` + "`" + `
metadata.managedFields[].manager | Invalid value | invalid character U+0001 (at position 0)
metadata.managedFields[].manager | Too long | may not be more than 128 bytes
metadata.managedFields[].operation | Required value | must not be empty
metadata.managedFields[].operation | Unsupported value | supported values: "", ""
metadata.managedFields[].subresource | Too long | may not be more than 256 bytes
metadata.name | Invalid value | a lowercase RFC 1123 subdomain must consist of lower case al
metadata.name | Invalid value | must be no more than 253 characters
metadata.name | Required value | name or generateName is required
metadata.namespace | Invalid value | a lowercase RFC 1123 label must consist of lower case alphan
metadata.namespace | Required value |
metadata.ownerReferences | Invalid value | Only one reference can have Controller set to true. Found ""
metadata.ownerReferences[].apiVersion | Invalid value | must be <group>/<version> or <version>
metadata.ownerReferences[].apiVersion | Required value | must not be empty
metadata.ownerReferences[].kind | Required value | must not be empty
metadata.ownerReferences[].name | Required value | must not be empty
metadata.ownerReferences[].uid | Required value | must not be empty
spec.minReadySeconds | Invalid value | must be greater than or equal to 0
spec.revisionHistoryLimit | Invalid value | must be greater than or equal to 0
spec.selector | Invalid value | empty selector is invalid for daemonset
spec.selector.matchExpressions[].key | Invalid value | a valid label key must consist of alphanumeric characters, '
spec.selector.matchExpressions[].key | Invalid value | name part must be no more than 63 bytes
spec.selector.matchExpressions[].key | Invalid value | name part must be non-empty
spec.selector.matchExpressions[].key | Invalid value | name part must consist of alphanumeric characters, '-', '_'
spec.selector.matchExpressions[].key | Invalid value | prefix part a lowercase RFC 1123 subdomain must consist of l
spec.selector.matchExpressions[].key | Invalid value | prefix part must be non-empty
spec.selector.matchExpressions[].operator | Invalid value | not a valid selector operator
spec.selector.matchExpressions[].values | Forbidden | may not be specified when ` + "`" + `operator` + "`" + ` is 'Exists' or 'DoesNot
spec.selector.matchExpressions[].values | Required value | must be specified when ` + "`" + `operator` + "`" + ` is 'In' or 'NotIn'
spec.selector.matchExpressions[].values[] | Invalid value | a valid label must be an empty string or consist of alphanum
spec.selector.matchExpressions[].values[] | Invalid value | must be no more than 63 bytes
spec.selector.matchLabels | Invalid value | a valid label must be an empty string or consist of alphanum
spec.selector.matchLabels | Invalid value | must be no more than 63 bytes
spec.selector.matchLabels | Invalid value | name part must be non-empty
spec.selector.matchLabels | Invalid value | name part must consist of alphanumeric characters, '-', '_'
spec.template.annotations | Invalid value | a valid label key must consist of alphanumeric characters, '
spec.template.annotations | Invalid value | unexpected end of JSON input
spec.template.annotations.container.seccomp.security.alpha.kubernetes.io/a | Invalid value | must be a relative path
spec.template.annotations.container.seccomp.security.alpha.kubernetes.io/a | Invalid value | must be a valid seccomp profile
spec.template.annotations.container.seccomp.security.alpha.kubernetes.io/a | Invalid value | must not contain '..'
spec.template.annotations.scheduler.alpha.kubernetes.io/tolerations[].effect | Invalid value | effect must be 'NoExecute' when ` + "`" + `tolerationSeconds` + "`" + ` is set
spec.template.annotations.scheduler.alpha.kubernetes.io/tolerations[].effect | Unsupported value | supported values: "", "", ""
spec.template.annotations.scheduler.alpha.kubernetes.io/tolerations[].key | Invalid value | a valid label key must consist of alphanumeric characters, '
spec.template.annotations.scheduler.alpha.kubernetes.io/tolerations[].operator | Invalid value | operator must be Exists when ` + "`" + `key` + "`" + ` is empty, which means ""
spec.template.annotations.scheduler.alpha.kubernetes.io/tolerations[].operator | Unsupported value | supported values: "", "", "", ""
spec.template.annotations.scheduler.alpha.kubernetes.io/tolerations[].value | Invalid value | must be a valid decimal integer in canonical form
spec.template.annotations.scheduler.alpha.kubernetes.io/tolerations[].value | Invalid value | strconv.ParseInt: parsing "": invalid syntax
spec.template.annotations.seccomp.security.alpha.kubernetes.io/pod | Invalid value | must be a relative path
spec.template.annotations.seccomp.security.alpha.kubernetes.io/pod | Invalid value | must be a valid seccomp profile
spec.template.annotations.seccomp.security.alpha.kubernetes.io/pod | Invalid value | must not contain '..'
spec.template.annotations[] | Invalid value | container not found
spec.template.annotations[] | Invalid value | invalid AppArmor profile name: ""
spec.template.annotations[] | Invalid value | must be a 32bit integer
spec.template.annotations[] | Invalid value | must set spec.nodeName if mirror pod annotation is set
spec.template.labels | Invalid value | a valid label key must consist of alphanumeric characters, '
spec.template.labels | Invalid value | a valid label must be an empty string or consist of alphanum
spec.template.labels | Invalid value | must be no more than 63 bytes
spec.template.labels | Invalid value | name part must be no more than 63 bytes
spec.template.labels | Invalid value | name part must be non-empty
spec.template.labels | Invalid value | name part must consist of alphanumeric characters, '-', '_'
spec.template.labels | Invalid value | prefix part a lowercase RFC 1123 subdomain must consist of l
spec.template.labels | Invalid value | prefix part must be non-empty
spec.template.metadata.labels | Invalid value | ` + "`" + `selector` + "`" + ` does not match template ` + "`" + `labels` + "`" + `
spec.template.spec.activeDeadlineSeconds | Forbidden | activeDeadlineSeconds in DaemonSet is not Supported
spec.template.spec.activeDeadlineSeconds | Invalid value | must be between 1 and 2147483647, inclusive
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchExpressions[].key | Invalid value | a valid label key must consist of alphanumeric characters, '
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchExpressions[].key | Invalid value | name part must be no more than 63 bytes
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchExpressions[].key | Invalid value | name part must be non-empty
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchExpressions[].key | Invalid value | name part must consist of alphanumeric characters, '-', '_'
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchExpressions[].key | Invalid value | prefix part a lowercase RFC 1123 subdomain must consist of l
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchExpressions[].key | Invalid value | prefix part must be non-empty
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchExpressions[].operator | Invalid value | not a valid selector operator
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchExpressions[].values | Forbidden | may not be specified when ` + "`" + `operator` + "`" + ` is 'Exists' or 'DoesNot
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchExpressions[].values | Required value | must be specified single value when ` + "`" + `operator` + "`" + ` is 'Lt' or 'G
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchExpressions[].values | Required value | must be specified when ` + "`" + `operator` + "`" + ` is 'In' or 'NotIn'
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchFields[].key | Invalid value | not a valid field selector key
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchFields[].operator | Invalid value | not a valid selector operator
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchFields[].values | Required value | must be only one value when ` + "`" + `operator` + "`" + ` is 'In' or 'NotIn' fo
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchFields[].values[] | Invalid value | a lowercase RFC 1123 subdomain must consist of lower case al
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference.matchFields[].values[] | Invalid value | must be no more than 253 characters
spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].weight | Invalid value | must be in the range 1-100
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms | Required value | must have at least one node selector term
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].key | Invalid value | a valid label key must consist of alphanumeric characters, '
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].key | Invalid value | name part must be no more than 63 bytes
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].key | Invalid value | name part must be non-empty
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].key | Invalid value | name part must consist of alphanumeric characters, '-', '_'
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].key | Invalid value | prefix part a lowercase RFC 1123 subdomain must consist of l
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].key | Invalid value | prefix part must be non-empty
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].operator | Invalid value | not a valid selector operator
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].values | Forbidden | may not be specified when ` + "`" + `operator` + "`" + ` is 'Exists' or 'DoesNot
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].values | Required value | must be specified single value when ` + "`" + `operator` + "`" + ` is 'Lt' or 'G
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].values | Required value | must be specified when ` + "`" + `operator` + "`" + ` is 'In' or 'NotIn'
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].values[] | Invalid value | a valid label must be an empty string or consist of alphanum
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].values[] | Invalid value | must be no more than 63 bytes
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchFields[].key | Invalid value | not a valid field selector key
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchFields[].operator | Invalid value | not a valid selector operator
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchFields[].values | Required value | must be only one value when ` + "`" + `operator` + "`" + ` is 'In' or 'NotIn' fo
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchFields[].values[] | Invalid value | a lowercase RFC 1123 subdomain must consist of lower case al
spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchFields[].values[] | Invalid value | must be no more than 253 characters
spec.template.spec.containers | Required value |
spec.template.spec.containers[].image | Required value |
spec.template.spec.containers[].imagePullPolicy | Unsupported value | supported values: "", "", ""
spec.template.spec.containers[].name | Duplicate value |
spec.template.spec.containers[].name | Invalid value | a lowercase RFC 1123 label must consist of lower case alphan
spec.template.spec.containers[].name | Invalid value | must be no more than 63 characters
spec.template.spec.containers[].name | Invalid value | must not contain dots
spec.template.spec.containers[].name | Required value |
spec.template.spec.containers[].ports[].containerPort | Invalid value | must be between 1 and 65535, inclusive
spec.template.spec.containers[].ports[].containerPort | Required value |
spec.template.spec.containers[].ports[].hostPort | Duplicate value |
spec.template.spec.containers[].ports[].hostPort | Invalid value | must be between 1 and 65535, inclusive
spec.template.spec.containers[].ports[].hostPort | Invalid value | must match ` + "`" + `containerPort` + "`" + ` when ` + "`" + `hostNetwork` + "`" + ` is true
spec.template.spec.containers[].ports[].name | Duplicate value |
spec.template.spec.containers[].ports[].name | Invalid value | must be no more than 15 characters
spec.template.spec.containers[].ports[].name | Invalid value | must contain at least one letter (a-z)
spec.template.spec.containers[].ports[].name | Invalid value | must contain only alpha-numeric characters (a-z, 0-9), and h
spec.template.spec.containers[].ports[].name | Invalid value | must not begin or end with a hyphen
spec.template.spec.containers[].ports[].name | Invalid value | must not contain consecutive hyphens
spec.template.spec.containers[].ports[].protocol | Unsupported value | supported values: "", "", ""
spec.template.spec.containers[].terminationMessagePolicy | Unsupported value | supported values: "", ""
spec.template.spec.dnsConfig | Required value | must provide ` + "`" + `dnsConfig` + "`" + ` when ` + "`" + `dnsPolicy` + "`" + ` is None
spec.template.spec.dnsConfig.nameservers | Required value | must provide at least one DNS nameserver when ` + "`" + `dnsPolicy` + "`" + ` is
spec.template.spec.dnsPolicy | Unsupported value | supported values: "", "", "", ""
spec.template.spec.ephemeralContainers | Forbidden | ephemeral containers not allowed in pod template
spec.template.spec.initContainers[].image | Required value |
spec.template.spec.initContainers[].imagePullPolicy | Unsupported value | supported values: "", "", ""
spec.template.spec.initContainers[].name | Duplicate value |
spec.template.spec.initContainers[].name | Invalid value | a lowercase RFC 1123 label must consist of lower case alphan
spec.template.spec.initContainers[].name | Invalid value | must be no more than 63 characters
spec.template.spec.initContainers[].name | Invalid value | must not contain dots
spec.template.spec.initContainers[].name | Required value |
spec.template.spec.initContainers[].ports[].containerPort | Invalid value | must be between 1 and 65535, inclusive
spec.template.spec.initContainers[].ports[].containerPort | Required value |
spec.template.spec.initContainers[].ports[].hostPort | Duplicate value |
spec.template.spec.initContainers[].ports[].hostPort | Invalid value | must be between 1 and 65535, inclusive
spec.template.spec.initContainers[].ports[].name | Duplicate value |
spec.template.spec.initContainers[].ports[].name | Invalid value | must be no more than 15 characters
spec.template.spec.initContainers[].ports[].name | Invalid value | must contain at least one letter (a-z)
spec.template.spec.initContainers[].ports[].name | Invalid value | must contain only alpha-numeric characters (a-z, 0-9), and h
spec.template.spec.initContainers[].ports[].name | Invalid value | must not begin or end with a hyphen
spec.template.spec.initContainers[].ports[].name | Invalid value | must not contain consecutive hyphens
spec.template.spec.initContainers[].ports[].protocol | Unsupported value | supported values: "", "", ""
spec.template.spec.initContainers[].terminationMessagePolicy | Unsupported value | supported values: "", ""
spec.template.spec.nodeName | Invalid value | a lowercase RFC 1123 subdomain must consist of lower case al
spec.template.spec.nodeName | Invalid value | must be no more than 253 characters
spec.template.spec.nodeSelector | Invalid value | a valid label key must consist of alphanumeric characters, '
spec.template.spec.nodeSelector | Invalid value | a valid label must be an empty string or consist of alphanum
spec.template.spec.nodeSelector | Invalid value | must be no more than 63 bytes
spec.template.spec.nodeSelector | Invalid value | name part must be no more than 63 bytes
spec.template.spec.nodeSelector | Invalid value | name part must be non-empty
spec.template.spec.nodeSelector | Invalid value | name part must consist of alphanumeric characters, '-', '_'
spec.template.spec.nodeSelector | Invalid value | prefix part a lowercase RFC 1123 subdomain must consist of l
spec.template.spec.nodeSelector | Invalid value | prefix part must be non-empty
spec.template.spec.restartPolicy | Unsupported value | supported values: ""
spec.template.spec.restartPolicy | Unsupported value | supported values: "", "", ""
spec.template.spec.tolerations[].effect | Invalid value | effect must be 'NoExecute' when ` + "`" + `tolerationSeconds` + "`" + ` is set
spec.template.spec.tolerations[].effect | Unsupported value | supported values: "", "", ""
spec.template.spec.tolerations[].key | Invalid value | a valid label key must consist of alphanumeric characters, '
spec.template.spec.tolerations[].key | Invalid value | name part must be no more than 63 bytes
spec.template.spec.tolerations[].key | Invalid value | name part must be non-empty
spec.template.spec.tolerations[].key | Invalid value | name part must consist of alphanumeric characters, '-', '_'
spec.template.spec.tolerations[].key | Invalid value | prefix part a lowercase RFC 1123 subdomain must consist of l
spec.template.spec.tolerations[].key | Invalid value | prefix part must be non-empty
spec.template.spec.tolerations[].operator | Invalid value | a valid label must be an empty string or consist of alphanum
spec.template.spec.tolerations[].operator | Invalid value | must be no more than 63 bytes
spec.template.spec.tolerations[].operator | Invalid value | operator must be Exists when ` + "`" + `key` + "`" + ` is empty, which means ""
spec.template.spec.tolerations[].operator | Invalid value | value must be empty when ` + "`" + `operator` + "`" + ` is 'Exists'
spec.template.spec.tolerations[].operator | Unsupported value | supported values: "", ""
spec.template.spec.tolerations[].operator | Unsupported value | supported values: "", "", "", ""
spec.template.spec.tolerations[].value | Invalid value | must be a valid decimal integer in canonical form
spec.template.spec.tolerations[].value | Invalid value | must be non-empty
spec.template.spec.tolerations[].value | Invalid value | strconv.ParseInt: parsing "": invalid syntax
spec.template.spec.tolerations[].value | Invalid value | strconv.ParseInt: parsing "": value out of range
spec.updateStrategy | Unsupported value | supported values: "", ""
spec.updateStrategy.rollingUpdate.maxSurge | Invalid value | a valid percent string must be a numeric string followed by
spec.updateStrategy.rollingUpdate.maxSurge | Invalid value | may not be set when maxUnavailable is non-zero
spec.updateStrategy.rollingUpdate.maxSurge | Invalid value | must be an integer or percentage (e.g '5%%')
spec.updateStrategy.rollingUpdate.maxSurge | Invalid value | must be greater than or equal to 0
spec.updateStrategy.rollingUpdate.maxSurge | Invalid value | must not be greater than 100%
spec.updateStrategy.rollingUpdate.maxUnavailable | Invalid value | a valid percent string must be a numeric string followed by
spec.updateStrategy.rollingUpdate.maxUnavailable | Invalid value | must be an integer or percentage (e.g '5%%')
spec.updateStrategy.rollingUpdate.maxUnavailable | Invalid value | must be greater than or equal to 0
spec.updateStrategy.rollingUpdate.maxUnavailable | Invalid value | must not be greater than 100%
spec.updateStrategy.rollingUpdate.maxUnavailable | Required value | cannot be 0 when maxSurge is 0
valid
`

// What a run has to have seen of the update rules, and where an update was let
// pass that would not pass as a new object.
const lintUpdateKinds = `
metadata.creationTimestamp | Invalid value | field is immutable
metadata.deletionGracePeriodSeconds | Invalid value | field is immutable
metadata.deletionTimestamp | Invalid value | field is immutable
metadata.finalizers | Forbidden | no new finalizers can be added if the object is being delete
metadata.finalizers[] | Invalid value | name is neither a standard finalizer name nor is it fully qu
metadata.generation | Invalid value | must be greater than or equal to 0
metadata.generation | Invalid value | must not be decremented
metadata.name | Invalid value | field is immutable
metadata.namespace | Invalid value | field is immutable
metadata.resourceVersion | Invalid value | must be specified for an update
metadata.uid | Invalid value | field is immutable
passes only an update: metadata.finalizers
passes only an update: metadata.generateName
passes only an update: metadata.name
passes only an update: metadata.namespace
passes only an update: spec.selector.matchExpressions[].values[]
passes only an update: spec.template.annotations.scheduler.alpha.kubernetes.io/tolerations[].operator
passes only an update: spec.template.annotations[]
passes only an update: spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[].matchExpressions[].values[]
passes only an update: spec.template.spec.tolerations[].operator
spec.selector | Invalid value | empty selector is invalid for daemonset
spec.selector | Invalid value | field is immutable
valid
`

// lintDefaultKinds lists every field that defaulting fills in or rounds.
func lintDefaultKinds() string {
	handlers := []string{"HTTPGet.Path", "HTTPGet.Scheme"}
	probe := append([]string{"TimeoutSeconds", "PeriodSeconds", "SuccessThreshold", "FailureThreshold", "GRPC.Service"}, handlers...)
	container := []string{"ImagePullPolicy", "TerminationMessagePath", "TerminationMessagePolicy", "Ports.Protocol",
		"Env.ValueFrom.FieldRef.APIVersion", "Env.ValueFrom.FileKeyRef.Optional", "Resources.Limits", "Resources.Requests"}
	for _, name := range []string{"LivenessProbe", "ReadinessProbe", "StartupProbe"} {
		for _, field := range probe {
			container = append(container, name+"."+field)
		}
	}
	for _, name := range []string{"Lifecycle.PostStart", "Lifecycle.PreStop"} {
		for _, field := range handlers {
			container = append(container, name+"."+field)
		}
	}
	fields := []string{"DNSPolicy", "RestartPolicy", "SchedulerName", "SecurityContext", "TerminationGracePeriodSeconds", "ServiceAccountName",
		"DeprecatedServiceAccount", "Overhead", "Resources.Limits", "Resources.Requests",
		"Volumes.EmptyDir", "Volumes.HostPath.Type", "Volumes.Secret.DefaultMode", "Volumes.ConfigMap.DefaultMode", "Volumes.Image.PullPolicy",
		"Volumes.DownwardAPI.DefaultMode", "Volumes.DownwardAPI.Items.FieldRef.APIVersion",
		"Volumes.Projected.DefaultMode", "Volumes.Projected.Sources.DownwardAPI.Items.FieldRef.APIVersion",
		"Volumes.Projected.Sources.ServiceAccountToken.ExpirationSeconds",
		"Volumes.ISCSI.ISCSIInterface", "Volumes.RBD.RBDPool", "Volumes.RBD.RadosUser", "Volumes.RBD.Keyring",
		"Volumes.AzureDisk.CachingMode", "Volumes.AzureDisk.FSType", "Volumes.AzureDisk.Kind", "Volumes.AzureDisk.ReadOnly",
		"Volumes.ScaleIO.FSType", "Volumes.ScaleIO.StorageMode", "Volumes.Ephemeral.VolumeClaimTemplate.Spec.VolumeMode",
		"Volumes.Ephemeral.VolumeClaimTemplate.Spec.Resources.Limits", "Volumes.Ephemeral.VolumeClaimTemplate.Spec.Resources.Requests"}
	for _, list := range []string{"InitContainers", "Containers", "EphemeralContainers"} {
		for _, field := range container {
			fields = append(fields, list+"."+field)
		}
	}
	return ".Spec.RevisionHistoryLimit\n.Spec.UpdateStrategy.Type\n.Spec.UpdateStrategy.RollingUpdate\n" +
		".Spec.UpdateStrategy.RollingUpdate.MaxUnavailable\n.Spec.UpdateStrategy.RollingUpdate.MaxSurge\n" +
		".Spec.Template.Spec." + strings.Join(fields, "\n.Spec.Template.Spec.")
}
