package engine

import "samizdat/rules"

// mostGifts is how many revolution tokens a faction has.
const mostGifts = 3

// endTurn asks everybody for a revolution where one may be called, and otherwise goes on to
// the next player.
func (p *Position) endTurn(dst []rules.Event) []rules.Event {
	if p.Complete() {
		p.askAll(Calling)
		return dst
	}
	return p.nextPlayer(dst)
}

func (p *Position) nextPlayer(dst []rules.Event) []rules.Event {
	p.Chairman = uint8((int(p.Chairman) + 1) % p.Players)
	return p.beginTurn(dst)
}

// call takes what a seat says to the question for a revolution: that it holds, or that it
// calls, with the gifts that it announces.
func (p *Position) call(s rules.Seat, a rules.Atom, dst []rules.Event) []rules.Event {
	switch VerbOf(a) {
	case VerbRevolution:
		p.calls |= rules.Only(s)
		return dst
	case VerbGive:
		if p.gave |= rules.Only(rules.Seat(ValueOf(a))); count(p.gave) < mostGifts {
			return dst
		}
		fallthrough
	case VerbGiven:
		p.listed |= rules.Only(s)
		p.lists[s] = p.gave
	}
	p.gave, p.Asked[s] = 0, 0
	if p.waits() {
		return dst
	}
	if p.calls == 0 {
		dst = happened(dst, EventQuiet, rules.Nobody)
		if p.Queue[0] != 0 {
			return p.next(dst)
		}
		return p.nextPlayer(dst)
	}
	return p.revolt(dst)
}

// revolt begins a revolution: who calls shows his card and is first; of two callers the one
// whose faction has more ministers (rule 5.5).
func (p *Position) revolt(dst []rules.Event) []rules.Event {
	r := &p.Revolt
	r.Called = p.calls
	var leaders [3]rules.Seat
	for s, o := range p.Objectives[:p.Players] {
		if o.Leader() {
			leaders[o.Faction()] = rules.Seat(s)
		}
	}
	more := Monarchists
	if p.CountMinisters(Republican) > p.CountMinisters(Monarchist) {
		more = Republicans
	}
	r.First, r.Second = leaders[more], leaders[Faction(Colour(more).Other())]
	if !p.calls.Has(r.First) {
		r.First, r.Second = r.Second, r.First
	}
	p.Queue = [2]Space{}
	for _, s := range [...]rules.Seat{r.First, r.Second} {
		if p.calls.Has(s) {
			dst = p.reveal(s, happened(dst, EventCalled, s, int(p.Objectives[s])))
		}
	}
	p.calls = 0
	p.Phase = GivingFirst
	if list := p.lists[r.First]; p.listed.Has(r.First) && (list&p.Shown == 0 || p.listDropsShownLeader()) {
		return p.gives(r.First, list&^p.Shown, dst)
	}
	dst = p.tellOfShown(r.First, dst)
	p.Asked[r.First] = p.id()
	return dst
}

// tellOfShown tells a leader, and nobody else, that his call names a leader who has shown his
// card and takes no token (ruling 14).
func (p *Position) tellOfShown(s rules.Seat, dst []rules.Event) []rules.Event {
	lost := p.lists[s] & p.Shown
	if lost == 0 || p.listDropsShownLeader() {
		return dst
	}
	dst = happened(dst, EventListRefused, s, int(lost))
	dst[len(dst)-1].Audience = rules.Only(s)
	return dst
}

// reveal shows a seat's card to everybody.
func (p *Position) reveal(s rules.Seat, dst []rules.Event) []rules.Event {
	if p.Shown.Has(s) {
		return dst
	}
	p.Shown |= rules.Only(s)
	return happened(dst, EventShown, s, int(p.Objectives[s]))
}

// give takes what a leader answers who gives tokens.
func (p *Position) give(s rules.Seat, a rules.Atom, dst []rules.Event) []rules.Event {
	switch VerbOf(a) {
	case VerbGive:
		if p.gave |= rules.Only(rules.Seat(ValueOf(a))); count(p.gave) < mostGifts {
			return dst
		}
		return p.gives(s, p.gave, dst)
	case VerbGiveListed:
		// A card that was shown since takes no token any more (ruling 13).
		return p.gives(s, p.lists[s]&^p.Shown, dst)
	case VerbDecline:
		p.Revolt.Declined = true
		return p.assess(happened(dst, EventDeclined, s, int(p.Objectives[s].Faction().Colour())))
	}
	return p.gives(s, p.gave, dst)
}

// gives hands tokens out: those of the first leader, after whom the second shows his card and
// is asked (ruling 12), or those of the second, after whom all cards are shown.
func (p *Position) gives(s rules.Seat, to rules.Seats, dst []rules.Event) []rules.Event {
	p.gave, p.Asked[s] = 0, 0
	dst = happened(dst, EventGave, s, int(to), int(p.Objectives[s].Faction().Colour()))
	if p.Phase == GivingSecond {
		p.Revolt.Gifts[1] = to
		return p.assess(dst)
	}
	p.Revolt.Gifts[0] = to
	p.Phase = GivingSecond
	second := p.Revolt.Second
	p.Asked[second] = p.id()
	return p.tellOfShown(second, p.reveal(second, dst))
}
