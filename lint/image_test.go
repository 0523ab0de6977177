package lint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
)

// The pull policy shows whether the tag of an image was read as latest.
func TestPullPolicy(t *testing.T) {
	sha256 := "@sha256:" + strings.Repeat("a", 64)
	for _, c := range []struct {
		image string
		want  corev1.PullPolicy
	}{
		{"agent", corev1.PullAlways},
		{"agent:latest", corev1.PullAlways},
		{"agent:1", corev1.PullIfNotPresent},
		{"agent:latest-1", corev1.PullIfNotPresent},
		{"agent:Latest", corev1.PullIfNotPresent},
		{"latest", corev1.PullAlways},
		{"latest:1", corev1.PullIfNotPresent},
		{"example.com/agent", corev1.PullAlways},
		{"example.com:5000/agent", corev1.PullAlways},
		{"example.com:5000/agent:1", corev1.PullIfNotPresent},
		{"example.com:latest", corev1.PullAlways},
		{"localhost/agent", corev1.PullAlways},
		{"localhost:5000/team/agent:latest", corev1.PullAlways},
		{"[fd00::1]:5000/agent", corev1.PullAlways},
		{"Example.com/agent", corev1.PullAlways},
		{"Team/agent", corev1.PullAlways},
		{"docker.io/agent", corev1.PullAlways},
		{"index.docker.io/agent", corev1.PullAlways},
		{"a_b.c/agent", corev1.PullAlways},
		{"team/a__b-c--d.e", corev1.PullAlways},

		{"agent" + sha256, corev1.PullIfNotPresent},
		{"agent:1" + sha256, corev1.PullIfNotPresent},
		{"agent:latest" + sha256, corev1.PullAlways},
		{"agent:latest@sha512:" + strings.Repeat("0", 128), corev1.PullAlways},
		{"agent:latest@sha384:" + strings.Repeat("0", 96), corev1.PullAlways},
		{"agent:latest@sha512:" + strings.Repeat("0", 64), corev1.PullIfNotPresent},
		{"agent:latest@md5:" + strings.Repeat("0", 32), corev1.PullIfNotPresent},
		{"agent:latest" + strings.ToUpper(sha256), corev1.PullIfNotPresent},
		{"agent:latest" + sha256 + sha256, corev1.PullIfNotPresent},

		// What does not parse has no tag.
		{"", corev1.PullIfNotPresent},
		{" ", corev1.PullIfNotPresent},
		{" agent", corev1.PullIfNotPresent},
		{"agent\n", corev1.PullIfNotPresent},
		{"agent:", corev1.PullIfNotPresent},
		{"agent@", corev1.PullIfNotPresent},
		{":latest", corev1.PullIfNotPresent},
		{"/agent", corev1.PullIfNotPresent},
		{"agent/", corev1.PullIfNotPresent},
		{"team//agent", corev1.PullIfNotPresent},
		{"Agent", corev1.PullIfNotPresent},
		{"team/Agent:latest", corev1.PullIfNotPresent},
		{"Team_1/agent", corev1.PullIfNotPresent},
		{"a___b", corev1.PullIfNotPresent},
		{"a..b", corev1.PullIfNotPresent},
		{"-agent", corev1.PullIfNotPresent},
		{"agent-", corev1.PullIfNotPresent},
		{"example.com:port/agent", corev1.PullIfNotPresent},
		{"agent:latest:latest", corev1.PullIfNotPresent},
		{"{{ .image }}", corev1.PullIfNotPresent},

		// An identifier is an image, not a repository; with a tag it is one.
		{strings.Repeat("a", 64), corev1.PullIfNotPresent},
		{strings.Repeat("a", 64) + ":latest", corev1.PullAlways},
		// Short names are measured with their prefix library/.
		{strings.Repeat("g", 247), corev1.PullAlways},
		{strings.Repeat("g", 248), corev1.PullIfNotPresent},
		{"example.com/" + strings.Repeat("g", 255), corev1.PullAlways},
		{"example.com/" + strings.Repeat("g", 256), corev1.PullIfNotPresent},
		{"localhost/" + strings.Repeat("g", 255), corev1.PullAlways},
		{"index.docker.io/" + strings.Repeat("g", 248), corev1.PullIfNotPresent},
	} {
		got := template(corev1.PodSpec{Containers: []corev1.Container{{Image: c.image}}})
		assert.Equal(t, c.want, got.Containers[0].ImagePullPolicy, "%q", c.image)
	}
}
