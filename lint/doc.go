// Package lint says what is wrong with a DaemonSet: what the API server would
// refuse, without an API server, and what it would take although it is hardly meant.
// It also fills in the fields that the API server would fill in.
//
//	if errs := lint.Validate(ds, lint.Options{}); len(errs) > 0 {
//		return errs.ToAggregate()
//	}
//	if errs := lint.ValidateUpdate(updated, live, lint.Options{}); len(errs) > 0 {
//		return errs.ToAggregate()
//	}
//	for _, f := range lint.Check(ds, lint.Context{Nodes: nodes, Others: daemonSets}) {
//		fmt.Println(f, f.Suggestion)
//	}
//	same := equality.Semantic.DeepEqual(lint.DefaultTemplate(&file.Spec.Template), &live.Spec.Template)
//
// # What is found
//
// [Check] asks the rules of [Rules], alone or against a fleet of nodes and the other
// DaemonSets. Each rule says of itself why it is there and who it happened to; a
// program shows that beside a finding. The severities: [Error] does not work as it
// is written, [Warning] works and is most likely not meant, [Notice] may be meant.
// A finding states what is so, not what was meant: an agent that has to tolerate
// everything gets a Notice of it all the same, to be switched off by Context.Off
// once somebody has looked.
//
// # What is refused
//
// The rules of [Validate] are those of Kubernetes 1.37 with the feature gates of a
// default cluster. Errors are entries of a [field.ErrorList] with the type, the
// field path and the detail text of the API server, as far as the version of
// k8s.io/apimachinery that is linked in words them as the server does; see below.
//
// # What validation judges
//
// Everything that decides where daemon pods run and how they roll:
//
//   - metadata: name (a DNS subdomain), namespace (required), generateName,
//     generation, labels, annotations, finalizers, owner references, managed
//     fields; for an update also what may not change;
//   - spec.selector: its form, that it is not empty, that it matches the labels
//     of the template, and for an update that it did not change;
//   - spec.minReadySeconds, spec.revisionHistoryLimit, spec.updateStrategy;
//   - spec.template.metadata: labels and annotations, among them the annotations
//     with a meaning of their own (mirror pod, tolerations, deletion cost,
//     seccomp, AppArmor). The API server reports both under spec.template.labels
//     and spec.template.annotations, without "metadata", and judges nothing else
//     there: names, finalizers and owner references of a template pass;
//   - spec.template.spec: nodeName, nodeSelector, affinity.nodeAffinity,
//     tolerations, restartPolicy, activeDeadlineSeconds, dnsPolicy (with the name
//     servers that the policy None asks for), the presence of
//     ephemeralContainers, and of containers and initContainers: name, image,
//     imagePullPolicy, terminationMessagePolicy and ports.
//
// # What validation does not judge yet
//
// The rest of a pod template: volumes and mounts, environment, probes, lifecycle
// hooks, resources and overhead, resize policies, restart policies of single
// containers, security contexts (and whether they agree with the seccomp and
// AppArmor annotations), pod affinity and anti-affinity, topology spread,
// the other rules of dnsConfig, gates, host aliases, host name and subdomain,
// service account, image pull secrets, priority, preemption, runtime class, OS,
// resource claims, scheduling groups and eviction responders. An empty list of
// errors therefore does not promise that a cluster takes the object, but an
// error does mean that it refuses. Admission plugins, quotas and webhooks are
// out of reach.
//
// # Good to know
//
//   - Defaults come first, as in the API server: an empty strategy type passes,
//     and a manifest that sets maxSurge alone is refused, because maxUnavailable
//     defaults to 1.
//   - terminationGracePeriodSeconds has no rule of its own once it is
//     defaulted; the API server takes a negative one.
//   - The image of a container in a template may be padded with white space. Only
//     on a pod is that an error.
//   - apps/v1 has no templateGeneration. The number lives in the annotation
//     deprecated.daemonset.template.generation, which the API server keeps itself;
//     all that can be wrong with it is that it is no number.
//   - The rules about metadata, label keys and values, and selectors are those of
//     the version of k8s.io/apimachinery that is linked in. With v0.37 they are the
//     API server's of 1.37, word for word; older versions word many of them
//     differently ("63 characters" for "63 bytes"), report some errors of owner
//     references and managed fields at other paths, and let an update keep a
//     negative metadata.generation. What they accept is the same otherwise.
//
// # Order and memory
//
// Errors come in the order metadata, selector, template metadata, template spec,
// then the other fields of the spec; within metadata, a selector or a map they
// are ordered by field path. Findings come in the order of their severity, rule, field
// and message. No function writes to its arguments, and no result
// shares memory with them.
package lint
