// Package purity holds the rules that make this module a library of pure
// functions, and the test that fails the build when a file breaks one:
//
//   - Check reads the syntax of a library package and reports every way in which
//     it could see or change something that is neither argument nor result.
//   - CheckImports reports imports from outside the allowed modules, and imports
//     between our own packages that go against the order in layers.
//   - CheckModule reports what go.mod asks of those who import the module.
//
// Load finds the packages of the root module and tells library code from test
// support and examples. Library code is everything that an importer can compile
// in: all packages but examples/ and internal/, and those packages of internal/
// that have a line in layers, as library code is built on them. Files ending in
// _test.go are free.
//
// What cannot be seen in the syntax is not checked: a method that reads the
// clock, a function of an allowed dependency that does. The few such functions
// that are known are named in forbiddenNames.
package purity
