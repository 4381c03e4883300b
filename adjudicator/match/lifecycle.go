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

// Lifecycle is the state of a match beside its position: invitations, requests, pauses, resignations and the end. Acts change it
// (record.Act): entries of the history that are not game orders, for example a resignation. The JSON keys of stored matches are older
// names.
type Lifecycle struct {
	// Ended is the act that ended the match; nil while the match is in play, or if the rules ended it.
	Ended *EndingAct `json:"ended,omitempty"`
	// Resigned are the seats of players who resigned while the match is in play. The referee answers for them as for silent players.
	Resigned rules.Seats `json:"resigned,omitempty"`
	// Absent are the seats that cannot win: their players resigned or never sent an order. It is set when the rules end the match.
	Absent      rules.Seats     `json:"left,omitempty"`
	Invitations InvitationState `json:"invited,omitzero"`
	// Requests are the open requests of players, at most one of each kind.
	Requests []Request `json:"requests,omitempty"`
	// Pause is the current pause; nil for none.
	Pause      *Pause       `json:"halt,omitempty"`
	PastPauses []clock.Span `json:"halts,omitempty"`
	// TalkOff is set if the players have agreed to play without talk, so messages are not sent.
	TalkOff bool `json:"talk_off,omitempty"`
	// Tournament is set if the match belongs to a tournament. Its players cannot pause it, no player can break it
	// off alone, and its invitations expire.
	Tournament         bool                `json:"tournament,omitempty"`
	UnreportedRestores []UnreportedRestore `json:"restores,omitempty"`
}

// EndingAct is an act that ended a match.
type EndingAct struct {
	Seat record.SeatName `json:"seat,omitempty"`
	Act  record.Act      `json:"act"`
	At   time.Time       `json:"at"`
	// Final is the time when hidden information is published; until then the director may continue the match. It
	// is zero after the publication.
	Final time.Time `json:"final,omitzero"`
}

// Pause is a pause of a match. All clocks are stopped.
type Pause struct {
	Since time.Time `json:"since"`
	// Until is the end of the pause; zero if it lasts until a player or the director ends it.
	Until time.Time `json:"until,omitzero"`
	// Director is set if only the director can end the pause.
	Director bool `json:"director,omitempty"`
}

// Request is a player's request, e.g. for a draw or a pause, to which all others have to agree.
type Request struct {
	Kind   record.ActKind `json:"kind"`
	Seat   rules.Seat     `json:"seat"`
	Agreed rules.Seats    `json:"agreed,omitempty"`
	// Duration is the length of a requested pause.
	Duration time.Duration `json:"span,omitempty"`
	// Robot is the robot that is to play for the absent player of the seat Absent, e.g. "level3".
	Robot  string     `json:"robot,omitempty"`
	Absent rules.Seat `json:"absent,omitempty"`
}

// HasSameTerms reports whether two requests of the same kind ask for the same, for example for a pause of the same length.
func (r Request) HasSameTerms(other Request) bool {
	return r.Duration == other.Duration && r.Robot == other.Robot && r.Absent == other.Absent
}

func (r Request) needsConsent(m *Match, seat rules.Seat) bool {
	return seat != r.Seat && !r.Agreed.Has(seat) && !m.Resigned.Has(seat) && !(r.Kind == record.Replace && seat == r.Absent)
}

// ApplyPause applies an act of the kinds Pause and Resume. It ignores other kinds.
func (m *Match) ApplyPause(act *record.Act, now time.Time) {
	pause := m.Pause
	if act.Kind == record.Pause {
		m.EndRequest(record.Pause) // this pause replaces the requested one
	}
	switch {
	case act.Kind == record.Pause && pause == nil:
		m.Pause = &Pause{Since: now, Until: act.Until, Director: act.By == record.ByDirector}
	case act.Kind == record.Pause:
		m.Pause = &Pause{Since: pause.Since, Until: act.Until, Director: act.By == record.ByDirector}
	case act.Kind == record.Resume && pause != nil && act.Until.After(now):
		m.Pause = &Pause{Since: pause.Since, Until: act.Until}
	case act.Kind == record.Resume && pause != nil:
		m.EndPause(now)
	}
}

// EndPause ends the current pause.
func (m *Match) EndPause(at time.Time) {
	m.PastPauses = append(slices.Clone(m.PastPauses), clock.Span{From: m.Pause.Since, To: at})
	m.Pause = nil
}

// matchPauses returns the past pauses and the current pause. To of the current pause is its planned end; zero if it has none.
func matchPauses(m *Match) []clock.Span {
	if pause := m.Pause; pause != nil {
		return append(slices.Clone(m.PastPauses), clock.Span{From: pause.Since, To: pause.Until})
	}
	return m.PastPauses
}

// IsPaused reports whether the clocks of the match are paused.
func (m *Match) IsPaused(at time.Time) bool { return clock.MergeSpans(matchPauses(m)).Contains(at) }

// OpenRequest returns the open request of a kind.
func (m *Match) OpenRequest(kind record.ActKind) (r Request, isOpen bool) {
	if i := slices.IndexFunc(m.Requests, func(r Request) bool { return r.Kind == kind }); i >= 0 {
		return m.Requests[i], true
	}
	return r, false
}

// SetRequest adds a request, and replaces an earlier one of its kind.
func (m *Match) SetRequest(r Request) {
	m.EndRequest(r.Kind)
	m.Requests = append(m.Requests, r)
}

// EndRequest removes the open request of a kind.
func (m *Match) EndRequest(kind record.ActKind) {
	m.Requests = slices.DeleteFunc(slices.Clone(m.Requests), func(r Request) bool { return r.Kind == kind })
}

// DropRequestsOf drops a seat's requests and its agreement to other requests, because its player has left or was replaced.
func (m *Match) DropRequestsOf(seat rules.Seat) {
	m.Requests = slices.DeleteFunc(slices.Clone(m.Requests), func(r Request) bool { return r.Seat == seat })
	for i := range m.Requests {
		m.Requests[i].Agreed &^= rules.Only(seat)
	}
}

// UnreportedRestore is a restore from a backup that some readers have not been told about. Orders and letters that came
// after the backup may be missing, so the next letter to each reader explains the restore.
type UnreportedRestore struct {
	Act record.Act `json:"act"`
	// UnreportedTo are the seats, and the observers as everyObserver, that have had no letter since the restore.
	UnreportedTo rules.Seats `json:"untold"`
}

// everyObserver is the bit of a set of seats that represents all observers.
const everyObserver = rules.Everyone &^ (rules.Everyone >> 1)

// RestoreFromBackup continues a match in play after a restore, and returns the entry to store with the match. The match
// gets a new epoch, so that dice and cards that players saw after the backup are not used again. last is the time of the
// newest entry in the backup, and reason is the operator's reason; the next letter to each reader quotes both.
func (m *Match) RestoreFromBackup(last time.Time, reason string, at time.Time) (record.Entry, error) {
	state, err := record.HashPositionJSON(m.Position)
	if err != nil {
		return record.Entry{}, fmt.Errorf("match %s: its position: %w", m.ID, err)
	}
	act := record.Act{Kind: record.Restore, By: record.ByOperator, Why: reason, Until: last}
	entry := record.Entry{Seq: m.EntryCount, At: at.UTC().Truncate(time.Second), Epoch: m.Epoch + 1, State: state, Act: &act}
	if err := m.Secret.Seal(m.ID, m.Head, &entry); err != nil {
		return record.Entry{}, fmt.Errorf("match %s: %w", m.ID, err)
	}
	m.Epoch, m.Head = entry.Epoch, entry.Hash
	m.EntryCount++
	m.UnreportedRestores = append(m.UnreportedRestores, UnreportedRestore{Act: act, UnreportedTo: allReaders(m)})
	return entry, nil
}

func allReaders(m *Match) (out rules.Seats) {
	for i := range m.Seats {
		out |= rules.Only(rules.Seat(i))
	}
	if len(m.Observers) > 0 {
		out |= everyObserver
	}
	return out
}

// RecordRestoresReported records that a reader has had a letter, and drops restores that all readers know about. The
// reader rules.NoSeat represents the observers.
func (m *Match) RecordRestoresReported(reader rules.Seat) {
	notified := rules.Only(reader)
	if reader == rules.NoSeat {
		notified = everyObserver
	}
	var remaining []UnreportedRestore
	for _, r := range m.UnreportedRestores {
		if r.UnreportedTo &^= notified; r.UnreportedTo != 0 {
			remaining = append(remaining, r)
		}
	}
	m.UnreportedRestores = remaining
}

// DirectorVerb is the word that begins a directive, e.g. "PAUSE", or two words ("TELL ALL").
type DirectorVerb string

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

// Directive is an order of the director with a reason, e.g. "REPLACE communist WITH ben@example.org" or "RULE DRAW". Each verb uses
// some of the fields. Seats are named as the director wrote them.
type Directive struct {
	Verb DirectorVerb `json:"verb"`
	// Seat is the seat for EXTEND and REPLACE. Address is the name and address of the new player, e.g. "Ben
	// <ben@example.org>".
	Seat    string `json:"seat,omitempty"`
	Address string `json:"address,omitempty"`
	// Duration is the length of an extension or a pause; a pause of 0 lasts until RESUME.
	Duration time.Duration `json:"span,omitempty"`
	// Entry is the first entry of the history to undo.
	Entry int `json:"entry,omitempty"`
	// Winners are the seats that RULE declares winners, e.g. RULE smith, baker. Draw is set for RULE DRAW, Nobody for
	// RULE NOBODY.
	Winners []string `json:"winners,omitempty"`
	Draw    bool     `json:"draw,omitempty"`
	Nobody  bool     `json:"nobody,omitempty"`
	// Text is the message of TELL ALL.
	Text string `json:"text,omitempty"`
	Why  string `json:"why,omitempty"`
}

// String returns the directive as the director would write it, without the reason, e.g. "EXTEND democrat BY 2 days".
func (d Directive) String() string {
	rest := ""
	switch d.Verb {
	case DirectorPause:
		if d.Duration > 0 {
			rest = FormatDuration(d.Duration)
		}
	case DirectorExtend:
		rest = d.Seat + " BY " + FormatDuration(d.Duration)
	case DirectorReplace:
		rest = d.Seat + " WITH " + d.Address
	case DirectorUndo:
		rest = fmt.Sprintf("TO %d", d.Entry)
	case DirectorRule:
		switch {
		case d.Draw:
			rest = "DRAW"
		case d.Nobody:
			rest = "NOBODY"
		default:
			rest = strings.Join(d.Winners, ", ")
		}
	case DirectorTell:
		rest = d.Text
	}
	return strings.TrimSpace(string(d.Verb) + " " + rest)
}

// FormatDuration formats a duration in the greatest unit that divides it, e.g. "36 hours" or "1 day".
func FormatDuration(d time.Duration) string {
	for _, u := range DurationUnits {
		if d%u.Length != 0 || d == 0 {
			continue
		}
		if n := int(d / u.Length); n != 1 {
			return fmt.Sprintf("%d %ss", n, u.Name)
		}
		return "1 " + u.Name
	}
	return "0 minutes"
}

// DurationUnits are the units that FormatDuration uses, the greatest first.
var DurationUnits = []struct {
	Name   string
	Length time.Duration
}{{"week", 7 * 24 * time.Hour}, {"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}}

// DirectorState is the state of the correspondence with the director about a match.
type DirectorState struct {
	// LastLetter is the number of the newest letter to the director, the only letter that the director may answer.
	LastLetter int64 `json:"letters,omitempty"`
	// Proposed is the directive that this letter asks the director to confirm; nil if it asks for none.
	Proposed *ProposedDirective `json:"proposed,omitempty"`
}

// ProposedDirective is a directive that the director is asked to confirm.
type ProposedDirective struct {
	Directive Directive `json:"act"`
	// EntryCount is the length of the history when the letter was sent. AskedAt is the time at which it was sent.
	EntryCount int       `json:"entries"`
	AskedAt    time.Time `json:"asked"`
}
