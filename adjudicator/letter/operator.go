package letter

import (
	"context"
	"slices"
	"strings"
)

// operator passes a question on to a person: the one who runs the referee.
var operator = &Entry{
	Word: Ask, Class: Question, Fresh: true,
	Help: []Form{{Order: "ASK ...", Does: "passes your question on to the operator; END ASK ends it"}},
	Do:   func(_ context.Context, h Host, c Command) (Outcome, error) { return h.Ask(c.Text) },
}

// asks reports whether a question to the operator begins with the first of the rows. The
// word is shouted or has a colon, or the paragraph asks something: "Ask me later" is talk.
func asks(rows []string) bool {
	if !Begins(rows[0], Ask) {
		return false
	}
	first := strings.Fields(rows[0])[0]
	if strings.HasPrefix(first, string(Ask)) || strings.HasSuffix(first, ":") {
		return true
	}
	for _, row := range rows {
		if row = strings.TrimSpace(row); row == "" || strings.HasSuffix(row, "?") {
			return row != ""
		}
	}
	return false
}

// question reads the question that begins with the first of the rows, and says how many it
// takes: up to END ASK, or else its paragraph, but no row that begins with an order.
func (r *Reader) question(rows []string) (n int, q Line) {
	q = Line{Text: Echo(strings.TrimSpace(rows[0])), Kind: HostOrder, Command: Command{Word: Ask, entry: operator}}
	_, first, _ := strings.Cut(strings.TrimSpace(rows[0]), " ")
	text := []string{first}
	if end := slices.IndexFunc(rows, func(row string) bool { _, ok := cutEnd(row, Ask); return ok }); end >= 0 {
		text = append(text, rows[1:end+1]...)
		if end == 0 {
			text = text[:1]
		}
		text[len(text)-1], _ = cutEnd(text[len(text)-1], Ask)
		n = end + 1
	} else {
		for n = 1; n < len(rows) && strings.TrimSpace(rows[n]) != "" && !r.shouts(rows[n]); n++ {
			text = append(text, rows[n])
		}
	}
	for i, row := range text {
		text[i] = Printable(row)
	}
	q.Command.Text = strings.Trim(strings.Join(text, "\n"), "\n")
	switch {
	case q.Command.Text == "":
		q.Kind, q.Why = Talk, "ASK wants your question behind it. Nothing was passed on."
	case tooLong(q.Command.Text):
		q.Kind, q.Why = Unreadable, "The question is too long; "+longest()+" It was passed on to nobody."
	}
	return n, q
}

// shouts reports whether a row begins with an order in capitals.
func (r *Reader) shouts(row string) bool {
	first := strings.Fields(row)[0]
	return slices.Contains(r.verbs, first) || entryOf(Word(first)) != nil
}
