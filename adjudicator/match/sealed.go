package match

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// seal keeps a sealed answer in place of an earlier one, and opens the group
// when it is complete. What is kept changes only when all goes well.
func (p *Play) seal(ctx context.Context, d rules.Decision, a rules.Answer, letter string) error {
	if d.Ballot || d.Repeats {
		letter = "" // Nobody is to find out which letter brought it, or that none did.
	}
	return p.sealHeld(ctx, d, Held{Seat: d.Seat, Play: d.Play, Decision: d.ID, Answer: a, Letter: letter})
}

func (p *Play) sealHeld(ctx context.Context, d rules.Decision, h Held) error {
	held := append(slices.DeleteFunc(slices.Clone(p.Turn.Match.Held), func(o Held) bool { return o.Decision == d.ID }), h)
	group, complete := group(p.Turn, d, held)
	if !complete {
		p.Turn.Match.Held = held
		return nil
	}
	restAll(p, group, held)
	rest := slices.DeleteFunc(held, func(h Held) bool {
		return slices.ContainsFunc(group, func(g Held) bool { return g.Decision == h.Decision })
	})
	open := p.openGroup
	if d.Ballot {
		open = p.countGroup
	}
	// Each answer was checked by itself when it was kept. A refusal now is
	// not the sender's, and may be about what he must not know.
	if err := open(ctx, d.Group, group, rest); err != nil {
		return fmt.Errorf("open the sealed answers of group %d: %s", d.Group, err.Error())
	}
	return nil
}

// restAll notes that seats whose answers are opened owe nothing, whatever they are asked then,
// if all that they were asked is answered.
func restAll(p *Play, group, held []Held) {
	for _, g := range group {
		unanswered := func(d rules.Decision) bool {
			return !slices.ContainsFunc(held, func(h Held) bool { return h.Decision == d.ID })
		}
		if !slices.ContainsFunc(Owed(p.Turn.After, g.Seat), unanswered) {
			p.rested |= rules.Only(g.Seat)
		}
	}
}

// group are the answers to the open decisions of a decision's group, in the order
// of seats, and whether all are there.
func group(t *Turn, d rules.Decision, held []Held) (out []Held, complete bool) {
	for _, o := range t.After.OpenDecisions(nil) {
		if !o.Sealed || o.Group != d.Group {
			continue
		}
		i := slices.IndexFunc(held, func(h Held) bool { return h.Decision == o.ID })
		if i < 0 {
			return nil, false
		}
		out = append(out, held[i])
	}
	return out, true
}

func sealed(group []Held) (out []gate.SealedAnswer) {
	for _, h := range group {
		out = append(out, gate.SealedAnswer{Seat: h.Seat, Answer: h.Answer})
	}
	return out
}

// openGroup opens a whole group of sealed answers. The rest stays kept.
func (p *Play) openGroup(ctx context.Context, _ uint32, group, rest []Held) error {
	c := p.Chance(p.Turn.Match.Ordered + 1)
	group, err := p.answerSilence(group, c)
	if err != nil {
		return err
	}
	opened, err := gate.ExecuteSealed(p.Turn.After, sealed(group), c)
	if err != nil {
		return err
	}
	e := record.Entry{}
	for _, g := range opened.Answers {
		i := slices.IndexFunc(group, func(h Held) bool { return h.Decision == g.Result.Decision.ID })
		if i < 0 {
			return fmt.Errorf("nothing is kept for decision %d", g.Result.Decision.ID)
		}
		letter, err := letterOf(p.Turn, group[i])
		if err != nil {
			return err
		}
		answer := record.Answer{Seat: record.SeatName(p.Turn.Match.Seats[g.Seat].Name), Orders: []string{p.Turn.Game.FormatOrder(g.Result.Atoms)},
			Private: g.Result.Private, Letter: letter}
		if group[i].Silent {
			answer.Silence = record.SilenceOf(g.Result.Decision)
		}
		e.Answers = append(e.Answers, answer)
	}
	p.Turn.Match.Held = rest
	p.Turn.Remarks = append(p.Turn.Remarks, p.Turn.Silences(&e)...)
	return p.Moved(ctx, opened.Position, opened.Events, e, c)
}

// countGroup counts a whole group of ballots, and forgets them: the history has
// what was published, and replay goes the same way from there.
func (p *Play) countGroup(ctx context.Context, group uint32, ballots, rest []Held) error {
	outcome, err := gate.CountBallots(p.Turn.Game, p.Turn.After, sealed(ballots))
	if err != nil {
		return err
	}
	if outcome, err = record.CanonicalJSON(outcome); err != nil {
		return err
	}
	c := p.Chance(p.Turn.Match.Ordered + 1)
	counted, err := gate.ApplyBallots(p.Turn.Game, p.Turn.After, group, outcome, c)
	if err != nil {
		return err
	}
	p.Turn.Match.Held = rest
	return p.Moved(ctx, counted.Position, counted.Events, record.Entry{Tally: &record.Tally{Group: group, Outcome: outcome}}, c)
}

// SealedAnswer is what a seat has answered so far to a sealed decision, a ballot
// apart, and whether it has.
func (t *Turn) SealedAnswer(d rules.Decision) (string, bool) {
	i := slices.IndexFunc(t.Match.Held, func(h Held) bool { return h.Decision == d.ID })
	switch {
	case i < 0, t.Match.Held[i].Silent:
		return "", false
	case d.Ballot:
		return "", true
	}
	return t.Game.FormatOrder(t.Match.Held[i].Answer.Atoms), true
}

// Silent answers a decision for a seat that stays silent.
func (p *Play) Silent(ctx context.Context, d rules.Decision) error {
	switch {
	case d.Silence == rules.SilenceWaits:
		return gate.ErrMustAnswer
	case d.Ballot, d.Sealed && d.Repeats && d.Silence == rules.SilenceDefault:
		// Nobody is ever told that a ballot was cast by lot, the seat itself included, and
		// nothing that is published later can tell which. An answer that repeats looks like
		// any other, so that who says nothing hides who does.
		answer, err := gate.SilentAnswer(p.Turn.After, d, p.Turn.Game.FormatOrder, unrecorded{p.Random})
		if err != nil {
			return err
		}
		return p.seal(ctx, d, answer, "")
	case d.Sealed:
		return p.sealHeld(ctx, d, Held{Seat: d.Seat, Play: d.Play, Decision: d.ID, Silent: true})
	}
	c := p.Chance(p.Turn.Match.Ordered + 1)
	answer, err := gate.SilentAnswer(p.Turn.After, d, p.Turn.Game.FormatOrder, c)
	if err != nil {
		return err
	}
	r, err := gate.Execute(p.Turn.After, d.Seat, answer, c)
	if err != nil {
		return err
	}
	e := record.Entry{Seat: record.SeatName(p.Turn.Match.Seats[d.Seat].Name), Orders: []string{p.Turn.Game.FormatOrder(r.Atoms)},
		Private: r.Private,
		Silence: record.SilenceOf(d)}
	if r.Private {
		p.Turn.Tell(d.Seat, e.Orders[0], OutcomeDone, "You did not answer in time. "+Capital(silenceWords(e.Silence))+" did.")
	}
	p.Turn.Remarks = append(p.Turn.Remarks, p.Turn.Silences(&e)...)
	return p.Moved(ctx, r.Position, r.Events, e, c)
}

// unrecorded are lots that nothing can be made from again.
type unrecorded struct{ random io.Reader }

// Lot implements gate.Lots.
func (u unrecorded) Lot(l gate.Lot) (int, error) {
	n, err := rand.Int(u.random, big.NewInt(int64(len(l.Options))))
	if err != nil {
		return 0, err
	}
	return int(n.Int64()), nil
}

// answerSilence finds the answers of those seats of a group who stay silent.
func (p *Play) answerSilence(group []Held, c source) ([]Held, error) {
	group = slices.Clone(group)
	for i, h := range group {
		if !h.Silent {
			continue
		}
		owed := p.Turn.After.OpenDecisions(nil)
		d := owed[slices.IndexFunc(owed, func(d rules.Decision) bool { return d.ID == h.Decision })]
		answer, err := gate.SilentAnswer(p.Turn.After, d, p.Turn.Game.FormatOrder, c)
		if err != nil {
			return nil, err
		}
		group[i].Answer = answer
	}
	return group, nil
}

// StayedSilent lets what a seat was asked be answered for it, one question at a time. What
// the game waits for stays open, and may be claimed.
func (p *Play) StayedSilent(ctx context.Context, seat rules.Seat) error {
	for _, d := range Owed(p.Turn.After, seat) {
		if !p.Turn.Answerable(d) {
			continue
		}
		p.Seat = seat
		if err := p.Silent(ctx, d); err != nil {
			return err
		}
		_, err := p.Settle(ctx)
		return err
	}
	p.Flag(seat)
	return nil
}

// sealAhead seals an answer that was kept for a sealed question, and takes it off the list.
func (p *Play) sealAhead(ctx context.Context) (settlement, error) {
	for _, d := range p.Turn.After.OpenDecisions(nil) {
		i := slices.IndexFunc(p.Turn.Match.Held, func(h Held) bool { return h.Answer.Ahead && fits(h, d) })
		if _, given := p.Turn.SealedAnswer(d); i < 0 || given || !d.Sealed {
			continue
		}
		h := p.Turn.Match.Held[i]
		p.Turn.Match.Held = slices.Delete(slices.Clone(p.Turn.Match.Held), i, i+1)
		_, err := gate.Check(p.Turn.After, d.Seat, h.Answer)
		if why, ours := p.Turn.Refusal(d.Seat, err); !ours {
			tellHeld(p.Turn, h, OutcomeRefused, "It was kept for you and is not legal, so you are asked. "+why)
			return settled, nil
		}
		if err != nil {
			return unsettled, err
		}
		seq := p.Turn.Match.Entries
		if err := p.seal(ctx, d, h.Answer, h.Letter); err != nil {
			return unsettled, err
		}
		tellHeld(p.Turn, h, OutcomeDone, "It answers what is asked now.")
		if p.Turn.Match.Entries == seq {
			return settled, nil
		}
		return settledOther, nil
	}
	return unsettled, nil
}

// letterOf is what the entry of a kept answer has as its letter. Of one that came before its
// question nobody is to see that it came with an older letter, or with one that held a ballot.
func letterOf(t *Turn, h Held) (string, error) {
	if !h.Answer.Ahead || h.Silent {
		return h.Letter, nil
	}
	return t.Match.Secret.LetterDigest(t.Match.ID, t.Match.Entries, h.Letter)
}

// awaited reports whether what a kept answer is for may still be asked.
func awaited(t *Turn, h Held) bool {
	return t.Game.MayStillAsk != nil && t.Game.MayStillAsk(t.After.View(h.Seat), h.Answer)
}

// Notes of standing answers. They are for their writer alone.
const (
	standsAlways = "It answers each such question to come, until you answer one otherwise or write DROP. Nobody else is told."
	standsUntil  = "It answers each such question to come, until something changes, you answer one otherwise, or you write DROP. Nobody " +
		"else is told."
)

// Stand keeps an answer that stands, given in a position, in the place of an older one.
// An answer that does not stand ends that.
func Stand(t *Turn, pos rules.Position, d rules.Decision, a rules.Answer, letter string) (note string) {
	if !d.Repeats || d.Ballot {
		return ""
	}
	t.Match.Held = slices.DeleteFunc(slices.Clone(t.Match.Held), func(h Held) bool { return h.Standing && h.Seat == d.Seat })
	changes := t.Game.CountChanges
	if a.Standing == rules.StandsOnce || changes == nil {
		return ""
	}
	t.Match.Held = append(t.Match.Held, Held{Seat: d.Seat, Answer: a, Letter: letter, Standing: true, Changes: changes(pos.View(d.Seat))})
	if a.Standing == rules.StandsAlways {
		return standsAlways
	}
	return standsUntil
}

// answerStanding gives one standing answer to a question that is open. Others learn of
// it only when the question closes with the answers of all.
func (p *Play) answerStanding(ctx context.Context) (settlement, error) {
	for _, d := range p.Turn.After.OpenDecisions(nil) {
		i := slices.IndexFunc(p.Turn.Match.Held, func(h Held) bool { return h.Standing && h.Seat == d.Seat && h.Answer.Fits(d) })
		given := slices.ContainsFunc(p.Turn.Match.Held, func(h Held) bool { return h.Decision == d.ID })
		if i < 0 || !d.Repeats || given {
			continue
		}
		h := p.Turn.Match.Held[i]
		changed := h.Answer.Standing == rules.StandsUntilChange && h.Changes != p.Turn.Game.CountChanges(p.Turn.After.View(d.Seat))
		_, err := gate.Check(p.Turn.After, d.Seat, h.Answer)
		if why, ours := p.Turn.Refusal(d.Seat, err); changed || !ours {
			if changed {
				why = "Something has changed."
			}
			p.Turn.Match.Held = slices.Delete(slices.Clone(p.Turn.Match.Held), i, i+1)
			tellHeld(p.Turn, h, OutcomeLapsed, "It does not answer any more, so you are asked. "+why)
			return settled, nil
		}
		if err != nil {
			return unsettled, err
		}
		seq := p.Turn.Match.Entries
		if err := p.seal(ctx, d, h.Answer, ""); err != nil {
			return unsettled, err
		}
		if p.Turn.Match.Entries == seq {
			return settled, nil
		}
		return settledOther, nil
	}
	return unsettled, nil
}
