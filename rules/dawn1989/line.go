package dawn1989

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
)

// Line implements rules.Language. Every atom says what it does, so the line
// needs no question to be written.
func (Game) Line(atoms []rules.Atom) string {
	atoms = slices.DeleteFunc(slices.Clone(atoms), func(a rules.Atom) bool { return AtomVerb(a) == VerbStop })
	if len(atoms) == 0 {
		return ""
	}
	first, v := atoms[0], AtomVerb(atoms[0])
	switch v {
	case VerbPlay:
		return playLine(Card(AtomValue(first)), Mode(AtomFlag(first)), operationText(atoms[1:]))
	case VerbOpsPlace, VerbOpsCheck, VerbOpsTiananmen:
		return wordOps + " " + operationText(atoms)
	case VerbPlace:
		return wordPlace + " " + pointsText(atoms)
	case VerbRemove:
		return wordRemove + " " + pointsText(atoms)
	case VerbCheck:
		return wordCheck + " " + pointsText(atoms)
	case VerbChoose:
		return wordChoose + " " + chosen(first)
	case VerbTake:
		return wordTake + " " + numbersText(atoms)
	case VerbDiscard:
		return wordDiscard + " " + numbersText(atoms)
	case VerbRaise:
		return wordRaise + " " + raiseText(atoms)
	case VerbAttack:
		return wordAttack + " " + attackText(first)
	case VerbDefend:
		return wordDefend + " " + StruggleCard(AtomValue(first)).String()
	case VerbBid:
		return fmt.Sprintf("%s %s %s %d", wordBid, sideWord(Side(AtomFlag(first))), wordGive, AtomValue(first))
	case VerbConcede:
		return wordConcede
	}
	return wordPass
}

// playLine is a PLAY line. op is empty where no operation is said.
func playLine(c Card, m Mode, op string) string {
	n := strconv.Itoa(int(c))
	ops := func(how, when string) string {
		return strings.Join(slices.DeleteFunc([]string{wordPlay, n, how, op, when}, func(s string) bool { return s == "" }), " ")
	}
	switch m {
	case PlayEvent:
		return ops(wordEvent, "")
	case PlayEventFirst:
		return ops(wordOps, wordFirst)
	case PlayEventAfter:
		return ops(wordOps, wordAfter)
	case PlayNoEvent:
		return ops(wordOps, wordNoEvent)
	case PlayBothFirst:
		return ops(wordBoth, wordFirst)
	case PlayBothAfter:
		return ops(wordBoth, wordAfter)
	case PlayWithHome:
		n = fmt.Sprintf("%d %s %d", CommonEuropeanHome, wordWith, c)
	case PlayTiananmen:
		op = wordTiananmen
	case PlayStrike:
		return ops(wordStrike, "")
	}
	return ops(wordOps, "")
}

// operationText is an operation without OPS; BONUS stands behind the checks.
func operationText(atoms []rules.Atom) string {
	if len(atoms) == 0 {
		return ""
	}
	switch AtomVerb(atoms[0]) {
	case VerbOpsPlace:
		return wordPlace + " " + pointsText(atoms)
	case VerbOpsTiananmen:
		return wordTiananmen
	}
	text := wordCheck
	for i, a := range atoms {
		if i > 0 {
			text += ","
		}
		text += " " + Space(AtomValue(a)).String()
	}
	if AtomFlag(atoms[0]) == 1 {
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
		name := Space(AtomValue(atoms[i])).String()
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
		out = append(out, strconv.Itoa(AtomValue(a)))
	}
	return strings.Join(out, ", ")
}

// raiseText lists power struggle cards in the order of the alphabet: in which
// they were named makes no difference.
func raiseText(atoms []rules.Atom) string {
	var out []string
	for _, a := range atoms {
		out = append(out, StruggleCard(AtomValue(a)).String())
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func attackText(a rules.Atom) string {
	k, fl := StruggleCard(AtomValue(a)), AtomFlag(a)
	switch {
	case fl == 0:
		return k.String()
	case k == ScareTactics:
		return fmt.Sprintf("%v %s %v", k, wordIn, Space(fl))
	}
	return fmt.Sprintf("%v %s %v", k, wordAs, Suit(fl))
}

// sideWord is a side as orders write it.
func sideWord(s Side) string { return strings.ToUpper(s.String()) }

// chosen names what VerbChoose chooses. Cards are chosen by number.
func chosen(a rules.Atom) string {
	n := AtomValue(a)
	switch Choice(AtomFlag(a)) {
	case ChooseSpace:
		return Space(n).String()
	case ChooseCountry:
		return Country(n).String()
	case ChooseSide:
		return sideWord(Side(n))
	case ChooseCard:
		return strconv.Itoa(n)
	}
	return optionNames[n]
}
