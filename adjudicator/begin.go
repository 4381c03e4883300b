package adjudicator

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"samizdat/adjudicator/beacon"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
)

// Entrant is a player who has agreed to play a new match, on whatever way.
type Entrant struct {
	// Player is he, as the store knows him.
	Player *match.Player
	// Called is what the others are told that he is called.
	Called string
	// Words are mixed into the dice; all are shown them. Those of matches whose words are
	// sealed are not looked at.
	Words string
	// Format is what his letters are to be.
	Format match.Format
	// Robot names the robot that plays in his place; empty for people.
	Robot string
}

// Prepare makes a match for players who have agreed to play it: it begins at once, or waits for
// its beacon. Where the words are to be sealed its players are invited. It is stored with a
// Change.
func (a *Adjudicator) Prepare(ctx context.Context, inv Invitation) (b exchange.Beginning, err error) {
	m, g, err := newMatch(a, inv)
	if err != nil {
		return b, err
	}
	if b.Match = m; m.SealedWords {
		b.Letters, err = writeInvitations(ctx, a, g, m)
		return b, err
	}
	j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return b, err
	}
	for i := range m.Seats {
		s := &m.Seats[i]
		s.Joined = true
		if !s.Player.Several {
			j.answer.Newcomers |= rules.Only(rules.Seat(i))
		}
	}
	if err := j.play.Proceed(ctx); err != nil {
		return b, err
	}
	c, err := j.change(ctx, rules.NoSeat)
	b.Entries, b.Letters = c.Entries, c.Letters
	return b, err
}

// admitEntrants seats players who have agreed to play.
func admitEntrants(a *Adjudicator, m *match.Match, entrants []Entrant) error {
	for i, e := range entrants {
		s := &m.Seats[i]
		var err error
		if s.Key, err = newKey(a); err != nil {
			return err
		}
		s.Player, s.Format, s.Clock = e.Player, e.Format, clock.New(m.Tempo)
		if !m.SealedWords {
			s.Words = invitation.CleanWords(e.Words)
		}
		// Where the name is a seat's it is not shown: the seat's is.
		s.PlayerName, _ = invitation.NameFor(m, rules.Seat(i), e.Called)
		if s.Robot = e.Robot; s.Robot != "" {
			s.PlayerName = e.Called
			continue
		}
		if s.Player.Address == "" {
			return fmt.Errorf("player %d has no address", s.Player.ID)
		}
	}
	return nil
}

// Rounds gets what a public beacon has published.
type Rounds interface {
	// Signature is the signature of a round, if it is there. It does not wait: what is not
	// there is looked for meanwhile.
	Signature(chain beacon.Chain, round int64) (signature []byte, ok bool)
}

// chainOf is the beacon of new matches.
func chainOf(a *Adjudicator) beacon.Chain {
	if a.Chain.Name == "" {
		return beacon.Quicknet
	}
	return a.Chain
}

// beginWithRound begins a match whose round is published, if it is there or was waited for long
// enough.
func beginWithRound(ctx context.Context, a *Adjudicator, m *match.Match, until time.Time) (done bool, err error) {
	chain, err := beacon.Find(m.Beacon.Chain, a.Chain)
	if err != nil {
		return false, err
	}
	var signature []byte
	there := false
	if a.Rounds != nil {
		signature, there = a.Rounds.Signature(chain, m.Beacon.Round)
	}
	if !there && (m.Beacon.Wait == 0 || m.Beacon.At.Add(m.Beacon.Wait).After(until)) {
		return false, nil
	}
	j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return false, err
	}
	if there {
		if err := chain.Verify(m.Beacon.Round, signature); err != nil {
			return false, err
		}
		mixed := *m.Beacon
		mixed.Signature = hex.EncodeToString(signature)
		m.Beacon = &mixed
		j.turn.Remarks = append(j.turn.Remarks, fmt.Sprintf("Round %d of the public beacon %s was published and is mixed into the dice. "+
			"Its value is %s.",
			mixed.Round, mixed.Chain, beacon.Randomness(signature)))
	} else {
		j.turn.Remarks = append(j.turn.Remarks, fmt.Sprintf("Round %d of the public beacon %s could not be had in time. The match begins "+
			"without it, as was agreed.", m.Beacon.Round, m.Beacon.Chain))
	}
	if err := j.play.Begin(ctx); err != nil {
		return false, err
	}
	return true, j.apply(ctx, rules.NoSeat)
}
