// Package simulate plays a rollout forward: how long it takes, what is unavailable
// when, and whether it gets stuck, before anybody touches a cluster.
//
//	steps, err := simulate.Play(simulate.Scenario{
//		Fleet:  fleet, // in which the pods are old
//		Spec:   rollout.SpecOf(ds),
//		Target: "new",
//		Start:  start,
//		Pods:   simulate.Behaviour{Ready: simulate.After(40 * time.Second)},
//	})
//	if err != nil {
//		return err // names the field of the scenario that cannot be used
//	}
//	for step := range steps {
//		fmt.Println(step)
//	}
//
// [Summarize] plays to the end and adds up; [Compare] sets two runs side by side.
//
// # What is modelled
//
// A virtual clock jumps from one moment at which something happens to the next.
// At each, in this order: the events of the scenario happen; pods stop, are
// scheduled, become ready, become available or fail; and the controller syncs, by
// [rollout.Sync], again and again until there is nothing to do, as it does when its
// writes come back to it. Writes succeed and are seen at once.
//
// A pod behaves as its [Behaviour] says. A deleted one is gone after its time to
// stop, at once when it was never scheduled. On a node that is not ready pods stop
// being ready, and nothing starts or stops until the node is back, as its kubelet
// does not answer; a pod that is ready again keeps minReadySeconds from then. Pods
// are evicted from a node that comes to be excluded by a taint with effect NoExecute,
// whatever a policy holds, and pods of a node that has left are collected after
// [Model.Collect]. Each of these can be switched off in [Model].
//
// Not modelled are scheduling by resources, the time that requests take, failing
// requests, and other controllers.
//
// # Chance
//
// Nothing is random but what durations are drawn from a range, and they depend on
// the seed, the node, the revision and the attempt alone: two runs of one seed are
// equal, and of two policies each node's pods take the same time.
//
// # Cost
//
// A step costs a plan, which is some 30 ns for each node, and memory does not grow
// with the number of steps. 10,000 nodes one at a time take some seconds.
package simulate
