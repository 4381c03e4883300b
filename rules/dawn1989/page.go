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
func (Game) Page(rv rules.View) []rules.Part { return rv.(*View).page(changes{}) }

// page are the parts of sections.go, with the spaces marked that have changed.
func (v *View) page(changed changes) []rules.Part {
	var out []rules.Part
	if c := v.p.struggle.Country; c != NoCountry {
		out = append(out, rules.Part{Title: struggleTitle(c), Blocks: paragraphs(v.struggleLines())})
	}
	if v.p.sideOf(v.seat) != Neutral && v.p.phase != PhaseBid {
		out = append(out, rules.Part{Title: "Your hand", Blocks: v.handBlocks()})
	}
	if lasting := v.effectLines(); len(lasting) > 0 {
		out = append(out, rules.Part{Title: "In force", Blocks: paragraphs(lasting)})
	}
	return append(out,
		rules.Part{Title: "What is known", Blocks: paragraphs(v.knownLines())},
		rules.Part{Title: "The map", Blocks: v.mapBlocks(changed)})
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
func (v *View) mapBlocks(changed changes) []rules.Block {
	out := []rules.Block{{Text: strings.Join(mapKey, " ")}}
	for c := EastGermany; c < countries; c++ {
		b := rules.Block{Heading: c.String(), Aside: fmt.Sprintf("(Power: %s)", v.powerOf(c, changed))}
		b.Text = strings.Join(v.standings(c), "\n")
		set := inCountry[c]
		for s := set.next(); s != 0; s = set.next() {
			b.Rows = append(b.Rows, v.spaceRow(s, changed.spaces.has(s)))
		}
		out = append(out, b)
	}
	return out
}

// spaceRow is a space of the map.
func (v *View) spaceRow(s Space, changed bool) rules.Row {
	p := &v.p
	info := s.Info()
	r := rules.Row{Strong: info.Battleground, Changed: changed}
	kind := fmt.Sprintf("%c%d", kindLetters[info.Kind], info.Stability)
	if info.Battleground {
		kind += "!"
	}
	if s == p.destroyed {
		r.Cells = []string{kind, info.Name, "", "", "", "destroyed" + changeMark(changed)}
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
	r.Cells = []string{kind, info.Name, points2(p.support[Democrat][s]), points2(p.support[Communist][s]), control + changeMark(changed), strings.Join(near, " ")}
	return r
}
