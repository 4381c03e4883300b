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

// PendingAnswer is an answer that was given early and waits for its decision. It is private to its seat and not part of the history.
// There are four kinds:
//
//   - a sealed answer waits for the answers of other seats to the same group of decisions;
//   - an early answer waits for a later question of the same play or, if Answer.Ahead is set, of any play;
//   - a standing answer answers each question of its kind;
//   - a conditional order is executed when its condition holds, e.g. "ANSWER 54 PLACE Bucuresti 2".
type PendingAnswer struct {
	Seat rules.Seat `json:"seat"`
	// Execution is the play (one use of a card) that the answer belongs to. The answer lapses at its end.
	Play uint32 `json:"play"`
	// Decision is the sealed decision that is answered; 0 for the other kinds.
	Decision rules.DecisionID `json:"decision,omitempty"`
	Answer   rules.Answer     `json:"answer"`
	// Silent is set if the player did not answer the decision in time, or has resigned. Answer is empty then; the referee chooses the
	// answer when the group is opened.
	Silent bool `json:"silent,omitempty"`
	// Standing is set if the answer answers every future question of its kind. ChangeCount is the value of the game's
	// CountChanges when the answer was given.
	Standing    bool   `json:"standing,omitempty"`
	ChangeCount int    `json:"changes,omitempty"`
	Letter      string `json:"letter"`
	// ListNumber is the number of the answer's line in the letter. The answers of one line form a list, e.g. "1 Warsaw,
	// 1 Gdansk". Illegal parts of a list are skipped.
	ListNumber int `json:"list,omitempty"`
	// Conditional is set for a conditional order. Only Seat and Letter are set beside it.
	Conditional *ahead.Line `json:"ahead,omitempty"`
}

// IsEarlyAnswer reports whether the answer is an early answer, and not of the three other kinds.
func (pending PendingAnswer) IsEarlyAnswer() bool {
	return pending.Decision == 0 && pending.Conditional == nil && !pending.Standing
}

// Takeback is a player's request to take back an order that was carried out, and everything after it.
type Takeback struct {
	Seat rules.Seat `json:"seat"`
	// Seq is the number of the order's entry. Orders is its text.
	Seq    int         `json:"seq"`
	Orders string      `json:"orders"`
	Agreed rules.Seats `json:"agreed,omitempty"`
}

// Settle carries out pending answers until none answers an open decision, and drops the pending answers that have lapsed.
// It reports this to the owners of the answers (Turn.LineReports). othersPlayed is set if an order of another seat than
// p.Seat was carried out.
func (p *Execution) Settle(ctx context.Context) (othersPlayed bool, err error) {
	for {
		p.ReviewConditionals()
		if err := p.dropLapsed(); err != nil {
			return othersPlayed, err
		}
		if p.Turn.Match.State != Playing {
			return othersPlayed, nil
		}
		step, err := p.settleOne(ctx)
		if err == nil && step == stepNone {
			step, err = p.fireConditional(ctx)
		}
		if err == nil && step == stepNone {
			step, err = p.sealEarlyAnswer(ctx)
		}
		if err == nil && step == stepNone {
			step, err = p.giveStandingAnswer(ctx)
		}
		if err == nil && step == stepNone {
			step, err = p.answerResigned(ctx)
		}
		if err != nil || step == stepNone {
			return othersPlayed, err
		}
		othersPlayed = othersPlayed || step == stepByOtherSeat
	}
}

type settleStep int

const (
	stepNone        settleStep = iota // no pending answer answers an open decision
	stepTaken                         // an order was carried out or dropped
	stepByOtherSeat                   // an order of another seat was carried out
)

func (p *Execution) stepBySeat(seat rules.Seat) settleStep {
	if seat != p.Seat {
		return stepByOtherSeat
	}
	return stepTaken
}

// settleOne carries out the first pending answer to an open decision. An illegal answer is skipped if another part of
// its list answers the decision. If none does, the player is asked, and the player's other answers for this play are
// dropped.
func (p *Execution) settleOne(ctx context.Context) (settleStep, error) {
	for _, d := range p.Turn.After.OpenDecisions(nil) {
		i := slices.IndexFunc(p.Turn.Match.Pending, func(pending PendingAnswer) bool { return answersDecision(pending, d) })
		if i < 0 || d.Sealed || p.isAnswerDelayed(d.Seat) && isLegal(p.Turn, p.Turn.Match.Pending[i]) {
			continue
		}
		pending := p.Turn.Match.Pending[i]
		p.Turn.Match.Pending = slices.Delete(p.Turn.Match.Pending, i, i+1)
		letter, err := letterDigestOf(p.Turn, pending)
		if err != nil {
			return stepNone, err
		}
		_, err = p.CarryOut(ctx, pending.Seat, pending.Answer, letter, nil)
		reason, isInternal := p.Turn.ExplainRefusal(pending.Seat, err)
		switch {
		case err == nil:
			reportPending(p.Turn, pending, OutcomeDone, "")
			if pending.Seat == p.Seat {
				p.Turn.MarkCoveredByEvents(pending.Seat)
			}
			return p.stepBySeat(pending.Seat), nil
		case isInternal:
			// A fault with this answer must not stop another player's letter.
			p.recordFault(pending.Seat, true, err, "cannot carry out a pending answer")
			reason = "Samizdat made an error with it."
		case slices.ContainsFunc(p.Turn.Match.Pending, func(other PendingAnswer) bool {
			return other.ListNumber == pending.ListNumber && answersDecision(other, d)
		}):
			reportPending(p.Turn, pending, OutcomeLapsed, "Skipped, because it is not legal.")
			return stepTaken, nil
		}
		reportPending(p.Turn, pending, OutcomeLapsed, "This saved order is not legal, so we are asking you. "+reason)
		p.Turn.Match.Pending = slices.DeleteFunc(p.Turn.Match.Pending, func(other PendingAnswer) bool {
			isDropped := other.IsEarlyAnswer() && !other.Answer.Ahead && other.Seat == pending.Seat && other.Play == pending.Play
			if isDropped {
				reportPending(p.Turn, other, OutcomeLapsed, "It was dropped with the order before it.")
			}
			return isDropped
		})
		return stepTaken, nil
	}
	return stepNone, nil
}

// AddPending adds answers of a seat for later questions of a play.
func AddPending(t *Turn, seat rules.Seat, answers []rules.Answer, play uint32, letter string) {
	number := 0
	for _, pending := range t.Match.Pending {
		number = max(number, pending.ListNumber)
	}
	for _, a := range answers {
		t.Match.Pending = append(t.Match.Pending, PendingAnswer{Seat: seat, Play: play, Answer: a, Letter: letter, ListNumber: number + 1})
	}
}

func reportPending(t *Turn, pending PendingAnswer, outcome LineOutcome, text string) {
	if pending.Silent {
		return // A silent answer has no text yet.
	}
	t.ReportLine(pending.Seat, t.PendingLine(pending), outcome, text)
}

func answersDecision(pending PendingAnswer, d rules.Decision) bool {
	return pending.IsEarlyAnswer() && pending.Seat == d.Seat && (pending.Answer.Ahead || pending.Play == d.Play) && pending.Answer.Fits(d)
}

func isLegal(t *Turn, pending PendingAnswer) bool {
	_, err := gate.Check(t.After, pending.Seat, pending.Answer)
	return err == nil
}

// HasSealedAnswer reports whether a decision has a sealed answer.
func (t *Turn) HasSealedAnswer(d rules.Decision) bool {
	return slices.ContainsFunc(t.Match.Pending, func(pending PendingAnswer) bool { return pending.Decision == d.ID })
}

// PendingLine returns the text of a pending answer, as its writer sees it.
func (t *Turn) PendingLine(pending PendingAnswer) string {
	if pending.Answer.Ballot {
		return "Your ballot"
	}
	line := t.Game.FormatOrder(pending.Answer.Atoms)
	if pending.Standing {
		line += " " + pending.Answer.Standing.String()
	}
	return line
}

func dropPendingOf(t *Turn, seat rules.Seat) {
	t.Match.Pending = slices.DeleteFunc(slices.Clone(t.Match.Pending), func(pending PendingAnswer) bool { return pending.Seat == seat })
	private := &t.Match.Seats[seat].Private
	private.DelayedLetter = nil
	private.CancelAnswerDelay()
}

// dropLapsed drops pending answers that cannot be used any more: early answers for plays that are over or that can no longer be
// asked, sealed answers to closed decisions, and sealed answers that have become illegal.
func (p *Execution) dropLapsed() error {
	if p.Turn.After.Stalled() {
		return nil // The next decisions are not known yet.
	}
	plays := map[uint32]bool{}
	for _, d := range p.Turn.After.OpenDecisions(nil) {
		plays[d.Play] = true
	}
	var remaining []PendingAnswer
	for _, pending := range p.Turn.Match.Pending {
		switch {
		case pending.Conditional != nil, pending.Standing, pending.IsEarlyAnswer() && !pending.Answer.Ahead && plays[pending.Play]:
			remaining = append(remaining, pending)
		case pending.IsEarlyAnswer() && pending.Answer.Ahead && mayStillBeAsked(p.Turn, pending):
			remaining = append(remaining, pending)
		case pending.IsEarlyAnswer() && pending.Answer.Ahead:
			reportPending(p.Turn, pending, OutcomeLapsed, noLongerNeededNote)
		case pending.IsEarlyAnswer():
			reportPending(p.Turn, pending, OutcomeLapsed, "This saved order was not needed in this play.")
		case pending.Silent && p.Turn.IsDecisionOpen(pending.Decision):
			remaining = append(remaining, pending)
		case p.Turn.IsDecisionOpen(pending.Decision):
			_, err := gate.Check(p.Turn.After, pending.Seat, pending.Answer)
			reason, isInternal := p.Turn.ExplainRefusal(pending.Seat, err)
			if isInternal && err != nil {
				return fmt.Errorf("check a sealed answer of seat %d: %w", pending.Seat, err)
			}
			if isInternal {
				remaining = append(remaining, pending)
				break
			}
			reportPending(p.Turn, pending, OutcomeRefused, "Your sealed answer is no longer legal, so we are asking you again. "+reason)
		}
	}
	p.Turn.Match.Pending = remaining
	return nil
}

const noLongerNeededNote = "This saved order is no longer needed."

// answerResigned answers one decision of a resigned player, as for a silent player.
func (p *Execution) answerResigned(ctx context.Context) (settleStep, error) {
	if p.Turn.Match.Resigned == 0 || p.Turn.After.Stalled() {
		return stepNone, nil
	}
	for _, d := range p.Turn.Match.UnansweredDecisions(p.Turn.After) {
		if !p.Turn.Match.Resigned.Has(d.Seat) {
			continue
		}
		before := p.Turn.Match.EntryCount
		err := p.AnswerSilent(ctx, d)
		if errors.Is(err, gate.ErrMustAnswer) {
			p.recordFault(d.Seat, true, err, "the match waits for a resigned player, because the question has no default answer")
			continue
		}
		if p.Turn.Match.EntryCount == before {
			return stepTaken, err // The answer is sealed until its group is complete.
		}
		return p.stepBySeat(d.Seat), err
	}
	return stepNone, nil
}

// ListConditionals lists the conditional orders of all seats.
func ListConditionals(t *Turn) []ahead.Line {
	var out []ahead.Line
	for _, pending := range t.Match.Pending {
		if pending.Conditional != nil {
			out = append(out, *pending.Conditional)
		}
	}
	return out
}

func splitConditionals(t *Turn, include func(rules.Seat) bool) (matching, others []ahead.Line) {
	for _, conditional := range ListConditionals(t) {
		if include(conditional.Seat) {
			matching = append(matching, conditional)
		} else {
			others = append(others, conditional)
		}
	}
	return matching, others
}

func setConditionals(t *Turn, lines []ahead.Line) {
	t.Match.Pending = slices.DeleteFunc(slices.Clone(t.Match.Pending),
		func(pending PendingAnswer) bool { return pending.Conditional != nil })
	for _, conditional := range lines {
		t.Match.Pending = append(t.Match.Pending, PendingAnswer{Seat: conditional.Seat, Letter: conditional.Letter, Conditional: &conditional})
	}
}

// AddConditional adds a conditional order, and drops the orders of earlier letters that it replaces. Orders of newer letters are tried
// first, the orders of a letter in their sequence.
func AddConditional(t *Turn, conditional ahead.Line) {
	lines := slices.DeleteFunc(ListConditionals(t), func(old ahead.Line) bool {
		return conditional.Replaces(&old) && old.Letter != conditional.Letter
	})
	index := 0
	for i, old := range lines {
		if old.Seat == conditional.Seat && old.Letter == conditional.Letter {
			index = i + 1
		}
	}
	setConditionals(t, slices.Insert(lines, index, conditional))
}

// ReviewConditionals drops the conditional orders that have expired, and those whose owner is surprised by an event since
// the last review. It informs their owners.
func (p *Execution) ReviewConditionals() {
	if p.Conditional == nil || p.Turn.After == nil {
		return
	}
	events := p.Turn.Events[p.reviewedEvents:]
	p.reviewedEvents = len(p.Turn.Events)
	lines := ListConditionals(p.Turn)
	if len(lines) == 0 {
		return
	}
	remaining, dropped := p.Conditional.Review(p.Turn.After, events, lines)
	setConditionals(p.Turn, remaining)
	reportDropped(p.Turn, dropped)
}

func reportDropped(t *Turn, dropped []ahead.DroppedLine) {
	for _, d := range dropped {
		if d.Reason != "" {
			t.ReportLine(d.Line.Seat, d.Line.Text, OutcomeLapsed, d.Reason)
		}
	}
}

func (p *Execution) fireConditional(ctx context.Context) (settleStep, error) {
	if p.Conditional == nil || p.Turn.After == nil || p.Turn.After.Stalled() {
		return stepNone, nil
	}
	if dropUnfiredLines(p) {
		return stepTaken, nil
	}
	delayed, lines := splitConditionals(p.Turn, p.isAnswerDelayed)
	if len(lines) == 0 {
		return stepNone, nil
	}
	fired, remaining, dropped := p.Conditional.Fire(p.Turn.After, lines)
	setConditionals(p.Turn, append(remaining, delayed...))
	reportDropped(p.Turn, dropped)
	if fired == nil {
		if len(dropped) > 0 {
			return stepTaken, nil
		}
		return stepNone, nil
	}
	// The digest in the entry must not show other players which letter contained the order.
	letter, err := p.Turn.Match.Secret.LetterDigest(p.Turn.Match.ID, p.Turn.Match.EntryCount, fired.Line.Letter)
	if err != nil {
		return stepNone, err
	}
	d, err := p.CarryOut(ctx, fired.Line.Seat, fired.Answer, letter, nil)
	if err != nil {
		reason, isInternal := p.Turn.ExplainRefusal(fired.Line.Seat, err)
		if isInternal {
			p.recordFault(fired.Line.Seat, true, err, "cannot carry out a conditional order")
			reason = "Samizdat made an error with it."
		}
		setConditionals(p.Turn, slices.DeleteFunc(ListConditionals(p.Turn),
			func(conditional ahead.Line) bool { return conditional.Seat == fired.Line.Seat }))
		p.Turn.ReportLine(fired.Line.Seat, fired.Line.Text, OutcomeRefused,
			"It was kept for you and could not be carried out. Your saved orders are dropped. "+reason)
		return stepTaken, nil
	}
	p.Turn.ReportLine(fired.Line.Seat, fired.Line.Text, OutcomeDone, "Carried out: "+p.Turn.Game.FormatOrder(fired.Answer.Atoms))
	AddPending(p.Turn, fired.Line.Seat, fired.LaterAnswers, d.Play, letter)
	return p.stepBySeat(fired.Line.Seat), nil
}

// dropUnfiredLines looks at the conditional orders of each seat with delayed answers (DELAY). If an order is for an open question but
// cannot answer it, the order is dropped, and the player is asked at once, as without DELAY. dropUnfiredLines returns true after it has
// dropped orders of one seat.
func dropUnfiredLines(p *Execution) bool {
	for i := range p.Turn.Match.Seats {
		seat := rules.Seat(i)
		if !p.isAnswerDelayed(seat) || hasPendingAnswerFor(p.Turn, seat) {
			continue
		}
		ownLines, others := splitConditionals(p.Turn, func(s rules.Seat) bool { return s == seat })
		if len(ownLines) == 0 {
			continue
		}
		if fired, remaining, dropped := p.Conditional.Fire(p.Turn.After, ownLines); fired == nil && len(dropped) > 0 {
			setConditionals(p.Turn, append(others, remaining...))
			reportDropped(p.Turn, dropped)
			return true
		}
	}
	return false
}
