package words

import (
	"fmt"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// The standing parts of a letter for pages that break lines themselves. They say
// what the sections of sections.go and maplines.go say.

// Headline is rules.Game.Headline.
func (Words) Headline(rv rules.View) string {
	p := &rv.(*engine.View).Seen
	switch {
	case p.Ending != engine.NotOver:
		return ""
	case p.Phase == engine.PhaseBid:
		return "the sides are bid for"
	case p.Struggle.Country != engine.NoCountry:
		return fmt.Sprintf("turn %d, %s", p.Turn, moment(p))
	}
	where := ", " + moment(p)
	if round, ok := strings.CutSuffix(moment(p), ofRounds); ok {
		where = " " + round
	}
	return fmt.Sprintf("turn %d%s", p.Turn, where)
}

// Role is rules.Game.Role.
func (Words) Role(rv rules.View) string {
	v := rv.(*engine.View)
	side := v.Seen.SideOf(v.Seat())
	switch {
	case side == engine.Neutral:
		return "a spectator"
	case v.Seen.Phase == engine.PhaseBid:
		return lower(chairs[v.Seat()])
	}
	return the(side)
}

// page are the parts of sections.go, with the spaces marked that have changed.
func page(v *engine.View, changed engine.Changes, same standing) []rules.Part {
	var out []rules.Part
	if c := v.Seen.Struggle.Country; c != engine.NoCountry {
		out = append(out, rules.Part{Title: struggleTitle(c), Blocks: paragraphs(same.struggle)})
	}
	if v.Seen.SideOf(v.Seat()) != engine.Neutral && v.Seen.Phase != engine.PhaseBid {
		out = append(out, rules.Part{Title: "Your hand", Blocks: handBlocks(v)})
	}
	if len(same.effects) > 0 {
		out = append(out, rules.Part{Title: "In force", Blocks: paragraphs(same.effects)})
	}
	return append(out,
		rules.Part{Title: "What is known", Blocks: paragraphs(same.known)},
		rules.Part{Title: "The map", Blocks: mapBlocks(v, changed)})
}

// handBlocks are the seat's cards, an entry each.
func handBlocks(v *engine.View) []rules.Block {
	side := v.Seen.SideOf(v.Seat())
	set := v.Seen.Piles[engine.HandOf(side)]
	if set.Empty() {
		return paragraphs(handLines(v))
	}
	var out []rules.Block
	for c := set.Next(); c != 0; c = set.Next() {
		info := c.Info()
		head := fmt.Sprintf("%3d  %-35s ", c, info.Name)
		out = append(out, rules.Block{
			Label: strconv.Itoa(int(c)), Lead: info.Name, Aside: strings.TrimPrefix(cardLine(v, c, side), head), Text: cardText(&v.Seen, c),
		})
	}
	if side == engine.Democrat {
		if aside := v.Seen.Piles[engine.PileAside]; !aside.Empty() {
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
func mapBlocks(v *engine.View, changed engine.Changes) []rules.Block {
	out := []rules.Block{{Text: strings.Join(mapKey, " ")}}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		b := rules.Block{Heading: c.String(), Aside: countryNote(v, c, changed)}
		b.Text = strings.Join(standings(v, c), "\n")
		set := engine.InCountry[c]
		for s := set.Next(); s != 0; s = set.Next() {
			b.Rows = append(b.Rows, spaceRow(v, s, changed.Spaces.Has(s)))
		}
		out = append(out, b)
	}
	return out
}

// spaceRow is a space of the map.
func spaceRow(v *engine.View, s engine.Space, changed bool) rules.Row {
	p := &v.Seen
	info := s.Info()
	r := rules.Row{Strong: info.Battleground, Changed: changed}
	kind := strings.TrimRight(spaceTitles()[s][:len("E1!")], " ")
	if s == p.Destroyed {
		r.Cells = []string{kind, info.Name, "", "", "", "destroyed" + changeMark(changed)}
		return r
	}
	control := ""
	for side := engine.Democrat; side <= engine.Communist; side++ {
		if p.Controls[side].Has(s) {
			control, r.Side = sideTitles[side][:1], int(side)+1
		}
	}
	near := nearNames()[s]
	if p.Destroyed != 0 {
		near = shortNamesOf(p.Neighbours(s), " ")
	}
	r.Cells = []string{kind, info.Name, points2(p.Support[engine.Democrat][s]), points2(p.Support[engine.Communist][s]), control + changeMark(changed), near}
	return r
}
