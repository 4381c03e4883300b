package rulestest

import (
	"fmt"
	"strconv"
	"strings"

	"samizdat/rules"
)

// The kinds of names.
const (
	nameField   rules.NameKind = "field"
	nameCard    rules.NameKind = "card"
	nameWeather rules.NameKind = "weather"
	// nameEnd is the word PASS at the end of a list.
	nameEnd rules.NameKind = "end"
)

// Keywords are the keywords of orders.
func (game) Keywords() []rules.Keyword {
	return []rules.Keyword{
		{Word: "PLAY", IsVerb: true, NameKinds: []rules.NameKind{nameCard}},
		{Word: "SOW", NameKinds: []rules.NameKind{nameField}, AllowsList: true, AllowsCounts: true},
		{Word: "WATER", IsVerb: true, NameKinds: []rules.NameKind{nameField, nameEnd}, AllowsList: true, AllowsCounts: true},
		{Word: "CLEAR", IsVerb: true, NameKinds: []rules.NameKind{nameField}},
		{Word: "KEEP", IsVerb: true, NameKinds: []rules.NameKind{nameCard}},
		{Word: "VOTE", IsVerb: true, NameKinds: []rules.NameKind{nameWeather}},
		{Word: "PASS", IsVerb: true},
	}
}

// Names are the fields, the cards, the weathers and the word that ends a list.
func (game) Names() []rules.Name {
	var out []rules.Name
	for f := 1; f <= fields; f++ {
		n := rules.Name{Kind: nameField, Code: f, Text: fieldNames[f]}
		if fieldNames[f] == "Swit Meadow" {
			n.Aliases = []string{"Świt Meadow", "Dawn Meadow"}
		}
		out = append(out, n)
	}
	for c := 1; c <= cards; c++ {
		out = append(out, rules.Name{Kind: nameCard, Code: c, Text: cardNames[c], Number: c})
	}
	for w := sun; w <= rain; w++ {
		out = append(out, rules.Name{Kind: nameWeather, Code: w, Text: weatherNames[w], NoAbbreviation: true})
	}
	return append(out, rules.Name{Kind: nameEnd, Text: "PASS", NoAbbreviation: true})
}

// Answers returns the answer that an order stands for: always exactly one.
func (game) Answers(o rules.Order, _ []rules.Decision) ([]rules.Answer, error) {
	if len(o.Clauses) == 0 {
		return nil, fmt.Errorf("an order begins with PLAY, WATER, CLEAR, KEEP, VOTE or PASS")
	}
	first, rest := o.Clauses[0], o.Clauses[1:]
	var a rules.Answer
	switch first.Word {
	case "PLAY":
		a = rules.Answer{Kinds: []string{kindPlay}, Atoms: []rules.Atom{atom(verbPlay, first.Items[0].Name.Code)}}
		if len(rest) > 0 && rest[0].Word == "SOW" {
			a.Atoms = appendFields(a.Atoms, verbSow, rest[0])
			rest = rest[1:]
		}
	case "WATER":
		a = rules.Answer{Kinds: []string{kindWater}, Atoms: appendFields(nil, verbWater, first)}
	case "CLEAR":
		a = rules.Answer{Kinds: []string{kindClear}, Atoms: appendFields(nil, verbClear, first)}
	case "KEEP":
		a = rules.Answer{Kinds: []string{kindKeep}, Atoms: []rules.Atom{atom(verbKeep, first.Items[0].Name.Code)}}
	case "VOTE":
		a = rules.Answer{Kinds: []string{kindVote}, Atoms: []rules.Atom{atom(verbVote, first.Items[0].Name.Code)}}
	case "PASS":
		a = rules.Answer{Kinds: []string{kindWater}, Atoms: []rules.Atom{pass}}
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%s does not go with %s", rest[0].Word, first.Word)
	}
	return []rules.Answer{a}, nil
}

// appendFields appends an atom for each token of a clause. PASS after fields ends the list; PASS
// alone declines.
func appendFields(atoms []rules.Atom, v verb, c rules.Clause) []rules.Atom {
	for i, it := range c.Items {
		if it.Name.Kind == nameEnd {
			if i == 0 {
				return append(atoms, pass)
			}
			return append(atoms, stop)
		}
		for range it.Count {
			atoms = append(atoms, atom(v, it.Name.Code))
		}
	}
	return atoms
}

// FormatOrder returns the order for an answer, e.g. "PLAY 4 SOW Millpond 2".
func (game) FormatOrder(atoms []rules.Atom) string {
	var b strings.Builder
	for i := 0; i < len(atoms); {
		v, x := verbOf(atoms[i]), valueOf(atoms[i])
		if b.Len() > 0 && v != verbStop {
			b.WriteByte(' ')
		}
		switch v {
		case verbPlay:
			b.WriteString("PLAY " + strconv.Itoa(x))
		case verbKeep:
			b.WriteString("KEEP " + strconv.Itoa(x))
		case verbVote:
			b.WriteString("VOTE " + weatherNames[x])
		case verbClear:
			b.WriteString("CLEAR " + fieldNames[x])
		case verbPass:
			b.WriteString("PASS")
		case verbSow, verbWater:
			n := i
			for n < len(atoms) && verbOf(atoms[n]) == v {
				n++
			}
			b.WriteString(map[verb]string{verbSow: "SOW ", verbWater: "WATER "}[v] + fieldList(atoms[i:n]))
			i = n
			continue
		}
		i++
	}
	return b.String()
}

// fieldList lists fields with token counts, in the order given, e.g. "Millpond 2, Long Acre".
func fieldList(atoms []rules.Atom) string {
	var parts []string
	for i := 0; i < len(atoms); {
		n := i
		for n < len(atoms) && atoms[n] == atoms[i] {
			n++
		}
		part := fieldNames[valueOf(atoms[i])]
		if n-i > 1 {
			part += " " + strconv.Itoa(n-i)
		}
		parts = append(parts, part)
		i = n
	}
	return strings.Join(parts, ", ")
}
