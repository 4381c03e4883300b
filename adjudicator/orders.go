package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/conditional"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// task is one line of a letter as it was read.
type task struct {
	text  string
	order rules.Order
	// ahead is set for an order ahead.
	ahead *conditional.Line
	// surely: the writer knows what he would lose.
	surely bool
	// preview: the letter only asks what its orders would do.
	preview bool
	// back is an order about taking back.
	back string
	// query and message are set for a line that asks, and for a message to others.
	query   *query
	message *message
	// fate and note are set for lines that are not carried out.
	fate, note string
}

// orders carries out the lines of a letter. All lines are read first: a line
// that is an order and cannot be understood refuses the whole letter.
func (s *session) orders(ctx context.Context) error {
	tasks, err := s.readLines(ctx)
	if err != nil {
		return err
	}
	if tasks, ok := previewed(tasks); ok {
		return s.preview(ctx, tasks)
	}
	tasks, now, err := s.atOnce(ctx, tasks)
	if err != nil {
		return err
	}
	if !now && s.holdsBack(tasks) {
		return s.holdBack(ctx, tasks)
	}
	return s.carryOut(ctx, tasks)
}

// lineEffect is what carrying out a line has led to, and with it what becomes of the
// lines below. A greater one outweighs a smaller.
type lineEffect int

const (
	// lineAside: what the lines below answer is as it was.
	lineAside lineEffect = iota
	// lineActed: an order of the letter was carried out.
	lineActed
	// lineOvertaken: another seat's kept order was carried out behind it, so that the
	// lines below would answer what their writer has not seen.
	lineOvertaken
	// lineRefused: it was refused.
	lineRefused
)

// carryOut carries out the lines of a letter from the top.
func (s *session) carryOut(ctx context.Context, tasks []task) error {
	s.brief = onlyAsks(tasks)
	stopped, unsent := "", ""
	if s.misread(tasks) {
		stopped, unsent = "Not carried out, since another line could not be understood.", "Not sent, since another line could not be understood."
	}
	orders, led := false, lineAside
	for _, t := range tasks {
		switch {
		case t.fate != "":
			s.report(t.text, t.fate, t.note)
			continue
		case t.aside():
			orders = true
			if err := s.aside(ctx, t, unsent); err != nil {
				return err
			}
			continue
		case stopped != "" && !(led == lineOvertaken && s.stillKept(&t)):
			s.report(t.text, fateNotReached, stopped)
			continue
		}
		orders = true
		effect, err := s.task(ctx, t, led)
		if err != nil {
			return err
		}
		switch led = max(led, effect); led {
		case lineRefused:
			stopped = "Not carried out, since a line before it was refused."
		case lineOvertaken:
			stopped = "Not carried out, since another player's order was carried out meanwhile. What is asked now stands in this letter."
		}
	}
	if !orders {
		s.disposition = Refused
	}
	for _, h := range s.m.Held {
		if h.Seat == s.seat && h.Letter == s.letter.Digest && h.inPlay() {
			s.report(s.game.Line(h.Answer.Atoms), fateKept, "It is kept for you until it is asked for in this play. Nobody else is told.")
		}
	}
	return nil
}

// readLines reads every line, and carries out none.
func (s *session) readLines(ctx context.Context) ([]task, error) {
	var out []task
	var short shortReply
	text, messages := s.cutMessages(s.letter.Orders)
	for _, l := range s.joinAhead(s.cutPreview(s.parser.Lines(text))) {
		t := task{text: l.Text}
		if l.Text == verbPreview {
			t.preview = true
			out = append(out, t)
			continue
		}
		if back, ok := readBack(l.Text); ok && s.pos != nil {
			t.back = back
			out = append(out, t)
			continue
		}
		if q, ok := s.readQuery(l.Text); ok {
			t.query = &q
			out = append(out, t)
			continue
		}
		l.Text, t.surely = s.surely(l.Text)
		if s.readAhead(&t, l) {
			short.orders = short.orders || t.fate == ""
			out = append(out, t)
			continue
		}
		said, why, err := s.shortReply(ctx, &short, l)
		if err != nil {
			return nil, err
		}
		switch {
		case why != "":
			t.fate, t.note = fateRefused, why
		case said.Clauses != nil:
			t.order = said
		case begins(l.Text, verbMessage):
			// What follows is the message, whatever it looks like.
			t.fate, t.note = fateRefused, "MESSAGE begins a line of its own. Yours was sent to nobody."
		case begins(l.Text, verbJoin):
			t.fate, t.note = fateIgnored, "You have joined already; the match has begun."
		case !l.Enclosed && !s.parser.IsOrder(l.Text):
			if t.fate, t.note = fateIgnored, s.talk(l.Text); s.takesBack(l.Text) {
				t.fate = fateRefused
				t.note = "It seems to take something back. Write only what you mean, each order on a line of its own."
			}
		default:
			var err error
			if t.order, err = s.parser.Order(l.Text); err != nil {
				t.fate, t.note = fateRefused, sentence(err)
			} else if !l.Enclosed && s.wonders(l.Text, t.order) {
				t.fate, t.note = fateRefused, "It ends with a question mark. If it is an order, write it without one; PREVIEW above it tells what it would do."
			}
		}
		short.orders = short.orders || t.fate == ""
		out = append(out, t)
	}
	return append(out, messages...), nil
}

// wonders reports whether a line asks about an order of the game. Who asks is not
// sure, and what is done cannot be undone.
func (s *session) wonders(line string, o rules.Order) bool {
	return strings.HasSuffix(strings.TrimRight(line, " .!)'\""), "?") &&
		slices.ContainsFunc(s.game.Keywords(), func(k rules.Keyword) bool { return k.Word == o.Clauses[0].Word })
}

// backWords stand in lines that take back what another line says.
var backWords = []string{"sorry", "correction", "wait", "rather", "instead", "mean", "meant", "scrap", "not", "dont", "oops", "mistake", "wrong"}

// takesBack reports whether talk has an order in it and may correct another line:
// what cannot be undone waits until that is clear.
func (s *session) takesBack(line string) bool {
	return s.parser.Inside(line) != "" &&
		slices.ContainsFunc(order.Words(line), func(w string) bool { return slices.Contains(backWords, w) })
}

// begins reports whether a line begins with a word, however it is written.
func begins(line, word string) bool {
	words := order.Words(line)
	return len(words) > 0 && strings.EqualFold(words[0], word)
}

// talk says why a line is not taken as an order. A line that begins like one
// gets the reason too.
func (s *session) talk(line string) string {
	words := order.Words(line)
	for _, k := range (language{s.game}).Keywords() {
		if !k.Verb || len(words) < len(order.Words(k.Word)) || words[0] != order.Words(k.Word)[0] {
			continue
		}
		if _, err := s.parser.Order(line); err != nil {
			return "It was not taken as an order. " + sentence(err)
		}
	}
	if _, bare := order.Number(line); bare {
		return "A number alone does not answer what is asked."
	}
	if w := s.parser.Exact(line); w != "" {
		return "It is not an order. If you mean " + w + ", write just that on a line of its own."
	}
	if o := s.parser.Inside(line); o != "" {
		return "It was not taken as an order. If you mean " + o + ", write just that on a line of its own."
	}
	return "It is not an order."
}

// task carries out one line below others that have led to what led says.
func (s *session) task(ctx context.Context, t task, led lineEffect) (lineEffect, error) {
	switch {
	case t.back != "":
		return s.takeBack(ctx, t.text, t.back)
	case t.ahead != nil:
		return s.keepAhead(ctx, t.text, *t.ahead)
	}
	return s.order(ctx, t, led)
}

// order carries out one order.
func (s *session) order(ctx context.Context, t task, led lineEffect) (lineEffect, error) {
	text, o := t.text, t.order
	switch o.Clauses[0].Word {
	case verbStatus, verbResend:
		s.report(text, fateDone, "Here is the letter as it stands now.")
		return lineAside, nil
	case verbHelp:
		s.help = true
		s.report(text, fateDone, "Help is below.")
		return lineAside, nil
	case verbDrop:
		s.drop(text)
		return lineAside, nil
	case verbShow:
		s.showAhead(text)
		return lineAside, nil
	case verbCancel:
		s.drop(text)
		return lineAside, nil
	case verbNow:
		s.report(text, fateRefused, "No orders of yours are held back.")
		return lineRefused, nil
	case verbCard:
		return s.aboutCard(text, o), nil
	case verbResign:
		s.report(text, fateRefused, "A match cannot be given up by mail: you have not resigned, and the match goes on.")
		return lineRefused, nil
	}
	if s.m.State == Over {
		s.report(text, fateRefused, "This match is over.")
		return lineRefused, nil
	}
	// Only the first order answers what the letter replies to; the lines below
	// it answer what follows.
	var asked []rules.DecisionID
	stale := false
	if led == lineAside {
		sent, err := s.answered(ctx)
		if err != nil {
			return lineAside, err
		}
		asked = sent.Decisions
		stale = !slices.ContainsFunc(asked, s.open)
	}
	mine := s.owed(s.seat)
	if len(mine) == 0 || stale {
		if s.replace(text, o) {
			return lineAside, nil
		}
	}
	if l := s.further(text, o, stale && len(asked) > 0, led); l != nil {
		return s.keepAhead(ctx, text, *l)
	}
	if len(mine) == 0 || stale {
		s.report(text, fateRefused, s.notAsked(s.seat, stale, len(asked) > 0))
		return lineRefused, nil
	}
	answers, err := s.game.Answers(o, mine)
	if err != nil {
		s.report(text, fateRefused, sentence(err))
		return lineRefused, nil
	}
	if why := s.rash(answers[0]); why != "" && !t.surely {
		s.report(text, fateRefused, why+" If you mean it, write "+wordSurely+" behind the order.")
		return lineRefused, nil
	}
	return s.give(ctx, text, answers, asked)
}

// aboutCard answers a question about a card.
func (s *session) aboutCard(text string, o rules.Order) lineEffect {
	if len(o.Clauses) > 1 {
		s.report(text, fateRefused, "CARD wants the number or the title of a card, and nothing else.")
		return lineRefused
	}
	s.report(text, fateDone, strings.Join(s.game.(rules.Cards).About(s.pos.View(s.seat), o.Clauses[0].Items[0].Name), "\n"))
	return lineAside
}

// give carries out the first answer of a line, and keeps the others.
func (s *session) give(ctx context.Context, text string, answers []rules.Answer, asked []rules.DecisionID) (lineEffect, error) {
	d, err := s.carry(ctx, s.seat, answers[0], s.letter.Digest, asked)
	if why, ours := s.refusal(s.seat, err); !ours {
		s.report(text, fateRefused, why)
		return lineRefused, nil
	}
	if err != nil {
		return lineActed, err
	}
	s.takesPlace()
	line := s.game.Line(answers[0].Atoms)
	if _, kept := s.sealedAnswer(d); d.Ballot {
		s.reportBallot(kept)
	} else if kept {
		note := "It stays sealed until all answers are in. Until then you may replace it. Nobody else is told."
		if line != text {
			note = line + "\n" + note
		}
		s.report(text, fateKept, note)
	} else {
		s.report(text, fateDone, line)
	}
	if l := s.plan(text, d); l != nil && len(answers) > 1 {
		s.putAhead(*l)
	} else {
		s.keep(s.seat, answers[1:], d.Play, s.letter.Digest)
	}
	others, err := s.settle(ctx)
	if others {
		return lineOvertaken, err
	}
	return lineActed, err
}

// answered is the letter of ours that the sender answers, with what it asks still.
func (s *session) answered(ctx context.Context) (Sent, error) {
	sent, _, err := s.a.Store.Sent(ctx, s.m.ID, s.seat, s.letter.Token.Number)
	if s.letter.Token.Number <= s.m.Seats[s.seat].Floor {
		sent.Decisions = nil
	}
	return sent, err
}

// owed lists a seat's open decisions.
func (c *account) owed(seat rules.Seat) []rules.Decision {
	return slices.DeleteFunc(c.pos.Owed(nil), func(d rules.Decision) bool { return d.Seat != seat })
}

// open reports whether a decision is open.
func (c *account) open(id rules.DecisionID) bool {
	return slices.ContainsFunc(c.pos.Owed(nil), func(d rules.Decision) bool { return d.ID == id })
}

// errClosed refuses an order whose question is closed.
var errClosed = fmt.Errorf("%w: its question is closed", gate.ErrRefused)

// meant reports whether an answer to the decision may have been meant by the
// writer of a letter that answers one of ours. It may unless a decision that we
// asked there is closed, and this one was not asked there: then it cannot be
// told which of the two he saw.
func (p *progress) meant(d rules.Decision, asked []rules.DecisionID) bool {
	closed := slices.ContainsFunc(asked, func(id rules.DecisionID) bool { return !p.open(id) })
	return !closed || slices.Contains(asked, d.ID)
}
