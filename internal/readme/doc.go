// Package readme holds the README to the code: its example compiles, the tests
// that it names exist, and its glossary knows every code. The package has no
// code but its tests.
package readme
