package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// amount is a number or a percentage.
type amount struct{ value intstr.IntOrString }

func (a *amount) UnmarshalJSON(raw []byte) error {
	err := json.Unmarshal(raw, &a.value)
	if err == nil {
		_, err = intstr.GetScaledValueFromIntOrPercent(&a.value, 100, true)
	}
	if err != nil {
		return fmt.Errorf("must be a number or a percentage, as in 2 or 10%%, not %.40s", raw)
	}
	return nil
}

// of is what the library takes; nil for nil.
func (a *amount) of() *intstr.IntOrString {
	if a == nil {
		return nil
	}
	return &a.value
}

// moment is a time as RFC 3339 writes it.
type moment struct{ time.Time }

func (m *moment) UnmarshalJSON(raw []byte) (err error) {
	m.Time, err = fromText(raw, parseMoment)
	return err
}

func parseMoment(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, errors.New("must be a time such as 2026-03-04T11:02:00Z")
	}
	return at, nil
}

// span is a duration as Go writes it.
type span struct{ time.Duration }

func (s *span) UnmarshalJSON(raw []byte) (err error) {
	s.Duration, err = fromText(raw, parseDuration)
	return err
}

func parseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		return d, errors.New("must be a duration such as 90s or 10m")
	}
	return d, nil
}

// fromText parses a string of JSON. Null is nothing, as everywhere in a document.
func fromText[T any](raw []byte, parse func(string) (T, error)) (T, error) {
	var text string
	err := json.Unmarshal(raw, &text)
	var value T
	if string(raw) == "null" {
		return value, nil
	}
	if value, parsed := parse(text); err == nil && parsed == nil {
		return value, nil
	}
	_, err = parse("")
	return value, fmt.Errorf("%w, not %.40s", err, raw)
}
