package revision

import (
	"encoding/json"
	"time"
)

// RestartedAtAnnotation is the annotation of the template by which kubectl
// rollout restart makes a new revision of an unchanged template.
const RestartedAtAnnotation = "kubectl.kubernetes.io/restartedAt"

// RestartPatch returns the patch that kubectl rollout restart sends: it sets the
// annotation to a time, in RFC 3339 with a resolution of a second. It is a
// strategic merge patch and a JSON merge patch alike, so it fits custom resources
// with spec.template too. Two restarts within a second are one, and with the
// strategy OnDelete nothing restarts.
func RestartPatch(at time.Time) []byte {
	// A map of strings always has a form in JSON.
	patch, _ := json.Marshal(map[string]any{"spec": map[string]any{"template": map[string]any{
		"metadata": map[string]any{"annotations": map[string]string{RestartedAtAnnotation: at.Format(time.RFC3339)}},
	}}})
	return patch
}
