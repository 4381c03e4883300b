package adjudicator

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"samizdat/adjudicator/command"
	"samizdat/adjudicator/order"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// session is the adjudication of one letter: it works on a match as it was
// read, and gathers what is to be stored.
type session struct {
	*progress
	reply
	letter Letter
	reader *command.Reader
	// past is what chapters has told the sender's seat: to tell it once takes a replay of
	// the match, and one letter may ask for it in every line.
	past []chapter
}

func (a *Adjudicator) session(ctx context.Context, m *Match, seat rules.Seat, l Letter) (*session, error) {
	g, err := a.game(m.Game)
	if err != nil {
		return nil, err
	}
	s := &session{letter: l, reader: a.readers[m.Game],
		progress: &progress{a: a, seat: seat, conditional: a.readers[m.Game].Conditional,
			account: account{m: m, takeback: m.Takeback, game: g, lines: map[rules.Seat][]lineReport{}}},
		reply: reply{disposition: Done, unlisted: map[outcome]int{}, mail: map[rules.Seat][]rules.Section{}}}
	s.words = record.WordsOf(g, s.setup())
	if m.Position != nil {
		if err := a.rebuild(ctx, g, m); err != nil {
			return nil, err
		}
		if s.pos, err = g.Decode(m.Position); err != nil {
			return nil, fmt.Errorf("match %s: %w", m.ID, err)
		}
		s.was = s.pos
		if err := s.readKey(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (c *account) setup() rules.Setup {
	return rules.Setup{Seats: len(c.m.Seats), Options: c.m.Options, Revision: c.m.Revision}
}

// readKey makes the match's key from its secret and the players' words.
func (p *progress) readKey() (err error) {
	p.key, err = p.m.Secret.Key(p.m.ID, p.m.words())
	return err
}

func (m *Match) words() []string {
	words := make([]string, len(m.Seats))
	for i := range m.Seats {
		words[i] = m.Seats[i].Words
	}
	return words
}

// subjectTag is how the subjects of our letters name their match.
var subjectTag = regexp.MustCompile(`(?i)\[samizdat ([a-z0-9]+)\]`)

// otherMatch returns the match that a subject names, if it is not this one.
func (s *session) otherMatch() string {
	other := ""
	for _, tag := range subjectTag.FindAllStringSubmatch(s.letter.Subject, -1) {
		if strings.EqualFold(tag[1], s.m.ID) {
			return ""
		}
		other = strings.ToLower(tag[1])
	}
	return other
}

// read takes in the letter. Problems of the letter as a whole come first.
func (s *session) read(ctx context.Context) error {
	other := s.otherMatch()
	switch {
	case s.letter.TooBig || len(s.letter.Orders) > mostText || len(order.Split(s.letter.Orders)) > mostLines:
		s.report("", outcomeRefused, "Your letter was too long, and nothing in it was carried out. Orders are a few lines; please "+
			"send them without attachments and without the letters quoted below.")
		return nil
	case strings.TrimSpace(s.letter.Orders) == "":
		s.report("", outcomeRefused, "There were no orders in your letter. Write them above the line that says Samizdat reads nothing below it.")
		return nil
	case other != "":
		s.report("", outcomeRefused, fmt.Sprintf("Nothing in your letter was carried out. It went to the address of match %s, but its subject names "+
			"match %s. Please reply to a letter of the match that you mean, and leave the subject as it is.", s.m.ID, other))
		return nil
	}
	lines, err := s.readLetter(ctx)
	if err != nil {
		return err
	}
	rest, led, err := s.settings(ctx, lines)
	switch {
	case err != nil, len(rest) == 0 && len(lines) > 0:
		return err
	case s.m.State == Inviting:
		return s.join(ctx, rest)
	}
	return s.orders(ctx, rest, led)
}

// readLetter reads every line, and carries out none.
func (s *session) readLetter(ctx context.Context) ([]command.Line, error) {
	l := command.Letter{Text: s.letter.Orders, Seat: s.seat}
	for i := range s.m.Seats {
		l.Seats = append(l.Seats, s.m.Seats[i].Name)
	}
	if s.m.State == Inviting {
		return s.reader.Invited(l), nil
	}
	l.Asked = func() (command.Asked, error) { return s.question(ctx) }
	return s.reader.Read(l)
}

// settings carries out the orders that are the writer's own affair and leave the match as
// it is, and returns the other lines. If one of them was refused, none of those is to be
// carried out.
func (s *session) settings(ctx context.Context, lines []command.Line) (rest []command.Line, led lineEffect, err error) {
	for _, l := range lines {
		switch {
		case l.Class() != command.Setting:
			rest = append(rest, l)
		case l.Kind == command.Unreadable:
			led = lineRefused
			s.report(l.Text, outcomeRefused, l.Why)
		default:
			effect, err := s.command(ctx, l)
			if err != nil {
				return nil, led, err
			}
			led = max(led, effect)
		}
	}
	return rest, led, nil
}
