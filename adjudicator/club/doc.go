// Package club is what a club of players is, without mail, store or clock: its members and
// their names, what they offer each other, and how their letters are read.
//
// Table lists the orders that members may write, one Entry each; what HELP says follows from
// it. Read takes the text of a letter to a list of Lines, one for each order, and changes
// nothing.
package club
