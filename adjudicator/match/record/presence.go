package record

import "samizdat/rules"

// Presence is what the players of a match have sent, as far as its history shows it. What
// silence answered for a seat is no act of its player; who cast which ballot is shown to nobody,
// so ballots count for nobody.
type Presence struct {
	// sent counts the orders of the player who sits at a seat now; silent are the seats that
	// silence has answered for since he sits there.
	sent   map[SeatName]int
	silent map[SeatName]bool
}

// PresenceIn is the presence that a history shows.
func PresenceIn(entries []Entry) Presence {
	var p Presence
	for i := range entries {
		p.AddEntry(&entries[i])
	}
	return p
}

// AddEntry takes in the next entry of the history.
func (p *Presence) AddEntry(e *Entry) {
	if p.sent == nil {
		p.sent, p.silent = map[SeatName]int{}, map[SeatName]bool{}
	}
	if e.Player != "" {
		delete(p.sent, e.Seat)
		delete(p.silent, e.Seat)
	}
	if e.Seat != "" && e.HasOrders() {
		p.answered(e.Seat, e.Silence == "", e.Silence != "")
	}
	for _, a := range e.Answers {
		// An answer without a letter may be one that silence gave, and that hides it.
		p.answered(a.Seat, a.Silence == "" && a.Letter != "", a.Silence != "")
	}
}

func (p *Presence) answered(seat SeatName, sent, silent bool) {
	if sent {
		p.sent[seat]++
	}
	p.silent[seat] = p.silent[seat] || silent
}

// OrdersSent is how many orders the player of a seat has sent.
func (p *Presence) OrdersSent(seat SeatName) int { return p.sent[seat] }

// AbsentSeats are the seats that silence has answered for, and whose players have sent no order.
func (p *Presence) AbsentSeats(names []string) (out rules.Seats) {
	for i, n := range names {
		if p.silent[SeatName(n)] && p.sent[SeatName(n)] == 0 {
			out |= rules.Only(rules.Seat(i))
		}
	}
	return out
}

// ExcludeAbsent is a position that the rules have ended, with its result where the players of some
// seats have left, or have sent nothing: they do not win. Another position stays as it is.
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

// settle settles a position that an entry has reached.
func (r *replay) settle(e *Entry) {
	r.presence.AddEntry(e)
	if e.Act == nil {
		r.pos = ExcludeAbsent(r.game, r.pos, r.resigned|r.presence.AbsentSeats(r.words.Seats))
	}
}
