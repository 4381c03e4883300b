package adjudicator

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// showHelp answers HELP with the possible orders, and examples that answer the writer's open decisions.
func showHelp(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	name := c.Text
	j.answer.Help = true
	q, pages := rules.Query(letter.HelpWord), j.reader.Manual()
	if i := slices.IndexFunc(pages, func(p rules.Topic) bool { return p.Name == name }); i >= 0 {
		j.answer.Explain(q, "Help: "+name, pages[i].Text)
		showExamples(j, "Examples for "+name, &pages[i])
		return did(below)
	}
	if name != "" {
		if about := aboutCard(j, name); about != "" {
			return did(about)
		}
		if text := letter.Mentions(name); text != "" {
			j.answer.Explain(q, "Help: "+strings.ToUpper(letter.Echo(name)), text)
			return did(below)
		}
		if topic := topicOf(j, name); topic != "" {
			return did(fmt.Sprintf("Pages of HELP are on orders. RULES %s tells of the game.", topic))
		}
		return did(fmt.Sprintf("There is no page on %q. %s", letter.Echo(name), compose.PageList(pages)))
	}
	j.answer.Explain(q, "How to write orders", compose.HelpOverview(j.turn.Game, pages))
	showExamples(j, "Examples", nil)
	j.answer.ListCommands(j.turn.Game)
	return did("Help is below.")
}

// aboutCard returns the text of a card for HELP with its number, e.g. HELP 36; empty if there is no such card.
func aboutCard(j *letterRun, name string) string {
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

// topicOf returns a topic of the rules for HELP with its name; empty if there is none.
func topicOf(j *letterRun, name string) string {
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

// showExamples adds examples of complete answers with their meaning. A help page gets only examples of its own
// orders, or general ones if none is possible now.
func showExamples(j *letterRun, title string, page *rules.Topic) {
	if j.turn.After == nil {
		return
	}
	view, out := j.turn.After.View(j.play.Seat), rules.Samples{Head: "These answer what is asked of you now. Each can be sent as it " +
		"stands."}
	for _, d := range j.turn.OpenDecisions(j.play.Seat) {
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
	j.answer.ListSamples(title, out)
}

// exampleMeaning returns the meaning of an order in the game's words. An order that would need a confirmation is
// no example.
func exampleMeaning(j *letterRun, view rules.View, d rules.Decision, form string) (meaning string, ok bool) {
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

// maxResent is the number of older letters that one letter can ask for.
const maxResent = 5

func showHistory(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	h, err := j.loadHistory(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if j.turn.Game.Turn == nil {
		j.answer.AddPart(rules.Query(letter.History), "What has happened"+compose.Versus(j.turn), h.Lines(), nil)
		return did(below)
	}
	last, ok := h.LastTurn()
	if !ok {
		return did("There is nothing to tell yet.")
	}
	turn := cmp.Or(c.Number, last)
	if turn > last {
		return declined(fmt.Sprintf("Turn %d has not begun; the last one is turn %d.", turn, last))
	}
	j.answer.AddPart(rules.Query(letter.History), fmt.Sprintf("What happened in turn %d%s", turn, compose.Versus(j.turn)),
		h.OfTurn(turn).Lines(), nil)
	note := below
	if len(j.turn.Entries) > 0 {
		note = "It stands below, as your letters have told it; what this letter of yours led to stands by itself."
	}
	return did(note)
}

// resendLetter repeats the content of an older letter and the position at that time. The outcomes of orders in it
// are not stored.
func resendLetter(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
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
	if !again && len(older) >= maxResent {
		return declined(fmt.Sprintf("One letter can ask for %d older ones; ask for more in another.", maxResent))
	}
	h, err := j.loadHistory(ctx)
	if err != nil {
		return Outcome{}, err
	}
	until := h.UpTo(sent)
	if until == nil {
		return did(fmt.Sprintf("Letter %d was sent before the match began.", n))
	}
	if !again {
		j.answer.Queries = append(j.answer.Queries, compose.Query{Query: rules.Query(letter.Again), Parts: until.Retell(title, sent)})
	}
	return did(fmt.Sprintf("Letter %d stands below, without what it said of your orders. Its questions may be closed by now.", n))
}

// explainUnsent explains a missing letter. Its number is unused because a letter with a question replaced a
// confirmation.
func explainUnsent(ctx context.Context, j *letterRun, n int64) (Outcome, error) {
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

func showStats(ctx context.Context, j *letterRun, _ letter.Command) (Outcome, error) {
	h, err := j.loadHistory(ctx)
	if err != nil {
		return Outcome{}, err
	}
	entries, err := entriesToTell(ctx, j)
	if err != nil {
		return Outcome{}, err
	}
	j.answer.AddPart(rules.Query(letter.Stats), "Dice and cards in numbers", h.Statistics(entries, j.play.OutcomeNames.Seats), nil)
	return did(below)
}

// dropKept drops the writer's pending and sealed answers, except an answer that was found for a silent player.
func dropKept(_ context.Context, j *letterRun, _ letter.Command) (Outcome, error) {
	n, t := len(j.turn.Match.Pending), &j.writer().Timing
	j.turn.Match.Pending = slices.DeleteFunc(j.turn.Match.Pending,
		func(h match.PendingAnswer) bool { return !h.Silent && h.Seat == j.play.Seat })
	if t.DelayedLetter == nil && j.turn.Proposed(j.play.Seat) == nil && n == len(j.turn.Match.Pending) {
		t.Proposal = nil
		return did("Nothing was kept for you.")
	}
	t.DelayedLetter, t.Proposal = nil, nil
	return did("Nothing is kept for you any more.")
}

func sendLetter(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	j.answer.Whole |= rules.Only(j.play.Seat)
	return did("Here is the letter as it stands now.")
}

const below = "It stands below."

// showPart answers a query of the game or the host, after all orders of the letter.
func showPart(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	q := rules.Query(c.Word)
	if !slices.ContainsFunc(j.answer.Queries, func(a compose.Query) bool { return a.Query == q }) {
		j.answer.Queries = append(j.answer.Queries, compose.Query{Query: q})
	}
	return did(below)
}

func showCard(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	if c.More {
		return refuse("CARD wants the number or the title of a card, and nothing else.")
	}
	return did(strings.Join(j.turn.Game.Cards(j.turn.After.View(j.play.Seat), c.Name), "\n"))
}

func showTopic(_ context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	var names []string
	for _, t := range j.turn.Game.Topics() {
		if t.Name == c.Text {
			j.answer.Explain(rules.Query(letter.Rules), "Rules: "+t.Name, t.Text)
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

// showKept lists the writer's pending answers.
func showKept(_ context.Context, j *letterRun, _ letter.Command) (Outcome, error) {
	if kept := compose.PendingOrders(j.turn, j.play.Seat); len(kept) > 0 {
		return did(strings.Join(kept, "\n"))
	}
	return did("Nothing is kept for you.")
}
