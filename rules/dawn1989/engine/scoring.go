package engine

import "samizdat/rules"

// Level is a side's level of control of a country at scoring (rule 9.2).
type Level uint8

// The levels.
const (
	NoPresence Level = iota
	Presence
	Domination
	Control
)

var levelNames = [...]string{"nothing", "Presence", "Domination", "Control"}

func (l Level) String() string { return levelNames[l] }

// countryValues are the victory points for the levels of control of a country, and for Power (the scoring boxes on
// the map, rule 2.1.9).
type countryValues struct {
	Levels [4]int
	Power  int
}

// CountryValues are the values by country.
var CountryValues = [Countries]countryValues{
	EastGermany:    {[4]int{0, 3, 6, 9}, 3},
	Poland:         {[4]int{0, 3, 6, 9}, 3},
	Czechoslovakia: {[4]int{0, 2, 4, 6}, 2},
	Hungary:        {[4]int{0, 1, 2, 4}, 1},
	Romania:        {[4]int{0, 2, 4, 6}, 2},
	Bulgaria:       {[4]int{0, 1, 2, 3}, 1},
}

// CountryLevel returns the level of a side in a country (rule 9.2) and the number of battlegrounds that it controls.
func (p *Position) CountryLevel(side Side, c Country) (l Level, battlegroundCount int) {
	inCountry := InCountry[c].And(p.ExistingSpaces())
	own, enemy := p.Controlled[side].And(inCountry), p.Controlled[side.Enemy()].And(inCountry)
	battlegrounds := inCountry.And(Battlegrounds)
	ownBattlegrounds, enemyBattlegrounds := own.And(battlegrounds).Len(), enemy.And(battlegrounds).Len()
	hasMore := own.Len() > enemy.Len()
	switch {
	case own.IsEmpty():
		return NoPresence, 0
	case hasMore && ownBattlegrounds == battlegrounds.Len():
		return Control, ownBattlegrounds
	case hasMore && ownBattlegrounds > enemyBattlegrounds && own.Len() > ownBattlegrounds:
		return Domination, ownBattlegrounds
	}
	return Presence, ownBattlegrounds
}

// scoreCountry scores a country (rule 9.3): the value of each side's level, and 1 VP for each battleground.
func (r *Run) scoreCountry(c Country) {
	var vp, level, battlegrounds [2]int
	for s := Democrat; s <= Communist; s++ {
		l, b := r.p.CountryLevel(s, c)
		level[s], battlegrounds[s] = int(l), b
		vp[s] = CountryValues[c].Levels[l]
	}
	r.emit(EvScored, int(c), level[0], vp[0], battlegrounds[0], level[1], vp[1], battlegrounds[1])
	r.addVP(vp[0]+battlegrounds[0]-vp[1]-battlegrounds[1], VPFromCountry, int(c))
}

// addVP changes the VP and checks for automatic victory (rule 10.1), except in final scoring and during a power
// struggle. endStruggle checks at the end of the struggle.
func (r *Run) addVP(change int, reason VPReason, arg int) {
	if change == 0 {
		return
	}
	p := r.p
	p.VP += int16(change)
	r.emit(EvVP, change, int(p.VP), int(reason), arg)
	if p.Struggle.Country == NoCountry && p.Phase != PhaseFinal && p.Phase != PhaseFinalStruggle {
		r.checkAutomaticVictory()
	}
}

// checkAutomaticVictory checks for automatic victory (rule 10.1).
func (r *Run) checkAutomaticVictory() {
	switch {
	case r.p.VP >= 20:
		r.endMatch(AutomaticVictory, r.seatOf(Democrat))
	case r.p.VP <= -20:
		r.endMatch(AutomaticVictory, r.seatOf(Communist))
	}
}

func (r *Run) seatOf(s Side) rules.Seats { return rules.Only(r.p.SeatOfSide[s]) }

// endByVP ends the match; the side that leads in VP wins (rules 10.3, 10.4.3).
func (r *Run) endByVP(e Ending) {
	switch {
	case r.p.VP > 0:
		r.endMatch(e, r.seatOf(Democrat))
	case r.p.VP < 0:
		r.endMatch(e, r.seatOf(Communist))
	default:
		r.endMatch(e, 0)
	}
}

func (r *Run) endMatch(e Ending, winners rules.Seats) {
	p := r.p
	if p.Ending != NotOver {
		return
	}
	r.clearTable()
	p.Ending, p.Winners, p.Phase = e, winners, PhaseOver
	r.closeQuestion()
	r.emit(EvOver, int(e))
}

// clearTable moves the cards on the table to their piles after the event of a card has ended the match.
func (r *Run) clearTable() {
	p := r.p
	for i := range p.depth {
		if f := &p.stack[i]; f.Proc == ProcEvent && f.Card.Info().Asterisk {
			r.takeOffTable(f.Card, PileRemoved)
		}
	}
	for remaining := p.Piles[PileTable]; !remaining.IsEmpty(); {
		r.takeOffTable(remaining.Next(), PileDiscard)
	}
}

// endForHeldCards implements rule 4.5.4: a side with a scoring card in hand at the end of the turn loses; if both sides have
// one, the match is a draw.
func (r *Run) endForHeldCards() {
	p := r.p
	var holdsScoringCard [2]bool
	for s := Democrat; s <= Communist; s++ {
		holdsScoringCard[s] = !p.Piles[HandPile(s)].And(ScoringCards).IsEmpty()
	}
	switch {
	case holdsScoringCard[Democrat] && holdsScoringCard[Communist]:
		r.endMatch(HeldCard, 0)
	case holdsScoringCard[Democrat]:
		r.endMatch(HeldCard, r.seatOf(Communist))
	case holdsScoringCard[Communist]:
		r.endMatch(HeldCard, r.seatOf(Democrat))
	}
}

// Victory points in final scoring.
const (
	// FinalPowerVP is scored for each country where the Communist has Power.
	FinalPowerVP = -4
	// FinalRefugeVP is scored if the Tyrant was not captured.
	FinalRefugeVP = -2
)

// scoreFinal carries out final scoring (rule 10.4): Power, the Tyrant, and all six countries.
func (r *Run) scoreFinal() {
	p := r.p
	p.Phase = PhaseFinal
	n := p.CountPowers(Communist)
	r.addVP(FinalPowerVP*n, VPFromHeldPower, n)
	if p.Effects.Refuge != 0 {
		r.addVP(FinalRefugeVP, VPFromCeausescus, int(p.Effects.Refuge))
	}
	for c := EastGermany; c < Countries; c++ {
		r.scoreCountry(c)
	}
	r.endByVP(FinalScoring)
}

// LastBox is the last box of the Tiananmen track.
const LastBox = 8

// BoxThresholds are the totals that each side needs to enter the boxes (printed on the track).
var BoxThresholds = [2][9]int{
	Democrat:  {0, 5, 5, 6, 6, 7, 8, 9, 10},
	Communist: {0, 6, 6, 7, 7, 8, 7, 6, 5},
}

// AttemptModifier returns the sum of the modifiers of a Tiananmen attempt, without the Ops value (rule 6.3.1). It is
// the number of these that apply: the card has the side's own star, the side has failed at the same box before, the
// side has the award of box 1, and Li Peng (card 53) helps the Communist.
func (p *Position) AttemptModifier(side Side, c Card) int {
	modifier := 0
	if c.Info().Side == side {
		modifier++
	}
	if p.Tiananmen[side].Failed {
		modifier++
	}
	if p.HasAward(side, 1) {
		modifier++
	}
	if side == Communist && p.Effects.Cards.Has(LiPeng) {
		modifier++
	}
	return modifier
}

// CanAttempt reports whether a side may still make its attempt this turn.
func (p *Position) CanAttempt(side Side) bool {
	t := p.Tiananmen[side]
	return !t.Attempted && t.Box < LastBox
}

func (p *Position) canAttemptNow(f *Frame) bool { return f.MayAttempt && p.CanAttempt(f.Side) }

// attemptTiananmen makes a Tiananmen attempt (rule 6.3) and sets the next step of the procedure.
func (r *Run) attemptTiananmen(f *Frame, next uint8) error {
	die, err := r.roll(ReasonAttempt, 0)
	if err != nil {
		return err
	}
	p, side := r.p, f.Side
	f.Step = next
	t := &p.Tiananmen[side]
	ops, modifier := p.OpsValue(side, f.Card.Info().Ops, false), p.AttemptModifier(side, f.Card)
	box := t.Box + 1
	total, need := die+ops+modifier, BoxThresholds[side][box]
	t.Attempted = true
	r.emit(EvAttempt, int(side), int(box), die, ops, modifier, total, need, boolToInt(total >= need), int(f.Card))
	if total < need {
		t.Failed = true
		return nil
	}
	r.advanceTrack(side)
	return nil
}

// advanceTrack moves a side's marker to the next box and gives the award to the first side there.
// Markers stop at box 8.
func (r *Run) advanceTrack(side Side) {
	p := r.p
	t := &p.Tiananmen[side]
	if t.Box >= LastBox {
		return
	}
	t.Box++
	t.Failed = false
	isFirst := p.Tiananmen[side.Enemy()].Box < t.Box
	r.emit(EvBox, int(side), int(t.Box), boolToInt(isFirst))
	if isFirst && (t.Box == 3 || t.Box == 4) {
		r.push(Frame{Proc: ProcAward, Side: side, N: t.Box})
	}
}

// The steps of an immediate award (boxes 3 and 4). Frame.N is the box.
const (
	awardBegin uint8 = iota
	awardAsk
	awardDone
)

// box3Cards is the number of cards that box 3 draws. The side keeps one card.
const box3Cards = 3

// runAward executes a step of an immediate award.
func runAward(r *Run, f *Frame) error {
	p := r.p
	switch f.Step {
	case awardBegin:
		if f.N == 4 {
			isAsked := r.removePoints(f.Side, f.Side.Enemy(), SourceBox4, 2, p.ExistingSpaces(), 0)
			f.Step = awardDone
			if isAsked {
				f.Step = awardAsk
			}
			return nil
		}
		if p.Piles[PileShown].Len() < box3Cards {
			if c, err := r.deal(f.Side, PileShown, ReasonBox3); err != nil || c != 0 {
				return err
			}
		}
		// Fewer than three cards may be left.
		f.Step = awardDone
		if !p.Piles[PileShown].IsEmpty() {
			f.Step = awardAsk
			r.ask(Question{Kind: AskTake, Side: f.Side, Source: SourceBox3, Remaining: 1, Secret: true})
		}
	case awardAsk, awardDone:
		r.pop()
	}
	return nil
}

// answerAward executes an atom about an award: a point to remove, or the card to keep.
func answerAward(r *Run, f *Frame, a rules.Atom) {
	p := r.p
	switch AtomVerb(a) {
	case VerbRemove:
		r.removePoint(f.Side.Enemy(), Space(AtomValue(a)))
	case VerbTake:
		c := Card(AtomValue(a))
		r.closeQuestion()
		p.Move(c, PileShown, HandPile(f.Side))
		r.emitSecret(f.Side, 1, 0, EvKept, int(f.Side), int(c))
		remaining := p.Piles[PileShown]
		for c := remaining.Next(); c != 0; c = remaining.Next() {
			p.Move(c, PileShown, PileDiscard)
			r.emit(EvDiscarded, int(f.Side), int(c), int(SourceBox3))
		}
		f.Step = awardDone
	}
}

func appendAwardAtoms(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	if p.Question.Kind == AskRemove {
		return p.appendRemovalAtoms(f.Side.Enemy(), p.ExistingSpaces(), dst)
	}
	return appendAtoms(dst, VerbTake, 0, p.Piles[PileShown])
}
