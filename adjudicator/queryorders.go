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

// showHelp answers HELP. Without a name it shows the possible orders and examples. With a name, e.g. HELP 36, it shows
// the help page or the card with that name, or the places where the help pages mention it.
func showHelp(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	name := command.Text
	run.answer.WantsHelp = true
	q, pages := rules.Query(letter.HelpWord), run.reader.Manual()
	if i := slices.IndexFunc(pages, func(p rules.Topic) bool { return p.Name == name }); i >= 0 {
		run.answer.AddExplanation(q, "Help: "+name, pages[i].Text)
		showExamples(run, "Examples for "+name, &pages[i])
		return succeed(belowNote)
	}
	if name != "" {
		if cardText := describeCard(run, name); cardText != "" {
			return succeed(cardText)
		}
		if text := letter.FindMentions(name); text != "" {
			run.answer.AddExplanation(q, "Help: "+strings.ToUpper(letter.Shorten(name)), text)
			return succeed(belowNote)
		}
		if topic := findTopic(run, name); topic != "" {
			return succeed(fmt.Sprintf("HELP is about writing orders. RULES %s explains the rules of the game.", topic))
		}
		return succeed(fmt.Sprintf("There is no page on %q. %s", letter.Shorten(name), compose.ListPages(pages)))
	}
	run.answer.AddExplanation(q, "How to write orders", compose.HelpOverview(run.turn.Game, pages))
	showExamples(run, "Examples", nil)
	run.answer.AddCommandList(run.turn.Game)
	return succeed("Help is below.")
}

// describeCard returns the text of the card with a number, e.g. for HELP 36. It returns "" if the card does not exist.
func describeCard(run *letterRun, name string) string {
	cards := run.turn.Game.Cards
	if _, err := strconv.ParseUint(name, 10, 16); cards == nil || err != nil || run.turn.After == nil {
		return ""
	}
	o, err := run.reader.Orders.ParseOrder(string(letter.Card) + " " + name)
	if err != nil || len(o.Clauses) != 1 || len(o.Clauses[0].Items) != 1 {
		return ""
	}
	return strings.Join(cards(run.turn.After.View(run.execution.Seat), o.Clauses[0].Items[0].Name), "\n")
}

func findTopic(run *letterRun, name string) string {
	if run.turn.Game.Topics == nil {
		return ""
	}
	for _, t := range run.turn.Game.Topics() {
		if slices.ContainsFunc(append([]string{t.Name}, t.Aliases...), func(n string) bool { return strings.EqualFold(n, name) }) {
			return t.Name
		}
	}
	return ""
}

// showExamples adds examples: complete answers to the writer's open decisions, with their meaning. For a help page it adds only examples
// with the orders of the page; if none of these is possible now, it adds the page's general examples.
func showExamples(run *letterRun, title string, page *rules.Topic) {
	if run.turn.After == nil {
		return
	}
	view := run.turn.After.View(run.execution.Seat)
	out := rules.Samples{Head: "These answer your current question. You can send each as it stands."}
	for _, d := range run.turn.OpenDecisions(run.execution.Seat) {
		forms := run.turn.Game.Prompt(view, d, run.turn.After.Options(nil, d.ID)).Forms
		if page != nil {
			forms = run.reader.FormsOfPage(*page, forms)
		}
		for _, form := range forms {
			if meaning, ok := describeExample(run, view, d, form); ok {
				out.Orders = append(out.Orders, rules.Sample{Order: form, Meaning: meaning})
			}
		}
	}
	if len(out.Orders) == 0 && page != nil && run.turn.Game.Samples != nil {
		out = run.turn.Game.Samples(view, *page)
		out.Orders = slices.DeleteFunc(out.Orders, func(o rules.Sample) bool {
			return len(run.reader.FormsOfPage(*page, []string{o.Order})) == 0
		})
	}
	if len(out.Orders) == 0 {
		return
	}
	run.answer.AddSamples(title, out)
}

// describeExample returns the meaning of an order in the game's words. ok is false if the order does not answer the decision, or needs a
// confirmation.
func describeExample(run *letterRun, view rules.View, d rules.Decision, form string) (meaning string, ok bool) {
	o, err := run.reader.Orders.ParseOrder(form)
	if err != nil {
		return "", false
	}
	answers, err := run.turn.Game.Answers(o, []rules.Decision{d})
	if err != nil || run.tester.DescribeLoss(answers[0]) != "" {
		return "", false
	}
	if run.turn.Game.ExplainOrder != nil {
		meaning = run.turn.Game.ExplainOrder(view, d, answers)
	}
	return meaning, true
}

const maxResentLetters = 5

func showHistory(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	history, err := run.loadHistory(ctx)
	if err != nil {
		return CommandResult{}, err
	}
	if run.turn.Game.Turn == nil {
		run.answer.AddSection(rules.Query(letter.History), "What has happened"+compose.DescribeOpponents(run.turn), history.Lines(), nil)
		return succeed(belowNote)
	}
	last, ok := history.LastTurn()
	if !ok {
		return succeed("Nothing has happened yet.")
	}
	turn := cmp.Or(command.Number, last)
	if turn > last {
		return refuseAndContinue(fmt.Sprintf("Turn %d has not begun; the last one is turn %d.", turn, last))
	}
	run.answer.AddSection(rules.Query(letter.History), fmt.Sprintf("What happened in turn %d%s", turn, compose.DescribeOpponents(run.turn)),
		history.OfTurn(turn).Lines(), nil)
	note := belowNote
	if len(run.turn.Entries) > 0 {
		note = "The history is below, as your letters told it. The results of this letter are shown separately."
	}
	return succeed(note)
}

// resendLetter repeats an older letter: its events and the position at that time. Its report on orders is not stored, so it is left out.
func resendLetter(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	n := command.Number
	sent, ok, err := run.adjudicator.Store.Sent(ctx, run.turn.Match.ID, run.execution.Seat, int64(n))
	if err != nil {
		return CommandResult{}, err
	}
	if !ok {
		return explainMissingLetter(ctx, run, int64(n))
	}
	title := fmt.Sprintf("Letter %d", n)
	older := slices.DeleteFunc(slices.Clone(run.answer.Queries),
		func(a compose.Query) bool { return a.Query != rules.Query(letter.ResendLetter) })
	isRepeated := slices.ContainsFunc(older, func(a compose.Query) bool { return a.Sections[0].Title == title })
	if !isRepeated && len(older) >= maxResentLetters {
		return refuseAndContinue(fmt.Sprintf("One letter can ask for %d older letters. Ask for more in another letter.", maxResentLetters))
	}
	history, err := run.loadHistory(ctx)
	if err != nil {
		return CommandResult{}, err
	}
	until := history.UpTo(sent)
	if until == nil {
		return succeed(fmt.Sprintf("Letter %d was sent before the match began.", n))
	}
	if !isRepeated {
		run.answer.Queries = append(run.answer.Queries, compose.Query{Query: rules.Query(letter.ResendLetter),
			Sections: until.Retell(title, sent)})
	}
	return succeed(fmt.Sprintf("Letter %d is below, without its report on your orders. Its questions may be closed by now.", n))
}

// explainMissingLetter says why no letter has the number n. For example, a confirmation was not sent, because a newer
// letter replaced it.
func explainMissingLetter(ctx context.Context, run *letterRun, n int64) (CommandResult, error) {
	if newest := run.turn.Match.Seats[run.execution.Seat].LastLetter; n < 1 || n > newest {
		return refuseAndContinue(fmt.Sprintf("There is no letter %d to you. The newest before this one is letter %d.", n, newest))
	}
	letters, err := run.adjudicator.Store.Letters(ctx, run.turn.Match.ID, run.execution.Seat)
	if err != nil {
		return CommandResult{}, err
	}
	i := slices.IndexFunc(letters, func(l exchange.SentLetter) bool { return l.Number > n })
	if i < 0 {
		return succeed(fmt.Sprintf("Letter %d was not sent. Nothing is lost: your next letter will tell everything in it.", n))
	}
	return succeed(fmt.Sprintf("Letter %d was not sent: before it went out you were asked something, and letter %d told you "+
		"everything in it. RESEND %d shows that letter again.",
		n, letters[i].Number, letters[i].Number))
}

func showStats(ctx context.Context, run *letterRun, _ letter.Command) (CommandResult, error) {
	history, err := run.loadHistory(ctx)
	if err != nil {
		return CommandResult{}, err
	}
	entries, err := loadKnownEntries(ctx, run)
	if err != nil {
		return CommandResult{}, err
	}
	run.answer.AddSection(rules.Query(letter.Stats), "Dice and cards in numbers", history.StatisticsLines(entries,
		run.execution.OutcomeNames.Seats), nil)
	return succeed(belowNote)
}

// dropPending drops the writer's delayed letter, proposal, and pending and sealed answers. It keeps an answer that the
// rules gave because the writer was silent.
func dropPending(_ context.Context, run *letterRun, _ letter.Command) (CommandResult, error) {
	n, private := len(run.turn.Match.Pending), &run.writerSeat().Private
	run.turn.Match.Pending = slices.DeleteFunc(run.turn.Match.Pending,
		func(pending match.PendingAnswer) bool { return !pending.Silent && pending.Seat == run.execution.Seat })
	if private.DelayedLetter == nil && run.turn.OpenProposal(run.execution.Seat) == nil && n == len(run.turn.Match.Pending) {
		private.Proposal = nil
		return succeed("You had no saved orders.")
	}
	private.DelayedLetter, private.Proposal = nil, nil
	return succeed("Your saved orders are dropped.")
}

func sendWholeLetter(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	run.answer.FullLetterSeats |= rules.Only(run.execution.Seat)
	if run.turn.Match.State == match.Over {
		return succeed("Here is the final position.")
	}
	return succeed("Here is the current position.")
}

const belowNote = "See below."

// addQuery adds a query, e.g. MAP, to the queries that are answered after all orders of the letter.
func addQuery(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	q := rules.Query(command.Word)
	if !slices.ContainsFunc(run.answer.Queries, func(a compose.Query) bool { return a.Query == q }) {
		run.answer.Queries = append(run.answer.Queries, compose.Query{Query: q})
	}
	return succeed(belowNote)
}

func showCard(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	if command.HasMoreClauses {
		return refuseAndStop("Write CARD and the number or title of a card, and nothing else.")
	}
	return succeed(strings.Join(run.turn.Game.Cards(run.turn.After.View(run.execution.Seat), command.Name), "\n"))
}

func showTopic(_ context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	var names []string
	for _, t := range run.turn.Game.Topics() {
		if t.Name == command.Text {
			run.answer.AddExplanation(rules.Query(letter.Rules), "Rules: "+t.Name, t.Text)
			return succeed(belowNote)
		}
		names = append(names, t.Name)
	}
	note := "There are pages on: " + strings.Join(names, ", ") + ". Write RULES and one of these words."
	if command.Text != "" {
		note = fmt.Sprintf("There is no page on %q. %s", letter.Shorten(command.Text), note)
	}
	return succeed(note)
}

func showPending(_ context.Context, run *letterRun, _ letter.Command) (CommandResult, error) {
	if orders := compose.PendingOrders(run.turn, run.execution.Seat); len(orders) > 0 {
		return succeed(strings.Join(orders, "\n"))
	}
	return succeed("You have no saved orders.")
}
