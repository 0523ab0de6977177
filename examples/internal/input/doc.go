// Package input reads what the example programs work on: DaemonSets, Nodes,
// Pods and ControllerRevisions from files and standard input, in YAML and JSON,
// one by one and in lists as kubectl prints them.
//
// Of an object it keeps what some program asks for, and of what cannot be read
// it says where that stands: file, document, line and field.
package input
