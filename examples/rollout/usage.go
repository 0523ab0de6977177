package main

const usage = `usage: rollout [-nodes N] [-zones A,B,C] [-f FILE]... [-scenario FILE]
              [SETTING]... [-compare SETTING,... | -compare FILE]
              [-o table|csv|json|yaml|svg] [-width COLUMNS]

rollout plays a rollout forward: how long it takes, how many nodes are without an
available pod meanwhile, and where it gets stuck. It changes nothing. Without
arguments it shows an example.

What is played, at first with an old pod on every node:

  -nodes N        so many nodes, 100 by default, spread evenly over
  -zones A,B,C    these zones, a,b,c by default
  -f FILE         a DaemonSet, Nodes and Pods instead, as kubectl prints them; - is
                  standard input. Give it once for each file. Whatever revision the
                  pods are of, they are old; without any Pod an old one is assumed on
                  every eligible node.
  -daemonset NAMESPACE/NAME   which one, if there are several
  -now TIME       when it starts, as in 2026-03-04T11:02:00Z; give the moment at
                  which the files were written. The current time by default.

Settings. Those of the DaemonSet are from its file, or the API server's defaults:

  -max-unavailable N|N%   1 by default; with it, or with
  -max-surge N|N%         alone, the other one is 0
  -min-ready-seconds N
  -schedule TIME  how long a new pod takes until it has its node, 0s by default,
  -ready TIME     from then until it is ready, 30s by default,
  -stop TIME      and an old one from its deletion until it is gone, 0s by default.
                  A TIME is 40s, or a range such as 20s-60s.
  -never-ready NODE,...   new pods there do not become ready
  -fail-nodes NODE,...    new pods there fail again and again. These are names or
                          patterns such as node-1*.
  -zone-down ZONE         the kubelets of a zone do not answer, or not from
  -zone-down ZONE@10m     then on, or
  -zone-down ZONE@10m-30m until then
  -exempt not-ready,...   such nodes do not count as unavailable: not-ready,
                          not-ready-before (a node that was not ready before it
                          got a new pod), cordoned
  -strict         pods that are not available are not replaced beyond the limit
  -waves LABEL    by groups of nodes with one value of a label, such as zone
  -partition N|N% so many nodes keep their pods
  -seed N         for times that are drawn from a range
  -until TIME     give up then; after a week by default

  -compare SETTING,...  a second run with other settings, written without their
                        dash, as in -compare max-unavailable=20%,strict
  -compare FILE         a second run of the scenario in FILE, which ends in .yaml,
                        .yml or .json

  -scenario FILE  the settings, and more, in YAML or JSON; - is standard input.
                  Flags count more.

  name: a name                       # of the run
  start: "2026-03-04T11:02:00Z"      # as -now
  nodes: 3000
  zones: [a, b, c]
  maxUnavailable: 10%
  maxSurge: 0
  minReadySeconds: 30
  pods: {schedule: 2s, ready: 20s-60s, stop: 5s}   # times
  some:                              # nodes on which pods behave otherwise
  - {zone: b, ready: 2m}
  - {nodes: [node-0001, node-1*], fate: never-ready}   # or pending, crash-loops
  - {nodes: [node-0002], fails: 3}   # so often, and then works; -1 for ever
  policy:                            # as in examples/policy, without noRestart
    count: {nodes: eligible, exempt: [not-ready], exemptSelector: {},
            maxExempt: N}
    candidates: {selector: {}, nodes: [],
                 partition: {value: N, rounding: down, base: N}}
    order: {by: name-descending,
            waves: {label: KEY, values: [], maxUnavailable: N}}
    limit: {strict: true, perStep: N, burst: N, removals: N,
            slowStart: {interval: 1m, step: N, max: N}}
    gate: {pause: updates, failures: {max: N, unreadyFor: 10m},
           from: TIME, until: TIME}
  events:                            # one thing each, at a time after the start
  - {at: 10m, zone: b, health: not-ready}          # and ready again
  - {at: 20m, nodes: [node-0003], leave: true}
  - {at: 30m, nodes: [new-1], zone: a, join: {labels: {}, taints: []}}
  - {at: 30m, zone: c, change: {taints: [], labels: {}, cordon: true}}
  - {at: 40m, target: fixed, pods: {ready: 10s}}   # another revision
  - {at: 50m, spec: {maxUnavailable: 20%}}
  - {at: 60m, policy: {}}
  model: {resolution: 1s, pace: 5s, collect: 40s, neverCollect: true,
          keepEvicted: true, ignoreKubelets: true}
  seed: 1
  until: 3h

The package rollout/simulate says what is modelled, and rollout what the fields of
a policy mean.

In the table a row is how things stand at its time; a long run has rows at equal
times, and events are in the row that comes next. -width is how wide it may be, 80
columns by default. csv has a line for every moment at which something happens; json
and yaml are one document with the rows of the table; svg is a picture for light and
dark pages, 800 pixels wide.

Exit status: 0 when the rollout finishes, and with -compare both do; 1 when it is
blocked, given up, or when the output cannot be written; 2 for input that cannot be
used.

How long do 3,000 nodes take, 10% at a time, with 40s to ready and minReadySeconds
30, and what if zone b is down?

  rollout -nodes 3000 -max-unavailable 10% -ready 40s -min-ready-seconds 30
  rollout -nodes 3000 -max-unavailable 10% -ready 40s -min-ready-seconds 30 \
    -zone-down b
`
