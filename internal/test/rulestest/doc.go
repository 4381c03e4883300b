// Package rulestest implements Three Orchards, a small but complete game that
// uses every feature of package rules. The tests of the adjudicator play it, and
// it is the shortest example of an implementation of package rules.
//
// # The rules of Three Orchards
//
// Three seats, north, east and west, have six fields in common and a deck of
// fourteen cards. Each is dealt as many cards as there are rounds (option
// "rounds", 1 or 2, normally 2) and two more. A lot chooses the first seat.
//
// In a turn the seat plays a card and sows as many tokens as the card is worth
// (1 to 3), never more than three of its own in one field. Then a die is rolled,
// and the seat gets that many points. A 1 is blight: the next seat clears a
// token of its own, if it has any. With a 5 or a 6 the seat may water: sow one or
// two more. With a 6 it first takes a card at random out of the next seat's
// hand, if that seat has two or more.
//
// After the last round all seats, at the same time, keep one card secretly (if
// they have any) and vote for SUN or RAIN by sealed ballot. Most votes win. A
// kept card is worth its points if it is a card of that weather (odd numbers are
// sun). Each field gives two points to the seat that alone has most tokens
// there. Most points win; three equal seats draw.
//
// # Features in use
//
//	first deal             hidden draws, stalled before every one of them
//	who begins             a lot
//	PLAY 4 SOW Millpond 2  one order, two questions: the second is midway under
//	                       an identifier of its own, and wants several atoms
//	WATER ...              "up to": a Stop, PASS, and a Source
//	CLEAR ...              a question to another seat in the middle of a turn
//	KEEP ...               private answers, open to several seats at once
//	VOTE ...               sealed answers of one group, owed by a seat that owes
//	                       another answer as well
package rulestest
