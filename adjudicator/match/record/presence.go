package record

import "samizdat/rules"

// Presence counts the orders that the players of a match have sent. Answers by silence do not
// count, nor do ballots, whose senders the history does not show.
type Presence struct {
	// sent counts the orders of the present player of each seat. silent are the seats for which
	// silence has answered since that player came.
	sent   map[SeatName]int
	silent map[SeatName]bool
}

// CountPresence returns the presence in a history.
func CountPresence(entries []Entry) Presence {
	var p Presence
	for i := range entries {
		p.AddEntry(&entries[i])
	}
	return p
}

// AddEntry adds the next entry of the history.
func (p *Presence) AddEntry(e *Entry) {
	if p.sent == nil {
		p.sent, p.silent = map[SeatName]int{}, map[SeatName]bool{}
	}
	if e.Player != "" {
		delete(p.sent, e.Seat)
		delete(p.silent, e.Seat)
	}
	if e.Seat != "" && e.HasOrders() {
		p.recordAnswer(e.Seat, e.Silence == "", e.Silence != "")
	}
	for _, a := range e.Answers {
		// An answer without a letter may be hidden silence.
		p.recordAnswer(a.Seat, a.Silence == "" && a.Letter != "", a.Silence != "")
	}
}

func (p *Presence) recordAnswer(seat SeatName, sent, silent bool) {
	if sent {
		p.sent[seat]++
	}
	p.silent[seat] = p.silent[seat] || silent
}

// OrdersSent returns the number of orders of a seat's player.
func (p *Presence) OrdersSent(seat SeatName) int { return p.sent[seat] }

// AbsentSeats returns the seats for which silence has answered and whose players have sent no order.
func (p *Presence) AbsentSeats(names []string) (out rules.Seats) {
	for i, n := range names {
		if p.silent[SeatName(n)] && p.sent[SeatName(n)] == 0 {
			out |= rules.Only(rules.Seat(i))
		}
	}
	return out
}

// ExcludeAbsent corrects the result of a match that the rules have ended: seats whose players left,
// or sent no order, do not win. Other positions stay as they are.
func ExcludeAbsent(g *rules.Game, p rules.Position, left rules.Seats) rules.Position {
	r, over := p.Result()
	if !over || r.Winners&left == 0 {
		return p
	}
	without := r.WithoutSeats(left)
	if g.Resigned != nil {
		if without, over = g.Resigned(p, left); !over {
			return p
		}
	}
	return EndPosition(p, without)
}

// settle applies ExcludeAbsent after an entry.
func (r *replay) settle(e *Entry) {
	r.presence.AddEntry(e)
	if e.Act == nil {
		r.pos = ExcludeAbsent(r.game, r.pos, r.resigned|r.presence.AbsentSeats(r.outcomeNames.Seats))
	}
}
