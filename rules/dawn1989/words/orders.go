package words

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

func playText(atoms []rules.Atom) string {
	n, op := numbersText(atoms[:1]), operationText(atoms[1:])
	mode := engine.Mode(engine.AtomFlag(atoms[0]))
	switch mode {
	case engine.PlayWithHome:
		n = fmt.Sprintf("%d %s %s", engine.CommonEuropeanHome, wordWith, n)
	case engine.PlayTiananmen:
		op = wordTiananmen
	}
	return strings.Join(slices.DeleteFunc([]string{n, plays[mode].how, op, plays[mode].when}, func(s string) bool { return s == "" }), " ")
}

// play holds the texts of a mode of play: the words before and after the Operations of an order, the sentence
// on the play (see phrase), and the meaning of the order.
type play struct{ how, when, told, meaning string }

var plays = map[engine.Mode]play{
	engine.PlayEvent: {wordEvent, "", "{S2} plays {f0} for its event.", "play {card} for its event"},
	engine.PlayOps:   {wordOps, "", "{S2} plays {f0} for Operations.", "play {card} for {ops}"},
	engine.PlayEventFirst: {wordOps, wordFirst, "{S2} plays {f0} for Operations, the event first.",
		"play {card} for its Ops (its event happens first, for {side})"},
	engine.PlayEventAfter: {wordOps, wordAfter, "{S2} plays {f0} for Operations, the event afterwards.",
		"play {card} for {ops} (its event happens afterwards, for {side})"},
	engine.PlayNoEvent: {wordOps, wordNoEvent, "{S2} plays {f0} for Operations; by box 7 its event does not happen.",
		"play {card} for {ops} (the award of box 7 prevents its event)"},
	engine.PlayBothFirst: {wordBoth, wordFirst, "{S2} plays {f0} for both, by box 8: the event, then Operations.",
		"play {card} for its event, and then for its Ops, by the award of box 8"},
	engine.PlayBothAfter: {wordBoth, wordAfter, "{S2} plays {f0} for both, by box 8: Operations, then the event.",
		"play {card} for {ops}, and then for its event, by the award of box 8"},
	engine.PlayWithHome: {wordOps, "", "{S2} plays {f0} together with {f3}: Operations without the event.",
		"play {home} with {card} for {ops} (no event happens)"},
	engine.PlayTiananmen: {wordOps, "", "{S2} plays {f0} for a Tiananmen attempt.",
		"play {card} for an attempt on the Tiananmen track (its event does not happen)"},
	engine.PlayStrike: {wordStrike, "", "{S2} discards {f0} to the strike.", "discard {card} and roll to end the strike"},
}

// operationText returns an operation without OPS; BONUS is after the checks.
func operationText(atoms []rules.Atom) string {
	if len(atoms) == 0 {
		return ""
	}
	switch engine.AtomVerb(atoms[0]) {
	case engine.VerbOpsPlace:
		return wordPlace + " " + pointsText(atoms)
	case engine.VerbOpsTiananmen:
		return wordTiananmen
	}
	text := wordCheck + " " + joinComma(each(atoms, spaceText))
	if engine.AtomFlag(atoms[0]) == 1 {
		text += " " + wordBonus
	}
	return text
}

// chunks splits atoms where neighbours differ.
func chunks(atoms []rules.Atom, same func(a, b rules.Atom) bool) (out [][]rules.Atom) {
	for i := 0; i < len(atoms); {
		n := i + 1
		for n < len(atoms) && same(atoms[n], atoms[i]) {
			n++
		}
		out = append(out, atoms[i:n])
		i = n
	}
	return out
}

func isSameAtom(a, b rules.Atom) bool { return a == b }

// pointsText names spaces with the number of points. Only points that are side
// by side are joined: the order of payment may matter.
func pointsText(atoms []rules.Atom) string {
	return joinComma(each(chunks(atoms, isSameAtom), func(points []rules.Atom) string {
		if len(points) > 1 {
			return fmt.Sprintf("%s %d", spaceText(points[0]), len(points))
		}
		return spaceText(points[0])
	}))
}

func spaceText(a rules.Atom) string { return engine.Space(engine.AtomValue(a)).String() }

func struggleText(a rules.Atom) string { return engine.StruggleCard(engine.AtomValue(a)).String() }

func numbersText(atoms []rules.Atom) string {
	return joinComma(each(atoms, func(a rules.Atom) string { return strconv.Itoa(engine.AtomValue(a)) }))
}

// raiseText lists power struggle cards alphabetically, because the order in which they are discarded has no
// effect.
func raiseText(atoms []rules.Atom) string {
	return joinComma(slices.Sorted(slices.Values(each(atoms, struggleText))))
}

func attackText(atoms []rules.Atom) string {
	k, fl := engine.StruggleCard(engine.AtomValue(atoms[0])), engine.AtomFlag(atoms[0])
	switch {
	case fl == 0:
		return k.String()
	case k == engine.ScareTactics:
		return fmt.Sprintf("%v %s %v", k, wordIn, engine.Space(fl))
	}
	return fmt.Sprintf("%v %s %v", k, wordAs, engine.Suit(fl))
}

func sideWord(s engine.Side) string { return strings.ToUpper(s.String()) }

func defenceText(atoms []rules.Atom) string { return struggleText(atoms[0]) }

func bidText(atoms []rules.Atom) string {
	return fmt.Sprintf("%s %s %d", sideWord(engine.Side(engine.AtomFlag(atoms[0]))), wordGive, engine.AtomValue(atoms[0]))
}

// choiceText names what VerbChoose chooses. Cards are chosen by number.
func choiceText(atoms []rules.Atom) string {
	n := engine.AtomValue(atoms[0])
	switch engine.Choice(engine.AtomFlag(atoms[0])) {
	case engine.ChooseSpace:
		return engine.Space(n).String()
	case engine.ChooseCountry:
		return engine.Country(n).String()
	case engine.ChooseSide:
		return sideWord(engine.Side(n))
	case engine.ChooseCard:
		return strconv.Itoa(n)
	}
	return optionNames[n]
}

// manualText holds the texts on orders, in the form of rules.ReadTopics.
//
//go:embed data/manual.txt
var manualText string

var manual = rules.ReadTopics(manualText)

// Manual implements rules.Game.Manual.
func (Words) Manual() []rules.Topic { return manual }

// ExplainOrder implements rules.Game.ExplainOrder.
func (Words) ExplainOrder(rv rules.View, d rules.Decision, answers []rules.Answer) string {
	q := newAsking(rv, d, nil)
	var atoms []rules.Atom
	for _, a := range answers {
		atoms = append(atoms, a.Atoms...)
	}
	var parts []string
	for _, list := range chunks(atoms, func(a, b rules.Atom) bool { return engine.AtomVerb(a) == engine.AtomVerb(b) }) {
		if mean := verbs[engine.AtomVerb(list[0])].mean; mean != nil {
			if text := mean(q, list); text != "" {
				parts = append(parts, text)
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return sentence(strings.Join(parts, ": "))
}

func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// meaningOfPlay describes the purpose of a play; the Operations follow.
func meaningOfPlay(q *questionWriter, atoms []rules.Atom) string {
	c := engine.Card(engine.AtomValue(atoms[0]))
	return strings.NewReplacer("{card}", fullTitle(c), "{home}", fullTitle(engine.CommonEuropeanHome),
		"{side}", sideName(engine.EventSide(c, q.side)), "{ops}", fmt.Sprintf("its %d Ops", q.p.OpsValue(q.side, c.Info().Ops, false)),
	).Replace(plays[engine.Mode(engine.AtomFlag(atoms[0]))].meaning)
}

// pointsIn writes "2 points in Lodz, 1 in Krakow".
func pointsIn(atoms []rules.Atom) string {
	var out []string
	for i, points := range chunks(atoms, isSameAtom) {
		what := strconv.Itoa(len(points))
		if i == 0 {
			what = pluralize(len(points), "point")
		}
		out = append(out, what+" in "+spaceText(points[0]))
	}
	return join(out, "and")
}

func checksIn(atoms []rules.Atom) string {
	text := "make " + pluralize(len(atoms), "support check") + " in " + strings.Join(each(atoms, spaceText), ", then in ")
	if engine.AtomVerb(atoms[0]) == engine.VerbOpsCheck && engine.AtomFlag(atoms[0]) == 1 {
		text += ", with the bonus of " + fullTitle(engine.AustriaHungaryBorder)
	}
	return text
}

func cardsIn(atoms []rules.Atom) string {
	return join(each(atoms, func(a rules.Atom) string { return fullTitle(engine.Card(engine.AtomValue(a))) }), "and")
}

func struggleIn(atoms []rules.Atom) string {
	return join(each(atoms, func(a rules.Atom) string {
		k, suit := engine.StruggleCard(engine.AtomValue(a)), engine.AtomFlag(a)
		switch {
		case suit != 0 && k.Info().Leader:
			return k.String() + " as a " + engine.Suit(suit).String()
		case suit != 0 && k == engine.ScareTactics:
			return k.String() + " in " + engine.Space(suit).String()
		}
		return k.String()
	}), "and")
}

func choiceIn(atoms []rules.Atom) string {
	n := engine.AtomValue(atoms[0])
	switch engine.Choice(engine.AtomFlag(atoms[0])) {
	case engine.ChooseSpace:
		return "choose " + engine.Space(n).String()
	case engine.ChooseCountry:
		return "choose " + engine.Country(n).String()
	case engine.ChooseCard:
		return "choose " + fullTitle(engine.Card(n))
	case engine.ChooseSide:
		return "play " + sideName(engine.Side(n))
	}
	return [...]string{
		engine.OptionKeepPower: "keep Power, for the VP that it gives", engine.OptionSurrenderPower: "give Power to the Democrat",
		engine.OptionClear: "remove all enemy points from the Elite spaces", engine.OptionDeclare: "end the match with this turn",
	}[n]
}
