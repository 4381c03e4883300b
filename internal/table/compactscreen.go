package table

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
	"samizdat/templates"
)

// windowLines is the maximum number of lines of the screen that a person sees for each decision in a match against
// robots.
const windowLines = 40

// showWindow shows one screen: the results of the orders, the events since the last screen, the map, the hand and the
// decision. The reply to a request, for example MAP, is shown alone.
func (s *screen) showWindow(seat rules.Seat, view rules.View, standingTitles []string) {
	parts := splitLetter(s.store.newestLetters[seat].Body)
	entries := s.store.match.EntryCount
	var blocks []letterPart
	switch news := s.takeNews(seat); {
	case s.showAll:
		blocks = parts
	case s.shownEntries == entries:
		blocks = withoutParts(parts[1:], append(standingTitles, partDecision, partRequest)...)
		if lacksStandingParts(parts, standingTitles) {
			blocks = withoutParts(parts[1:], partDecision, partRequest)
		}
	default:
		blocks = append([]letterPart{{lines: []string{findHeadline(parts[0])}}}, news...)
		decisionParts, otherParts := s.splitChanged(parts, standingTitles)
		board := s.boardParts(view, parts)
		alwaysShown := min(1, len(board)) // The map, unless the decision has parts of its own, e.g. the cards of a power struggle.
		if len(decisionParts) > 0 {
			alwaysShown = 0
		}
		blocks = slices.Concat(blocks, decisionParts, board[:alwaysShown])
		board = board[alwaysShown:]
		blocks = fitParts(blocks, append(board, otherParts...), onlyParts(parts, partDecision, partRequest))
	}
	for _, b := range blocks {
		fmt.Fprintln(s.out)
		if b.title != "" {
			fmt.Fprintln(s.out, b.title)
		}
		fmt.Fprintln(s.out, strings.Trim(strings.Join(b.lines, "\n"), "\n"))
	}
	s.lastShown[seat], s.currentSeat, s.showAll, s.shownEntries = s.store.newestLetters[seat].Number, seat, false, entries
}

// findHeadline returns the line with the state of the match in the first part of a letter, for example "Turn 1 of 10,
// set-up. The Communist is to answer. VP 0."
func findHeadline(head letterPart) string {
	lines := slices.DeleteFunc(slices.Clone(head.lines), func(l string) bool { return l == "" })
	return lines[min(1, len(lines)-1)]
}

// takeNews returns the parts of a seat's unread letters since the last screen: results of orders, events as one part, and
// messages. It marks the letters as read.
func (s *screen) takeNews(seat rules.Seat) []letterPart {
	orders, events := letterPart{title: partOrders}, letterPart{title: partEvents}
	var messages []letterPart
	for _, letter := range s.store.unreadLetters[seat] {
		if letter.Number <= s.lastShown[seat] {
			continue
		}
		for _, p := range splitLetter(letter.Body) {
			switch {
			case p.title == partOrders && s.shownEntries > 0: // The first letter answers JOIN.
				orders.lines = append(orders.lines, nonEmptyLines(p.lines)...)
			case p.title == partEvents:
				events.lines = append(events.lines, nonEmptyLines(p.lines)...)
			case strings.HasPrefix(p.title, partMessage):
				messages = append(messages, p)
			}
		}
	}
	s.store.unreadLetters[seat] = nil
	if !slices.ContainsFunc(orders.lines, func(l string) bool { return strings.HasPrefix(l, "- ") && !strings.HasSuffix(l, ": done") }) {
		orders.lines = nil // All orders are done, and the events tell their results.
	}
	news := slices.DeleteFunc([]letterPart{orders, events}, func(p letterPart) bool { return len(p.lines) == 0 })
	return append(news, messages...)
}

func (s *screen) formatNews(seat rules.Seat) string { return joinParts(s.takeNews(seat)) }

func nonEmptyLines(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l == "" })
}

// splitChanged returns the standing parts that only some letters have, if they differ from the last screen. decisionParts
// are the parts above the hand, for example the cards of a power struggle, and otherParts the parts below it, for example
// events in force.
func (s *screen) splitChanged(parts []letterPart, standingTitles []string) (decisionParts, otherParts []letterPart) {
	if s.shownTexts == nil {
		s.shownTexts = map[string]string{}
	}
	list := &decisionParts
	for _, p := range parts {
		switch {
		case p.title == s.usualTitles[0]:
			list = &otherParts
		case slices.Contains(standingTitles, p.title) && !slices.Contains(s.usualTitles, p.title) && s.shownTexts[p.title] != p.format():
			*list = append(*list, p)
			s.shownTexts[p.title] = p.format()
		}
	}
	return decisionParts, otherParts
}

// boardParts returns the small map and the titles of the cards in hand. A game without a small map has its usual standing
// parts in place of the map.
func (s *screen) boardParts(view rules.View, parts []letterPart) []letterPart {
	var out []letterPart
	if s.game.AnswerQuery != nil {
		for _, m := range s.game.AnswerQuery(view, rules.QuerySmallMap) {
			out = append(out, letterPart{strings.ToUpper(m.Title), m.Lines})
		}
	}
	if len(out) == 0 {
		out = onlyParts(parts, s.usualTitles[1:]...)
	}
	for _, hand := range onlyParts(parts, s.usualTitles[0]) {
		var cards []string
		for _, l := range nonEmptyLines(hand.lines) {
			if !strings.HasPrefix(l, "     ") { // The text of a card is indented, its title is not.
				cards = append(cards, strings.Join(strings.Fields(l), " "))
			}
		}
		out = append(out, letterPart{hand.title, []string{templates.Wrap(strings.Join(cards, "; "))}})
	}
	return out
}

// fitParts returns the parts that fit on the screen: all reports, without the oldest events if there are too many, then
// the parts of the board, the decision with its examples, and the list of legal answers. Parts of the board that do not
// fit are left out, and the list is cut. The first report is the headline.
func fitParts(reports, board, decision []letterPart) []letterPart {
	reports, board, decision = trimBlankLines(reports), trimBlankLines(board), trimBlankLines(decision)
	freeLines := windowLines - 4 // Room for the prompt, the line above it, and the hint.
	listLines := 0               // The number of lines of the decision after the examples.
	for i := range decision {
		decision[i].lines = nonEmptyLines(decision[i].lines)
		listLines = 0
		for j := len(decision[i].lines) - 1; j > 0 && !strings.HasPrefix(decision[i].lines[j], "    "); j-- {
			listLines++
		}
	}
	for _, p := range slices.Concat(reports, decision) {
		freeLines -= p.countLines()
	}
	freeLines += listLines
	for i := range reports {
		if p := &reports[i]; p.title == partEvents && freeLines < 0 {
			cutLines := min(1-freeLines, len(p.lines)-1)
			p.lines, freeLines = append([]string{"- [...]"}, p.lines[cutLines:]...), freeLines+cutLines-1
		}
	}
	isComplete := true
	for _, p := range board {
		if p.countLines() > freeLines {
			isComplete = false
			continue
		}
		freeLines -= p.countLines()
		reports = append(reports, p)
	}
	if listLines > max(0, freeLines) {
		last := &decision[len(decision)-1]
		last.lines = last.lines[:len(last.lines)-listLines+max(0, freeLines)]
		isComplete = false
	}
	if !isComplete {
		decision = append(decision, letterPart{lines: []string{"STATUS shows everything, MAP the map, HAND your cards, HISTORY what happened."}})
	}
	return append(reports, decision...)
}

// trimBlankLines splits the lines of parts at line breaks, and removes empty lines at both ends.
func trimBlankLines(parts []letterPart) (out []letterPart) {
	for _, p := range parts {
		out = append(out, letterPart{p.title, strings.Split(strings.Trim(strings.Join(p.lines, "\n"), "\n"), "\n")})
	}
	return out
}

// countLines returns the height of a part with the empty line above it.
func (p letterPart) countLines() int {
	if p.title == "" {
		return 1 + len(p.lines)
	}
	return 2 + len(p.lines)
}
