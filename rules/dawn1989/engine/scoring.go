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

// countryValues has the victory points of a country, as printed in its scoring box on the map: for each Level, and
// for keeping Power (rule 2.1.9).
type countryValues struct {
	Levels [4]int
	Power  int
}

// CountryValues has the victory points of each country.
var CountryValues = [Countries]countryValues{
	EastGermany:    {[4]int{0, 3, 6, 9}, 3},
	Poland:         {[4]int{0, 3, 6, 9}, 3},
	Czechoslovakia: {[4]int{0, 2, 4, 6}, 2},
	Hungary:        {[4]int{0, 1, 2, 4}, 1},
	Romania:        {[4]int{0, 2, 4, 6}, 2},
	Bulgaria:       {[4]int{0, 1, 2, 3}, 1},
}

// CountryLevel returns the level of a side in a country (rule 9.2) and the number of battlegrounds that the side
// controls there.
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

// addVP changes the VP. Then it ends the match if a side has an automatic victory (rule 10.1), but not in final
// scoring. During a power struggle it does not end the match either: endStruggle checks for the victory.
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

func (r *Run) checkAutomaticVictory() {
	switch {
	case r.p.VP >= 20:
		r.endMatch(AutomaticVictory, r.seatOf(Democrat))
	case r.p.VP <= -20:
		r.endMatch(AutomaticVictory, r.seatOf(Communist))
	}
}

func (r *Run) seatOf(s Side) rules.Seats { return rules.Only(r.p.SeatOfSide[s]) }

// endByVP ends the match. The side that leads in VP wins; with 0 VP the match is a draw (rules 10.3, 10.4.3).
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

// clearTable moves the cards on the table to the piles where they belong, because an event that ends the match does
// not reach finishEvent.
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
