package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// mostWords is how many characters of a player's words are mixed into the dice.
// Everybody is shown them.
const mostWords = 300

// join takes the letters of a match that has not begun.
func (s *session) join(ctx context.Context) error {
	seat := &s.m.Seats[s.seat]
	var words, talk []string
	joins, asks := false, false
	text, messages := s.cutMessages(s.letter.Orders)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if q, ok := s.readQuery(line); ok {
			asks = true
			s.early(line, q)
			continue
		}
		first, rest, _ := strings.Cut(line, " ")
		switch first = strings.ToUpper(strings.Trim(first, ".!,:")); {
		case first == verbJoin:
			joins = true
			words = append(words, rest)
		case first == verbHelp && rest == "":
			s.help = true
			s.report(line, fateDone, "Help is below.")
		case (first == verbStatus || first == verbResend) && rest == "":
			asks = true
			s.report(line, fateDone, "")
		case line != "":
			talk = append(talk, line)
		}
	}
	for _, m := range messages {
		asks = true
		if m.fate != "" {
			s.report(m.text, m.fate, m.note)
			continue
		}
		s.send(m)
	}
	defer func() {
		for _, line := range talk {
			s.report(line, fateIgnored, "The match has not begun; only JOIN is understood now.")
		}
	}()
	switch {
	case joins && seat.Joined:
		s.report(verbJoin, fateDone, "You have joined already, and your words stay as they were. The match begins when all have joined.")
		return nil
	case !joins:
		if !s.help && !asks {
			s.report("", fateRefused, "To accept the invitation, write JOIN, and behind it some words of your own if you like.")
		}
		return nil
	}
	seat.Joined = true
	seat.Words = clean(strings.Join(words, " "))
	if seat.Words == "" {
		// Without words the letter itself serves, by its digest: nobody could have
		// known it when the commitment was made, and what else the player wrote
		// there is nobody's business.
		seat.Words = "letter " + s.letter.Digest
	}
	s.report(verbJoin, fateDone, "You have joined. Your words for the dice: "+seat.Words)
	for i := range s.m.Seats {
		if !s.m.Seats[i].Joined {
			return nil
		}
	}
	return s.begin(ctx)
}

// early answers a question before there is a position: about the rules, since whoever
// is invited may want to know what to.
func (s *session) early(line string, q query) {
	if q.what == queryRules {
		s.rules(line, q.topic)
		return
	}
	s.report(line, fateDone, "There is nothing to show before the match has begun.")
}

// clean makes words fit to be shown on a line and hashed.
func clean(words string) string {
	words = printable(words)
	if r := []rune(words); len(r) > mostWords {
		words = strings.TrimSpace(string(r[:mostWords]))
	}
	return words
}

// printable makes a player's text fit to be shown on a line.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	return strings.Join(strings.Fields(text), " ")
}

// begin makes the first deal, when all have joined.
func (p *progress) begin(ctx context.Context) error {
	pos, err := p.game.Begin(p.setup())
	if err != nil {
		return err
	}
	if err := p.readKey(); err != nil {
		return err
	}
	p.m.State = Playing
	c := p.chance(0)
	events, err := pos.Resume(c, nil)
	if err != nil && !errors.Is(err, rules.ErrNoOutcome) {
		return fmt.Errorf("begin match %s: %w", p.m.ID, err)
	}
	e := record.Entry{}
	if e.Setup, err = p.a.header(p.game, p.m).Digest(); err != nil {
		return err
	}
	return p.moved(ctx, pos, events, e, c)
}
