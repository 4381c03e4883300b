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
	if s := objectiveSection(v); s.Title != "" {
		out = append(out, s)
	}
	if v.Revolution.First != rules.NoSeat {
		out = append(out, revolutionSection(v))
	}
	out = append(out, assemblySection(v), boardSection(v), crisesSection(v), playersSection(v))
	if v.ShownSeats != 0 {
		out = append(out, shownSection(v))
	}
	return out
}

// AnswerQuery implements rules.Game.AnswerQuery.
func (Words) AnswerQuery(rv rules.View, q rules.Query) []rules.Section {
	v := rv.(*engine.View)
	switch q {
	case rules.QueryHand:
		if s := objectiveSection(v); s.Title != "" {
			return []rules.Section{s}
		}
	case rules.QueryMap, rules.QueryBigMap:
		return []rules.Section{assemblySection(v), boardSection(v), crisesSection(v)}
	}
	return nil
}

func objectiveSection(v *engine.View) rules.Section {
	s := v.Seat()
	if s == rules.NoSeat || v.Objectives[s] == 0 {
		return rules.Section{}
	}
	o := v.Objectives[s]
	head := fmt.Sprintf("%s, a %s.", o.Name(), factions[o.Faction()])
	if !v.ShownSeats.Has(s) {
		head += " The other players do not know your card."
	}
	lines, missing, wanted := []string{head}, 0, 0
	blocks := []rules.Block{{Text: head}}
	for r := range engine.Reforms {
		want := o.WantedColour(r)
		if want == engine.NoColour {
			continue
		}
		wanted++
		current := "done"
		if got := v.Ministers[r]; got != want {
			missing++
			current = "now " + ministers[got]
			if got == engine.NoColour {
				current = noMinister
			}
		}
		lines = append(lines, fmt.Sprintf("  %-11s %-11s %s", reforms[r], ministers[want], current))
		blocks = append(blocks, rules.Block{Lead: reforms[r] + ":", Text: ministers[want] + ", " + current})
	}
	if remaining := strings.Join(objectiveNotes(v, o, wanted, missing), " "); remaining != "" {
		lines, blocks = append(lines, wrapLines(remaining)...), append(blocks, rules.Block{Text: remaining})
	}
	return rules.Section{Title: "Your objective", Lines: lines, Blocks: blocks}
}

// objectiveNotes says how the card can win. wanted counts the ministers that the card wants, and missing those that it
// does not have yet.
func objectiveNotes(v *engine.View, o engine.Objective, wanted, missing int) []string {
	if v.Phase >= engine.GivingFirst {
		return nil // A revolution decides the match, not the ministers.
	}
	out := []string{"If the ministers decided now, you would win."}
	if missing > 0 {
		out = []string{ministersNote(wanted, missing)}
	}
	switch {
	case o.IsLeader() && v.HasAllMinisters():
		return append(out, "You can call a revolution.")
	case o.IsLeader():
		return append(out, "You can call a revolution once all reforms have ministers.")
	case o.Faction() == engine.Bonapartes:
		return append(out, "You also win if both leaders call a revolution and both fail.")
	}
	return append(out, "You also win in two other cases: your leader's revolution is the first to succeed, or the other "+
		"leader's revolution fails and your leader chose not to answer it with a revolution.")
}

// ministersNote says how the ministers win the match, for example "If the ministers decide the match, you win if both are
// as your card wants (neither is yet)."
func ministersNote(wanted, missing int) string {
	all := "both"
	if wanted == 3 {
		all = "all three"
	}
	done := "none is yet"
	switch n := wanted - missing; {
	case n == 1:
		done = "one already is"
	case n > 1:
		done = "two already are"
	case wanted == 2:
		done = "neither is yet"
	}
	return fmt.Sprintf("If the ministers decide the match, you win if %s are as your card wants (%s).", all, done)
}

const (
	boardTitle   = "The board"
	crisesTitle  = "The crises"
	playersTitle = "The citizens, clockwise"
	shownTitle   = "Cards shown"
)

// These words replace the name of the holder if no citizen holds a unit.
const (
	holderFree   = "free"
	holderClosed = "closed"
)

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

func revolutionSection(v *engine.View) rules.Section {
	var lines []string
	var blocks []rules.Block
	for i, s := range [...]rules.Seat{v.Revolution.First, v.Revolution.Second} {
		o := v.Objectives[s]
		if o == 0 {
			continue // This leader is not known to the reader yet.
		}
		status := "has to give tokens now"
		switch {
		case v.Revolution.Declined && i == 1:
			status = "left it at three ministers"
		case v.Phase == engine.Over || i == 0 && v.Phase == engine.GivingSecond:
			status = "gave " + giftText("token", citizenList(v, v.Revolution.Gifts[i]))
		case i == 1 && v.Phase == engine.GivingFirst:
			status = "gives tokens after that"
		}
		head := fmt.Sprintf("%s, for the %ss:", [...]string{"First", "Second"}[i], factions[o.Faction()])
		text := fmt.Sprintf("%s %s.", seatText(v, s), status)
		if s == v.Seat() {
			text = "you " + strings.Replace(strings.Replace(status, "has to", "have to", 1), "gives", "give", 1) + "."
		}
		lines = append(lines, wrapLines(head+" "+text)...)
		blocks = append(blocks, rules.Block{Lead: head, Text: text})
	}
	return rules.Section{Title: "The revolution", Lines: lines, Blocks: blocks}
}

// citizenInitials returns the first two letters of a citizen's name, which differ for all citizens.
func citizenInitials(s rules.Seat) string {
	if s == rules.NoSeat {
		return ".."
	}
	return citizenName(s)[:2]
}

// boardSection draws the holders of units: the Right Bank above, the Left Bank below, the bridges
// between, and the connected pairs at the ends.
func boardSection(v *engine.View) rules.Section {
	at := func(name string) string {
		for u := engine.Unit(1); u < engine.Units; u++ {
			if u.String() == name {
				return citizenInitials(v.Holders[u])
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
				traces = append(traces, fmt.Sprintf("%s (%s)", u, citizenName(s)))
			}
		}
	}
	if len(traces) > 0 {
		text := strings.Join(traces, ", ") + "."
		lines = append(lines, wrapLines("Purged: "+text)...)
		blocks = append(blocks, rules.Block{Lead: "Purged:", Text: text})
	}
	return rules.Section{Title: boardTitle, Lines: lines, Blocks: blocks}
}

// unitRows lists the units with their crises and holders. HTML pages show this table in place of the drawn board.
func unitRows(v *engine.View) (rows []rules.Row) {
	for u := engine.Unit(1); u < engine.Units; u++ {
		a, b := u.Spaces()
		h := v.Holders[u]
		holder := holderFree
		if h != rules.NoSeat {
			holder = citizenName(h)
		} else if v.Verdicts[a] != engine.CrisisOpen && v.Verdicts[b] != engine.CrisisOpen {
			holder = holderClosed
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
		status := verdicts[v.Verdicts[s]]
		if v.Verdicts[s] == engine.CrisisOpen {
			var holders []string
			for _, u := range engine.UnitsAround(s) {
				holders = append(holders, citizenInitials(v.Holders[u]))
			}
			if status = strings.Join(holders, " "); v.VoteSpace == s {
				status += ", voting"
			}
		}
		monarchist, republican := reforms[c.Reform(engine.Monarchist)], reforms[c.Reform(engine.Republican)]
		lines = append(lines, fmt.Sprintf("%2d %-16s %-12s %-12s %s", s, c.Name(), monarchist, republican, status))
		r := rules.Row{Cells: []string{fmt.Sprint(s), c.Name(), monarchist, republican, status}, Strong: v.VoteSpace == s}
		if verdict := v.Verdicts[s]; verdict == engine.VotedMonarchist || verdict == engine.VotedRepublican {
			r.Side = int(verdict)
		}
		rows = append(rows, r)
	}
	const key = "First the reform that gets a minister under Monarchy, then under the Republic; then who sits there, or the result."
	return rules.Section{Title: crisesTitle, Lines: lines, Blocks: []rules.Block{{Text: key, Rows: rows}}}
}

func playersSection(v *engine.View) rules.Section {
	var lines []string
	var rows []rules.Row
	for _, s := range v.Order[:v.SeatsPlaced] {
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
		name := citizenName(s)
		if s == v.Seat() {
			name += " (you)"
		}
		lines = append(lines, fmt.Sprintf("%s %-15s %s", citizenInitials(s), name, where))
		rows = append(rows, rules.Row{Cells: []string{citizenInitials(s), name, where}, Strong: s == v.ChairmanSeat()})
	}
	return rules.Section{Title: playersTitle, Lines: lines, Blocks: []rules.Block{{Rows: rows}}}
}

func shownSection(v *engine.View) rules.Section {
	var lines []string
	var rows []rules.Row
	for _, s := range v.Order[:v.Players] {
		if o := v.Objectives[s]; v.ShownSeats.Has(s) {
			card := fmt.Sprintf("%s, a %s", o.Name(), factions[o.Faction()])
			lines = append(lines, fmt.Sprintf("%-10s %s: %s", citizenName(s), card, formatWants(o)))
			rows = append(rows, rules.Row{Cells: []string{"", citizenName(s) + ": " + card, formatWants(o)}, Side: int(o.Faction().Colour())})
		}
	}
	return rules.Section{Title: shownTitle, Lines: lines, Blocks: []rules.Block{{Rows: rows}}}
}

// formatWants lists the reforms that a card wants. A wanted colour other than the colour of the card's faction follows
// the reform: "Social Republican" on a Monarchist card.
func formatWants(o engine.Objective) string {
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

const lineWidth = 78

func wrapLines(text string) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len(line)+1+len(w) > lineWidth {
			out, line = append(out, line), ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return append(out, line)
}

func describeObjective(o engine.Objective) string {
	var wants []string
	for r := range engine.Reforms {
		if c := o.WantedColour(r); c != engine.NoColour {
			wants = append(wants, fmt.Sprintf("a %s for %s reforms", ministers[c], reforms[r]))
		}
	}
	return fmt.Sprintf("%s, a %s, who wants %s", o.Name(), factions[o.Faction()], joinNames(wants))
}

// Cards implements rules.Game.Cards: it explains a crisis or an objective.
func (Words) Cards(rv rules.View, n rules.Name) []string {
	if n.Code > objectiveOffset {
		o := engine.Objective(n.Code - objectiveOffset)
		out := []string{capitalize(describeObjective(o)) + "."}
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
			holder := holderFree
			if h := v.Holders[u]; h != rules.NoSeat {
				holder = citizenName(h)
			}
			units = append(units, fmt.Sprintf("%s %s", u, holder))
		}
		out = append(out, fmt.Sprintf("It lies on space %d: %s. Seats: %s.", s, verdicts[v.Verdicts[s]], strings.Join(units, ", ")))
	}
	return out
}

// Help texts on the rules (topics) and on the orders (manual), in the format of rules.ReadTopics.
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
		return "You point at " + citizenName(rules.Seat(n)) + "."
	case engine.VerbHold:
		return "You call no revolution" + [...]string{"", " until a minister changes sides", ", now and " +
			"later"}[answers[0].Standing] + "."
	case engine.VerbRevolution:
		return "You call a revolution, which ends the match."
	case engine.VerbDecline:
		return "You leave it at your three ministers."
	case engine.VerbGive, engine.VerbEndGifts, engine.VerbGiveListed:
		return "Your revolution: " + w.FormatOrder(atoms) + "."
	}
	return ""
}
