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
	// at is the index of the line that is being played.
	at int
	// sealed are the sealed answers that wait until every seat of their group has answered.
	sealed   []gate.SealedAnswer
	resigned rules.Seats
	// ended is set once a resignation has ended the match.
	ended *record.End
	// stops describes the outcome that the match needs if the text ends before it.
	stops string
}

// play plays the lines up to the first mistake and returns the complaint about it, or nil.
func (p *player) play() *Complaint {
	for i, l := range p.lines {
		p.at = i
		mc := &markedChance{reader: p.reader, marks: l.marks, line: i, given: map[drawn]int{}}
		wrong := p.line(l, mc)
		if wrong == nil {
			wrong = p.checkSurplus(l, mc)
		}
		if wrong != nil {
			return wrong
		}
	}
	return nil
}

// checkSurplus complains about outcomes that no order used.
func (p *player) checkSurplus(l *line, mc *markedChance) *Complaint {
	m := mc.firstUnused()
	if m == nil {
		return nil
	}
	wrong := fmt.Sprintf("%s is too much: the order in line %d asks for no more", m, l.number)
	if p.at == 0 {
		wrong = fmt.Sprintf("%s is too much: no more is wanted before the first order", m)
	}
	return &Complaint{Line: m.number, Text: p.quoteLine(m.number), Wrong: wrong}
}

// line plays one line. The line at index 0 has no order, only the outcomes of the deal.
func (p *player) line(l *line, mc *markedChance) *Complaint {
	_, over := p.pos.Result()
	switch {
	case p.at == 0:
		if _, err := p.pos.Resume(mc, nil); err != nil && !errors.Is(err, rules.ErrNoOutcome) {
			return p.complaint(l, err.Error())
		}
		if wrong := p.checkMissing(l, mc, p.pos); wrong != nil {
			return wrong
		}
		p.note(record.Entry{}, mc)
		return nil
	case over || p.ended != nil:
		return &Complaint{Line: l.number, Text: p.quoteLine(l.number), Wrong: "the match was over by then"}
	}
	if wrong := p.findSeat(l); wrong != nil {
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
		if wrong := p.answer(l, a, i, mc); wrong != nil {
			return wrong
		}
	}
	return nil
}

// findSeat sets the seat of an order that names none. It complains unless exactly one seat is asked.
func (p *player) findSeat(l *line) *Complaint {
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
		waits := slices.ContainsFunc(p.sealed, func(s gate.SealedAnswer) bool { return s.Seat == d.Seat })
		if !waits && !slices.Contains(out, d.Seat) {
			out = append(out, d.Seat)
		}
	}
	return out
}

func (p *player) seatNames(seats []rules.Seat) (out []string) {
	for _, s := range seats {
		out = append(out, p.words.Seats[s])
	}
	return out
}

// answer executes the i-th answer of a line.
func (p *player) answer(l *line, a rules.Answer, i int, mc *markedChance) *Complaint {
	if decisions := rules.OpenDecisionsOf(p.pos, l.seat); len(decisions) > 0 && decisions[0].Sealed {
		return p.seal(l, a, mc)
	}
	taken := len(mc.taken)
	res, err := gate.Execute(p.pos, l.seat, a, mc)
	later := errors.As(err, new(*gate.NotAskedError)) || errors.Is(err, gate.ErrNoOpenDecision)
	switch {
	case mc.wrong != nil:
		return mc.wrong
	case i > 0 && later:
		return p.complaint(l, "what goes on from "+p.game.FormatOrder(a.Atoms)+
			" is asked only later: write it as an order of its own, below what comes before it")
	case err != nil:
		return p.explainRefusal(l, err)
	}
	if wrong := p.checkMissing(l, mc, res.Position); wrong != nil {
		return wrong
	}
	p.pos = res.Position
	more := &markedChance{taken: mc.taken[taken:]}
	for _, at := range mc.filledMarks {
		if at >= taken {
			more.filledMarks = append(more.filledMarks, at-taken)
		}
	}
	p.note(record.Entry{Seat: record.SeatName(p.words.Seats[l.seat]), Orders: []string{p.game.FormatOrder(res.Atoms)},
		Private: res.Private}, more)
	return nil
}

// seal keeps a sealed answer and executes the group once every seat has answered.
func (p *player) seal(l *line, a rules.Answer, mc *markedChance) *Complaint {
	res, err := gate.Check(p.pos, l.seat, a)
	if err != nil {
		return p.explainRefusal(l, err)
	}
	if res.Decision.Ballot {
		return p.complaint(l, "secret ballots cannot be written down: nobody knows them")
	}
	p.sealed = append(slices.DeleteFunc(p.sealed, func(s gate.SealedAnswer) bool { return s.Seat == l.seat }),
		gate.SealedAnswer{Seat: l.seat, Answer: a})
	opened, err := gate.ExecuteSealed(p.pos, p.sealed, mc)
	switch {
	case errors.As(err, new(*gate.IncompleteError)):
		return nil
	case mc.wrong != nil:
		return mc.wrong
	case err != nil:
		return p.explainRefusal(l, err)
	}
	if wrong := p.checkMissing(l, mc, opened.Position); wrong != nil {
		return wrong
	}
	p.pos, p.sealed = opened.Position, nil
	var e record.Entry
	for _, g := range opened.Answers {
		e.Answers = append(e.Answers, record.Answer{Seat: record.SeatName(p.words.Seats[g.Seat]),
			Orders:  []string{p.game.FormatOrder(g.Result.Atoms)},
			Private: g.Result.Private})
	}
	p.note(e, mc)
	return nil
}

func (p *player) resign(seat rules.Seat) {
	p.resigned |= rules.Only(seat)
	p.ended = record.EndByResignation(p.game, p.pos, p.resigned, p.words.Seats)
	p.note(record.Entry{Seat: record.SeatName(p.words.Seats[seat]), Act: &record.Act{Kind: record.Resign, End: p.ended}}, &markedChance{})
}

// note adds an entry with the outcomes that were used to the record.
func (p *player) note(e record.Entry, mc *markedChance) {
	e.Seq, e.Chance = len(p.rec.Steps), mc.taken
	if len(mc.filledMarks) > 0 {
		var places []string
		for _, at := range mc.filledMarks {
			places = append(places, fmt.Sprint(at+1))
		}
		e.Note = "nobody wrote down these outcomes, which were filled in: " + strings.Join(places, ", ")
	}
	p.rec.Add(e)
}

// checkMissing complains if a position waits for an outcome without a mark. At the last line this is no mistake: the
// text ends there.
func (p *player) checkMissing(l *line, mc *markedChance, pos rules.Position) *Complaint {
	switch {
	case mc.wrong != nil:
		return mc.wrong
	case !pos.Stalled():
		return nil
	}
	if p.at == len(p.lines)-1 && p.at > 0 {
		p.stops = mc.wants
		return nil
	}
	what := "it needs " + mc.wants
	if p.at == 0 {
		what = "before the first order there is " + mc.wants
	}
	if len(mc.taken) > 0 {
		what += fmt.Sprintf(" (%d are there)", len(mc.taken))
	}
	return &Complaint{Line: l.number, Text: p.quoteLine(l.number), Wrong: what}
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
	c.Asked, c.Legal = p.question(seats[0])
	return c
}

func (p *player) question(seat rules.Seat) (asked string, legal []string) {
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
	return p.words.Seats[seat] + ": " + prompt.Question, legal
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
		wrong = fmt.Sprintf("%s is asked nothing here; it is for %s to answer", p.words.Seats[l.seat],
			match.JoinAnd(p.seatNames(p.askedSeats())))
	case errors.Is(err, gate.ErrRefused):
		wrong = "that is not what is asked here"
	}
	return p.complaint(l, wrong)
}

// describeState describes the end of the text: over is the result, for example "won by democrat"; next is the open
// question of an unfinished match.
func (p *player) describeState() (over, next string) {
	if r, ok := record.ExcludeAbsent(p.game, p.pos, p.resigned).Result(); ok || p.ended != nil {
		if !ok {
			r = (&record.Act{Kind: record.Resign, End: p.ended}).Result(p.words.Seats)
		}
		switch winners := r.WinnersOf(p.words.Seats); {
		case len(winners) > 0:
			return "won by " + match.JoinAnd(winners), ""
		case r.Lost:
			return "nobody wins", ""
		}
		return "a draw", ""
	}
	if seats := p.askedSeats(); len(seats) > 0 {
		asked, _ := p.question(seats[0])
		return "", "The match goes on. " + asked
	}
	return "", "The text ends where the match wants " + p.stops + "."
}
