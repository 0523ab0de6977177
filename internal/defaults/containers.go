package defaults

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
)

// setContainer fills in a container of any of the three kinds.
func setContainer(c *corev1.Container) {
	setIfZero(&c.ImagePullPolicy, pullPolicy(c.Image))
	setIfZero(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	setIfZero(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	for i := range c.Ports {
		setIfZero(&c.Ports[i].Protocol, corev1.ProtocolTCP)
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil {
			setFieldRef(from.FieldRef)
			setFileKeyOptional(from)
		}
	}
	roundUp(c.Resources.Limits)
	roundUp(c.Resources.Requests)
	setProbe(c.LivenessProbe)
	setProbe(c.ReadinessProbe)
	setProbe(c.StartupProbe)
	if hooks := c.Lifecycle; hooks != nil {
		if hooks.PostStart != nil {
			setHTTPGet(hooks.PostStart.HTTPGet)
		}
		if hooks.PreStop != nil {
			setHTTPGet(hooks.PreStop.HTTPGet)
		}
	}
}

func setProbe(p *corev1.Probe) {
	if p == nil {
		return
	}
	setIfZero(&p.TimeoutSeconds, 1)
	setIfZero(&p.PeriodSeconds, 10)
	setIfZero(&p.SuccessThreshold, 1)
	setIfZero(&p.FailureThreshold, 3)
	setHTTPGet(p.HTTPGet)
	if p.GRPC != nil {
		setIfNil(&p.GRPC.Service, "")
	}
}

func setHTTPGet(action *corev1.HTTPGetAction) {
	if action == nil {
		return
	}
	setIfZero(&action.Path, "/")
	setIfZero(&action.Scheme, corev1.URISchemeHTTP)
}

func setFieldRef(selector *corev1.ObjectFieldSelector) {
	if selector != nil {
		setIfZero(&selector.APIVersion, "v1")
	}
}

// setFileKeyOptional fills in valueFrom.fileKeyRef.optional. k8s.io/api has the
// field since v0.34, which is newer than what this module asks for, so it is
// looked up by name; before that version there is nothing to fill in.
func setFileKeyOptional(from *corev1.EnvVarSource) {
	ref := reflect.ValueOf(from).Elem().FieldByName("FileKeyRef")
	if !ref.IsValid() || ref.IsNil() {
		return
	}
	if optional := ref.Elem().FieldByName("Optional"); optional.IsValid() && optional.IsNil() {
		optional.Set(reflect.New(optional.Type().Elem()))
	}
}
