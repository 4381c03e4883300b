package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/statistics"
	"samizdat/rules"
	"samizdat/templates"
)

// showHelp answers HELP. The pages are parts of the answer: what can be written,
// and examples that answer what the writer is asked, made of what he sees.
func showHelp(_ context.Context, j *adjudication, c letter.Command) (Outcome, error) {
	name := c.Text
	j.answer.Help = true
	q, pages := rules.Query(letter.HelpWord), j.reader.Manual()
	if i := slices.IndexFunc(pages, func(p rules.Topic) bool { return p.Name == name }); i >= 0 {
		explain(j, q, "Help: "+name, pages[i].Text)
		showExamples(j, "Examples for "+name, &pages[i])
		return did(below)
	}
	if name != "" {
		if about := aboutCard(j, name); about != "" {
			return did(about)
		}
		if text := letter.Mentions(name); text != "" {
			explain(j, q, "Help: "+strings.ToUpper(letter.Echo(name)), text)
			return did(below)
		}
		if topic := topicOf(j, name); topic != "" {
			return did(fmt.Sprintf("Pages of HELP are on orders. RULES %s tells of the game.", topic))
		}
		return did(fmt.Sprintf("There is no page on %q. %s", letter.Echo(name), pageList(pages)))
	}
	explain(j, q, "How to write orders", helpOverview(j, pages))
	showExamples(j, "Examples", nil)
	showCommands(j)
	return did("Help is below.")
}

// aboutCard tells of the card whose number somebody asks HELP for; empty where it is none.
func aboutCard(j *adjudication, name string) string {
	cards := j.turn.Game.Cards
	if _, err := strconv.ParseUint(name, 10, 16); cards == nil || err != nil || j.turn.After == nil {
		return ""
	}
	o, err := j.reader.Orders.Order(string(letter.Card) + " " + name)
	if err != nil || len(o.Clauses) != 1 || len(o.Clauses[0].Items) != 1 {
		return ""
	}
	return strings.Join(cards(j.turn.After.View(j.play.Seat), o.Clauses[0].Items[0].Name), "\n")
}

// topicOf is the topic of the game's rules that somebody asks HELP for; empty where it is none.
func topicOf(j *adjudication, name string) string {
	if j.turn.Game.Topics == nil {
		return ""
	}
	for _, t := range j.turn.Game.Topics() {
		if slices.ContainsFunc(append([]string{t.Name}, t.Aliases...), func(n string) bool { return strings.EqualFold(n, name) }) {
			return t.Name
		}
	}
	return ""
}

// showCommands lists the orders that every match understands.
func showCommands(j *adjudication) {
	const last = "What stands between the lines MESSAGE and END MESSAGE is passed on to the other " +
		"players, and never read as orders."
	var lines []string
	var blocks []rules.Block
	for _, f := range letter.Help(j.turn.Game) {
		lines = append(lines, compose.Wrapped(f.Does, pad(f.Order), strings.Repeat(" ", orderWidth))...)
		blocks = append(blocks, rules.Block{Lead: f.Order, Text: f.Does})
	}
	lines = append(append(lines, ""), strings.Split(templates.Wrap(last), "\n")...)
	j.answer.AddPart(rules.Query(letter.HelpWord), "Orders in every match", lines, append(blocks, rules.Block{Text: last}))
}

// helpOverview says how orders are written, and what there is to read of them.
func helpOverview(j *adjudication, pages []rules.Topic) string {
	text := `Write one order a line, above the first line of this letter. Capitals and accents do not matter; names may be shortened as long ` +
		`as only one thing can be meant, and what has a number may be given by its number. Lines are carried out from the top; the ` +
		`first that is refused stops the letter. Talk that can change none of it is left alone; beside other talk you are asked first.`
	text += "\nOrders of the game begin with: " + strings.Join(letter.Verbs(j.turn.Game), ", ") + "."
	return text + "\n" + pageList(pages) + " HELP " + letter.Whole + " sends everything on orders, some ten pages."
}

// showExamples tells whole answers to what the writer is asked, each with what it means; of a
// page only those that it is about, or what the game shows where nothing of the sort is asked.
func showExamples(j *adjudication, title string, page *rules.Topic) {
	if j.turn.After == nil {
		return
	}
	view, out := j.turn.After.View(j.play.Seat), rules.Samples{Head: "These answer what is asked of you now. Each can be sent as it stands."}
	for _, d := range j.turn.Owed(j.play.Seat) {
		forms := j.turn.Game.Prompt(view, d, j.turn.After.Options(nil, d.ID)).Forms
		if page != nil {
			forms = j.reader.Forms(*page, forms)
		}
		for _, form := range forms {
			if meaning, ok := exampleMeaning(j, view, d, form); ok {
				out.Orders = append(out.Orders, rules.Sample{Order: form, Meaning: meaning})
			}
		}
	}
	if len(out.Orders) == 0 && page != nil && j.turn.Game.Samples != nil {
		out = j.turn.Game.Samples(view, *page)
		out.Orders = slices.DeleteFunc(out.Orders, func(o rules.Sample) bool { return len(j.reader.Forms(*page, []string{o.Order})) == 0 })
	}
	if len(out.Orders) == 0 {
		return
	}
	lines, blocks := append(strings.Split(templates.Wrap(out.Head), "\n"), ""), []rules.Block{{Text: out.Head}}
	for _, o := range out.Orders {
		if lines = append(lines, compose.Wrapped(o.Order, "    ", "      ")...); o.Meaning != "" {
			lines = append(lines, compose.Wrapped(o.Meaning, "      ", "      ")...)
		}
		blocks = append(blocks, rules.Block{Lead: o.Order, Text: o.Meaning})
	}
	j.answer.AddPart(rules.Query(letter.HelpWord), title, lines, blocks)
}

// exampleMeaning is what an order means in the game's words, if it has any. An order that would
// have to be confirmed is no example.
func exampleMeaning(j *adjudication, view rules.View, d rules.Decision, form string) (meaning string, ok bool) {
	o, err := j.reader.Orders.Order(form)
	if err != nil {
		return "", false
	}
	answers, err := j.turn.Game.Answers(o, []rules.Decision{d})
	if err != nil || j.trial.Loss(answers[0]) != "" {
		return "", false
	}
	if j.turn.Game.ExplainOrder != nil {
		meaning = j.turn.Game.ExplainOrder(view, d, answers)
	}
	return meaning, true
}

// pageList names the pages.
func pageList(pages []rules.Topic) string {
	var names []string
	for _, p := range pages {
		names = append(names, p.Name)
	}
	return "There are pages on: " + strings.Join(names, ", ") + ". Write HELP and one of these."
}

// orderWidth is the width of the column of orders.
const orderWidth = 17

// pad begins the row of an order in the table.
func pad(order string) string {
	return "    " + order + strings.Repeat(" ", max(1, orderWidth-4-len(order)))
}

// mostResent is how many older letters one letter can ask for.
const mostResent = 5

// showHistory tells what happened in a turn, or in the last one.
func showHistory(ctx context.Context, j *adjudication, c letter.Command) (Outcome, error) {
	turn := c.Number
	chapters, err := pastChapters(ctx, j)
	if err != nil {
		return Outcome{}, err
	}
	if j.turn.Game.Turn == nil {
		j.answer.AddPart(rules.Query(letter.History), "What has happened"+compose.Versus(j.turn), chapterLines(j, chapters), nil)
		return did(below)
	}
	if len(chapters) == 0 {
		return did("There is nothing to tell yet.")
	}
	last := chapters[len(chapters)-1].to
	if turn == 0 {
		turn = last
	}
	if turn > last {
		return declined(fmt.Sprintf("Turn %d has not begun; the last one is turn %d.", turn, last))
	}
	// What leads from one c letter.Commando the next belongs to both.
	of := slices.DeleteFunc(slices.Clone(chapters), func(c chapter) bool { return turn < c.from || c.to < turn })
	j.answer.AddPart(rules.Query(letter.History), fmt.Sprintf("What happened in turn %d%s", turn, compose.Versus(j.turn)), chapterLines(j, of), nil)
	note := below
	if len(j.turn.Entries) > 0 {
		note = "It stands below, as your letters have told it; what this letter of yours led to stands by itself."
	}
	return did(note)
}

// resendLetter answers with what an older letter told, and how the
// match stood. What became of the orders that it answered is not kept.
func resendLetter(ctx context.Context, j *adjudication, c letter.Command) (Outcome, error) {
	n := c.Number
	sent, ok, err := j.a.Store.Sent(ctx, j.turn.Match.ID, j.play.Seat, int64(n))
	if err != nil {
		return Outcome{}, err
	}
	if !ok {
		return explainUnsent(ctx, j, int64(n))
	}
	title := fmt.Sprintf("Letter %d", n)
	older := slices.DeleteFunc(slices.Clone(j.answer.Queries), func(a compose.Query) bool { return a.Query != rules.Query(letter.Again) })
	again := slices.ContainsFunc(older, func(a compose.Query) bool { return a.Parts[0].Title == title })
	if !again && len(older) >= mostResent {
		return declined(fmt.Sprintf("One letter can ask for %d older ones; ask for more in another.", mostResent))
	}
	chapters, err := pastChapters(ctx, j)
	if err != nil {
		return Outcome{}, err
	}
	last := chapterOf(sent.Number, chapters)
	if last < 0 || sent.Entries == 0 {
		return did(fmt.Sprintf("Letter %d was sent before the match began.", n))
	}
	if !again {
		j.answer.Queries = append(j.answer.Queries, compose.Query{Query: rules.Query(letter.Again), Parts: retellLetter(j, title, sent, chapters[:last+1])})
	}
	return did(fmt.Sprintf("Letter %d stands below, without what it said of your orders. Its questions may be closed by now.", n))
}

// explainUnsent answers who asks for a letter that is not there: a number is left out where a
// letter that asked took the place of one that only confirmed.
func explainUnsent(ctx context.Context, j *adjudication, n int64) (Outcome, error) {
	if newest := j.turn.Match.Seats[j.play.Seat].Letters; n < 1 || n > newest {
		return declined(fmt.Sprintf("There is no letter %d to you; the newest before this one is letter %d.", n, newest))
	}
	letters, err := j.a.Store.Letters(ctx, j.turn.Match.ID, j.play.Seat)
	if err != nil {
		return Outcome{}, err
	}
	i := slices.IndexFunc(letters, func(l exchange.Sent) bool { return l.Number > n })
	if i < 0 {
		return did(fmt.Sprintf("Letter %d was not sent. Nothing is lost with it: your next letter tells all that it said.", n))
	}
	return did(fmt.Sprintf("Letter %d was not sent: before it went out you were asked something, and letter %d told you all of it. "+
		"RESEND %d tells it again.",
		n, letters[i].Number, letters[i].Number))
}

// mostStats is how many lines the answer to STATS has at most.
const mostStats = 10

// showStats tells dice and draws in numbers. Dice are public; of draws only the writer's own are
// counted, and of the rest only what his letters have told.
func showStats(ctx context.Context, j *adjudication, _ letter.Command) (Outcome, error) {
	chapters, err := pastChapters(ctx, j)
	if err != nil {
		return Outcome{}, err
	}
	entries, err := j.play.Played(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if j.play.Seat == rules.NoSeat {
		entries = entries[:knownEntries(j, entries)]
	}
	var sum statistics.Totals
	for _, seat := range j.play.Words.Seats {
		sum.Seat(seat)
	}
	g := j.turn.Game.Counts
	for _, e := range entries {
		for _, o := range e.Chance {
			switch {
			case o.Roll > 0 && g == nil:
				sum.Roll(string(e.Seat), o.Roll)
			case o.Roll == 0 && o.From != rules.KindLot && j.play.Seat != rules.NoSeat && o.To == j.play.Words.Seats[j.play.Seat]:
				sum.Draw(j.turn.Game, o.To, record.Outcome{Draw: o.Draw, From: o.From})
			}
		}
	}
	for _, c := range chapters {
		if g != nil {
			sum.Events(g, j.play.Words.Seats, c.pos.View(j.play.Seat), c.events)
		}
	}
	j.answer.AddPart(rules.Query(letter.Stats), "Dice and cards in numbers", statsLines(j, &sum), nil)
	return did(below)
}

// statsLines are the lines of the answer, the most telling first.
func statsLines(j *adjudication, sum *statistics.Totals) []string {
	names := make([]string, len(sum.Seats))
	for i := range sum.Seats {
		switch {
		case i == len(j.play.Words.Seats):
			names[i] = "Of all together" // Several have answered at once.
		case rules.Seat(i) == j.play.Seat:
			names[i] = "You"
		default:
			names[i] = match.Capital(j.turn.Role(rules.Seat(i)))
		}
	}
	all := sum.Dice()
	lines := []string{"Dice:"}
	if j.turn.Game.Counts == nil {
		lines[0] = "Dice, by who gave the order that they followed:"
	}
	most := 3
	for i, seat := range sum.Seats {
		if len(sum.Seats) > most && rules.Seat(i) != j.play.Seat {
			continue
		}
		lines = append(lines, diceLine(names[i], seat.Dice))
	}
	if len(sum.Seats) > most {
		lines = append(lines, diceLine("All", all))
	}
	if fair, ok := all.Fair(); ok {
		lines = append(lines, fmt.Sprintf("Fair dice are as uneven, or more, in %s "+
			"cases (chi-square %.1f).", statistics.FormatPercent(fair.P), fair.ChiSquare))
	} else {
		lines = append(lines, fmt.Sprintf("Fewer than %d dice are too few to judge them.", statistics.MinSample))
	}
	for i, seat := range sum.Seats {
		for _, d := range seat.Drawn {
			lines = append(lines, fmt.Sprintf("%s have drawn %s.", names[i], d))
		}
	}
	for _, name := range sum.CountNames() {
		text := ""
		for i, seat := range sum.Seats {
			if c, ok := seat.Counted(name); ok {
				text += fmt.Sprintf(", %s %d of %d", names[i], c.N, c.Of)
			}
		}
		lines = append(lines, match.Capital(name)+": "+text[2:]+".")
	}
	var rows []string
	for _, l := range lines {
		if more := compose.Wrapped(l, "", "  "); len(rows)+len(more) <= mostStats {
			rows = append(rows, more...)
		}
	}
	return rows
}

func diceLine(name string, d statistics.Dice) string {
	if d.N() == 0 {
		return name + ": none yet."
	}
	return fmt.Sprintf("%s: %d, mean %.2f (%s).", name, d.N(), d.Mean(), d)
}

// keptLines lists what is kept for the writer.
func keptLines(j *adjudication) []string {
	var out []string
	for _, h := range j.turn.Match.Held {
		switch {
		case h.Seat != j.play.Seat:
		case h.Conditional != nil:
			out = append(out, h.Conditional.String())
		case h.Standing:
			out = append(out, j.turn.HeldLine(h))
		case h.Answer.Ballot && h.Decision == 0:
			out = append(out, "a ballot (kept until it is asked for)")
		case h.Answer.Ahead && h.Decision == 0:
			out = append(out, j.turn.Game.FormatOrder(h.Answer.Atoms)+" (kept until it is asked for)")
		case h.Decision == 0:
			out = append(out, j.turn.Game.FormatOrder(h.Answer.Atoms)+" (in this play)")
		case h.Silent:
		case h.Answer.Ballot:
			out = append(out, "a ballot (sealed)")
		default:
			out = append(out, j.turn.Game.FormatOrder(h.Answer.Atoms)+" (sealed)")
		}
	}
	if p := j.turn.Proposed(j.play.Seat); p != nil {
		for _, row := range compose.EnclosedRows(p.Orders) {
			out = append(out, row+" (not done yet; YES does it)")
		}
	}
	if w := j.turn.Match.Seats[j.play.Seat].Timing.Waiting; w != nil {
		for _, row := range compose.EnclosedRows(w.Orders) {
			out = append(out, row+" (held back until "+compose.ClockTime(j.turn.Match.Seats[j.play.Seat].Player, w.Due)+")")
		}
	}
	return out
}

// dropKept drops what is kept for the writer. Sealed answers that are not opened yet are taken back with
// the rest, but not what stands for a player who was silent too long.
func dropKept(_ context.Context, j *adjudication, _ letter.Command) (Outcome, error) {
	n, t := len(j.turn.Match.Held), &j.writer().Timing
	j.turn.Match.Held = slices.DeleteFunc(j.turn.Match.Held, func(h match.Held) bool { return !h.Silent && h.Seat == j.play.Seat })
	if t.Waiting == nil && j.turn.Proposed(j.play.Seat) == nil && n == len(j.turn.Match.Held) {
		t.Proposed = nil
		return did("Nothing was kept for you.")
	}
	t.Waiting, t.Proposed = nil, nil
	return did("Nothing is kept for you any more.")
}

// sendLetter sends the letter as it stands now.
func sendLetter(_ context.Context, j *adjudication, c letter.Command) (Outcome, error) {
	j.answer.Whole |= rules.Only(j.play.Seat)
	return did("Here is the letter as it stands now.")
}

// below says where an answer is.
const below = "It stands below."

// showPart adds what the game tells, or the host, in answer to a query. What it depends on may still change.
func showPart(_ context.Context, j *adjudication, c letter.Command) (Outcome, error) {
	q := rules.Query(c.Word)
	if !slices.ContainsFunc(j.answer.Queries, func(a compose.Query) bool { return a.Query == q }) {
		j.answer.Queries = append(j.answer.Queries, compose.Query{Query: q})
	}
	return did(below)
}

// showCard tells what a card does.
func showCard(_ context.Context, j *adjudication, c letter.Command) (Outcome, error) {
	if c.More {
		return refuse("CARD wants the number or the title of a card, and nothing else.")
	}
	return did(strings.Join(j.turn.Game.Cards(j.turn.After.View(j.play.Seat), c.Name), "\n"))
}

// showTopic tells about a part of the game's rules, or lists the parts.
func showTopic(_ context.Context, j *adjudication, c letter.Command) (Outcome, error) {
	var names []string
	for _, t := range j.turn.Game.Topics() {
		if t.Name == c.Text {
			explain(j, rules.Query(letter.Rules), "Rules: "+t.Name, t.Text)
			return did(below)
		}
		names = append(names, t.Name)
	}
	note := "There are texts on: " + strings.Join(names, ", ") + ". Write RULES and one of these."
	if c.Text != "" {
		note = fmt.Sprintf("There is no text on %q. %s", letter.Echo(c.Text), note)
	}
	return did(note)
}

// showKept lists what is kept for the writer.
func showKept(_ context.Context, j *adjudication, _ letter.Command) (Outcome, error) {
	if kept := keptLines(j); len(kept) > 0 {
		return did(strings.Join(kept, "\n"))
	}
	return did("Nothing is kept for you.")
}

// explain puts a text into the answer, once: a paragraph a line, entries with a dash, and what
// is indented as it stands.
func explain(j *adjudication, q rules.Query, title, text string) {
	var lines []string
	var blocks []rules.Block
	before := ""
	for line := range strings.SplitSeq(text, "\n") {
		dash, code := strings.HasPrefix(line, "- "), strings.HasPrefix(line, "    ")
		alike := dash && strings.HasPrefix(before, "- ") || code && strings.HasPrefix(before, "    ")
		if before != "" && !alike {
			lines = append(lines, "")
		}
		before = line
		switch {
		case dash:
			lines = append(lines, compose.Wrapped(line[2:], "- ", "  ")...)
		case code:
			lines = append(lines, compose.Wrapped(line, "    ", "      ")...)
		default:
			lines = append(lines, strings.Split(templates.Wrap(line), "\n")...)
		}
		blocks = append(blocks, rules.Block{Text: strings.TrimSpace(line)})
	}
	j.answer.AddPart(q, title, lines, blocks)
}
