// Package policies has the written form of a [rollout.Policy]: the document, with
// names instead of functions, its numbers and times, and what it must not say.
package policies
