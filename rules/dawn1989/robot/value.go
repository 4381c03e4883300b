package robot

import "samizdat/rules/dawn1989/engine"

// This file evaluates positions for the sensible robot. The unit of a worth is a hundredth of a victory point, and
// positive values favour the Democrat. All numbers are integers, so every machine computes the same result.

const vpWorth = 100

// outlook holds how important each country and each space is expected to be in the rest of the match. It is computed
// once for each answer.
type outlook struct {
	// expectedScorings says how often each country is expected to be scored, in hundredths, and expectedStruggles how
	// often a power struggle is expected there. For example, 130 means 1.3 times.
	expectedScorings, expectedStruggles [engine.Countries]int
	// spaceWorths has the worth of controlling each space, without the part that scoring gives.
	spaceWorths [engine.Spaces]int
	// rounds is the number of action rounds left in the turn.
	rounds int
}

// These constants say how often a scoring card is expected to be played, in hundredths. It depends on where the card
// is: in the own hand, known to be in the enemy's hand, at an unknown place, among the cards of later periods, or
// discarded.
const (
	expectedInHand  = 130
	expectedKnown   = 120
	expectedUnknown = 70
	expectedLater   = 45
	expectedDiscard = 35
)

// countryScale is the importance of a country, in hundredths. A country that gives 6 VP for Control has 100.
var countryScale [engine.Countries]int

var battlegroundsIn [engine.Countries]engine.SpaceSet

func init() {
	for c := engine.EastGermany; c < engine.Countries; c++ {
		battlegroundsIn[c] = engine.InCountry[c].And(engine.Battlegrounds)
		countryScale[c] = 100 * engine.CountryValues[c].Levels[engine.Control] / 6
	}
}

func (o *outlook) compute(p *engine.Position, side engine.Side, knownEnemyCards engine.CardSet) {
	final := 20 + 8*int(p.Turn)
	if p.Turn == engine.Turns {
		final = 110
	}
	o.rounds = max(0, engine.RoundsPerTurn-int(p.Round)+1)
	for c := engine.EastGermany; c < engine.Countries; c++ {
		card, expected := engine.ScoringCardOf[c], expectedUnknown
		switch {
		case p.Piles[engine.HandPile(side)].Has(card), p.Piles[engine.PileTable].Has(card):
			expected = expectedInHand
		case knownEnemyCards.Has(card):
			expected = expectedKnown
		case p.Piles[engine.PileDiscard].Has(card):
			expected = expectedDiscard
		case p.Piles[engine.PileRemoved].Has(card):
			expected = 0
		case p.Piles[engine.PileFuture].Has(card):
			expected = expectedLater
		}
		if p.Turn == engine.Turns && expected < expectedInHand {
			expected /= 2
		}
		o.expectedScorings[c] = final/2 + expected
		o.expectedStruggles[c] = expected
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		info := s.Info()
		worth := 40
		if info.Battleground {
			worth = 90
		}
		switch info.Type {
		case engine.Worker, engine.Elite, engine.Intellectual:
			// The most common leaders need spaces of these types.
			worth += 8
		}
		o.spaceWorths[s] = worth * countryScale[info.Country] / 100 * (40 + o.expectedScorings[info.Country]) / 150
	}
}

// winChances has the chances to win a power struggle, in hundredths, indexed by half the number of cards that a hand
// is larger. For example, winChances[2] is 66: a hand with four cards more than the enemy's wins 66 of 100 struggles.
var winChances = [...]int{50, 58, 66, 73, 80, 85, 89, 92, 94, 96}

// struggleWinChance returns the Democrat's chance to win a power struggle, in hundredths. democrat and communist say
// how many spaces each side controls in the country.
func struggleWinChance(democrat, communist int) int {
	d := (engine.StruggleHandSize(democrat) - engine.StruggleHandSize(communist)) / 2
	if d < 0 {
		return 100 - winChances[min(-d, len(winChances)-1)]
	}
	return winChances[min(d, len(winChances)-1)]
}

// struggleWorth returns the expected worth of a power struggle in a country. democrat and communist say how many
// spaces each side controls there.
func struggleWorth(p *engine.Position, c engine.Country, democrat, communist int) int {
	pw := &p.Power[c]
	if pw.Holder == engine.Democrat {
		return 0
	}
	power := vpWorth * engine.CountryValues[c].Power * (int(pw.Struggles) + 1)
	// On average the dice of the aftermath give 2 VP, and after every second victory of the Democrat they end the
	// Communist's Power; Power held at the end is worth 4 VP.
	winWorth := 2*vpWorth + 120 - power/2
	lossWorth := 2*vpWorth + power
	winChance := struggleWinChance(democrat, communist)
	return (winChance*winWorth - (100-winChance)*lossWorth) / 100
}

// levelWorth returns the worth of scoring a country now. The other arguments count spaces: own and enemy the spaces
// that the Democrat and the Communist control, ownBattles and enemyBattles their battlegrounds, and battles all
// battlegrounds.
func levelWorth(c engine.Country, own, enemy, ownBattles, enemyBattles, battles int) int {
	levelPoints := func(own, enemy, ownBattles, enemyBattles int) int {
		switch {
		case own == 0:
			return 0
		case own > enemy && ownBattles == battles:
			return engine.CountryValues[c].Levels[engine.Control] + ownBattles
		case own > enemy && ownBattles > enemyBattles && own > ownBattles:
			return engine.CountryValues[c].Levels[engine.Domination] + ownBattles
		}
		return engine.CountryValues[c].Levels[engine.Presence] + ownBattles
	}
	return vpWorth * (levelPoints(own, enemy, ownBattles, enemyBattles) - levelPoints(enemy, own, enemyBattles, ownBattles))
}

// scoringWorth returns the expected worth of playing the scoring card of a country now.
func scoringWorth(p *engine.Position, c engine.Country) int {
	spaces := engine.InCountry[c].And(p.ExistingSpaces())
	battlegrounds := spaces.And(engine.Battlegrounds)
	democrat, communist := p.Controlled[engine.Democrat].And(spaces), p.Controlled[engine.Communist].And(spaces)
	return levelWorth(c, democrat.Len(), communist.Len(), democrat.And(battlegrounds).Len(), communist.And(battlegrounds).Len(),
		battlegrounds.Len()) +
		struggleWorth(p, c, democrat.Len(), communist.Len())
}

// measureHold rates how firmly a side holds a space with this lead in support: 0 without a lead, 15 to 60 with a lead
// but without control, and 100 to 130 with control, depending on how much lead is to spare.
func measureHold(lead, stability int) int {
	switch {
	case lead <= 0:
		return 0
	case lead >= stability:
		return 100 + 10*min(lead-stability, 3)
	}
	return 15 + 45*lead/stability
}

// holdWorth is the Democrat's measureHold minus the Communist's, for a space with a stability and a lead of the
// Democrat: holdWorth[stability][lead+maxLead]. A lead above maxLead counts as maxLead.
var holdWorth [maxStability + 1][2*maxLead + 1]int

const maxStability, maxLead = 8, 12

func init() {
	for stability := 1; stability <= maxStability; stability++ {
		for lead := -maxLead; lead <= maxLead; lead++ {
			holdWorth[stability][lead+maxLead] = measureHold(lead, stability) - measureHold(-lead, stability)
		}
	}
}

// spaceWorth returns the worth of the support in a space, which is a part of countryWorth.
func (o *outlook) spaceWorth(p *engine.Position, s engine.Space) int {
	democrat, communist := int(p.Support[engine.Democrat][s]), int(p.Support[engine.Communist][s])
	lead := max(-maxLead, min(maxLead, democrat-communist))
	worth := holdWorth[s.Info().Stability][lead+maxLead] * o.spaceWorths[s] / 100
	// Support without a lead still helps to expand.
	return worth + 3*(min(1, democrat)-min(1, communist))
}

// controlWorth returns the worth of the control of a country's spaces, by scoring and by power struggles. It is a
// part of countryWorth. controls are the spaces that each side is assumed to control.
func (o *outlook) controlWorth(p *engine.Position, c engine.Country, controls *[2]engine.SpaceSet) int {
	democrat, communist, battles := controls[engine.Democrat].And(engine.InCountry[c]),
		controls[engine.Communist].And(engine.InCountry[c]), battlegroundsIn[c]
	if p.Destroyed != 0 && p.Destroyed.Info().Country == c {
		onMap := p.ExistingSpaces()
		democrat, communist, battles = democrat.And(onMap), communist.And(onMap), battles.And(onMap)
	}
	democratSpaces, communistSpaces := democrat.Len(), communist.Len()
	worth := levelWorth(c, democratSpaces, communistSpaces, democrat.And(battles).Len(), communist.And(battles).Len(),
		battles.Len()) * o.expectedScorings[c] / 100
	if o.expectedStruggles[c] > 0 {
		worth += struggleWorth(p, c, democratSpaces, communistSpaces) * o.expectedStruggles[c] / 100
	}
	return worth
}

func (o *outlook) countryWorth(p *engine.Position, c engine.Country) int {
	worth := o.controlWorth(p, c, &p.Controlled)
	occupied := engine.InCountry[c].And(p.Occupied[engine.Democrat].Or(p.Occupied[engine.Communist]))
	if p.Destroyed != 0 {
		occupied = occupied.And(p.ExistingSpaces())
	}
	for s := occupied.Next(); s != 0; s = occupied.Next() {
		worth += o.spaceWorth(p, s)
	}
	return worth
}

// trial measures a temporary change of the support in a space. Only spaceWorth of this space is computed again and,
// if the change gives another side control of the space, controlWorth of its country.
type trial struct {
	space      engine.Space
	spaceWorth int
	controls   [2]engine.SpaceSet
	// controlWorth is the controlWorth of the country before the change. It is computed when it is first needed;
	// isCached reports whether it is.
	controlWorth int
	isCached     bool
}

func (o *outlook) beginTrial(p *engine.Position, s engine.Space) trial {
	return trial{space: s, spaceWorth: o.spaceWorth(p, s), controls: p.Controlled}
}

// worthChange returns by how much the worth of the country has changed since the beginning of the trial.
func (o *outlook) worthChange(p *engine.Position, t *trial) int {
	change := o.spaceWorth(p, t.space) - t.spaceWorth
	if p.Controlled != t.controls {
		c := t.space.Info().Country
		if !t.isCached {
			t.controlWorth, t.isCached = o.controlWorth(p, c, &t.controls), true
		}
		change += o.controlWorth(p, c, &p.Controlled) - t.controlWorth
	}
	return change
}

// inForceWorth is the worth of each card in force with an effect that the map does not show. inForceWorthPerRound is
// the worth, for each action round left, of cards that are in force for one turn.
var inForceWorth, inForceWorthPerRound [engine.Cards]int

func init() {
	for c, w := range map[engine.Card]int{
		engine.SolidarityLegalized: 80, engine.GeneralStrike: 350, engine.TheWall: -80, engine.Stasi: -120, engine.RoundtableTalks: 120,
		engine.HelsinkiFinalAct: 150,
		engine.TearGas:          -50, engine.EcoGlasnost: 50, engine.WeAreThePeople: 60, engine.LiPeng: -80, engine.CrowdTurns: 200,
		engine.Yakovlev: 100, engine.PresidentialVisit: 150,
		engine.PeasantPartiesRevolt: 80, engine.Securitate: -100, engine.NationalSalvationFront: -120, engine.ArmyBacksRevolution: 40,
		engine.Ligachev:     -200,
		engine.TyrantIsGone: 150,
	} {
		inForceWorth[c] = w
	}
	for c, w := range map[engine.Card]int{
		engine.Perestroika: -60, engine.SinatraDoctrine: 60, engine.DebtBurden: 20, engine.AustriaHungaryBorder: 30, engine.Grenztruppen: -25,
		engine.Genscher:     35,
		engine.FRGEmbassies: 40, engine.Elena: -20,
	} {
		inForceWorthPerRound[c] = w
	}
}

var boxWorth = [...]int{0, 60, 160, 300, 430, 520, 650, 780, 900}

const (
	cardInHandWorth       = 60
	prudenceWorthPerRound = 55
	extraRoundWorth       = 180
	matchWinWorth         = 10_000
)

// nearWin is the number of victory points above which each further point counts more, because 20 win the match.
const nearWin = 10

// pointsWorth returns the worth of a number of victory points, given in hundredths.
func pointsWorth(vp int) int {
	if vp < 0 {
		return -pointsWorth(-vp)
	}
	worth := vp
	if over := (min(vp, 20*vpWorth) - nearWin*vpWorth) / 10; over > 0 {
		worth += over * over / 10
	}
	if vp >= 20*vpWorth {
		worth += matchWinWorth / 4
	}
	return worth
}

// vpChangeWorth returns the worth of a change of the victory points, given in hundredths.
func vpChangeWorth(p *engine.Position, change int) int {
	vp := vpWorth * int(p.VP)
	return pointsWorth(vp+change) - pointsWorth(vp)
}

// positionWorth returns the worth of a whole position. It counts the cards in the hand of side, and not those in the
// enemy's hand.
func (o *outlook) positionWorth(p *engine.Position, side engine.Side) int {
	if p.Ending != engine.NotOver {
		switch {
		case p.Winners.Has(p.SeatOfSide[engine.Democrat]):
			return matchWinWorth
		case p.Winners.Has(p.SeatOfSide[engine.Communist]):
			return -matchWinWorth
		}
		return 0
	}
	worth := pointsWorth(vpWorth * int(p.VP))
	for c := engine.EastGermany; c < engine.Countries; c++ {
		worth += o.countryWorth(p, c)
		if p.Power[c].Holder == engine.Communist {
			// Power is worth 4 VP at the end of the match.
			worth -= 150 + 20*int(p.Turn)
		}
	}
	return worth + o.otherWorth(p) + side.Sign()*cardInHandWorth*p.Piles[engine.HandPile(side)].Minus(engine.ScoringCards).Len()
}

// otherWorth returns the worth of effects in force, Tiananmen boxes and extra rounds.
func (o *outlook) otherWorth(p *engine.Position) int {
	worth := 0
	for inForceCards := p.Effects.Cards; !inForceCards.IsEmpty(); {
		c := inForceCards.Next()
		worth += inForceWorth[c] + inForceWorthPerRound[c]*o.rounds
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		worth += s.Sign() * (boxWorth[p.Tiananmen[s].Box] - prudenceWorthPerRound*int(p.Effects.Prudence[s])*o.rounds)
	}
	if p.Effects.StandFast != 0 {
		worth += engine.Side(p.Effects.StandFast-1).Sign() * 20 * o.rounds
	}
	if p.Effects.ExtraRound {
		worth -= extraRoundWorth
	}
	if p.Effects.Refuge != 0 {
		worth -= 50
	}
	return worth
}
