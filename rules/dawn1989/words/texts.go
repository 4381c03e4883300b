package words

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// textsCSV describes the events of the cards, short enough for a letter. The texts name the sides; on neutral cards "the
// enemy" is the enemy of the side that plays the card. "may" marks optional effects. Positive VP are good for the
// Democrat.
//
//go:embed data/texts.csv
var textsCSV string

// oldTextsCSV describes the events that had other rules in revision 1.
//
//go:embed data/texts-rules1.csv
var oldTextsCSV string

// inForceCSV describes what holds now while a card stays in force, for the section In force.
//
//go:embed data/inforce.csv
var inForceCSV string

//go:embed data/inforce-rules1.csv
var oldInForceCSV string

// cardTexts are the texts by card. oldCardTexts has, by revision of the rules, the texts that were different then.
var (
	cardTexts    = readTexts(textsCSV)
	oldCardTexts = map[int][engine.Cards]string{1: readTexts(oldTextsCSV)}
	inForceTexts = readTexts(inForceCSV)
	// oldInForceTexts has, by revision of the rules, the texts that were different then.
	oldInForceTexts = map[int][engine.Cards]string{1: readTexts(oldInForceCSV)}
)

// cardText returns the text of a card in the match's revision of the rules.
func cardText(p *engine.Position, c engine.Card) string {
	if text := oldCardTexts[p.Revision()][c]; text != "" {
		return text
	}
	return cardTexts[c]
}

// inForceText returns what holds now while a card stays in force.
func inForceText(p *engine.Position, c engine.Card) string {
	if text := oldInForceTexts[p.Revision()][c]; text != "" {
		return text
	}
	return inForceTexts[c]
}

func readTexts(text string) (out [engine.Cards]string) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("read card texts: %v", err))
	}
	for _, row := range rows[1:] {
		n, err := strconv.Atoi(row[0])
		if err != nil {
			panic(fmt.Sprintf("read card texts: %v", err))
		}
		out[n] = row[1]
	}
	return out
}

// topicsText holds the help texts on the rules, in the format of rules.ReadTopics.
//
//go:embed data/topics.txt
var topicsText string

var topics = rules.ReadTopics(topicsText)

// Topics implements rules.Game.Topics.
func (Words) Topics() []rules.Topic { return topics }

// Cards implements rules.Game.Cards. It uses only public facts: past events, the tracks and the open piles.
func (Words) Cards(rv rules.View, n rules.Name) []string {
	p, c := &rv.(*engine.View).Visible, engine.Card(n.Code)
	out := []string{printedLine(c), cardText(p, c)}
	if name := executionText(c); name != "" {
		out = append(out, name)
	}
	out = append(out, scoringNotes(p, c)...)
	out = append(out, eventConditions(p, c)...)
	if dependents := dependentEvents(c); dependents != "" {
		out = append(out, dependents)
	}
	if location := cardLocation(p, c); location != "" {
		out = append(out, location)
	}
	return out
}

func printedLine(c engine.Card) string {
	info := c.Info()
	out := []string{fullTitle(c) + ": "}
	if info.Scoring != engine.NoCountry {
		out[0] += "scoring card"
	} else {
		out[0] += formatOps(info.Ops)
	}
	out = append(out, sideTitles[info.Side], engine.PeriodNames[info.Period]+" year")
	if info.Asterisk {
		out = append(out, "asterisk (leaves the game after its event)")
	}
	if info.Red {
		out = append(out, "red title")
	}
	return strings.Join(out, ", ") + "."
}

// checkPattern finds support checks that use the card's Ops.
var checkPattern = regexp.MustCompile(`\d (\w+ )?support check`)

// executionText says which side carries out an event, and which Ops its support checks use.
func executionText(c engine.Card) string {
	text, owner := "The player of the card carries out the event.", "that player's"
	switch s := c.Info().Side; {
	case c == engine.CommonEuropeanHome, c.Info().Scoring != engine.NoCountry:
		return ""
	case s != engine.Neutral:
		text, owner = capitalSideName(s)+" carries it out, even if the other side plays it.", sideName(s)+"'s"
	}
	if checkPattern.MatchString(cardTexts[c]) {
		text += " Its support checks use this card's Ops and " + owner + " modifiers."
	}
	return text
}

func scoringNotes(p *engine.Position, c engine.Card) []string {
	country := c.Info().Scoring
	if country == engine.NoCountry {
		return nil
	}
	out := []string{"The player of the card attacks first. A player who still holds it at the end of a turn loses the match; " +
		"if both players hold a scoring card then, it is a draw."}
	if pw := p.Power[country]; pw.Holder == engine.Communist {
		out = append(out, fmt.Sprintf("Power struggles in %v so far: %d. If the Communist keeps Power after the next one: %d VP.",
			country, pw.Struggles, -engine.CountryValues[country].Power*int(pw.Struggles+1)))
	}
	return append(out, fmt.Sprintf("It leaves the game when the Democrat has Power in %v after the struggle; if not, it is "+
		"discarded and can come back.", country))
}

func eventConditions(p *engine.Position, c engine.Card) []string {
	var out []string
	describeState := func(n engine.Card, otherwise string) string {
		if p.Effects.PastEvents.Has(n) {
			return "has happened"
		}
		return otherwise
	}
	if n := engine.Needs[c]; n != 0 {
		out = append(out, fmt.Sprintf("It needs the event of %s, which %s.", fullTitle(n), describeState(n, "has not happened yet")))
	}
	if n := engine.ForbiddenBy[c]; n != 0 {
		out = append(out, fmt.Sprintf("It cannot happen after the event of %s, which %s.", fullTitle(n), describeState(n, "has not happened")))
	}
	if c == engine.CommonEuropeanHome || c.Info().Scoring != engine.NoCountry {
		return out
	}
	if s := c.Info().Side; s != engine.Neutral {
		if !p.IsEventPlayable(c, s) {
			out = append(out, "Its event cannot happen now.")
		}
		return out
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		if !p.IsEventPlayable(c, s) {
			out = append(out, fmt.Sprintf("Its event cannot happen now when %s plays it.", sideName(s)))
		}
	}
	return out
}

func dependentEvents(c engine.Card) string {
	var allows, ends []string
	for n := engine.Card(1); n < engine.Cards; n++ {
		if engine.Needs[n] == c {
			allows = append(allows, fullTitle(n))
		}
		if engine.ForbiddenBy[n] == c {
			ends = append(ends, fullTitle(n))
		}
	}
	var out []string
	if len(allows) > 0 {
		out = append(out, "Needed for: "+joinWords(allows, "and")+".")
	}
	if len(ends) > 0 {
		out = append(out, "Prevents: "+joinWords(ends, "and")+".")
	}
	return strings.Join(out, " ")
}

// cardLocation names the open pile that has a card, or returns "".
func cardLocation(p *engine.Position, c engine.Card) string {
	switch {
	case p.Piles[engine.PileTable].Has(c):
		return "It is being played now."
	case p.Piles[engine.PileInPlay].Has(c):
		return "It is in play."
	case p.Piles[engine.PileDiscard].Has(c):
		return "It is in the discard pile."
	case p.Piles[engine.PileRemoved].Has(c):
		return "It is out of the game."
	}
	return ""
}

// sourceText returns the text of the card that asks a question, or nil.
func sourceText(p *engine.Position, d rules.Decision) []string {
	n, err := strconv.Atoi(d.Source)
	if err != nil || n < 1 || n >= engine.Cards {
		return nil
	}
	return formatItem(fullTitle(engine.Card(n)), cardText(p, engine.Card(n)))
}

// Samples implements rules.Game.Samples: example orders for a help page, with cards of the reader's hand.
func (w Words) Samples(rv rules.View, page rules.Topic) rules.Samples {
	v := rv.(*engine.View)
	side := v.Visible.SideOf(v.Seat())
	if side == engine.Neutral || v.Visible.Ending != engine.NotOver {
		return rules.Samples{}
	}
	switch page.Name {
	case wordPlay, wordOps:
		return w.playSamples(v, side)
	case "STRUGGLE":
		return struggleSamples(v, side)
	}
	return rules.Samples{}
}

// playSamples returns the examples for an action round, as if it began now.
func (w Words) playSamples(v *engine.View, side engine.Side) rules.Samples {
	view := v.WithFrame(engine.Frame{Proc: engine.ProcRound, Side: side})
	view.Visible.Question = engine.Question{Kind: engine.AskRound, Side: side, Remaining: 1}
	d := rules.Decision{Seat: v.Seat(), Kind: engine.AskRound.String()}
	q := newQuestionWriter(view, d, view.Visible.LegalAtoms(nil))
	out := rules.Samples{Head: "You are not asked for a card now. If you were, you could write orders such as these, with your " +
		"present hand and map."}
	for i, m := range exampleModes {
		c := q.exampleCard(m)
		if c == 0 {
			continue
		}
		atoms := q.playForm(c, m, i%2 == 1)
		out.Orders = append(out.Orders, rules.Sample{Order: formatAnswer(atoms), Meaning: w.ExplainOrder(view, d,
			[]rules.Answer{{Atoms: atoms}})})
	}
	return out
}

// struggleSamples returns orders with power struggle cards of the reader, or of an example hand.
func struggleSamples(v *engine.View, side engine.Side) rules.Samples {
	hand := v.Visible.Struggle.Hands[side]
	out := rules.Samples{Head: "You are not asked for a power struggle card now. When you are, you can write orders like " +
		"these with your cards, if the letter then lists them:"}
	if hand.Len() == 0 {
		out.Head = "There is no power struggle now; its cards are dealt when one begins. With cards like these you can then write:"
		hand = exampleHand()
	}
	var cards, leaders []engine.StruggleCard
	for k := range engine.StruggleCard(engine.StruggleKinds) {
		for range hand[k] {
			switch info := k.Info(); {
			case info.Leader:
				leaders = append(leaders, k)
			case info.Suit != engine.NoSuit:
				cards = append(cards, k)
			}
		}
	}
	add := func(v engine.Verb, suit engine.Suit, ks ...engine.StruggleCard) {
		var atoms []rules.Atom
		for _, k := range ks {
			atoms = append(atoms, engine.NewAtom(v, uint8(suit), int(k)))
		}
		q := questionWriter{side: side}
		out.Orders = append(out.Orders, rules.Sample{Order: formatAnswer(atoms), Meaning: asSentence(verbs[v].describe(&q, atoms))})
	}
	if len(cards) >= stakesDiscards {
		add(engine.VerbRaise, engine.NoSuit, cards[:stakesDiscards]...)
	}
	if len(cards) > 0 {
		add(engine.VerbAttack, engine.NoSuit, cards[len(cards)-1])
	}
	if len(leaders) > 0 {
		add(engine.VerbAttack, engine.MarchSuit, leaders[0])
	}
	if len(cards) > 0 {
		add(engine.VerbDefend, engine.NoSuit, cards[0])
	}
	return out
}

func exampleHand() (h engine.StruggleCards) {
	for k := range engine.StruggleCard(engine.StruggleKinds) {
		if slices.Contains([]string{"Rally", "Strike-3", "March-6", "Worker Leader"}, k.String()) {
			h[k] = 1
		}
	}
	return h
}
