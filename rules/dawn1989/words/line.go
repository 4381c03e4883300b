package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Line implements rules.Language. Every atom says what it does, so the line
// needs no question to be written.
func (Words) Line(atoms []rules.Atom) string {
	atoms = slices.DeleteFunc(slices.Clone(atoms), func(a rules.Atom) bool { return engine.AtomVerb(a) == engine.VerbStop })
	if len(atoms) == 0 {
		return ""
	}
	first, v := atoms[0], engine.AtomVerb(atoms[0])
	switch v {
	case engine.VerbPlay:
		return playLine(engine.Card(engine.AtomValue(first)), engine.Mode(engine.AtomFlag(first)), operationText(atoms[1:]))
	case engine.VerbOpsPlace, engine.VerbOpsCheck, engine.VerbOpsTiananmen:
		return wordOps + " " + operationText(atoms)
	case engine.VerbPlace:
		return wordPlace + " " + pointsText(atoms)
	case engine.VerbRemove:
		return wordRemove + " " + pointsText(atoms)
	case engine.VerbCheck:
		return wordCheck + " " + pointsText(atoms)
	case engine.VerbChoose:
		return wordChoose + " " + chosen(first)
	case engine.VerbTake:
		return wordTake + " " + numbersText(atoms)
	case engine.VerbDiscard:
		return wordDiscard + " " + numbersText(atoms)
	case engine.VerbRaise:
		return wordRaise + " " + raiseText(atoms)
	case engine.VerbAttack:
		return wordAttack + " " + attackText(first)
	case engine.VerbDefend:
		return wordDefend + " " + engine.StruggleCard(engine.AtomValue(first)).String()
	case engine.VerbBid:
		return fmt.Sprintf("%s %s %s %d", wordBid, sideWord(engine.Side(engine.AtomFlag(first))), wordGive, engine.AtomValue(first))
	case engine.VerbConcede:
		return wordConcede
	}
	return wordPass
}

// playLine is a PLAY line. op is empty where no operation is said.
func playLine(c engine.Card, m engine.Mode, op string) string {
	n := strconv.Itoa(int(c))
	ops := func(how, when string) string {
		return strings.Join(slices.DeleteFunc([]string{wordPlay, n, how, op, when}, func(s string) bool { return s == "" }), " ")
	}
	switch m {
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

func attackText(a rules.Atom) string {
	k, fl := engine.StruggleCard(engine.AtomValue(a)), engine.AtomFlag(a)
	switch {
	case fl == 0:
		return k.String()
	case k == engine.ScareTactics:
		return fmt.Sprintf("%v %s %v", k, wordIn, engine.Space(fl))
	}
	return fmt.Sprintf("%v %s %v", k, wordAs, engine.Suit(fl))
}

// sideWord is a side as orders write it.
func sideWord(s engine.Side) string { return strings.ToUpper(s.String()) }

// chosen names what VerbChoose chooses. Cards are chosen by number.
func chosen(a rules.Atom) string {
	n := engine.AtomValue(a)
	switch engine.Choice(engine.AtomFlag(a)) {
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
