// Package council is The Council, a game for two to twelve that is as small as a
// game can be while it asks everything that a game of many hidden friends may
// ask: answers that are never opened, silence by lot, a question that comes again
// and again, an end without a winner or with several. It has no cards.
//
// # The rules of The Council
//
// Two to twelve seats decide about the village well. Each is dealt a hidden
// aim: WET or DRY. The pile has one aim more than there are seats,
// wet and dry in turn.
//
// First all name a seat, at the same time; who is named most often takes the
// chair, with a lot among equals. Then, for as many rounds as agreed (option
// "rounds", 1 to 9, normally 2):
//
//   - All vote YES or NO on deepening the well. Ballots are never opened; only the
//     two counts are published. More YES than NO raises the water by one, fewer
//     lower it; of a tie a die decides: even raises.
//   - All are asked, at the same time, to HOLD or to CALL the end. A call ends the
//     match at once. HOLD UNTIL CHANGE also answers such questions to come, until the
//     water reaches its mark or leaves it; HOLD ALWAYS answers all of them.
//   - The chair fines another seat, and the next seat takes the chair.
//
// At the end all aims are shown. If the water is above its mark, all with a wet
// aim who were never fined win together; if it is below, all with a dry one. At
// the mark, and without such seats, the match has no winner.
//
// # Missed deadlines
//
// NAME, VOTE and FINE are answered by lot, the question of the end by HOLD.
package council
