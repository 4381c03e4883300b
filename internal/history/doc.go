// Package history turns the record of a match into a history: either an HTML page that needs no other
// file, with a map for each move, or a log for programs.
//
// The package knows games only by the contract in package rules. A history contains only views and events that its
// reader may see, as letters do. A page of an unfinished match therefore reveals no hidden information.
package history
