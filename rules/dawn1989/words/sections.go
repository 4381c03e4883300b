package words

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Sections implements rules.LetterTexts.
func (Words) Sections(rv rules.View) (out []rules.Section) {
	for _, p := range letterSections(rv.(*engine.View), engine.Changes{}) {
		out = append(out, rules.Section{Title: p.title, Lines: p.lines()})
	}
	return out
}

// MarkedSections implements rules.Game.MarkedSections.
func (Words) MarkedSections(rv rules.View, since []rules.Event) (sections []rules.Section, pageSections []rules.PageSection) {
	for _, p := range letterSections(rv.(*engine.View), engine.CollectChanges(since)) {
		sections = append(sections, rules.Section{Title: p.title, Lines: p.lines()})
		pageSections = append(pageSections, rules.PageSection{Title: p.title, Blocks: p.blocks()})
	}
	return sections, pageSections
}

// letterSection is a section of a letter. lines returns its lines for the text, and blocks its blocks for the HTML
// page.
type letterSection struct {
	title  string
	lines  func() []string
	blocks func() []rules.Block
}

// letterSections returns the sections of a letter that show the position. Spaces in changed are marked.
func letterSections(v *engine.View, changed engine.Changes) (out []letterSection) {
	add := func(title string, lines func() []string) {
		out = append(out, letterSection{title, lines, func() []rules.Block { return paragraphs(lines()) }})
	}
	if c := v.Visible.Struggle.Country; c != engine.NoCountry {
		// During a power struggle the power struggle cards come first, because the decision is about them.
		add(struggleTitle(c), func() []string { return struggleLines(v) })
	}
	if v.Visible.SideOf(v.Seat()) != engine.Neutral && v.Visible.Phase != engine.PhaseBid {
		out = append(out, letterSection{"Your hand", func() []string { return handLines(v) }, func() []rules.Block { return handBlocks(v) }})
	}
	if effects := effectLines(v); len(effects) > 0 && v.Visible.Ending == engine.NotOver {
		add("In force", func() []string { return effects })
	}
	add("What is known", func() []string { return publicLines(v) })
	return append(out, letterSection{"The map", func() []string { return mapLines(v, changed) },
		func() []rules.Block { return mapBlocks(v, changed) }})
}

// handLines returns the cards of the seat's hand: a line with number, title, Ops and asterisk for each, and below it
// the text of the event.
func handLines(v *engine.View) []string {
	side := v.Visible.SideOf(v.Seat())
	set := v.Visible.Piles[engine.HandPile(side)]
	if set.IsEmpty() {
		return []string{"no cards"}
	}
	var out []string
	for _, c := range set.List() {
		out = append(out, cardLine(v, c, side))
		out = append(out, textLines(&v.Visible, c)...)
	}
	return append(out, handNotes(v, side)...)
}

func handNotes(v *engine.View, side engine.Side) (out []string) {
	for hand := v.Visible.Piles[engine.HandPile(side)]; !hand.IsEmpty() && out == nil; {
		if hand.Next().Info().Asterisk {
			out = []string{"* means that the card leaves the game after its event."}
		}
	}
	if setAside := v.Visible.Piles[engine.PileAside]; side == engine.Democrat && !setAside.IsEmpty() {
		out = append(out, formatItem(fmt.Sprintf("Set aside until the next turn (%s)", fullTitle(engine.Samizdat)), cardList(setAside))...)
	}
	return out
}

// cardLine returns the line of a card in the hand: " 40  Hungarian Democratic Forum          2 Ops, yours *".
func cardLine(v *engine.View, c engine.Card, side engine.Side) string {
	return fmt.Sprintf("%3d  %-35s %s", c, c.Info().Name, cardUse(v, c, side))
}

// cardUse returns the Ops, the owner and the marks of a card in the hand, for example "3 Ops, yours *".
func cardUse(v *engine.View, c engine.Card, side engine.Side) string {
	info := c.Info()
	if info.Scoring != engine.NoCountry {
		return "scoring, must be played this turn"
	}
	owner := "neutral"
	switch info.Side {
	case side:
		owner = "yours"
	case side.Enemy():
		owner = "enemy"
	}
	ops := formatOps(info.Ops)
	if current := v.Visible.OpsValue(side, info.Ops, false); current != info.Ops {
		ops += fmt.Sprintf(", now %d", current)
	}
	mark := ""
	if info.Asterisk {
		mark = " *"
	}
	note := ""
	if c != engine.CommonEuropeanHome && !v.Visible.IsEventPlayable(c, engine.EventSide(c, side)) {
		note = " (no event)"
	}
	return fmt.Sprintf("%s, %s%s%s", ops, owner, mark, note)
}

// textLines returns the text of a card as indented lines, which stand below the line of the card.
func textLines(p *engine.Position, c engine.Card) []string {
	text := cardText(p, c)
	if lines, ok := wrappedTexts.Load(text); ok {
		return lines.([]string)
	}
	// Wrap does not indent the first line, so a placeholder as wide as the indent stands before it.
	const indent = len("  1  ")
	lines := Wrap(strings.Repeat("_", indent-1)+" "+text, indent)
	lines[0] = strings.Repeat(" ", indent) + lines[0][indent:]
	wrappedTexts.Store(text, lines)
	return lines
}

var wrappedTexts sync.Map

func publicLines(v *engine.View) []string {
	p := &v.Visible
	out := []string{vpLine(p)}
	if p.Ending == engine.NotOver && p.Phase != engine.PhaseBid {
		out = append(out, scoreLines(p)...)
	}
	if p.Bids[0].Received && p.Phase != engine.PhaseBid {
		out = append(out, fmt.Sprintf("%s plays the Democrat, %s the Communist.", bidderNames[p.SeatOfSide[engine.Democrat]],
			lowerFirst(bidderNames[p.SeatOfSide[engine.Communist]])))
	}
	var power [2][]string
	for c := engine.EastGermany; c < engine.Countries; c++ {
		name := c.String()
		holder := p.Power[c].Holder
		if n := p.Power[c].Struggles; n > 0 && holder == engine.Communist {
			name += fmt.Sprintf(" (kept %s)", formatTimes(int(n)))
		}
		power[holder] = append(power[holder], name)
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		out = append(out, formatItem("Power of "+sideName(s), joinComma(power[s]))...)
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		out = append(out, Wrap(trackLine(v, s), 2)...)
	}
	out = append(out, fmt.Sprintf("U.S.S.R. track: %s", engine.USSRNames[p.USSR]))
	return append(out, pileLines(v)...)
}

func trackLine(v *engine.View, s engine.Side) string {
	t := v.Visible.Tiananmen[s]
	text := fmt.Sprintf("Tiananmen track, %s: in box %d", sideTitles[s], t.Box)
	isOver := v.Visible.Ending != engine.NotOver
	if t.Box < 8 && !isOver {
		text += fmt.Sprintf("; the next box needs %d", engine.BoxThresholds[s][t.Box+1])
	}
	if t.Failed && !isOver {
		text += "; +1 to the roll, because an earlier attempt failed"
	}
	if t.Attempted && !isOver {
		text += "; no more attempts this turn"
	}
	for _, box := range [...]int8{1, 2, 5, 6, 7, 8} {
		if v.Visible.HasAward(s, box) {
			text += fmt.Sprintf("; box %d: %s", box, awardTexts[box])
			if box == 7 && t.UsedBox7 || box == 8 && t.UsedBox8 {
				text += " (used)"
			}
		}
	}
	return text
}

func effectLines(v *engine.View) []string {
	p := &v.Visible
	var out []string
	addEffect := func(c engine.Card, note string) {
		out = append(out, formatItem(fullTitle(c)+note, inForceText(p, c))...)
	}
	for _, c := range p.Effects.Cards.List() {
		switch {
		case c == engine.DebtBurden && p.Effects.DebtCountry != engine.NoCountry:
			addEffect(c, fmt.Sprintf(" (%v)", p.Effects.DebtCountry))
		case c == engine.Stasi && p.Effects.AnnouncedCard != 0:
			addEffect(c, fmt.Sprintf(" (announced: %d)", p.Effects.AnnouncedCard))
		case c == engine.StandFast && p.Effects.StandFast != 0:
			side := engine.Side(p.Effects.StandFast - 1)
			out = append(out, formatItem(fullTitle(c), fmt.Sprintf("For the rest of this turn, each support check of %s in a space that %s "+
				"controls gets -1.",
				sideName(side.Enemy()), sideName(side)))...)
		default:
			addEffect(c, "")
		}
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		if n := int(p.Effects.Prudence[s]); n > 0 {
			out = append(out, formatItem(fullTitle(engine.Prudence),
				fmt.Sprintf("For the rest of this turn, every Ops value of %s is %d less (minimum 1).", sideName(s), n))...)
		}
	}
	if p.Effects.ExtraRound {
		out = append(out, "The Communist has an eighth action round this turn.")
	}
	if p.Destroyed != 0 {
		out = append(out, fmt.Sprintf("%v is destroyed.", p.Destroyed))
	}
	if p.Effects.Refuge != 0 {
		out = append(out, formatItem(fullTitle(engine.TyrantIsGone), fmt.Sprintf("The Ceausescus are in %v. +2 VP once the Democrat controls "+
			"it; -2 VP in final scoring if he never does.", p.Effects.Refuge))...)
	}
	if p.Effects.EndDeclared {
		out = append(out, formatItem(fullTitle(engine.NewYearsEveParty), "The match ends with this turn. At its end the Democrat may start "+
			"a struggle where the Communist has Power. Then VP decide, without final scoring.")...)
	}
	return out
}

func pileLines(v *engine.View) []string {
	p := &v.Visible
	out := []string{fmt.Sprintf("Cards in hand: Democrat %d, Communist %d; in the draw deck: %d",
		v.PileCounts[engine.PileDemocrat], v.PileCounts[engine.PileCommunist], v.PileCounts[engine.PileDeck])}
	if v.PileCounts[engine.PileAside] > 0 && p.SideOf(v.Seat()) != engine.Democrat {
		out = append(out, "One of the Democrat's cards is set aside.")
	}
	if !v.KnownEnemyCards.IsEmpty() {
		out = append(out, formatItem("Certainly in the enemy's hand", cardList(v.KnownEnemyCards))...)
	}
	if drawn := p.Piles[engine.PileShown]; !drawn.IsEmpty() {
		out = append(out, formatItem("Drawn for box 3", cardList(drawn))...)
	}
	out = append(out, formatItem("Being played", cardList(p.Piles[engine.PileTable]))...)
	if inPlay := p.Piles[engine.PileInPlay].Minus(p.Effects.Cards); !inPlay.IsEmpty() {
		// Cards in force are listed by effectLines.
		out = append(out, formatItem("In play", cardList(inPlay))...)
	}
	out = append(out, formatItem("Discard pile", cardList(p.Piles[engine.PileDiscard]))...)
	out = append(out, formatItem("Out of the game", cardList(p.Piles[engine.PileRemoved]))...)
	if p.Ending != engine.NotOver {
		return out
	}
	return append(out, formatItem("Cards you have not seen", joinComma(mapTexts(v.HiddenCards(), fullTitle)))...)
}

// Headline implements rules.Game.Headline.
func (Words) Headline(rv rules.View) string {
	p := &rv.(*engine.View).Visible
	switch {
	case p.Ending != engine.NotOver:
		return ""
	case p.Phase == engine.PhaseBid:
		return "bidding for sides"
	case p.Struggle.Country != engine.NoCountry:
		return fmt.Sprintf("turn %d, %s", p.Turn, describeMoment(p))
	}
	where := ", " + describeMoment(p)
	if round, ok := strings.CutSuffix(describeMoment(p), ofRoundsText); ok {
		where = " " + round
	}
	return fmt.Sprintf("turn %d%s", p.Turn, where)
}

// Role implements rules.Game.Role.
func (Words) Role(rv rules.View) string {
	v := rv.(*engine.View)
	side := v.Visible.SideOf(v.Seat())
	switch {
	case side == engine.Neutral:
		return "a spectator"
	case v.Visible.Phase == engine.PhaseBid:
		return lowerFirst(bidderNames[v.Seat()])
	}
	return sideName(side)
}

func handBlocks(v *engine.View) []rules.Block {
	side := v.Visible.SideOf(v.Seat())
	set := v.Visible.Piles[engine.HandPile(side)]
	if set.IsEmpty() {
		return paragraphs(handLines(v))
	}
	var out []rules.Block
	for c := set.Next(); c != 0; c = set.Next() {
		out = append(out, rules.Block{
			Label: strconv.Itoa(int(c)), Lead: c.Info().Name, Aside: cardUse(v, c, side), Text: cardText(&v.Visible, c),
		})
	}
	return append(out, paragraphs(handNotes(v, side))...)
}

// paragraphs returns a block for each line; an indented line continues the block of the line above. A short text
// before a colon becomes the Lead of its block.
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
		if lead, remaining, ok := strings.Cut(t, ": "); ok && len(lead) < 50 {
			out[i] = rules.Block{Lead: lead + ":", Text: remaining}
		}
	}
	return out
}

func mapBlocks(v *engine.View, changed engine.Changes) []rules.Block {
	out := []rules.Block{{Text: strings.Join(mapLegend, " ")}}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		b := rules.Block{Heading: c.String(), Aside: countryNote(v, c, changed)}
		b.Text = strings.Join(currentScores(v, c), "\n")
		for _, s := range engine.InCountry[c].List() {
			b.Rows = append(b.Rows, spaceRow(v, s, changed.Spaces.Has(s)))
		}
		out = append(out, b)
	}
	return out
}

func spaceRow(v *engine.View, s engine.Space, hasChanged bool) rules.Row {
	p := &v.Visible
	info := s.Info()
	r := rules.Row{Strong: info.Battleground, Changed: hasChanged}
	kind := strings.TrimRight(spaceTitles()[s][:len("E1!")], " ")
	if s == p.Destroyed {
		r.Cells = []string{kind, info.Name, "", "", "", "destroyed" + changeMark(hasChanged)}
		return r
	}
	control := controlLetter(p, s)
	r.Side = strings.Index(" DC", control)
	neighbours := neighbourNames()[s]
	if p.Destroyed != 0 {
		neighbours = shortNamesOf(p.Neighbours(s), " ")
	}
	r.Cells = []string{kind, info.Name, formatPoints(p.Support[engine.Democrat][s]), formatPoints(p.Support[engine.Communist][s]),
		control + changeMark(hasChanged), neighbours}
	return r
}

// AnswerQuery implements rules.Game.AnswerQuery.
func (Words) AnswerQuery(rv rules.View, q rules.Query) []rules.Section {
	v := rv.(*engine.View)
	switch q {
	case rules.QueryDiscards:
		return []rules.Section{{Title: "The open cards", Lines: openCardLines(v)}}
	case rules.QueryHand:
		parts := findSection(rv, "Your hand")
		if c := v.Visible.Struggle.Country; c != engine.NoCountry && parts != nil {
			// During a power struggle the answer also has the power struggle cards.
			parts = append(parts, findSection(rv, struggleTitle(c))...)
		}
		return parts
	case rules.QueryMap:
		return findSection(rv, "The map")
	case rules.QuerySmallMap:
		return []rules.Section{{Title: "The map (Democrat-Communist, D or C controls, ! battleground)", Lines: smallMap(v)}}
	}
	return nil
}

func findSection(rv rules.View, title string) []rules.Section {
	for _, p := range letterSections(rv.(*engine.View), engine.Changes{}) {
		if p.title == title {
			return []rules.Section{{Title: title, Lines: p.lines()}}
		}
	}
	return nil
}

func openCardLines(v *engine.View) []string {
	var out []string
	for _, pile := range [...]struct {
		name string
		pile engine.Pile
	}{{"Played now", engine.PileTable}, {"In play", engine.PileInPlay}, {"Discard pile", engine.PileDiscard}, {"Out of the game",
		engine.PileRemoved}} {
		out = append(out, formatItem(pile.name, cardList(v.Visible.Piles[pile.pile]))...)
	}
	return out
}

// Turn implements rules.Game.Turn.
func (Words) Turn(rv rules.View) int { return max(1, int(rv.(*engine.View).Visible.Turn)) }
