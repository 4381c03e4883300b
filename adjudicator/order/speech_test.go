package order_test

import "samizdat/rules"

// speech is a language that has every difficulty at once: names that hold
// keywords, separators, digits, or one another.
type speech struct{}

func (speech) Keywords() []rules.Keyword {
	list := func(word string, verb, counts bool, takes ...rules.NameKind) rules.Keyword {
		return rules.Keyword{Word: word, IsVerb: verb, NameKinds: takes, AllowsList: true, AllowsCounts: counts}
	}
	one := func(word string, verb bool, takes ...rules.NameKind) rules.Keyword {
		return rules.Keyword{Word: word, IsVerb: verb, NameKinds: takes}
	}
	return []rules.Keyword{
		one("PLAY", true, "card"), one("WITH", false, "card"), one("TAKE", true, "card"),
		one("OPS", true), one("EVENT", false), one("BOTH", false), one("TIANANMEN", false), one("STRIKE", false),
		one("EVENT FIRST", false), one("EVENT AFTER", false), one("NO EVENT", false), one("BONUS", false),
		list("PLACE", true, true, "space"), list("REMOVE", true, true, "space"), list("CHECK", true, false, "space", "end"),
		list("DISCARD", true, false, "card"), list("RAISE", true, false, "struggle card"),
		list("ATTACK", true, false, "struggle card"), list("DEFEND", true, false, "struggle card", "end"),
		{Word: "AS", NameKinds: []rules.NameKind{"suit"}, IsModifier: true},
		{Word: "IN", NameKinds: []rules.NameKind{"space"}, IsModifier: true},
		one("CHOOSE", true, "space", "card", "option", "country"),
		one("PASS", true), one("CONCEDE", true), one("KEEP POWER", true), one("HOLD", true), one("UNTIL CHANGE", false),
		one("BID", true, "side"), {Word: "GIVE", TakesNumber: true},
		one("SEAT", true, "seat"), one("FIRST", false, "crisis"), list("PRESENT", true, false, "citizen"),
		one("VOTE", true, "ballot"),
	}
}

func (speech) Names() []rules.Name {
	var out []rules.Name
	add := func(kind rules.NameKind, names ...string) {
		for i, n := range names {
			out = append(out, rules.Name{Kind: kind, Code: i + 1, Text: n})
		}
	}
	add("space", "Lodz", "Wroclaw", "Krakow", "Berlin", "Harghita/Covasna", "Sofia", "Sofia University",
		"Polish Writers", "Czech Writers", "Cluj-Napoca", "Polish Catholic Church", "Praha", "Leipzig")
	out[0].Aliases = []string{"Łódź"}
	for _, c := range []struct {
		number int
		text   string
	}{{2, "Solidarity Legalized"}, {5, "General Strike"}, {9, "The Wall"}, {12, "Apparatchiks"},
		{21, "Common European Home"}, {27, "Consumerism"}, {40, "Hungarian Democratic Forum"},
		{48, `"We are the People!"`}, {51, "40th Anniversary Celebration"}, {64, "Legacy of 1968"},
		{68, "Klaus and Komarek"}, {85, "Tank Column/Tank Man"}, {86, `"The Wall Must Go!"`},
		{91, "My First Banana"}, {104, "New Year's Eve Party"}} {
		out = append(out, rules.Name{Kind: "card", Code: c.number, Text: c.text, Number: c.number})
	}
	add("struggle card", "Rally", "Strike-3", "March-3", "March-6", "Petition-6", "Elite Leader", "Church Leader",
		"Scare Tactics", "Tactic Fails")
	add("suit", "Rally", "Strike", "March", "Petition")
	add("country", "Poland", "East Germany")
	add("side", "DEMOCRAT", "COMMUNIST")
	add("seat", "1-2", "1-7", "12")
	add("crisis", "Catholic Church", "Directorate")
	add("citizen", "Arch", "Grape", "Cheese", "Lamp")
	add("ballot", "M", "R")
	for i, n := range []string{"PASS", "CONCEDE"} {
		out = append(out, rules.Name{Kind: "end", Code: i + 1, Text: n, NoAbbreviation: true})
	}
	for i, n := range []string{"KEEP POWER", "CLEAR"} {
		out = append(out, rules.Name{Kind: "option", Code: i + 1, Text: n, NoAbbreviation: true})
	}
	return out
}

func (speech) Answers(rules.Order, []rules.Decision) ([]rules.Answer, error) { return nil, nil }
func (speech) FormatOrder([]rules.Atom) string                               { return "" }
