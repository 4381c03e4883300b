package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
)

// mostConditional is how many conditional orders a seat may keep.
const mostConditional = 60

// isStillKept reports whether a line is kept although another seat's order was
// carried out before it: a conditional order, or a list for a plan, was not written for
// what is asked now.
func isStillKept(j *adjudication, line *letter.Line) bool {
	if j.reply.disposition == Refused || j.play.Conditional == nil {
		return false
	}
	if line.Kind == letter.GameOrder {
		if l, err := j.play.Conditional.Read(line.Text); err == nil && l.Plan {
			line.Kind, line.Conditional = letter.ConditionalOrder, l
		}
	}
	return line.Kind == letter.ConditionalOrder
}

// rashness says what the answer would lose on the spot, as far as its writer can tell,
// if it is legal.
func rashness(j *adjudication, a rules.Answer) string {
	if j.turn.Game.Rash == nil {
		return ""
	}
	r, err := gate.Check(j.turn.After, j.play.Seat, a)
	if err != nil {
		return "" // What is wrong with it is said elsewhere.
	}
	return j.turn.Game.Rash(j.turn.After.View(j.play.Seat), r.Decision, r.Atoms)
}

// furtherOrder makes a conditional order of a line that is not asked now: one that is marked
// as meant for later, or a list that can only be for a plan, where nothing is asked or
// below an order that was carried out. Stale tells that the letter answers a question that
// is closed, led what the lines above have led to.
func furtherOrder(j *adjudication, line letter.Line, stale bool, led lineEffect) *ahead.Line {
	if j.play.Conditional == nil || j.turn.After == nil || stale {
		return nil
	}
	l, err := j.play.Conditional.Read(line.Text)
	if err != nil {
		return nil
	}
	answers, err := j.turn.Game.Answers(line.Order, nil)
	if err != nil {
		return nil
	}
	mine := j.turn.Owed(j.play.Seat)
	if slices.ContainsFunc(mine, answers[0].Fits) {
		return nil
	}
	if !line.Later && (!l.Plan || led == lineAside && len(mine) > 0) || l.Source == "" && led == lineAside {
		return nil
	}
	return l
}

// keepConditional keeps a conditional order, in the place of older ones of the same sort.
func keepConditional(ctx context.Context, j *adjudication, text string, l ahead.Line) (lineEffect, error) {
	if j.turn.Match.State == match.Over {
		j.report(text, match.OutcomeRefused, "This match is over.")
		return lineRefused, nil
	}
	j.play.Review()
	j.play.Conditional.Arm(&l, j.turn.After, j.play.Seat)
	l.Letter = j.letter.Digest
	mine, gone := 0, 0
	for _, old := range match.Conditionals(j.turn) {
		switch {
		case l.Replaces(&old) && old.Letter != l.Letter:
			gone++
		case old.Seat == j.play.Seat:
			mine++
		}
	}
	if mine >= mostConditional {
		j.report(text, match.OutcomeRefused, fmt.Sprintf("%d orders ahead are kept for you, and more are not.", mine))
		return lineRefused, nil
	}
	match.PutConditional(j.turn, l)
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
	j.report(text, match.OutcomeKept, note+" Nobody else is told.")
	return j.settleBehind(ctx, lineAside)
}

// planFor makes a plan of the rest of a list whose first entry has just answered a
// decision; nil where such lists are no plans.
func planFor(j *adjudication, text string, d rules.Decision) *ahead.Line {
	if j.play.Conditional == nil {
		return nil
	}
	l, err := j.play.Conditional.Read(text)
	if err != nil || !l.Plan || l.Source != d.Source {
		return nil
	}
	j.play.Conditional.Arm(l, j.turn.After, j.play.Seat)
	l.Letter, l.Play, l.Used = j.letter.Digest, d.Play, []int{0}
	return l
}

// Notes of answers that come before their question. They are for their writer alone.
const (
	aheadKept   = "It is kept for you until it is asked for. Until then another takes its place, and DROP takes it back. Nobody else is told."
	aheadBallot = "Your ballot is kept until it is asked for. Until it is counted another takes its place, and DROP takes it back. " +
		"Nobody else is told, and letters do not repeat it."
)

// foreseenAnswer is the answer of an order that comes before its question, if it is one. Stale tells
// that the letter answers a question that is closed: what is written there was meant for that.
func foreseenAnswer(j *adjudication, l letter.Line, stale bool) (rules.Answer, bool) {
	awaits := j.turn.Game.Awaits
	if awaits == nil || stale && !l.Later || j.turn.After == nil || j.turn.After.Stalled() {
		return rules.Answer{}, false
	}
	mine := j.turn.Owed(j.play.Seat)
	answers, err := j.turn.Game.Answers(l.Order, mine)
	if err != nil || len(answers) != 1 || !answers[0].Ahead || slices.ContainsFunc(mine, answers[0].Fits) {
		return rules.Answer{}, false
	}
	return answers[0], awaits(j.turn.After.View(j.play.Seat), answers[0])
}

// keepAhead keeps an answer until it is asked for, in the place of one to the same question.
func keepAhead(ctx context.Context, j *adjudication, text string, a rules.Answer) (lineEffect, error) {
	j.turn.Match.Held = slices.DeleteFunc(slices.Clone(j.turn.Match.Held), func(h match.Held) bool {
		return h.InPlay() && h.Seat == j.play.Seat && h.Answer.Ahead && h.Answer.Source == a.Source && slices.Equal(h.Answer.Kinds, a.Kinds)
	})
	h := match.Held{Seat: j.play.Seat, Answer: a}
	if !a.Ballot {
		h.Letter = j.digest()
		j.report(text, match.OutcomeKept, aheadKept)
	} else {
		j.report("", match.OutcomeKept, aheadBallot)
	}
	j.turn.Match.Held = append(j.turn.Match.Held, h)
	return j.settleBehind(ctx, lineAside)
}

// unaskedStanding is an answer that stands, if an order is one for a question that its writer
// is not asked now.
func unaskedStanding(j *adjudication, o rules.Order) (rules.Answer, bool) {
	answers, err := j.turn.Game.Answers(o, nil)
	if err != nil || len(answers) != 1 || answers[0].Standing == rules.StandsOnce {
		return rules.Answer{}, false // What is wrong with the order is said elsewhere.
	}
	asked := slices.ContainsFunc(j.turn.Owed(j.play.Seat), func(d rules.Decision) bool { return d.Repeats && answers[0].Fits(d) })
	return answers[0], !asked
}

// standNow keeps an answer that stands although no such question is open, and says
// whether the order is one.
func standNow(j *adjudication, text string, o rules.Order) bool {
	a, ok := unaskedStanding(j, o)
	if !ok {
		return false
	}
	note := match.Stand(j.turn, j.turn.After, rules.Decision{Seat: j.play.Seat, Repeats: true}, a, j.letter.Digest)
	if note != "" {
		j.report(text, match.OutcomeKept, note)
	}
	return note != ""
}

// replaceKept puts an order in the place of what the sender keeps for the same kind
// of question, and says whether there was anything to replace.
func replaceKept(j *adjudication, text string, o rules.Order) bool {
	answers, err := j.turn.Game.Answers(o, nil)
	if err != nil {
		return false // Whatever is wrong with it, nothing is asked.
	}
	play, found := uint32(0), false
	j.turn.Match.Held = slices.DeleteFunc(j.turn.Match.Held, func(h match.Held) bool {
		same := h.InPlay() && !h.Answer.Ahead && h.Seat == j.play.Seat && slices.ContainsFunc(answers, func(a rules.Answer) bool {
			return slices.ContainsFunc(a.Kinds, func(k string) bool { return slices.Contains(h.Answer.Kinds, k) })
		})
		if same {
			play, found = h.Play, true
		}
		return same
	})
	if !found {
		return false
	}
	match.Keep(j.turn, j.play.Seat, answers, play, j.digest())
	j.report(text, match.OutcomeDone, "It takes the place of what was kept for you.")
	return true
}

// takeNow takes NOW out of the lines of a letter: its other orders are not held back.
// Alone it stands for the orders that are.
func takeNow(ctx context.Context, j *adjudication, lines []letter.Line) (rest []letter.Line, now bool, err error) {
	i := slices.IndexFunc(lines, func(l letter.Line) bool { return l.Is(letter.Now) && !l.Command.More })
	if i < 0 || j.turn.After == nil {
		return lines, false, nil
	}
	w := j.turn.Match.Seats[j.play.Seat].Timing.Waiting
	if w == nil && !slices.ContainsFunc(lines, j.isOrder) {
		return lines, false, nil
	}
	text := lines[i].Text
	lines = slices.Delete(slices.Clone(lines), i, i+1)
	if w == nil || slices.ContainsFunc(lines, j.answersNow) {
		return lines, true, nil
	}
	j.turn.Match.Seats[j.play.Seat].Timing.Waiting = nil
	j.report(text, match.OutcomeDone, "The orders that were held back are carried out.")
	j.letter.Orders, j.letter.Digest = w.Orders, w.Digest
	number := *j.letter.Token
	number.Number = w.Number
	j.letter.Token = &number
	held, err := readLetter(ctx, j)
	return append(held, lines...), true, err
}

// isOrder reports whether a line of a letter is an order of the game, or a conditional
// order. A ballot is none here: it can be replaced anyway, and what is held back is
// repeated to its writer.
func (j *adjudication) isOrder(l letter.Line) bool {
	return l.Kind == letter.ConditionalOrder || l.Kind == letter.GameOrder && !j.castsBallot(l.Order)
}

// holdsBack reports whether the orders of a letter are held back for a while. They are not
// when the writer's time is over: another could claim the match meanwhile.
func holdsBack(j *adjudication, lines []letter.Line) bool {
	return j.turn.Match.State == match.Playing && j.turn.Match.Seats[j.play.Seat].Timing.Grace > 0 && !j.turn.Match.Seats[j.play.Seat].Clock.Flagged &&
		slices.ContainsFunc(lines, j.answersNow)
}

// answersNow reports whether an order is meant for what is asked now. What is only
// kept for later can be replaced anyway, and is not held back.
func (j *adjudication) answersNow(l letter.Line) bool {
	if l.Kind != letter.GameOrder || !j.isOrder(l) || len(j.turn.Owed(j.play.Seat)) == 0 {
		return false
	}
	_, stands := unaskedStanding(j, l.Order)
	return !stands && furtherOrder(j, l, false, lineAside) == nil
}

// holdBack keeps the orders of a letter, and answers what else is in it. An order
// that would be refused now is refused now.
func holdBack(ctx context.Context, j *adjudication, lines []letter.Line) error {
	seat := &j.turn.Match.Seats[j.play.Seat]
	now := j.a.Now().UTC()
	first, stopped := true, ""
	var kept []letter.Line
	for _, l := range lines {
		if done, err := doAside(ctx, j, l, ""); err != nil {
			return err
		} else if done {
			continue
		}
		switch {
		case stopped != "":
			j.report(l.Text, match.OutcomeNotReached, stopped)
		case !j.isOrder(l):
			effect, err := doLine(ctx, j, l, lineAside)
			switch {
			case err != nil:
				return err
			case effect == lineRefused:
				stopped = "Not kept, since a line before it was refused."
			case effect == lineOvertaken:
				stopped = "Not kept, since the match has moved. What is asked now stands in this letter."
			}
		default:
			if first && j.answersNow(l) {
				why, err := wouldRefuse(ctx, j, l)
				if err != nil {
					return err
				}
				if why != "" {
					j.report(l.Text, match.OutcomeRefused, why)
					stopped = "Not kept, since a line before it was refused."
					continue
				}
				first = false
			}
			kept = append(kept, l)
		}
	}
	if stopped != "" {
		for _, l := range kept {
			j.report(l.Text, match.OutcomeNotReached, stopped)
		}
		return nil
	}
	dropHeldBefore(j)
	var rows []string
	for _, l := range kept {
		row, _ := proposal(l) // What it means is settled now, whatever is asked later.
		rows = append(rows, row)
		j.report(l.Text, match.OutcomeKept, understoodLine(j, l))
	}
	seat.Timing.Waiting = &match.Waiting{Orders: compose.Enclosed(rows), Number: j.letter.Token.Number,
		MessageID: j.letter.MessageID, Digest: j.digest(),
		Since: now, Due: now.Add(seat.Timing.Grace).Truncate(time.Second)}
	return nil
}

// dropHeldBefore drops what was held back before.
func dropHeldBefore(j *adjudication) {
	t := &j.turn.Match.Seats[j.play.Seat].Timing
	if t.Waiting != nil {
		j.report("", match.OutcomeLapsed, "The orders that were held back before are dropped: these take their place.")
		t.Waiting = nil
	}
}

// understoodLine is a line as it was read.
func understoodLine(j *adjudication, l letter.Line) string {
	if l.Kind == letter.ConditionalOrder {
		return l.Conditional.Text
	}
	answers, err := j.turn.Game.Answers(l.Order, j.turn.Owed(j.play.Seat))
	if err != nil || len(answers) == 0 {
		return ""
	}
	return j.turn.Game.Line(answers[0].Atoms)
}

// wouldRefuse says why an order would be refused if it were carried out now; empty
// when it would not be. Nothing is rolled or drawn for it.
func wouldRefuse(ctx context.Context, j *adjudication, l letter.Line) (string, error) {
	asked, stale, err := askedOf(ctx, j, lineAside)
	if err != nil {
		return "", err
	}
	answers, why := answersOf(j, l, asked, stale)
	if why != "" {
		return why, nil
	}
	_, err = gate.Check(j.turn.After, j.play.Seat, answers[0])
	why, ours := j.turn.Refusal(j.play.Seat, err)
	if ours {
		return "", err
	}
	return suggestInstead(j, why, err, answers[0]), nil
}
