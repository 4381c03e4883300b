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

// sealAnswer stores a sealed answer in place of an earlier answer to the decision, and opens the group when it is
// complete. letter is the digest of the player's letter. After an error, the match is unchanged.
func (p *Execution) sealAnswer(ctx context.Context, d rules.Decision, a rules.Answer, letter string) error {
	if d.Ballot || d.Repeats {
		letter = "" // The entry must not reveal which letter had the answer, or that the seat was silent.
	}
	return p.addSealedAnswer(ctx, d, PendingAnswer{Seat: d.Seat, Play: d.Play, Decision: d.ID, Answer: a, Letter: letter})
}

func (p *Execution) addSealedAnswer(ctx context.Context, d rules.Decision, pending PendingAnswer) error {
	answers := append(slices.DeleteFunc(slices.Clone(p.Turn.Match.Pending),
		func(other PendingAnswer) bool { return other.Decision == d.ID }), pending)
	group, isComplete := sealedGroup(p.Turn, d, answers)
	if !isComplete {
		p.Turn.Match.Pending = answers
		return nil
	}
	markGroupIdle(p, group, answers)
	remaining := slices.DeleteFunc(answers, func(pending PendingAnswer) bool {
		return slices.ContainsFunc(group, func(g PendingAnswer) bool { return g.Decision == pending.Decision })
	})
	open := p.openGroup
	if d.Ballot {
		open = p.countBallots
	}
	// Each answer was checked when it was sealed, so an error is not a refusal for the writer of this letter. %s drops the type of the
	// error, so that its text is only logged, and not sent: it may contain hidden information.
	if err := open(ctx, d.Group, group, remaining); err != nil {
		return fmt.Errorf("open the sealed answers of group %d: %s", d.Group, err.Error())
	}
	return nil
}

// markGroupIdle adds the seats of the group that have answered all their decisions to idleSeats. It runs before the
// answers are opened, because they may lead to new decisions.
func markGroupIdle(p *Execution, group, answers []PendingAnswer) {
	for _, g := range group {
		unanswered := func(d rules.Decision) bool {
			return !slices.ContainsFunc(answers, func(pending PendingAnswer) bool { return pending.Decision == d.ID })
		}
		if !slices.ContainsFunc(rules.OpenDecisionsOf(p.Turn.After, g.Seat), unanswered) {
			p.idleSeats |= rules.Only(g.Seat)
		}
	}
}

// sealedGroup returns the sealed answers of a decision's group in the order of seats, and whether the group is complete.
func sealedGroup(t *Turn, d rules.Decision, answers []PendingAnswer) (out []PendingAnswer, isComplete bool) {
	for _, other := range t.After.OpenDecisions(nil) {
		if !other.Sealed || other.Group != d.Group {
			continue
		}
		i := slices.IndexFunc(answers, func(pending PendingAnswer) bool { return pending.Decision == other.ID })
		if i < 0 {
			return nil, false
		}
		out = append(out, answers[i])
	}
	return out, true
}

func sealedAnswers(group []PendingAnswer) (out []gate.SealedAnswer) {
	for _, pending := range group {
		out = append(out, gate.SealedAnswer{Seat: pending.Seat, Answer: pending.Answer})
	}
	return out
}

// openGroup opens a complete group of sealed answers in one entry. The answers in remaining stay pending.
func (p *Execution) openGroup(ctx context.Context, _ uint32, group, remaining []PendingAnswer) error {
	chance := p.Chance(p.Turn.Match.OrderEntryCount + 1)
	group, err := p.fillSilentAnswers(group, chance)
	if err != nil {
		return err
	}
	result, err := gate.ExecuteSealed(p.Turn.After, sealedAnswers(group), chance)
	if err != nil {
		return err
	}
	entry := record.Entry{}
	for _, executed := range result.Answers {
		i := slices.IndexFunc(group, func(pending PendingAnswer) bool { return pending.Decision == executed.Result.Decision.ID })
		if i < 0 {
			return fmt.Errorf("no pending answer for decision %d", executed.Result.Decision.ID)
		}
		letter, err := letterDigestOf(p.Turn, group[i])
		if err != nil {
			return err
		}
		answer := record.Answer{Seat: record.SeatName(p.Turn.Match.Seats[executed.Seat].Name),
			Orders:  []string{p.Turn.Game.FormatOrder(executed.Result.Atoms)},
			Private: executed.Result.Private, Letter: letter}
		if group[i].Silent {
			answer.Silence = record.SilenceOf(executed.Result.Decision)
		}
		entry.Answers = append(entry.Answers, answer)
	}
	p.Turn.Match.Pending = remaining
	p.Turn.Remarks = append(p.Turn.Remarks, p.Turn.DescribeSilences(&entry)...)
	return p.AddEntry(ctx, result.Position, result.Events, entry, chance)
}

// countBallots counts a complete group of ballots in one entry. The entry contains only the published tally, which is enough for
// a replay, and the ballots are deleted.
func (p *Execution) countBallots(ctx context.Context, group uint32, ballots, remaining []PendingAnswer) error {
	outcome, err := gate.CountBallots(p.Turn.Game, p.Turn.After, sealedAnswers(ballots))
	if err != nil {
		return err
	}
	if outcome, err = record.CanonicalJSON(outcome); err != nil {
		return err
	}
	chance := p.Chance(p.Turn.Match.OrderEntryCount + 1)
	result, err := gate.ApplyBallots(p.Turn.Game, p.Turn.After, group, outcome, chance)
	if err != nil {
		return err
	}
	p.Turn.Match.Pending = remaining
	return p.AddEntry(ctx, result.Position, result.Events, record.Entry{Tally: &record.Tally{Group: group, Outcome: outcome}}, chance)
}

// SealedAnswer returns the text of the sealed answer to a decision; false if there is no answer, or if it is the
// answer of a silent seat. It never returns the text of a ballot.
func (t *Turn) SealedAnswer(d rules.Decision) (string, bool) {
	i := slices.IndexFunc(t.Match.Pending, func(pending PendingAnswer) bool { return pending.Decision == d.ID })
	switch {
	case i < 0, t.Match.Pending[i].Silent:
		return "", false
	case d.Ballot:
		return "", true
	}
	return t.Game.FormatOrder(t.Match.Pending[i].Answer.Atoms), true
}

// AnswerSilent answers a decision for a silent seat.
func (p *Execution) AnswerSilent(ctx context.Context, d rules.Decision) error {
	switch {
	case d.Silence == rules.SilenceWaits:
		return gate.ErrMustAnswer
	case d.Ballot, d.Sealed && d.Repeats && d.Silence == rules.SilenceDefault:
		// A ballot (drawn by lot here) and the default answer to a repeated question are sealed like answers of the player,
		// so that others cannot see which seat was silent. For a ballot, not even the seat's player can see it.
		answer, err := gate.SilentAnswer(p.Turn.After, d, p.Turn.Game.FormatOrder, unrecordedLots{p.Random})
		if err != nil {
			return err
		}
		return p.sealAnswer(ctx, d, answer, "")
	case d.Sealed:
		return p.addSealedAnswer(ctx, d, PendingAnswer{Seat: d.Seat, Play: d.Play, Decision: d.ID, Silent: true})
	}
	chance := p.Chance(p.Turn.Match.OrderEntryCount + 1)
	answer, err := gate.SilentAnswer(p.Turn.After, d, p.Turn.Game.FormatOrder, chance)
	if err != nil {
		return err
	}
	r, err := gate.Execute(p.Turn.After, d.Seat, answer, chance)
	if err != nil {
		return err
	}
	entry := record.Entry{Seat: record.SeatName(p.Turn.Match.Seats[d.Seat].Name), Orders: []string{p.Turn.Game.FormatOrder(r.Atoms)},
		Private: r.Private, Silence: record.SilenceOf(d)}
	if r.Private {
		p.Turn.ReportLine(d.Seat, entry.Orders[0], OutcomeDone,
			"You did not answer in time, so this order was "+describeSilence(entry.Silence)+".")
	}
	p.Turn.Remarks = append(p.Turn.Remarks, p.Turn.DescribeSilences(&entry)...)
	return p.AddEntry(ctx, r.Position, r.Events, entry, chance)
}

// unrecordedLots draws lots that are not recorded and cannot be reproduced.
type unrecordedLots struct{ random io.Reader }

func (u unrecordedLots) DrawLot(l gate.LotRequest) (int, error) {
	n, err := rand.Int(u.random, big.NewInt(int64(len(l.Options))))
	if err != nil {
		return 0, err
	}
	return int(n.Int64()), nil
}

func (p *Execution) fillSilentAnswers(group []PendingAnswer, chance entryChance) ([]PendingAnswer, error) {
	group = slices.Clone(group)
	for i, pending := range group {
		if !pending.Silent {
			continue
		}
		decisions := p.Turn.After.OpenDecisions(nil)
		d := decisions[slices.IndexFunc(decisions, func(d rules.Decision) bool { return d.ID == pending.Decision })]
		answer, err := gate.SilentAnswer(p.Turn.After, d, p.Turn.Game.FormatOrder, chance)
		if err != nil {
			return nil, err
		}
		group[i].Answer = answer
	}
	return group, nil
}

// AnswerTimeout answers one open decision of a seat after its time-out. If the game needs the player's own answer,
// the seat is flagged.
func (p *Execution) AnswerTimeout(ctx context.Context, seat rules.Seat) error {
	for _, d := range rules.OpenDecisionsOf(p.Turn.After, seat) {
		if !p.Turn.IsAnsweredBySilence(d) {
			continue
		}
		p.Seat = seat
		if err := p.AnswerSilent(ctx, d); err != nil {
			return err
		}
		_, err := p.Settle(ctx)
		return err
	}
	p.AnnounceOutOfTime(seat)
	return nil
}

// sealEarlyAnswer seals one answer that was given ahead (Answer.Ahead) when its sealed decision opens.
func (p *Execution) sealEarlyAnswer(ctx context.Context) (settleStep, error) {
	for _, d := range p.Turn.After.OpenDecisions(nil) {
		i := slices.IndexFunc(p.Turn.Match.Pending, func(pending PendingAnswer) bool {
			return pending.Answer.Ahead && answersDecision(pending, d)
		})
		if _, hasAnswer := p.Turn.SealedAnswer(d); i < 0 || hasAnswer || !d.Sealed {
			continue
		}
		pending := p.Turn.Match.Pending[i]
		p.Turn.Match.Pending = slices.Delete(slices.Clone(p.Turn.Match.Pending), i, i+1)
		_, err := gate.Check(p.Turn.After, d.Seat, pending.Answer)
		if reason, isInternal := p.Turn.ExplainRefusal(d.Seat, err); !isInternal {
			reportPending(p.Turn, pending, OutcomeRefused, "This saved order is not legal, so we are asking you. "+reason)
			return stepTaken, nil
		}
		if err != nil {
			return stepNone, err
		}
		seq := p.Turn.Match.EntryCount
		if err := p.sealAnswer(ctx, d, pending.Answer, pending.Letter); err != nil {
			return stepNone, err
		}
		reportPending(p.Turn, pending, OutcomeDone, "It answers the current question.")
		if p.Turn.Match.EntryCount == seq {
			return stepTaken, nil
		}
		return stepByOtherSeat, nil // The group was opened, with the answers of other seats.
	}
	return stepNone, nil
}

// letterDigestOf returns Entry.Letter for the entry of a pending answer. If Answer.Ahead is set, it is an HMAC
// (Secret.LetterDigest), so that the entry does not show other players which letter contained the answer.
func letterDigestOf(t *Turn, pending PendingAnswer) (string, error) {
	if !pending.Answer.Ahead || pending.Silent {
		return pending.Letter, nil
	}
	return t.Match.Secret.LetterDigest(t.Match.ID, t.Match.EntryCount, pending.Letter)
}

func mayStillBeAsked(t *Turn, pending PendingAnswer) bool {
	return t.Game.MayStillAsk != nil && t.Game.MayStillAsk(t.After.View(pending.Seat), pending.Answer)
}

// The notes on standing answers. Only the writer sees them.
const (
	standingAlwaysNote = "It answers every question of this kind from now on, until you answer one yourself or send DROP. "
	standingUntilNote  = "It answers every question of this kind from now on, until something changes, you answer one " +
		"yourself, or you send DROP. "
)

// SetStandingAnswer updates the standing answer of a seat after its answer a. It deletes the earlier standing answer and, if a
// is a standing answer, stores it. note is a sentence for the writer; empty if a was not stored.
func SetStandingAnswer(t *Turn, pos rules.Position, d rules.Decision, a rules.Answer, letter string) (note string) {
	if !d.Repeats || d.Ballot {
		return ""
	}
	t.Match.Pending = slices.DeleteFunc(slices.Clone(t.Match.Pending),
		func(pending PendingAnswer) bool { return pending.Standing && pending.Seat == d.Seat })
	countChanges := t.Game.CountChanges
	if a.Standing == rules.StandsOnce || countChanges == nil {
		return ""
	}
	t.Match.Pending = append(t.Match.Pending, PendingAnswer{Seat: d.Seat, Answer: a, Letter: letter, Standing: true,
		ChangeCount: countChanges(pos.View(d.Seat))})
	if a.Standing == rules.StandsAlways {
		return standingAlwaysNote + SayOthersNotTold(t, d.Seat)
	}
	return standingUntilNote + SayOthersNotTold(t, d.Seat)
}

// giveStandingAnswer seals one standing answer for an open decision. Others see it only when the group is opened.
func (p *Execution) giveStandingAnswer(ctx context.Context) (settleStep, error) {
	for _, d := range p.Turn.After.OpenDecisions(nil) {
		i := slices.IndexFunc(p.Turn.Match.Pending, func(pending PendingAnswer) bool {
			return pending.Standing && pending.Seat == d.Seat && pending.Answer.Fits(d)
		})
		hasAnswer := slices.ContainsFunc(p.Turn.Match.Pending, func(pending PendingAnswer) bool { return pending.Decision == d.ID })
		if i < 0 || !d.Repeats || hasAnswer {
			continue
		}
		pending := p.Turn.Match.Pending[i]
		hasChanged := pending.Answer.Standing == rules.StandsUntilChange &&
			pending.ChangeCount != p.Turn.Game.CountChanges(p.Turn.After.View(d.Seat))
		_, err := gate.Check(p.Turn.After, d.Seat, pending.Answer)
		if reason, isInternal := p.Turn.ExplainRefusal(d.Seat, err); hasChanged || !isInternal {
			if hasChanged {
				reason = "Something has changed."
			}
			p.Turn.Match.Pending = slices.Delete(slices.Clone(p.Turn.Match.Pending), i, i+1)
			reportPending(p.Turn, pending, OutcomeLapsed, "It no longer answers for you, so we are asking you. "+reason)
			return stepTaken, nil
		}
		if err != nil {
			return stepNone, err
		}
		seq := p.Turn.Match.EntryCount
		if err := p.sealAnswer(ctx, d, pending.Answer, ""); err != nil {
			return stepNone, err
		}
		if p.Turn.Match.EntryCount == seq {
			return stepTaken, nil
		}
		return stepByOtherSeat, nil
	}
	return stepNone, nil
}
