package engine

import "samizdat/rules"

// Allowance is how many errors a revolution may have and still succeed (rule 5.5), by the
// number of players at the beginning.
func Allowance(players int) int {
	switch {
	case players <= 6:
		return 0
	case players <= 9:
		return 1
	}
	return 2
}

// Errors counts what is wrong with the gifts of a leader: members of his faction without a
// token, and others with one.
func (t *Table) Errors(leader rules.Seat, gifts rules.Seats) (n int) {
	faction := t.Objectives[leader].Faction()
	for s, o := range t.Objectives[:t.Players] {
		if s := rules.Seat(s); s != leader && (o.Faction() == faction) != gifts.Has(s) {
			n++
		}
	}
	return n
}

// showAll ends the match with all cards open.
func (p *Position) showAll(dst []rules.Event) []rules.Event {
	p.Phase = Over
	p.Asked = [MostSeats]rules.DecisionID{}
	for _, s := range p.Order[:p.Players] {
		dst = p.reveal(s, dst)
	}
	return dst
}

// decideByMinisters ends the match by the objectives (rule 6).
func (p *Position) decideByMinisters(dst []rules.Event) []rules.Event {
	return p.over(NoFaction, p.showAll(dst))
}

// over tells who has won.
func (p *Position) over(f Faction, dst []rules.Event) []rules.Event {
	r, _ := p.Result()
	return happened(dst, EventOver, rules.Nobody, int(r.Winners), int(f))
}

// assess ends the match by the revolutions (rule 5.5).
func (p *Position) assess(dst []rules.Event) []rules.Event {
	dst = p.showAll(dst)
	for i, leader := range [...]rules.Seat{p.Revolt.First, p.Revolt.Second} {
		if i == 1 && p.Revolt.Declined {
			break
		}
		kind, n := EventSucceeded, p.Errors(leader, p.Revolt.Gifts[i])
		if n > Allowance(p.Players) {
			kind = EventFailed
		}
		dst = happened(dst, kind, leader, n, Allowance(p.Players), int(p.Objectives[leader].Faction().Colour()))
	}
	faction, _ := p.revolutionWinner()
	return p.over(faction, dst)
}

// How a match ended.
const (
	ReasonRevolution = "a revolution"
	ReasonCounter    = "a counter-revolution"
	ReasonFailed     = "failed revolutions"
	ReasonMinisters  = "the ministers"
)

// Result implements rules.Position.
func (p *Position) Result() (rules.Result, bool) {
	if p.Phase != Over {
		return rules.Result{}, false
	}
	var r rules.Result
	if p.Revolt.First == rules.Nobody {
		r.Reason = ReasonMinisters
		for s, o := range p.Objectives[:p.Players] {
			if o.Met(p.Ministers) {
				r.Winners |= rules.Only(rules.Seat(s))
			}
		}
	} else {
		var faction Faction
		faction, r.Reason = p.revolutionWinner()
		for s, o := range p.Objectives[:p.Players] {
			if o.Faction() == faction {
				r.Winners |= rules.Only(rules.Seat(s))
			}
		}
	}
	r.Lost = r.Winners == 0
	return r, true
}

// revolutionWinner is the faction that wins by the revolutions: the first if it succeeds,
// else the second if it succeeds or is left at its three ministers, else the Bonapartes
// (rule 5.5, ruling 16).
func (p *Position) revolutionWinner() (Faction, string) {
	first, second := p.Revolt.First, p.Revolt.Second
	switch {
	case p.Errors(first, p.Revolt.Gifts[0]) <= Allowance(p.Players):
		return p.Objectives[first].Faction(), ReasonRevolution
	case p.Revolt.Declined:
		return p.Objectives[second].Faction(), ReasonFailed
	case p.Errors(second, p.Revolt.Gifts[1]) <= Allowance(p.Players):
		return p.Objectives[second].Faction(), ReasonCounter
	}
	return Bonapartes, ReasonFailed
}
