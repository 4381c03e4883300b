package robot

import (
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/search"
)

// Evaluator evaluates the positions at the ends of simulations. The logarithm of the Democrat's odds to win is the
// weighted sum of the features, plus Layer.logOdds if Layer is set. tools/train fits the weights.
type Evaluator struct {
	Weights [features]Weight
	Layer   *Layer
}

// Weight is the weight of a feature, as fixed-point numbers (weightScale stands for 1.0). Mean is the weight in turn
// 5, which is also the mean of turns 1 to 9. The weight grows by Slope from turn to turn. LastTurn is the weight in
// turn 10. For example, the weight {1172, 117, 1839} is 1172 + 2*117 in turn 7.
type Weight struct{ Mean, Slope, LastTurn int32 }

const weightScale = 1 << 12

// How many features there are: countryFeatures for each country, and otherFeatures for the rest of the position.
// marked is their number with the marks (addMarks), and features the number of all, with those of addTime and
// addLeads.
const (
	countryFeatures = 10
	otherFeatures   = 33
	// Evolving is the number of features before the marks. Only their weights change from turn to turn.
	Evolving = otherFeatures + countryFeatures*(int(engine.Countries)-1)
	marked   = Evolving + int(engine.Spaces) + 3*engine.Cards
	features = marked + 3 + int(engine.Spaces)
)

// Features are the feature values of a position, as fixed-point numbers (search.Unit stands for 1.0). Positive values
// favour the Democrat.
type Features [features]int32

// winChance returns the Democrat's chance to win, from 0 to search.Certain. sums keeps the sums of the hidden layer
// for the next call.
func (l *Evaluator) winChance(p *engine.Position, sums *layerSums) int {
	if p.Ending != engine.NotOver {
		switch {
		case p.Winners.Has(p.SeatOfSide[engine.Democrat]):
			return search.Certain
		case p.Winners.Has(p.SeatOfSide[engine.Communist]):
			return 0
		}
		return search.Certain / 2
	}
	if loser := findHeldCardLoser(p); loser != engine.Neutral {
		return search.Certain * int(loser)
	}
	values := ComputeFeatures(p)
	z := l.logOdds(p.Turn, &values)
	if l.Layer != nil {
		z += l.Layer.logOdds(&values, sums)
	}
	return search.Logistic(z)
}

// logOdds returns the logarithm of the Democrat's odds without the part of the hidden layer, as a fixed-point number
// (search.Unit stands for 1.0).
func (l *Evaluator) logOdds(turn int8, values *Features) int64 {
	sum := int64(0)
	for i, v := range values {
		w := &l.Weights[i]
		if turn >= engine.Turns {
			sum += int64(v) * int64(w.LastTurn)
		} else {
			sum += int64(v) * (int64(w.Mean) + int64(w.Slope)*int64(turn-5))
		}
	}
	return sum / weightScale
}

// findHeldCardLoser returns the side that has more scoring cards in hand than action rounds left: it will lose the
// match at the end of the turn (rule 4.5.4). If this is true of no side, it returns Neutral.
func findHeldCardLoser(p *engine.Position) engine.Side {
	if p.Phase != engine.PhaseRounds {
		return engine.Neutral
	}
	for side := engine.Democrat; side <= engine.Communist; side++ {
		roundsLeft := engine.RoundsPerTurn - int(p.Round) + 1
		if q := &p.Question; q.Kind == engine.AskExtraRound {
			roundsLeft = int(side) // Only the Communist has an extra round.
		} else if q.Side == engine.Democrat && q.Kind == engine.AskRound && side == engine.Communist {
			roundsLeft-- // The Communist's round with this number is over.
		}
		if p.Piles[engine.HandPile(side)].And(engine.ScoringCards).Len() > roundsLeft {
			return side
		}
	}
	return engine.Neutral
}

// featureList collects the features in their order. next is the index of the next feature.
type featureList struct {
	values Features
	next   int
}

// add appends a feature with the value value/unit.
func (m *featureList) add(value, unit int) {
	m.values[m.next] = int32(value * search.Unit / unit)
	m.next++
}

// ComputeFeatures computes the features of a position.
func ComputeFeatures(p *engine.Position) Features {
	m := new(featureList)
	m.add(1, 1)
	vp := int(p.VP)
	m.add(vp, 10)
	m.add(max(0, vp-10)+min(0, vp+10), 10)
	m.add(vp*vp*vp, 1000)
	var kinds [engine.SpaceTypes]int
	for c := engine.EastGermany; c < engine.Countries; c++ {
		m.addCountry(p, c, &kinds)
	}
	m.addHands(p)
	var o outlook
	o.rounds = max(0, engine.RoundsPerTurn-int(p.Round)+1)
	m.add(boxWorth[p.Tiananmen[engine.Democrat].Box]-boxWorth[p.Tiananmen[engine.Communist].Box], 500)
	m.add(o.otherWorth(p), 500)
	for _, n := range kinds {
		m.add(n, 5)
	}
	phasing := 0
	if p.Phase == engine.PhaseRounds {
		phasing = p.Phasing.Sign()
	}
	m.add(phasing, 1)
	m.add(int(p.USSR), 4)
	var inForce [3]int
	for inForceCards := p.Effects.Cards; !inForceCards.IsEmpty(); {
		inForce[inForceCards.Next().Info().Side]++
	}
	m.add(inForce[engine.Democrat], 3)
	m.add(inForce[engine.Communist], 3)
	for box := int8(1); box <= 8; box++ {
		award := 0
		if p.HasAward(engine.Democrat, box) {
			award = 1
		} else if p.HasAward(engine.Communist, box) {
			award = -1
		}
		m.add(award, 1)
	}
	m.add(sumBothWorths(p), 2000)
	m.addMarks(p)
	m.addTime(p)
	m.addLeads(p)
	return m.values
}

// addTime adds, for the hidden layer, the features that say how far the match is: the turn, the last turn, and the
// action rounds left.
func (m *featureList) addTime(p *engine.Position) {
	m.add(int(p.Turn), engine.Turns)
	m.add(int(p.Turn)/engine.Turns, 1)
	roundsLeft := 0
	if p.Phase == engine.PhaseRounds {
		roundsLeft = max(0, engine.RoundsPerTurn-int(p.Round)+1)
	}
	m.add(roundsLeft, engine.RoundsPerTurn)
}

// addLeads adds a feature for each space, sorted by the number of the space: the Democrat's lead in support divided
// by the stability, limited to -2 to 2.
func (m *featureList) addLeads(p *engine.Position) {
	occupied := p.Occupied[engine.Democrat].Or(p.Occupied[engine.Communist])
	for s := occupied.Next(); s != 0; s = occupied.Next() {
		lead := (int(p.Support[engine.Democrat][s]) - int(p.Support[engine.Communist][s])) * search.Unit / s.Info().Stability
		m.values[m.next+int(s)] = int32(max(-2*search.Unit, min(2*search.Unit, lead)))
	}
	m.next += int(engine.Spaces)
}

// addMarks adds the marks, features with the value 1, 0 or -1. Each space has a mark for its control. Each card has
// three marks: for the Democrat's hand, for the Communist's hand, and for cards in force.
func (m *featureList) addMarks(p *engine.Position) {
	for side := engine.Democrat; side <= engine.Communist; side++ {
		for controlled := p.Controlled[side].And(p.ExistingSpaces()); !controlled.IsEmpty(); {
			m.values[m.next+int(controlled.Next())] = int32(side.Sign()) * search.Unit
		}
	}
	m.next += int(engine.Spaces)
	for side, cards := range [...]engine.CardSet{p.Piles[engine.PileDemocrat], p.Piles[engine.PileCommunist], p.Effects.Cards} {
		value := int32(search.Unit)
		if side == int(engine.Communist) {
			value = -value
		}
		for !cards.IsEmpty() {
			m.values[m.next+int(cards.Next())] = value
		}
		m.next += engine.Cards
	}
}

// scoringProbability returns the probability, in tenths, that the scoring card of a country will be played in this
// turn or the next turn.
func scoringProbability(p *engine.Position, c engine.Country) int {
	card := engine.ScoringCardOf[c]
	switch {
	case p.Piles[engine.PileDemocrat].Has(card), p.Piles[engine.PileCommunist].Has(card), p.Piles[engine.PileTable].Has(card):
		return 10
	case p.Piles[engine.PileDeck].Has(card):
		return 5
	case p.Piles[engine.PileFuture].Has(card):
		return 3
	case p.Piles[engine.PileDiscard].Has(card):
		return 2
	}
	return 0
}

// addCountry adds the features of a country. It also counts types of spaces: each space that the Democrat controls
// adds 1 to its type in kinds, and each space that the Communist controls subtracts 1.
func (m *featureList) addCountry(p *engine.Position, c engine.Country, kinds *[engine.SpaceTypes]int) {
	spaces := engine.InCountry[c].And(p.ExistingSpaces())
	battlegrounds := spaces.And(engine.Battlegrounds)
	democrat, communist := p.Controlled[engine.Democrat].And(spaces), p.Controlled[engine.Communist].And(spaces)
	democratSpaces, communistSpaces, democratBattles, communistBattles := democrat.Len(), communist.Len(),
		democrat.And(battlegrounds).Len(), communist.And(battlegrounds).Len()
	level, struggle, probability := levelWorth(c, democratSpaces, communistSpaces, democratBattles, communistBattles,
		battlegrounds.Len()), struggleWorth(p, c, democratSpaces, communistSpaces), scoringProbability(p, c)
	powerHeld, powerTimes := 0, 0
	if p.Power[c].Holder == engine.Communist {
		powerHeld, powerTimes = 1, int(p.Power[c].Struggles)
	}
	margin, reserve, presence := 0, 0, 0
	occupied := spaces.And(p.Occupied[engine.Democrat].Or(p.Occupied[engine.Communist]))
	for s := occupied.Next(); s != 0; s = occupied.Next() {
		info := s.Info()
		democratPoints, communistPoints := int(p.Support[engine.Democrat][s]), int(p.Support[engine.Communist][s])
		lead, stability := democratPoints-communistPoints, info.Stability
		switch {
		case lead >= stability:
			reserve += min(lead-stability, 3)
			kinds[info.Type]++
		case -lead >= stability:
			reserve -= min(-lead-stability, 3)
			kinds[info.Type]--
		default:
			margin += 60 * lead / stability
		}
		presence += min(1, democratPoints) - min(1, communistPoints)
	}
	m.add(democratSpaces-communistSpaces, 5)
	m.add(democratBattles-communistBattles, 3)
	m.add(level, 1000)
	m.add(level*probability, 10_000)
	m.add(struggle*probability, 10_000)
	m.add(powerHeld, 1)
	m.add(powerTimes, 1)
	m.add(presence, 5)
	m.add(margin, 180)
	m.add(reserve, 5)
}

func (m *featureList) addHands(p *engine.Position) {
	ops, cards, own, enemy := 0, 0, 0, 0
	var scoring [2]int
	for side := engine.Democrat; side <= engine.Communist; side++ {
		hand, sign := p.Piles[engine.HandPile(side)], side.Sign()
		for c := hand.Next(); c != 0; c = hand.Next() {
			info := c.Info()
			cards += sign
			if info.Scoring != engine.NoCountry {
				scoring[side]++
				continue
			}
			ops += sign * info.Ops
			switch info.Side {
			case side:
				own += sign * info.Ops
			case side.Enemy():
				enemy += sign * info.Ops
			}
		}
	}
	m.add(ops, 10)
	m.add(cards, 5)
	m.add(own, 10)
	m.add(enemy, 10)
	m.add(scoring[engine.Democrat], 1)
	m.add(scoring[engine.Communist], 1)
}

// sumBothWorths returns the sum of two evaluations of a position by the rules of the sensible robot, one evaluation
// for each side.
func sumBothWorths(p *engine.Position) int {
	worth := 0
	for side := engine.Democrat; side <= engine.Communist; side++ {
		var o outlook
		enemy := side.Enemy()
		o.compute(p, side, p.KnownCards[enemy])
		worth += o.positionWorth(p, side) + enemy.Sign()*cardInHandWorth*p.Piles[engine.HandPile(enemy)].Minus(engine.ScoringCards).Len()
	}
	return worth
}

// FeatureName returns the name of feature i, for example "Poland spaces". Only the features before the marks (i <
// Evolving) have names.
func FeatureName(i int) string {
	first := len(firstFeatureNames)
	if n := i - first; n >= 0 && n < countryFeatures*(int(engine.Countries)-1) {
		return (engine.EastGermany + engine.Country(n/countryFeatures)).String() + " " + countryFeatureNames[n%countryFeatures]
	}
	if i < first {
		return firstFeatureNames[i]
	}
	return lastFeatureNames[i-first-countryFeatures*(int(engine.Countries)-1)]
}

// The names of the features before the marks, in the order of ComputeFeatures.
var (
	firstFeatureNames   = [...]string{"constant", "VP", "VP over 10", "VP cubed"}
	countryFeatureNames = [countryFeatures]string{"spaces", "battlegrounds", "scored now", "scored when due", "struggle when due",
		"Power held", "Power times", "presence", "margin", "reserve"}
	lastFeatureNames = [...]string{"Ops in hands", "cards in hands", "own Ops", "Ops with enemy's event", "scoring cards of the Democrat",
		"scoring cards of the Communist", "Tiananmen boxes", "effects in force", "elite", "bureaucrats", "farmers", "workers",
		"intellectuals", "students", "church", "minorities", "phasing", "U.S.S.R.", "Democrat's cards in force",
		"Communist's cards in force", "box 1", "box 2", "box 3", "box 4", "box 5", "box 6", "box 7", "box 8", "common sense"}
)
