package words

import (
	"fmt"

	"samizdat/rules/dawn1989/engine"
)

// What the map is worth as it stands. VP are written from the Democrat's side: +3 is his
// gain, -3 the Communist's.

// scoreNow is what a side would score in a country, and with what.
func scoreNow(p *engine.Position, s engine.Side, c engine.Country) (level engine.Level, battles, total int) {
	level, battles = p.Level(s, c)
	return level, battles, engine.CountryValues[c].Levels[level] + battles
}

// worth is what scoring a country would move VP by.
func worth(p *engine.Position, c engine.Country) int {
	_, _, democrat := scoreNow(p, engine.Democrat, c)
	_, _, communist := scoreNow(p, engine.Communist, c)
	return democrat - communist
}

// standings are what the sides would score in a country; who controls nothing
// there is passed over.
func standings(v *engine.View, c engine.Country) []string {
	p := &v.Seen
	var out []string
	for s := engine.Democrat; s <= engine.Communist; s++ {
		if n := p.ControlledIn(s, c); n > 0 {
			level, battles, total := scoreNow(p, s, c)
			out = append(out, fmt.Sprintf("%-9s controls %d, %s: %v %d + %d = %d", sideTitles[s], n, count(battles, "battleground"),
				level, total-battles, battles, total))
		}
	}
	return out
}

// vpLine is where VP stand, and what decides the match.
func vpLine(p *engine.Position) string {
	return fmt.Sprintf("VP: %s%s; the Democrat wins at +20, the Communist at -20", signed(int(p.VP)), ahead(p))
}

// scoreLines are what each country would give now, and final scoring.
func scoreLines(p *engine.Position) []string {
	var list []string
	sum := 0
	for c := engine.EastGermany; c < engine.Countries; c++ {
		n := worth(p, c)
		sum += n
		list = append(list, fmt.Sprintf("%v %s", c, signed(n)))
	}
	power := engine.FinalPowerVP * p.Powers(engine.Communist)
	text := fmt.Sprintf("VP %s, countries %s, Power held %s", signed(int(p.VP)), signed(sum), signed(power))
	total := int(p.VP) + sum + power
	if p.Effects.Refuge != 0 {
		text += fmt.Sprintf(", the Tyrant %d", engine.FinalRefugeVP)
		total += engine.FinalRefugeVP
	}
	return append(item("VP of each country if scored now", joinComma(list)),
		item(fmt.Sprintf("Final scoring (turn %d) as things stand", engine.Turns), fmt.Sprintf("%s: together %s", text, signed(total)))...)
}
