package words

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// The kinds of names in orders.
const (
	nameSpace    rules.NameKind = "space"
	nameCard     rules.NameKind = "card"
	nameStruggle rules.NameKind = "struggle card"
	nameCountry  rules.NameKind = "country"
	nameSuit     rules.NameKind = "suit"
	nameOption   rules.NameKind = "option"
	nameBox      rules.NameKind = "box"
	nameSide     rules.NameKind = "side"
	nameListEnd  rules.NameKind = "closing PASS" // PASS or CONCEDE at the end of a list
)

// The words of orders.
const (
	wordPlay      = "PLAY"
	wordWith      = "WITH"
	wordOps       = "OPS"
	wordBoth      = "BOTH"
	wordEvent     = "EVENT"
	wordFirst     = "EVENT FIRST"
	wordAfter     = "EVENT AFTER"
	wordNoEvent   = "NO EVENT"
	wordStrike    = "STRIKE"
	wordTiananmen = "TIANANMEN"
	wordBonus     = "BONUS"
	wordPlace     = "PLACE"
	wordRemove    = "REMOVE"
	wordCheck     = "CHECK"
	wordChoose    = "CHOOSE"
	wordTake      = "TAKE"
	wordDiscard   = "DISCARD"
	wordRaise     = "RAISE"
	wordAttack    = "ATTACK"
	wordAs        = "AS"
	wordIn        = "IN"
	wordDefend    = "DEFEND"
	wordConcede   = "CONCEDE"
	wordPass      = "PASS"
	wordKeep      = "KEEP POWER"
	wordSurrender = "SURRENDER POWER"
	wordBid       = "BID"
	wordGive      = "GIVE"
	optionClear   = "CLEAR"
	optionDeclare = "DECLARE"
)

const stakesDiscards = 3

// vocabularyText holds synonyms of keywords and names in many languages.
//
//go:embed data/vocabulary.txt
var vocabularyText string

// vocabulary returns lists of synonyms by kind and name. For example, the list "word PLACE" has PUT, and the list
// "space Gdansk" has Danzig.
var vocabulary = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, t := range rules.ReadTopics(vocabularyText) {
		out[t.Name] = strings.Split(t.Text, ", ")
	}
	return out
})

// Keywords implements rules.Language.
func (Words) Keywords() []rules.Keyword {
	kinds := func(k ...rules.NameKind) []rules.NameKind { return k }
	out := []rules.Keyword{
		{Word: wordPlay, IsVerb: true, NameKinds: kinds(nameCard), Implied: true},
		{Word: wordOps, IsVerb: true, CountKeyword: wordPlace},
		{Word: wordPlace, IsVerb: true, NameKinds: kinds(nameSpace), AllowsList: true, AllowsCounts: true},
		{Word: wordRemove, IsVerb: true, NameKinds: kinds(nameSpace), AllowsList: true, AllowsCounts: true, RemovesPoints: true},
		{Word: wordCheck, IsVerb: true, NameKinds: kinds(nameSpace, nameListEnd), AllowsList: true},
		{Word: wordTiananmen, IsVerb: true},
		{Word: wordChoose, IsVerb: true, NameKinds: kinds(nameSpace, nameCountry, nameCard, nameOption, nameSide)},
		{Word: wordTake, IsVerb: true, NameKinds: kinds(nameCard, nameListEnd), AllowsList: true},
		{Word: wordDiscard, IsVerb: true, NameKinds: kinds(nameCard, nameListEnd), AllowsList: true},
		{Word: wordRaise, IsVerb: true, NameKinds: kinds(nameStruggle), AllowsList: true},
		{Word: wordAttack, IsVerb: true, NameKinds: kinds(nameStruggle), AllowsList: true},
		{Word: wordDefend, IsVerb: true, NameKinds: kinds(nameStruggle, nameListEnd), AllowsList: true},
		{Word: wordConcede, IsVerb: true, Exact: true},
		{Word: wordKeep, IsVerb: true},
		{Word: wordSurrender, IsVerb: true, Exact: true},
		{Word: wordPass, IsVerb: true},
		{Word: wordBid, IsVerb: true, Final: true, NameKinds: kinds(nameSide)},
		{Word: wordGive, TakesNumber: true},
		{Word: wordWith, NameKinds: kinds(nameCard)},
		{Word: wordBoth, CountKeyword: wordPlace},
		{Word: wordEvent},
		{Word: wordFirst},
		{Word: wordAfter},
		{Word: wordNoEvent},
		{Word: wordStrike},
		{Word: wordBonus},
		{Word: wordAs, NameKinds: kinds(nameSuit), IsModifier: true},
		{Word: wordIn, NameKinds: kinds(nameSpace), IsModifier: true},
	}
	synonyms := vocabulary()
	for i := range out {
		k := &out[i]
		k.Synonyms, k.ShortAnswers, k.Units = synonyms["word "+k.Word], synonyms["short "+k.Word], synonyms["units "+k.Word]
	}
	return out
}

// Names implements rules.Language: spaces, cards, power struggle cards, countries, suits, options, boxes, and the words
// that end a list.
func (Words) Names() []rules.Name {
	var out []rules.Name
	for s := engine.Space(1); s < engine.Spaces; s++ {
		out = append(out, rules.Name{Kind: nameSpace, Code: int(s), Text: s.String(), Aliases: spaceAliases(s)})
	}
	for c := engine.Card(1); c < engine.Cards; c++ {
		out = append(out, rules.Name{Kind: nameCard, Code: int(c), Text: c.String(), Number: int(c), Aliases: cardAliases(c)})
	}
	for k := range engine.StruggleCard(engine.StruggleKinds) {
		n := rules.Name{Kind: nameStruggle, Code: int(k), Text: k.String()}
		if k == engine.Rally {
			n.Aliases = []string{"Rally-1", "Rally in the Square"}
		}
		n.Aliases = append(n.Aliases, vocabulary()["struggle card "+n.Text]...)
		suit, number, _ := strings.Cut(n.Text, "-")
		for _, word := range vocabulary()["suit "+suit] {
			n.Aliases = append(n.Aliases, strings.TrimSuffix(word+"-"+number, "-"))
		}
		out = append(out, n)
	}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		n := rules.Name{Kind: nameCountry, Code: int(c), Text: c.String()}
		if c == engine.EastGermany {
			n.Aliases = []string{"GDR", "DDR"}
		}
		n.Aliases = append(n.Aliases, vocabulary()["country "+n.Text]...)
		out = append(out, n)
	}
	for s := engine.RallySuit; s < engine.Suits; s++ {
		out = append(out, rules.Name{Kind: nameSuit, Code: int(s), Text: s.String()})
	}
	for o := engine.OptionKeepPower; o <= engine.OptionDeclare; o++ {
		out = append(out, rules.Name{Kind: nameOption, Code: o, Text: optionNames[o], NoAbbreviation: true})
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		out = append(out, rules.Name{Kind: nameSide, Code: int(s), Text: strings.ToUpper(s.String())})
	}
	for s := engine.SourceBox3; s <= engine.SourceBox6; s++ {
		out = append(out, rules.Name{Kind: nameBox, Code: int(s), Text: s.String(), NoAbbreviation: true})
	}
	return append(out, rules.Name{Kind: nameListEnd, Code: int(engine.VerbPass), Text: wordPass, NoAbbreviation: true},
		rules.Name{Kind: nameListEnd, Code: int(engine.VerbConcede), Text: wordConcede, NoAbbreviation: true})
}

var optionNames = [...]string{
	engine.OptionKeepPower: wordKeep, engine.OptionSurrenderPower: wordSurrender, engine.OptionClear: optionClear,
	engine.OptionDeclare: optionDeclare,
}

// spaceAliases returns other names of a space: its local spelling, its names in other languages, and for a church the
// name of the country with the local spelling.
func spaceAliases(s engine.Space) []string {
	var out []string
	info := s.Info()
	if info.Display != info.Name {
		out = append(out, info.Display)
	}
	if info.Type == engine.Church {
		out = append(out, info.Country.String()+" "+info.Display)
	}
	return append(out, vocabulary()["space "+info.Name]...)
}

// cardAliases returns other names of a card. For a scoring card this is its title in the first edition, and German
// words for it.
func cardAliases(c engine.Card) []string {
	if country := c.Info().Scoring; country != engine.NoCountry {
		out := []string{"Power Struggle - " + country.String()}
		for _, word := range vocabulary()["country "+country.String()] {
			out = append(out, word+"-Wertung", "Wertung "+word, word+" werten")
		}
		return out
	}
	return vocabulary()[fmt.Sprintf("card %d", c)]
}
