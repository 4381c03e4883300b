package engine

import "samizdat/rules"

// The kinds of events. Args are named behind each.
const (
	EventCrisis      rules.EventKind = 1 + iota // space, crisis
	EventOrder                                  // place in the order; Seat sits there
	EventObjective                              // objective; for Seat alone
	EventNamed                                  // seat, or -1 for an abstention
	EventChairman                               // turn; Seat is in the chair
	EventSeated                                 // unit
	EventVote                                   // space, three seats: the vote begins
	EventCounted                                // space, ballots for Monarchy, for the Republic
	EventPicked                                 // seat whom Seat wants to purge
	EventPurged                                 // unit, space; Seat loses the token
	EventUnresolved                             // space
	EventMinister                               // reform, colour, colour before, space
	EventNoVote                                 // space that is no longer full
	EventQuiet                                  // nobody calls
	EventCalled                                 // objective
	EventGave                                   // bits of the seats that got a token, colour
	EventDeclined                               // colour
	EventShown                                  // objective
	EventSucceeded                              // errors, allowance, colour
	EventFailed                                 // errors, allowance, colour
	EventUndecidable                            // the Chairman has no legal unit
	EventOver                                   // bits of the winners, their faction or 0
	EventListRefused                            // bits of the seats that take no token; for Seat alone
)

// happened appends a public event.
func happened(dst []rules.Event, k rules.EventKind, seat rules.Seat, args ...int) []rules.Event {
	e := rules.Event{Kind: k, Seat: seat, Audience: rules.Everyone}
	for i, x := range args {
		e.Args[i] = int16(x)
	}
	return append(dst, e)
}
