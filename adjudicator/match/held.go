package match

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
)

// Held is an answer that waits for its question: a conditional order, or a sealed
// answer. It is private to its seat, and not part of the history.
type Held struct {
	Seat rules.Seat `json:"seat"`
	// Play is the play that it belongs to; it lapses with it.
	Play uint32 `json:"play"`
	// Decision is the sealed decision that it answers, or 0.
	Decision rules.DecisionID `json:"decision,omitempty"`
	Answer   rules.Answer     `json:"answer"`
	// Silent is set instead of Answer when the time for the decision is over: its
	// answer is found when all of its group are opened.
	Silent bool `json:"silent,omitempty"`
	// Standing is set for an answer that stands, and Changes is how often what ends it
	// had changed when it was given.
	Standing bool `json:"standing,omitempty"`
	Changes  int  `json:"changes,omitempty"`
	// Letter is the digest of the letter that brought it.
	Letter string `json:"letter"`
	// List numbers the line that it is a part of: in a list, what is not legal
	// when it is reached is skipped.
	List int `json:"list,omitempty"`
	// Conditional, when set, is a conditional order; then Seat and Letter only repeat its own
	// and the rest is empty.
	Conditional *ahead.Line `json:"ahead,omitempty"`
}

// InPlay reports whether a kept answer waits for a later question of its play.
func (h Held) InPlay() bool { return h.Decision == 0 && h.Conditional == nil && !h.Standing }

// Takeback is what a player asks to take back: an order of his that was carried
// out, and all that followed.
type Takeback struct {
	Seat rules.Seat `json:"seat"`
	// Seq is the entry of the order, Orders what it was.
	Seq    int    `json:"seq"`
	Orders string `json:"orders"`
	// Agreed are those who have agreed.
	Agreed rules.Seats `json:"agreed,omitempty"`
}

// Settle carries out what was kept for the questions that are open now, whoever
// kept it, and lets lapse what will not be asked for any more. Whoever kept an
// order is told what became of it. Others means that an order of another seat than the
// one whose orders are carried out was among them.
func (p *Play) Settle(ctx context.Context) (others bool, err error) {
	for {
		p.Review()
		if err := p.lapse(); err != nil {
			return others, err
		}
		if p.Turn.Match.State != Playing {
			return others, nil
		}
		done, err := p.settleOne(ctx)
		if err == nil && done == unsettled {
			done, err = p.fire(ctx)
		}
		if err == nil && done == unsettled {
			done, err = p.sealAhead(ctx)
		}
		if err == nil && done == unsettled {
			done, err = p.answerStanding(ctx)
		}
		if err == nil && done == unsettled {
			done, err = p.answerResigned(ctx)
		}
		if err != nil || done == unsettled {
			return others, err
		}
		others = others || done == settledOther
	}
}

// settlement is what one look at the kept orders has led to.
type settlement int

const (
	unsettled    settlement = iota // nothing that is kept fits
	settled                        // an order was carried out, or dropped
	settledOther                   // an order of another seat was carried out
)

// settledFor is the settlement by an order of a seat that was carried out.
func (p *Play) settledFor(seat rules.Seat) settlement {
	if seat != p.Seat {
		return settledOther
	}
	return settled
}

// settleOne takes one kept order that fits an open question off the list, and
// carries it out if it is still legal. A part of a list that is not is skipped
// for the next part; otherwise its owner is asked, and what else he kept for the
// play is dropped with it.
func (p *Play) settleOne(ctx context.Context) (settlement, error) {
	for _, d := range p.Turn.After.OpenDecisions(nil) {
		i := slices.IndexFunc(p.Turn.Match.Held, func(h Held) bool { return fits(h, d) })
		if i < 0 || d.Sealed || p.delayed(d.Seat) && legal(p.Turn, p.Turn.Match.Held[i]) {
			continue
		}
		h := p.Turn.Match.Held[i]
		p.Turn.Match.Held = slices.Delete(p.Turn.Match.Held, i, i+1)
		letter, err := letterOf(p.Turn, h)
		if err != nil {
			return unsettled, err
		}
		_, err = p.Carry(ctx, h.Seat, h.Answer, letter, nil)
		why, ours := p.Turn.Refusal(h.Seat, err)
		switch {
		case err == nil:
			tellHeld(p.Turn, h, OutcomeDone, "")
			if h.Seat == p.Seat {
				p.Turn.MarkPlayed(h.Seat)
			}
			return p.settledFor(h.Seat), nil
		case ours:
			// One player's kept order must not stop another's letter.
			p.fault(h.Seat, true, err, "an order that was kept cannot be carried out")
			why = "Samizdat failed over it."
		case slices.ContainsFunc(p.Turn.Match.Held, func(o Held) bool { return o.List == h.List && fits(o, d) }):
			tellHeld(p.Turn, h, OutcomeLapsed, "Skipped: it was not legal by then.")
			return settled, nil
		}
		tellHeld(p.Turn, h, OutcomeRefused, "It was kept for you and is no longer legal, so you are asked. "+why)
		p.Turn.Match.Held = slices.DeleteFunc(p.Turn.Match.Held, func(o Held) bool {
			gone := o.InPlay() && !o.Answer.Ahead && o.Seat == h.Seat && o.Play == h.Play
			if gone {
				tellHeld(p.Turn, o, OutcomeLapsed, "It was dropped with the order before it.")
			}
			return gone
		})
		return settled, nil
	}
	return unsettled, nil
}

// Keep puts a seat's answers by for later questions of a play.
func Keep(t *Turn, seat rules.Seat, answers []rules.Answer, play uint32, letter string) {
	list := 0
	for _, h := range t.Match.Held {
		list = max(list, h.List)
	}
	for _, a := range answers {
		t.Match.Held = append(t.Match.Held, Held{Seat: seat, Play: play, Answer: a, Letter: letter, List: list + 1})
	}
}

// tellHeld tells the owner of a kept answer what became of it.
func tellHeld(t *Turn, h Held, came Outcome, text string) {
	if h.Silent {
		return // There is no answer yet.
	}
	t.Tell(h.Seat, t.HeldLine(h), came, text)
}

// fits reports whether a kept order is meant for a decision.
func fits(h Held, d rules.Decision) bool {
	return h.InPlay() && h.Seat == d.Seat && (h.Answer.Ahead || h.Play == d.Play) && h.Answer.Fits(d)
}

// legal reports whether a kept answer is legal as the match stands.
func legal(t *Turn, h Held) bool {
	_, err := gate.Check(t.After, h.Seat, h.Answer)
	return err == nil
}

// HeldFor reports whether a sealed answer to a decision is kept.
func (t *Turn) HeldFor(d rules.Decision) bool {
	return slices.ContainsFunc(t.Match.Held, func(h Held) bool { return h.Decision == d.ID })
}

// HeldLine is an answer that is kept, as its writer is shown it.
func (t *Turn) HeldLine(h Held) string {
	if h.Answer.Ballot {
		return "Your ballot"
	}
	line := t.Game.FormatOrder(h.Answer.Atoms)
	if h.Standing {
		line += " " + h.Answer.Standing.String()
	}
	return line
}

// dropKept drops what is kept for a seat that does not play any more.
func dropKept(t *Turn, seat rules.Seat) {
	t.Match.Held = slices.DeleteFunc(slices.Clone(t.Match.Held), func(h Held) bool { return h.Seat == seat })
	timing := &t.Match.Seats[seat].Timing
	timing.Waiting = nil
	timing.EndDelay()
}

// lapse drops what was kept for plays that are over, and sealed answers that
// have become illegal before they were opened.
func (p *Play) lapse() error {
	if p.Turn.After.Stalled() {
		return nil // What is asked next is not known yet.
	}
	plays := map[uint32]bool{}
	for _, d := range p.Turn.After.OpenDecisions(nil) {
		plays[d.Play] = true
	}
	var keep []Held
	for _, h := range p.Turn.Match.Held {
		switch {
		case h.Conditional != nil, h.Standing, h.InPlay() && !h.Answer.Ahead && plays[h.Play]:
			keep = append(keep, h)
		case h.InPlay() && h.Answer.Ahead && awaited(p.Turn, h):
			keep = append(keep, h)
		case h.InPlay() && h.Answer.Ahead:
			tellHeld(p.Turn, h, OutcomeLapsed, aheadGone)
		case h.InPlay():
			tellHeld(p.Turn, h, OutcomeLapsed, "It was kept for you, and was not asked for in this play.")
		case h.Silent && p.Turn.IsOpen(h.Decision):
			keep = append(keep, h)
		case p.Turn.IsOpen(h.Decision):
			_, err := gate.Check(p.Turn.After, h.Seat, h.Answer)
			why, ours := p.Turn.Refusal(h.Seat, err)
			if ours && err != nil {
				return fmt.Errorf("check a sealed answer of seat %d: %w", h.Seat, err)
			}
			if ours {
				keep = append(keep, h)
				break
			}
			tellHeld(p.Turn, h, OutcomeRefused, "It was sealed, and is no longer legal, so you are asked again. "+why)
		}
	}
	p.Turn.Match.Held = keep
	return nil
}

const aheadGone = "It was kept for you, and is not asked for any more."

// answerResigned lets silence answer a question to a seat whose player has resigned.
func (p *Play) answerResigned(ctx context.Context) (settlement, error) {
	if p.Turn.Match.Acts.Resigned == 0 || p.Turn.After.Stalled() {
		return unsettled, nil
	}
	for _, d := range p.Turn.Match.Unanswered(p.Turn.After) {
		if !p.Turn.Match.Acts.Resigned.Has(d.Seat) {
			continue
		}
		before := p.Turn.Match.Entries
		err := p.Silent(ctx, d)
		if errors.Is(err, gate.ErrMustAnswer) {
			p.fault(d.Seat, true, err, "a seat has resigned, and the match waits for it")
			continue
		}
		if p.Turn.Match.Entries == before {
			return settled, err // It is sealed until all answers are in.
		}
		return p.settledFor(d.Seat), err
	}
	return unsettled, nil
}

// Conditionals lists the conditional orders of all seats.
func Conditionals(t *Turn) []ahead.Line {
	var out []ahead.Line
	for _, h := range t.Match.Held {
		if h.Conditional != nil {
			out = append(out, *h.Conditional)
		}
	}
	return out
}

// conditionalsOf splits the conditional orders into those of some seats and the others.
func conditionalsOf(t *Turn, of func(rules.Seat) bool) (those, others []ahead.Line) {
	for _, l := range Conditionals(t) {
		if of(l.Seat) {
			those = append(those, l)
		} else {
			others = append(others, l)
		}
	}
	return those, others
}

// setConditional keeps these conditional orders and no others.
func setConditional(t *Turn, lines []ahead.Line) {
	t.Match.Held = slices.DeleteFunc(slices.Clone(t.Match.Held), func(h Held) bool { return h.Conditional != nil })
	for _, l := range lines {
		t.Match.Held = append(t.Match.Held, Held{Seat: l.Seat, Letter: l.Letter, Conditional: &l})
	}
}

// PutConditional adds a conditional order, and drops what it takes the place of. What a later
// letter brings stands first, so that it is tried first.
func PutConditional(t *Turn, l ahead.Line) {
	lines := slices.DeleteFunc(Conditionals(t), func(old ahead.Line) bool { return l.Replaces(&old) && old.Letter != l.Letter })
	at := 0
	for i, old := range lines {
		if old.Seat == l.Seat && old.Letter == l.Letter {
			at = i + 1
		}
	}
	setConditional(t, slices.Insert(lines, at, l))
}

// Review drops the conditional orders whose time is over, or that what happened since
// the last review disarms. Their owners are told.
func (p *Play) Review() {
	if p.Conditional == nil || p.Turn.After == nil {
		return
	}
	events := p.Turn.Events[p.reviewed:]
	p.reviewed = len(p.Turn.Events)
	lines := Conditionals(p.Turn)
	if len(lines) == 0 {
		return
	}
	kept, dropped := p.Conditional.Review(p.Turn.After, events, lines)
	setConditional(p.Turn, kept)
	tellDropped(p.Turn, dropped)
}

func tellDropped(t *Turn, dropped []ahead.Dropped) {
	for _, d := range dropped {
		if d.Why != "" {
			t.Tell(d.Line.Seat, d.Line.Text, OutcomeLapsed, d.Why)
		}
	}
}

// fire carries out one conditional order for a question that is open, and says whether
// anything has changed.
func (p *Play) fire(ctx context.Context) (settlement, error) {
	if p.Conditional == nil || p.Turn.After == nil || p.Turn.After.Stalled() {
		return unsettled, nil
	}
	if dropSpent(p) {
		return settled, nil
	}
	delayed, lines := conditionalsOf(p.Turn, p.delayed)
	if len(lines) == 0 {
		return unsettled, nil
	}
	f, kept, dropped := p.Conditional.Fire(p.Turn.After, lines)
	setConditional(p.Turn, append(kept, delayed...))
	tellDropped(p.Turn, dropped)
	if f == nil {
		if len(dropped) > 0 {
			return settled, nil
		}
		return unsettled, nil
	}
	// Its entry must not tell others which letter it came with.
	letter, err := p.Turn.Match.Secret.LetterDigest(p.Turn.Match.ID, p.Turn.Match.Entries, f.Line.Letter)
	if err != nil {
		return unsettled, err
	}
	d, err := p.Carry(ctx, f.Line.Seat, f.Answer, letter, nil)
	if err != nil {
		why, ours := p.Turn.Refusal(f.Line.Seat, err)
		if ours {
			p.fault(f.Line.Seat, true, err, "a conditional order cannot be carried out")
			why = "Samizdat failed over it."
		}
		setConditional(p.Turn, slices.DeleteFunc(Conditionals(p.Turn), func(l ahead.Line) bool { return l.Seat == f.Line.Seat }))
		p.Turn.Tell(f.Line.Seat, f.Line.Text, OutcomeRefused, "It was kept for you and could not be carried out. Nothing is kept for you any "+
			"more. "+why)
		return settled, nil
	}
	p.Turn.Tell(f.Line.Seat, f.Line.Text, OutcomeDone, "Carried out: "+p.Turn.Game.FormatOrder(f.Answer.Atoms))
	Keep(p.Turn, f.Line.Seat, f.Later, d.Play, letter)
	return p.settledFor(f.Line.Seat), nil
}

// dropSpent drops conditional orders of seats with a delay that have come to nothing: their owners
// are asked at once, as without a delay, and what has had its turn must not answer a
// later question. It says whether any were dropped.
func dropSpent(p *Play) bool {
	for i := range p.Turn.Match.Seats {
		seat := rules.Seat(i)
		if !p.delayed(seat) || keptFor(p.Turn, seat) {
			continue
		}
		mine, others := conditionalsOf(p.Turn, func(s rules.Seat) bool { return s == seat })
		if len(mine) == 0 {
			continue
		}
		if f, kept, dropped := p.Conditional.Fire(p.Turn.After, mine); f == nil && len(dropped) > 0 {
			setConditional(p.Turn, append(others, kept...))
			tellDropped(p.Turn, dropped)
			return true
		}
	}
	return false
}
