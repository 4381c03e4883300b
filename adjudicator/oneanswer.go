package adjudicator

import (
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// oneAnswer refuses the lines of a letter that answer the same question: it cannot be told
// which of them is meant.
func (j *adjudication) oneAnswer(lines []letter.Line) {
	if j.turn.Match.State != Playing || j.turn.After.Stalled() || slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Is(letter.Preview) }) {
		return
	}
	mine := j.turn.Owed(j.play.Seat)
	j.unclear(lines, mine)
	first, known := -1, map[string]bool{}
	behind := func(l letter.Line) bool { // A letter may say the same on hundreds of lines.
		text := order.Write(l.Order)
		if _, ok := known[text]; !ok {
			known[text] = j.answersBehind(lines[first], l)
		}
		return known[text]
	}
	for i, l := range lines {
		if l.Kind != letter.GameOrder || l.Later || !j.answersNow(l) || j.replaceable(l) {
			continue
		}
		switch _, legal := j.after(j.turn.After, mine, l); {
		case !legal && first < 0:
			return // It is refused when it is reached.
		case !legal && j.fitsNow(l, mine) && !behind(l):
			lines[i].Kind, lines[i].Why = letter.Unreadable, "It answers the same question as another line of your letter, and cannot be carried out as it stands."
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

// unclear refuses the lines that answer nothing that can be asked, beside others, and those whose stroke
// may mean AND or OR.
func (j *adjudication) unclear(lines []letter.Line, mine []rules.Decision) {
	for i, l := range lines {
		if l.Kind != letter.GameOrder {
			continue
		}
		if _, err := j.turn.Game.Answers(l.Order, nil); err != nil && len(lines) > 1 {
			lines[i].Kind, lines[i].Why = letter.Unreadable, match.Sentence(err) // It answers nothing that can be asked.
			continue
		}
		if j.strikes(l.Text) && j.surplus(l, mine) {
			lines[i].Kind, lines[i].Why = letter.Unreadable, "The stroke may mean AND or OR. Write one of the two, or a comma for AND."
		}
	}
}

// fitsNow reports whether an order is an answer of the kind that is asked now.
func (j *adjudication) fitsNow(l letter.Line, mine []rules.Decision) bool {
	given, err := j.turn.Game.Answers(l.Order, mine)
	return err == nil && slices.ContainsFunc(mine, given[0].Fits)
}

// stroke stands between two things, as that of "w/" does not.
var stroke = regexp.MustCompile(`[^w\s]\s*/|\Sw/`)

// strikes reports whether a stroke stands between two things of a line. That of a name, such as
// Harghita/Covasna, does not.
func (j *adjudication) strikes(text string) bool {
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

// surplus reports whether an order answers more than is asked now.
func (j *adjudication) surplus(l letter.Line, mine []rules.Decision) bool {
	given, err := j.turn.Game.Answers(l.Order, mine)
	return err == nil && len(given) > 1
}

// replaceable reports whether an order answers a question that may be answered again and
// again, so that the last answer counts.
func (j *adjudication) replaceable(l letter.Line) bool {
	given, err := j.turn.Game.Answers(l.Order, j.turn.Owed(j.play.Seat))
	return err == nil && slices.ContainsFunc(j.turn.Owed(j.play.Seat), func(d rules.Decision) bool { return d.Sealed && (d.Repeats || d.Ballot) && given[0].Fits(d) })
}

// after is the position behind an order, as far as chance is not needed, if it is legal.
func (j *adjudication) after(pos rules.Position, mine []rules.Decision, l letter.Line) (rules.Position, bool) {
	given, err := j.turn.Game.Answers(l.Order, mine)
	if err != nil {
		return nil, false
	}
	r, err := gate.Check(pos, j.play.Seat, given[0])
	return r.Position, err == nil
}

// answersBehind reports whether an order answers what its writer is asked behind another, as
// far as he can foresee: what is hidden must not decide whether his letter is refused.
func (j *adjudication) answersBehind(first, l letter.Line) bool {
	mine := j.turn.Owed(j.play.Seat)
	return !slices.ContainsFunc(j.imagined(j.turn.After), func(w rules.Position) bool {
		pos, legal := j.after(w, mine, first)
		if !legal || pos.Stalled() {
			return true
		}
		_, legal = j.after(pos, match.Owed(pos, j.play.Seat), l)
		return !legal
	})
}
