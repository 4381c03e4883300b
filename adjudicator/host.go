package adjudicator

import (
	"context"
	"fmt"
	"slices"

	"samizdat/adjudicator/letter"
	"samizdat/rules"
)

// host is what the orders to the host are carried out on: the adjudication of the letter that
// they stand in. What an order does stands with others of its sort.
type host struct{ j *adjudication }

// command carries out an order to the host, and says what became of it.
func (j *adjudication) command(ctx context.Context, l letter.Line) (lineEffect, error) {
	before := len(j.turn.entries)
	if note := j.inquires(l.Command); note != "" {
		j.report(l.Text, outcomeNotReached, note)
		return lineAside, nil
	}
	switch l.Command.Word {
	case letter.Status, letter.Resend:
		j.play.wants |= rules.Only(j.play.seat)
	case letter.FormatWord:
		j.reply.restyled = true
	}
	o, err := l.Command.Do(ctx, host{j})
	if err != nil {
		return lineAside, err
	}
	j.reportOutcome(l.Text, o)
	switch {
	case o.Stops:
		return lineRefused, nil
	case len(j.turn.entries) > before && l.Command.Word != letter.Witness:
		return lineOvertaken, nil
	}
	return lineAside, nil
}

// mostInquiries is how many different questions one letter is answered.
const mostInquiries = 20

// inquires counts a question, and says why it is not answered: each is answered once a letter, and a letter is
// answered so many.
func (j *adjudication) inquires(c letter.Command) (why string) {
	q := c.Question()
	switch {
	case q == "":
	case j.inquired[q]:
		return "You have asked that above."
	case len(j.inquired) >= mostInquiries:
		return fmt.Sprintf("One letter is answered %d questions; ask more in another.", mostInquiries)
	case j.inquired == nil:
		j.inquired = map[string]bool{q: true}
	default:
		j.inquired[q] = true
	}
	return ""
}

// reportOutcome adds what an order to the host came to.
func (j *adjudication) reportOutcome(line string, o letter.Outcome) {
	came := outcomeDone
	switch {
	case o.Refused:
		came = outcomeRefused
	case o.Asked:
		came, j.reply.disposition = outcomeAsked, Refused
	}
	j.report(line, came, o.Note)
}

// Facts implements letter.Host.
func (s host) Facts() letter.Facts {
	a := s.j.play.a
	return letter.Facts{Match: s.j.turn.m.ID, Referee: a.Post.Referee(), Pages: a.Letters.HTML, Pictures: a.Letters.Pictures, AtTable: a.AtTable, Now: a.Now()}
}

// Preferences implements letter.Host.
func (s host) Preferences() letter.Preferences {
	seat := &s.j.turn.m.Seats[s.j.play.seat]
	return letter.Preferences{Format: seat.Format, Script: seat.Script, Confirm: seat.Confirm, Zone: seat.Player.Zone, Calendar: seat.Player.Calendar, Grace: seat.Timing.Grace, Delay: seat.Timing.Delay}
}

// Prefer implements letter.Host.
func (s host) Prefer(p letter.Preferences) {
	seat := &s.j.turn.m.Seats[s.j.play.seat]
	seat.Format, seat.Script, seat.Confirm, seat.Timing.Grace, seat.Timing.Delay = p.Format, p.Script, p.Confirm, p.Grace, p.Delay
	if who := seat.Player; who.Zone != p.Zone || who.Calendar != p.Calendar {
		who.Zone, who.Calendar, s.j.reply.contact.player = p.Zone, p.Calendar, who
	}
}

// Game implements letter.Host.
func (s host) Game() rules.Game { return s.j.turn.game }

// View implements letter.Host.
func (s host) View() rules.View { return s.j.turn.pos.View(s.j.play.seat) }

// Show implements letter.Host.
func (s host) Show(q rules.Query, title, text string) { s.j.explain(q, title, text) }

// Part implements letter.Host. What the answer depends on may still change.
func (s host) Part(q rules.Query) {
	if !slices.ContainsFunc(s.j.reply.asked, func(a asked) bool { return a.query == q }) {
		s.j.reply.asked = append(s.j.reply.asked, asked{query: q})
	}
}

// Renew implements letter.Host.
func (s host) Renew(ctx context.Context) error {
	err := s.j.play.a.renew(&s.j.turn.m.Seats[s.j.play.seat])
	if err != nil {
		s.j.play.a.Log.ErrorContext(ctx, "no new token could be made", "match", s.j.turn.m.ID, "error", err)
	}
	return err
}
