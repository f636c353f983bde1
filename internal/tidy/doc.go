// Package tidy holds the rules of the repository as ordinary tests.
//
// Owns: the layer table, the bans on floating point and on the wall clock, the
// limits on length, the numbering of decisions, the names at the top level.
// What a linter can check too is in .golangci.yml as well; the tests here need
// no tool beside Go.
//
// Does not own: rules about behaviour, which are tested beside the code.
//
// Invariants: a rule is proven on a bad example before it is applied to the
// repository, and every exception is in a list with its reason. An exception
// that is no longer needed fails the test.
package tidy
