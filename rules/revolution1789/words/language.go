package words

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// The kinds of names that an order may contain. For example, "SEAT 1-2" contains a nameUnit.
const (
	nameUnit    rules.NameKind = "seat"
	nameCitizen rules.NameKind = "citizen"
	nameColour  rules.NameKind = "colour"
	nameSpace   rules.NameKind = "space"
	nameNone    rules.NameKind = "nobody"
)

// objectiveOffset is added to the number of an objective to get the Code of its card name. Lower codes are crises.
const objectiveOffset = engine.Crises

// Keywords implements rules.Language.
func (Words) Keywords() []rules.Keyword {
	citizens := []rules.NameKind{nameCitizen}
	return []rules.Keyword{
		{Word: "NAME", IsVerb: true, NameKinds: citizens, Synonyms: []string{"NOMINATE"}},
		{Word: "ABSTAIN", IsVerb: true},
		{Word: "SEAT", IsVerb: true, NameKinds: []rules.NameKind{nameUnit}, Synonyms: []string{"SIT", "SIT AT", "SIT ON", "TAKE SEAT", "TAKE"}},
		{Word: "FIRST", NameKinds: []rules.NameKind{rules.CardName, nameSpace}},
		{Word: "VOTE", IsVerb: true, NameKinds: []rules.NameKind{nameColour}, Synonyms: []string{"VOTE FOR", "BALLOT"}},
		{Word: "AT", NameKinds: []rules.NameKind{rules.CardName}},
		{Word: "PURGE", IsVerb: true, NameKinds: citizens, Synonyms: []string{"PICK", "POINT AT"}},
		{Word: "HOLD", IsVerb: true, Synonyms: []string{"NO REVOLUTION"}},
		{Word: "UNTIL CHANGE"},
		{Word: "ALWAYS"},
		{Word: "REVOLUTION", IsVerb: true, Exact: true},
		{Word: "GIVE", IsVerb: true, NameKinds: []rules.NameKind{nameCitizen, nameNone}, AllowsList: true, Synonyms: []string{"GIVE TO"}},
		{Word: "GIVE AS CALLED", IsVerb: true},
		{Word: "DECLINE", IsVerb: true, Exact: true},
	}
}

// Names implements rules.Language.
func (Words) Names() []rules.Name {
	var out []rules.Name
	for u := engine.Unit(1); u < engine.Units; u++ {
		a, b := u.Spaces()
		out = append(out, rules.Name{Kind: nameUnit, Code: int(u), Text: u.String(), NoAbbreviation: true, Aliases: []string{
			fmt.Sprintf("%d-%d", b, a), fmt.Sprintf("%d/%d", a, b), fmt.Sprintf("%d/%d", b, a), fmt.Sprintf("%d %d", a, b),
			fmt.Sprintf("%d %d", b, a)}})
	}
	for s := range engine.MaxSeats {
		out = append(out, rules.Name{Kind: nameCitizen, Code: s, Text: engine.CitizenName(s)})
	}
	out = append(out,
		rules.Name{Kind: nameNone, Text: "NONE", NoAbbreviation: true, Aliases: []string{"NOBODY", "NO ONE", "NOTHING"}},
		rules.Name{Kind: nameColour, Code: int(engine.Monarchist), Text: "MONARCHY", Aliases: []string{"M", "MONARCHIST", "KING"}},
		rules.Name{Kind: nameColour, Code: int(engine.Republican), Text: "REPUBLIC", Aliases: []string{"R", "REPUBLICAN"}})
	for s := 1; s < engine.Spaces; s++ {
		out = append(out, rules.Name{Kind: nameSpace, Code: s, Text: fmt.Sprintf("space %d", s), Number: s, NoAbbreviation: true})
	}
	for c := engine.Crisis(1); c < engine.Crises; c++ {
		out = append(out, rules.Name{Kind: rules.CardName, Code: int(c), Text: c.Name(), Aliases: []string{c.String()}})
	}
	for o := engine.Objective(1); o < engine.Objectives; o++ {
		out = append(out, rules.Name{Kind: rules.CardName, Code: objectiveOffset + int(o), Text: o.Name(), Aliases: objectiveAliases(o)})
	}
	return out
}

// objectiveAliases returns other names of a card, for example the name without the first name.
func objectiveAliases(o engine.Objective) []string {
	out := []string{o.String()}
	if words := strings.Fields(o.Name()); len(words) == 2 && words[1] != "XVI" {
		out = append(out, words[1])
	}
	return out
}

// singleWordOrders need no name. kind is the kind of decision that they answer.
var singleWordOrders = map[string]struct {
	kind string
	atom rules.Atom
}{
	"ABSTAIN":        {engine.KindName, engine.NewAtom(engine.VerbAbstain, 0)},
	"HOLD":           {engine.KindCall, engine.NewAtom(engine.VerbHold, 0)},
	"DECLINE":        {engine.KindGive, engine.NewAtom(engine.VerbDecline, 0)},
	"GIVE AS CALLED": {engine.KindGive, engine.NewAtom(engine.VerbGiveListed, 0)},
}

// singleNameOrders have one name, for example "NAME Lamp".
var singleNameOrders = map[string]struct {
	kind string
	verb engine.Verb
}{
	"NAME": {engine.KindName, engine.VerbName}, "SEAT": {engine.KindSeat, engine.VerbSeat},
	"VOTE": {engine.KindVote, engine.VerbVote}, "PURGE": {engine.KindPurge, engine.VerbPurge},
}

// Answers implements rules.Language.
func (Words) Answers(o rules.Order, decisions []rules.Decision) ([]rules.Answer, error) {
	if len(o.Clauses) == 0 {
		return nil, fmt.Errorf("an order begins with SEAT, VOTE, PURGE, HOLD, REVOLUTION, GIVE, DECLINE, NAME or ABSTAIN")
	}
	first, remaining := o.Clauses[0], o.Clauses[1:]
	a := rules.Answer{}
	if s, ok := singleWordOrders[first.Word]; ok {
		a = rules.Answer{Kinds: []string{s.kind}, Atoms: []rules.Atom{s.atom}}
	} else if s, ok := singleNameOrders[first.Word]; ok {
		if len(first.Items) != 1 {
			return nil, fmt.Errorf("write one name after %s", first.Word)
		}
		a = rules.Answer{Kinds: []string{s.kind}, Atoms: []rules.Atom{engine.NewAtom(s.verb, first.Items[0].Name.Code)},
			Ballot: first.Word == "VOTE"}
	}
	switch first.Word {
	case "SEAT":
		return seatAnswer(a, remaining)
	case "VOTE", "PURGE":
		return crisisAnswer(a, remaining, decisions)
	case "HOLD":
		return holdAnswer(a, remaining)
	case "REVOLUTION":
		return revolutionAnswer(remaining)
	case "GIVE":
		gifts, err := giftAtoms(first)
		if err != nil {
			return nil, err
		}
		a = rules.Answer{Kinds: []string{engine.KindGive}, Atoms: gifts}
	}
	if len(remaining) > 0 {
		return nil, fmt.Errorf("%s does not go with %s", remaining[0].Word, first.Word)
	}
	return []rules.Answer{a}, nil
}

// crisisAnswer parses the rest of a ballot or purge: "AT <crisis>". With AT the answer may come before its decision.
// Without AT, a purge during a vote is for the crisis of that vote.
func crisisAnswer(a rules.Answer, remaining []rules.Clause, decisions []rules.Decision) ([]rules.Answer, error) {
	for _, c := range remaining {
		if c.Word != "AT" || len(c.Items) != 1 || a.Source != "" {
			return nil, fmt.Errorf("after a ballot or a name, write only AT and one crisis")
		}
		n := c.Items[0].Name
		if n.Kind != rules.CardName || n.Code > objectiveOffset {
			return nil, fmt.Errorf("%s is no crisis: name the crisis by its card, as in AT Bread", n.Text)
		}
		a.Source = engine.Crisis(n.Code).Name()
	}
	for _, d := range decisions {
		if a.Source == "" && !a.Ballot && d.Kind == engine.KindVote {
			a.Source = d.Source
		}
	}
	a.Ahead = a.Source != ""
	return []rules.Answer{a}, nil
}

// MayStillAsk implements rules.Game.MayStillAsk.
func (Words) MayStillAsk(rv rules.View, a rules.Answer) bool {
	v := rv.(*engine.View)
	if v.Phase >= engine.GivingFirst || len(a.Kinds) != 1 {
		return false
	}
	if a.Kinds[0] == engine.KindSeat {
		return true
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		if v.Cards[s].Name() == a.Source {
			return v.Verdicts[s] == engine.CrisisOpen
		}
	}
	return false
}

// seatAnswer parses the rest of a SEAT order: "FIRST 2" makes space 2 the first vote.
func seatAnswer(a rules.Answer, remaining []rules.Clause) ([]rules.Answer, error) {
	for _, c := range remaining {
		if c.Word != "FIRST" || len(c.Items) != 1 || len(a.Atoms) > 1 {
			return nil, fmt.Errorf("after SEAT and a seat write only FIRST and one of its two crises")
		}
		if c.Items[0].Name.Kind != nameSpace {
			return nil, fmt.Errorf("after FIRST, write the number of the space for the first vote: FIRST 2")
		}
		a.Atoms = append(a.Atoms, engine.NewAtom(engine.VerbFirst, c.Items[0].Name.Code))
	}
	a.Ahead = true
	return []rules.Answer{a}, nil
}

func holdAnswer(a rules.Answer, remaining []rules.Clause) ([]rules.Answer, error) {
	for _, c := range remaining {
		switch {
		case a.Standing != rules.StandsOnce:
			return nil, fmt.Errorf("write HOLD with UNTIL CHANGE or ALWAYS, not both")
		case c.Word == "ALWAYS":
			a.Standing = rules.StandsAlways
		case c.Word == "UNTIL CHANGE":
			a.Standing = rules.StandsUntilChange
		default:
			return nil, fmt.Errorf("%s does not go with HOLD", c.Word)
		}
	}
	return []rules.Answer{a}, nil
}

func revolutionAnswer(remaining []rules.Clause) ([]rules.Answer, error) {
	a := rules.Answer{Kinds: []string{engine.KindCall}, Atoms: []rules.Atom{engine.NewAtom(engine.VerbRevolution, 0)}}
	for i, c := range remaining {
		if c.Word != "GIVE" || i > 0 {
			return nil, fmt.Errorf("after REVOLUTION write only GIVE and the citizens who get a token")
		}
		gifts, err := giftAtoms(c)
		if err != nil {
			return nil, err
		}
		a.Atoms = append(a.Atoms, gifts...)
	}
	return []rules.Answer{a}, nil
}

func giftAtoms(c rules.Clause) ([]rules.Atom, error) {
	var out []rules.Atom
	for _, item := range c.Items {
		if item.Name.Kind == nameNone {
			if len(c.Items) > 1 {
				return nil, fmt.Errorf("GIVE NONE must not name a citizen")
			}
			return []rules.Atom{engine.NewAtom(engine.VerbEndGifts, 0)}, nil
		}
		out = append(out, engine.NewAtom(engine.VerbGive, item.Name.Code))
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("after GIVE write the citizens who get a token, or NONE")
	}
	return out, nil
}

// FormatOrder implements rules.Language.
func (Words) FormatOrder(atoms []rules.Atom) string {
	if len(atoms) == 0 {
		return ""
	}
	a := atoms[0]
	switch n := engine.AtomValue(a); engine.AtomVerb(a) {
	case engine.VerbAbstain:
		return "ABSTAIN"
	case engine.VerbName:
		return "NAME " + engine.CitizenName(n)
	case engine.VerbSeat:
		line := "SEAT " + engine.Unit(n).String()
		if len(atoms) > 1 && engine.AtomVerb(atoms[1]) == engine.VerbFirst {
			line += fmt.Sprintf(" FIRST %d", engine.AtomValue(atoms[1]))
		}
		return line
	case engine.VerbVote:
		return "VOTE " + strings.ToUpper(colours[n])
	case engine.VerbPurge:
		return "PURGE " + engine.CitizenName(n)
	case engine.VerbHold:
		return "HOLD"
	case engine.VerbRevolution:
		if len(atoms) > 1 && engine.AtomVerb(atoms[1]) != engine.VerbEndAnswer {
			return "REVOLUTION " + giveLine(atoms[1:])
		}
		return "REVOLUTION"
	case engine.VerbDecline:
		return "DECLINE"
	case engine.VerbGiveListed:
		return "GIVE AS CALLED"
	}
	return giveLine(atoms)
}

func giveLine(atoms []rules.Atom) string {
	var names []string
	for _, a := range atoms {
		if engine.AtomVerb(a) == engine.VerbGive {
			names = append(names, engine.CitizenName(engine.AtomValue(a)))
		}
	}
	if len(names) == 0 {
		return "GIVE NONE"
	}
	return "GIVE " + strings.Join(names, ", ")
}

// CountChanges implements rules.Game.CountChanges: HOLD UNTIL CHANGE ends when a minister changes.
func (Words) CountChanges(rv rules.View) int { return int(rv.(*engine.View).MinisterChanges) }
