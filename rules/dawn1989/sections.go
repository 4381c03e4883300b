package dawn1989

import (
	"fmt"
	"strings"

	"samizdat/rules"
)

// Sections implements rules.Scribe.
func (Game) Sections(rv rules.View) []rules.Section { return rv.(*View).sections(changes{}) }

// Marked implements rules.Marker.
func (Game) Marked(rv rules.View, since []rules.Event) ([]rules.Section, []rules.Part) {
	v, c := rv.(*View), changesOf(since)
	return v.sections(c), v.page(c)
}

// sections are the standing parts, with the spaces marked that have changed.
func (v *View) sections(changed changes) []rules.Section {
	var out []rules.Section
	if c := v.p.struggle.Country; c != NoCountry {
		// While it lasts its cards are what is decided on.
		out = append(out, rules.Section{Title: struggleTitle(c), Lines: v.struggleLines()})
	}
	if v.p.sideOf(v.seat) != Neutral && v.p.phase != PhaseBid {
		out = append(out, rules.Section{Title: "Your hand", Lines: v.handLines()})
	}
	if lasting := v.effectLines(); len(lasting) > 0 {
		out = append(out, rules.Section{Title: "In force", Lines: lasting})
	}
	return append(out,
		rules.Section{Title: "What is known", Lines: v.knownLines()},
		rules.Section{Title: "The map", Lines: v.mapLines(changed)})
}

func struggleTitle(c Country) string { return fmt.Sprintf("The power struggle in %v", c) }

// handLines lists the seat's cards: number, title, Ops, whose star, asterisk,
// and below what the event does.
func (v *View) handLines() []string {
	side := v.p.sideOf(v.seat)
	set := v.p.piles[hand(side)]
	if set.empty() {
		return []string{"no cards"}
	}
	var out []string
	for c := set.next(); c != 0; c = set.next() {
		out = append(out, v.cardLine(c, side))
		out = append(out, textLines(c)...)
	}
	if side == Democrat {
		if aside := v.p.piles[PileAside]; !aside.empty() {
			out = append(out, item("Set aside", cardList(aside))...)
		}
	}
	return out
}

// cardLine is one card of the hand. Ops that events change are shown as they
// count now.
func (v *View) cardLine(c Card, side Side) string {
	info := c.Info()
	if info.Scoring != NoCountry {
		return fmt.Sprintf("%3d  %-35s scoring, must be played this turn", c, info.Name)
	}
	whose := "neutral"
	switch info.Side {
	case side:
		whose = "own"
	case side.Enemy():
		whose = "enemy"
	}
	ops := fmt.Sprintf("%d Ops", info.Ops)
	if now := v.p.opsValue(side, info.Ops, false); now != info.Ops {
		ops += fmt.Sprintf(", now %d", now)
	}
	mark := ""
	if info.Asterisk {
		mark = " *"
	}
	note := ""
	if c != CommonEuropeanHome && !v.p.playable(c, resolver(c, side)) {
		note = "  no event now"
	}
	return fmt.Sprintf("%3d  %-35s %s, %s%s%s", c, info.Name, ops, whose, mark, note)
}

// textLines are a card's text, below its title in the hand.
func textLines(c Card) []string {
	// Something has to stand where the number and the title do, so that the first
	// line is as short as the others.
	const indent = len("  1  ")
	lines := wrap(strings.Repeat("_", indent-1)+" "+c.Info().Text, indent)
	lines[0] = strings.Repeat(" ", indent) + lines[0][indent:]
	return lines
}

// struggleLines are the power struggle as the seat knows it.
func (v *View) struggleLines() []string {
	st := &v.p.struggle
	var out []string
	if side := v.p.sideOf(v.seat); side != Neutral {
		out = append(out, item("Your cards", handList(st.Hands[side]))...)
		var useless []string
		for k, n := range st.Hands[side] {
			if c := StruggleCard(k); n > 0 && c.Info().Leader && !v.p.usable(side, c) {
				useless = append(useless, c.String())
			}
		}
		if len(useless) > 0 {
			out = append(out, item("Leaders without a controlled space of theirs", joinComma(useless))...)
		}
		if theirs := st.Hands[side.Enemy()]; theirs.len() > 0 {
			out = append(out, item("The enemy's cards", handList(theirs))...)
		}
	}
	out = append(out, fmt.Sprintf("Cards held: Democrat %d, Communist %d", v.struggleCount[Democrat], v.struggleCount[Communist]))
	if st.Winner == Neutral {
		out = append(out, fmt.Sprintf("Initiative: %s", sideTitles[st.Attacker]))
	} else {
		out = append(out, fmt.Sprintf("Won by: %s", sideTitles[st.Winner]))
	}
	out = append(out, fmt.Sprintf("Stakes raised: %s", times(int(st.Raised))))
	var banned []string
	for s := RallySuit; s < suits; s++ {
		if st.Banned[s] {
			banned = append(banned, s.String())
		}
	}
	return append(out, item("Banned suits", joinComma(banned))...)
}

func times(n int) string {
	return [...]string{"not at all", "once", "twice", "three times"}[min(n, 3)]
}

// knownLines are the tracks and the cards as the seat knows them.
func (v *View) knownLines() []string {
	p := &v.p
	out := []string{fmt.Sprintf("VP: %s%s", signed(int(p.vp)), p.ahead())}
	if p.bids[0].In && p.phase != PhaseBid {
		out = append(out, fmt.Sprintf("%s plays the Democrat, %s the Communist.", chairs[p.sits[Democrat]], lower(chairs[p.sits[Communist]])))
	}
	var power [2][]string
	for c := EastGermany; c < countries; c++ {
		name := c.String()
		held := p.power[c].Held
		if n := p.power[c].Times; n > 0 && held == Communist {
			name += fmt.Sprintf(" (kept %s)", count(int(n), "time"))
		}
		power[held] = append(power[held], name)
	}
	for s := Democrat; s <= Communist; s++ {
		out = append(out, item("Power of "+s.the(), joinComma(power[s]))...)
	}
	for s := Democrat; s <= Communist; s++ {
		out = append(out, wrap(v.trackLine(s), 2)...)
	}
	out = append(out, fmt.Sprintf("U.S.S.R. track: %s", ussrNames[p.ussr]))
	return append(out, v.pileLines()...)
}

// trackLine is a side's standing on the Tiananmen track.
func (v *View) trackLine(s Side) string {
	t := v.p.tiananmen[s]
	text := fmt.Sprintf("Tiananmen track, %s: box %d", sideTitles[s], t.Box)
	if t.Box < 8 {
		text += fmt.Sprintf(", next needs %d", required[s][t.Box+1])
	}
	if t.Failed {
		text += ", failed there before (+1)"
	}
	if t.Attempted {
		text += ", attempted this turn"
	}
	for _, box := range [...]int8{1, 2, 5, 6, 7, 8} {
		if v.p.awarded(s, box) {
			text += fmt.Sprintf("; box %d: %s", box, awards[box])
			if box == 7 && t.Seventh || box == 8 && t.Eighth {
				text += " (used)"
			}
		}
	}
	return text
}

// effectLines are the effects in force, with what each has to remember and what
// it does from now on.
func (v *View) effectLines() []string {
	p := &v.p
	var out []string
	effect := func(c Card, note string) { out = append(out, item(c.full()+note, c.lasting())...) }
	set := p.force.cards
	for c := set.next(); c != 0; c = set.next() {
		switch {
		case c == DebtBurden && p.force.debt != NoCountry:
			effect(c, fmt.Sprintf(" (%v)", p.force.debt))
		case c == Stasi && p.force.announced != 0:
			effect(c, fmt.Sprintf(" (announced: %d)", p.force.announced))
		default:
			effect(c, "")
		}
	}
	for s := Democrat; s <= Communist; s++ {
		if n := int(p.force.prudence[s]); n > 0 {
			effect(Prudence, fmt.Sprintf(" (%s: -%d Ops)", s.the(), n))
		}
	}
	if p.force.standFast != 0 && !p.force.cards.has(StandFast) {
		effect(StandFast, fmt.Sprintf(" (%s)", Side(p.force.standFast-1).the()))
	}
	if p.force.extraRound {
		out = append(out, "The Communist has an eighth action round this turn.")
	}
	if p.destroyed != 0 {
		out = append(out, fmt.Sprintf("%v is destroyed.", p.destroyed))
	}
	if p.force.refuge != 0 {
		out = append(out, fmt.Sprintf("The Tyrant is in %v.", p.force.refuge))
	}
	return out
}

// lastsFrom begin the sentence of a card's text from which on it tells what
// lasts; before it stands what the event does at once.
var lastsFrom = [...]string{
	"The whole game", "Lasts", "The next", "In the next", "If the Democrat wins the next", "At the next", "Each later", "In each", "In any case",
	"The card returns", "Ends", "Allows",
}

// inWords leaves out the colon, since the title before it has one.
var inWords = strings.NewReplacer("The whole game: ", "The whole game, ", "Lasts this turn: ", "This turn, ")

// lasting is what a card's text says of the time after its event; all of it
// where that cannot be told apart.
func (c Card) lasting() string {
	text, _, _ := strings.Cut(c.Info().Text, " No effect after ")
	sentences := strings.SplitAfter(text, ". ")
	for i, s := range sentences {
		for _, w := range lastsFrom {
			if strings.HasPrefix(s, w) {
				return inWords.Replace(strings.TrimSpace(strings.Join(sentences[i:], "")))
			}
		}
	}
	return text
}

// pileLines are the piles of cards: what is open by title, what is hidden by
// number of cards.
func (v *View) pileLines() []string {
	p := &v.p
	out := []string{fmt.Sprintf("Cards in hand: Democrat %d, Communist %d; in the draw deck: %d",
		v.count[PileDemocrat], v.count[PileCommunist], v.count[PileDeck])}
	if v.count[PileAside] > 0 && p.sideOf(v.seat) != Democrat {
		out = append(out, "A card of the Democrat is set aside.")
	}
	if !v.told.empty() {
		out = append(out, item("In the enemy's hand for certain", cardList(v.told))...)
	}
	if shown := p.piles[PileShown]; !shown.empty() {
		out = append(out, item("Drawn for box 3", cardList(shown))...)
	}
	out = append(out, item("Played now", cardList(p.piles[PileTable]))...)
	if idle := p.piles[PileInPlay].minus(p.force.cards); !idle.empty() {
		// The others stand among the effects in force.
		out = append(out, item("In play", cardList(idle))...)
	}
	out = append(out, item("Discard pile", cardList(p.piles[PileDiscard]))...)
	out = append(out, item("Out of the game", numberList(p.piles[PileRemoved]))...)
	return append(out, item("Not seen", cardList(v.unseen()))...)
}

// unseen are the cards that the seat cannot tell the place of: in the draw deck
// or in a hand that is hidden from it.
func (v *View) unseen() CardSet {
	all := inPeriod[Early].or(inPeriod[Middle]).or(inPeriod[Late])
	for pile := range piles {
		if pile != PileDeck {
			all = all.minus(v.p.piles[pile])
		}
	}
	return all.minus(v.told)
}
