package words

import (
	"fmt"
	"strings"
	"sync"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Sections implements rules.Scribe.
func (Words) Sections(rv rules.View) []rules.Section {
	v := rv.(*engine.View)
	return sections(v, engine.Changes{}, standingOf(v))
}

// Marked is rules.Game.Marked.
func (Words) Marked(rv rules.View, since []rules.Event) ([]rules.Section, []rules.Part) {
	v, c := rv.(*engine.View), engine.ChangesOf(since)
	s := standingOf(v)
	return sections(v, c, s), page(v, c, s)
}

// standing is what text and page have alike, as lines.
type standing struct{ struggle, effects, known []string }

func standingOf(v *engine.View) (s standing) {
	if v.Seen.Struggle.Country != engine.NoCountry {
		s.struggle = struggleLines(v)
	}
	s.effects, s.known = effectLines(v), knownLines(v)
	return s
}

// sections are the standing parts, with the spaces marked that have changed.
func sections(v *engine.View, changed engine.Changes, same standing) []rules.Section {
	var out []rules.Section
	if c := v.Seen.Struggle.Country; c != engine.NoCountry {
		// While it lasts its cards are what is decided on.
		out = append(out, rules.Section{Title: struggleTitle(c), Lines: same.struggle})
	}
	if v.Seen.SideOf(v.Seat()) != engine.Neutral && v.Seen.Phase != engine.PhaseBid {
		out = append(out, rules.Section{Title: "Your hand", Lines: handLines(v)})
	}
	if len(same.effects) > 0 {
		out = append(out, rules.Section{Title: "In force", Lines: same.effects})
	}
	return append(out,
		rules.Section{Title: "What is known", Lines: same.known},
		rules.Section{Title: "The map", Lines: mapLines(v, changed)})
}

// handLines lists the seat's cards: number, title, Ops, whose star, asterisk,
// and below what the event does.
func handLines(v *engine.View) []string {
	side := v.Seen.SideOf(v.Seat())
	set := v.Seen.Piles[engine.HandOf(side)]
	if set.Empty() {
		return []string{"no cards"}
	}
	var out []string
	for c := set.Next(); c != 0; c = set.Next() {
		out = append(out, cardLine(v, c, side))
		out = append(out, textLines(&v.Seen, c)...)
	}
	if side == engine.Democrat {
		if aside := v.Seen.Piles[engine.PileAside]; !aside.Empty() {
			out = append(out, item("Set aside", cardList(aside))...)
		}
	}
	return out
}

// cardLine is one card of the hand. Ops that events change are shown as they
// count now.
func cardLine(v *engine.View, c engine.Card, side engine.Side) string {
	info := c.Info()
	if info.Scoring != engine.NoCountry {
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
	if now := v.Seen.OpsValue(side, info.Ops, false); now != info.Ops {
		ops += fmt.Sprintf(", now %d", now)
	}
	mark := ""
	if info.Asterisk {
		mark = " *"
	}
	note := ""
	if c != engine.CommonEuropeanHome && !v.Seen.Playable(c, engine.Resolver(c, side)) {
		note = "  no event now"
	}
	return fmt.Sprintf("%3d  %-35s %s, %s%s%s", c, info.Name, ops, whose, mark, note)
}

// textLines are a card's text, below its title in the hand.
func textLines(p *engine.Position, c engine.Card) []string {
	text := cardText(p, c)
	if lines, ok := laidTexts.Load(text); ok {
		return lines.([]string)
	}
	// Something has to stand where the number and the title do, so that the first
	// line is as short as the others.
	const indent = len("  1  ")
	lines := Wrap(strings.Repeat("_", indent-1)+" "+text, indent)
	lines[0] = strings.Repeat(" ", indent) + lines[0][indent:]
	laidTexts.Store(text, lines)
	return lines
}

// laidTexts are the texts of cards in lines, which every letter with the card has.
var laidTexts sync.Map

// knownLines are the tracks and the cards as the seat knows them.
func knownLines(v *engine.View) []string {
	p := &v.Seen
	out := []string{vpLine(p)}
	if p.Ending == engine.NotOver && p.Phase != engine.PhaseBid {
		out = append(out, scoreLines(p)...)
	}
	if p.Bids[0].In && p.Phase != engine.PhaseBid {
		out = append(out, fmt.Sprintf("%s plays the Democrat, %s the Communist.", chairs[p.Sits[engine.Democrat]], lower(chairs[p.Sits[engine.Communist]])))
	}
	var power [2][]string
	for c := engine.EastGermany; c < engine.Countries; c++ {
		name := c.String()
		held := p.Power[c].Held
		if n := p.Power[c].Times; n > 0 && held == engine.Communist {
			name += fmt.Sprintf(" (kept %s)", times(int(n)))
		}
		power[held] = append(power[held], name)
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		out = append(out, item("Power of "+the(s), joinComma(power[s]))...)
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		out = append(out, Wrap(trackLine(v, s), 2)...)
	}
	out = append(out, fmt.Sprintf("U.S.S.R. track: %s", engine.USSRNames[p.USSR]))
	return append(out, pileLines(v)...)
}

// trackLine is a side's standing on the Tiananmen track.
func trackLine(v *engine.View, s engine.Side) string {
	t := v.Seen.Tiananmen[s]
	text := fmt.Sprintf("Tiananmen track, %s: box %d", sideTitles[s], t.Box)
	if t.Box < 8 {
		text += fmt.Sprintf(", next needs %d", engine.BoxNeeds[s][t.Box+1])
	}
	if t.Failed {
		text += ", failed there before (+1)"
	}
	if t.Attempted {
		text += ", attempted this turn"
	}
	for _, box := range [...]int8{1, 2, 5, 6, 7, 8} {
		if v.Seen.Awarded(s, box) {
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
func effectLines(v *engine.View) []string {
	p := &v.Seen
	var out []string
	effect := func(c engine.Card, note string) { out = append(out, item(full(c)+note, lasting(p, c))...) }
	set := p.Effects.Cards
	for c := set.Next(); c != 0; c = set.Next() {
		switch {
		case c == engine.DebtBurden && p.Effects.Debt != engine.NoCountry:
			effect(c, fmt.Sprintf(" (%v)", p.Effects.Debt))
		case c == engine.Stasi && p.Effects.Announced != 0:
			effect(c, fmt.Sprintf(" (announced: %d)", p.Effects.Announced))
		case c == engine.StandFast && p.Effects.StandFast != 0:
			mine := engine.Side(p.Effects.StandFast - 1)
			out = append(out, item(full(c), fmt.Sprintf("This turn, each support check of %s in a space that %s controls gets -1.", the(mine.Enemy()), the(mine)))...)
		default:
			effect(c, "")
		}
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		if n := int(p.Effects.Prudence[s]); n > 0 {
			out = append(out, item(full(engine.Prudence), fmt.Sprintf("This turn, every Ops value of %s is %d less, at least 1.", the(s), n))...)
		}
	}
	if p.Effects.ExtraRound {
		out = append(out, "The Communist has an eighth action round this turn.")
	}
	if p.Destroyed != 0 {
		out = append(out, fmt.Sprintf("%v is destroyed.", p.Destroyed))
	}
	if p.Effects.Refuge != 0 {
		out = append(out, fmt.Sprintf("The Tyrant is in %v.", p.Effects.Refuge))
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
func lasting(p *engine.Position, c engine.Card) string {
	text, _, _ := strings.Cut(cardText(p, c), " No effect after ")
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
func pileLines(v *engine.View) []string {
	p := &v.Seen
	out := []string{fmt.Sprintf("Cards in hand: Democrat %d, Communist %d; in the draw deck: %d",
		v.Count[engine.PileDemocrat], v.Count[engine.PileCommunist], v.Count[engine.PileDeck])}
	if v.Count[engine.PileAside] > 0 && p.SideOf(v.Seat()) != engine.Democrat {
		out = append(out, "A card of the Democrat is set aside.")
	}
	if !v.EnemyHolds.Empty() {
		out = append(out, item("In the enemy's hand for certain", cardList(v.EnemyHolds))...)
	}
	if shown := p.Piles[engine.PileShown]; !shown.Empty() {
		out = append(out, item("Drawn for box 3", cardList(shown))...)
	}
	out = append(out, item("Played now", cardList(p.Piles[engine.PileTable]))...)
	if idle := p.Piles[engine.PileInPlay].Minus(p.Effects.Cards); !idle.Empty() {
		// The others stand among the effects in force.
		out = append(out, item("In play", cardList(idle))...)
	}
	out = append(out, item("Discard pile", cardList(p.Piles[engine.PileDiscard]))...)
	out = append(out, item("Out of the game", cardList(p.Piles[engine.PileRemoved]))...)
	return append(out, item("Not seen", cardList(unseen(v)))...)
}

// unseen are the cards that the seat cannot tell the place of: in the draw deck
// or in a hand that is hidden from it.
func unseen(v *engine.View) engine.CardSet {
	all := engine.InPeriod[engine.Early].Or(engine.InPeriod[engine.Middle]).Or(engine.InPeriod[engine.Late])
	for pile := range engine.Piles {
		if pile != engine.PileDeck {
			all = all.Minus(v.Seen.Piles[pile])
		}
	}
	return all.Minus(v.EnemyHolds)
}
