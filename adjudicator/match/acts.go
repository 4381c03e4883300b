package match

import (
	"fmt"
	"slices"
	"strings"
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

// pausesOf are the times in which the match was paused, or will be.
func pausesOf(m *Match) []clock.Span {
	if h := m.Acts.Halt; h != nil {
		return append(slices.Clone(m.Acts.Halts), clock.Span{From: h.Since, To: h.Until})
	}
	return m.Acts.Halts
}

// Paused reports whether the match is paused at a time.
func (m *Match) Paused(at time.Time) bool { return clock.MergeSpans(pausesOf(m)).Contains(at) }

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

// UntoldRestore is a restore that not every reader has been told of. The letters from after
// the backup, which would have told it, are lost, so each reader's next letter does.
type UntoldRestore struct {
	Act record.Act `json:"act"`
	// Untold are those who have had no letter since.
	Untold rules.Seats `json:"untold"`
}

// everyObserver is the bit of a set of seats that stands for those who observe.
const everyObserver = rules.Everyone &^ (rules.Everyone >> 1)

// Restored puts a match under way back from a backup and returns the entry to store with it: the match is in
// another epoch, so that no die or card that was known before is used again, and the entry
// says why. The next letter to each player tells it, and so does the next that asks him
// something. Last is when the newest entry of the backup was made, why the operator's reason.
func (m *Match) Restored(last time.Time, why string, at time.Time) (record.Entry, error) {
	state, err := record.HashPositionJSON(m.Position)
	if err != nil {
		return record.Entry{}, fmt.Errorf("match %s: its position: %w", m.ID, err)
	}
	act := record.Act{Kind: record.Restore, By: record.ByOperator, Why: why, Until: last}
	e := record.Entry{Seq: m.Entries, At: at.UTC().Truncate(time.Second), Epoch: m.Epoch + 1, State: state, Act: &act}
	if err := m.Secret.Seal(m.ID, m.Head, &e); err != nil {
		return record.Entry{}, fmt.Errorf("match %s: %w", m.ID, err)
	}
	m.Epoch, m.Head = e.Epoch, e.Hash
	m.Entries++
	m.Acts.Restores = append(m.Acts.Restores, UntoldRestore{Act: act, Untold: readersOf(m)})
	return e, nil
}

// readersOf are the seats of a match, and its observers if it has any.
func readersOf(m *Match) (out rules.Seats) {
	for i := range m.Seats {
		out |= rules.Only(rules.Seat(i))
	}
	if len(m.Observers) > 0 {
		out |= everyObserver
	}
	return out
}

// NoteRestoresTold notes that a reader has had a letter, and forgets what nobody is to be told
// any more.
func (m *Match) NoteRestoresTold(reader rules.Seat) {
	told := rules.Only(reader)
	if reader == rules.NoSeat {
		told = everyObserver
	}
	var left []UntoldRestore
	for _, r := range m.Acts.Restores {
		if r.Untold &^= told; r.Untold != 0 {
			left = append(left, r)
		}
	}
	m.Acts.Restores = left
}

// DirectorVerb is what a director does.
type DirectorVerb string

// The verbs.
const (
	DirectorPause   DirectorVerb = "PAUSE"
	DirectorResume  DirectorVerb = "RESUME"
	DirectorExtend  DirectorVerb = "EXTEND"
	DirectorReplace DirectorVerb = "REPLACE"
	DirectorUndo    DirectorVerb = "UNDO"
	DirectorAnnul   DirectorVerb = "ANNUL"
	DirectorRule    DirectorVerb = "RULE"
	DirectorCancel  DirectorVerb = "CANCEL"
	DirectorTell    DirectorVerb = "TELL ALL"
)

// DirectorAct is one thing that a director wants done, with his reason. Which of its fields say
// something is the verb's affair. Seats are named as he wrote them.
type DirectorAct struct {
	Verb DirectorVerb `json:"verb"`
	// Seat is whose clock is extended, or who is replaced, by whoever has the Address,
	// which may come with a name.
	Seat    string `json:"seat,omitempty"`
	Address string `json:"address,omitempty"`
	// Span is for how long: 0 of a pause is until it is ended.
	Span time.Duration `json:"span,omitempty"`
	// Entry is the first entry of the history that is undone.
	Entry int `json:"entry,omitempty"`
	// Winners are those whom a ruling names; Draw and Nobody are the other rulings.
	Winners []string `json:"winners,omitempty"`
	Draw    bool     `json:"draw,omitempty"`
	Nobody  bool     `json:"nobody,omitempty"`
	// Text is what all are told.
	Text string `json:"text,omitempty"`
	// Why is the reason.
	Why string `json:"why,omitempty"`
}

// String is the act as it is written, without its reason.
func (a DirectorAct) String() string {
	rest := ""
	switch a.Verb {
	case DirectorPause:
		if a.Span > 0 {
			rest = Span(a.Span)
		}
	case DirectorExtend:
		rest = a.Seat + " BY " + Span(a.Span)
	case DirectorReplace:
		rest = a.Seat + " WITH " + a.Address
	case DirectorUndo:
		rest = fmt.Sprintf("TO %d", a.Entry)
	case DirectorRule:
		switch {
		case a.Draw:
			rest = "DRAW"
		case a.Nobody:
			rest = "NOBODY"
		default:
			rest = strings.Join(a.Winners, ", ")
		}
	case DirectorTell:
		rest = a.Text
	}
	return strings.TrimSpace(string(a.Verb) + " " + rest)
}

// Span writes a length of time in its greatest whole unit.
func Span(d time.Duration) string {
	for _, u := range SpanUnits {
		if d%u.Is != 0 || d == 0 {
			continue
		}
		if n := int(d / u.Is); n != 1 {
			return fmt.Sprintf("%d %ss", n, u.Name)
		}
		return "1 " + u.Name
	}
	return "0 minutes"
}

// SpanUnits are the units of spans, the greatest first.
var SpanUnits = []struct {
	Name string
	Is   time.Duration
}{{"week", 7 * 24 * time.Hour}, {"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}}

// Directing is where the letters of the director about a match stand.
type Directing struct {
	// Letters is the number of the newest letter that he may answer.
	Letters int64 `json:"letters,omitempty"`
	// Proposed is the act that this letter asks about; nil when there is none.
	Proposed *Directive `json:"proposed,omitempty"`
}

// Directive is an act that the director is asked about.
type Directive struct {
	Act DirectorAct `json:"act"`
	// Entries is how many entries the history had, Asked is when.
	Entries int       `json:"entries"`
	Asked   time.Time `json:"asked"`
}
