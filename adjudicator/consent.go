package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// mostRequests is how often a player may ask for an act of one kind on a day (UTC).
const mostRequests = 3

// sought are the words for what players ask each other to agree to.
var sought = map[record.ActKind]struct {
	word letter.Word
	// what is asked for, and the note that stands below the question.
	what, note string
}{
	record.Draw:  {letter.Draw, "a draw", "A draw ends the match at once and for good. An order of yours that is carried out declines it."},
	record.Abort: {letter.Abort, "an abort", "A match that is broken off ends at once and for good, and counts for nobody."},
	record.Pause: {letter.Pause, "a pause", "Clocks stand still in a pause. PAUSE OFF of anybody ends it, with a day's notice."},
}

// requested says what a request is for.
func requested(r Request) string {
	if r.Span > 0 {
		return sought[r.Kind].what + " of " + wholeDays(r.Span)
	}
	return sought[r.Kind].what
}

// wholeDays writes a span of whole days.
func wholeDays(d time.Duration) string {
	if n := int(d / (24 * time.Hour)); n != 1 {
		return fmt.Sprintf("%d days", n)
	}
	return "1 day"
}

// agreed does what was asked for, if all have agreed.
func (p *progress) agreed(ctx context.Context, r Request) (done bool, err error) {
	for i := range p.turn.m.Seats {
		seat := rules.Seat(i)
		if seat != r.Seat && !r.Agreed.Has(seat) && !p.turn.m.Acts.Resigned.Has(seat) {
			return false, nil
		}
	}
	p.turn.m.EndRequest(r.Kind)
	act := &record.Act{Kind: r.Kind}
	switch r.Kind {
	case record.Draw:
		act.End = &record.End{Draw: true}
	case record.Abort:
		act.End = &record.End{}
	case record.Pause:
		act.Until = p.turn.now.Add(r.Span).Truncate(time.Second)
	}
	return true, p.act(ctx, record.Entry{Seat: record.SeatName(p.turn.m.Seats[r.Seat].Name), Act: act})
}

// declines lets an order of a seat, which all see, decline a draw that another has offered.
func (c *account) declines(seat rules.Seat) {
	r, open := c.m.OpenRequest(record.Draw)
	if !open || r.Seat == seat || r.Agreed.Has(seat) || c.m.State != Playing {
		return
	}
	c.m.EndRequest(record.Draw)
	c.remarks = append(c.remarks, fmt.Sprintf("%s has played on, and so the offer of a draw by %s is over.", capital(c.called(seat)), c.called(r.Seat)))
}

// asksConsent reports whether a seat is asked to agree to something.
func (c *account) asksConsent(seat rules.Seat) bool {
	return len(c.backPrompt(seat)) > 0 || slices.ContainsFunc(c.m.Acts.Requests, func(r Request) bool { return c.mayAgree(r, seat) })
}

// mayAgree reports whether a seat has still to answer a request.
func (c *account) mayAgree(r Request, seat rules.Seat) bool {
	return seat != rules.Nobody && r.Seat != seat && !r.Agreed.Has(seat) && !c.m.Acts.Resigned.Has(seat) && c.m.State == Playing
}

// requestPrompts ask a seat whether it agrees to what others ask for.
func (c *account) requestPrompts(seat rules.Seat) (out []templates.Prompt) {
	for _, r := range c.m.Acts.Requests {
		if !c.mayAgree(r, seat) {
			continue
		}
		s := sought[r.Kind]
		out = append(out, templates.Prompt{
			Question: fmt.Sprintf("%s asks for %s. Do you agree?", capital(c.called(r.Seat)), requested(r)),
			Forms:    []string{string(s.word) + " YES", string(s.word) + " NO"},
			Notes:    []string{s.note},
		})
	}
	return out
}

// requestSection tells a seat of requests that it has nothing to answer to.
func (c *account) requestSection(seat rules.Seat) []rules.Section {
	var lines []string
	for _, r := range c.m.Acts.Requests {
		text := ""
		switch {
		case seat == rules.Nobody:
		case r.Seat == seat:
			text = fmt.Sprintf("You ask for %s. It is done when all others agree.", requested(r))
		case r.Agreed.Has(seat):
			text = fmt.Sprintf("%s asks for %s. You have agreed; others have not answered yet.", capital(c.called(r.Seat)), requested(r))
		}
		if text != "" {
			lines = append(lines, paragraphs(text)...)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return []rules.Section{{Title: "Requests", Lines: lines}}
}
