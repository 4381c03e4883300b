package words

import (
	"fmt"
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// verb has the functions for one verb of atoms: they parse, format and describe orders, and explain refusals.
type verb struct {
	// parse is called for orders that begin with a word in orderWords. Orders of several verbs begin with OPS; only
	// VerbOpsPlace lists this word, and its parser reads them all.
	orderWords []string
	parse      func(*orderParser, rules.Clause) ([]rules.Answer, error)
	// formatWord and format write an answer that starts with this verb.
	formatWord string
	format     func([]rules.Atom) string
	// explainRefusal explains why an atom is not legal. If it returns "" or is nil, the refusal suggests legal answers.
	explainRefusal func(*questionWriter, rules.Atom) string
	// describe describes the effect of atoms of the verb, for example "place 2 points in Lodz".
	describe func(*questionWriter, []rules.Atom) string
}

// verbs are the verbs of atoms. An init function fills the map because the functions refer to it.
var verbs map[engine.Verb]verb

func init() {
	describePlacing := func(_ *questionWriter, a []rules.Atom) string { return "place " + describePoints(a) }
	fixedText := func(text string) func(*questionWriter, []rules.Atom) string {
		return func(*questionWriter, []rules.Atom) string { return text }
	}
	withList := func(text string, list func([]rules.Atom) string) func(*questionWriter, []rules.Atom) string {
		return func(_ *questionWriter, a []rules.Atom) string { return text + list(a) }
	}
	verbs = map[engine.Verb]verb{
		engine.VerbPlay:     {[]string{wordPlay}, (*orderParser).parsePlay, wordPlay, formatPlay, refusePlay, describePlay},
		engine.VerbOpsPlace: {[]string{wordOps}, (*orderParser).parseOps, wordOps, formatOperation, refuseOpsPlace, describePlacing},
		engine.VerbOpsCheck: {nil, nil, wordOps, formatOperation, refuseOpsCheck, withList("", describeChecks)},
		engine.VerbOpsTiananmen: {[]string{wordTiananmen}, (*orderParser).parseOperation, wordOps, formatOperation, refuseOpsTiananmen,
			fixedText("try the next box of the Tiananmen track")},
		engine.VerbPlace: {[]string{wordPlace}, (*orderParser).parseSpaces, wordPlace, formatPointList, refusePlace, describePlacing},
		engine.VerbRemove: {[]string{wordRemove}, (*orderParser).parseSpaces, wordRemove, formatPointList, refuseRemove,
			withList("remove ", describePoints)},
		engine.VerbCheck: {[]string{wordCheck}, (*orderParser).parseChecks, wordCheck, formatPointList, refuseCheck,
			withList("", describeChecks)},
		engine.VerbChoose: {[]string{wordChoose, wordKeep, wordSurrender}, (*orderParser).parseChoice, wordChoose, formatChoice, refuseChoice,
			withList("", describeChoice)},
		engine.VerbTake: {[]string{wordTake}, (*orderParser).parseCards, wordTake, formatNumbers, refuseCard, withList("take ", describeCards)},
		engine.VerbDiscard: {[]string{wordDiscard}, (*orderParser).parseCards, wordDiscard, formatNumbers, refuseCard,
			withList("discard ", describeCards)},
		engine.VerbRaise: {[]string{wordRaise}, (*orderParser).parseRaise, wordRaise, formatRaise, refuseRaise,
			withList("raise the stakes by giving up ", describeStruggleCards)},
		engine.VerbAttack: {[]string{wordAttack}, (*orderParser).parseAttack, wordAttack, formatAttack, refuseAttack,
			withList("attack with ", describeStruggleCards)},
		engine.VerbDefend: {[]string{wordDefend}, (*orderParser).parseDefend, wordDefend, formatDefence, refuseDefence,
			withList("defend with ", describeStruggleCards)},
		engine.VerbConcede: {[]string{wordConcede}, (*orderParser).parseBareKeyword, wordConcede, nil, refuseConcession,
			fixedText("give up the power struggle, so the enemy wins it")},
		engine.VerbPass: {[]string{wordPass}, (*orderParser).parseBareKeyword, wordPass, nil, refusePass, fixedText("decline")},
		engine.VerbBid:  {[]string{wordBid}, (*orderParser).parseBid, wordBid, formatBid, nil, describeBid},
	}
}

// FormatOrder implements rules.Language. Atoms contain their verb, so no decision is needed.
func (Words) FormatOrder(atoms []rules.Atom) string {
	atoms = slices.DeleteFunc(slices.Clone(atoms), func(a rules.Atom) bool { return engine.AtomVerb(a) == engine.VerbStop })
	if len(atoms) == 0 {
		return ""
	}
	v, ok := verbs[engine.AtomVerb(atoms[0])]
	if !ok {
		return wordPass
	}
	if v.format == nil {
		return v.formatWord
	}
	return v.formatWord + " " + v.format(atoms)
}

func describeBid(_ *questionWriter, a []rules.Atom) string {
	return fmt.Sprintf("play %s and give the other side %s", sideName(engine.Side(engine.AtomFlag(a[0]))),
		pluralize(engine.AtomValue(a[0]), "point"))
}
