package adjudicator

import (
	"context"
	"fmt"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// session is the adjudication of one letter: it works on a match as it was
// read, and gathers what is to be stored.
type session struct {
	a      *Adjudicator
	ctx    context.Context
	m      *Match
	seat   rules.Seat
	letter Letter
	game   rules.Game
	parser *order.Parser
	// pos is the position now; nil before the match plays.
	pos     rules.Position
	key     record.Key
	words   record.Words
	entries []record.Entry
	events  []rules.Event
	// lines say, for each seat, what became of its orders: the lines of the
	// sender's letter, and what was kept for others.
	lines map[rules.Seat][]lineReport
	// refused: some line was refused.
	refused bool
	// changed: the match itself has moved, and others are to be told.
	changed bool
	// help: the sender wants the page on orders.
	help bool
}

// lineReport is what the answer says of one line.
type lineReport struct {
	Line string
	// Fate is "done", "kept", "ignored", "refused", "lapsed" or "not reached".
	Fate string
	// Text explains, in the player's words.
	Text string
}

func (a *Adjudicator) session(ctx context.Context, m *Match, seat rules.Seat, l Letter) (*session, error) {
	g, err := a.game(m.Game)
	if err != nil {
		return nil, err
	}
	s := &session{a: a, ctx: ctx, m: m, seat: seat, letter: l, game: g, parser: a.parsers[m.Game],
		lines: map[rules.Seat][]lineReport{}}
	s.words = record.WordsOf(g, s.setup())
	if m.Position != nil {
		if s.pos, err = g.Decode(m.Position); err != nil {
			return nil, fmt.Errorf("match %s: %w", m.ID, err)
		}
		if err := s.readKey(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *session) setup() rules.Setup {
	return rules.Setup{Seats: len(s.m.Seats), Options: s.m.Options, Revision: s.m.Revision}
}

// readKey makes the match's key from its secret and the players' words.
func (s *session) readKey() (err error) {
	s.key, err = s.m.Secret.Key(s.m.ID, s.m.words())
	return err
}

func (m *Match) words() []string {
	words := make([]string, len(m.Seats))
	for i := range m.Seats {
		words[i] = m.Seats[i].Words
	}
	return words
}

// report adds what became of a line of the sender's letter.
func (s *session) report(line, fate, text string) {
	s.tell(s.seat, line, fate, text)
	if fate == "refused" {
		s.refused = true
	}
}

// tell adds what became of an order of a seat, for that seat's letter.
func (s *session) tell(seat rules.Seat, line, fate, text string) {
	s.lines[seat] = append(s.lines[seat], lineReport{line, fate, text})
}

// read takes in the letter. Problems of the letter as a whole come first.
func (s *session) read() error {
	switch {
	case s.letter.TooBig:
		s.report("", "refused", "Your letter was too long, and nothing in it was carried out. Orders are a few lines; please "+
			"send them without attachments and without the letters quoted below.")
		return nil
	case strings.TrimSpace(s.letter.Orders) == "":
		s.report("", "refused", "There were no orders in your letter. Write them above the line that says Samizdat reads nothing below it.")
		return nil
	}
	if s.m.State == Inviting {
		return s.join()
	}
	return s.orders()
}
