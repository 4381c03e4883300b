package compose

import (
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// HelpOverview explains how orders are written, and lists the pages of HELP.
func HelpOverview(g *rules.Game, pages []rules.Topic) string {
	text := `Write each order on its own line, above the first line of this letter. Capitals and accents do not matter. ` +
		`You may shorten a name if only one name can be meant, and write the number of a card or space in place of its name. ` +
		`Lines are carried out from the top; after a refused line the rest is not carried out. ` +
		`Other text is ignored. If it could change the meaning of an order, we ask you first.`
	text += "\nOrders of the game begin with: " + strings.Join(letter.Verbs(g), ", ") + "."
	return text + "\n" + ListPages(pages) + " HELP " + letter.CompletePage + " sends everything about orders, some ten pages."
}

// ListPages lists the pages of HELP.
func ListPages(pages []rules.Topic) string {
	var names []string
	for _, p := range pages {
		names = append(names, p.Name)
	}
	return "There are pages on: " + strings.Join(names, ", ") + ". Write HELP and one of these words."
}

// orderWidth is the width of the column with the orders in a list of orders.
const orderWidth = 17

// AddCommandList adds to the letter the list of orders that every match has.
func (r *Reply) AddCommandList(g *rules.Game) {
	const closing = "The text between the lines MESSAGE and END MESSAGE is passed on as a message and never read as orders."
	var lines []string
	var blocks []rules.Block
	for _, form := range letter.Help(g) {
		first := "    " + form.Order + strings.Repeat(" ", max(1, orderWidth-4-len(form.Order)))
		lines = append(lines, Wrap(form.Effect, first, strings.Repeat(" ", orderWidth))...)
		blocks = append(blocks, rules.Block{Lead: form.Order, Text: form.Effect})
	}
	lines = append(append(lines, ""), strings.Split(templates.Wrap(closing), "\n")...)
	r.AddSection(rules.Query(letter.HelpWord), "Orders in every match", lines, append(blocks, rules.Block{Text: closing}))
}

// AddSamples adds a section of complete orders and their meanings.
func (r *Reply) AddSamples(title string, samples rules.Samples) {
	lines, blocks := append(strings.Split(templates.Wrap(samples.Head), "\n"), ""), []rules.Block{{Text: samples.Head}}
	for _, sample := range samples.Orders {
		if lines = append(lines, Wrap(sample.Order, "    ", "      ")...); sample.Meaning != "" {
			lines = append(lines, Wrap(sample.Meaning, "      ", "      ")...)
		}
		blocks = append(blocks, rules.Block{Lead: sample.Order, Text: sample.Meaning})
	}
	r.AddSection(rules.Query(letter.HelpWord), title, lines, blocks)
}

// AddExplanation adds an explanation to the answer, unless it was added before. Each line is a paragraph; lines with
// a dash form a list, and indented lines stay as they are.
func (r *Reply) AddExplanation(query rules.Query, title, text string) {
	var lines []string
	var blocks []rules.Block
	previous := ""
	for line := range strings.SplitSeq(text, "\n") {
		isListItem, isIndented := strings.HasPrefix(line, "- "), strings.HasPrefix(line, "    ")
		isSameKind := isListItem && strings.HasPrefix(previous, "- ") || isIndented && strings.HasPrefix(previous, "    ")
		if previous != "" && !isSameKind {
			lines = append(lines, "")
		}
		previous = line
		switch {
		case isListItem:
			lines = append(lines, Wrap(line[2:], "- ", "  ")...)
		case isIndented:
			lines = append(lines, Wrap(line, "    ", "      ")...)
		default:
			lines = append(lines, strings.Split(templates.Wrap(line), "\n")...)
		}
		blocks = append(blocks, rules.Block{Text: strings.TrimSpace(line)})
	}
	r.AddSection(query, title, lines, blocks)
}

// PendingOrders lists the orders of a seat that are not carried out yet: pending and sealed answers, the proposal, and the delayed letter.
func PendingOrders(turn *match.Turn, seat rules.Seat) []string {
	var out []string
	for _, pending := range turn.Match.Pending {
		switch {
		case pending.Seat != seat:
		case pending.Conditional != nil:
			out = append(out, pending.Conditional.String())
		case pending.Standing:
			out = append(out, turn.PendingLine(pending))
		case pending.Answer.Ballot && pending.Decision == 0:
			out = append(out, "a ballot (saved until you are asked for it)")
		case pending.Answer.Ahead && pending.Decision == 0:
			out = append(out, turn.Game.FormatOrder(pending.Answer.Atoms)+" (saved until you are asked for it)")
		case pending.Decision == 0:
			out = append(out, turn.Game.FormatOrder(pending.Answer.Atoms)+" (in this play)")
		case pending.Silent:
		case pending.Answer.Ballot:
			out = append(out, "a ballot (sealed)")
		default:
			out = append(out, turn.Game.FormatOrder(pending.Answer.Atoms)+" (sealed)")
		}
	}
	if proposal := turn.OpenProposal(seat); proposal != nil {
		for _, row := range SplitOrders(proposal.Orders) {
			out = append(out, row+" (not done yet; YES carries it out)")
		}
	}
	if delayed := turn.Match.Seats[seat].Private.DelayedLetter; delayed != nil {
		for _, row := range SplitOrders(delayed.Orders) {
			out = append(out, row+" (waiting until "+FormatPlayerTime(turn.Match.Seats[seat].Player, delayed.Due)+")")
		}
	}
	return out
}

// AbortText asks whether a player wants to break the match off.
func AbortText(m *match.Match) string {
	return "Do you want to break off match " + m.ID + "? It then ends at once and does not count. This cannot be undone."
}

// ResignText asks whether a player wants to resign, and describes the effect.
func ResignText(turn *match.Turn, seat rules.Seat) string {
	effect := "The match then goes on without you, with automatic answers for your seat, and you cannot win it."
	if end := record.EndByResignation(turn.Game, turn.After, turn.Match.Resigned|rules.Only(seat), turn.Match.SeatNames()); end != nil {
		names := turn.FullNames(turn.Match.SeatsOf(end.Winners))
		switch {
		case end.Draw:
			effect = "It then ends as a draw."
		case len(names) == 0:
			effect = "Then no player wins it."
		case len(names) == 1:
			effect = match.Capitalize(names[0]) + " then wins it."
		default:
			effect = match.Capitalize(match.JoinAnd(names)) + " then win it."
		}
	}
	return "Do you want to resign match " + turn.Match.ID + "? " + effect + " This cannot be undone."
}
