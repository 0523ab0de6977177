package drain

import (
	"errors"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// notFound is what the API server says of a DaemonSet that does not exist.
func notFound(name string) string {
	return apierrors.NewNotFound(appsv1.Resource("daemonsets"), name).Error()
}

// String is the verdict in one line, in the words of kubectl where it has some.
func (v Verdict) String() string {
	name := ""
	if v.Pod != nil {
		name = v.Pod.Namespace + "/" + v.Pod.Name + ": "
	}
	text := name + string(v.Action) + " (" + string(v.Code) + ")"
	if v.Message != "" {
		text += ": " + v.Message
	}
	return text
}

// Errors returns what kubectl drain stops with, sorted by message: one error for
// each, "cannot delete M: ns/a, ns/b", with the pods in the order of the
// verdicts. It is nil when no pod is refused.
func Errors(verdicts []Verdict) []error {
	var errs []error
	for _, group := range grouped(verdicts, func(v Verdict) bool { return v.Action == Refuse }) {
		errs = append(errs, errors.New("cannot delete "+group))
	}
	return errs
}

// Warnings returns what kubectl drain prints after "Warning: ", one group for each
// message: "ignoring DaemonSet-managed Pods: ns/a, ns/b; ...", sorted by message,
// with the pods in the order of the verdicts. It is empty when there is nothing
// to say. kubectl prints no warnings when there are errors.
func Warnings(verdicts []Verdict) string {
	return strings.Join(grouped(verdicts, func(v Verdict) bool { return v.Action != Refuse && v.Message != "" }), "; ")
}

// grouped collects the pods of the chosen verdicts by message.
func grouped(verdicts []Verdict, chosen func(Verdict) bool) []string {
	pods := make(map[string][]string)
	var messages []string
	for _, v := range verdicts {
		if v.Pod == nil || !chosen(v) {
			continue
		}
		message := v.Message
		if message == "" {
			message = "unexpected error" // kubectl's word for an answer without text
		}
		if pods[message] == nil {
			messages = append(messages, message)
		}
		pods[message] = append(pods[message], v.Pod.Namespace+"/"+v.Pod.Name)
	}
	slices.Sort(messages)
	for i, message := range messages {
		messages[i] = message + ": " + strings.Join(pods[message], ", ")
	}
	return messages
}
