package defaults

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// pullPolicy returns the pull policy of an image that sets none: Always if the
// reference is well-formed and its tag is latest or, for want of tag and digest,
// understood as latest; IfNotPresent for any other. A reference that does not
// parse is no error here.
func pullPolicy(image string) corev1.PullPolicy {
	name, digest, hasDigest := strings.Cut(image, "@")
	name, tag, hasTag := cutTag(name)
	latest := hasTag && tag == "latest" || !hasTag && !hasDigest
	valid := validRepository(name) && !identifierForm.MatchString(image) && (!hasDigest || digestForm.MatchString(digest))
	if latest && valid {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

// cutTag cuts the tag off a reference without digest. A colon in front of the
// last slash belongs to a port.
func cutTag(reference string) (name, tag string, found bool) {
	path := strings.LastIndexByte(reference, '/') + 1
	last, tag, found := strings.Cut(reference[path:], ":")
	return reference[:path] + last, tag, found
}

// The forms of https://pkg.go.dev/github.com/distribution/reference, of which the
// API server's parser is made. Of digests, the three algorithms that it knows. A
// bare identifier, which is an image and not a repository, is no reference.
var (
	componentForm  = regexp.MustCompile(`^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$`)
	domainForm     = regexp.MustCompile(`^(?:` + label + `(?:\.` + label + `)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$`)
	identifierForm = regexp.MustCompile(`^[a-f0-9]{64}$`)
	digestForm     = regexp.MustCompile(`^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$`)
)

const (
	label         = `[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?`
	hub           = "docker.io"
	maxPathLength = 255
)

// validRepository reports whether the name is that of a repository: an optional
// registry, then path components. Its length is measured without the registry,
// in the long form in which the hub's short names are spelled out.
func validRepository(name string) bool {
	registry, path := splitRegistry(name)
	if !domainForm.MatchString(registry) {
		// Something like a_b.c looked like a registry but can only be a
		// component of a path.
		path = registry + "/" + path
	}
	if len(path) > maxPathLength {
		return false
	}
	return !slices.ContainsFunc(strings.Split(path, "/"), func(component string) bool {
		return !componentForm.MatchString(component)
	})
}

// splitRegistry tells the registry from the path. The first component is a
// registry if it could not be part of a path on the hub: it has a dot, a colon or
// a capital letter, or is localhost.
func splitRegistry(name string) (registry, path string) {
	first, rest, found := strings.Cut(name, "/")
	registry, path = hub, name
	switch {
	case !found:
	case first == "index."+hub:
		path = rest
	case first == "localhost" || strings.ContainsAny(first, ".:") || strings.ToLower(first) != first:
		registry, path = first, rest
	}
	if registry == hub && !strings.Contains(path, "/") {
		path = "library/" + path
	}
	return registry, path
}
