package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

// mostNear is how many slips in a name are looked at.
const mostNear = 4

// whyRefused says why a line is no order. What it seems to mean is named only where it would be
// carried out as it stands.
func whyRefused(j *adjudication, l letter.Line) string {
	if l.Why == letter.NotUnderstood {
		l.Why = ""
	}
	if len(j.turn.Lines[j.play.Seat]) > mostListed {
		return l.Why // A long letter must not cost more than its answer shows.
	}
	if w := letter.Addressed(l.Text); w != "" && j.a.Club != nil {
		return fmt.Sprintf("%s is an order to the club, not to a match. Write it in answer to a letter of the club, "+
			"or in a letter to %s.", w, j.a.Post.Referee())
	}
	if game := otherGame(j, l.Text); game != "" {
		return fmt.Sprintf("That is an order of %s. Your letter went to match %s, of %s: "+
			"reply to a letter of the match that you mean.", game, j.turn.Match.ID, j.turn.Match.Game)
	}
	if l.Why == "" && strings.HasSuffix(strings.TrimSpace(l.Text), "?") {
		return "To look something up, write RULES and a topic, or CARD and a number. ASK and a question goes to the operator."
	}
	if len(l.Near) == 0 || letter.Begins(l.Text, letter.Card) || j.turn.Match.State != match.Playing || len(j.turn.Owed(j.play.Seat)) == 0 {
		return l.Why
	}
	var rows []string
	for _, near := range l.Near[:min(len(l.Near), mostNear)] {
		if row := wouldDo(j, near); row != "" && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return l.Plainly
	}
	j.reply.hinted = true
	return sentences(l.Plainly, askWhich(j, rows))
}

// otherGame is another game of the referee, an order of which a line plainly is; empty for none. Only the first
// line that is answered is looked at.
func otherGame(j *adjudication, text string) string {
	if len(j.turn.Lines[j.play.Seat]) > 0 {
		return ""
	}
	for _, g := range j.a.Games {
		if g.Name() == j.turn.Match.Game {
			continue
		}
		if o, err := j.a.readers[g.Name()]().Orders.Plain(text); err == nil && slices.Contains(letter.Verbs(g), o.Clauses[0].Word) {
			return g.Name()
		}
	}
	return ""
}

// wouldDo writes an order as it would be carried out now; it is empty where it would not.
func wouldDo(j *adjudication, text string) string {
	row, loses := legalOrder(j, text)
	if loses != "" {
		return ""
	}
	return row
}

// legalOrder writes an order as it is to be written now, with SURELY behind one that loses what its
// writer may not have seen, and says what that is; it is empty where the order is not legal.
func legalOrder(j *adjudication, text string) (row, loses string) {
	if text == "" || j.turn.Match.State != match.Playing || j.turn.After.Stalled() {
		return "", ""
	}
	o, err := j.reader.Orders.Order(text)
	if err != nil {
		return "", ""
	}
	given, err := j.turn.Game.Answers(o, j.turn.Owed(j.play.Seat))
	if err != nil {
		return "", ""
	}
	if _, err := gate.Check(j.turn.After, j.play.Seat, given[0]); err != nil {
		return "", ""
	}
	row = order.Write(o)
	if loses = rashness(j, given[0]); loses != "" {
		row += " " + letter.Surely
	}
	return row, loses
}

// mostChoices is how many orders a letter that may mean any of them is answered with.
const mostChoices = 3

// askWhich asks which of several orders the writer of a letter means, and says what they would lose.
func askWhich(j *adjudication, rows []string) (losses string) {
	j.reply.ask = &templates.Ask{Question: "Not done yet. Which of these orders do you mean?"}
	if len(rows) == 1 {
		j.reply.ask.Question = compose.MeansOrder(1)
	}
	for _, r := range rows[:min(len(rows), mostChoices)] {
		row, loses := legalOrder(j, r)
		if row == "" {
			row = r
		}
		if j.reply.ask.Taps = append(j.reply.ask.Taps, row); loses != "" {
			losses = sentences(losses, "Of "+row+": "+loses)
		}
	}
	return losses
}

// suggestInstead adds to what says why an answer was refused what can be written instead, unless it
// says so: the answer without what is not legal in it, if that is whole, or else others.
func suggestInstead(j *adjudication, why string, err error, given rules.Answer) string {
	var other *record.Mismatch
	if why == "" || errors.As(err, &other) || errors.Is(err, match.ErrAnswersClosed) || ordersIn(j, why) {
		return why // What a recorded game has next is nobody's business.
	}
	if row := wouldDo(j, legalPart(j, given)); row != "" {
		return why + " If you mean " + row + ", write just that."
	}
	return why
}

// capitals begins an order in a sentence.
var capitals = regexp.MustCompile(`[A-Z]{3}[^.?!:;]*`)

// ordersIn reports whether a sentence names an order that can be written now.
func ordersIn(j *adjudication, text string) bool {
	for _, said := range capitals.FindAllString(text, -1) {
		for row := range strings.SplitSeq(strings.TrimSuffix(said, " would be legal"), ", or ") {
			if wouldDo(j, row) != "" {
				return true
			}
		}
	}
	return false
}

// legalPart writes an answer without what is not legal in it, and without what is more than was
// asked.
func legalPart(j *adjudication, given rules.Answer) string {
	given.Atoms = slices.Clone(given.Atoms)
	for len(given.Atoms) > 0 {
		_, err := gate.Check(j.turn.After, j.play.Seat, given)
		var illegal *gate.Illegal
		var long *gate.Long
		switch {
		case errors.As(err, &illegal):
			given.Atoms = slices.Delete(given.Atoms, illegal.Index, illegal.Index+1)
		case errors.As(err, &long):
			given.Atoms = given.Atoms[:long.Used]
		case err != nil:
			return ""
		default:
			return j.turn.Game.Line(given.Atoms)
		}
	}
	return ""
}

// guide ends the answer to a letter of which nothing was understood with what is in the way of the
// order that it seems to say.
func guide(ctx context.Context, j *adjudication) error {
	own := j.turn.Lines[j.play.Seat]
	nothing := !slices.ContainsFunc(own, func(l match.LineReport) bool {
		return l.Outcome != match.OutcomeIgnored && l.Outcome != match.OutcomeUnread && l.Outcome != match.OutcomeRefused && l.Outcome != match.OutcomeNotReached
	})
	if !nothing || !j.reply.puzzled || j.reply.hinted {
		return nil
	}
	text, err := whyNot(ctx, j, own)
	if err != nil {
		return err
	}
	if text != "" {
		j.turn.Tell(j.play.Seat, "", match.OutcomeIgnored, text)
	}
	return nil
}

// whyNot says why the rules do not allow what the first line of talk with an order in it seems to
// mean: its writer is helped more by that than by other orders.
func whyNot(ctx context.Context, j *adjudication, own []match.LineReport) (string, error) {
	var lines []string
	for _, l := range own {
		if l.Line != "" && l.Outcome != match.OutcomeNotReached {
			lines = append(lines, l.Line)
		}
	}
	return almostOrder(ctx, j, lines)
}

// sure says how to give an order that loses what its writer may not have seen.
func sure(why string, l letter.Line) string {
	l.Surely = true
	row, _ := proposal(l)
	return why + " If you mean it, write " + row + "."
}

// sentences joins sentences, some of which may be empty.
func sentences(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), " ")
}

// almostOrder says why the rules do not allow what lines seem to mean that came to nothing. It is
// empty where that is no order, several, or one that something in them speaks against.
func almostOrder(ctx context.Context, j *adjudication, lines []string) (string, error) {
	g, err := allowing(ctx, j, lines)
	if err != nil {
		return "", err
	}
	return hindered(ctx, j, g)
}

// hindered is almost for what lines mean.
func hindered(ctx context.Context, j *adjudication, g order.Interpretation) (string, error) {
	if len(g.Orders) != 1 || len(g.Unread) > 0 || g.Surplus {
		return "", nil
	}
	return seemsRefused(ctx, j, order.Write(g.Orders[0]), g.Orders[0])
}

// allowing is what lines mean if answers that the rules refuse, or that say too little, were legal.
func allowing(ctx context.Context, j *adjudication, lines []string) (g order.Interpretation, err error) {
	try, err := tryOrders(ctx, j)
	if err != nil || try == nil {
		return g, err
	}
	q, err := questionToAnswer(ctx, j)
	if err != nil || q == nil {
		return g, err
	}
	mine := j.turn.Owed(j.play.Seat)
	q.Try = func(o rules.Order) *order.Trial {
		if t := try(o); t != nil {
			return t
		}
		return refusedTrial(j, o, mine)
	}
	j.reader.Orders.Widen(q, lines)
	return j.reader.Orders.Interpret(lines, q), nil
}

// cardPlayed says of a line that names a card, and goes on as an order does, what is in the way of
// that order, or how it is written; it is empty where the line is none.
func cardPlayed(ctx context.Context, j *adjudication, l letter.Line) (string, error) {
	g, err := allowing(ctx, j, []string{l.Text})
	if err != nil {
		return "", err
	}
	if text, err := hindered(ctx, j, g); err != nil || text != "" {
		return text, err
	}
	if len(g.Orders) != 1 {
		// It may be an order that is not asked for.
		_, rest, _ := strings.Cut(strings.TrimSpace(l.Text), " ")
		o, err := j.reader.Orders.Order(rest)
		if err != nil {
			return "", nil
		}
		return seemsRefused(ctx, j, rest, o)
	}
	row := wouldDo(j, order.Write(g.Orders[0]))
	if row == "" {
		return "", nil
	}
	return "It begins as a question about a card. If you mean " + row + ", write just that on a line of its own.", nil
}

// seemsRefused says of an order, as it is written, why it would not be done; it is empty where it would be. What it
// says is no order to be written, and does not begin as one that is named for that.
func seemsRefused(ctx context.Context, j *adjudication, text string, o rules.Order) (string, error) {
	why, err := wouldRefuse(ctx, j, letter.Line{Kind: letter.GameOrder, Text: text, Order: o})
	if err != nil || why == "" {
		return "", err
	}
	return "Your letter seems to say " + order.Write(o) + ", which is refused: " + why, nil
}

// refusedTrial is what an order comes to that answers what is asked, and that the rules refuse for
// what it says, or for what it does not say yet.
func refusedTrial(j *adjudication, o rules.Order, mine []rules.Decision) *order.Trial {
	given, err := j.turn.Game.Answers(o, mine)
	if err != nil {
		return nil
	}
	_, err = gate.Check(j.turn.After, j.play.Seat, given[0])
	var illegal *gate.Illegal
	var short *gate.Short
	if !errors.As(err, &illegal) && !errors.As(err, &short) {
		return nil
	}
	return &order.Trial{Answer: j.turn.Game.Line(given[0].Atoms), Whole: len(given) == 1}
}

// meaningOf is the question of a position to the writer of a letter, as far as it helps to
// understand what he writes; nil where he is asked nothing. Questions that follow are those
// that he can foresee: how his letter is understood must not tell what is hidden.
func meaningOf(j *adjudication, pos rules.Position, worlds func() []rules.Position) *order.Question {
	try := trialIn(j, pos, worlds)
	if try == nil {
		return nil
	}
	var answers []string
	for _, d := range match.Owed(pos, j.play.Seat) {
		for _, a := range pos.Options(nil, d.ID) {
			answers = append(answers, j.turn.Game.Line([]rules.Atom{a}))
		}
	}
	return j.reader.Orders.Ask(answers, try)
}

// trialIn says what an order of the writer comes to as an answer to a position; nil where he is
// asked nothing.
func trialIn(j *adjudication, pos rules.Position, worlds func() []rules.Position) func(rules.Order) *order.Trial {
	if _, over := pos.Result(); over || pos.Stalled() {
		return nil
	}
	mine := match.Owed(pos, j.play.Seat)
	if len(mine) == 0 || slices.ContainsFunc(mine, func(d rules.Decision) bool { return d.Ballot }) {
		return nil
	}
	return func(o rules.Order) *order.Trial {
		given, err := j.turn.Game.Answers(o, mine)
		if err != nil {
			return nil
		}
		r, err := gate.Check(pos, j.play.Seat, given[0])
		if err != nil {
			return nil
		}
		t := &order.Trial{Whole: len(given) == 1}
		for _, a := range given {
			t.Answer += j.turn.Game.Line(a.Atoms) + "; "
		}
		if !r.Stalled && t.Whole {
			t.Next = func() *order.Question {
				next := worldsBehind(j, worlds(), given[0])
				if len(next) == 0 {
					return nil
				}
				return meaningOf(j, next[0], func() []rules.Position { return next })
			}
		}
		return t
	}
}

// imagineWorlds are positions that a position may be, as far as the writer of a letter can see.
func imagineWorlds(j *adjudication, pos rules.Position) []rules.Position {
	if j.turn.Game.Imagine != nil {
		if worlds := j.turn.Game.Imagine(pos.View(j.play.Seat)); len(worlds) > 0 {
			return worlds
		}
	}
	return []rules.Position{pos}
}

// worldsBehind are these positions behind an answer of the writer, if he is then asked the same in
// all of them, and without chance; none otherwise.
func worldsBehind(j *adjudication, worlds []rules.Position, a rules.Answer) []rules.Position {
	var out []rules.Position
	for _, w := range worlds {
		r, err := gate.Check(w, j.play.Seat, a)
		if err != nil || r.Stalled || len(out) > 0 && !asksSame(j, out[0], r.Position) {
			return nil
		}
		out = append(out, r.Position)
	}
	return out
}

// asksSame reports whether two positions ask the writer the same, with the same answers.
func asksSame(j *adjudication, a, b rules.Position) bool {
	mine := match.Owed(a, j.play.Seat)
	return slices.Equal(mine, match.Owed(b, j.play.Seat)) && !slices.ContainsFunc(mine, func(d rules.Decision) bool {
		return !slices.Equal(a.Options(nil, d.ID), b.Options(nil, d.ID))
	})
}

// tryOrders says what an order comes to as an answer to the question that the letter answers; nil
// where nothing can answer it.
func tryOrders(ctx context.Context, j *adjudication) (func(rules.Order) *order.Trial, error) {
	_, closed, err := stillAsks(ctx, j)
	if err != nil || closed != "" || j.turn.After == nil || j.turn.Match.State != match.Playing {
		return nil, err
	}
	return trialIn(j, j.turn.After, j.foreseeable), nil
}

// foreseeable are the positions that the match may be in, as far as the writer can see.
func (j *adjudication) foreseeable() []rules.Position { return imagineWorlds(j, j.turn.After) }

// questionToAnswer is that question.
func questionToAnswer(ctx context.Context, j *adjudication) (*order.Question, error) {
	q := meaningOf(j, j.turn.After, j.foreseeable)
	asked, err := questionAsked(ctx, j)
	if err != nil || q == nil {
		return nil, err
	}
	q.Said, q.Heading = asked.Text, j.turn.Game.Status(j.turn.After.View(j.play.Seat))
	for _, f := range asked.Forms {
		o, err := j.reader.Orders.Plain(f)
		if err != nil {
			return nil, err
		}
		q.Forms = append(q.Forms, o)
	}
	return q, nil
}
