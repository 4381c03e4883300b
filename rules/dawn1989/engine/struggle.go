package engine

import "samizdat/rules"

// The steps of a power struggle (rule 8). The steps from struggleLossRoll on are the aftermath, which follows the
// play of cards.
const (
	struggleBegin uint8 = iota
	struggleDeal
	struggleRoundtable
	strugglePeasants
	struggleSalvation
	struggleShowHands
	struggleCrowd
	struggleStakes
	struggleStakesOther
	struggleAttack
	struggleFalters
	struggleSurges
	struggleDefend
	struggleCounterattack
	struggleLossRoll
	StruggleLoss
	struggleVictory
	strugglePower
	struggleScore
	struggleEnd
)

// StruggleHandSize returns how many power struggle cards a side gets if it controls this number of spaces in the
// country (rule 8.1.1): 6 cards for the first space and 2 for each other space.
func StruggleHandSize(controlled int) int {
	if controlled == 0 {
		return 0
	}
	return 6 + 2*(controlled-1)
}

// runStruggle executes a step of a power struggle. f.Side is the side that played the scoring card. f.N counts the
// cards that the current step has moved or drawn.
func runStruggle(r *Run, f *Frame) error {
	p := r.p
	st := &p.Struggle
	switch f.Step {
	case struggleBegin:
		*st = Struggle{Country: f.Country, StartedBy: f.Side, Attacker: f.Side, Deck: WholeStruggleDeck, Winner: Neutral,
			IsFinal: f.Source == Source(NewYearsEveParty)}
		democratSpaces, communistSpaces := p.CountControlled(Democrat, f.Country), p.CountControlled(Communist, f.Country)
		r.emit(EvStruggle, int(f.Country), int(f.Side), democratSpaces, communistSpaces, StruggleHandSize(democratSpaces),
			StruggleHandSize(communistSpaces))
		f.Step = struggleDeal
	case struggleDeal:
		return r.dealStruggle(f)
	case struggleRoundtable:
		return r.moveRandomCards(f, RoundtableTalks, Democrat, 2, p.Effects.Cards.Has(RoundtableTalks))
	case strugglePeasants:
		farmers := ofType[Farmer].And(InCountry[f.Country]).And(p.Controlled[Democrat]).And(p.ExistingSpaces())
		return r.moveRandomCards(f, PeasantPartiesRevolt, Democrat, 1, p.Effects.Cards.Has(PeasantPartiesRevolt) && !farmers.IsEmpty())
	case struggleSalvation:
		return r.moveRandomCards(f, NationalSalvationFront, Communist, 2, p.Effects.Cards.Has(NationalSalvationFront) && f.Country.isBalkan())
	case struggleShowHands:
		r.showHands()
		f.Step = struggleCrowd
	case struggleCrowd:
		return r.drawCrowdCard(f)
	case struggleStakes, struggleStakesOther:
		side := st.StartedBy
		if f.Step == struggleStakesOther {
			side = side.Enemy()
		}
		f.Step++
		if st.Hands[side].Len() >= 3 {
			r.ask(Question{Kind: AskStakes, Side: side, Source: SourceStakes, Remaining: 3, Optional: true})
		}
	case struggleAttack:
		var buf [64]rules.Atom
		if len(LegalAttacks(p, buf[:0])) == 0 {
			r.emit(EvNoAttack, int(st.Attacker), st.Hands[st.Attacker].Len())
			r.recordWin(f, st.Attacker.Enemy(), NoSuit)
			return nil
		}
		r.ask(Question{Kind: AskAttack, Side: st.Attacker, Source: SourceStruggle, Remaining: 1})
	case struggleFalters:
		return r.resolveFalters(f)
	case struggleSurges:
		return r.resolveSurges(f)
	case struggleDefend:
		if !p.canDefend() {
			r.emit(EvConcede, int(st.Attacker.Enemy()), 1)
			r.recordWin(f, st.Attacker, st.Suit)
			return nil
		}
		r.ask(Question{Kind: AskDefend, Side: st.Attacker.Enemy(), Source: SourceStruggle, Remaining: 1})
	case struggleCounterattack:
		return r.rollCounterattack(f)
	default:
		return runAftermath(r, f)
	}
	return nil
}

// CountControlled counts the spaces of a country that a side controls.
func (p *Position) CountControlled(side Side, c Country) int {
	return p.Controlled[side].And(InCountry[c]).And(p.ExistingSpaces()).Len()
}

// CanUseLeader reports whether c is a leader that the side can use: the side must control a space of the leader's
// type in the country (rule 2.3.2).
func (p *Position) CanUseLeader(side Side, c StruggleCard) bool {
	info := c.Info()
	inCountry := ofType[info.LeaderType].And(InCountry[p.Struggle.Country]).And(p.ExistingSpaces())
	return info.Leader && !inCountry.And(p.Controlled[side]).IsEmpty()
}

// LegalAttacks appends the legal attacks of the side with the initiative (rule 8.3.1).
func LegalAttacks(p *Position, dst []rules.Atom) []rules.Atom {
	st := &p.Struggle
	hand := &st.Hands[st.Attacker]
	enemySpaces := InCountry[st.Country].And(p.Occupied[st.Attacker.Enemy()]).And(p.ExistingSpaces())
	// Plain cards first, then leaders suit by suit and Scare Tactics space by space, so that the atoms ascend.
	for k := range StruggleCard(StruggleKinds) {
		suit := k.Info().Suit
		switch {
		case hand[k] == 0 || k == TacticFails || k.Info().Leader:
		case suit != NoSuit && st.Banned[suit]:
		case k == ScareTactics && !enemySpaces.IsEmpty():
		default:
			dst = append(dst, NewAtom(VerbAttack, 0, int(k)))
		}
	}
	hasScareTactics := hand[ScareTactics] > 0
	for flag := 1; flag < Spaces; flag++ {
		suit := Suit(flag)
		for k := range StruggleCard(StruggleKinds) {
			if suit < Suits && hand[k] > 0 && k.Info().Leader && !st.Banned[suit] && p.CanUseLeader(st.Attacker, k) {
				dst = append(dst, NewAtom(VerbAttack, uint8(flag), int(k)))
			}
		}
		if hasScareTactics && enemySpaces.Has(Space(flag)) {
			dst = append(dst, NewAtom(VerbAttack, uint8(flag), int(ScareTactics)))
		}
	}
	return dst
}

// canDefendWith reports whether a side holds a card and can defend with it: the card has the suit of the attack, is a
// usable leader, or is Tactic Fails (rule 8.3.2).
func (p *Position) canDefendWith(side Side, k StruggleCard) bool {
	info := k.Info()
	return p.Struggle.Hands[side][k] > 0 &&
		(k == TacticFails || info.Suit != NoSuit && info.Suit == p.Struggle.Suit || p.CanUseLeader(side, k))
}

func (p *Position) canDefend() bool {
	for k := range StruggleCard(StruggleKinds) {
		if p.canDefendWith(p.Struggle.Attacker.Enemy(), k) {
			return true
		}
	}
	return false
}

func appendStruggleAtoms(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	st := &p.Struggle
	q := &p.Question
	switch q.Kind {
	case AskStakes:
		for k := range StruggleCard(StruggleKinds) {
			if st.Hands[q.Side][k] > 0 {
				dst = append(dst, NewAtom(VerbRaise, 0, int(k)))
			}
		}
		if q.Given == 0 {
			dst = append(dst, AtomPass)
		}
	case AskAttack:
		dst = LegalAttacks(p, dst)
	case AskDefend:
		for k := range StruggleCard(StruggleKinds) {
			if p.canDefendWith(q.Side, k) {
				dst = append(dst, NewAtom(VerbDefend, 0, int(k)))
			}
		}
		dst = append(dst, AtomConcede)
	case AskRemove:
		dst = p.appendRemovalAtoms(q.Side, InCountry[st.Country].And(p.ExistingSpaces()), dst)
	case AskPower:
		dst = append(dst, NewAtom(VerbChoose, uint8(ChooseOption), OptionKeepPower),
			NewAtom(VerbChoose, uint8(ChooseOption), OptionSurrenderPower))
	}
	return dst
}

func answerStruggle(r *Run, f *Frame, a rules.Atom) {
	p := r.p
	st := &p.Struggle
	k := StruggleCard(AtomValue(a))
	side := p.Question.Side
	switch AtomVerb(a) {
	case VerbPass:
		r.closeQuestion()
		r.emit(EvPassed, int(side), int(AskStakes), int(SourceStakes))
	case VerbRaise:
		st.removeFromHand(side, k)
		r.emit(EvRaised, int(side), int(k))
		if r.countAnsweredAtom() {
			st.Stakes++
		}
	case VerbAttack:
		r.closeQuestion()
		r.attack(f, k, AtomFlag(a))
	case VerbDefend:
		r.closeQuestion()
		st.removeFromHand(side, k)
		r.emit(EvDefend, int(side), int(k))
		f.Step = struggleCounterattack
		if k == TacticFails {
			st.Banned[st.Suit] = true
			r.emit(EvBanned, int(st.Suit))
			f.Step = struggleAttack
		}
	case VerbConcede:
		r.closeQuestion()
		r.emit(EvConcede, int(side), 0)
		r.recordWin(f, st.Attacker, st.Suit)
	case VerbRemove:
		if r.removePoint(side, Space(AtomValue(a))) {
			f.Step = struggleVictory
		}
	case VerbChoose:
		r.closeQuestion()
		r.resolvePower(f, AtomValue(a) == OptionKeepPower)
	}
}

// attack executes an attack with a card. flag is the suit of a leader or the space of Scare Tactics. A wild card
// (Support Falters, Support Surges, Scare Tactics) takes effect without a defence, and then the enemy has the
// initiative (rule 8.3.4).
func (r *Run) attack(f *Frame, k StruggleCard, flag uint8) {
	p := r.p
	st := &p.Struggle
	st.removeFromHand(st.Attacker, k)
	suit := k.Info().Suit
	if k.Info().Leader {
		suit = Suit(flag)
	}
	// A wild card cannot be defended against, so it is not stored in Attack.
	st.Attack, st.Suit = 0, suit
	if suit != NoSuit {
		st.Attack = k
	}
	scaredSpace := Space(0)
	if k == ScareTactics {
		scaredSpace = Space(flag)
	}
	r.emit(EvAttack, int(st.Attacker), int(k), int(suit), int(scaredSpace))
	f.N = 0
	switch k {
	case SupportFalters:
		f.Step = struggleFalters
	case SupportSurges:
		f.Step = struggleSurges
	case ScareTactics:
		if scaredSpace != 0 {
			r.remove(st.Attacker.Enemy(), scaredSpace, 1)
		}
		r.passInitiative(f)
	default:
		f.Step = struggleDefend
	}
}

func (r *Run) passInitiative(f *Frame) {
	st := &r.p.Struggle
	st.Attacker = st.Attacker.Enemy()
	f.Step, f.N = struggleAttack, 0
}

// rollCounterattack makes the counterattack after a successful defence (rule 8.3.2). The defender takes the
// initiative if the die is at least the rank of the attacking card; against rank 1 no die is needed.
func (r *Run) rollCounterattack(f *Frame) error {
	st := &r.p.Struggle
	rank, die := st.Attack.Info().Rank, 0
	if rank > 1 {
		var err error
		if die, err = r.roll(ReasonCounter, 0); err != nil {
			return err
		}
	}
	success := rank <= 1 || die >= rank
	r.emit(EvCounter, int(st.Attacker.Enemy()), die, rank, boolToInt(success))
	f.Step = struggleAttack
	if success {
		st.Attacker = st.Attacker.Enemy()
	}
	return nil
}

func (r *Run) recordWin(f *Frame, winner Side, suit Suit) {
	st := &r.p.Struggle
	st.Winner, st.WinningSuit = winner, suit
	r.emit(EvStruggleWon, int(winner), int(st.Country), int(suit))
	f.Step = struggleLossRoll
}

// aftermathTable is the table of rule 8.4, with the modified die as index. It gives the support points that the loser
// loses, and, for a second die, the VP that the winner gets.
var aftermathTable = [8]int{0, 0, 1, 1, 2, 2, 3, MaxLoss}

const (
	MaxLoss  = 4 // the largest loss of support in a power struggle
	PowerRow = 4 // the smallest modified die that gives a winning Democrat Power
)

// AftermathModifier returns the number that is added to both dice of the aftermath if the winner has won with this
// suit (rule 8.4.1).
func (p *Position) AftermathModifier(winner Side, suit Suit) int {
	m := int(p.Struggle.Stakes)
	switch suit {
	case PetitionSuit:
		m -= 2
	case RallySuit:
		m += 2
	}
	if winner == Democrat && p.Effects.Cards.Has(Yakovlev) {
		m++
	}
	return m
}

// runAftermath executes a step of the aftermath of a power struggle: the two dice, the decision about Power, or
// scoring (rule 8.4).
func runAftermath(r *Run, f *Frame) error {
	p := r.p
	st := &p.Struggle
	switch f.Step {
	case struggleLossRoll:
		return r.rollLoss(f)
	case StruggleLoss:
		f.Step = struggleVictory
		loser := st.Winner.Enemy()
		if r.removePoints(loser, loser, SourceLoss, int(st.PointsToLose), p.spacesIn(st.Country), 0) {
			f.Step = StruggleLoss
		}
	case struggleVictory:
		return r.rollVictory(f)
	case strugglePower:
		if p.Power[st.Country].Holder == Democrat {
			f.Step = struggleScore
			return nil
		}
		r.ask(Question{Kind: AskPower, Side: Communist, Source: SourcePower, Remaining: 1})
	case struggleScore:
		r.scoreStruggle(f)
	case struggleEnd:
		r.endStruggle()
	}
	return nil
}

// rollAftermath rolls a die of the aftermath. row is the index in aftermathTable: die + mod, but at least 0 and at
// most 7.
func (r *Run) rollAftermath(reason int) (die, mod, row int, err error) {
	mod = r.p.AftermathModifier(r.p.Struggle.Winner, r.p.Struggle.WinningSuit)
	die, err = r.roll(reason, 0)
	return die, mod, max(0, min(len(aftermathTable)-1, die+mod)), err
}

func (r *Run) rollLoss(f *Frame) error {
	die, mod, row, err := r.rollAftermath(ReasonLoss)
	if err != nil {
		return err
	}
	st := &r.p.Struggle
	st.PointsToLose = int8(aftermathTable[row])
	r.emit(EvLoss, int(st.Winner.Enemy()), die, mod, row, int(st.PointsToLose))
	f.Step = StruggleLoss
	return nil
}

// rollVictory rolls the second die of the aftermath. It gives the winner's VP, and decides whether a winning Democrat
// takes Power.
func (r *Run) rollVictory(f *Frame) error {
	die, mod, row, err := r.rollAftermath(ReasonVictory)
	if err != nil {
		return err
	}
	p := r.p
	st := &p.Struggle
	takesPower := st.Winner == Democrat && row >= PowerRow
	r.emit(EvVictory, int(st.Winner), die, mod, row, aftermathTable[row], boolToInt(takesPower))
	r.addVP(st.Winner.Sign()*aftermathTable[row], VPFromStruggle, int(st.Country))
	power := &p.Power[st.Country]
	power.Struggles++
	f.Step = strugglePower
	if takesPower {
		*power = Power{Holder: Democrat, Struggles: 1}
		r.emit(EvPower, int(st.Country), 0, int(power.Struggles))
		f.Step = struggleScore
	}
	return nil
}

// scoreStruggle scores the country of the struggle. If the Democrat has taken Power there, the scoring card of the
// country leaves the game.
func (r *Run) scoreStruggle(f *Frame) {
	p := r.p
	c := p.Struggle.Country
	isToppled := p.Power[c].Holder == Democrat
	if f.Card != 0 && f.Card.Info().Scoring != NoCountry {
		to := PileDiscard
		if isToppled {
			to = PileRemoved
		}
		r.takeOffTable(f.Card, to)
	}
	if isToppled {
		r.removeScoringCard(ScoringCardOf[c])
	}
	r.scoreCountry(c)
	f.Step = struggleEnd
}

// removeScoringCard removes c, the scoring card of a country, from the game. That has an effect only after the last
// struggle of card 104, which no scoring card has started. After other struggles scoreStruggle has already removed
// the card.
func (r *Run) removeScoringCard(c Card) {
	p := r.p
	if !p.isCardRemovedFromAnyPile() {
		if p.Piles[PileDiscard].Has(c) {
			p.Move(c, PileDiscard, PileRemoved)
		}
		return
	}
	for pile := range PileRemoved {
		if p.Piles[pile].Has(c) {
			p.Move(c, pile, PileRemoved)
			r.emit(EvCardMoved, int(c), int(PileRemoved))
		}
	}
}

func (r *Run) endStruggle() {
	p := r.p
	for _, c := range [...]Card{Yakovlev, PeasantPartiesRevolt} {
		if p.Effects.Cards.Has(c) {
			r.expire(c)
		}
	}
	inCountry, isLast := p.Struggle.Country, p.Struggle.IsFinal
	p.Struggle = Struggle{}
	r.pop()
	if !isLast {
		r.checkAutomaticVictory()
	}
	r.resolveTyrant(inCountry, isLast)
}

// resolvePower executes the Communist's choice after a struggle (rule 8.4.5): to surrender Power, or to keep Power
// and get VP for it.
func (r *Run) resolvePower(f *Frame, keep bool) {
	p := r.p
	c := p.Struggle.Country
	power := &p.Power[c]
	f.Step = struggleScore
	if !keep {
		*power = Power{Holder: Democrat, Struggles: 1}
		r.emit(EvPower, int(c), 1, int(power.Struggles))
		return
	}
	r.emit(EvPower, int(c), 2, int(power.Struggles))
	r.addVP(-CountryValues[c].Power*int(power.Struggles), VPFromPower, int(c))
}
