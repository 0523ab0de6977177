// Package scenario reads the situations under testdata: what people met in
// real clusters, reduced to a DaemonSet, a few nodes and pods, and what has to
// come out. The files are meant to be read; every package tests its part of
// them.
//
// The DaemonSet of every scenario is called probe, in the namespace ns, and
// selects app=probe. Times are relative to one moment, [Now].
package scenario

import (
	"bufio"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

//go:embed testdata/*.yaml
var files embed.FS

// Now is the moment at which every scenario is looked at.
var Now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// Scenario is one situation. Fields that are left out of a file are not
// checked.
type Scenario struct {
	Title string `json:"title"`
	// Source is the thread that the situation was reduced from.
	Source string `json:"source"`

	// Spec is the spec of the pod template, without the container that every
	// scenario has.
	Spec                corev1.PodSpec      `json:"spec"`
	ComparisonOperators bool                `json:"comparisonOperators"`
	OnDelete            bool                `json:"onDelete"`
	MaxUnavailable      *intstr.IntOrString `json:"maxUnavailable"`
	MaxSurge            *intstr.IntOrString `json:"maxSurge"`
	MinReadySeconds     int32               `json:"minReadySeconds"`
	// Hash is that of the current revision: "new" unless a file says another.
	Hash string `json:"hash"`

	Nodes []Node `json:"nodes"`
	Pods  []Pod  `json:"pods"`

	// Verdicts, causes and hints are by node. A node without a cause has
	// none, where any node of the scenario has one.
	Verdicts map[string]string   `json:"verdicts"`
	Causes   map[string]string   `json:"causes"`
	Hints    map[string][]string `json:"hints"`
	// Problems are the fields of the template's affinity that do not parse.
	Problems []string `json:"problems"`
	// Tolerations are the effective ones.
	Tolerations  []string `json:"tolerations"`
	LatentLosses []string `json:"latentLosses"`
	Summary      string   `json:"summary"`
	// Status are the counters, as the controller writes them.
	Status *Status `json:"status"`
	// States are those of nodes that are not done.
	States map[string]string `json:"states"`
	// Next is when the next pod becomes available, from now on.
	Next Duration `json:"next"`
	// Manage is what that part of a sync does, and Update what the other part
	// would do had manage wanted nothing.
	Manage *Actions `json:"manage"`
	Update *Actions `json:"update"`
}

// Actions are nodes to create pods on and pods to delete, or how many.
type Actions struct {
	Create      []string `json:"create"`
	Delete      []string `json:"delete"`
	CreateCount int      `json:"createCount"`
	DeleteCount int      `json:"deleteCount"`
}

// Range stands for one object for each number from the first to the second one,
// which takes the place of {i} in names. Without it there is one object.
type Range [2]int

// names expands the templates of names.
func (r Range) names(templates ...string) [][]string {
	var all [][]string
	for i := r[0]; i <= r[1]; i++ {
		expanded := make([]string, len(templates))
		for j, text := range templates {
			expanded[j] = strings.ReplaceAll(text, "{i}", strconv.Itoa(i))
		}
		all = append(all, expanded)
	}
	return all
}

// Status is a status in short.
type Status struct {
	Desired      int32 `json:"desired"`
	Current      int32 `json:"current"`
	Ready        int32 `json:"ready"`
	Updated      int32 `json:"updated"`
	Available    int32 `json:"available"`
	Unavailable  int32 `json:"unavailable"`
	Misscheduled int32 `json:"misscheduled"`
}

// Node is a node in short.
type Node struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels"`
	// Taints are written key=value:Effect, the value may be missing.
	Taints []string `json:"taints"`
	Range  Range    `json:"range"`
}

// Pod is a pod in short. It is the DaemonSet's, unless the owner is "none" or
// "other".
type Pod struct {
	Name        string          `json:"name"`
	Node        string          `json:"node"`
	Hash        string          `json:"hash"`
	Phase       corev1.PodPhase `json:"phase"`
	Ready       bool            `json:"ready"`
	ReadyAgo    Duration        `json:"readyAgo"`
	Age         Duration        `json:"age"`
	Unscheduled bool            `json:"unscheduled"`
	Terminating bool            `json:"terminating"`
	Owner       string          `json:"owner"`
	Range       Range           `json:"range"`
}

// Duration is written as Go does: 600s.
type Duration struct{ time.Duration }

// UnmarshalText reads it.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	d.Duration, err = time.ParseDuration(string(text))
	return err
}

// Run runs a test for every scenario of a file, which is named without its
// ending.
func Run(t *testing.T, file string, test func(*testing.T, Scenario)) {
	data, err := files.ReadFile("testdata/" + file + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var s Scenario
		if err := yaml.UnmarshalStrict(document, &s); err != nil {
			t.Fatalf("%s.yaml: %v in\n%s", file, err, document)
		}
		t.Run(s.Title, func(t *testing.T) {
			t.Logf("after %s", s.Source)
			test(t, s)
		})
	}
}

// DaemonSet returns the object of the scenario.
func (s Scenario) DaemonSet() *appsv1.DaemonSet {
	labels := map[string]string{"app": "probe"}
	spec := *s.Spec.DeepCopy()
	spec.Containers = []corev1.Container{{Name: "main", Image: "registry.example/probe:1"}}
	ds := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "probe", UID: "probe-uid", Generation: 1},
		Spec: appsv1.DaemonSetSpec{
			Selector:        &metav1.LabelSelector{MatchLabels: labels},
			Template:        corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: spec},
			MinReadySeconds: s.MinReadySeconds,
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{
				Type:          appsv1.RollingUpdateDaemonSetStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: s.MaxUnavailable, MaxSurge: s.MaxSurge},
			},
		},
	}
	if s.OnDelete {
		ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
	}
	return ds
}

// CurrentHash is the hash of the current revision.
func (s Scenario) CurrentHash() string {
	if s.Hash == "" {
		return "new"
	}
	return s.Hash
}

// NodeObjects returns the nodes of the scenario.
func (s Scenario) NodeObjects() []*corev1.Node {
	var nodes []*corev1.Node
	for _, n := range s.Nodes {
		for _, names := range n.Range.names(n.Name) {
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: names[0], Labels: n.Labels}}
			for _, text := range n.Taints {
				node.Spec.Taints = append(node.Spec.Taints, taint(text))
			}
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// taint reads key=value:Effect.
func taint(text string) corev1.Taint {
	rest, effect, ok := strings.Cut(text, ":")
	if !ok {
		panic(fmt.Sprintf("taint %q has no effect", text))
	}
	key, value, _ := strings.Cut(rest, "=")
	return corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffect(effect)}
}

// expanded are the pods without ranges.
func (s Scenario) expanded() []Pod {
	var pods []Pod
	for _, p := range s.Pods {
		for _, names := range p.Range.names(p.Name, p.Node) {
			p.Name, p.Node = names[0], names[1]
			pods = append(pods, p)
		}
	}
	return pods
}

// PodObjects returns the pods of the scenario.
func (s Scenario) PodObjects(ds *appsv1.DaemonSet) []*corev1.Pod {
	var pods []*corev1.Pod
	for _, p := range s.expanded() {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: ds.Namespace, Name: p.Name, UID: types.UID(p.Name + "-uid"),
				Labels:            map[string]string{"app": "probe", appsv1.DefaultDaemonSetUniqueLabelKey: p.Hash},
				CreationTimestamp: metav1.NewTime(Now.Add(-p.Age.Duration)),
				OwnerReferences: []metav1.OwnerReference{
					*metav1.NewControllerRef(ds, appsv1.SchemeGroupVersion.WithKind("DaemonSet")),
				},
			},
			Status: corev1.PodStatus{Phase: p.Phase},
		}
		switch p.Owner {
		case "none":
			pod.OwnerReferences = nil
		case "other":
			pod.OwnerReferences[0].Name, pod.OwnerReferences[0].UID = "other", "other-uid"
		}
		ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse}
		if p.Ready {
			ready.Status = corev1.ConditionTrue
			ready.LastTransitionTime = metav1.NewTime(Now.Add(-p.ReadyAgo.Duration))
		}
		pod.Status.Conditions = []corev1.PodCondition{ready}
		if p.Terminating {
			at := metav1.NewTime(Now)
			pod.DeletionTimestamp = &at
		}
		if p.Unscheduled {
			pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
					MatchFields: []corev1.NodeSelectorRequirement{{
						Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{p.Node},
					}},
				}}},
			}}
		} else {
			pod.Spec.NodeName = p.Node
		}
		pods = append(pods, pod)
	}
	return pods
}
