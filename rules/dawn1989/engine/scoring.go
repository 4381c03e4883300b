package engine

// Level is how far a side holds a country when it is scored (rule 9.2).
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

// countryValues are the victory points of a country's levels, and its Power
// value (the scoring boxes on the map, rule 2.1.9).
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

// Level says how far a side holds a country (rule 9.2) and how many of its
// battlegrounds it controls.
func (p *Position) Level(side Side, c Country) (l Level, battles int) {
	here := InCountry[c].And(p.OnMap())
	mine, theirs := p.Controls[side].And(here), p.Controls[side.Enemy()].And(here)
	battle := here.And(Battlegrounds)
	myBattles, theirBattles := mine.And(battle).Len(), theirs.And(battle).Len()
	more := mine.Len() > theirs.Len()
	switch {
	case mine.Empty():
		return NoPresence, 0
	case more && myBattles == battle.Len():
		return Control, myBattles
	case more && myBattles > theirBattles && mine.Len() > myBattles:
		return Domination, myBattles
	}
	return Presence, myBattles
}

// score scores a country (rule 9.3): the best level of each side, and 1 VP for
// each battleground.
func (x *Run) score(c Country) {
	var vp, level, battles [2]int
	for s := Democrat; s <= Communist; s++ {
		l, b := x.p.Level(s, c)
		level[s], battles[s] = int(l), b
		vp[s] = CountryValues[c].Levels[l]
	}
	x.say(EvScored, int(c), level[0], vp[0], battles[0], level[1], vp[1], battles[1])
	x.vp(vp[0]+battles[0]-vp[1]-battles[1], WhyCountry, int(c))
}
