package adjudicator

import (
	"context"
	"errors"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// previewOrders tells what the orders of a letter would do, up to the first die, draw or
// decision of another seat, and stores nothing of it. It is played on positions
// that are guessed from the writer's view, and tells only what is the same in all
// of them, so that it cannot be asked what is hidden.
func previewOrders(ctx context.Context, j *adjudication, lines []letter.Line) error {
	j.report(string(letter.Preview), match.OutcomeDone, "Nothing below is carried out; this is what it would do.")
	var worlds []rules.Position
	end := ""
	if j.turn.Game.Imagine == nil {
		end = "Orders of this game cannot be previewed."
	} else if j.turn.Match.State == match.Playing {
		worlds = j.turn.Game.Imagine(j.turn.After.View(j.play.Seat))
	}
	for _, l := range lines {
		if done, err := doAside(ctx, j, l, "Not sent, since your letter only asks what it would do."); err != nil {
			return err
		} else if done || l.Is(letter.Preview) {
			continue
		}
		switch {
		case l.Kind == letter.ConditionalOrder:
			j.report(l.Text, match.OutcomePreview, l.Conditional.Text+"\nIt would be kept.")
		case l.Class() == letter.Asking:
			// These change nothing, and are answered wherever they stand.
			if _, err := j.command(ctx, l); err != nil {
				return err
			}
		case l.Is(letter.TakeBack):
			j.report(l.Text, match.OutcomeNotReached, "It cannot be previewed.")
		case end != "":
			j.report(l.Text, match.OutcomeNotReached, end)
		case len(worlds) == 0:
			end = "There is nothing to preview now."
			j.report(l.Text, match.OutcomeNotReached, end)
		default:
			var note string
			worlds, note, end = foresee(j, worlds, l)
			j.report(l.Text, match.OutcomePreview, note)
		}
	}
	return nil
}

// foresight is what an order comes to in one of the guessed positions.
type foresight struct {
	text string
	// end says why nothing can be foreseen behind it; the order was refused when
	// next is nil.
	end  string
	next rules.Position
}

// foresee carries out an order in all guessed positions, and tells what is the
// same in them.
func foresee(j *adjudication, worlds []rules.Position, l letter.Line) (after []rules.Position, note, end string) {
	var first foresight
	for i, w := range worlds {
		f := foreseeIn(j, w, l)
		switch {
		case i == 0:
			first = f
		case f.text != first.text || f.end != first.end:
			return nil, "What it does depends on what you cannot see.", "What stands before it depends on what you cannot see."
		}
		after = append(after, f.next)
	}
	return after, first.text, first.end
}

// foreseeIn carries out an order in one guessed position.
func foreseeIn(j *adjudication, w rules.Position, l letter.Line) foresight {
	refused := func(why string) foresight {
		return foresight{text: "It would be refused. " + why, end: "A line before it would be refused."}
	}
	if l.Kind != letter.GameOrder {
		return foresight{text: "It changes nothing in the match.", next: w}
	}
	mine := match.Owed(w, j.play.Seat)
	if len(mine) == 0 {
		return refused("Nothing is asked of you now.")
	}
	answers, err := j.turn.Game.Answers(l.Order, mine)
	if err != nil {
		return refused(match.Sentence(err))
	}
	r, err := gate.Check(w, j.play.Seat, answers[0])
	if err != nil {
		why, ours := j.turn.Refusal(j.play.Seat, err)
		if ours || errors.As(err, new(*gate.NotAsked)) {
			why = "That is not what is asked."
		}
		return refused(why)
	}
	if j.turn.Game.Rash != nil && !l.Surely {
		if why := j.turn.Game.Rash(w.View(j.play.Seat), r.Decision, r.Atoms); why != "" {
			return refused(sure(why, l))
		}
	}
	if r.Decision.Sealed {
		return foresight{text: j.turn.Game.Line(r.Atoms) + "\nIt would stay sealed until all answers are in.", end: "The answer before it is sealed."}
	}
	view := r.Position.View(j.play.Seat)
	told := match.HeardBy(r.Events, j.play.Seat)
	said := append([]string{j.turn.Game.Line(r.Atoms)}, j.turn.Game.Sentences(view, told)...)
	f := foresight{next: r.Position}
	asked, next := r.Position.Owed(nil), match.Owed(r.Position, j.play.Seat)
	_, over := r.Position.Result()
	switch {
	case over:
		f.end = "The match would be over."
	case r.Stalled || r.Position.Stalled():
		f.end = "From there on it depends on chance."
	case len(next) == 0:
		f.end = "From there on it is for " + j.turn.NamesOf(asked) + " to decide."
	default:
		p := j.turn.Game.Prompt(view, next[0], r.Position.Options(nil, next[0].ID))
		said = append(said, "Then you are asked: "+p.Question)
	}
	if f.end != "" {
		said = append(said, f.end)
	}
	f.text = strings.Join(said, "\n")
	return f
}
