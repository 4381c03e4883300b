package ahead

import (
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// FiredOrder is the answer of a line to an open decision.
type FiredOrder struct {
	// Line is the line as it was before it fired. Decision is the decision that it answers.
	Line     Line
	Decision rules.Decision
	// Answer is a legal answer to Decision. LaterAnswers are the further answers of the order, for later questions of the
	// same action.
	Answer       rules.Answer
	LaterAnswers []rules.Answer
}

// DroppedLine is a line that was dropped before all its answers were used. Reason is a sentence for its owner. It is empty
// if the match has ended, or if the line is part of a plan and the play of its card has ended.
type DroppedLine struct {
	Line   Line
	Reason string
}

// Review drops expired lines, and lines whose owner is surprised by an event. events are the events since the last review.
func (in *Interpreter) Review(pos rules.Position, events []rules.Event, lines []Line) (remaining []Line, dropped []DroppedLine) {
	plays, decisions := map[uint32]bool{}, pos.OpenDecisions(nil)
	for _, d := range decisions {
		plays[d.Play] = true
	}
	_, isOver := pos.Result()
	for _, l := range lines {
		l.recordStart(decisions)
		view := pos.View(l.Seat)
		switch {
		case !isOver && pos.Stalled():
		case isOver, l.Plan && l.Play != 0 && !plays[l.Play] && !l.Always:
			dropped = append(dropped, DroppedLine{Line: l})
			continue
		case !l.Always && in.game.Ahead.Period(view) != l.Period:
			dropped = append(dropped, DroppedLine{l, "It was not needed before the turn ended."})
			continue
		}
		if !l.Anyway {
			visible := slices.DeleteFunc(slices.Clone(events), func(e rules.Event) bool { return !e.Audience.Has(l.Seat) })
			if reason := in.game.Ahead.DescribeSurprise(l.Source, l.Baseline, view, visible); reason != "" {
				dropped = append(dropped, DroppedLine{l, reason})
				continue
			}
		}
		remaining = append(remaining, l)
	}
	return remaining, dropped
}

// Fire finds the first line that answers an open decision. remaining are the lines that stay in force, including a fired line that
// can be used again. If fired is nil, the players answer the open decisions themselves.
func (in *Interpreter) Fire(pos rules.Position, lines []Line) (fired *FiredOrder, remaining []Line, dropped []DroppedLine) {
	for _, d := range pos.OpenDecisions(nil) {
		fired, lines, dropped = in.fire(pos, d, lines)
		if fired != nil || len(dropped) > 0 {
			break
		}
	}
	return fired, lines, dropped
}

func (in *Interpreter) fire(pos rules.Position, d rules.Decision, lines []Line) (*FiredOrder, []Line, []DroppedLine) {
	var view rules.View
	for i := range lines {
		l := &lines[i]
		if !in.matches(l, d) {
			continue
		}
		if view == nil {
			view = pos.View(d.Seat)
		}
		text, offset := l.Then, 0
		if l.If != "" {
			test, err := in.parseCondition(l.If)
			if err != nil {
				return in.dropSeatLines(d, lines, i, "Its condition is no longer understood.")
			}
			if !test.test(view) {
				text, offset = l.Else, elseOffset
			}
		}
		switch {
		case text != "":
		case l.Source == "":
			return in.dropMoves(d, lines, i)
		case offset == 0:
			return nil, lines, nil // Then is ASK, which is stored as "": the player is asked.
		default:
			continue
		}
		fired, isForDecision, reason := in.findLegalAnswer(pos, d, l, text, offset, view)
		switch {
		case fired != nil:
			return fired, in.markUsed(d, lines, i, fired), nil
		case isForDecision || l.Source == "":
			return in.dropSeatLines(d, lines, i, reason)
		}
	}
	return nil, lines, nil
}

// elseOffset is added to the index of an answer of the ELSE order in Line.Used, to tell it from an answer of the THEN order. A line has
// fewer than maxLineLength answers.
const elseOffset = maxLineLength

// findLegalAnswer finds the first legal answer of an order. isForDecision is false only if the order can be parsed and
// has no answer for the decision. offset is 0 for the order Then and elseOffset for Else.
func (in *Interpreter) findLegalAnswer(pos rules.Position, d rules.Decision, l *Line, text string, offset int,
	view rules.View) (fired *FiredOrder, isForDecision bool, reason string) {
	o, err := in.orders.ParseOrder(text)
	if err != nil {
		return nil, true, "It is no longer understood."
	}
	answers, err := in.game.Answers(o, []rules.Decision{d})
	if err != nil {
		return nil, true, "It does not answer the question."
	}
	used := l.Used
	if l.Always && l.Play != d.Play {
		used = nil
	}
	reason = "It was not legal when you were asked for it."
	for i, a := range answers {
		if slices.Contains(used, offset+i) || !a.Fits(d) {
			continue
		}
		isForDecision = true
		complete, ok := CompleteAnswer(pos, d, a)
		if !ok {
			if l.Source == "" {
				break // later answers belong to this action
			}
			continue
		}
		if in.game.Warning != nil {
			if warning := in.game.Warning(view, d, complete.Atoms); warning != "" {
				return nil, true, warning
			}
		}
		fired := &FiredOrder{Line: *l, Decision: d, Answer: complete}
		fired.Line.Used = append(slices.Clone(used), offset+i)
		if l.Source == "" {
			fired.LaterAnswers = answers[i+1:]
		}
		return fired, true, ""
	}
	return nil, isForDecision, reason
}

func (in *Interpreter) markUsed(d rules.Decision, lines []Line, i int, fired *FiredOrder) []Line {
	out := slices.Clone(lines)
	l := &out[i]
	l.Play, l.Used = d.Play, fired.Line.Used
	fired.Line = lines[i]
	if l.Plan {
		for j := range out {
			if out[j].Plan && out[j].Seat == l.Seat && out[j].Source == l.Source && out[j].Play == 0 {
				out[j].Play = d.Play
			}
		}
	}
	if !l.Always && (l.Source == "" || in.isUsedUp(l)) {
		out = slices.Delete(out, i, i+1)
	}
	return out
}

// isUsedUp reports whether all answers of a line are used. A line with ELSE is used up as soon as either order is used,
// unless it is a plan.
func (in *Interpreter) isUsedUp(l *Line) bool {
	if l.Else != "" && !l.Plan {
		return true
	}
	total := 0
	for _, text := range []string{l.Then, l.Else} {
		if text == "" {
			continue
		}
		o, err := in.orders.ParseOrder(text)
		if err != nil {
			return true
		}
		answers, err := in.game.Answers(o, nil)
		if total += len(answers); err != nil {
			return true
		}
	}
	return len(l.Used) >= total
}

// dropMoves drops line i, because its condition is false, and all other moves of the seat. Moves are lines without a Source.
func (in *Interpreter) dropMoves(d rules.Decision, lines []Line, i int) (*FiredOrder, []Line, []DroppedLine) {
	var remaining []Line
	var dropped []DroppedLine
	for j, l := range lines {
		switch {
		case l.Seat != d.Seat || l.Source != "":
			remaining = append(remaining, l)
		case j == i:
			dropped = append(dropped, DroppedLine{l, fmt.Sprintf("The condition was false: %s. So we are asking you.", l.If)})
		default:
			dropped = append(dropped, DroppedLine{l, "It was dropped with the action before it."})
		}
	}
	return nil, remaining, dropped
}

func (in *Interpreter) dropSeatLines(d rules.Decision, lines []Line, i int, reason string) (*FiredOrder, []Line, []DroppedLine) {
	remaining := slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return l.Seat == d.Seat })
	dropped := []DroppedLine{{lines[i], reason + " So we are asking you."}}
	for j, l := range lines {
		if j != i && l.Seat == d.Seat {
			dropped = append(dropped, DroppedLine{l, "It was dropped with the order that could not be carried out."})
		}
	}
	return nil, remaining, dropped
}

// CompleteAnswer makes an answer from a list of preferences: it skips illegal atoms, and stops when the answer is
// complete. It returns false if the list does not complete the answer.
func CompleteAnswer(pos rules.Position, d rules.Decision, a rules.Answer) (rules.Answer, bool) {
	out := a
	out.Atoms = nil
	copied, id := pos.Clone(), d.ID
	var options []rules.Atom
	for _, atom := range a.Atoms {
		options = copied.Options(options[:0], id)
		if _, isLegal := slices.BinarySearch(options, atom); !isLegal {
			continue
		}
		if _, err := copied.Apply(id, atom, gate.NoChance{}, nil); err != nil && !copied.Stalled() {
			return a, false
		}
		out.Atoms = append(out.Atoms, atom)
		open := copied.OpenDecisions(nil)
		i := slices.IndexFunc(open, func(o rules.Decision) bool { return o.Seat == d.Seat && o.Midway })
		if i < 0 {
			return out, true
		}
		id = open[i].ID
	}
	if len(out.Atoms) == 0 {
		return a, false
	}
	// An answer "up to n" may have fewer atoms.
	if _, err := gate.Check(pos, d.Seat, out); err != nil {
		return a, false
	}
	return out, true
}
