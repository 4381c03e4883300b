// Package history tells a match as a whole, out of its record: as a page that stands alone,
// with the drawn map move by move, and as lines for programs.
//
// It knows no game. What is told comes from views and from events whose audience the reader
// is among, as in letters; so a page of a match that goes on shows whoever it is made for
// nothing that he could not know.
package history
