package adjudicator

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

// consentQuestion is an open question of ours that YES and NO answer.
type consentQuestion struct {
	// yes and no are the orders that YES and NO stand for. NO to a proposal stands for none.
	yes, no []string
	// proposal: it asks whether the writer means an order.
	proposal bool
}

// consentQuestions are the open questions to the writer that a YES or NO in reply to a letter of ours
// can answer, and open tells whether there are others. The letter that asks about an order asks nothing
// else, so that a YES to it means the order.
func consentQuestions(j *adjudication, number int64) (asked []consentQuestion, open bool) {
	p := j.turn.Proposed(j.play.Seat)
	if p != nil {
		asked = append(asked, consentQuestion{yes: compose.EnclosedRows(p.Orders), proposal: true})
		if number == p.Number {
			return asked, true
		}
	}
	prompts := slices.Concat(compose.TakebackPrompt(j.turn, j.play.Seat), compose.RequestPrompts(j.turn, j.play.Seat))
	for _, p := range prompts {
		asked = append(asked, consentQuestion{yes: p.Forms[:1], no: p.Forms[1:]})
	}
	was := j.turn.Match.Seats[j.play.Seat].Timing.Consents
	still := was.Questions == compose.Questions(slices.Concat(compose.ProposalPrompt(j.turn, j.play.Seat, compose.Options{}), prompts))
	if open = len(asked) > 0; number < was.Since || len(asked) == 1 && !still {
		return nil, open
	}
	return asked, open
}

// answersConsent reports whether a line is YES or NO.
func answersConsent(l letter.Line) bool {
	return (l.Is(letter.Yes) || l.Is(letter.No)) && l.Command.Choice == ""
}

// confirmLines puts the orders that the writer was asked about in the place of his YES or NO.
// Whatever else he orders ends the question about an order.
func confirmLines(ctx context.Context, j *adjudication, lines []letter.Line) ([]letter.Line, error) {
	first := slices.IndexFunc(lines, answersConsent)
	beside := slices.ContainsFunc(lines, func(l letter.Line) bool {
		return !answersConsent(l) && (l.Acts() && l.Class() != letter.Telling && !l.Is("CANCEL ORDERS") && !l.Is("DROP") || l.Kind == letter.Unreadable)
	})
	var asked []consentQuestion
	open := false
	if j.turn.Match.State == match.Playing {
		asked, open = consentQuestions(j, j.letter.Token.Number)
		if beside {
			j.turn.Match.Seats[j.play.Seat].Timing.Proposed = nil
		}
	}
	if first < 0 {
		return lines, nil
	}
	answer := lines[first]
	both := slices.ContainsFunc(lines, func(l letter.Line) bool { return answersConsent(l) && l.Command.Word != answer.Command.Word })
	for i, l := range lines {
		switch {
		case !answersConsent(l):
		case beside && open, both:
			lines[i] = letter.Line{Text: l.Text, Kind: letter.Doubt, Why: "It may answer the question of an earlier letter."}
		case beside:
			lines[i] = letter.Line{Text: l.Text, Kind: letter.Talk, Why: "It answers no question."}
		}
	}
	if !answersConsent(lines[first]) || !open {
		return lines, nil
	}
	rest := slices.DeleteFunc(slices.Clone(lines[first+1:]), answersConsent)
	given, err := consentedLines(ctx, j, answer, asked, onlyPreviews(lines))
	return slices.Concat(lines[:first], given, rest), err
}

// consentedLines are the lines that a YES or NO stands for.
func consentedLines(ctx context.Context, j *adjudication, answer letter.Line, asked []consentQuestion, previews bool) ([]letter.Line, error) {
	unclear := letter.Line{Text: answer.Text, Kind: letter.Unreadable}
	word := string(answer.Command.Word)
	declined, err := declinesPlay(ctx, j, answer, asked)
	switch {
	case err != nil:
		return nil, err
	case declined != "":
		unclear.Can = []string{declined}
		for _, q := range asked {
			unclear.Can = append(unclear.Can, q.no...)
		}
		unclear.Why = word + " can answer more than one question."
		unclear.Names = true
		return []letter.Line{unclear}, nil
	case len(asked) == 0:
		unclear.Why = "You answer an older letter than the one that asks. Reply to the newest letter, or write the order itself."
		return []letter.Line{unclear}, nil
	case len(asked) > 1:
		for _, q := range asked {
			unclear.Can = append(unclear.Can, q.yes...)
		}
		unclear.Why = word + " can answer more than one question. Write the answer that you mean: " + strings.Join(unclear.Can, ", or ") + "."
		unclear.Names = true
		return []letter.Line{unclear}, nil
	}
	rows := asked[0].yes
	if answer.Is(letter.No) {
		if rows = asked[0].no; asked[0].proposal {
			j.turn.Match.Seats[j.play.Seat].Timing.Proposed = nil
			j.report(answer.Text, match.OutcomeDropped, strings.Join(asked[0].yes, "; ")+" was not carried out, and is not asked again.")
			return nil, nil
		}
	}
	if asked[0].proposal && !previews {
		j.turn.Match.Seats[j.play.Seat].Timing.Proposed = nil // It is asked no more, whatever becomes of the orders.
	}
	own := j.letter.Orders
	j.letter.Orders = compose.Enclosed(rows)
	read, err := readLetter(ctx, j)
	j.letter.Orders = own
	return read, err
}

// declinesPlay is the order that a NO stands for in the game, such as PASS, where the letter that it answers asks
// for one as well as for consent; empty where there is none.
func declinesPlay(ctx context.Context, j *adjudication, answer letter.Line, asked []consentQuestion) (string, error) {
	if !answer.Is(letter.No) || !slices.ContainsFunc(asked, func(q consentQuestion) bool { return !q.proposal }) {
		return "", nil
	}
	own := j.letter.Orders
	j.letter.Orders = answer.Text + "\n"
	lines, err := readLines(ctx, j, false)
	j.letter.Orders = own
	if err != nil || len(lines) != 1 || !j.answersNow(lines[0]) {
		return "", err
	}
	return written(lines[0]), nil
}

// onlyPreviews reports whether a letter asks what its orders would do, and nothing in it is done.
func onlyPreviews(lines []letter.Line) bool {
	return slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Is(letter.Preview) }) &&
		!slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Class() == letter.Setting })
}

// askBack asks whether the writer means the orders of a letter in which something
// speaks against them; nothing but questions is carried out.
func askBack(ctx context.Context, j *adjudication, lines []letter.Line) error {
	var rows []string
	// Only the first is tried: what the others answer is not known yet.
	first, refused := slices.IndexFunc(lines, func(l letter.Line) bool { return l.Kind == letter.GameOrder && j.answersNow(l) }), ""
	if first >= 0 {
		var err error
		if refused, err = wouldRefuse(ctx, j, lines[first]); err != nil {
			return err
		}
	}
	for i, l := range lines {
		means, err := endingMeans(ctx, j, l)
		if err != nil {
			return err
		}
		row, _ := proposal(l)
		if means != "" {
			row = string(l.Command.Word) + " " + j.turn.Match.ID
		}
		switch {
		case l.Class() == letter.Question, l.Class() == letter.Asking:
			if _, err := j.command(ctx, l); err != nil {
				return err
			}
		case l.Kind == letter.Talk, l.Kind == letter.Doubt:
			if refused != "" || !j.reader.Orders.Harmless(l.Text) {
				j.report(l.Text, match.OutcomeUnread, "")
			}
		case refused != "" && i == first:
			j.report(l.Text, match.OutcomeRefused, refused)
		case refused != "":
			j.report(l.Text, match.OutcomeNotReached, "Not carried out, since another line was refused.")
		case l.Class() == letter.Telling, l.Kind == letter.GameOrder && j.castsBallot(l.Order), answersConsent(l), l.Is(letter.Preview):
			j.report(l.Text, match.OutcomeNotReached, "If you mean it, send it again without what was not understood.")
		default:
			rows = append(rows, row)
			if why := sentences(means, l.Unsure); why != "" {
				j.report(l.Text, match.OutcomeAsked, why)
			}
		}
	}
	if len(rows) > 0 && refused == "" {
		propose(j, rows)
	}
	j.reply.disposition = Refused
	return nil
}

// propose keeps the orders that a YES to our answer carries out.
func propose(j *adjudication, rows []string) {
	seat := &j.turn.Match.Seats[j.play.Seat]
	seat.Timing.Proposed = &match.Proposal{Orders: compose.Enclosed(rows), Number: seat.Letters + 1, Decisions: match.IDs(j.turn.Owed(j.play.Seat))}
	j.reply.ask = &templates.Ask{Question: compose.MeansOrder(len(rows)), Orders: rows, Taps: []string{string(letter.Yes), string(letter.No)}}
}

// slipQuestion says what became of a letter of which nothing was carried out and that is asked nothing but what
// was asked before.
func slipQuestion(j *adjudication) *templates.Ask {
	switch {
	case j.reply.puzzled:
		return &templates.Ask{Question: "Not done yet: your letter was not understood."}
	case slices.ContainsFunc(j.turn.Lines[j.play.Seat], func(l match.LineReport) bool {
		return l.Outcome == match.OutcomeRefused || l.Outcome == match.OutcomeDropped
	}):
		return &templates.Ask{Question: "Nothing was done."}
	}
	return &templates.Ask{Question: "There was nothing to do in your letter."}
}

// proposal is a line as YES carries it out, and how the answer spells that out.
func proposal(l letter.Line) (row, how string) {
	switch row = l.Text; l.Kind {
	case letter.GameOrder:
		row = order.Write(l.Order)
		if l.Later {
			row = "THEN " + row
		}
		if l.Surely {
			row += " " + letter.Surely
		}
	case letter.ConditionalOrder:
		row = l.Conditional.Text
	}
	if row != l.Text {
		how = row + "\n"
	}
	return row, how
}

// keepOneAnswer refuses the lines of a letter that answer the same question: it cannot be told
// which of them is meant.
func keepOneAnswer(j *adjudication, lines []letter.Line) {
	if j.turn.Match.State != match.Playing || j.turn.After.Stalled() || slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Is(letter.Preview) }) {
		return
	}
	mine := j.turn.Owed(j.play.Seat)
	markUnclear(j, lines, mine)
	first, known := -1, map[string]bool{}
	behind := func(l letter.Line) bool { // A letter may say the same on hundreds of lines.
		text := order.Write(l.Order)
		if _, ok := known[text]; !ok {
			known[text] = answersBehind(j, lines[first], l)
		}
		return known[text]
	}
	for i, l := range lines {
		if l.Kind != letter.GameOrder || l.Later || !j.answersNow(l) || isReplaceable(j, l) {
			continue
		}
		switch _, legal := positionAfter(j, j.turn.After, mine, l); {
		case !legal && first < 0:
			return // It is refused when it is reached.
		case !legal && fitsNow(j, l, mine) && !behind(l):
			lines[i].Kind, lines[i].Why = letter.Unreadable, "It answers the same question as another line of your letter, and cannot be "+
				"carried out as it stands."
			return
		case !legal:
		case first < 0:
			first = i
		case !behind(l):
			const why = "It answers the same question as another line of your letter. What is for later begins with THEN."
			either := []string{written(lines[first]), written(l)}
			for _, k := range []int{first, i} {
				lines[k].Kind, lines[k].Why, lines[k].Names, lines[k].Can = letter.Unreadable, why, true, either
			}
			return
		}
	}
}

// markUnclear refuses the lines that answer nothing that can be asked, beside others, and those whose stroke
// may mean AND or OR.
func markUnclear(j *adjudication, lines []letter.Line, mine []rules.Decision) {
	for i, l := range lines {
		if l.Kind != letter.GameOrder {
			continue
		}
		if _, err := j.turn.Game.Answers(l.Order, nil); err != nil && len(lines) > 1 {
			lines[i].Kind, lines[i].Why = letter.Unreadable, match.Sentence(err) // It answers nothing that can be asked.
			continue
		}
		if strikesOut(j, l.Text) && isSurplus(j, l, mine) {
			lines[i].Kind, lines[i].Why = letter.Unreadable, "The stroke may mean AND or OR. Write one of the two, or a comma for AND."
		}
	}
}

// fitsNow reports whether an order is an answer of the kind that is asked now.
func fitsNow(j *adjudication, l letter.Line, mine []rules.Decision) bool {
	given, err := j.turn.Game.Answers(l.Order, mine)
	return err == nil && slices.ContainsFunc(mine, given[0].Fits)
}

// stroke stands between two things, as that of "w/" does not.
var stroke = regexp.MustCompile(`[^w\s]\s*/|\Sw/`)

// strikesOut reports whether a stroke stands between two things of a line. That of a name, such as
// Harghita/Covasna, does not.
func strikesOut(j *adjudication, text string) bool {
	if !stroke.MatchString(text) {
		return false
	}
	text = strings.ToLower(text)
	for _, n := range j.turn.Game.Names() {
		for _, name := range append([]string{n.Text}, n.Aliases...) {
			if strings.Contains(name, "/") {
				text = strings.ReplaceAll(text, strings.ToLower(name), "")
			}
		}
	}
	return stroke.MatchString(text)
}

// written is an order as it can be written instead.
func written(l letter.Line) string {
	row, _ := proposal(l)
	return letter.Echo(row)
}

// isSurplus reports whether an order answers more than is asked now.
func isSurplus(j *adjudication, l letter.Line, mine []rules.Decision) bool {
	given, err := j.turn.Game.Answers(l.Order, mine)
	return err == nil && len(given) > 1
}

// isReplaceable reports whether an order answers a question that may be answered again and
// again, so that the last answer counts.
func isReplaceable(j *adjudication, l letter.Line) bool {
	given, err := j.turn.Game.Answers(l.Order, j.turn.Owed(j.play.Seat))
	return err == nil && slices.ContainsFunc(j.turn.Owed(j.play.Seat), func(d rules.Decision) bool { return d.Sealed && (d.Repeats || d.Ballot) && given[0].Fits(d) })
}

// positionAfter is the position behind an order, as far as chance is not needed, if it is legal.
func positionAfter(j *adjudication, pos rules.Position, mine []rules.Decision, l letter.Line) (rules.Position, bool) {
	given, err := j.turn.Game.Answers(l.Order, mine)
	if err != nil {
		return nil, false
	}
	r, err := gate.Check(pos, j.play.Seat, given[0])
	return r.Position, err == nil
}

// answersBehind reports whether an order answers what its writer is asked behind another, as
// far as he can foresee: what is hidden must not decide whether his letter is refused.
func answersBehind(j *adjudication, first, l letter.Line) bool {
	mine := j.turn.Owed(j.play.Seat)
	return !slices.ContainsFunc(imagineWorlds(j, j.turn.After), func(w rules.Position) bool {
		pos, legal := positionAfter(j, w, mine, first)
		if !legal || pos.Stalled() {
			return true
		}
		_, legal = positionAfter(j, pos, match.Owed(pos, j.play.Seat), l)
		return !legal
	})
}

// Candidate is a token among several that a letter was sent to.
type Candidate struct {
	Token   Token
	Genuine func(key []byte) bool
}

// mostCandidates is how many tokens of a letter are looked at. In long threads a few
// gather; who sends more gets the answer of who sends none that is good.
const mostCandidates = 10

// chooseCandidate takes the newest genuine token of a letter that has several: one that nobody
// made must not hide it. Where none is genuine, or there are some of several seats, the
// letter stays as it is.
func chooseCandidate(ctx context.Context, a *Adjudicator, l Letter) (Letter, error) {
	if len(l.Candidates) < 2 || len(l.Candidates) > mostCandidates {
		return l, nil
	}
	var best *Candidate
	matches := map[string]*match.Match{}
	for i := range l.Candidates {
		c := &l.Candidates[i]
		m, asked := matches[c.Token.Match]
		if !asked {
			var err error
			if m, err = a.lookUp(ctx, c.Token.Match); err != nil {
				return l, err
			}
			matches[c.Token.Match] = m
		}
		switch t := c.Token; {
		case m == nil || t.Seat < 0 || int(t.Seat) >= len(m.Seats) || !c.Genuine(m.Seats[t.Seat].Key):
		case best != nil && (best.Token.Match != t.Match || best.Token.Seat != t.Seat):
			return l, nil // A letter concerns one seat.
		case best == nil || t.Number > best.Token.Number:
			best = c
		}
	}
	if best != nil {
		token := best.Token
		l.Token, l.Genuine = &token, best.Genuine
	}
	return l, nil
}

// seats gives those that the tokens of a letter name, each once.
func (l Letter) seats() []match.SeatOf {
	var out []match.SeatOf
	if t := l.Token; t != nil && t.Seat != rules.Nobody {
		out = append(out, match.SeatOf{Match: t.Match, Seat: t.Seat})
	}
	for _, c := range l.Candidates {
		if s := (match.SeatOf{Match: c.Token.Match, Seat: c.Token.Seat}); len(l.Candidates) <= mostCandidates && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
