package adjudicator

import (
	"context"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
)

// mostConditional is how many conditional orders a seat may keep.
const mostConditional = 60

// stillKept reports whether a line is kept although another seat's order was
// carried out before it: a conditional order, or a list for a plan, was not written for
// what is asked now.
func (j *adjudication) stillKept(line *letter.Line) bool {
	if j.reply.disposition == Refused || j.play.conditional == nil {
		return false
	}
	if line.Kind == letter.GameOrder {
		if l, err := j.play.conditional.Read(line.Text); err == nil && l.Plan {
			line.Kind, line.Conditional = letter.ConditionalOrder, l
		}
	}
	return line.Kind == letter.ConditionalOrder
}

// rash says what the answer would lose on the spot, as far as its writer can tell,
// if it is legal.
func (j *adjudication) rash(a rules.Answer) string {
	if j.turn.game.Rash == nil {
		return ""
	}
	r, err := gate.Check(j.turn.pos, j.play.seat, a)
	if err != nil {
		return "" // What is wrong with it is said elsewhere.
	}
	return j.turn.game.Rash(j.turn.pos.View(j.play.seat), r.Decision, r.Atoms)
}

// further makes a conditional order of a line that is not asked now: one that is marked
// as meant for later, or a list that can only be for a plan, where nothing is asked or
// below an order that was carried out. Stale tells that the letter answers a question that
// is closed, led what the lines above have led to.
func (j *adjudication) further(line letter.Line, stale bool, led lineEffect) *ahead.Line {
	if j.play.conditional == nil || j.turn.pos == nil || stale {
		return nil
	}
	l, err := j.play.conditional.Read(line.Text)
	if err != nil {
		return nil
	}
	answers, err := j.turn.game.Answers(line.Order, nil)
	if err != nil {
		return nil
	}
	mine := j.turn.owed(j.play.seat)
	if slices.ContainsFunc(mine, answers[0].Fits) {
		return nil
	}
	if !line.Later && (!l.Plan || led == lineAside && len(mine) > 0) || l.Source == "" && led == lineAside {
		return nil
	}
	return l
}

// conditionals lists the conditional orders of all seats.
func (c *account) conditionals() []ahead.Line {
	var out []ahead.Line
	for _, h := range c.m.Held {
		if h.Conditional != nil {
			out = append(out, *h.Conditional)
		}
	}
	return out
}

// conditionalsOf splits the conditional orders into those of some seats and the others.
func (c *account) conditionalsOf(of func(rules.Seat) bool) (those, others []ahead.Line) {
	for _, l := range c.conditionals() {
		if of(l.Seat) {
			those = append(those, l)
		} else {
			others = append(others, l)
		}
	}
	return those, others
}

// setConditional keeps these conditional orders and no others.
func (c *account) setConditional(lines []ahead.Line) {
	c.m.Held = slices.DeleteFunc(slices.Clone(c.m.Held), func(h Held) bool { return h.Conditional != nil })
	for _, l := range lines {
		c.m.Held = append(c.m.Held, Held{Seat: l.Seat, Letter: l.Letter, Conditional: &l})
	}
}

// keepConditional keeps a conditional order, in the place of older ones of the same sort.
func (j *adjudication) keepConditional(ctx context.Context, text string, l ahead.Line) (lineEffect, error) {
	if j.turn.m.State == Over {
		j.report(text, outcomeRefused, "This match is over.")
		return lineRefused, nil
	}
	j.play.review()
	j.play.conditional.Arm(&l, j.turn.pos, j.play.seat)
	l.Letter = j.letter.Digest
	mine, gone := 0, 0
	for _, old := range j.turn.conditionals() {
		switch {
		case l.Replaces(&old) && old.Letter != l.Letter:
			gone++
		case old.Seat == j.play.seat:
			mine++
		}
	}
	if mine >= mostConditional {
		j.report(text, outcomeRefused, fmt.Sprintf("%d orders ahead are kept for you, and more are not.", mine))
		return lineRefused, nil
	}
	j.turn.putConditional(l)
	note := "It is kept, against the match as it stands now, until it is asked for"
	switch {
	case l.Always:
		note += " and after, until you cancel it."
	case l.Source == "":
		note += ": your next action of this turn."
	default:
		note += ", and at most until the end of the turn."
	}
	if gone > 0 {
		note += " It takes the place of what was kept before."
	}
	if l.Text != text {
		note = l.Text + "\n" + note
	}
	j.report(text, outcomeKept, note+" Nobody else is told.")
	return j.settleBehind(ctx, lineAside)
}

// putConditional adds a conditional order, and drops what it takes the place of. What a later
// letter brings stands first, so that it is tried first.
func (c *account) putConditional(l ahead.Line) {
	lines := slices.DeleteFunc(c.conditionals(), func(old ahead.Line) bool { return l.Replaces(&old) && old.Letter != l.Letter })
	at := 0
	for i, old := range lines {
		if old.Seat == l.Seat && old.Letter == l.Letter {
			at = i + 1
		}
	}
	c.setConditional(slices.Insert(lines, at, l))
}

// plan makes a plan of the rest of a list whose first entry has just answered a
// decision; nil where such lists are no plans.
func (j *adjudication) plan(text string, d rules.Decision) *ahead.Line {
	if j.play.conditional == nil {
		return nil
	}
	l, err := j.play.conditional.Read(text)
	if err != nil || !l.Plan || l.Source != d.Source {
		return nil
	}
	j.play.conditional.Arm(l, j.turn.pos, j.play.seat)
	l.Letter, l.Play, l.Used = j.letter.Digest, d.Play, []int{0}
	return l
}

// review drops the conditional orders whose time is over, or that what happened since
// the last review disarms. Their owners are told.
func (p *progress) review() {
	if p.conditional == nil || p.turn.pos == nil {
		return
	}
	events := p.turn.events[p.reviewed:]
	p.reviewed = len(p.turn.events)
	lines := p.turn.conditionals()
	if len(lines) == 0 {
		return
	}
	kept, dropped := p.conditional.Review(p.turn.pos, events, lines)
	p.turn.setConditional(kept)
	p.turn.tellDropped(dropped)
}

func (c *account) tellDropped(dropped []ahead.Dropped) {
	for _, d := range dropped {
		if d.Why != "" {
			c.tell(d.Line.Seat, d.Line.Text, outcomeLapsed, d.Why)
		}
	}
}

// fire carries out one conditional order for a question that is open, and says whether
// anything has changed.
func (p *progress) fire(ctx context.Context) (settlement, error) {
	if p.conditional == nil || p.turn.pos == nil || p.turn.pos.Stalled() {
		return unsettled, nil
	}
	if p.dropSpent() {
		return settled, nil
	}
	delayed, lines := p.turn.conditionalsOf(p.delayed)
	if len(lines) == 0 {
		return unsettled, nil
	}
	f, kept, dropped := p.conditional.Fire(p.turn.pos, lines)
	p.turn.setConditional(append(kept, delayed...))
	p.turn.tellDropped(dropped)
	if f == nil {
		if len(dropped) > 0 {
			return settled, nil
		}
		return unsettled, nil
	}
	// Its entry must not tell others which letter it came with.
	letter, err := p.turn.m.Secret.Letter(p.turn.m.ID, p.turn.m.Entries, f.Line.Letter)
	if err != nil {
		return unsettled, err
	}
	d, err := p.carry(ctx, f.Line.Seat, f.Answer, letter, nil)
	if err != nil {
		why, ours := p.turn.refusal(f.Line.Seat, err)
		if ours {
			p.fault(f.Line.Seat, true, err, "a conditional order cannot be carried out")
			why = "Samizdat failed over it."
		}
		p.turn.setConditional(slices.DeleteFunc(p.turn.conditionals(), func(l ahead.Line) bool { return l.Seat == f.Line.Seat }))
		p.turn.tell(f.Line.Seat, f.Line.Text, outcomeRefused, "It was kept for you and could not be carried out. Nothing is kept for you any more. "+why)
		return settled, nil
	}
	p.turn.tell(f.Line.Seat, f.Line.Text, outcomeDone, "Carried out: "+p.turn.game.Line(f.Answer.Atoms))
	p.turn.keep(f.Line.Seat, f.Later, d.Play, letter)
	return p.settledFor(f.Line.Seat), nil
}
