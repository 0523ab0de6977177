// Package output is how the example programs say things: words, tables, and
// documents of JSON and YAML.
package output
