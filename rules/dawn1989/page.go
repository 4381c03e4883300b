package dawn1989

import (
	"fmt"
	"strconv"
	"strings"

	"samizdat/rules"
)

// The standing parts of a letter for pages that break lines themselves. They say
// what the sections of sections.go and textmap.go say.

// Headline implements rules.Headliner.
func (Game) Headline(rv rules.View) string {
	p := &rv.(*View).p
	switch {
	case p.ending != NotOver:
		return ""
	case p.phase == PhaseBid:
		return "the sides are bid for"
	case p.struggle.Country != NoCountry:
		return fmt.Sprintf("turn %d, %s", p.turn, p.moment())
	}
	where := p.moment()
	if where == fmt.Sprintf("action round %d of %d", p.round, roundsATurn) {
		where = fmt.Sprintf("round %d", p.round)
	}
	return fmt.Sprintf("turn %d, %s", p.turn, where)
}

// Role implements rules.Headliner.
func (Game) Role(rv rules.View) string {
	v := rv.(*View)
	side := v.p.sideOf(v.seat)
	switch {
	case side == Neutral:
		return "a spectator"
	case v.p.phase == PhaseBid:
		return lower(chairs[v.seat])
	}
	return side.the()
}

// Page implements rules.Typesetter.
func (g Game) Page(rv rules.View) []rules.Part {
	v := rv.(*View)
	var out []rules.Part
	if v.p.sideOf(v.seat) != Neutral && v.p.phase != PhaseBid {
		out = append(out, rules.Part{Title: "Your hand", Blocks: v.handBlocks()})
	}
	if c := v.p.struggle.Country; c != NoCountry {
		out = append(out, rules.Part{Title: fmt.Sprintf("The power struggle in %v", c), Blocks: paragraphs(v.struggleLines())})
	}
	return append(out,
		rules.Part{Title: "What is known", Blocks: paragraphs(v.knownLines())},
		rules.Part{Title: "The map", Blocks: v.mapBlocks()})
}

// handBlocks are the seat's cards, an entry each.
func (v *View) handBlocks() []rules.Block {
	side := v.p.sideOf(v.seat)
	set := v.p.piles[hand(side)]
	if set.empty() {
		return paragraphs(v.handLines())
	}
	var out []rules.Block
	for c := set.next(); c != 0; c = set.next() {
		info := c.Info()
		head := fmt.Sprintf("%3d  %-35s ", c, info.Name)
		out = append(out, rules.Block{
			Label: strconv.Itoa(int(c)), Lead: info.Name, Aside: strings.TrimPrefix(v.cardLine(c, side), head), Text: info.Text,
		})
	}
	if side == Democrat {
		if aside := v.p.piles[PileAside]; !aside.empty() {
			out = append(out, paragraphs(item("Set aside", cardList(aside)))...)
		}
	}
	return out
}

// paragraphs undoes the breaking of lines: what is indented belongs to the line
// above. What stands before a colon is what the paragraph is about.
func paragraphs(lines []string) []rules.Block {
	var texts []string
	for _, l := range lines {
		if strings.HasPrefix(l, " ") && len(texts) > 0 {
			texts[len(texts)-1] += " " + strings.TrimSpace(l)
			continue
		}
		texts = append(texts, l)
	}
	out := make([]rules.Block, len(texts))
	for i, t := range texts {
		out[i].Text = t
		if lead, rest, ok := strings.Cut(t, ": "); ok && len(lead) < 50 {
			out[i] = rules.Block{Lead: lead + ":", Text: rest}
		}
	}
	return out
}

// mapBlocks are the map as a table for each country.
func (v *View) mapBlocks() []rules.Block {
	p := &v.p
	out := []rules.Block{{Text: strings.Join(mapKey, " ")}}
	for c := EastGermany; c < countries; c++ {
		b := rules.Block{Heading: c.String(), Aside: fmt.Sprintf("(Power: %s)", sideTitles[p.power[c].Held])}
		var levels []string
		for s := Democrat; s <= Communist; s++ {
			n, battles := p.level(s, c)
			levels = append(levels, fmt.Sprintf("%s controls %d, %s: %v", sideTitles[s], p.inCountry(s, c), count(battles, "battleground"), n))
		}
		b.Text = strings.Join(levels, "\n")
		set := inCountry[c]
		for s := set.next(); s != 0; s = set.next() {
			b.Rows = append(b.Rows, v.spaceRow(s))
		}
		out = append(out, b)
	}
	return out
}

// spaceRow is a space of the map.
func (v *View) spaceRow(s Space) rules.Row {
	p := &v.p
	info := s.Info()
	r := rules.Row{Strong: info.Battleground}
	kind := fmt.Sprintf("%c%d", kindLetters[info.Kind], info.Stability)
	if info.Battleground {
		kind += "!"
	}
	if s == p.destroyed {
		r.Cells = []string{kind, info.Name, "", "", "", "destroyed"}
		return r
	}
	control := ""
	for side := Democrat; side <= Communist; side++ {
		if p.controls[side].has(s) {
			control, r.Side = sideTitles[side][:1], int(side)+1
		}
	}
	var near []string
	set := p.neighbours(s)
	for n := set.next(); n != 0; n = set.next() {
		near = append(near, short[n])
	}
	r.Cells = []string{kind, info.Name, points2(p.support[Democrat][s]), points2(p.support[Communist][s]), control, strings.Join(near, " ")}
	return r
}

// mapKey explains the columns.
var mapKey = []string{
	"Type and stability, ! battleground, support of Democrat and Communist,",
	"control (D or C), neighbours. E elite, B bureaucrat, F farmer, W worker,",
	"I intellectual, S student, C church, M minority.",
}
