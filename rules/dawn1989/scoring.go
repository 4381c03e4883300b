package dawn1989

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
	levels [4]int
	power  int
}

var values = [countries]countryValues{
	EastGermany:    {[4]int{0, 3, 6, 9}, 3},
	Poland:         {[4]int{0, 3, 6, 9}, 3},
	Czechoslovakia: {[4]int{0, 2, 4, 6}, 2},
	Hungary:        {[4]int{0, 1, 2, 4}, 1},
	Romania:        {[4]int{0, 2, 4, 6}, 2},
	Bulgaria:       {[4]int{0, 1, 2, 3}, 1},
}

// level says how far a side holds a country (rule 9.2) and how many of its
// battlegrounds it controls.
func (p *Position) level(side Side, c Country) (l Level, battles int) {
	here := inCountry[c].and(p.onMap())
	mine, theirs := p.controls[side].and(here), p.controls[side.Enemy()].and(here)
	battle := here.and(battlegrounds)
	myBattles, theirBattles := mine.and(battle).len(), theirs.and(battle).len()
	more := mine.len() > theirs.len()
	switch {
	case mine.empty():
		return NoPresence, 0
	case more && myBattles == battle.len():
		return Control, myBattles
	case more && myBattles > theirBattles && mine.len() > myBattles:
		return Domination, myBattles
	}
	return Presence, myBattles
}

// score scores a country (rule 9.3): the best level of each side, and 1 VP for
// each battleground.
func (x *Run) score(c Country) {
	var vp, level, battles [2]int
	for s := Democrat; s <= Communist; s++ {
		l, b := x.p.level(s, c)
		level[s], battles[s] = int(l), b
		vp[s] = values[c].levels[l]
	}
	x.say(EvScored, int(c), level[0], vp[0], battles[0], level[1], vp[1], battles[1])
	x.vp(vp[0]+battles[0]-vp[1]-battles[1], WhyCountry, int(c))
}
