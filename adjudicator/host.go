package adjudicator

import (
	"context"
	"slices"

	"samizdat/adjudicator/command"
	"samizdat/rules"
)

// host is what the orders to the host are carried out on: the session of the letter that
// they stand in.
type host struct{ s *session }

// command carries out an order to the host, and says what became of it.
func (s *session) command(ctx context.Context, l command.Line) (lineEffect, error) {
	before := len(s.entries)
	o, err := l.Command.Do(ctx, host{s})
	if err != nil {
		return lineAside, err
	}
	s.reportOutcome(l.Text, o)
	switch {
	case o.Stops:
		return lineRefused, nil
	case len(s.entries) > before:
		return lineOvertaken, nil
	}
	return lineAside, nil
}

// reportOutcome adds what an order to the host came to.
func (s *session) reportOutcome(line string, o command.Outcome) {
	came := outcomeDone
	if o.Refused {
		came = outcomeRefused
	}
	s.report(line, came, o.Note)
}

// Facts implements command.Host.
func (h host) Facts() command.Facts {
	a := h.s.a
	return command.Facts{Match: h.s.m.ID, Referee: a.Post.Referee(), Pages: a.Letters.HTML, Pictures: a.Letters.Pictures, AtTable: a.AtTable}
}

// Preferences implements command.Host.
func (h host) Preferences() command.Preferences {
	seat := &h.s.m.Seats[h.s.seat]
	return command.Preferences{Format: seat.Format, Script: seat.Script, Grace: seat.Timing.Grace, Delay: seat.Timing.Delay}
}

// Prefer implements command.Host.
func (h host) Prefer(p command.Preferences) {
	seat := &h.s.m.Seats[h.s.seat]
	seat.Format, seat.Script, seat.Timing.Grace, seat.Timing.Delay = p.Format, p.Script, p.Grace, p.Delay
}

// Game implements command.Host.
func (h host) Game() rules.Game { return h.s.game }

// View implements command.Host.
func (h host) View() rules.View { return h.s.pos.View(h.s.seat) }

// Show implements command.Host.
func (h host) Show(q rules.Query, title, text string) { h.s.add(q, title, paragraphs(text)) }

// Part implements command.Host. What the answer depends on may still change.
func (h host) Part(q rules.Query) {
	if !slices.ContainsFunc(h.s.asked, func(a asked) bool { return a.query == q }) {
		h.s.asked = append(h.s.asked, asked{query: q})
	}
}

// Help implements command.Host.
func (h host) Help() { h.s.help = true }

// History implements command.Host.
func (h host) History(ctx context.Context, turn int) (command.Outcome, error) {
	return h.s.history(ctx, turn)
}

// Again implements command.Host.
func (h host) Again(ctx context.Context, letter int) (command.Outcome, error) {
	return h.s.resend(ctx, letter)
}

// Kept implements command.Host.
func (h host) Kept() []string { return h.s.kept() }

// Forget implements command.Host.
func (h host) Forget() bool { return h.s.drop() }

// Renew implements command.Host.
func (h host) Renew(ctx context.Context) error {
	err := h.s.a.renew(&h.s.m.Seats[h.s.seat])
	if err != nil {
		h.s.a.Log.ErrorContext(ctx, "no new token could be made", "match", h.s.m.ID, "error", err)
	}
	return err
}

// TakeBack implements command.Host.
func (h host) TakeBack(ctx context.Context, answer string) (command.Outcome, error) {
	return h.s.takeBack(ctx, answer)
}
