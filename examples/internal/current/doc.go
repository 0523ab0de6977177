// Package current finds the revision that the pods of a DaemonSet should be of,
// from whatever files there are, and says how it was found.
package current
