package attack

import (
	"strings"
	"testing"

	"samizdat/internal/report"
	"samizdat/internal/test/long"
)

// TestEntriesChanged: whoever has the secret changes an entry and chains all that follow
// again. A history that follows from its dice, or that no match can have, is found from
// the record alone, and the entry named.
func TestEntriesChanged(t *testing.T) {
	t.Parallel()
	plain, moved, council := dawn(t, 1).steps(14).resign().clone(), moved(t).clone(), village(t, 2).play().clone()
	const (
		back, restore, undo = 6, 9, 13
	)
	var all []mutation
	for _, c := range []struct {
		name   string
		record lines
		entry  int
		change func(e object)
	}{
		{"die", plain, 6, func(e object) { e["chance"].([]any)[0].(object)["roll"] = 6 }},
		{"no die", plain, 6, func(e object) { delete(e, "chance") }},
		{"another die", plain, 6, func(e object) { e["chance"] = append(e["chance"].([]any), object{"roll": 3, "for": "luck"}) }},
		{"a die that nothing asks for", plain, 1, func(e object) { e["chance"] = []any{object{"roll": 3, "for": "luck"}} }},
		{"a die hidden", plain, 6, func(e object) { e["chance"].([]any)[0].(object)["hidden"] = true }},
		{"a die to a seat", plain, 6, func(e object) { e["chance"].([]any)[0].(object)["to"] = "democrat" }},
		{"card", plain, 0, func(e object) { e["chance"].([]any)[0].(object)["draw"] = 1 }},
		{"index", plain, 0, func(e object) { e["chance"].([]any)[0].(object)["i"] = 0 }},
		{"size of a pile", plain, 0, func(e object) { e["chance"].([]any)[0].(object)["n"] = 41 }},
		{"pile", plain, 0, func(e object) { e["chance"].([]any)[0].(object)["from"] = "struggle" }},
		{"a card to another", plain, 0, func(e object) { e["chance"].([]any)[0].(object)["to"] = "democrat" }},
		{"a card out of a hand", plain, 0, func(e object) { e["chance"].([]any)[0].(object)["hand"] = "democrat" }},
		{"a card shown", plain, 0, func(e object) { delete(e["chance"].([]any)[0].(object), "hidden") }},
		{"two cards swapped", plain, 0, func(e object) { c := e["chance"].([]any); c[0], c[1] = c[1], c[0] }},
		{"a die and a card at once", plain, 0, func(e object) { e["chance"].([]any)[0].(object)["roll"] = 3 }},
		{"neither a die nor a card", plain, 6, func(e object) { e["chance"].([]any)[0] = object{"for": "luck"} }},
		{"a die of 7", plain, 6, func(e object) { e["chance"].([]any)[0].(object)["roll"] = 7 }},
		{"a die of 0", plain, 6, func(e object) { e["chance"].([]any)[0].(object)["roll"] = 0 }},
		{"seat", plain, 1, func(e object) { e["seat"] = "democrat" }},
		{"a seat that is not", plain, 1, func(e object) { e["seat"] = "nobody" }},
		{"no seat", plain, 1, func(e object) { e["seat"] = nil }},
		{"a seat of several", plain, 1, func(e object) { e["seat"] = []any{"communist"} }},
		{"orders of another question", plain, 1, func(e object) { e["orders"] = []any{"RESIGN"} }},
		{"no orders", plain, 1, func(e object) { delete(e, "orders") }},
		{"empty orders", plain, 1, func(e object) { e["orders"] = []any{} }},
		{"an empty order", plain, 1, func(e object) { e["orders"] = []any{""} }},
		{"an order twice", plain, 1, func(e object) { e["orders"] = append(e["orders"].([]any), e["orders"].([]any)...) }},
		{"an order hidden", plain, 1, func(e object) { e["private"] = true }},
		{"state", plain, 1, func(e object) { e["state"] = digest("") }},
		{"no state", plain, 1, func(e object) { delete(e, "state") }},
		{"an empty state", plain, 1, func(e object) { e["state"] = "" }},
		{"silence", plain, 1, func(e object) { e["silence"] = "default" }},
		{"silence by lot", plain, 1, func(e object) { e["silence"] = "lot" }},
		{"silence of another kind", plain, 1, func(e object) { e["silence"] = "sleep" }},
		{"a letter that is no digest", plain, 1, func(e object) { e["letter"] = "abc" }},
		{"a letter in capitals", plain, 1, func(e object) { e["letter"] = "ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789" }},
		{"setup again", plain, 1, func(e object) { e["setup"] = plain.setup() }},
		{"number", plain, 3, func(e object) { e["seq"] = 4 }},
		{"a number below 0", plain, 3, func(e object) { e["seq"] = -3 }},
		{"no number", plain, 3, func(e object) { delete(e, "seq") }},
		{"an unknown member", plain, 3, func(e object) { e["odds"] = 2 }},
		{"an expectation", plain, 3, func(e object) { e["expect"] = object{} }},
		{"an expectation at the end", plain, 15, func(e object) { e["expect"] = object{"vp": 3} }},
		{"a remark", plain, 3, func(e object) { e["note"] = "she was lucky" }},
		{"a source", plain, 3, func(e object) { e["source"] = "7" }},
		{"forced", plain, 3, func(e object) { e["forced"] = true }},
		{"an act beside orders", plain, 3, func(e object) { e["act"] = object{"kind": "tell", "by": "director", "why": "x"} }},
		{"a player beside orders", plain, 3, func(e object) { e["player"] = "player 6" }},
		{"a take-back beside orders", plain, 3, func(e object) { e["takeback"] = 2 }},
		{"a tally beside orders", plain, 3, func(e object) { e["tally"] = object{"group": 1, "outcome": object{}} }},
		{"answers beside orders", plain, 3, func(e object) { e["answers"] = []any{object{"seat": "communist", "orders": e["orders"]}} }},
		{"answers in place of orders", plain, 3, func(e object) {
			e["answers"] = []any{object{"seat": e["seat"], "orders": e["orders"]}}
			delete(e, "orders")
			delete(e, "letter")
			e["seat"] = nil
		}},
		{"no time", plain, 3, func(e object) { delete(e, "at") }},
		{"a part of a second", plain, 3, func(e object) { e["at"] = "1989-06-04T09:00:03.5Z" }},
		{"a zone", plain, 3, func(e object) { e["at"] = "1989-06-04T11:00:03+02:00" }},
		{"a zone that is UTC", plain, 3, func(e object) { e["at"] = "1989-06-04T09:00:03+00:00" }},
		{"a small z", plain, 3, func(e object) { e["at"] = "1989-06-04t09:00:03z" }},
		{"no such day", plain, 3, func(e object) { e["at"] = "1989-06-31T09:00:03Z" }},
		{"a second of 60", plain, 3, func(e object) { e["at"] = "1989-06-04T09:00:60Z" }},
		{"a part of a second of 0", plain, 3, func(e object) { e["at"] = "1989-06-04T09:00:03.000Z" }},
		{"who resigned wins", plain, 15, func(e object) { e["act"].(object)["end"] = object{"winners": []any{"democrat"}} }},
		{"nobody wins", plain, 15, func(e object) { e["act"].(object)["end"] = object{} }},
		{"both win", plain, 15, func(e object) { e["act"].(object)["end"] = object{"winners": []any{"democrat", "communist"}} }},
		{"a draw of one", plain, 15, func(e object) { e["act"].(object)["end"] = object{"draw": true} }},
		{"who resigned goes on", plain, 15, func(e object) { delete(e["act"].(object), "end") }},
		{"nobody resigned", plain, 15, func(e object) { e["seat"] = nil }},
		{"resigned by the director", plain, 15, func(e object) { e["act"].(object)["by"] = "director" }},
		{"a reason to resign", plain, 15, func(e object) { e["act"].(object)["why"] = "tired" }},
		{"a time to resign", plain, 15, func(e object) { e["act"].(object)["until"] = "1989-06-04T09:00:00Z" }},
		{"an act of another kind", plain, 15, func(e object) { e["act"].(object)["kind"] = "triumph" }},
		{"an unknown member of an act", plain, 15, func(e object) { e["act"].(object)["odds"] = 1 }},
		{"an unknown member of an end", plain, 15, func(e object) { e["act"].(object)["end"].(object)["odds"] = 1 }},
		{"a winner that is not", plain, 15, func(e object) { e["act"].(object)["end"] = object{"winners": []any{"communist", "nobody"}} }},
		{"a winner twice", plain, 15, func(e object) { e["act"].(object)["end"] = object{"winners": []any{"communist", "communist"}} }},
		{"a winner and a draw", plain, 15, func(e object) {
			e["act"].(object)["end"] = object{"winners": []any{"communist"}, "draw": true}
		}},
		{"dice of an act", plain, 15, func(e object) { e["chance"] = []any{object{"roll": 3, "for": "luck"}} }},
		{"an abort that is won", plain, 15, func(e object) { e["seat"] = nil; e["act"].(object)["kind"] = "abort" }},
		{"a claim that is lost", plain, 15, func(e object) { e["act"].(object)["kind"] = "claim" }},
		{"a rule of a player", plain, 15, func(e object) { e["act"].(object)["kind"] = "rule" }},
		{"a restore that ends", plain, 15, func(e object) {
			e["seat"], e["epoch"], e["act"] = nil, 1, object{"kind": "restore", "by": "operator", "until": "1989-06-04T09:00:14Z", "end": object{"winners": []any{"communist"}}}
		}},

		{"a take-back into the past of nothing", moved, back, func(e object) { e["takeback"] = 9 }},
		{"a take-back of itself", moved, back, func(e object) { e["takeback"] = back }},
		{"a take-back of the deal", moved, back, func(e object) { e["takeback"] = 0 }},
		{"a take-back below", moved, back, func(e object) { e["takeback"] = -1 }},
		{"a take-back of something else", moved, back, func(e object) { e["takeback"] = 3 }},
		{"a take-back of nobody", moved, back, func(e object) { e["seat"] = nil }},
		{"a take-back without an epoch", moved, back, func(e object) { delete(e, "epoch") }},
		{"a take-back of two epochs", moved, back, func(e object) { e["epoch"] = 2 }},
		{"a take-back with a die", moved, back, func(e object) { e["chance"] = []any{object{"roll": 3, "for": "luck"}} }},
		{"a restore of two epochs", moved, restore, func(e object) { e["epoch"] = 3 }},
		{"a restore without an epoch", moved, restore, func(e object) { e["epoch"] = 1 }},
		{"a restore of a seat", moved, restore, func(e object) { e["seat"] = "democrat" }},
		{"a restore of nobody", moved, restore, func(e object) { delete(e["act"].(object), "by") }},
		{"a restore of the director", moved, restore, func(e object) { e["act"].(object)["by"] = "director" }},
		{"a restore that takes back", moved, restore, func(e object) { e["takeback"] = 8 }},
		{"a restore from nowhere", moved, restore, func(e object) { delete(e["act"].(object), "until") }},
		{"a restore from elsewhere", moved, restore, func(e object) { e["act"].(object)["until"] = "1989-06-04T09:00:02Z" }},
		{"a restore from the future", moved, restore, func(e object) { e["act"].(object)["until"] = "1989-06-05T09:00:02Z" }},
		{"a pause that raises the epoch", moved, restore, func(e object) { e["act"] = object{"kind": "pause"} }},
		{"an undo of a seat", moved, undo, func(e object) { e["seat"] = "democrat" }},
		{"an undo of nobody", moved, undo, func(e object) { delete(e["act"].(object), "by") }},
		{"an undo of the operator", moved, undo, func(e object) { e["act"].(object)["by"] = "operator" }},
		{"an undo without its entry", moved, undo, func(e object) { delete(e, "takeback") }},
		{"an undo to another time", moved, undo, func(e object) { e["act"].(object)["until"] = "1989-06-04T09:00:03Z" }},
		{"an undo that ends", moved, undo, func(e object) { e["act"].(object)["end"] = object{} }},
		{"an epoch that falls", moved, 10, func(e object) { e["epoch"] = 1 }},
		{"an epoch below 0", moved, 3, func(e object) { e["epoch"] = -1 }},
		{"an epoch that rises by itself", moved, 3, func(e object) { e["epoch"] = 1 }},
		{"an epoch at the deal", moved, 0, func(e object) { e["epoch"] = 1 }},

		{"answers in another order", council, 1, func(e object) { a := e["answers"].([]any); a[0], a[1] = a[1], a[0] }},
		{"an answer that is missing", council, 1, func(e object) { e["answers"] = e["answers"].([]any)[:1] }},
		{"an answer twice", council, 1, func(e object) { e["answers"] = append(e["answers"].([]any), e["answers"].([]any)[1]) }},
		{"a seat of all answers", council, 1, func(e object) { e["seat"] = "miller" }},
		{"an answer of another", council, 1, func(e object) { e["answers"].([]any)[1].(object)["seat"] = "miller" }},
		{"an answer by lot", council, 1, func(e object) { e["answers"].([]any)[1].(object)["silence"] = "lot" }},
		{"an answer by default", council, 1, func(e object) { e["answers"].([]any)[1].(object)["silence"] = "default" }},
		{"an unknown member of an answer", council, 1, func(e object) { e["answers"].([]any)[1].(object)["odds"] = 1 }},
		{"an answer hidden", council, 1, func(e object) { e["answers"].([]any)[1].(object)["private"] = true }},
		{"a lot", council, 1, func(e object) { e["chance"].([]any)[0].(object)["draw"] = "baker" }},
		{"a lot's index", council, 1, func(e object) { e["chance"].([]any)[0].(object)["i"] = 1 }},
		{"a count that cannot be", council, 2, func(e object) { e["tally"].(object)["outcome"] = object{"no": 1, "yes": 2} }},
		{"a count of another group", council, 2, func(e object) { e["tally"].(object)["group"] = 4 }},
		{"a count with a seat", council, 2, func(e object) { e["seat"] = "miller" }},
		{"a count with a letter", council, 2, func(e object) { e["letter"] = digest("") }},
		{"a count by lot", council, 2, func(e object) { e["silence"] = "lot" }},
		{"an unknown member of a count", council, 2, func(e object) { e["tally"].(object)["odds"] = 1 }},
		{"more in a count", council, 2, func(e object) { e["tally"].(object)["outcome"].(object)["who"] = "miller" }},
		{"a sealed answer alone", council, 1, func(e object) {
			e["seat"], e["orders"] = "miller", e["answers"].([]any)[0].(object)["orders"]
			delete(e, "answers")
		}},
		{"a ballot as an order", council, 2, func(e object) {
			e["seat"], e["orders"] = "miller", []any{"VOTE YES"}
			delete(e, "tally")
		}},
		{"ballots as answers", council, 2, func(e object) {
			e["answers"] = []any{object{"seat": "miller", "orders": []any{"VOTE YES"}}, object{"seat": "baker", "orders": []any{"VOTE YES"}}}
			delete(e, "tally")
		}},
		{"a letter of a question that comes again", council, 3, func(e object) { e["answers"].([]any)[0].(object)["letter"] = digest("") }},
		{"silence at a question that comes again", council, 3, func(e object) { e["answers"].([]any)[0].(object)["silence"] = "default" }},
	} {
		l := c.record.clone()
		c.change(l.entries[c.entry])
		l.rechain(c.entry)
		v := verify(l.text(), report.Evidence{})
		all = append(all, mutation{what: c.name, data: l.text(), held: report.Evidence{Hashes: []string{l.head()}}, legal: strings.HasPrefix(v.said, "orders: ")})
		switch {
		case v.good:
			t.Errorf("%s: it is approved", c.name)
		case !v.names(c.entry):
			t.Errorf("%s: entry %d is not named: %s", c.name, c.entry, v.said)
		}
	}
	second(t, all)
	long.Needs(t, "python3")
}

// moved is a match that a player, the operator and the director have thrown back.
func moved(t testing.TB) *table {
	t.Helper()
	m := dawn(t, 3).steps(5)
	m.back(4, "democrat")
	m.steps(2)
	m.restore()
	m.steps(3)
	m.back(2, "")
	return m.steps(5).resign()
}
