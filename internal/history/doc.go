// Package history turns the record of a match into a history: either an HTML page that needs no other
// file, with a map for each move, or a log for programs.
//
// The package knows games only by the interfaces in package rules. A history is made only from views and events that
// its reader may see, as a letter is. So a page of an unfinished match reveals no hidden information.
package history
