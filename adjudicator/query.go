package adjudicator

import (
	"slices"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/rules"
)

// asked is a query on its way into the answer. Parts are there already for what
// does not depend on where the letter leads to.
type asked struct {
	query rules.Query
	parts []rules.Section
}

// ofMap reports whether it asks for the map.
func (a asked) ofMap() bool { return a.query == rules.QueryMap || a.query == rules.QueryBigMap }

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
