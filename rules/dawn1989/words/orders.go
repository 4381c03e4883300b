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
	c, op := engine.Card(engine.AtomValue(atoms[0])), operationText(atoms[1:])
	n := strconv.Itoa(int(c))
	ops := func(how, when string) string {
		return strings.Join(slices.DeleteFunc([]string{n, how, op, when}, func(s string) bool { return s == "" }), " ")
	}
	switch engine.Mode(engine.AtomFlag(atoms[0])) {
	case engine.PlayEvent:
		return ops(wordEvent, "")
	case engine.PlayEventFirst:
		return ops(wordOps, wordFirst)
	case engine.PlayEventAfter:
		return ops(wordOps, wordAfter)
	case engine.PlayNoEvent:
		return ops(wordOps, wordNoEvent)
	case engine.PlayBothFirst:
		return ops(wordBoth, wordFirst)
	case engine.PlayBothAfter:
		return ops(wordBoth, wordAfter)
	case engine.PlayWithHome:
		n = fmt.Sprintf("%d %s %d", engine.CommonEuropeanHome, wordWith, c)
	case engine.PlayTiananmen:
		op = wordTiananmen
	case engine.PlayStrike:
		return ops(wordStrike, "")
	}
	return ops(wordOps, "")
}

// operationText is an operation without OPS; BONUS stands behind the checks.
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
	text := wordCheck
	for i, a := range atoms {
		if i > 0 {
			text += ","
		}
		text += " " + engine.Space(engine.AtomValue(a)).String()
	}
	if engine.AtomFlag(atoms[0]) == 1 {
		text += " " + wordBonus
	}
	return text
}

// pointsText names spaces with the number of points. Only points that stand side
// by side are joined: the order of payment may matter.
func pointsText(atoms []rules.Atom) string {
	var out []string
	for i := 0; i < len(atoms); {
		n := i
		for n < len(atoms) && atoms[n] == atoms[i] {
			n++
		}
		name := engine.Space(engine.AtomValue(atoms[i])).String()
		if n > i+1 {
			name += " " + strconv.Itoa(n-i)
		}
		out = append(out, name)
		i = n
	}
	return strings.Join(out, ", ")
}

func numbersText(atoms []rules.Atom) string {
	var out []string
	for _, a := range atoms {
		out = append(out, strconv.Itoa(engine.AtomValue(a)))
	}
	return strings.Join(out, ", ")
}

// raiseText lists power struggle cards in the order of the alphabet: in which
// they were named makes no difference.
func raiseText(atoms []rules.Atom) string {
	var out []string
	for _, a := range atoms {
		out = append(out, engine.StruggleCard(engine.AtomValue(a)).String())
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
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

func defenceText(atoms []rules.Atom) string {
	return engine.StruggleCard(engine.AtomValue(atoms[0])).String()
}

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

// Manual is rules.Game.Manual.
func (Words) Manual() []rules.Topic { return manual }

// ExplainOrder is rules.Game.ExplainOrder.
func (Words) ExplainOrder(rv rules.View, d rules.Decision, answers []rules.Answer) string {
	q := newAsking(rv, d, nil)
	var atoms []rules.Atom
	for _, a := range answers {
		atoms = append(atoms, a.Atoms...)
	}
	var parts []string
	for len(atoms) > 0 {
		n := 1
		for n < len(atoms) && engine.AtomVerb(atoms[n]) == engine.AtomVerb(atoms[0]) {
			n++
		}
		if mean := verbs[engine.AtomVerb(atoms[0])].mean; mean != nil {
			if text := mean(q, atoms[:n]); text != "" {
				parts = append(parts, text)
			}
		}
		atoms = atoms[n:]
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
	ops := fmt.Sprintf("its %d Ops", q.p.OpsValue(q.side, c.Info().Ops, false))
	text := "play " + fullTitle(c) + " for "
	switch engine.Mode(engine.AtomFlag(atoms[0])) {
	case engine.PlayEvent:
		return text + "its event"
	case engine.PlayOps:
		return text + ops
	case engine.PlayEventFirst:
		return text + "its Ops (its event happens first, for " + the(engine.EventSide(c, q.side)) + ")"
	case engine.PlayEventAfter:
		return text + ops + " (its event happens afterwards, for " + the(engine.EventSide(c, q.side)) + ")"
	case engine.PlayTiananmen:
		return text + "an attempt on the Tiananmen track (its event does not happen)"
	case engine.PlayStrike:
		return fmt.Sprintf("discard %s and roll to end the strike", fullTitle(c))
	case engine.PlayWithHome:
		return fmt.Sprintf("play %s with %s for %s (no event happens)", fullTitle(engine.CommonEuropeanHome), fullTitle(c), ops)
	case engine.PlayNoEvent:
		return text + ops + " (the award of box 7 prevents its event)"
	case engine.PlayBothFirst:
		return text + "its event, and then for its Ops, by the award of box 8"
	case engine.PlayBothAfter:
		return text + ops + ", and then for its event, by the award of box 8"
	}
	return ""
}

// pointsIn writes "2 points in Lodz, 1 in Krakow".
func pointsIn(atoms []rules.Atom) string {
	var out []string
	for i := 0; i < len(atoms); {
		n := 1
		for i+n < len(atoms) && atoms[i+n] == atoms[i] {
			n++
		}
		what := fmt.Sprint(n)
		if i == 0 {
			what = count(n, "point")
		}
		out = append(out, fmt.Sprintf("%s in %v", what, engine.Space(engine.AtomValue(atoms[i]))))
		i += n
	}
	return join(out, "and")
}

func checksIn(atoms []rules.Atom) string {
	var out []string
	for _, a := range atoms {
		out = append(out, engine.Space(engine.AtomValue(a)).String())
	}
	text := "make " + count(len(atoms), "support check") + " in " + strings.Join(out, ", then in ")
	if engine.AtomVerb(atoms[0]) == engine.VerbOpsCheck && engine.AtomFlag(atoms[0]) == 1 {
		text += ", with the bonus of " + fullTitle(engine.AustriaHungaryBorder)
	}
	return text
}

func cardsIn(atoms []rules.Atom) string {
	var out []string
	for _, a := range atoms {
		out = append(out, fullTitle(engine.Card(engine.AtomValue(a))))
	}
	return join(out, "and")
}

func struggleIn(atoms []rules.Atom) string {
	var out []string
	for _, a := range atoms {
		k := engine.StruggleCard(engine.AtomValue(a))
		text := k.String()
		if fl := engine.AtomFlag(a); fl != 0 && k.Info().Leader {
			text += " as a " + engine.Suit(fl).String()
		} else if fl != 0 && k == engine.ScareTactics {
			text += " in " + engine.Space(fl).String()
		}
		out = append(out, text)
	}
	return join(out, "and")
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
		return "play " + the(engine.Side(n))
	}
	return [...]string{
		engine.OptionKeepPower: "keep Power, for the VP that it gives", engine.OptionSurrenderPower: "give Power to the Democrat",
		engine.OptionClear: "remove all enemy points from the Elite spaces", engine.OptionDeclare: "end the match with this turn",
	}[n]
}
