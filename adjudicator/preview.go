package adjudicator

import (
	"context"
	"errors"
	"slices"
	"strings"

	"samizdat/adjudicator/conditional"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// previewed reports whether a letter only asks what its orders would do, and
// returns its other lines.
func previewed(tasks []task) ([]task, bool) {
	i := slices.IndexFunc(tasks, func(t task) bool { return t.preview })
	if i < 0 {
		return tasks, false
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(t task) bool { return t.preview }), true
}

// cutPreview takes PREVIEW off the beginning of a line. What stands behind it on
// the line is an order of its own.
func (s *session) cutPreview(lines []order.Line) []order.Line {
	var out []order.Line
	for _, l := range lines {
		first, rest, _ := strings.Cut(l.Text, " ")
		rest = strings.TrimSpace(rest)
		meant := first == strings.ToUpper(first) || rest == "" || conditional.IsAhead(rest) || s.parser.IsOrder(rest)
		if strings.EqualFold(strings.Trim(first, ":.,"), verbPreview) && meant {
			head := l
			head.Text = verbPreview
			out = append(out, head)
			if l.Text = rest; rest == "" {
				continue
			}
		}
		out = append(out, l)
	}
	return out
}

// preview tells what the orders of a letter would do, up to the first die, draw or
// decision of another seat, and stores nothing of it. It is played on positions
// that are guessed from the writer's view, and tells only what is the same in all
// of them, so that it cannot be asked what is hidden.
func (s *session) preview(ctx context.Context, tasks []task) error {
	s.report(verbPreview, fateDone, "Nothing below is carried out; this is what it would do.")
	var worlds []rules.Position
	end, m, ok := "", rules.Imaginer(nil), false
	if m, ok = s.game.(rules.Imaginer); !ok {
		end = "Orders of this game cannot be previewed."
	} else if s.m.State == Playing {
		worlds = m.Imagine(s.pos.View(s.seat))
	}
	for _, t := range tasks {
		switch {
		case t.fate != "":
			s.report(t.text, t.fate, t.note)
		case t.aside():
			if err := s.aside(ctx, t, "Not sent, since your letter only asks what it would do."); err != nil {
				return err
			}
		case t.ahead != nil:
			s.report(t.text, fatePreview, t.ahead.Text+"\nIt would be kept.")
		case slices.Contains([]string{verbStatus, verbResend, verbHelp, verbCard, verbShow}, t.order.Clauses[0].Word):
			// These change nothing, and are answered wherever they stand.
			if _, err := s.order(ctx, t, lineAside); err != nil {
				return err
			}
		case end != "":
			s.report(t.text, fateNotReached, end)
		case len(worlds) == 0:
			end = "There is nothing to preview now."
			s.report(t.text, fateNotReached, end)
		default:
			var note string
			worlds, note, end = s.foresee(worlds, t)
			s.report(t.text, fatePreview, note)
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
func (s *session) foresee(worlds []rules.Position, t task) (after []rules.Position, note, end string) {
	var first foresight
	for i, w := range worlds {
		f := s.foreseeIn(w, t)
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
func (s *session) foreseeIn(w rules.Position, t task) foresight {
	refused := func(why string) foresight {
		return foresight{text: "It would be refused. " + why, end: "A line before it would be refused."}
	}
	if !slices.ContainsFunc(s.game.Keywords(), func(k rules.Keyword) bool { return k.Word == t.order.Clauses[0].Word }) {
		return foresight{text: "It changes nothing in the match.", next: w}
	}
	mine := slices.DeleteFunc(w.Owed(nil), func(d rules.Decision) bool { return d.Seat != s.seat })
	if len(mine) == 0 {
		return refused("Nothing is asked of you now.")
	}
	answers, err := s.game.Answers(t.order, mine)
	if err != nil {
		return refused(sentence(err))
	}
	r, err := gate.Check(w, s.seat, answers[0])
	if err != nil {
		why, ours := s.refusal(s.seat, err)
		if ours || errors.As(err, new(*gate.NotAsked)) {
			why = "That is not what is asked."
		}
		return refused(why)
	}
	if c, ok := s.game.(rules.Cautious); ok && !t.surely {
		if why := c.Rash(w.View(s.seat), r.Decision, r.Atoms); why != "" {
			return refused(why + " If you mean it, write " + wordSurely + " behind the order.")
		}
	}
	if r.Decision.Sealed {
		return foresight{text: s.game.Line(r.Atoms) + "\nIt would stay sealed until all answers are in.", end: "The answer before it is sealed."}
	}
	view := r.Position.View(s.seat)
	told := heard(r.Events, s.seat)
	said := append([]string{s.game.Line(r.Atoms)}, s.game.Sentences(view, told)...)
	f := foresight{next: r.Position}
	owed := r.Position.Owed(nil)
	i := slices.IndexFunc(owed, func(d rules.Decision) bool { return d.Seat == s.seat })
	_, over := r.Position.Result()
	switch {
	case over:
		f.end = "The match would be over."
	case r.Stalled || r.Position.Stalled():
		f.end = "From there on it depends on chance."
	case i < 0:
		f.end = "From there on it is for " + s.names(owed) + " to decide."
	default:
		p := s.game.Prompt(view, owed[i], r.Position.Options(nil, owed[i].ID))
		said = append(said, "Then you are asked: "+p.Question)
	}
	if f.end != "" {
		said = append(said, f.end)
	}
	f.text = strings.Join(said, "\n")
	return f
}
