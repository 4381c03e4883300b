package match

import (
	"slices"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Acts is what acts, which are no play, have made of a match.
type Acts struct {
	// Ended is how the match has ended by an act; nil where it goes on, or the rules have
	// ended it.
	Ended *Ended `json:"ended,omitempty"`
	// Resigned are the seats whose players have resigned while the match goes on: silence
	// answers for them.
	Resigned rules.Seats `json:"resigned,omitempty"`
	// Left are the seats that do not win when the rules have ended the match, since their
	// players had resigned or never sent an order.
	Left rules.Seats `json:"left,omitempty"`
	// Invited is what becomes of the invitations before the match begins.
	Invited Invited `json:"invited,omitzero"`
	// Requests are what players want to be done, one of a kind at most.
	Requests []Request `json:"requests,omitempty"`
	// Halt is the pause that there is, nil for none; Halts are those that are over.
	Halt  *Halt        `json:"halt,omitempty"`
	Halts []clock.Span `json:"halts,omitempty"`
	// TalkOff means that it was agreed to play without talk: messages are not carried.
	TalkOff bool `json:"talk_off,omitempty"`
	// Tournament means that a tournament waits for the end of the match: its players cannot pause
	// it, one of them cannot break it off alone, and its invitations lapse.
	Tournament bool `json:"tournament,omitempty"`
	// Restores are those that not everybody has been told of.
	Restores []UntoldRestore `json:"restores,omitempty"`
}

// Ended is an act that has ended a match.
type Ended struct {
	// Seat is the seat of its entry, if it has one.
	Seat record.SeatName `json:"seat,omitempty"`
	Act  record.Act      `json:"act"`
	// At is the time of the entry.
	At time.Time `json:"at"`
	// Final is when what is hidden is published: until then the director may take the match
	// up again. It is zero when it is published.
	Final time.Time `json:"final,omitzero"`
}

// Halt is a pause of a match.
type Halt struct {
	Since time.Time `json:"since"`
	// Until is when it ends; zero where it goes on until somebody ends it.
	Until time.Time `json:"until,omitzero"`
	// Director means that it is the director's to end.
	Director bool `json:"director,omitempty"`
}

// Request is what a player wants to be done to the match, and all others have to agree to.
type Request struct {
	Kind record.ActKind `json:"kind"`
	Seat rules.Seat     `json:"seat"`
	// Agreed are those who have agreed.
	Agreed rules.Seats `json:"agreed,omitempty"`
	// Span is for how long, of a pause.
	Span time.Duration `json:"span,omitempty"`
}

// Halt does to the clocks what an act says about a pause.
func (m *Match) Halt(a *record.Act, now time.Time) {
	h := m.Acts.Halt
	if a.Kind == record.Pause {
		m.EndRequest(record.Pause) // There is a pause, and whose it is stays so.
	}
	switch {
	case a.Kind == record.Pause && h == nil:
		m.Acts.Halt = &Halt{Since: now, Until: a.Until, Director: a.By == record.ByDirector}
	case a.Kind == record.Pause:
		m.Acts.Halt = &Halt{Since: h.Since, Until: a.Until, Director: a.By == record.ByDirector}
	case a.Kind == record.Resume && h != nil && a.Until.After(now):
		m.Acts.Halt = &Halt{Since: h.Since, Until: a.Until}
	case a.Kind == record.Resume && h != nil:
		m.Resume(now)
	}
}

// Resume ends the pause that there is.
func (m *Match) Resume(at time.Time) {
	m.Acts.Halts = append(slices.Clone(m.Acts.Halts), clock.Span{From: m.Acts.Halt.Since, To: at})
	m.Acts.Halt = nil
}

// halts are the times in which the match was paused, or will be.
func (m *Match) halts() []clock.Span {
	if h := m.Acts.Halt; h != nil {
		return append(slices.Clone(m.Acts.Halts), clock.Span{From: h.Since, To: h.Until})
	}
	return m.Acts.Halts
}

// Paused reports whether the match is paused at a time.
func (m *Match) Paused(at time.Time) bool { return clock.Union(m.halts()).At(at) }

// OpenRequest is the request of a kind that is open.
func (m *Match) OpenRequest(kind record.ActKind) (r Request, open bool) {
	if i := slices.IndexFunc(m.Acts.Requests, func(r Request) bool { return r.Kind == kind }); i >= 0 {
		return m.Acts.Requests[i], true
	}
	return r, false
}

// SetRequest puts a request in the place of those of its kind.
func (m *Match) SetRequest(r Request) {
	m.EndRequest(r.Kind)
	m.Acts.Requests = append(m.Acts.Requests, r)
}

// EndRequest drops the requests of a kind.
func (m *Match) EndRequest(kind record.ActKind) {
	m.Acts.Requests = slices.DeleteFunc(slices.Clone(m.Acts.Requests), func(r Request) bool { return r.Kind == kind })
}

// DropRequestsOf takes a seat out of all requests: its player has left, or another sits there.
func (m *Match) DropRequestsOf(seat rules.Seat) {
	m.Acts.Requests = slices.DeleteFunc(slices.Clone(m.Acts.Requests), func(r Request) bool { return r.Seat == seat })
	for i := range m.Acts.Requests {
		m.Acts.Requests[i].Agreed &^= rules.Only(seat)
	}
}
