package compose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// ForScreenReader rewrites a letter for a screen reader (FORMAT SPOKEN), with sentences in place of tables and drawings,
// and without long links and lines of punctuation, e.g. "=====". Orders stay as they are, because
// players copy them. The letter still shows only the reader's view.
func ForScreenReader(turn *match.Turn, reader rules.Seat, content templates.Letter) templates.Letter {
	content.IsSpoken, content.BoardLink, content.MarkerLine = true, "", strings.Trim(content.MarkerLine, "= ")
	speakText := func(s string) string { return s }
	var rewrite func(title string) []string
	if speech := turn.Game.Speech; speech != nil {
		speakText = speech.SpeakText
		if turn.After != nil {
			view, events := turn.After.View(reader), turn.EventsFor(reader)
			rewrite = func(title string) []string { return speech.SpeakSection(view, events, title) }
		}
	}
	speakAll := func(list []string) (out []string) {
		for _, s := range list {
			out = append(out, speakText(s))
		}
		return out
	}
	content.ToMove, content.Status, content.Events, content.Prompts = speakText(content.ToMove), speakText(content.Status),
		speakAll(content.Events), slices.Clone(content.Prompts)
	for i, p := range content.Prompts {
		content.Prompts[i].Question, content.Prompts[i].Hints = speakText(p.Question), addFullStops(speakAll(joinWrapped(p.Hints)))
	}
	speakSections := func(sections []rules.Section) (out []rules.Section) {
		for _, s := range sections {
			out = append(out, speakSection(s, rewrite, speakAll))
		}
		return out
	}
	content.Replies, content.Sections = speakSections(content.Replies), speakSections(content.Sections)
	return content
}

// speakSection writes a section of a letter in sentences. A section that the game rewrites gets another title: "samizdat
// verify" finds tables by their title, and would read the sentences as a table. Indented lines, e.g. the data of POSITION,
// are not wrapped, because players copy them.
func speakSection(s rules.Section, rewrite func(title string) []string, speakAll func([]string) []string) rules.Section {
	var lines []string
	if rewrite != nil {
		lines = speakAll(rewrite(s.Title))
	}
	switch hasRows := func(b rules.Block) bool { return len(b.Rows) > 0 }; {
	case lines != nil:
		s.Title += ", in words"
	case len(s.Blocks) > 0 && !slices.ContainsFunc(s.Blocks, hasRows):
		for _, b := range s.Blocks {
			sentence := strings.TrimSpace(b.Label + " " + b.Lead)
			if sentence != "" && !strings.HasSuffix(sentence, ":") {
				sentence += ":"
			}
			sentence = strings.Join([]string{b.Heading, sentence, b.Aside, b.Text}, " ")
			lines = append(lines, speakAll([]string{strings.Join(strings.Fields(sentence), " ")})...)
		}
	case slices.ContainsFunc(s.Lines, func(l string) bool { return strings.HasPrefix(l, quoteBar) }):
		lines = speakQuote(s.Lines)
	default:
		lines = speakAll(joinWrapped(s.Lines))
	}
	s.Lines, s.Blocks = nil, nil
	for _, line := range addFullStops(lines) {
		if strings.HasPrefix(line, " ") || len(line) <= templates.Width {
			s.Lines = append(s.Lines, line)
		} else {
			s.Lines = append(s.Lines, strings.Split(templates.Wrap(line), "\n")...)
		}
	}
	return s
}

// addFullStops adds a full stop to lines without one, so that a screen reader does not join them. Orders, and lines
// that go on in the next line, stay as they are.
func addFullStops(lines []string) []string {
	for i, l := range lines {
		nextRune, lastRune := ' ', ' '
		if lastRune, _ = utf8.DecodeLastRuneInString(l); i+1 < len(lines) {
			nextRune, _ = utf8.DecodeRuneInString(lines[i+1])
		}
		if !strings.HasPrefix(l, " ") && !unicode.IsLower(nextRune) && (unicode.IsLetter(lastRune) || unicode.IsDigit(lastRune) ||
			lastRune == ')') {
			lines[i] += "."
		}
	}
	return lines
}

// speakQuote joins the rows of a player's text, and begins each paragraph with "Quote:" in place of the bar
// (quoteBar), so that a listener knows that Samizdat did not write it.
func speakQuote(lines []string) (out []string) {
	inParagraph := false
	for _, l := range lines {
		row, isQuote := strings.CutPrefix(l, quoteBar)
		row = strings.TrimSpace(row)
		switch {
		case isQuote && row == "":
			inParagraph = false
		case isQuote && !strings.ContainsFunc(row, unicode.IsLetter) && !strings.ContainsFunc(row, unicode.IsDigit): // e.g. a line of dashes
		case isQuote && inParagraph:
			out[len(out)-1] += " " + row
		case isQuote:
			out, inParagraph = append(out, "Quote: "+row), true
		default:
			out, inParagraph = append(out, l), false
		}
	}
	return out
}

// joinWrapped joins wrapped lines: a line with an indent of one to three spaces continues the line above. A larger indent
// begins an order. The dash of a list entry is removed.
func joinWrapped(lines []string) (out []string) {
	for _, l := range lines {
		if strings.HasPrefix(l, " ") && !strings.HasPrefix(l, "    ") && len(out) > 0 {
			out[len(out)-1] += " " + strings.TrimSpace(l)
			continue
		}
		out = append(out, strings.TrimPrefix(l, "- "))
	}
	return out
}
