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

func formatPlay(atoms []rules.Atom) string {
	n, operation := formatNumbers(atoms[:1]), formatOperation(atoms[1:])
	mode := engine.Mode(engine.AtomFlag(atoms[0]))
	switch mode {
	case engine.PlayWithHome:
		n = fmt.Sprintf("%d %s %s", engine.CommonEuropeanHome, wordWith, n)
	case engine.PlayTiananmen:
		operation = wordTiananmen
	}
	return strings.Join(slices.DeleteFunc([]string{n, textsOfMode[mode].beforeOps, operation, textsOfMode[mode].afterOps},
		func(s string) bool { return s == "" }), " ")
}

// playTexts are the texts of a mode of play: the words before and after the Operations in an order, the template of
// the sentence about the play (see parseTemplate), and the explanation of the order.
type playTexts struct{ beforeOps, afterOps, sentence, meaning string }

// textsOfMode has the texts of each mode of play. For example, the mode of "PLAY 40 OPS EVENT AFTER" is
// engine.PlayEventAfter.
var textsOfMode = map[engine.Mode]playTexts{
	engine.PlayEvent: {wordEvent, "", "{S2} plays {f0} for its event.", "play {card} for its event"},
	engine.PlayOps:   {wordOps, "", "{S2} plays {f0} for Operations.", "play {card} for {ops}"},
	engine.PlayEventFirst: {wordOps, wordFirst, "{S2} plays {f0} for Operations, with the event first.",
		"play {card} for its Ops (its event happens first, for {side})"},
	engine.PlayEventAfter: {wordOps, wordAfter, "{S2} plays {f0} for Operations, with the event afterwards.",
		"play {card} for {ops} (its event happens afterwards, for {side})"},
	engine.PlayNoEvent: {wordOps, wordNoEvent, "{S2} plays {f0} for Operations. By the award of box 7 its event does not happen.",
		"play {card} for {ops} (the award of box 7 prevents its event)"},
	engine.PlayBothFirst: {wordBoth, wordFirst, "{S2} plays {f0} for the event, and then for Operations, by the award of box 8.",
		"play {card} for its event, and then for its Ops, by the award of box 8"},
	engine.PlayBothAfter: {wordBoth, wordAfter, "{S2} plays {f0} for Operations, and then for the event, by the award of box 8.",
		"play {card} for {ops}, and then for its event, by the award of box 8"},
	engine.PlayWithHome: {wordOps, "", "{S2} plays {f0} together with {f3}: Operations without the event.",
		"play {home} with {card} for {ops} (no event happens)"},
	engine.PlayTiananmen: {wordOps, "", "{S2} plays {f0} for a Tiananmen attempt.",
		"play {card} for an attempt on the Tiananmen track (its event does not happen)"},
	engine.PlayStrike: {wordStrike, "", "{S2} discards {f0} to the strike.", "discard {card} and roll to end the strike"},
}

// formatOperation returns an operation without OPS, for example "CHECK Gdansk, Lodz BONUS".
func formatOperation(atoms []rules.Atom) string {
	if len(atoms) == 0 {
		return ""
	}
	switch engine.AtomVerb(atoms[0]) {
	case engine.VerbOpsPlace:
		return wordPlace + " " + formatPointList(atoms)
	case engine.VerbOpsTiananmen:
		return wordTiananmen
	}
	text := wordCheck + " " + joinComma(mapTexts(atoms, formatSpace))
	if engine.AtomFlag(atoms[0]) == 1 {
		text += " " + wordBonus
	}
	return text
}

// groupAtoms splits atoms into groups of consecutive atoms. isSame reports whether an atom belongs to the group of an
// earlier atom.
func groupAtoms(atoms []rules.Atom, isSame func(a, b rules.Atom) bool) (out [][]rules.Atom) {
	for i := 0; i < len(atoms); {
		n := i + 1
		for n < len(atoms) && isSame(atoms[n], atoms[i]) {
			n++
		}
		out = append(out, atoms[i:n])
		i = n
	}
	return out
}

func isSameAtom(a, b rules.Atom) bool { return a == b }

// formatPointList returns each space with its number of points, for example "Lodz 2, Krakow". It adds up only points
// that are placed one after another, because a point may change the cost of later points.
func formatPointList(atoms []rules.Atom) string {
	return joinComma(mapTexts(groupAtoms(atoms, isSameAtom), func(points []rules.Atom) string {
		if len(points) > 1 {
			return fmt.Sprintf("%s %d", formatSpace(points[0]), len(points))
		}
		return formatSpace(points[0])
	}))
}

func formatSpace(a rules.Atom) string { return engine.Space(engine.AtomValue(a)).String() }

func formatStruggleCard(a rules.Atom) string {
	return engine.StruggleCard(engine.AtomValue(a)).String()
}

func formatNumbers(atoms []rules.Atom) string {
	return joinComma(mapTexts(atoms, func(a rules.Atom) string { return strconv.Itoa(engine.AtomValue(a)) }))
}

// formatRaise lists power struggle cards alphabetically, because it has no effect which card is discarded first.
func formatRaise(atoms []rules.Atom) string {
	return joinComma(slices.Sorted(slices.Values(mapTexts(atoms, formatStruggleCard))))
}

func formatAttack(atoms []rules.Atom) string {
	k, flag := engine.StruggleCard(engine.AtomValue(atoms[0])), engine.AtomFlag(atoms[0])
	switch {
	case flag == 0:
		return k.String()
	case k == engine.ScareTactics:
		return fmt.Sprintf("%v %s %v", k, wordIn, engine.Space(flag))
	}
	return fmt.Sprintf("%v %s %v", k, wordAs, engine.Suit(flag))
}

func sideWord(s engine.Side) string { return strings.ToUpper(s.String()) }

func formatDefence(atoms []rules.Atom) string { return formatStruggleCard(atoms[0]) }

func formatBid(atoms []rules.Atom) string {
	return fmt.Sprintf("%s %s %d", sideWord(engine.Side(engine.AtomFlag(atoms[0]))), wordGive, engine.AtomValue(atoms[0]))
}

// formatChoice returns the words after CHOOSE in an order. For a card this is its number.
func formatChoice(atoms []rules.Atom) string {
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

// manualText holds the help texts on the orders of 1989, in the format of rules.ReadTopics.
//
//go:embed data/manual.txt
var manualText string

var manual = rules.ReadTopics(manualText)

// Manual implements rules.Game.Manual.
func (Words) Manual() []rules.Topic { return manual }

// ExplainOrder implements rules.Game.ExplainOrder.
func (Words) ExplainOrder(rv rules.View, d rules.Decision, answers []rules.Answer) string {
	q := newQuestionWriter(rv, d, nil)
	var atoms []rules.Atom
	for _, a := range answers {
		atoms = append(atoms, a.Atoms...)
	}
	var parts []string
	for _, list := range groupAtoms(atoms, func(a, b rules.Atom) bool { return engine.AtomVerb(a) == engine.AtomVerb(b) }) {
		if describe := verbs[engine.AtomVerb(list[0])].describe; describe != nil {
			if text := describe(q, list); text != "" {
				parts = append(parts, text)
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return asSentence(strings.Join(parts, ": "))
}

func asSentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// describePlay explains a PLAY order, for example "play 40 Hungarian Democratic Forum for its 2 Ops".
func describePlay(q *questionWriter, atoms []rules.Atom) string {
	c := engine.Card(engine.AtomValue(atoms[0]))
	return strings.NewReplacer("{card}", fullTitle(c), "{home}", fullTitle(engine.CommonEuropeanHome),
		"{side}", sideName(engine.EventSide(c, q.side)), "{ops}", "its "+formatOps(q.pos.OpsValue(q.side, c.Info().Ops, false)),
	).Replace(textsOfMode[engine.Mode(engine.AtomFlag(atoms[0]))].meaning)
}

// describePoints returns, for example, "2 points in Lodz and 1 in Krakow".
func describePoints(atoms []rules.Atom) string {
	var out []string
	for i, points := range groupAtoms(atoms, isSameAtom) {
		what := strconv.Itoa(len(points))
		if i == 0 {
			what = pluralize(len(points), "point")
		}
		out = append(out, what+" in "+formatSpace(points[0]))
	}
	return joinWords(out, "and")
}

func describeChecks(atoms []rules.Atom) string {
	text := "make " + pluralize(len(atoms), "support check") + " in " + strings.Join(mapTexts(atoms, formatSpace), ", then in ")
	if engine.AtomVerb(atoms[0]) == engine.VerbOpsCheck && engine.AtomFlag(atoms[0]) == 1 {
		text += ", with the bonus of " + fullTitle(engine.AustriaHungaryBorder)
	}
	return text
}

func describeCards(atoms []rules.Atom) string {
	return joinWords(mapTexts(atoms, func(a rules.Atom) string { return fullTitle(engine.Card(engine.AtomValue(a))) }), "and")
}

func describeStruggleCards(atoms []rules.Atom) string {
	return joinWords(mapTexts(atoms, func(a rules.Atom) string {
		k, flag := engine.StruggleCard(engine.AtomValue(a)), engine.AtomFlag(a)
		switch {
		case flag != 0 && k.Info().Leader:
			return k.String() + " as a " + engine.Suit(flag).String()
		case flag != 0 && k == engine.ScareTactics:
			return k.String() + " in " + engine.Space(flag).String()
		}
		return k.String()
	}), "and")
}

func describeChoice(atoms []rules.Atom) string {
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
