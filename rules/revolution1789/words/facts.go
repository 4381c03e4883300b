package words

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/internal/lazyregexp"
	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// FactReader implements rules.FactReader.
type FactReader struct{}

// Facts implements rules.FactReader. A fact is a value that a letter states, in a form that can be compared with the
// position, for example {"citizens/Lamp", "7-8 chair"}. The holder of a unit occurs in three facts: about
// the board, about the crisis and about the citizen.
func (FactReader) Facts(rv rules.View) []rules.Fact {
	v := rv.(*engine.View)
	out := []rules.Fact{{Name: "turn", Value: strconv.Itoa(int(v.Turn))}}
	if s := v.ChairmanSeat(); s != rules.NoSeat && v.Phase != engine.Over {
		out = append(out, rules.Fact{Name: "chair", Value: citizenName(s)})
	}
	if s := v.Seat(); s != rules.NoSeat && v.Objectives[s] != 0 {
		out = append(out, rules.Fact{Name: "objective", Value: objectiveFact(v.Objectives[s])})
	}
	for r, c := range v.Ministers {
		out = append(out, rules.Fact{Name: "assembly/" + reforms[r], Value: ministers[c]})
	}
	board := boardSection(v).Lines
	for i, l := range []string{board[0], board[2], board[4]} {
		out = append(out, rules.Fact{Name: "board/" + boardRows[i], Value: strings.Join(strings.Fields(l), " ")})
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		if c := v.Cards[s]; c != 0 {
			out = append(out, rules.Fact{Name: fmt.Sprintf("crises/%d", s), Value: crisisFact(v, s)})
		}
	}
	for _, s := range v.Order[:v.SeatsPlaced] {
		out = append(out, rules.Fact{Name: "citizens/" + citizenName(s), Value: citizenFact(v, s)})
	}
	for s := range rules.Seat(v.Players) {
		if v.ShownSeats.Has(s) {
			out = append(out, rules.Fact{Name: "shown/" + citizenName(s), Value: objectiveFact(v.Objectives[s])})
		}
	}
	return out
}

var boardRows = [...]string{"above", "bridges", "below"}

func objectiveFact(o engine.Objective) string { return o.Name() + ", " + factions[o.Faction()] }

// crisisFact returns the value of a crisis: its name, its two reforms and its holders or its result, for example
// "Guilds: Economical Social: Cr .. Ch".
func crisisFact(v *engine.View, s engine.Space) string {
	c, result := v.Cards[s], verdicts[v.Verdicts[s]]
	if v.Verdicts[s] == engine.CrisisOpen {
		var holders []string
		for _, u := range engine.UnitsAround(s) {
			holders = append(holders, citizenInitials(v.Holders[u]))
		}
		result = strings.Join(holders, " ")
	}
	return fmt.Sprintf("%s: %s %s: %s", c.Name(), reforms[c.Reform(engine.Monarchist)], reforms[c.Reform(engine.Republican)],
		voteResult(result))
}

// voteResult reduces "voted Monarchist" to "Monarchist", and "Cr La Ch, voting" to "Cr La Ch".
func voteResult(text string) string {
	for _, c := range []engine.Colour{engine.Monarchist, engine.Republican} {
		if strings.Contains(text, ministers[c]) {
			return ministers[c]
		}
	}
	text, _, _ = strings.Cut(text, ",")
	return text
}

// citizenFact returns the units of a citizen and whether the citizen is Chairman, for example "7-8 11-12 chair".
func citizenFact(v *engine.View, s rules.Seat) string {
	var out []string
	for u := engine.Unit(1); u < engine.Units; u++ {
		if v.Holders[u] == s {
			out = append(out, u.String())
		}
	}
	if s == v.ChairmanSeat() && v.Phase != engine.Over {
		out = append(out, "chair")
	}
	return strings.Join(out, " ")
}

// Patterns that find facts in the text of letters. eventFactPattern finds the results of votes, lost and taken seats,
// and the errors of a revolution, for example "(space 3): 2 for Monarchy, 1 for the Republic".
var (
	turnPattern      = lazyregexp.New(`(?i)\bturn (\d+)\b`)
	chairPattern     = lazyregexp.New(`\b(?:T|Final position: t)urn \d+: (\w+) `)
	objectivePattern = lazyregexp.New(`^(?:(\w+)(?:\s+|: ))?(\S.*?), an? (Monarchist|Republican|Bonaparte)\b`)
	ministerPattern  = lazyregexp.New(`^(Economical|Social|Political)\b:?\s+(Monarchist|Republican)?`)
	citizenPattern   = lazyregexp.New(`^(\w\w)\s+(\w+)(?: \(you\))?\s+(.*)$`)
	unitPattern      = lazyregexp.New(`\b\d+-\d+\b|\bchair\b`)
	eventFactPattern = lazyregexp.New(`\(space (\d+)\): (\d+) \D*(\d+)|\b(?:seat|lose|loses) (?:seat )?(\d+(?:-| to )\d+)|\b(\d+) errors? \((none|\d+) `)
)

// ReadFacts implements rules.FactReader: it finds the facts in a part of a letter. For example, the row "Social
// Monarchist" of "The Assembly" yields {"assembly/Social", "Monarchist"}.
func (FactReader) ReadFacts(title string, lines []string) (out []rules.Fact) {
	switch title = strings.ToLower(title); title {
	case "":
		text := strings.Join(lines, " ")
		for _, m := range turnPattern.FindAllStringSubmatch(text, -1) {
			out = append(out, rules.Fact{Name: "turn", Value: m[1]})
		}
		for _, m := range chairPattern.FindAllStringSubmatch(text, -1) {
			out = append(out, rules.Fact{Name: "chair", Value: m[1]})
		}
	case "the board":
		return readBoardFacts(lines)
	default:
		parseRow := rowParsers[title]
		for _, l := range lines {
			if parseRow == nil {
				break
			}
			if f, ok := parseRow(l); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// rowParsers maps the title of a part of a letter, in lower case, to the parser for its rows.
var rowParsers = map[string]func(row string) (f rules.Fact, ok bool){
	"your objective": func(row string) (f rules.Fact, ok bool) {
		m := objectivePattern.FindStringSubmatch(row)
		if m == nil {
			return f, false
		}
		return rules.Fact{Name: "objective", Value: strings.TrimSpace(m[1]+" "+m[2]) + ", " + m[3]}, true
	},
	"the assembly": func(row string) (f rules.Fact, ok bool) {
		m := ministerPattern.FindStringSubmatch(row)
		if m == nil {
			return f, false
		}
		return rules.Fact{Name: "assembly/" + m[1], Value: cmp.Or(m[2], ministers[engine.NoColour])}, true
	},
	"the crises": readCrisisFact,
	"the citizens, clockwise": func(row string) (f rules.Fact, ok bool) {
		m := citizenPattern.FindStringSubmatch(row)
		if m == nil || !strings.HasPrefix(m[2], m[1]) {
			return f, false
		}
		return rules.Fact{Name: "citizens/" + m[2], Value: strings.Join(unitPattern.FindAllString(m[3], -1), " ")}, true
	},
	"cards shown": func(row string) (f rules.Fact, ok bool) {
		m := objectivePattern.FindStringSubmatch(row)
		if m == nil || m[1] == "" {
			return f, false
		}
		return rules.Fact{Name: "shown/" + m[1], Value: m[2] + ", " + m[3]}, true
	},
}

// readBoardFacts parses the three rows of the drawn board. Pages have a table instead.
func readBoardFacts(lines []string) (out []rules.Fact) {
	for _, l := range lines {
		words := strings.Fields(l)
		row := strings.Join(words, " ")
		switch {
		case len(out) == 1 && len(words) == 6 && !slices.ContainsFunc(words, func(w string) bool { return len(w) != 2 }),
			len(out) != 1 && len(out) < len(boardRows) && strings.Contains(row, "]--"):
			out = append(out, rules.Fact{Name: "board/" + boardRows[len(out)], Value: row})
		}
	}
	return out
}

// readCrisisFact parses a row of the crises: "3 Guilds Economical Social Cr .. Ch".
func readCrisisFact(row string) (f rules.Fact, ok bool) {
	words := strings.Fields(row)
	isReform := func(w string) bool { return slices.Contains(reforms[:], w) }
	for i := 2; i+1 < len(words); i++ {
		if isReform(words[i]) && isReform(words[i+1]) {
			return rules.Fact{Name: "crises/" + words[0], Value: fmt.Sprintf("%s: %s %s: %s", strings.Join(words[1:i], " "), words[i],
				words[i+1], voteResult(strings.Join(words[i+2:], " ")))}, true
		}
	}
	return f, false
}

// EventFacts implements rules.FactReader: counts of ballots, taken and lost seats, and errors of revolutions.
func (FactReader) EventFacts(_ rules.View, events []rules.Event) (out []rules.Fact) {
	for _, e := range events {
		a := e.Args
		switch e.Kind {
		case engine.EventCounted:
			out = append(out, rules.Fact{Name: "ballots", Value: fmt.Sprintf("%d: %d %d", a[0], a[1], a[2])})
		case engine.EventSeated, engine.EventPurged:
			out = append(out, rules.Fact{Name: "seat", Value: engine.Unit(a[0]).String()})
		case engine.EventSucceeded, engine.EventFailed:
			out = append(out, rules.Fact{Name: "errors", Value: fmt.Sprintf("%d %d", a[0], a[1])})
		}
	}
	return out
}

// ReadEventFacts implements rules.FactReader.
func (FactReader) ReadEventFacts(sentences []string) (out []rules.Fact) {
	for _, s := range sentences {
		for _, m := range eventFactPattern.FindAllStringSubmatch(s, -1) {
			switch {
			case m[1] != "":
				out = append(out, rules.Fact{Name: "ballots", Value: fmt.Sprintf("%s: %s %s", m[1], m[2], m[3])})
			case m[4] != "":
				out = append(out, rules.Fact{Name: "seat", Value: strings.Replace(m[4], " to ", "-", 1)}) // A spoken letter has "3 to 9".
			default:
				out = append(out, rules.Fact{Name: "errors", Value: m[5] + " " + strings.Replace(m[6], "none", "0", 1)})
			}
		}
	}
	return out
}

// Count implements rules.Counter: it counts purges and revolutions, but no ballots, because they are secret.
func (Words) Count(_ rules.View, events []rules.Event) (out []rules.Count) {
	add := func(name string, seat rules.Seat, hasSucceeded bool) {
		n := 0
		if hasSucceeded {
			n = 1
		}
		out = append(out, rules.Count{Name: name, Seat: seat, Successes: n, Attempts: 1})
	}
	var picks []rules.Event
	for _, e := range events {
		switch e.Kind {
		case engine.EventPicked:
			picks = append(picks, e)
		case engine.EventPurged, engine.EventUnresolved:
			for _, p := range picks {
				purged := e.Kind == engine.EventPurged
				add("purges that hit the voter they pointed at", p.Seat, purged && rules.Seat(p.Args[0]) == e.Seat)
				add("purges in which they lost the seat", p.Seat, purged && p.Seat == e.Seat)
			}
			picks = nil
		case engine.EventSucceeded, engine.EventFailed:
			add("revolutions that succeeded", e.Seat, e.Kind == engine.EventSucceeded)
		}
	}
	return out
}

// Dice implements rules.Counter: 1789 has none.
func (Words) Dice(rules.View, []rules.Event) []rules.Die { return nil }

// ElementValue implements rules.Counter: no card is worth more than another.
func (Words) ElementValue(string, any) (int, string, bool) { return 0, "", false }

// Episode implements rules.Chronicler: a revolution is an episode.
func (Words) Episode(rv rules.View) string {
	if v := rv.(*engine.View); v.Revolution.First != rules.NoSeat {
		return "The revolution"
	}
	return ""
}

// Curves implements rules.Chronicler: the curves are the numbers of ministers of each colour.
func (Words) Curves(rv rules.View) []rules.CurvePoint {
	v := rv.(*engine.View)
	return []rules.CurvePoint{
		{Name: "Monarchist ministers", Value: v.CountMinisters(engine.Monarchist), High: "Monarchists"},
		{Name: "Republican ministers", Value: v.CountMinisters(engine.Republican), High: "Republicans"},
	}
}

// KeyPhrases implements rules.Chronicler.
func (Words) KeyPhrases() []string {
	return []string{"is voted ", "stays unresolved", "purged and lose", "a revolution.", "shows ", " token to ",
		" token each to ", " no token.",
		"revolution comes first", "revolution comes second", "no legal seat"}
}
