package match

import (
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/beacon"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Proceed begins the match if nothing is missing, and asks for what is.
func (p *Play) Proceed(ctx context.Context) error {
	switch {
	case p.Turn.Match.Unjoined() != 0, p.Turn.Match.AwaitsBeacon():
		return nil
	case p.Turn.Match.Unopened() != 0:
		if p.Turn.Match.Acts.Invited.Asked.IsZero() {
			askToOpen(p)
		}
		return nil
	}
	unseal(p.Turn)
	if p.Turn.Match.Beacon != nil {
		return nameRound(p)
	}
	return p.Begin(ctx)
}

// unseal puts the words that were sealed in their place, when all are open.
func unseal(t *Turn) {
	for i := range t.Match.Seats {
		s := &t.Match.Seats[i]
		if words, open := s.OpenedWords(); open {
			s.Words, s.Timing.Opened = words, s.Timing.Opened[:len(s.Timing.Opened)-1]
			t.Remarks = append(t.Remarks, "The words of "+t.Called(rules.Seat(i))+" were sealed, and have the seal "+s.Seal+".")
		}
	}
}

// askToOpen asks those who have sealed their words to open them, and shows all seals to all.
func askToOpen(p *Play) {
	in := &p.Turn.Match.Acts.Invited
	in.Asked, in.Reminded = p.Turn.Now.Truncate(time.Second), false
	in.Extend(p.Turn.Now, p.Invitations)
	p.Turn.Remarks = append(p.Turn.Remarks, "All have joined. The seals of all words stand below: nobody can choose other words any more.")
}

// nameRound names the round that is mixed in. All words are known, and cannot be changed any
// more.
func nameRound(p *Play) error {
	chain, err := beacon.Find(p.Turn.Match.Beacon.Chain, p.Beacon)
	if err != nil {
		return err
	}
	named := *p.Turn.Match.Beacon
	named.Round = chain.Round(p.Turn.Now.Add(untilRound))
	named.At = chain.Published(named.Round)
	p.Turn.Match.Beacon = &named
	p.Turn.Remarks = append(p.Turn.Remarks, fmt.Sprintf("All words are known; they stand below. Round %d of the public beacon %s is mixed "+
		"into the dice as well. Nobody can know it before it is published.", named.Round, named.Chain))
	return nil
}

// untilRound is how long before it is published a round is named at least, so that the letter
// that names it is out by then.
const untilRound = 15 * time.Minute

// Invited is what becomes of the invitations to a match that has not begun.
type Invited struct {
	// Lapses is when they lapse unless all have joined; zero for never.
	Lapses time.Time `json:"lapses,omitzero"`
	// Returned are the seats whose invitations came back, Told those of which others know.
	Returned rules.Seats `json:"returned,omitempty"`
	Told     rules.Seats `json:"told,omitempty"`
	// Asked is when those who have sealed their words were asked to open them; zero before.
	// Reminded means that those who had not were reminded.
	Asked    time.Time `json:"asked,omitzero"`
	Reminded bool      `json:"reminded,omitempty"`
	// Off is why the match was called off; nil where it was not.
	Off *CallOff `json:"off,omitempty"`
}

// Again forgets that the invitation to a seat came back, since another is invited, who has as
// much time as the first.
func (i *Invited) Again(seat rules.Seat, now time.Time, span time.Duration) {
	i.Returned, i.Told = i.Returned&^rules.Only(seat), i.Told&^rules.Only(seat)
	i.Extend(now, span)
}

// Extend lets invitations that lapse be good for a span from now.
func (i *Invited) Extend(now time.Time, span time.Duration) {
	if !i.Lapses.IsZero() && span > 0 {
		i.Lapses = now.UTC().Add(span).Truncate(time.Second)
	}
}

// CallOff says why a match was called off before it began.
type CallOff struct {
	How CalledOffBy `json:"how"`
	// Seat is who has declined, Why is his word for the others, or the director's.
	Seat rules.Seat `json:"seat"`
	Why  string     `json:"why,omitempty"`
}

// CalledOffBy says in what way a match was called off.
type CalledOffBy string

// The ways: a player declined, the invitations lapsed, or the director took them back.
const (
	Declined  CalledOffBy = "declined"
	Lapsed    CalledOffBy = "lapsed"
	Cancelled CalledOffBy = "cancelled"
)

// AtFault are the seats whose players are the reason why the match was called off: the one who
// declined the invitation, or those who did not join or open their words in time. After a cancel
// by the director there are none.
func (m *Match) AtFault() rules.Seats {
	switch off := m.Acts.Invited.Off; {
	case off == nil || off.How == Cancelled:
		return 0
	case off.How == Declined:
		return rules.Only(off.Seat)
	case m.Unjoined() != 0:
		return m.Unjoined()
	}
	return m.Unopened()
}

// Unreached notes that an invitation to a seat came back, and reports whether others are to
// be told.
func (m *Match) Unreached(seat rules.Seat) bool {
	if m.State != Inviting || m.Seats[seat].Joined || m.Acts.Invited.Returned.Has(seat) {
		return false
	}
	m.Acts.Invited.Returned |= rules.Only(seat)
	return true
}

// InvitationsDue is when something becomes of the invitations; zero where nothing does.
func (m *Match) InvitationsDue() time.Time {
	in := m.Acts.Invited
	switch {
	case m.State != Inviting, m.AwaitsBeacon():
		return time.Time{}
	case in.Returned&^in.Told != 0:
		return m.Created
	}
	if at := m.ReminderToOpen(); !at.IsZero() {
		return at
	}
	return in.Lapses
}

// Unjoined are the seats whose players have not joined.
func (m *Match) Unjoined() (seats rules.Seats) {
	for i := range m.Seats {
		if !m.Seats[i].Joined {
			seats |= rules.Only(rules.Seat(i))
		}
	}
	return seats
}

// Unopened are the seats whose words are sealed.
func (m *Match) Unopened() (seats rules.Seats) {
	for i := range m.Seats {
		if s := &m.Seats[i]; s.Joined && s.Seal != "" && s.Words == "" {
			if _, open := s.OpenedWords(); !open {
				seats |= rules.Only(rules.Seat(i))
			}
		}
	}
	return seats
}

// Seals are the seals of the words of all seats, where anybody in the match has sealed his,
// or a beacon is mixed in: letters show them before its round is published.
func (m *Match) Seals() (out []string) {
	if m.Beacon == nil && !slices.ContainsFunc(m.Seats, func(s Seat) bool { return s.Seal != "" }) {
		return nil
	}
	for _, s := range m.Seats {
		if s.Seal == "" {
			s.Seal = record.SealWords(s.Words)
		}
		out = append(out, s.Seal)
	}
	return out
}

// OpenedWords are the words for the seal of a seat, if its player has opened them.
func (s *Seat) OpenedWords() (words string, open bool) {
	if n := len(s.Timing.Opened); n > 0 && record.MatchesSeal(s.Seal, s.Timing.Opened[n-1]) {
		return s.Timing.Opened[n-1], true
	}
	return "", false
}

// ReminderToOpen is when they are; zero where nobody is to be.
func (m *Match) ReminderToOpen() time.Time {
	in := m.Acts.Invited
	if m.State != Inviting || in.Asked.IsZero() || in.Reminded || m.Unjoined() != 0 || m.Unopened() == 0 {
		return time.Time{}
	}
	if at := in.Asked.Add(untilReminder); in.Lapses.IsZero() || at.Before(in.Lapses) {
		return at
	}
	return in.Asked.Add(in.Lapses.Sub(in.Asked) / 2)
}

// untilReminder is how long after they were asked those are reminded who have not opened
// their words.
const untilReminder = 3 * 24 * time.Hour

// Beacon is the public beacon of a match.
type Beacon struct {
	Chain string        `json:"chain"`
	Wait  time.Duration `json:"patience,omitempty"`
	// Round is named when all words are known, and published at At; 0 before.
	Round int64     `json:"round,omitempty"`
	At    time.Time `json:"at,omitzero"`
	// Signature is that of the round, as records have it, once the match has begun with it.
	Signature string `json:"signature,omitempty"`
}

// AwaitsBeacon reports whether the match waits for a round that was named.
func (m *Match) AwaitsBeacon() bool {
	return m.State == Inviting && m.Beacon != nil && m.Beacon.Round > 0
}
