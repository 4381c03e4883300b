package engine

import (
	"slices"

	"samizdat/rules"
)

// OpenDecisions implements rules.Position.
func (p *Position) OpenDecisions(dst []rules.Decision) []rules.Decision {
	for s := range p.Players {
		if p.DecisionIDs[s] != 0 {
			dst = append(dst, p.decision(rules.Seat(s)))
		}
	}
	return dst
}

// decision returns a seat's open decision, with the Silence of ruling 15.
func (p *Position) decision(s rules.Seat) rules.Decision {
	d := rules.Decision{ID: p.DecisionIDs[s], Seat: s, Min: 1, Max: 1, Silence: rules.SilenceLot, Play: uint32(p.Turn)}
	switch p.Phase {
	case Naming:
		d.Kind, d.Silence = KindName, rules.SilenceDefault
	case Seating:
		d.Kind = KindSeat
		if p.ChosenUnit != 0 {
			d.Min, d.Midway, d.Stop = 0, true, NewAtom(VerbEndAnswer, 0)
		}
	case Voting:
		d.Kind, d.Ballot, d.Source = KindVote, true, p.Cards[p.VoteSpace].Name()
	case Purging:
		d.Kind, d.Source = KindPurge, p.Cards[p.VoteSpace].Name()
	case Calling:
		d.Kind, d.Silence, d.Repeats, d.Private = KindCall, rules.SilenceDefault, true, true
		if p.callers.Has(s) {
			d.Min, d.Max, d.Midway, d.Stop = 0, maxGifts-countSeats(p.currentGifts), true, p.callEnd()
		}
	case GivingFirst, GivingSecond:
		d.Kind, d.Silence = KindGive, rules.SilenceDefault
		d.Min, d.Max, d.Midway, d.Stop = 0, maxGifts-countSeats(p.currentGifts), p.currentGifts != 0, NewAtom(VerbEndGifts, 0)
	}
	if p.Phase == Naming || p.Phase == Voting || p.Phase == Purging || p.Phase == Calling {
		d.Sealed, d.Group = true, p.Group
	}
	return d
}

func (p *Position) callEnd() rules.Atom {
	if p.currentGifts != 0 {
		return NewAtom(VerbEndGifts, 0)
	}
	return NewAtom(VerbEndAnswer, 0)
}

func (p *Position) seatOfDecision(id rules.DecisionID) rules.Seat {
	if i := slices.Index(p.DecisionIDs[:p.Players], id); id != 0 && i >= 0 {
		return rules.Seat(i)
	}
	return rules.NoSeat
}

// Options implements rules.Position.
func (p *Position) Options(dst []rules.Atom, id rules.DecisionID) []rules.Atom {
	s := p.seatOfDecision(id)
	if s == rules.NoSeat {
		return dst
	}
	switch p.Phase {
	case Naming:
		dst = append(dst, NewAtom(VerbAbstain, 0))
		return p.appendSeatOptions(dst, VerbName, 0)
	case Seating:
		return p.unitOptions(dst, s)
	case Voting:
		return append(dst, NewAtom(VerbVote, int(Monarchist)), NewAtom(VerbVote, int(Republican)))
	case Purging:
		for other := range rules.Seat(p.Players) {
			if other != s && slices.Contains(p.Voters[:], other) {
				dst = append(dst, NewAtom(VerbPurge, int(other)))
			}
		}
		return dst
	case Calling:
		return p.callOptions(dst, s)
	}
	return p.giftOptions(dst, s)
}

// unitOptions returns the units that a seat may take or, after a unit that fills two crises, the options for the first
// vote.
func (p *Position) unitOptions(dst []rules.Atom, s rules.Seat) []rules.Atom {
	if p.ChosenUnit != 0 {
		return append(dst, NewAtom(VerbEndAnswer, 0), NewAtom(VerbFirst, int(p.VoteQueue[0])), NewAtom(VerbFirst, int(p.VoteQueue[1])))
	}
	for u := Unit(1); u < Units; u++ {
		if p.IsLegalUnit(s, u) {
			dst = append(dst, NewAtom(VerbSeat, int(u)))
		}
	}
	return dst
}

// callOptions returns the options of a call, or of its gifts. Only leaders may call a revolution, but every seat is
// asked, so that the question does not reveal the leaders.
func (p *Position) callOptions(dst []rules.Atom, s rules.Seat) []rules.Atom {
	if !p.callers.Has(s) {
		dst = append(dst, NewAtom(VerbHold, 0))
		if p.Objectives[s].IsLeader() {
			dst = append(dst, NewAtom(VerbRevolution, 0))
		}
		return dst
	}
	if p.currentGifts == 0 {
		dst = append(dst, NewAtom(VerbEndAnswer, 0))
	}
	return p.appendSeatOptions(append(dst, NewAtom(VerbEndGifts, 0)), VerbGive, p.currentGifts|rules.Only(s))
}

// giftOptions returns the options of a leader who gives tokens (rule 5.5): a token for any seat except the leader's
// own and an opposing leader with a shown card (ruling 13).
func (p *Position) giftOptions(dst []rules.Atom, s rules.Seat) []rules.Atom {
	if p.currentGifts == 0 {
		if p.Phase == GivingSecond && p.IsLeaderExempt(p.Objectives[s].Faction()) {
			dst = append(dst, NewAtom(VerbDecline, 0))
		}
		if p.hasGiftList.Has(s) {
			dst = append(dst, NewAtom(VerbGiveListed, 0))
		}
	}
	return p.appendSeatOptions(append(dst, NewAtom(VerbEndGifts, 0)), VerbGive, p.currentGifts|rules.Only(s)|p.ShownSeats)
}

func (p *Position) appendSeatOptions(dst []rules.Atom, v Verb, without rules.Seats) []rules.Atom {
	for s := range rules.Seat(p.Players) {
		if !without.Has(s) {
			dst = append(dst, NewAtom(v, int(s)))
		}
	}
	return dst
}

// Verb is the action of an atom, for example VerbSeat. The value of the atom is a unit, a space, a seat or a colour.
type Verb uint8

// The verbs. After a missed deadline the smallest legal atom is taken, so the order of the verbs matters: a leader
// who may decline declines, and any other leader gives the announced gifts, if any.
const (
	VerbAbstain Verb = 1 + iota
	VerbName
	VerbSeat
	// VerbEndAnswer ends an answer that could continue: after VerbSeat two votes keep the order of their spaces (ruling
	// 6), after VerbRevolution no gifts are announced (ruling 14).
	VerbEndAnswer
	VerbFirst
	VerbVote
	VerbPurge
	VerbHold
	VerbRevolution
	VerbDecline
	VerbGiveListed // gives the gifts that the leader's call announced (ruling 14)
	// VerbEndGifts ends a list of gifts.
	VerbEndGifts
	VerbGive
)

// NewAtom returns an atom. For example, "take unit 3" is NewAtom(VerbSeat, 3).
func NewAtom(v Verb, value int) rules.Atom { return rules.Atom(uint32(v)<<8 | uint32(value)) }

// AtomVerb returns an atom's verb.
func AtomVerb(a rules.Atom) Verb { return Verb(a >> 8) }

// AtomValue returns an atom's value.
func AtomValue(a rules.Atom) int { return int(a & 0xff) }

// The values of rules.Decision.Kind.
const (
	KindName  = "name"
	KindSeat  = "seat"
	KindVote  = "vote"
	KindPurge = "purge"
	KindCall  = "call"
	KindGive  = "give"
)

// The kinds of events. The comment after each lists its arguments and, if needed, the meaning of Event.Seat.
const (
	EventCrisis      rules.EventKind = 1 + iota // space, crisis
	EventOrder                                  // place in the order; Seat sits there
	EventObjective                              // objective; for Seat alone
	EventNamed                                  // seat, or -1 for an abstention
	EventChairman                               // turn; Seat is in the chair
	EventSeated                                 // unit
	EventVote                                   // space, three seats: the vote begins
	EventCounted                                // space, ballots for Monarchy, for the Republic
	EventPicked                                 // seat that Seat points at in a purge
	EventPurged                                 // unit, space; Seat loses the token
	EventUnresolved                             // space
	EventMinister                               // reform, colour, colour before, space
	EventNoVote                                 // space that is no longer full
	EventQuiet                                  // no seat calls a revolution
	EventCalled                                 // objective
	EventGave                                   // bits of the seats that got a token, colour
	EventDeclined                               // colour
	EventShown                                  // objective
	EventSucceeded                              // errors, allowance, colour
	EventFailed                                 // errors, allowance, colour
	EventNoLegalUnit                            // the Chairman has no legal unit
	EventOver                                   // bits of the winners, their faction or 0
	EventListRefused                            // bits of the announced seats that may not get a token; for Seat alone
)

// appendEvent appends a public event.
func appendEvent(dst []rules.Event, k rules.EventKind, seat rules.Seat, args ...int) []rules.Event {
	e := rules.Event{Kind: k, Seat: seat, Audience: rules.Everyone}
	for i, x := range args {
		e.Args[i] = int16(x)
	}
	return append(dst, e)
}
