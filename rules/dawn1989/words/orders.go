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

// manualText holds the texts on orders, in the form of rules.ReadTopics.
//
//go:embed data/manual.txt
var manualText string

var manual = rules.ReadTopics(manualText)

// Manual is rules.Game.Manual.
func (Words) Manual() []rules.Topic { return manual }

// Meaning is rules.Game.Meaning.
func (Words) Meaning(rv rules.View, d rules.Decision, answers []rules.Answer) string {
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
		if say := meanings[engine.AtomVerb(atoms[0])]; say != nil {
			if text := say(q, atoms[:n]); text != "" {
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

// sentence makes a sentence of a text.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// meanings say what answers of a verb mean.
var meanings = map[engine.Verb]func(*asking, []rules.Atom) string{
	engine.VerbPlay:         (*asking).meansPlay,
	engine.VerbOpsPlace:     func(_ *asking, a []rules.Atom) string { return "place " + pointsIn(a) },
	engine.VerbPlace:        func(_ *asking, a []rules.Atom) string { return "place " + pointsIn(a) },
	engine.VerbRemove:       func(_ *asking, a []rules.Atom) string { return "remove " + pointsIn(a) },
	engine.VerbOpsCheck:     func(_ *asking, a []rules.Atom) string { return checksIn(a) },
	engine.VerbCheck:        func(_ *asking, a []rules.Atom) string { return checksIn(a) },
	engine.VerbOpsTiananmen: func(*asking, []rules.Atom) string { return "try the next box of the Tiananmen track" },
	engine.VerbTake:         func(_ *asking, a []rules.Atom) string { return "take " + cardsIn(a) },
	engine.VerbDiscard:      func(_ *asking, a []rules.Atom) string { return "discard " + cardsIn(a) },
	engine.VerbRaise:        func(_ *asking, a []rules.Atom) string { return "raise the stakes by giving up " + struggleIn(a) },
	engine.VerbAttack:       func(_ *asking, a []rules.Atom) string { return "attack with " + struggleIn(a) },
	engine.VerbDefend:       func(_ *asking, a []rules.Atom) string { return "defend with " + struggleIn(a) },
	engine.VerbConcede:      func(*asking, []rules.Atom) string { return "give the power struggle up: the enemy wins it" },
	engine.VerbPass:         func(*asking, []rules.Atom) string { return "decline, and go on" },
	engine.VerbChoose:       func(_ *asking, a []rules.Atom) string { return choiceIn(a[0]) },
	engine.VerbBid: func(_ *asking, a []rules.Atom) string {
		return fmt.Sprintf("play %s and give the other side %s", the(engine.Side(engine.AtomFlag(a[0]))), count(engine.AtomValue(a[0]), "point"))
	},
}

// meansPlay says what a card is played for; what the operation is stands behind it.
func (q *asking) meansPlay(atoms []rules.Atom) string {
	c := engine.Card(engine.AtomValue(atoms[0]))
	ops := fmt.Sprintf("its %d Ops", q.p.OpsValue(q.side, c.Info().Ops, false))
	text := "play " + full(c) + " for "
	switch engine.Mode(engine.AtomFlag(atoms[0])) {
	case engine.PlayEvent:
		return text + "its event"
	case engine.PlayOps:
		return text + ops
	case engine.PlayEventFirst:
		return text + "its Ops (its event happens first, for " + the(engine.Resolver(c, q.side)) + ")"
	case engine.PlayEventAfter:
		return text + ops + " (its event happens afterwards, for " + the(engine.Resolver(c, q.side)) + ")"
	case engine.PlayTiananmen:
		return text + "an attempt on the Tiananmen track (its event does not happen)"
	case engine.PlayStrike:
		return fmt.Sprintf("discard %s and roll to end the strike", full(c))
	case engine.PlayWithHome:
		return fmt.Sprintf("play %s with %s for %s (no event happens)", full(engine.CommonEuropeanHome), full(c), ops)
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
		text += ", with the bonus of " + full(engine.AustriaHungaryBorder)
	}
	return text
}

func cardsIn(atoms []rules.Atom) string {
	var out []string
	for _, a := range atoms {
		out = append(out, full(engine.Card(engine.AtomValue(a))))
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

func choiceIn(a rules.Atom) string {
	n := engine.AtomValue(a)
	switch engine.Choice(engine.AtomFlag(a)) {
	case engine.ChooseSpace:
		return "choose " + engine.Space(n).String()
	case engine.ChooseCountry:
		return "choose " + engine.Country(n).String()
	case engine.ChooseCard:
		return "choose " + full(engine.Card(n))
	case engine.ChooseSide:
		return "play " + the(engine.Side(n))
	}
	return [...]string{
		engine.OptionKeepPower: "keep Power, for the VP that it gives", engine.OptionSurrenderPower: "give Power to the Democrat",
		engine.OptionClear: "remove all enemy points from the Elite spaces", engine.OptionDeclare: "end the match with this turn",
	}[n]
}
