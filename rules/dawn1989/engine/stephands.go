package engine

import "samizdat/rules"

// The steps that move strategy cards from hands or from the discard pile, and the step that starts a power struggle.

func appendTakeAtoms(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
	return appendAtoms(dst, VerbTake, 0, s.cards(p, f.Side))
}

// resolveDiscarded returns a step that lets the acting side choose a card of the discard pile. The event of this card
// takes place at once.
func resolveDiscarded(label string, cards func(p *Position, side Side) CardSet) Step {
	return Step{Label: label, Act: &actResolveDiscarded, cards: cards}
}

var actResolveDiscarded = newChoiceAct(Question{Kind: AskTake}, appendTakeAtoms, func(r *Run, f *Frame, s *Step, a rules.Atom) {
	r.resolveTaken(f, Card(AtomValue(a)))
}, nextStep)

// resolveTaken begins the event of a card that f.Side took from the discard pile. The side of the card carries the
// event out, or f.Side if the card is neutral.
func (r *Run) resolveTaken(f *Frame, c Card) {
	f.goToNextStep()
	r.p.Move(c, PileDiscard, PileTable)
	r.emit(EvTaken, int(f.Side), int(c), TakenToUse)
	r.beginEvent(c, EventSide(c, f.Side))
}

// Values of EvTaken's third argument. They say from where the card comes, and how it is used.
const (
	takenToHand = iota
	TakenToUse
	TakenFromEnemy
)

// mayTakeDiscarded returns a step that lets the acting side take a card of the discard pile into its hand.
func mayTakeDiscarded(label string, cards func(p *Position, side Side) CardSet) Step {
	return Step{Label: label, Act: &actMayTakeDiscarded, cards: cards, isOptional: true}
}

var actMayTakeDiscarded = newChoiceAct(Question{Kind: AskTake}, appendTakeAtoms, func(r *Run, f *Frame, s *Step, a rules.Atom) {
	f.goToNextStep()
	c := Card(AtomValue(a))
	r.p.Move(c, PileDiscard, HandPile(f.Side))
	r.p.KnownCards[f.Side].Add(c)
	r.emit(EvTaken, int(f.Side), int(c), takenToHand)
}, nextStep)

// discardAtRandom returns a step that makes the enemy discard a random card. If the side of the card is in sides and
// its event is playable, the acting side carries the event out.
func discardAtRandom(label string, sides ...Side) Step {
	s := Step{Label: label, Act: &ActDiscardAtRandom}
	s.cards = func(*Position, Side) CardSet {
		var set CardSet
		for _, c := range sides {
			set = set.Or(cardsOfSide[c])
		}
		return set
	}
	return s
}

// ActDiscardAtRandom makes the enemy discard a random card.
var ActDiscardAtRandom = Act{run: func(r *Run, f *Frame, s *Step) error {
	p, enemy := r.p, f.Side.Enemy()
	from := HandPile(enemy)
	if p.Piles[from].IsEmpty() {
		f.goToNextStep()
		return nil
	}
	c, err := r.drawFrom(p.Piles[from], rules.Draw{To: rules.NoSeat, From: p.SeatOfSide[enemy], For: Reason(ReasonEvent, int(f.Card))})
	if err != nil {
		return err
	}
	f.goToNextStep()
	r.emit(EvDiscarded, int(enemy), int(c), int(f.Source))
	if !s.cards(p, f.Side).Has(c) {
		p.Move(c, from, PileDiscard)
		return nil
	}
	p.Move(c, from, PileTable)
	r.beginEvent(c, f.Side)
	return nil
}}

// handOver returns a step that makes the enemy give up a card with the highest printed Ops value. If it is a card of
// the acting side and its event is playable, the event takes place. Otherwise the acting side uses the card for
// Operations.
func handOver(label string) Step { return Step{Label: label, Act: &actHandOver} }

// highestOpsCards returns the cards of a hand with the highest printed Ops value.
func (p *Position) highestOpsCards(side Side) CardSet {
	best, out := 0, CardSet{}
	set := p.Piles[HandPile(side)].Minus(ScoringCards)
	for c := set.Next(); c != 0; c = set.Next() {
		switch ops := c.Info().Ops; {
		case ops > best:
			best, out = ops, CardSet{}
			fallthrough
		case ops == best:
			out.Add(c)
		}
	}
	return out
}

var actHandOver = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		enemy := f.Side.Enemy()
		switch set := r.p.highestOpsCards(enemy); set.Len() {
		case 0:
			f.goToNextStep()
		case 1:
			r.handOver(f, set.Next())
		default:
			r.ask(Question{Kind: AskCard, Side: enemy, Source: f.Source, Remaining: 1})
		}
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		r.closeQuestion()
		r.handOver(f, Card(AtomValue(a)))
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return appendAtoms(dst, VerbChoose, uint8(ChooseCard), p.highestOpsCards(p.Question.Side))
	},
}

func (r *Run) handOver(f *Frame, c Card) {
	p, enemy := r.p, f.Side.Enemy()
	f.goToNextStep()
	r.emit(EvHandedOver, int(enemy), int(c))
	if c.Info().Side == f.Side && p.IsEventPlayable(c, f.Side) {
		p.Move(c, HandPile(enemy), PileTable)
		r.beginEvent(c, f.Side)
		return
	}
	if p.isHandedCardKeptOnTable() {
		f.SecondCard = c
		p.Move(c, HandPile(enemy), PileTable)
	} else {
		p.Move(c, HandPile(enemy), PileDiscard)
	}
	r.push(Frame{Proc: ProcOps, Card: c, Side: f.Side, Source: f.Source, MayAttempt: true})
}

// mayCancel returns a step that lets the enemy end the event: the enemy discards a card with an Ops value, as
// modified now, of at least ops. The enemy is not asked if the support check that follows in the event has no target.
func mayCancel(label string, ops int) Step { return Step{Label: label, Act: &ActMayCancel, N: ops} }

// ActMayCancel lets the enemy end the event by discarding a card.
var ActMayCancel = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		p, enemy := r.p, f.Side.Enemy()
		if p.checkTargetsFor(f).IsEmpty() || p.Piles[HandPile(enemy)].IsEmpty() {
			f.goToNextStep()
			return nil
		}
		r.ask(Question{Kind: AskDiscard, Side: enemy, Source: f.Source, Remaining: 1, Optional: true})
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		r.discard(f, Card(AtomValue(a)))
		r.closeQuestion()
		f.skipToEnd()
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		side := p.Question.Side
		set := p.Piles[HandPile(side)].Minus(ScoringCards)
		for c := set.Next(); c != 0; c = set.Next() {
			if p.OpsValue(side, c.Info().Ops, false) >= s.N {
				dst = append(dst, NewAtom(VerbDiscard, 0, int(c)))
			}
		}
		return appendDecline(p, dst)
	},
}

func (r *Run) discard(f *Frame, c Card) {
	side := r.p.Question.Side
	r.p.Move(c, HandPile(side), PileDiscard)
	r.emit(EvDiscarded, int(side), int(c), int(f.Source))
}

// exchange returns a step that lets the acting side discard any number of cards. The next step, draw, replaces them.
func exchange(label string) Step { return Step{Label: label, Act: &ActExchange} }

// ActExchange lets a side discard cards, and counts them for the step draw.
var ActExchange = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		p := r.p
		if n := p.Piles[HandPile(f.Side)].Len(); n > 0 {
			r.ask(Question{Kind: AskDiscard, Side: f.Side, Source: f.Source, Remaining: int8(n), Optional: true, UpTo: true})
			return nil
		}
		f.goToNextStep()
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		r.discard(f, Card(AtomValue(a)))
		f.EarlierResult++
		if r.countAnsweredAtom() {
			f.goToNextStep()
		}
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return appendStop(p, appendAtoms(dst, VerbDiscard, 0, p.Piles[HandPile(f.Side)]))
	},
}

// setAside returns a step that lets the acting side put a card of its hand aside face down. The next step, draw,
// replaces it.
func setAside(label string) Step { return Step{Label: label, Act: &actSetAside, isOptional: true} }

var actSetAside = newChoiceAct(Question{Kind: AskCard, Secret: true},
	func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return appendAtoms(dst, VerbChoose, uint8(ChooseCard), p.Piles[HandPile(f.Side)])
	},
	func(r *Run, f *Frame, s *Step, a rules.Atom) {
		f.goToNextStep()
		c := Card(AtomValue(a))
		r.p.Move(c, HandPile(f.Side), PileAside)
		// The enemy no longer knows any card of the hand for certain, because each could be the card that was put
		// aside.
		r.p.KnownCards[f.Side] = CardSet{}
		r.emitSecret(f.Side, 1, 0, EvAside, int(f.Side), int(c))
		f.EarlierResult = 1
	}, nextStep)

// draw returns a step that draws as many cards as earlier steps have counted in Frame.EarlierResult.
func draw(label string) Step { return Step{Label: label, Act: &actDraw} }

var actDraw = Act{run: func(r *Run, f *Frame, s *Step) error {
	if f.EarlierResult == 0 {
		f.goToNextStep()
		return nil
	}
	c, err := r.deal(f.Side, HandPile(f.Side), ReasonDraw)
	if err != nil {
		return err
	}
	f.EarlierResult--
	if c == 0 {
		f.EarlierResult = 0
	}
	return nil
}}

func struggle(c Country) Step { return Step{Label: "struggle", Act: &actStruggle, N: int(c)} }

var actStruggle = newInstantAct(func(r *Run, f *Frame, s *Step) {
	r.push(Frame{Proc: ProcStruggle, Card: f.Card, Side: f.Side, Country: Country(s.N)})
})
