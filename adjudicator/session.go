package adjudicator

import (
	"context"
	"fmt"
	"regexp"
	"strings"

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
	parser *order.Parser
	// past is what chapters has told the sender's seat: to tell it once takes a replay of
	// the match, and one letter may ask for it in every line.
	past []chapter
	// unclear: a line beside the match's orders could not be understood, so that none
	// is carried out.
	unclear bool
}

func (a *Adjudicator) session(ctx context.Context, m *Match, seat rules.Seat, l Letter) (*session, error) {
	g, err := a.game(m.Game)
	if err != nil {
		return nil, err
	}
	s := &session{letter: l, parser: a.parsers[m.Game],
		progress: &progress{a: a, seat: seat, programs: a.programs[m.Game],
			account: account{m: m, takeback: m.Takeback, game: g, lines: map[rules.Seat][]lineReport{}}},
		reply: reply{disposition: Done, unlisted: map[string]int{}, mail: map[rules.Seat][]rules.Section{}}}
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
		s.report("", fateRefused, "Your letter was too long, and nothing in it was carried out. Orders are a few lines; please "+
			"send them without attachments and without the letters quoted below.")
		return nil
	case strings.TrimSpace(s.letter.Orders) == "":
		s.report("", fateRefused, "There were no orders in your letter. Write them above the line that says Samizdat reads nothing below it.")
		return nil
	case other != "":
		s.report("", fateRefused, fmt.Sprintf("Nothing in your letter was carried out. It went to the address of match %s, but its subject names "+
			"match %s. Please reply to a letter of the match that you mean, and leave the subject as it is.", s.m.ID, other))
		return nil
	}
	if s.m.State == Inviting {
		return s.join(ctx)
	}
	return s.orders(ctx)
}
