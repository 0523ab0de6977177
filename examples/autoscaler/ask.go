package main

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// answers asks about everything.
func answers() (*report, error) {
	r := &report{}
	for _, c := range knownCases {
		answered, err := c.answer()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.title, err)
		}
		r.Cases = append(r.Cases, answered)
	}
	var err error
	r.Types, err = groups(instanceTypes())
	return r, err
}

// compile reads and prices each DaemonSet, once, for any number of questions.
func compile(daemonSets []*appsv1.DaemonSet, o cost.Options) (*cost.Set, error) {
	var daemons []*cost.Daemon
	for _, ds := range daemonSets {
		d, err := cost.Compile(ds, o)
		if err != nil {
			return nil, err
		}
		daemons = append(daemons, d)
	}
	return cost.NewSet(daemons), nil
}

// answer asks what the case asks.
func (c knownCase) answer() (caseReport, error) {
	r := caseReport{Title: c.title, Source: c.source, Elsewhere: c.elsewhere}
	for _, ds := range c.daemonSets {
		r.DaemonSets = append(r.DaemonSets, daemonSetReport{Name: ds.Name, GoesTo: goesTo(&ds.Spec.Template.Spec)})
	}
	set, err := compile(c.daemonSets, c.options)
	if err != nil {
		return r, err
	}
	for _, a := range c.asks {
		one := a.shapeAnswer
		if a.domain != nil {
			one = a.domainAnswer
		}
		answered, err := one(set)
		if err != nil {
			return r, err
		}
		r.Answers = append(r.Answers, answered)
	}
	return r, nil
}

// shapeAnswer is what a node of a shape has to bear, why the other DaemonSets are
// not on it, and whether it is large enough.
func (a ask) shapeAnswer(set *cost.Set) (answerReport, error) {
	overhead, err := set.Overhead(a.shape, a.question)
	if err != nil {
		return answerReport{}, err
	}
	r := a.report(overhead)
	// The matcher knows nothing of the question: were a DaemonSet off the node in
	// spite of it, the cause would still be that of the shape as it is.
	for _, d := range set.Daemons() {
		if !slices.Contains(overhead.Daemons, d) {
			r.Without = append(r.Without, withoutReport{
				DaemonSet: d.Key.Name,
				Verdict:   d.Matcher.MatchShape(a.shape),
				Cause:     d.Matcher.CauseShape(a.shape),
			})
		}
	}
	if a.shape.Allocatable != nil {
		room, err := cost.ResourcesOf(a.shape.Allocatable, nil)
		if err != nil {
			return r, err
		}
		over, err := overhead.Requests.Over(room)
		if err != nil {
			return r, err
		}
		if len(over) > 0 {
			r.TooMuch = over.List()
		}
	}
	return r, nil
}

// domainAnswer is what every node of a domain has to bear, and what one may have
// to, by which labels.
func (a ask) domainAnswer(set *cost.Set) (answerReport, error) {
	bounds, err := set.On(*a.domain, a.question)
	if err != nil {
		return answerReport{}, err
	}
	r := a.report(bounds.Least)
	if len(bounds.Depends) > 0 {
		r.AtMost = bounds.Most.Requests.List()
	}
	for _, d := range bounds.Depends {
		r.Depends = append(r.Depends, dependsReport{DaemonSet: d.Daemon.Key.Name, Labels: d.Labels})
	}
	return r, nil
}

// report is what both kinds of answers have in common.
func (a ask) report(o cost.Overhead) answerReport {
	return answerReport{
		About: a.about, Name: a.shape.Name, Labels: a.shape.Labels, Taints: a.shape.Taints, Changed: changed(a.question),
		DaemonSets: names(o.Daemons), Requests: o.Requests.List(),
	}
}

// groups sorts instance types by the DaemonSets that run there: every other
// question has then to be asked once for each group.
func groups(types []placement.Shape) (typesReport, error) {
	set, err := compile(typeDaemonSets, cost.Options{})
	if err != nil {
		return typesReport{}, err
	}
	r := typesReport{Source: "kubernetes-sigs/karpenter#715", Types: len(types)}
	r.Reads, _ = set.Reads()
	found, err := set.Group(types, cost.Question{})
	for _, g := range found {
		group := groupReport{DaemonSets: names(g.Daemons), Requests: g.Requests.List()}
		for _, i := range g.Shapes {
			group.Types = append(group.Types, types[i].Labels[instanceType])
		}
		r.Groups = append(r.Groups, group)
	}
	return r, err
}

func names(daemons []*cost.Daemon) []string {
	names := make([]string, 0, len(daemons))
	for _, d := range daemons {
		names = append(names, d.Key.Name)
	}
	return names
}
