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

// why says why a line is no order. What it seems to mean is named only where it would be
// carried out as it stands.
func (j *adjudication) why(l letter.Line) string {
	if l.Why == letter.NotUnderstood {
		l.Why = ""
	}
	if len(j.turn.Lines[j.play.Seat]) > mostListed {
		return l.Why // A long letter must not cost more than its answer shows.
	}
	if w := letter.Addressed(l.Text); w != "" && j.a.Club != nil {
		return fmt.Sprintf("%s is an order to the club, not to a match. Write it in answer to a letter of the club, or in a letter to %s.", w, j.a.Post.Referee())
	}
	if game := j.otherGame(l.Text); game != "" {
		return fmt.Sprintf("That is an order of %s. Your letter went to match %s, of %s: reply to a letter of the match that you mean.", game, j.turn.Match.ID, j.turn.Match.Game)
	}
	if l.Why == "" && strings.HasSuffix(strings.TrimSpace(l.Text), "?") {
		return "To look something up, write RULES and a topic, or CARD and a number. ASK and a question goes to the operator."
	}
	if len(l.Near) == 0 || letter.Begins(l.Text, letter.Card) || j.turn.Match.State != match.Playing || len(j.turn.Owed(j.play.Seat)) == 0 {
		return l.Why
	}
	var rows []string
	for _, near := range l.Near[:min(len(l.Near), mostNear)] {
		if row := j.wouldDo(near); row != "" && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return l.Plainly
	}
	j.reply.hinted = true
	return sentences(l.Plainly, j.asksWhich(rows))
}

// otherGame is another game of the referee, an order of which a line plainly is; empty for none. Only the first
// line that is answered is looked at.
func (j *adjudication) otherGame(text string) string {
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
func (j *adjudication) wouldDo(text string) string {
	row, loses := j.legal(text)
	if loses != "" {
		return ""
	}
	return row
}

// legal writes an order as it is to be written now, with SURELY behind one that loses what its
// writer may not have seen, and says what that is; it is empty where the order is not legal.
func (j *adjudication) legal(text string) (row, loses string) {
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
	if loses = j.rash(given[0]); loses != "" {
		row += " " + letter.Surely
	}
	return row, loses
}

// mostChoices is how many orders a letter that may mean any of them is answered with.
const mostChoices = 3

// asksWhich asks which of several orders the writer of a letter means, and says what they would lose.
func (j *adjudication) asksWhich(rows []string) (losses string) {
	j.reply.ask = &templates.Ask{Question: "Not done yet. Which of these orders do you mean?"}
	if len(rows) == 1 {
		j.reply.ask.Question = compose.MeansOrder(1)
	}
	for _, r := range rows[:min(len(rows), mostChoices)] {
		row, loses := j.legal(r)
		if row == "" {
			row = r
		}
		if j.reply.ask.Taps = append(j.reply.ask.Taps, row); loses != "" {
			losses = sentences(losses, "Of "+row+": "+loses)
		}
	}
	return losses
}

// instead adds to what says why an answer was refused what can be written instead, unless it
// says so: the answer without what is not legal in it, if that is whole, or else others.
func (j *adjudication) instead(why string, err error, given rules.Answer) string {
	var other *record.Mismatch
	if why == "" || errors.As(err, &other) || errors.Is(err, match.ErrAnswersClosed) || j.ordersIn(why) {
		return why // What a recorded game has next is nobody's business.
	}
	if row := j.wouldDo(j.legalPart(given)); row != "" {
		return why + " If you mean " + row + ", write just that."
	}
	return why
}

// capitals begins an order in a sentence.
var capitals = regexp.MustCompile(`[A-Z]{3}[^.?!:;]*`)

// ordersIn reports whether a sentence names an order that can be written now.
func (j *adjudication) ordersIn(text string) bool {
	for _, said := range capitals.FindAllString(text, -1) {
		for row := range strings.SplitSeq(strings.TrimSuffix(said, " would be legal"), ", or ") {
			if j.wouldDo(row) != "" {
				return true
			}
		}
	}
	return false
}

// legalPart writes an answer without what is not legal in it, and without what is more than was
// asked.
func (j *adjudication) legalPart(given rules.Answer) string {
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
func (j *adjudication) guide(ctx context.Context) error {
	own := j.turn.Lines[j.play.Seat]
	nothing := !slices.ContainsFunc(own, func(l match.LineReport) bool {
		return l.Outcome != match.OutcomeIgnored && l.Outcome != match.OutcomeUnread && l.Outcome != match.OutcomeRefused && l.Outcome != match.OutcomeNotReached
	})
	if !nothing || !j.reply.puzzled || j.reply.hinted {
		return nil
	}
	text, err := j.whyNot(ctx, own)
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
func (j *adjudication) whyNot(ctx context.Context, own []match.LineReport) (string, error) {
	var lines []string
	for _, l := range own {
		if l.Line != "" && l.Outcome != match.OutcomeNotReached {
			lines = append(lines, l.Line)
		}
	}
	return j.almost(ctx, lines)
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

// almost says why the rules do not allow what lines seem to mean that came to nothing. It is
// empty where that is no order, several, or one that something in them speaks against.
func (j *adjudication) almost(ctx context.Context, lines []string) (string, error) {
	g, err := j.allowing(ctx, lines)
	if err != nil {
		return "", err
	}
	return j.hindered(ctx, g)
}

// hindered is almost for what lines mean.
func (j *adjudication) hindered(ctx context.Context, g order.Interpretation) (string, error) {
	if len(g.Orders) != 1 || len(g.Unread) > 0 || g.Surplus {
		return "", nil
	}
	return j.seemsRefused(ctx, order.Write(g.Orders[0]), g.Orders[0])
}

// allowing is what lines mean if answers that the rules refuse, or that say too little, were legal.
func (j *adjudication) allowing(ctx context.Context, lines []string) (g order.Interpretation, err error) {
	try, err := j.try(ctx)
	if err != nil || try == nil {
		return g, err
	}
	q, err := j.toAnswer(ctx)
	if err != nil || q == nil {
		return g, err
	}
	mine := j.turn.Owed(j.play.Seat)
	q.Try = func(o rules.Order) *order.Trial {
		if t := try(o); t != nil {
			return t
		}
		return j.refusedTrial(o, mine)
	}
	j.reader.Orders.Widen(q, lines)
	return j.reader.Orders.Interpret(lines, q), nil
}

// cardPlayed says of a line that names a card, and goes on as an order does, what is in the way of
// that order, or how it is written; it is empty where the line is none.
func (j *adjudication) cardPlayed(ctx context.Context, l letter.Line) (string, error) {
	g, err := j.allowing(ctx, []string{l.Text})
	if err != nil {
		return "", err
	}
	if text, err := j.hindered(ctx, g); err != nil || text != "" {
		return text, err
	}
	if len(g.Orders) != 1 {
		// It may be an order that is not asked for.
		_, rest, _ := strings.Cut(strings.TrimSpace(l.Text), " ")
		o, err := j.reader.Orders.Order(rest)
		if err != nil {
			return "", nil
		}
		return j.seemsRefused(ctx, rest, o)
	}
	row := j.wouldDo(order.Write(g.Orders[0]))
	if row == "" {
		return "", nil
	}
	return "It begins as a question about a card. If you mean " + row + ", write just that on a line of its own.", nil
}

// seemsRefused says of an order, as it is written, why it would not be done; it is empty where it would be. What it
// says is no order to be written, and does not begin as one that is named for that.
func (j *adjudication) seemsRefused(ctx context.Context, text string, o rules.Order) (string, error) {
	why, err := j.wouldRefuse(ctx, letter.Line{Kind: letter.GameOrder, Text: text, Order: o})
	if err != nil || why == "" {
		return "", err
	}
	return "Your letter seems to say " + order.Write(o) + ", which is refused: " + why, nil
}

// refusedTrial is what an order comes to that answers what is asked, and that the rules refuse for
// what it says, or for what it does not say yet.
func (j *adjudication) refusedTrial(o rules.Order, mine []rules.Decision) *order.Trial {
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

// meaning is the question of a position to the writer of a letter, as far as it helps to
// understand what he writes; nil where he is asked nothing. Questions that follow are those
// that he can foresee: how his letter is understood must not tell what is hidden.
func (j *adjudication) meaning(pos rules.Position, worlds func() []rules.Position) *order.Question {
	try := j.trial(pos, worlds)
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

// trial says what an order of the writer comes to as an answer to a position; nil where he is
// asked nothing.
func (j *adjudication) trial(pos rules.Position, worlds func() []rules.Position) func(rules.Order) *order.Trial {
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
				next := j.behind(worlds(), given[0])
				if len(next) == 0 {
					return nil
				}
				return j.meaning(next[0], func() []rules.Position { return next })
			}
		}
		return t
	}
}

// imagined are positions that a position may be, as far as the writer of a letter can see.
func (j *adjudication) imagined(pos rules.Position) []rules.Position {
	if j.turn.Game.Imagine != nil {
		if worlds := j.turn.Game.Imagine(pos.View(j.play.Seat)); len(worlds) > 0 {
			return worlds
		}
	}
	return []rules.Position{pos}
}

// behind are these positions behind an answer of the writer, if he is then asked the same in
// all of them, and without chance; none otherwise.
func (j *adjudication) behind(worlds []rules.Position, a rules.Answer) []rules.Position {
	var out []rules.Position
	for _, w := range worlds {
		r, err := gate.Check(w, j.play.Seat, a)
		if err != nil || r.Stalled || len(out) > 0 && !j.asksSame(out[0], r.Position) {
			return nil
		}
		out = append(out, r.Position)
	}
	return out
}

// asksSame reports whether two positions ask the writer the same, with the same answers.
func (j *adjudication) asksSame(a, b rules.Position) bool {
	mine := match.Owed(a, j.play.Seat)
	return slices.Equal(mine, match.Owed(b, j.play.Seat)) && !slices.ContainsFunc(mine, func(d rules.Decision) bool {
		return !slices.Equal(a.Options(nil, d.ID), b.Options(nil, d.ID))
	})
}

// try says what an order comes to as an answer to the question that the letter answers; nil
// where nothing can answer it.
func (j *adjudication) try(ctx context.Context) (func(rules.Order) *order.Trial, error) {
	_, closed, err := j.stillAsks(ctx)
	if err != nil || closed != "" || j.turn.After == nil || j.turn.Match.State != match.Playing {
		return nil, err
	}
	return j.trial(j.turn.After, j.foreseeable), nil
}

// foreseeable are the positions that the match may be in, as far as the writer can see.
func (j *adjudication) foreseeable() []rules.Position { return j.imagined(j.turn.After) }

// toAnswer is that question.
func (j *adjudication) toAnswer(ctx context.Context) (*order.Question, error) {
	q := j.meaning(j.turn.After, j.foreseeable)
	asked, err := j.question(ctx)
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
