package main

import (
	"errors"
	"strings"

	"github.com/daemonplan/daemonplan/examples/internal/policies"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// outage is a time in which the kubelets of a zone do not answer.
type outage struct {
	text     string
	zone     string
	from, to policies.Span
	ends     bool
}

// parseOutage reads ZONE, ZONE@10m or ZONE@10m-30m.
func parseOutage(text string) (outage, error) {
	o := outage{text: text}
	var when string
	var timed bool
	if o.zone, when, timed = strings.Cut(text, "@"); !timed {
		return o, orMust(o.zone != "", "must be a zone, as in b, b@10m or b@10m-30m")
	}
	from, to, ends := strings.Cut(when, "-")
	var err, err2 error
	o.from, err = policies.ParseSpan(from)
	if o.ends = ends; ends {
		o.to, err2 = policies.ParseSpan(to)
	}
	if err != nil || err2 != nil || o.zone == "" || ends && o.to.Duration <= o.from.Duration {
		return o, errors.New("must be a zone and a time, as in b, b@10m or b@10m-30m")
	}
	return o, nil
}

// events are its beginning, and its end.
func (o outage) events() []event {
	flag := "-zone-down " + o.text
	all := []event{{At: o.from, which: which{Zone: o.zone}, Health: string(simulate.GoesNotReady), flag: flag}}
	if o.ends {
		all = append(all, event{At: o.to, which: which{Zone: o.zone}, Health: string(simulate.ComesBack), flag: flag})
	}
	return all
}
