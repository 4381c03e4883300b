package words

import (
	"slices"
	"strings"

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
	// nameEnd are PASS and CONCEDE as the last entry of a list.
	nameEnd rules.NameKind = "closing PASS"
)

// The words of orders.
const (
	wordPlay       = "PLAY"
	wordWith       = "WITH"
	wordOps        = "OPS"
	wordBoth       = "BOTH"
	wordEvent      = "EVENT"
	wordFirst      = "EVENT FIRST"
	wordAfter      = "EVENT AFTER"
	wordNoEvent    = "NO EVENT"
	wordStrike     = "STRIKE"
	wordTiananmen  = "TIANANMEN"
	wordBonus      = "BONUS"
	wordPlace      = "PLACE"
	wordRemove     = "REMOVE"
	wordCheck      = "CHECK"
	wordChoose     = "CHOOSE"
	wordTake       = "TAKE"
	wordDiscard    = "DISCARD"
	wordRaise      = "RAISE"
	wordAttack     = "ATTACK"
	wordAs         = "AS"
	wordIn         = "IN"
	wordDefend     = "DEFEND"
	wordConcede    = "CONCEDE"
	wordPass       = "PASS"
	wordKeep       = "KEEP POWER"
	wordSurrender  = "SURRENDER POWER"
	wordBid        = "BID"
	wordGive       = "GIVE"
	optionClear    = "CLEAR"
	optionDeclare  = "DECLARE"
	stakesDiscards = 3
)

// Keywords implements rules.Language.
func (Words) Keywords() []rules.Keyword {
	kinds := func(k ...rules.NameKind) []rules.NameKind { return k }
	points := append([]string{"SP", "SPs", "support", "support point", "support points", "point", "points", "influence"}, foreignPoints...)
	out := []rules.Keyword{
		{Word: wordPlay, Verb: true, Takes: kinds(nameCard), Implied: true, Also: []string{"USE", "PLAYING", "USING", "SCORE"}},
		{Word: wordOps, Verb: true, Counted: wordPlace, Also: []string{"OP", "OPERATION", "OPERATIONS", "OPS POINTS", "OPERATIONEN", "OPERACIONES", "OPERAZIONI", "OPERACJE", "OPERATIES", "OPERATIONER", "OPERACE"}},
		{Word: wordPlace, Verb: true, Takes: kinds(nameSpace), List: true, Counts: true, Units: points,
			Also: []string{"PUT", "ADD", "PLACING", "PUTTING", "ADDING", "PLACEMENT"}},
		{Word: wordRemove, Verb: true, Takes: kinds(nameSpace), List: true, Counts: true, Parts: true,
			Units: append([]string{"from", "off", "away", "out of", "aus", "von", "weg", "z", "ze", "od"}, points...),
			Also:  []string{"REMOVING", "TAKE AWAY", "TAKE OFF", "TAKES OFF", "TAKING OFF", "MINUS"}},
		{Word: wordCheck, Verb: true, Takes: kinds(nameSpace, nameEnd), List: true,
			Also: []string{"CHECKS", "CHECKING", "SUPPORT CHECK", "SUPPORT CHECKS", "CHECK SUPPORT", "KNOCK OUT", "ROLL IN", "ROLL AGAINST", "ROLLING IN", "ROLLING AGAINST"}},
		{Word: wordTiananmen, Verb: true, Also: []string{"TIANANMEN SQUARE", "TIANANMEN ATTEMPT", "TIANANMEN SQUARE TRACK", "TIANANMEN SQUARE ATTEMPT", "TIANANMEN TRACK"}},
		{Word: wordChoose, Verb: true, Takes: kinds(nameSpace, nameCountry, nameCard, nameOption, nameSide),
			Also: []string{"CHOOSING", "PICK", "SELECT", "SWAP"}},
		{Word: wordTake, Verb: true, Takes: kinds(nameCard, nameEnd), List: true, Also: []string{"TAKING"}},
		{Word: wordDiscard, Verb: true, Takes: kinds(nameCard, nameEnd), List: true, Also: []string{"DISCARDING"}},
		{Word: wordRaise, Verb: true, Takes: kinds(nameStruggle), List: true,
			Also: []string{"RAISE WITH", "RAISE STAKES WITH", "RAISE THE STAKES WITH", "RAISING WITH",
				"RAISE STAKES", "RAISE THE STAKES", "RAISING", "RAISING THE STAKES", "FOR RAISING THE STAKES"}},
		{Word: wordAttack, Verb: true, Takes: kinds(nameStruggle), List: true, Also: []string{"ATTACK WITH", "ATTACKING WITH", "ATTACKS"}},
		{Word: wordDefend, Verb: true, Takes: kinds(nameStruggle, nameEnd), List: true, Also: []string{"DEFEND WITH", "DEFENDING WITH", "DEFENDS", "DEFENCE", "DEFENSE", "DEF", "BLOCK WITH", "COUNTER WITH", "PARRY WITH", "ANSWER WITH", "RESPOND WITH"}},
		{Word: wordConcede, Verb: true, Exact: true},
		{Word: wordKeep, Verb: true, Also: []string{"KEEP THE POWER"}},
		{Word: wordSurrender, Verb: true, Exact: true},
		{Word: wordPass, Verb: true, Also: []string{"DECLINE"}, Short: []string{"NO", "NOPE", "NO THANKS", "NO THANK YOU", "NOT THIS TIME", "NOTHING", "I DECLINE",
			"NO RAISE", "NO RAISE FROM ME", "DONT WANT TO RAISE", "DO NOT WANT TO RAISE", "NONE", "NOTHING FROM ME", "DONT RAISE", "DO NOT RAISE", "WONT RAISE", "WILL NOT RAISE", "NOT RAISE", "NOT RAISING", "DECLINES", "DECLINES TO RAISE", "DECLINE TO RAISE", "SKIP",
			"NO RAISE FROM MY SIDE", "NO RAISE ON MY SIDE", "NO STAKES FROM ME", "NO RAISING", "NO RAISING FROM ME", "KEEP MY CARDS", "KEEP ALL MY CARDS", "STAKES ARE HIGH ENOUGH", "STAKES STAY AS THEY ARE", "LEAVE THE STAKES", "LEAVE THE STAKES ALONE", "LEAVE THE STAKES AS THEY ARE", "STAKES ARE FINE", "STAKES ARE FINE FOR ME", "STAKES ARE FINE AS THEY ARE"}},
		{Word: wordBid, Verb: true, Final: true, Takes: kinds(nameSide)},
		{Word: wordGive, Number: true, Units: points, Also: []string{"GIVING"}},
		{Word: wordWith, Takes: kinds(nameCard)},
		{Word: wordBoth, Counted: wordPlace},
		{Word: wordEvent, Also: append([]string{"EV", "EVT", "TRIGGER"}, abroad(nil)...)},
		{Word: wordFirst, Also: append([]string{"EVENT 1ST", "EVENT BEFORE", "FIRST EVENT", "FIRST THE EVENT", "EVENT GOES FIRST", "EVENT HAPPENS FIRST", "EVENT HAPPEN FIRST", "EVENT COME FIRST",
			"EVENT COMES FIRST", "EVENT TAKE PLACE FIRST", "EVENT TAKES PLACE FIRST", "EVENT TO TAKE PLACE FIRST", "EVENT MAY TAKE PLACE FIRST",
			"EV FIRST", "HE GOES FIRST", "HE MAY GO FIRST", "LET HIM GO FIRST", "HIM FIRST", "HE FIRST", "HIS FIRST", "HIS VISIT FIRST",
			"EVENT BEFORE THAT", "EVENT BEFORE MY OPS", "EVENT BEFORE THE OPS", "EVENT BEFORE I PLACE", "EVENT BEFORE I SPEND", "EVENT BEFORE I CHECK", "EVENT BEFOREHAND",
			"EVENT UP FRONT", "EVENT UPFRONT", "EVENT TAKE PLACE BEFORE", "EVENT TAKES PLACE BEFORE", "EVENT TAKE PLACE BEFORE I SPEND THEM", "EVENT TAKE PLACE BEFORE I SPEND"}, abroad(func(s speech) []string { return s.first })...)},
		{Word: wordAfter, Also: append([]string{"EVENT AFTERWARDS", "EVENT LAST", "EVENT SECOND", "EVENT LATER", "EVENT GOES AFTER",
			"EVENT HAPPENS AFTER", "EVENT COMES AFTER", "THEN EVENT", "AFTERWARDS EVENT", "EVENT TAKES PLACE AFTER", "EVENT TAKES PLACE AFTERWARDS",
			"EVENT AFTER THAT", "EVENT AFTER THIS", "EVENT AFTER IT", "EVENT AFTER ME", "EVENT AFTER MINE", "EVENT AFTER OPS", "EVENT AFTER MY OPS", "EVENT AFTER THE OPS", "EVENT AFTER MY OPERATIONS",
			"EVENT THEREAFTER", "EVENT AT THE END", "EVENT WHEN IM DONE", "EVENT WHEN I AM DONE", "AFTER THAT EVENT", "EV AFTER", "EV LAST",
			"THEN HE GETS HIS EVENT", "AFTERWARDS HE GETS HIS EVENT", "AFTER THAT HE GETS HIS EVENT", "AFTER THOSE HE GETS HIS EVENT", "HIS POINTS COME AFTER", "HIS POINTS COME AFTER THAT"}, abroad(func(s speech) []string { return s.after })...)},
		{Word: wordNoEvent, Also: append([]string{"WITHOUT EVENT", "WITHOUT THE EVENT"}, abroad(func(s speech) []string { return s.without })...)},
		{Word: wordStrike},
		{Word: wordBonus, Also: []string{"WITH BONUS", "WITH THE BONUS"}},
		{Word: wordAs, Takes: kinds(nameSuit), Modifies: true, Also: []string{"COUNTING AS", "COUNTED AS", "USED AS", "LEADS A", "LEADING A"}},
		{Word: wordIn, Takes: kinds(nameSpace), Modifies: true},
	}
	for i := range out {
		if out[i].Also = append(out[i].Also, foreign[out[i].Word]...); out[i].Word == wordPass {
			out[i].Short = append(out[i].Short, foreignShort...)
		}
	}
	return out
}

// Names implements rules.Language: spaces, cards, power struggle cards,
// countries, suits, options, boxes, and the words that end a list.
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
		n.Aliases = append(n.Aliases, leaders[n.Text]...)
		suit, number, _ := strings.Cut(n.Text, "-")
		for _, word := range foreignSuits[suit] {
			n.Aliases = append(n.Aliases, strings.TrimSuffix(word+"-"+number, "-"))
		}
		out = append(out, n)
	}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		n := rules.Name{Kind: nameCountry, Code: int(c), Text: c.String()}
		if c == engine.EastGermany {
			n.Aliases = []string{"GDR", "DDR"}
		}
		n.Aliases = append(n.Aliases, foreignCountries[n.Text]...)
		out = append(out, n)
	}
	for s := engine.RallySuit; s < engine.Suits; s++ {
		out = append(out, rules.Name{Kind: nameSuit, Code: int(s), Text: s.String()})
	}
	for o := engine.OptionKeepPower; o <= engine.OptionDeclare; o++ {
		out = append(out, rules.Name{Kind: nameOption, Code: o, Text: optionNames[o], Whole: true})
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		out = append(out, rules.Name{Kind: nameSide, Code: int(s), Text: strings.ToUpper(s.String())})
	}
	for s := engine.SourceBox3; s <= engine.SourceBox6; s++ {
		out = append(out, rules.Name{Kind: nameBox, Code: int(s), Text: s.String(), Whole: true})
	}
	return append(out, rules.Name{Kind: nameEnd, Code: int(engine.VerbPass), Text: wordPass, Whole: true},
		rules.Name{Kind: nameEnd, Code: int(engine.VerbConcede), Text: wordConcede, Whole: true})
}

var optionNames = [...]string{
	engine.OptionKeepPower: wordKeep, engine.OptionSurrenderPower: wordSurrender, engine.OptionClear: optionClear, engine.OptionDeclare: optionDeclare,
}

// spaceAliases are a space's other names: as it is spelt at home, abroad,
// and, for what several countries have, without and with the country.
func spaceAliases(s engine.Space) []string {
	var out []string
	info := s.Info()
	if info.Display != info.Name {
		out = append(out, info.Display)
	}
	if info.Kind == engine.Church {
		out = append(out, info.Country.String()+" "+info.Display)
	}
	return append(out, exonyms[info.Name]...)
}

// cardAliases are a card's other names. Scoring cards had another title in the
// first edition.
func cardAliases(c engine.Card) []string {
	if country := c.Info().Scoring; country != engine.NoCountry {
		out := []string{"Power Struggle - " + country.String()}
		for _, word := range foreignCountries[country.String()] {
			out = append(out, word+"-Wertung", "Wertung "+word, word+" werten")
		}
		return out
	}
	return slices.Concat(nicknames[int(c)], foreignTitles[int(c)])
}
