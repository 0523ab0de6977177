package main

import (
	"net/url"
	"path/filepath"
	"slices"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/lint"
)

// The parts of SARIF 2.1.0 that are needed here, with its names.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Short   sarifText    `json:"shortDescription"`
		Full    sarifText    `json:"fullDescription"`
		HelpURI string       `json:"helpUri"`
		Default sarifDefault `json:"defaultConfiguration"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool `json:"executionSuccessful"`
		ExitCode            int  `json:"exitCode"`
		// Notifications are the warnings about the input.
		Notifications []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		// Physical is missing for standard input.
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		// Name is that of the field, and Full has the DaemonSet before it.
		Name string `json:"name"`
		Full string `json:"fullyQualifiedName"`
	}
)

// sarifLevels are its words for severities.
var sarifLevels = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Notice: "note"}

// sarifOf is the report in the form of SARIF.
func sarifOf(r *report, status int) sarifLog {
	rules := allRules()
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "daemonplan lint", InformationURI: "https://github.com/daemonplan/daemonplan"}},
		Invocations: []sarifInvocation{{ExecutionSuccessful: true, ExitCode: status, Notifications: []sarifNotification{}}},
		Results:     []sarifResult{},
	}
	for _, rule := range rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: string(rule.ID), Short: sarifText{rule.Summary}, Full: sarifText{rule.Why}, HelpURI: rule.Source,
			Default: sarifDefault{sarifLevels[rule.Severity]},
		})
	}
	for _, warning := range r.Warnings {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{"warning", sarifText{warning.String()}})
	}
	for _, ds := range r.DaemonSets {
		for _, f := range ds.Findings {
			run.Results = append(run.Results, sarifResult{
				RuleID:    string(f.Rule),
				RuleIndex: slices.IndexFunc(rules, func(rule lint.Rule) bool { return rule.ID == f.Rule }),
				Level:     sarifLevels[f.Severity],
				Message:   sarifText{f.Field + ": " + f.Message + " (" + f.Suggestion + ")"},
				Locations: []sarifLocation{{
					Physical: physical(ds.Source),
					Logical:  []sarifLogical{{f.Field, ds.Namespace + "/" + ds.Name + ": " + f.Field}},
				}},
			})
		}
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

// physical is the document that a DaemonSet was read from.
func physical(p input.Place) *sarifPhysical {
	if p.File == "standard input" {
		return nil
	}
	uri := url.URL{Path: filepath.ToSlash(p.File)}
	if filepath.IsAbs(p.File) {
		uri.Scheme = "file"
	}
	return &sarifPhysical{sarifArtifact{uri.String()}, sarifRegion{max(p.Line, 1)}}
}
