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

// Proceed takes the next step of a match that has not begun. After all players have joined, it asks the players to reveal
// sealed words. After all words are known, it chooses the round of the beacon, or begins a match without a beacon.
func (p *Execution) Proceed(ctx context.Context) error {
	switch {
	case p.Turn.Match.UnjoinedSeats() != 0, p.Turn.Match.AwaitsBeacon():
		return nil
	case p.Turn.Match.UnrevealedSeats() != 0:
		if p.Turn.Match.Invitations.RevealAsked.IsZero() {
			askToReveal(p)
		}
		return nil
	}
	publishRevealedWords(p.Turn)
	if p.Turn.Match.Beacon != nil {
		return chooseRound(p)
	}
	return p.Begin(ctx)
}

// publishRevealedWords moves the words that match a seal from PrivateState.RevealedWords to SeedWords, and tells them to all players.
func publishRevealedWords(t *Turn) {
	for i := range t.Match.Seats {
		s := &t.Match.Seats[i]
		if words, isRevealed := s.RevealedWords(); isRevealed {
			s.SeedWords, s.Private.RevealedWords = words, s.Private.RevealedWords[:len(s.Private.RevealedWords)-1]
			t.Remarks = append(t.Remarks, "Before the match "+t.FullName(rules.Seat(i))+" chose secret words for the dice. "+
				"They are public now, and match the fingerprint sent then:\n"+s.Seal)
		}
	}
}

func askToReveal(p *Execution) {
	state := &p.Turn.Match.Invitations
	state.RevealAsked, state.RevealReminded = p.Turn.Now.Truncate(time.Second), false
	state.Extend(p.Turn.Now, p.InvitationPeriod)
	p.Turn.Remarks = append(p.Turn.Remarks, "All players have joined. The fingerprints of all secret words are below: now no "+
		"player can change the words.")
}

// chooseRound chooses the round of the beacon, when the words can no longer be changed.
func chooseRound(p *Execution) error {
	chain, err := beacon.Find(p.Turn.Match.Beacon.Chain, p.BeaconChain)
	if err != nil {
		return err
	}
	chosen := *p.Turn.Match.Beacon
	chosen.Round = chain.FirstRoundFrom(p.Turn.Now.Add(minBeaconDelay))
	chosen.At = chain.PublicationTime(chosen.Round)
	p.Turn.Match.Beacon = &chosen
	p.Turn.Remarks = append(p.Turn.Remarks, fmt.Sprintf("All words are known and shown below. The dice also depend on "+
		"round %d of %s, a public source of random numbers. No one can know that number before it is published.", chosen.Round, chosen.Chain))
	return nil
}

// minBeaconDelay is the minimum time from the choice of a round to its publication. The letter that names the round is sent in this time.
const minBeaconDelay = 15 * time.Minute

// InvitationState is the state of the invitations to a match that has not begun. Stored matches use the JSON keys, which
// are older names.
type InvitationState struct {
	// ExpiresAt is the time at which the match is called off unless it has begun; zero for never.
	ExpiresAt time.Time `json:"lapses,omitzero"`
	// BouncedSeats are the seats with bounced invitations. ReportedBounces are the bounced seats that the other players know
	// about.
	BouncedSeats    rules.Seats `json:"returned,omitempty"`
	ReportedBounces rules.Seats `json:"told,omitempty"`
	// RevealAsked is the time at which players with sealed words were asked to reveal them; zero before. RevealReminded
	// is set if a reminder was sent.
	RevealAsked    time.Time `json:"asked,omitzero"`
	RevealReminded bool      `json:"reminded,omitempty"`
	// CallOff is the reason why the match was called off; nil if it was not.
	CallOff *CallOff `json:"off,omitempty"`
}

// Renew records that another player was invited to a seat: it deletes the bounce of the former player's invitation and extends
// the invitations.
func (i *InvitationState) Renew(seat rules.Seat, now time.Time, span time.Duration) {
	i.BouncedSeats, i.ReportedBounces = i.BouncedSeats&^rules.Only(seat), i.ReportedBounces&^rules.Only(seat)
	i.Extend(now, span)
}

// Extend sets the time at which the invitations expire to now plus span. It does not change a zero ExpiresAt (never).
func (i *InvitationState) Extend(now time.Time, span time.Duration) {
	if !i.ExpiresAt.IsZero() && span > 0 {
		i.ExpiresAt = now.UTC().Add(span).Truncate(time.Second)
	}
}

// CallOff describes why a match was called off before it began.
type CallOff struct {
	Cause CallOffCause `json:"how"`
	// Seat is the seat of the player who declined. Why is the reason that the player or the director gave.
	Seat rules.Seat `json:"seat"`
	Why  string     `json:"why,omitempty"`
}

// CallOffCause is the cause of a CallOff, e.g. "declined".
type CallOffCause string

const (
	CauseDeclined  CallOffCause = "declined"
	CauseExpired   CallOffCause = "lapsed"
	CauseCancelled CallOffCause = "cancelled"
)

// SeatsAtFault returns the seats that caused the match to be called off: the player who declined, or the players
// who did not join or reveal their words in time. There are none if the director cancelled the match.
func (m *Match) SeatsAtFault() rules.Seats {
	switch callOff := m.Invitations.CallOff; {
	case callOff == nil || callOff.Cause == CauseCancelled:
		return 0
	case callOff.Cause == CauseDeclined:
		return rules.Only(callOff.Seat)
	case m.UnjoinedSeats() != 0:
		return m.UnjoinedSeats()
	}
	return m.UnrevealedSeats()
}

// RecordInvitationBounce records that the invitation to a seat bounced. It reports whether the other players must be told.
func (m *Match) RecordInvitationBounce(seat rules.Seat) bool {
	if m.State != Inviting || m.Seats[seat].Joined || m.Invitations.BouncedSeats.Has(seat) {
		return false
	}
	m.Invitations.BouncedSeats |= rules.Only(seat)
	return true
}

// NextInvitationTask returns when the invitations need the next action, e.g. a reminder; zero for never. If players must be
// told of a bounce, it is m.Created, so that the action is due at once.
func (m *Match) NextInvitationTask() time.Time {
	state := m.Invitations
	switch {
	case m.State != Inviting, m.AwaitsBeacon():
		return time.Time{}
	case state.BouncedSeats&^state.ReportedBounces != 0:
		return m.Created
	}
	if at := m.RevealReminderAt(); !at.IsZero() {
		return at
	}
	return state.ExpiresAt
}

// UnjoinedSeats returns the seats of players who have not joined.
func (m *Match) UnjoinedSeats() (seats rules.Seats) {
	for i := range m.Seats {
		if !m.Seats[i].Joined {
			seats |= rules.Only(rules.Seat(i))
		}
	}
	return seats
}

// UnrevealedSeats returns the seats with words that are still sealed.
func (m *Match) UnrevealedSeats() (seats rules.Seats) {
	for i := range m.Seats {
		if s := &m.Seats[i]; s.Joined && s.Seal != "" && s.SeedWords == "" {
			if _, isRevealed := s.RevealedWords(); !isRevealed {
				seats |= rules.Only(rules.Seat(i))
			}
		}
	}
	return seats
}

// Seals returns the seals of the words of all seats, for letters and records. It returns nil if no player has sealed words and no
// beacon is used.
func (m *Match) Seals() (out []string) {
	if m.Beacon == nil && !slices.ContainsFunc(m.Seats, func(s Seat) bool { return s.Seal != "" }) {
		return nil
	}
	for _, s := range m.Seats {
		if s.Seal == "" {
			s.Seal = record.SealWords(s.SeedWords)
		}
		out = append(out, s.Seal)
	}
	return out
}

// RevealedWords returns the words for the seal of a seat, if its player has revealed them.
func (s *Seat) RevealedWords() (words string, isRevealed bool) {
	if n := len(s.Private.RevealedWords); n > 0 && record.MatchesSeal(s.Seal, s.Private.RevealedWords[n-1]) {
		return s.Private.RevealedWords[n-1], true
	}
	return "", false
}

// RevealReminderAt returns when players are reminded to reveal their words; zero for never.
func (m *Match) RevealReminderAt() time.Time {
	state := m.Invitations
	if m.State != Inviting || state.RevealAsked.IsZero() || state.RevealReminded || m.UnjoinedSeats() != 0 || m.UnrevealedSeats() == 0 {
		return time.Time{}
	}
	if at := state.RevealAsked.Add(revealReminderDelay); state.ExpiresAt.IsZero() || at.Before(state.ExpiresAt) {
		return at
	}
	return state.RevealAsked.Add(state.ExpiresAt.Sub(state.RevealAsked) / 2)
}

const revealReminderDelay = 3 * 24 * time.Hour

// Beacon is the public randomness beacon of a match, e.g. drand's quicknet.
type Beacon struct {
	Chain string `json:"chain"`
	// Wait is how long the match waits for a late round before it begins without the beacon; 0 means that it waits without a limit.
	Wait time.Duration `json:"patience,omitempty"`
	// Round is chosen when all words are known, and 0 before. At is the time of its publication.
	Round int64     `json:"round,omitempty"`
	At    time.Time `json:"at,omitzero"`
	// Signature is the signature of the round in hexadecimal, once the match has begun with it.
	Signature string `json:"signature,omitempty"`
}

// AwaitsBeacon reports whether the match waits for the publication of its round.
func (m *Match) AwaitsBeacon() bool {
	return m.State == Inviting && m.Beacon != nil && m.Beacon.Round > 0
}
