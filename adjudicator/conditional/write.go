package conditional

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
)

// understood writes an order as it was understood, and returns it as it is read from
// that. It is what is kept: how a slip or an abbreviation was read can be seen at
// once, and never changes later.
func (r *Reader) understood(text string, o rules.Order, answers []rules.Answer) (string, rules.Order) {
	var forms []string
	if len(answers) == 1 {
		forms = append(forms, r.game.Line(answers[0].Atoms))
	}
	for _, form := range append(forms, r.write(o)) {
		if form == text {
			break
		}
		again, err := r.orders.Plain(form)
		if err != nil {
			continue
		}
		if same, err := r.game.Answers(again, nil); err == nil && reflect.DeepEqual(same, answers) {
			return form, again
		}
	}
	return text, o
}

// write writes an order clause by clause.
func (r *Reader) write(o rules.Order) string {
	var out []string
	for _, c := range o.Clauses {
		out = append(out, c.Word)
		if slices.Contains(r.counting, c.Word) {
			out = append(out, strconv.Itoa(c.Number))
		}
		var items []string
		for _, it := range c.Items {
			text := written(it.Name)
			for _, m := range it.Mods {
				text += " " + m.Word + " " + written(m.Name)
			}
			if it.Count > 1 {
				text += " " + strconv.Itoa(it.Count)
			}
			items = append(items, text)
		}
		if len(items) > 0 {
			out = append(out, strings.Join(items, ", "))
		}
	}
	return strings.Join(out, " ")
}

// written is a name as orders write it: by its number where it has one.
func written(n rules.Name) string {
	if n.Number != 0 {
		return strconv.Itoa(n.Number)
	}
	return n.Text
}
