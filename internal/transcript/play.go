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

type replayer struct {
	*reader
	lineIndex int
	// sealedAnswers are the sealed answers to decisions that are answered together, while an answer of a seat is missing.
	sealedAnswers []gate.SealedAnswer
	resigned      rules.Seats
	// end is set when a resignation has ended the match.
	end *record.End
	// missingOutcome describes the outcome without which the match cannot go on after the last line; "" if none is
	// missing.
	missingOutcome string
}

// play plays the lines. It stops at the first mistake and returns a complaint about it, or returns nil.
func (p *replayer) play() *Complaint {
	for i, l := range p.lines {
		p.lineIndex = i
		chance := &markedChance{reader: p.reader, marks: l.marks, line: i, drawnCounts: map[seatElement]int{}}
		complaint := p.playLine(l, chance)
		if complaint == nil {
			complaint = p.checkUnusedMarks(l, chance)
		}
		if complaint != nil {
			return complaint
		}
	}
	return nil
}

// checkUnusedMarks complains about a mark that was not used.
func (p *replayer) checkUnusedMarks(l *line, chance *markedChance) *Complaint {
	m := chance.firstUnused()
	if m == nil {
		return nil
	}
	problem := fmt.Sprintf("unexpected %s: the order in line %d needs no further outcome", m, l.number)
	if p.lineIndex == 0 {
		problem = fmt.Sprintf("unexpected %s: no further outcome is needed before the first order", m)
	}
	return &Complaint{Line: m.line, Text: p.quoteLine(m.line), Problem: problem}
}

// playLine plays one line. The line at index 0 has no order, only the outcomes of the deal.
func (p *replayer) playLine(l *line, chance *markedChance) *Complaint {
	_, isOver := p.pos.Result()
	switch {
	case p.lineIndex == 0:
		if _, err := p.pos.Resume(chance, nil); err != nil && !errors.Is(err, rules.ErrNoOutcome) {
			return p.newComplaint(l, err.Error())
		}
		if complaint := p.checkMissing(l, chance, p.pos); complaint != nil {
			return complaint
		}
		p.addEntry(record.Entry{}, chance)
		return nil
	case isOver || p.end != nil:
		return &Complaint{Line: l.number, Text: p.quoteLine(l.number), Problem: "the match is already over"}
	}
	if complaint := p.completeSeat(l); complaint != nil {
		return complaint
	}
	if isResignation(l.text) {
		p.resign(l.seat)
		return nil
	}
	answers, err := p.game.Answers(l.order, rules.OpenDecisionsOf(p.pos, l.seat))
	if err != nil {
		return p.newComplaint(l, err.Error())
	}
	for i, a := range answers {
		if complaint := p.playAnswer(l, a, i, chance); complaint != nil {
			return complaint
		}
	}
	return nil
}

// completeSeat sets the seat of an order that does not name its seat. If not exactly one seat is asked, it complains.
func (p *replayer) completeSeat(l *line) *Complaint {
	if l.seat != rules.NoSeat {
		return nil
	}
	seats := p.askedSeats()
	if len(seats) != 1 {
		return p.newComplaint(l, "missing seat: write "+strings.Join(p.seatNames(seats), ": ... or ")+": ...")
	}
	l.seat = seats[0]
	return nil
}

// askedSeats lists the seats with an open decision and no sealed answer.
func (p *replayer) askedSeats() (out []rules.Seat) {
	for _, d := range p.pos.OpenDecisions(nil) {
		isSealed := slices.ContainsFunc(p.sealedAnswers, func(s gate.SealedAnswer) bool { return s.Seat == d.Seat })
		if !isSealed && !slices.Contains(out, d.Seat) {
			out = append(out, d.Seat)
		}
	}
	return out
}

func (p *replayer) seatNames(seats []rules.Seat) (out []string) {
	for _, s := range seats {
		out = append(out, p.names.Seats[s])
	}
	return out
}

func (p *replayer) playAnswer(l *line, a rules.Answer, i int, chance *markedChance) *Complaint {
	if decisions := rules.OpenDecisionsOf(p.pos, l.seat); len(decisions) > 0 && decisions[0].Sealed {
		return p.playSealed(l, a, chance)
	}
	usedOutcomes := len(chance.outcomes)
	result, err := gate.Execute(p.pos, l.seat, a, chance)
	isAskedLater := errors.As(err, new(*gate.NotAskedError)) || errors.Is(err, gate.ErrNoOpenDecision)
	switch {
	case chance.complaint != nil:
		return chance.complaint
	case i > 0 && isAskedLater:
		return p.newComplaint(l, p.game.FormatOrder(a.Atoms)+" answers a later question: write it on a line of its own, below this line")
	case err != nil:
		return p.explainRefusal(l, err)
	}
	if complaint := p.checkMissing(l, chance, result.Position); complaint != nil {
		return complaint
	}
	p.pos = result.Position
	answerChance := &markedChance{outcomes: chance.outcomes[usedOutcomes:]}
	for _, at := range chance.chosenIndexes {
		if at >= usedOutcomes {
			answerChance.chosenIndexes = append(answerChance.chosenIndexes, at-usedOutcomes)
		}
	}
	p.addEntry(record.Entry{Seat: record.SeatName(p.names.Seats[l.seat]), Orders: []string{p.game.FormatOrder(result.Atoms)},
		Private: result.Private}, answerChance)
	return nil
}

// playSealed keeps a sealed answer. When every seat of the group has answered, it executes all answers.
func (p *replayer) playSealed(l *line, a rules.Answer, chance *markedChance) *Complaint {
	checked, err := gate.Check(p.pos, l.seat, a)
	if err != nil {
		return p.explainRefusal(l, err)
	}
	if checked.Decision.Ballot {
		return p.newComplaint(l, "secret ballots cannot be imported, because only their counts are known")
	}
	p.sealedAnswers = append(slices.DeleteFunc(p.sealedAnswers, func(s gate.SealedAnswer) bool { return s.Seat == l.seat }),
		gate.SealedAnswer{Seat: l.seat, Answer: a})
	result, err := gate.ExecuteSealed(p.pos, p.sealedAnswers, chance)
	switch {
	case errors.As(err, new(*gate.IncompleteError)):
		return nil
	case chance.complaint != nil:
		return chance.complaint
	case err != nil:
		return p.explainRefusal(l, err)
	}
	if complaint := p.checkMissing(l, chance, result.Position); complaint != nil {
		return complaint
	}
	p.pos, p.sealedAnswers = result.Position, nil
	var e record.Entry
	for _, g := range result.Answers {
		e.Answers = append(e.Answers, record.Answer{Seat: record.SeatName(p.names.Seats[g.Seat]),
			Orders:  []string{p.game.FormatOrder(g.Result.Atoms)},
			Private: g.Result.Private})
	}
	p.addEntry(e, chance)
	return nil
}

// resign adds an entry for the resignation of a seat. The resignation may end the match.
func (p *replayer) resign(seat rules.Seat) {
	p.resigned |= rules.Only(seat)
	p.end = record.EndByResignation(p.game, p.pos, p.resigned, p.names.Seats)
	p.addEntry(record.Entry{Seat: record.SeatName(p.names.Seats[seat]), Act: &record.Act{Kind: record.Resign, End: p.end}}, &markedChance{})
}

func (p *replayer) addEntry(e record.Entry, chance *markedChance) {
	e.Seq, e.Chance = len(p.rec.Steps), chance.outcomes
	if len(chance.chosenIndexes) > 0 {
		var places []string
		for _, at := range chance.chosenIndexes {
			places = append(places, fmt.Sprint(at+1))
		}
		e.Note = "these outcomes were unknown and were filled in: " + strings.Join(places, ", ")
	}
	p.rec.Add(e)
}

// checkMissing complains if a position needs an outcome that has no mark. After the last line this is not a mistake,
// because the text may stop there.
func (p *replayer) checkMissing(l *line, chance *markedChance, pos rules.Position) *Complaint {
	switch {
	case chance.complaint != nil:
		return chance.complaint
	case !pos.Stalled():
		return nil
	}
	if p.lineIndex == len(p.lines)-1 && p.lineIndex > 0 {
		p.missingOutcome = chance.missingOutcome
		return nil
	}
	problem := "missing outcome: " + chance.missingOutcome
	if p.lineIndex == 0 {
		problem = "missing outcome before the first order: " + chance.missingOutcome
	}
	if len(chance.outcomes) > 0 {
		problem += fmt.Sprintf(" (found %d outcomes)", len(chance.outcomes))
	}
	return &Complaint{Line: l.number, Text: p.quoteLine(l.number), Problem: problem}
}

const maxLegalOrders = 12

// newComplaint returns a complaint about a line, with the open decision before this line and some legal orders.
func (p *replayer) newComplaint(l *line, problem string) *Complaint {
	c := &Complaint{Line: l.number, Text: p.quoteLine(l.number), Problem: problem}
	seats := p.askedSeats()
	if l.seat != rules.NoSeat && len(rules.OpenDecisionsOf(p.pos, l.seat)) > 0 {
		seats = []rules.Seat{l.seat}
	}
	if len(seats) == 0 {
		return c
	}
	c.Question, c.LegalOrders = p.describeQuestion(seats[0])
	return c
}

func (p *replayer) describeQuestion(seat rules.Seat) (question string, legal []string) {
	d := rules.OpenDecisionsOf(p.pos, seat)[0]
	prompt := p.game.Prompt(p.pos.View(seat), d, p.pos.Options(nil, d.ID))
	legal = slices.Clone(prompt.Forms)
	for _, o := range prompt.ItemOrders {
		legal = append(legal, o.Order)
	}
	slices.Sort(legal)
	if legal = slices.Compact(legal); len(legal) > maxLegalOrders {
		legal = append(legal[:maxLegalOrders], "...")
	}
	return p.names.Seats[seat] + ": " + prompt.Question, legal
}

// explainRefusal explains an answer that the gate refused. For example, a gate.TooShortError becomes "incomplete order;
// still to answer: ...".
func (p *replayer) explainRefusal(l *line, err error) *Complaint {
	var illegal *gate.IllegalError
	var short *gate.TooShortError
	var long *gate.TooLongError
	problem := err.Error()
	switch {
	case errors.As(err, &illegal):
		problem = p.game.Refusal(illegal.Before.View(l.seat), illegal.Decision, illegal.Atom, illegal.Options)
	case errors.As(err, &short):
		problem = "incomplete order; still to answer: " + p.game.Prompt(short.Before.View(l.seat), short.Decision, short.Options).Question
	case errors.As(err, &long):
		problem = "order too long: expected only " + p.game.FormatOrder(long.Atoms[:long.Needed])
	case errors.Is(err, gate.ErrNoOpenDecision):
		problem = fmt.Sprintf("%s has no open question here; expected an order of %s", p.names.Seats[l.seat],
			match.JoinAnd(p.seatNames(p.askedSeats())))
	case errors.Is(err, gate.ErrRefused):
		problem = "the order does not answer the question"
	}
	return p.newComplaint(l, problem)
}

// describeState describes the match at the end of the text: its result, for example "won by democrat", or the open
// decision of an unfinished match.
func (p *replayer) describeState() (result, next string) {
	if r, ok := record.ExcludeAbsent(p.game, p.pos, p.resigned).Result(); ok || p.end != nil {
		if !ok {
			r = (&record.Act{Kind: record.Resign, End: p.end}).Result(p.names.Seats)
		}
		switch winners := r.WinnersOf(p.names.Seats); {
		case len(winners) > 0:
			return "won by " + match.JoinAnd(winners), ""
		case r.AllLost:
			return "nobody wins", ""
		}
		return "a draw", ""
	}
	if seats := p.askedSeats(); len(seats) > 0 {
		question, _ := p.describeQuestion(seats[0])
		return "", "The match goes on. " + question
	}
	return "", "The text ends before an outcome that the match needs: " + p.missingOutcome + "."
}
