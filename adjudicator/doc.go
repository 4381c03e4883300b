// Package adjudicator is the life of a match: a letter's orders in, a position,
// a history and letters out.
//
// The way of a letter is straight. Receive finds its match and seat by the
// token, and the sender by his registered address. The lines are read, then
// carried out one by one through the gate (package gate), each answer becoming
// an entry of the history with its chance (package record). The letters that
// follow are composed from each seat's view. All of it is stored in one
// transaction, or nothing; when the match moved meanwhile, the letter is
// adjudicated anew.
//
// Nothing here knows a game, or how many sit at the table. The adjudicator states
// the interfaces that it needs (Store, Post); storage and mail fulfil them.
package adjudicator
