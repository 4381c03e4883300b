package transcript

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

type player struct {
	*reader
	// lineIndex is the index of the line being played.
	lineIndex int
	// sealed are the sealed answers of an incomplete group.
	sealed   []gate.SealedAnswer
	resigned rules.Seats
	// ended is set when a resignation has ended the match.
	ended *record.End
	// missing describes the outcome that the match needs at the end of the text.
	missing string
}

// play plays the lines up to the first mistake and returns the complaint about it, or nil.
func (p *player) play() *Complaint {
	for i, l := range p.lines {
		p.lineIndex = i
		mc := &markedChance{reader: p.reader, marks: l.marks, line: i, drawnCounts: map[drawnElement]int{}}
		wrong := p.playLine(l, mc)
		if wrong == nil {
			wrong = p.checkSurplus(l, mc)
		}
		if wrong != nil {
			return wrong
		}
	}
	return nil
}

// checkSurplus complains about unused outcomes.
func (p *player) checkSurplus(l *line, mc *markedChance) *Complaint {
	m := mc.firstUnused()
	if m == nil {
		return nil
	}
	wrong := fmt.Sprintf("%s is too much: the order in line %d asks for no more", m, l.number)
	if p.lineIndex == 0 {
		wrong = fmt.Sprintf("%s is too much: no more is wanted before the first order", m)
	}
	return &Complaint{Line: m.line, Text: p.quoteLine(m.line), Wrong: wrong}
}

// playLine plays one line. The line at index 0 has no order, only the outcomes of the deal.
func (p *player) playLine(l *line, mc *markedChance) *Complaint {
	_, over := p.pos.Result()
	switch {
	case p.lineIndex == 0:
		if _, err := p.pos.Resume(mc, nil); err != nil && !errors.Is(err, rules.ErrNoOutcome) {
			return p.complaint(l, err.Error())
		}
		if wrong := p.checkMissing(l, mc, p.pos); wrong != nil {
			return wrong
		}
		p.addEntry(record.Entry{}, mc)
		return nil
	case over || p.ended != nil:
		return &Complaint{Line: l.number, Text: p.quoteLine(l.number), Wrong: "the match was over by then"}
	}
	if wrong := p.completeSeat(l); wrong != nil {
		return wrong
	}
	if isResignation(l.text) {
		p.resign(l.seat)
		return nil
	}
	answers, err := p.game.Answers(l.order, rules.OpenDecisionsOf(p.pos, l.seat))
	if err != nil {
		return p.complaint(l, err.Error())
	}
	for i, a := range answers {
		if wrong := p.playAnswer(l, a, i, mc); wrong != nil {
			return wrong
		}
	}
	return nil
}

// completeSeat sets the seat of an order without one. It complains unless exactly one seat is asked.
func (p *player) completeSeat(l *line) *Complaint {
	if l.seat != rules.NoSeat {
		return nil
	}
	asked := p.askedSeats()
	if len(asked) != 1 {
		return p.complaint(l, "say whose order it is, as in "+strings.Join(p.seatNames(asked), ": ... or ")+": ...")
	}
	l.seat = asked[0]
	return nil
}

// askedSeats lists the seats with an open decision and no sealed answer.
func (p *player) askedSeats() (out []rules.Seat) {
	for _, d := range p.pos.OpenDecisions(nil) {
		isSealed := slices.ContainsFunc(p.sealed, func(s gate.SealedAnswer) bool { return s.Seat == d.Seat })
		if !isSealed && !slices.Contains(out, d.Seat) {
			out = append(out, d.Seat)
		}
	}
	return out
}

func (p *player) seatNames(seats []rules.Seat) (out []string) {
	for _, s := range seats {
		out = append(out, p.names.Seats[s])
	}
	return out
}

// playAnswer executes the i-th answer of a line.
func (p *player) playAnswer(l *line, a rules.Answer, i int, mc *markedChance) *Complaint {
	if decisions := rules.OpenDecisionsOf(p.pos, l.seat); len(decisions) > 0 && decisions[0].Sealed {
		return p.playSealed(l, a, mc)
	}
	used := len(mc.outcomes)
	res, err := gate.Execute(p.pos, l.seat, a, mc)
	isAskedLater := errors.As(err, new(*gate.NotAskedError)) || errors.Is(err, gate.ErrNoOpenDecision)
	switch {
	case mc.complaint != nil:
		return mc.complaint
	case i > 0 && isAskedLater:
		return p.complaint(l, "what goes on from "+p.game.FormatOrder(a.Atoms)+
			" is asked only later: write it as an order of its own, below what comes before it")
	case err != nil:
		return p.explainRefusal(l, err)
	}
	if wrong := p.checkMissing(l, mc, res.Position); wrong != nil {
		return wrong
	}
	p.pos = res.Position
	answerChance := &markedChance{outcomes: mc.outcomes[used:]}
	for _, at := range mc.filledMarks {
		if at >= used {
			answerChance.filledMarks = append(answerChance.filledMarks, at-used)
		}
	}
	p.addEntry(record.Entry{Seat: record.SeatName(p.names.Seats[l.seat]), Orders: []string{p.game.FormatOrder(res.Atoms)},
		Private: res.Private}, answerChance)
	return nil
}

// playSealed keeps a sealed answer and executes the group when every seat has answered.
func (p *player) playSealed(l *line, a rules.Answer, mc *markedChance) *Complaint {
	res, err := gate.Check(p.pos, l.seat, a)
	if err != nil {
		return p.explainRefusal(l, err)
	}
	if res.Decision.Ballot {
		return p.complaint(l, "secret ballots cannot be written down: nobody knows them")
	}
	p.sealed = append(slices.DeleteFunc(p.sealed, func(s gate.SealedAnswer) bool { return s.Seat == l.seat }),
		gate.SealedAnswer{Seat: l.seat, Answer: a})
	result, err := gate.ExecuteSealed(p.pos, p.sealed, mc)
	switch {
	case errors.As(err, new(*gate.IncompleteError)):
		return nil
	case mc.complaint != nil:
		return mc.complaint
	case err != nil:
		return p.explainRefusal(l, err)
	}
	if wrong := p.checkMissing(l, mc, result.Position); wrong != nil {
		return wrong
	}
	p.pos, p.sealed = result.Position, nil
	var e record.Entry
	for _, g := range result.Answers {
		e.Answers = append(e.Answers, record.Answer{Seat: record.SeatName(p.names.Seats[g.Seat]),
			Orders:  []string{p.game.FormatOrder(g.Result.Atoms)},
			Private: g.Result.Private})
	}
	p.addEntry(e, mc)
	return nil
}

func (p *player) resign(seat rules.Seat) {
	p.resigned |= rules.Only(seat)
	p.ended = record.EndByResignation(p.game, p.pos, p.resigned, p.names.Seats)
	p.addEntry(record.Entry{Seat: record.SeatName(p.names.Seats[seat]), Act: &record.Act{Kind: record.Resign, End: p.ended}}, &markedChance{})
}

// addEntry adds an entry with the used outcomes to the record.
func (p *player) addEntry(e record.Entry, mc *markedChance) {
	e.Seq, e.Chance = len(p.rec.Steps), mc.outcomes
	if len(mc.filledMarks) > 0 {
		var places []string
		for _, at := range mc.filledMarks {
			places = append(places, fmt.Sprint(at+1))
		}
		e.Note = "nobody wrote down these outcomes, which were filled in: " + strings.Join(places, ", ")
	}
	p.rec.Add(e)
}

// checkMissing complains if a position needs an outcome without a mark. After the last line this is no mistake: the
// text ends there.
func (p *player) checkMissing(l *line, mc *markedChance, pos rules.Position) *Complaint {
	switch {
	case mc.complaint != nil:
		return mc.complaint
	case !pos.Stalled():
		return nil
	}
	if p.lineIndex == len(p.lines)-1 && p.lineIndex > 0 {
		p.missing = mc.missing
		return nil
	}
	wrong := "it needs " + mc.missing
	if p.lineIndex == 0 {
		wrong = "before the first order there is " + mc.missing
	}
	if len(mc.outcomes) > 0 {
		wrong += fmt.Sprintf(" (%d are there)", len(mc.outcomes))
	}
	return &Complaint{Line: l.number, Text: p.quoteLine(l.number), Wrong: wrong}
}

// maxLegal limits the legal orders in a complaint.
const maxLegal = 12

// complaint adds the question at this point and some legal orders to a mistake.
func (p *player) complaint(l *line, wrong string) *Complaint {
	c := &Complaint{Line: l.number, Text: p.quoteLine(l.number), Wrong: wrong}
	seats := p.askedSeats()
	if l.seat != rules.NoSeat && len(rules.OpenDecisionsOf(p.pos, l.seat)) > 0 {
		seats = []rules.Seat{l.seat}
	}
	if len(seats) == 0 {
		return c
	}
	c.Asked, c.Legal = p.describeQuestion(seats[0])
	return c
}

func (p *player) describeQuestion(seat rules.Seat) (asked string, legal []string) {
	d := rules.OpenDecisionsOf(p.pos, seat)[0]
	prompt := p.game.Prompt(p.pos.View(seat), d, p.pos.Options(nil, d.ID))
	legal = slices.Clone(prompt.Forms)
	for _, o := range prompt.Offers {
		legal = append(legal, o.Order)
	}
	slices.Sort(legal)
	if legal = slices.Compact(legal); len(legal) > maxLegal {
		legal = append(legal[:maxLegal], "...")
	}
	return p.names.Seats[seat] + ": " + prompt.Question, legal
}

// explainRefusal explains an answer that the gate refused. For example, a gate.TooShortError error becomes "it says too
// little. Still wanted: ...".
func (p *player) explainRefusal(l *line, err error) *Complaint {
	var illegal *gate.IllegalError
	var short *gate.TooShortError
	var long *gate.TooLongError
	wrong := err.Error()
	switch {
	case errors.As(err, &illegal):
		wrong = p.game.Refusal(illegal.Before.View(l.seat), illegal.Decision, illegal.Atom, illegal.Options)
	case errors.As(err, &short):
		wrong = "it says too little. Still wanted: " + p.game.Prompt(short.Before.View(l.seat), short.Decision, short.Options).Question
	case errors.As(err, &long):
		wrong = "it says too much: only " + p.game.FormatOrder(long.Atoms[:long.Used]) + " was asked for"
	case errors.Is(err, gate.ErrNoOpenDecision):
		wrong = fmt.Sprintf("%s is asked nothing here; it is for %s to answer", p.names.Seats[l.seat],
			match.JoinAnd(p.seatNames(p.askedSeats())))
	case errors.Is(err, gate.ErrRefused):
		wrong = "that is not what is asked here"
	}
	return p.complaint(l, wrong)
}

// describeState describes the end of the text: result is the result, for example "won by democrat"; next is the open
// question of an unfinished match.
func (p *player) describeState() (result, next string) {
	if r, ok := record.ExcludeAbsent(p.game, p.pos, p.resigned).Result(); ok || p.ended != nil {
		if !ok {
			r = (&record.Act{Kind: record.Resign, End: p.ended}).Result(p.names.Seats)
		}
		switch winners := r.WinnersOf(p.names.Seats); {
		case len(winners) > 0:
			return "won by " + match.JoinAnd(winners), ""
		case r.Lost:
			return "nobody wins", ""
		}
		return "a draw", ""
	}
	if seats := p.askedSeats(); len(seats) > 0 {
		asked, _ := p.describeQuestion(seats[0])
		return "", "The match goes on. " + asked
	}
	return "", "The text ends where the match wants " + p.missing + "."
}
