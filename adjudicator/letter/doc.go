// Package command reads letters, and holds the orders to the host: whatever every
// match understands, whichever game is played in it.
//
// # The table
//
// Table lists the host's orders, one Entry each: its word, how a line says it, what
// HELP says of it, and what it does for a Host. A further order is its entry
// and a row in the table; HELP, and the verbs that a refusal lists, follow.
//
// # Reading
//
// A Reader takes the text of a letter to a list of Lines, in one pass over its rows:
//
//   - what stands between MESSAGE and END MESSAGE is a message, whatever it looks like;
//   - a row that is an order of the class Setting stands for itself;
//   - all other rows are cut into lines and joined to lists by package order, and each
//     line is one of the host's orders, an order of the game, a conditional order, or
//     talk; or it is unreadable, and says why.
//
// Reading changes nothing, and depends on nothing but the letter, the names of the
// seats, and the question that the letter answers (a number alone is an answer to it).
// What stands first in the list is to be done first: settings, the lines in their
// order, and messages last.
package letter
