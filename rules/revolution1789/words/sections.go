package words

import (
	_ "embed"
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// Sections implements rules.LetterTexts.
func (Words) Sections(rv rules.View) []rules.Section {
	v := rv.(*engine.View)
	var out []rules.Section
	if s := ownSection(v); s.Title != "" {
		out = append(out, s)
	}
	if v.Revolt.First != rules.NoSeat {
		out = append(out, revolutionSection(v))
	}
	out = append(out, assemblySection(v), boardSection(v), crisesSection(v), playersSection(v))
	if v.Shown != 0 {
		out = append(out, shownSection(v))
	}
	return out
}

// AnswerQuery implements rules.Game.AnswerQuery.
func (Words) AnswerQuery(rv rules.View, q rules.Query) []rules.Section {
	v := rv.(*engine.View)
	switch q {
	case rules.QueryHand:
		if s := ownSection(v); s.Title != "" {
			return []rules.Section{s}
		}
	case rules.QueryMap, rules.QueryBigMap:
		return []rules.Section{assemblySection(v), boardSection(v), crisesSection(v)}
	}
	return nil
}

// ownSection returns the seat's secret objective with the state of its wishes.
func ownSection(v *engine.View) rules.Section {
	s := v.Seat()
	if s == rules.NoSeat || v.Objectives[s] == 0 {
		return rules.Section{}
	}
	o := v.Objectives[s]
	head := fmt.Sprintf("%s, a %s.", o.Name(), factions[o.Faction()])
	if !v.Shown.Has(s) {
		head += " The other players do not know your card."
	}
	lines, lacks := []string{head}, 0
	blocks := []rules.Block{{Text: head}}
	for r := range engine.Reforms {
		want := o.WantedColour(r)
		if want == engine.NoColour {
			continue
		}
		current := "done"
		if got := v.Ministers[r]; got != want {
			lacks++
			current = "now " + ministers[got]
			if got == engine.NoColour {
				current = noMinister
			}
		}
		lines = append(lines, fmt.Sprintf("  %-11s %-11s %s", reforms[r], ministers[want], current))
		blocks = append(blocks, rules.Block{Lead: reforms[r] + ":", Text: ministers[want] + ", " + current})
	}
	if rest := strings.Join(ownNotes(v, o, lacks), " "); rest != "" {
		lines, blocks = append(lines, wrap(rest)...), append(blocks, rules.Block{Text: rest})
	}
	return rules.Section{Title: "Your objective", Lines: lines, Blocks: blocks}
}

// ownNotes explain how the card can win; lacks is the number of missing ministers.
func ownNotes(v *engine.View, o engine.Objective, lacks int) []string {
	if v.Phase >= engine.GivingFirst {
		return nil // The ministers decide no more.
	}
	out := []string{"If the ministers decided now, you would win."}
	if lacks > 0 {
		out = []string{fmt.Sprintf("You win by the ministers if %s more are as your card wants.",
			[...]string{"", "one", "two", "three"}[lacks])}
		if lacks == 1 {
			out = []string{"You win by the ministers if one more is as your card wants it."}
		}
	}
	switch {
	case o.IsLeader() && v.HasAllMinisters():
		return append(out, "You can call a revolution.")
	case o.IsLeader():
		return append(out, "You can call a revolution once all reforms have ministers.")
	case o.Faction() == engine.Bonapartes:
		return append(out, "You also win if both revolutions fail.")
	}
	return append(out, "You also win with your leader's revolution, if it succeeds and no other succeeded before it, or if he "+
		"declines to answer one that fails.")
}

// noMinister stands where a reform has none.
const noMinister = "no minister yet"

func assemblySection(v *engine.View) rules.Section {
	var lines []string
	var blocks []rules.Block
	for r, c := range v.Ministers {
		name := noMinister
		if c != engine.NoColour {
			name = ministers[c]
		}
		lines = append(lines, fmt.Sprintf("%-11s %s", reforms[r], name))
		blocks = append(blocks, rules.Block{Lead: reforms[r] + ":", Text: name})
	}
	return rules.Section{Title: "The Assembly", Lines: lines, Blocks: blocks}
}

// revolutionSection returns the state of a revolution: the first leader and the given tokens.
func revolutionSection(v *engine.View) rules.Section {
	var lines []string
	var blocks []rules.Block
	for i, s := range [...]rules.Seat{v.Revolt.First, v.Revolt.Second} {
		o := v.Objectives[s]
		if o == 0 {
			continue // It is not known yet who that is.
		}
		what := "has to give tokens now"
		switch {
		case v.Revolt.Declined && i == 1:
			what = "left it at three ministers"
		case v.Phase == engine.Over || i == 0 && v.Phase == engine.GivingSecond:
			what = "gave " + plural(len(citizenList(v, v.Revolt.Gifts[i])), "token") + " to " + joinNames(citizenList(v, v.Revolt.Gifts[i]))
			if v.Revolt.Gifts[i] == 0 {
				what = "gave no token"
			}
		case i == 1 && v.Phase == engine.GivingFirst:
			what = "gives tokens after that"
		}
		head := fmt.Sprintf("%s, for the %ss:", [...]string{"First", "Second"}[i], factions[o.Faction()])
		text := fmt.Sprintf("%s %s.", seatText(v, s), what)
		if s == v.Seat() {
			text = "you " + strings.Replace(strings.Replace(what, "has to", "have to", 1), "gives", "give", 1) + "."
		}
		lines = append(lines, wrap(head+" "+text)...)
		blocks = append(blocks, rules.Block{Lead: head, Text: text})
	}
	return rules.Section{Title: "The revolution", Lines: lines, Blocks: blocks}
}

// citizenLetters returns a citizen on the board: two distinct letters.
func citizenLetters(s rules.Seat) string {
	if s == rules.NoSeat {
		return ".."
	}
	return citizen(s)[:2]
}

// boardSection draws the holders of units: the Right Bank above, the Left Bank below, the bridges
// between, and the connected pairs at the ends.
func boardSection(v *engine.View) rules.Section {
	at := func(name string) string {
		for u := engine.Unit(1); u < engine.Units; u++ {
			if u.String() == name {
				return citizenLetters(v.Holders[u])
			}
		}
		return "??"
	}
	bank := func(first int, pair string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%s ~ [%2d]", at(pair), first)
		for s := first; s < first+5; s++ {
			fmt.Fprintf(&b, "--%s--[%2d]", at(fmt.Sprintf("%d-%d", s, s+1)), s+1)
		}
		return b.String() + " ~ " + at(pair)
	}
	bridges := ""
	for s := 1; s <= 6; s++ {
		bridges += fmt.Sprintf("%-10s", at(fmt.Sprintf("%d-%d", s, s+6)))
	}
	posts := strings.TrimRight("      "+strings.Repeat("|         ", 6), " ")
	lines := []string{bank(1, "1-6"), posts, strings.TrimRight("      "+bridges, " "), posts, bank(7, "7-12"), ""}
	lines = append(lines, "[n] is a space with its crisis. Two letters show who sits between two spaces,", ".. is a free "+
		"seat. At the ends are the connected pairs 1-6 and 7-12.")
	blocks := []rules.Block{{Rows: unitRows(v)}}
	var traces []string
	for u := engine.Unit(1); u < engine.Units; u++ {
		for _, s := range v.Traces[u] {
			if s != rules.NoSeat {
				traces = append(traces, fmt.Sprintf("%s (%s)", u, citizen(s)))
			}
		}
	}
	if len(traces) > 0 {
		text := strings.Join(traces, ", ") + "."
		lines = append(lines, wrap("Purged: "+text)...)
		blocks = append(blocks, rules.Block{Lead: "Purged:", Text: text})
	}
	return rules.Section{Title: "The board", Lines: lines, Blocks: blocks}
}

// unitRows lists the units for pages, which cannot draw the board with letters.
func unitRows(v *engine.View) (rows []rules.Row) {
	for u := engine.Unit(1); u < engine.Units; u++ {
		a, b := u.Spaces()
		h := v.Holders[u]
		holder := "free"
		if h != rules.NoSeat {
			holder = citizen(h)
		} else if v.Verdicts[a] != engine.Open && v.Verdicts[b] != engine.Open {
			holder = "closed"
		}
		rows = append(rows, rules.Row{Cells: []string{u.String(), v.Cards[a].Name() + ", " + v.Cards[b].Name(), holder},
			Strong: h != rules.NoSeat && h == v.Seat()})
	}
	return rows
}

var verdicts = [...]string{"open", "voted Monarchist", "voted Republican", "unresolved"}

func crisesSection(v *engine.View) rules.Section {
	lines := []string{fmt.Sprintf("%2s %-16s %-12s %-12s %s", "", "", "Monarchist", "Republican", "who sits there")}
	var rows []rules.Row
	for s := engine.Space(1); s < engine.Spaces; s++ {
		c := v.Cards[s]
		if c == 0 {
			continue
		}
		what := verdicts[v.Verdicts[s]]
		if v.Verdicts[s] == engine.Open {
			var at []string
			for _, u := range engine.UnitsAround(s) {
				at = append(at, citizenLetters(v.Holders[u]))
			}
			if what = strings.Join(at, " "); v.VotedOn == s {
				what += ", voting"
			}
		}
		monarchist, republican := reforms[c.Reform(engine.Monarchist)], reforms[c.Reform(engine.Republican)]
		lines = append(lines, fmt.Sprintf("%2d %-16s %-12s %-12s %s", s, c.Name(), monarchist, republican, what))
		r := rules.Row{Cells: []string{fmt.Sprint(s), c.Name(), monarchist, republican, what}, Strong: v.VotedOn == s}
		if verdict := v.Verdicts[s]; verdict == engine.VotedMonarchist || verdict == engine.VotedRepublican {
			r.Side = int(verdict)
		}
		rows = append(rows, r)
	}
	const key = "First the reform that gets a minister under Monarchy, then under the Republic; then who sits there, or the result."
	return rules.Section{Title: "The crises", Lines: lines, Blocks: []rules.Block{{Text: key, Rows: rows}}}
}

func playersSection(v *engine.View) rules.Section {
	var lines []string
	var rows []rules.Row
	for _, s := range v.Order[:v.Placed] {
		var seats []string
		for u := engine.Unit(1); u < engine.Units; u++ {
			if v.Holders[u] == s {
				seats = append(seats, u.String())
			}
		}
		where := strings.Join(seats, ", ")
		if where == "" {
			where = "no seat"
		}
		if s == v.ChairmanSeat() && v.Phase != engine.Over {
			where += ", in the chair"
		}
		name := citizen(s)
		if s == v.Seat() {
			name += " (you)"
		}
		lines = append(lines, fmt.Sprintf("%s %-15s %s", citizenLetters(s), name, where))
		rows = append(rows, rules.Row{Cells: []string{citizenLetters(s), name, where}, Strong: s == v.ChairmanSeat()})
	}
	return rules.Section{Title: "The citizens, clockwise", Lines: lines, Blocks: []rules.Block{{Rows: rows}}}
}

func shownSection(v *engine.View) rules.Section {
	var lines []string
	var rows []rules.Row
	for _, s := range v.Order[:v.Players] {
		if o := v.Objectives[s]; v.Shown.Has(s) {
			card := fmt.Sprintf("%s, a %s", o.Name(), factions[o.Faction()])
			lines = append(lines, fmt.Sprintf("%-10s %s: %s", citizen(s), card, wantsOf(o)))
			rows = append(rows, rules.Row{Cells: []string{"", citizen(s) + ": " + card, wantsOf(o)}, Side: int(o.Faction().Colour())})
		}
	}
	return rules.Section{Title: "Cards shown", Lines: lines, Blocks: []rules.Block{{Rows: rows}}}
}

// wantsOf returns the reforms that a card wants, with their colours if they differ from the faction's.
func wantsOf(o engine.Objective) string {
	var out []string
	for r := range engine.Reforms {
		switch c := o.WantedColour(r); {
		case c == engine.NoColour:
		case c == o.Faction().Colour():
			out = append(out, reforms[r])
		default:
			out = append(out, reforms[r]+" "+ministers[c])
		}
	}
	return strings.Join(out, ", ")
}

const width = 78

func wrap(text string) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len(line)+1+len(w) > width {
			out, line = append(out, line), ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return append(out, line)
}

func aboutObjective(o engine.Objective) string {
	var wants []string
	for r := range engine.Reforms {
		if c := o.WantedColour(r); c != engine.NoColour {
			wants = append(wants, fmt.Sprintf("a %s for %s reforms", ministers[c], reforms[r]))
		}
	}
	return fmt.Sprintf("%s, a %s, who wants %s", o.Name(), factions[o.Faction()], joinNames(wants))
}

// Cards implements rules.Game.Cards.
func (Words) Cards(rv rules.View, n rules.Name) []string {
	if n.Code > firstObjective {
		o := engine.Objective(n.Code - firstObjective)
		out := []string{capitalize(aboutObjective(o)) + "."}
		if o.IsLeader() {
			out = append(out, "Always in the game. May call a revolution once all reforms have ministers (rule 5.5).")
		}
		return out
	}
	v, c := rv.(*engine.View), engine.Crisis(n.Code)
	out := []string{fmt.Sprintf("%s. Voted Monarchist, it makes a Monarchist minister for %s reforms; voted Republican, a "+
		"Republican for %s reforms.",
		c.Name(), reforms[c.Reform(engine.Monarchist)], reforms[c.Reform(engine.Republican)])}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		if v.Cards[s] != c {
			continue
		}
		var units []string
		for _, u := range engine.UnitsAround(s) {
			holder := "free"
			if h := v.Holders[u]; h != rules.NoSeat {
				holder = citizen(h)
			}
			units = append(units, fmt.Sprintf("%s %s", u, holder))
		}
		out = append(out, fmt.Sprintf("It lies on space %d: %s. Seats: %s.", s, verdicts[v.Verdicts[s]], strings.Join(units, ", ")))
	}
	return out
}

// The texts on the rules and on the orders, in the form of rules.ReadTopics.
var (
	//go:embed data/topics.txt
	topicsText string
	//go:embed data/manual.txt
	manualText string

	topics = rules.ReadTopics(topicsText)
	manual = rules.ReadTopics(manualText)
)

// Topics implements rules.Game.Topics.
func (Words) Topics() []rules.Topic { return topics }

// Manual implements rules.Game.Manual.
func (Words) Manual() []rules.Topic { return manual }

// ExplainOrder implements rules.Game.ExplainOrder.
func (w Words) ExplainOrder(rv rules.View, _ rules.Decision, answers []rules.Answer) string {
	v := rv.(*engine.View)
	if len(answers) == 0 || len(answers[0].Atoms) == 0 {
		return ""
	}
	atoms := answers[0].Atoms
	n := engine.AtomValue(atoms[0])
	switch engine.AtomVerb(atoms[0]) {
	case engine.VerbName:
		return "You want " + seatText(v, rules.Seat(n)) + " as the first Chairman."
	case engine.VerbSeat:
		a, b := engine.Unit(n).Spaces()
		return fmt.Sprintf("You take the seat between %s and %s.", v.Cards[a].Name(), v.Cards[b].Name())
	case engine.VerbVote:
		return "You vote for " + colours[n] + "."
	case engine.VerbPurge:
		return "You point at " + citizen(rules.Seat(n)) + "."
	case engine.VerbHold:
		return "You call no revolution" + [...]string{"", " until a minister appears or changes sides", ", now and " +
			"later"}[answers[0].Standing] + "."
	case engine.VerbRevolution:
		return "You call a revolution, which ends the match."
	case engine.VerbDecline:
		return "You leave it at your three ministers."
	case engine.VerbGive, engine.VerbGiven, engine.VerbGiveListed:
		return "Your revolution: " + w.FormatOrder(atoms) + "."
	}
	return ""
}
