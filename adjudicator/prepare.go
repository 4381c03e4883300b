package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
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

// Beginning is a new match that is not stored yet, with its first entries and letters.
type Beginning struct {
	Match   *match.Match
	Entries []record.Entry
	Letters []Dispatch
}

// Prepare makes a match for players who have agreed to play it: it begins at once, or waits for
// its beacon. Where the words are to be sealed its players are invited. It is stored with a
// Change.
func (a *Adjudicator) Prepare(ctx context.Context, inv Invitation) (b Beginning, err error) {
	m, g, err := a.found(inv)
	if err != nil {
		return b, err
	}
	if b.Match = m; m.SealedWords {
		b.Letters, err = a.invitations(ctx, g, m)
		return b, err
	}
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return b, err
	}
	for i := range m.Seats {
		s := &m.Seats[i]
		s.Joined = true
		if !s.Player.Several {
			j.reply.newcomers |= rules.Only(rules.Seat(i))
		}
	}
	if err := j.play.Proceed(ctx); err != nil {
		return b, err
	}
	c, err := j.change(ctx, rules.Nobody)
	b.Entries, b.Letters = c.Entries, c.Letters
	return b, err
}

// admit seats players who have agreed to play.
func (a *Adjudicator) admit(m *match.Match, entrants []Entrant) error {
	for i, e := range entrants {
		s := &m.Seats[i]
		var err error
		if s.Key, err = a.newKey(); err != nil {
			return err
		}
		s.Player, s.Format, s.Clock = e.Player, e.Format, clock.New(m.Tempo)
		if !m.SealedWords {
			s.Words = clean(e.Words)
		}
		// Where the name is a seat's it is not shown: the seat's is.
		s.Called, _ = calledAs(m, rules.Seat(i), e.Called)
		if s.Robot = e.Robot; s.Robot != "" {
			s.Called = e.Called
			continue
		}
		if s.Player.Address == "" {
			return fmt.Errorf("player %d has no address", s.Player.ID)
		}
	}
	return nil
}
