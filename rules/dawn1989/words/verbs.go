package words

import (
	"fmt"
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// verb holds the code for one verb: parsing, writing, prompting, refusing and explaining.
type verb struct {
	// words are the verbs of orders that read parses. A word for several verbs is at the first.
	words []string
	read  func(*orderReader, rules.Clause) ([]rules.Answer, error)
	// word and text write an answer that starts with this verb.
	word string
	text func([]rules.Atom) string
	// refuse explains why an atom is not legal; "", or a nil refuse, if the question does not take the verb.
	refuse func(*questionWriter, rules.Atom) string
	// mean explains atoms of the verb.
	mean func(*questionWriter, []rules.Atom) string
}

var verbs map[engine.Verb]verb

func init() {
	placing := func(_ *questionWriter, a []rules.Atom) string { return "place " + pointsIn(a) }
	means := func(text string) func(*questionWriter, []rules.Atom) string {
		return func(*questionWriter, []rules.Atom) string { return text }
	}
	with := func(text string, list func([]rules.Atom) string) func(*questionWriter, []rules.Atom) string {
		return func(_ *questionWriter, a []rules.Atom) string { return text + list(a) }
	}
	verbs = map[engine.Verb]verb{
		engine.VerbPlay:     {[]string{wordPlay}, (*orderReader).play, wordPlay, playText, refusePlay, meaningOfPlay},
		engine.VerbOpsPlace: {[]string{wordOps}, (*orderReader).ops, wordOps, operationText, refuseOpsPlace, placing},
		engine.VerbOpsCheck: {nil, nil, wordOps, operationText, refuseOpsCheck, with("", checksIn)},
		engine.VerbOpsTiananmen: {[]string{wordTiananmen}, (*orderReader).operation, wordOps, operationText, refuseOpsTiananmen,
			means("try the next box of the Tiananmen track")},
		engine.VerbPlace:  {[]string{wordPlace}, (*orderReader).spaces, wordPlace, pointsText, refusePlace, placing},
		engine.VerbRemove: {[]string{wordRemove}, (*orderReader).spaces, wordRemove, pointsText, refuseRemove, with("remove ", pointsIn)},
		engine.VerbCheck:  {[]string{wordCheck}, (*orderReader).checks, wordCheck, pointsText, refuseCheck, with("", checksIn)},
		engine.VerbChoose: {[]string{wordChoose, wordKeep, wordSurrender}, (*orderReader).choose, wordChoose, choiceText, refuseChoice,
			with("", choiceIn)},
		engine.VerbTake:    {[]string{wordTake}, (*orderReader).cards, wordTake, numbersText, refuseCard, with("take ", cardsIn)},
		engine.VerbDiscard: {[]string{wordDiscard}, (*orderReader).cards, wordDiscard, numbersText, refuseCard, with("discard ", cardsIn)},
		engine.VerbRaise: {[]string{wordRaise}, (*orderReader).raise, wordRaise, raiseText, refuseRaise,
			with("raise the stakes by giving up ", struggleIn)},
		engine.VerbAttack: {[]string{wordAttack}, (*orderReader).attack, wordAttack, attackText, refuseAttack, with("attack with ", struggleIn)},
		engine.VerbDefend: {[]string{wordDefend}, (*orderReader).defend, wordDefend, defenceText, refuseDefence,
			with("defend with ", struggleIn)},
		engine.VerbConcede: {[]string{wordConcede}, (*orderReader).readSingleWord, wordConcede, nil, refuseConcession,
			means("give up the power struggle, so the enemy wins it")},
		engine.VerbPass: {[]string{wordPass}, (*orderReader).readSingleWord, wordPass, nil, refusePass, means("decline")},
		engine.VerbBid:  {[]string{wordBid}, (*orderReader).bid, wordBid, bidText, nil, meaningOfBid},
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
	if v.text == nil {
		return v.word
	}
	return v.word + " " + v.text(atoms)
}

func meaningOfBid(_ *questionWriter, a []rules.Atom) string {
	return fmt.Sprintf("play %s and give the other side %s", sideName(engine.Side(engine.AtomFlag(a[0]))),
		pluralize(engine.AtomValue(a[0]), "point"))
}
