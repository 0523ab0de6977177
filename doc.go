// Package daemonplan is the map of a library of side-effect-free DaemonSet
// algorithms. It holds no code of its own.
package daemonplan
