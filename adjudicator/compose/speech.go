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

// Speak rewrites a letter for a screen reader (FORMAT SPOKEN), with sentences in place of tables and drawings, and without rows of
// signs and long links. Orders stay as they are, because the reader copies them. It uses only the reader's view and events.
func Speak(t *match.Turn, reader rules.Seat, l templates.Letter) templates.Letter {
	l.Spoken, l.Board, l.Mark = true, "", strings.Trim(l.Mark, "= ")
	text := func(s string) string { return s }
	var section func(title string) []string
	if speech := t.Game.Speech; speech != nil {
		text = speech.SpeakText
		if t.After != nil {
			view, events := t.After.View(reader), t.EventsFor(reader)
			section = func(title string) []string { return speech.SpeakSection(view, events, title) }
		}
	}
	all := func(list []string) (out []string) {
		for _, s := range list {
			out = append(out, text(s))
		}
		return out
	}
	l.Whose, l.Status, l.Happened, l.Prompts = text(l.Whose), text(l.Status), all(l.Happened), slices.Clone(l.Prompts)
	for i, p := range l.Prompts {
		l.Prompts[i].Question, l.Prompts[i].Notes = text(p.Question), endSentences(all(joinWrapped(p.Notes)))
	}
	speak := func(sections []rules.Section) (out []rules.Section) {
		for _, s := range sections {
			out = append(out, speakSection(s, section, all))
		}
		return out
	}
	l.Parts, l.Sections = speak(l.Parts), speak(l.Sections)
	return l
}

// speakSection writes a section of a letter in sentences. Sections that the game rewrites get another title, because a verifier reads
// facts from the table of that title. Wide lines, e.g. the data of POSITION, stay as they are, because they are copied.
func speakSection(s rules.Section, bySpeech func(title string) []string, text func([]string) []string) rules.Section {
	var lines []string
	if bySpeech != nil {
		lines = text(bySpeech(s.Title))
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
			lines = append(lines, text([]string{strings.Join(strings.Fields(sentence), " ")})...)
		}
	case slices.ContainsFunc(s.Lines, func(l string) bool { return strings.HasPrefix(l, quoteBar) }):
		lines = speakQuote(s.Lines)
	default:
		lines = text(joinWrapped(s.Lines))
	}
	s.Lines, s.Blocks = nil, nil
	for _, line := range endSentences(lines) {
		if strings.HasPrefix(line, " ") || len(line) <= templates.Width {
			s.Lines = append(s.Lines, line)
		} else {
			s.Lines = append(s.Lines, strings.Split(templates.Wrap(line), "\n")...)
		}
	}
	return s
}

// endSentences adds a full stop to lines without one, so that they are not read as one sentence. Orders stay as they are, and so
// does a line that the next line continues.
func endSentences(lines []string) []string {
	for i, l := range lines {
		next, end := ' ', ' '
		if end, _ = utf8.DecodeLastRuneInString(l); i+1 < len(lines) {
			next, _ = utf8.DecodeRuneInString(lines[i+1])
		}
		if !strings.HasPrefix(l, " ") && !unicode.IsLower(next) && (unicode.IsLetter(end) || unicode.IsDigit(end) || end == ')') {
			lines[i] += "."
		}
	}
	return lines
}

// speakQuote joins the rows of a player's text, and begins each paragraph with "Quote:" in place of the bar. So no part of it sounds
// like a sentence of Samizdat.
func speakQuote(lines []string) (out []string) {
	paragraph := false
	for _, l := range lines {
		row, quoted := strings.CutPrefix(l, quoteBar)
		row = strings.TrimSpace(row)
		switch {
		case quoted && row == "":
			paragraph = false
		case quoted && !strings.ContainsFunc(row, unicode.IsLetter) && !strings.ContainsFunc(row, unicode.IsDigit): // e.g. a line of dashes
		case quoted && paragraph:
			out[len(out)-1] += " " + row
		case quoted:
			out, paragraph = append(out, "Quote: "+row), true
		default:
			out, paragraph = append(out, l), false
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
