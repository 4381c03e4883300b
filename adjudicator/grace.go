package adjudicator

import (
	"context"
	"slices"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// atOnce takes NOW out of the lines of a letter: its other orders are not held back.
// Alone it stands for the orders that are.
func (j *adjudication) atOnce(ctx context.Context, lines []letter.Line) (rest []letter.Line, now bool, err error) {
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
	held, err := j.readLetter(ctx)
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
func (j *adjudication) holdsBack(lines []letter.Line) bool {
	return j.turn.Match.State == Playing && j.turn.Match.Seats[j.play.Seat].Timing.Grace > 0 && !j.turn.Match.Seats[j.play.Seat].Clock.Flagged &&
		slices.ContainsFunc(lines, j.answersNow)
}

// answersNow reports whether an order is meant for what is asked now. What is only
// kept for later can be replaced anyway, and is not held back.
func (j *adjudication) answersNow(l letter.Line) bool {
	if l.Kind != letter.GameOrder || !j.isOrder(l) || len(j.turn.Owed(j.play.Seat)) == 0 {
		return false
	}
	_, stands := j.unaskedStanding(l.Order)
	return !stands && j.further(l, false, lineAside) == nil
}

// holdBack keeps the orders of a letter, and answers what else is in it. An order
// that would be refused now is refused now.
func (j *adjudication) holdBack(ctx context.Context, lines []letter.Line) error {
	seat := &j.turn.Match.Seats[j.play.Seat]
	now := j.a.Now().UTC()
	first, stopped := true, ""
	var kept []letter.Line
	for _, l := range lines {
		if done, err := j.aside(ctx, l, ""); err != nil {
			return err
		} else if done {
			continue
		}
		switch {
		case stopped != "":
			j.report(l.Text, match.OutcomeNotReached, stopped)
		case !j.isOrder(l):
			effect, err := j.line(ctx, l, lineAside)
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
				why, err := j.wouldRefuse(ctx, l)
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
	j.takesPlace()
	var rows []string
	for _, l := range kept {
		row, _ := proposal(l) // What it means is settled now, whatever is asked later.
		rows = append(rows, row)
		j.report(l.Text, match.OutcomeKept, j.understood(l))
	}
	seat.Timing.Waiting = &Waiting{Orders: enclosed(rows), Number: j.letter.Token.Number,
		MessageID: j.letter.MessageID, Digest: j.digest(),
		Since: now, Due: now.Add(seat.Timing.Grace).Truncate(time.Second)}
	return nil
}

// takesPlace drops what was held back before.
func (j *adjudication) takesPlace() {
	t := &j.turn.Match.Seats[j.play.Seat].Timing
	if t.Waiting != nil {
		j.report("", match.OutcomeLapsed, "The orders that were held back before are dropped: these take their place.")
		t.Waiting = nil
	}
}

// understood is a line as it was read.
func (j *adjudication) understood(l letter.Line) string {
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
func (j *adjudication) wouldRefuse(ctx context.Context, l letter.Line) (string, error) {
	asked, stale, err := j.askedOf(ctx, lineAside)
	if err != nil {
		return "", err
	}
	answers, why := j.answersOf(l, asked, stale)
	if why != "" {
		return why, nil
	}
	_, err = gate.Check(j.turn.After, j.play.Seat, answers[0])
	why, ours := j.turn.Refusal(j.play.Seat, err)
	if ours {
		return "", err
	}
	return j.instead(why, err, answers[0]), nil
}

// timingLines say what is held back for a seat, or waits for its time.
func timingLines(c *match.Turn, seat rules.Seat) []templates.Line {
	if seat == rules.Nobody {
		return nil
	}
	var out []templates.Line
	t := c.Match.Seats[seat].Timing
	if w := t.Waiting; w != nil {
		out = append(out, templates.Line{Note: "Your orders are held back until " + clockTime(c.Match.Seats[seat].Player, w.Due) + ". Until then another letter with orders takes " +
			"their place; CANCEL ORDERS drops them, and NOW carries them out. Nobody else is told."})
	}
	if !t.DelayedUntil.IsZero() {
		out = append(out, templates.Line{Note: "What is kept for you answers within " + hours(t.Delay) + ", unless you write first."})
	}
	return out
}
