package main

import (
	"io"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/policies"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
)

// policy is one that was read, and where.
type policy struct {
	rollout.Policy
	input.Document
	// noRestart are the classes of differences for which no pod is restarted:
	// which revisions these are differs between DaemonSets.
	noRestart []revision.Class
}

// readPolicy reads the policy of the command line, or that of the demonstration.
func readPolicy(o options, stdin io.Reader) (p policy, err error) {
	switch {
	case o.policy != "":
		p.Document, err = input.ReadDocument(o.policy, stdin)
	case len(o.files) == 0:
		p.Document, err = input.DocumentOf(demoPolicyName, demoText(demoPolicyName))
	default:
		return p, nil
	}
	if err != nil {
		return p, err
	}
	var written policies.Policy
	if err := p.Decode(&written); err != nil {
		return p, err
	}
	p.noRestart = written.Candidates.NoRestart
	p.Policy, err = written.Compile(&input.Checker{Document: p.Document})
	return p, err
}
