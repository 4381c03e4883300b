package dawn1989

// What a position is worth to the sensible robot. Everything is counted in
// hundredths of a victory point in the Democrat's direction, in whole numbers, so
// that a robot answers alike on every machine.

// vpWorth is one victory point.
const vpWorth = 100

// outlook is what a robot expects of the rest of the match: how much each country
// and each space will still count. It is made once for each answer.
type outlook struct {
	// levels and struggles say, in hundredths, how often a country will be scored
	// and fought over.
	levels, struggles [countries]int
	// spaces is the worth of controlling a space for its own sake.
	spaces [spaces]int
	// rounds is how many action rounds are left in the turn.
	rounds int
}

// Expectations, in hundredths, that a scoring card will be played, by where it is
// as far as a side knows.
const (
	expectedMine    = 130
	expectedKnown   = 120
	expectedUnknown = 70
	expectedLater   = 45
	expectedDiscard = 35
)

// scale is how much a country counts, in hundredths, by its values.
var scale [countries]int

func init() {
	for c := EastGermany; c < countries; c++ {
		scale[c] = 100 * values[c].levels[Control] / 6
	}
}

// expect fills in the outlook of a side that sees a position. told are the
// enemy's cards that it knows.
func (o *outlook) expect(p *Position, side Side, told CardSet) {
	final := 20 + 8*int(p.turn)
	if p.turn == turns {
		final = 110
	}
	o.rounds = max(0, roundsATurn-int(p.round)+1)
	for c := EastGermany; c < countries; c++ {
		card, expected := scoringCard[c], expectedUnknown
		switch {
		case p.piles[hand(side)].has(card), p.piles[PileTable].has(card):
			expected = expectedMine
		case told.has(card):
			expected = expectedKnown
		case p.piles[PileDiscard].has(card):
			expected = expectedDiscard
		case p.piles[PileRemoved].has(card):
			expected = 0
		case p.piles[PileFuture].has(card):
			expected = expectedLater
		}
		if p.turn == turns && expected < expectedMine {
			expected /= 2
		}
		o.levels[c] = final/2 + expected
		o.struggles[c] = expected
	}
	for s := Space(1); s < spaces; s++ {
		info := &board[s]
		worth := 40
		if info.Battleground {
			worth = 90
		}
		switch info.Kind {
		case Worker, Elite, Intellectual:
			// Their leaders are the most common.
			worth += 8
		}
		o.spaces[s] = worth * scale[info.Country] / 100 * (40 + o.levels[info.Country]) / 150
	}
}

// chances are the chances, in hundredths, to win a power struggle with a number
// of cards more than the enemy, in steps of two.
var chances = [...]int{50, 58, 66, 73, 80, 85, 89, 92, 94, 96}

// chance is the Democrat's chance to win a power struggle.
func chance(democrat, communist int) int {
	d := (dealt(democrat) - dealt(communist)) / 2
	if d < 0 {
		return 100 - chances[min(-d, len(chances)-1)]
	}
	return chances[min(d, len(chances)-1)]
}

// struggleWorth is what a power struggle in a country is worth.
func (p *Position) struggleWorth(c Country, democrat, communist int) int {
	pw := &p.power[c]
	if pw.Held == Democrat {
		return 0
	}
	power := vpWorth * values[c].power * (int(pw.Times) + 1)
	// The dice of the aftermath bring about 2 VP and topple the Communist every
	// second time; Power held at the end is worth 4 VP.
	won := 2*vpWorth + 120 - power/2
	lost := 2*vpWorth + power
	win := chance(democrat, communist)
	return (win*won - (100-win)*lost) / 100
}

// levelWorth is what scoring a country now is worth.
func levelWorth(c Country, mine, theirs, myBattles, theirBattles, battles int) int {
	one := func(mine, theirs, myBattles, theirBattles int) int {
		switch {
		case mine == 0:
			return 0
		case mine > theirs && myBattles == battles:
			return values[c].levels[Control] + myBattles
		case mine > theirs && myBattles > theirBattles && mine > myBattles:
			return values[c].levels[Domination] + myBattles
		}
		return values[c].levels[Presence] + myBattles
	}
	return vpWorth * (one(mine, theirs, myBattles, theirBattles) - one(theirs, mine, theirBattles, myBattles))
}

// scoringWorth is what a scoring card played now is expected to bring.
func (p *Position) scoringWorth(c Country) int {
	here := inCountry[c].and(p.onMap())
	battle := here.and(battlegrounds)
	d, m := p.controls[Democrat].and(here), p.controls[Communist].and(here)
	return levelWorth(c, d.len(), m.len(), d.and(battle).len(), m.and(battle).len(), battle.len()) +
		p.struggleWorth(c, d.len(), m.len())
}

// hold is how far a side holds a space, from 0 to 100 for control and a little
// more for a reserve.
func hold(lead, stability int) int {
	switch {
	case lead <= 0:
		return 0
	case lead >= stability:
		return 100 + 10*min(lead-stability, 3)
	}
	return 15 + 45*lead/stability
}

// country is what a country is worth.
func (o *outlook) country(p *Position, c Country) int {
	here := inCountry[c].and(p.onMap())
	battle := here.and(battlegrounds)
	d, m := p.controls[Democrat].and(here), p.controls[Communist].and(here)
	nd, nm := d.len(), m.len()
	worth := levelWorth(c, nd, nm, d.and(battle).len(), m.and(battle).len(), battle.len()) * o.levels[c] / 100
	if o.struggles[c] > 0 {
		worth += p.struggleWorth(c, nd, nm) * o.struggles[c] / 100
	}
	held := here.and(p.holds[Democrat].or(p.holds[Communist]))
	for s := held.next(); s != 0; s = held.next() {
		lead, st := int(p.support[Democrat][s])-int(p.support[Communist][s]), board[s].Stability
		worth += (hold(lead, st) - hold(-lead, st)) * o.spaces[s] / 100
		// Support that does not lead is still somewhere to go on from.
		worth += 3 * (min(1, int(p.support[Democrat][s])) - min(1, int(p.support[Communist][s])))
	}
	return worth
}

// inForceWorth is what the lasting effects are worth that the map does not show,
// and for those of one turn, what they are worth in each round that is left.
var inForceWorth, inForceRounds [cards]int

func init() {
	for c, w := range map[Card]int{
		SolidarityLegalized: 80, GeneralStrike: 350, TheWall: -80, Stasi: -120, RoundtableTalks: 120, HelsinkiFinalAct: 150,
		TearGas: -50, EcoGlasnost: 50, WeAreThePeople: 60, LiPeng: -80, CrowdTurns: 200, Yakovlev: 100, PresidentialVisit: 150,
		PeasantPartiesRevolt: 80, Securitate: -100, NationalSalvationFront: -120, ArmyBacksRevolution: 40, Ligachev: -200,
		TyrantIsGone: 150,
	} {
		inForceWorth[c] = w
	}
	for c, w := range map[Card]int{
		Perestroika: -60, SinatraDoctrine: 60, DebtBurden: 20, AustriaHungaryBorder: 30, Grenztruppen: -25, Genscher: 35,
		FRGEmbassies: 40, Elena: -20,
	} {
		inForceRounds[c] = w
	}
}

// boxWorth is what standing in a box of the Tiananmen track is worth.
var boxWorth = [...]int{0, 60, 160, 300, 430, 520, 650, 780, 900}

// Worth of other things that a position shows.
const (
	cardInHand      = 60
	prudenceRound   = 55
	extraRoundWorth = 180
	matchOver       = 10_000
)

// nearWin is from where on victory points count more than themselves, since 20 of
// them win the match.
const nearWin = 10

// pointsWorth is what victory points, counted in hundredths, are worth.
func pointsWorth(vp int) int {
	if vp < 0 {
		return -pointsWorth(-vp)
	}
	worth := vp
	if over := (min(vp, 20*vpWorth) - nearWin*vpWorth) / 10; over > 0 {
		worth += over * over / 10
	}
	if vp >= 20*vpWorth {
		worth += matchOver / 4
	}
	return worth
}

// scored is what a change of the victory points is worth.
func (p *Position) scored(change int) int {
	vp := vpWorth * int(p.vp)
	return pointsWorth(vp+change) - pointsWorth(vp)
}

// position is what a whole position is worth.
func (o *outlook) position(p *Position, side Side) int {
	if p.ending != NotOver {
		switch {
		case p.winners.Has(p.sits[Democrat]):
			return matchOver
		case p.winners.Has(p.sits[Communist]):
			return -matchOver
		}
		return 0
	}
	worth := pointsWorth(vpWorth * int(p.vp))
	for c := EastGermany; c < countries; c++ {
		worth += o.country(p, c)
		if p.power[c].Held == Communist {
			// 4 VP at the end, if the match gets there.
			worth -= 150 + 20*int(p.turn)
		}
	}
	return worth + o.others(p) + side.sign()*cardInHand*p.piles[hand(side)].minus(scoringCards).len()
}

// others is the worth of what is not on the map.
func (o *outlook) others(p *Position) int {
	worth := 0
	for in := p.force.cards; !in.empty(); {
		c := in.next()
		worth += inForceWorth[c] + inForceRounds[c]*o.rounds
	}
	for s := Democrat; s <= Communist; s++ {
		worth += s.sign() * (boxWorth[p.tiananmen[s].Box] - prudenceRound*int(p.force.prudence[s])*o.rounds)
	}
	if p.force.standFast != 0 {
		worth += Side(p.force.standFast-1).sign() * 20 * o.rounds
	}
	if p.force.extraRound {
		worth -= extraRoundWorth
	}
	if p.force.refuge != 0 {
		worth -= 50
	}
	return worth
}
