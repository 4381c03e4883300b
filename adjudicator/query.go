package adjudicator

import (
	"slices"
	"strings"
	"unicode/utf8"

	"samizdat/adjudicator/letter"
	"samizdat/rules"
	"samizdat/templates"
)

// asked is a query on its way into the answer. Parts are there already for what
// does not depend on where the letter leads to.
type asked struct {
	query rules.Query
	parts []rules.Section
}

// ofMap reports whether it asks for the map.
func (a asked) ofMap() bool { return a.query == rules.QueryMap || a.query == rules.QueryBigMap }

// paragraphs lays a text out, with an empty line between its lines.
func paragraphs(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, strings.Split(templates.Wrap(line), "\n")...)
	}
	return out
}

// add puts a part into the answer, once. Blocks say the same to a page, nil where it is to
// show the lines as they stand.
func (j *adjudication) add(q rules.Query, title string, lines []string, blocks []rules.Block) {
	if slices.ContainsFunc(j.reply.asked, func(a asked) bool {
		return slices.ContainsFunc(a.parts, func(p rules.Section) bool { return p.Title == title })
	}) {
		return
	}
	j.reply.asked = append(j.reply.asked, asked{q, []rules.Section{{Title: title, Lines: lines, Blocks: blocks}}})
}

// onlyAsks reports whether the letter did nothing but ask, so that its answer may
// leave out the standing parts of a letter.
func onlyAsks(lines []letter.Line) bool {
	asks := false
	for _, l := range lines {
		switch {
		case l.Class() == letter.Question:
			asks = true
		case l.Kind != letter.Talk && l.Kind != letter.Doubt:
			return false
		}
	}
	return asks
}

// asksAtMost reports whether a letter can change nothing: all that is in it asks, or is talk.
func asksAtMost(lines []letter.Line) bool {
	return !slices.ContainsFunc(lines, func(l letter.Line) bool {
		return l.Kind != letter.Talk && l.Kind != letter.Doubt && l.Command.Question() == ""
	})
}

// answers are the parts that answer the queries of a reader, who is the writer of the
// letter.
func (j *adjudication) answers(reader rules.Seat) []rules.Section {
	var out []rules.Section
	for _, a := range j.reply.asked {
		if a.parts == nil {
			a.parts = j.inform(j.turn.After.View(reader), a.query)
		}
		out = append(out, a.parts...)
	}
	return out
}

// inform is the game's answer to a query; a line that says so where there is none.
func (j *adjudication) inform(view rules.View, q rules.Query) []rules.Section {
	if q == rules.Query(letter.Position) {
		return []rules.Section{{Title: "Your position", Lines: j.seatView(view)}}
	}
	if q == rules.Query(letter.Record) {
		return []rules.Section{j.recordPart()}
	}
	if maps := j.turn.Game.Map; maps != nil && q == rules.QueryBigMap {
		return []rules.Section{{Title: "The big map", Lines: maps.TextMap(view, nil)}}
	}
	if parts := j.turn.Game.Inform(view, q); parts != nil {
		return parts
	}
	return []rules.Section{{Title: strings.ToLower(string(q)), Lines: []string{"There is nothing of the sort now."}}}
}

// bulleted lays sentences out as in the part of a letter that tells what happened.
func bulleted(sentences []string) []string {
	var out []string
	for _, t := range sentences {
		out = append(out, wrapped(t, "- ", "  ")...)
	}
	return out
}

// wrapped breaks a line at spaces, and what has none where it must. The first row
// begins with first, the others with rest, which is as wide.
func wrapped(text, first, rest string) []string {
	return wrappedTo(templates.Width, text, first, rest)
}

// wrappedTo does so for rows of so many columns.
func wrappedTo(width int, text, first, rest string) []string {
	most := width - utf8.RuneCountInString(rest)
	var out []string
	row := []rune{}
	flush := func() {
		head := rest
		if out == nil {
			head = first
		}
		out, row = append(out, strings.TrimRight(head+string(row), " ")), row[:0]
	}
	for _, w := range strings.Fields(text) {
		word := []rune(w)
		if len(row) > 0 && len(row)+1+len(word) > most {
			flush()
		}
		if len(row) > 0 {
			row = append(row, ' ')
		}
		for len(row)+len(word) > most {
			n := most - len(row)
			row, word = append(row, word[:n]...), word[n:]
			flush()
		}
		row = append(row, word...)
	}
	flush()
	return out
}
