package order

import (
	"strconv"
	"strings"

	"samizdat/rules"
)

// Write writes an order as it can be read again without forgiveness: keywords in their
// own words, things by their number where they have one.
func Write(o rules.Order) string {
	var clauses []string
	for _, c := range o.Clauses {
		text := []byte(c.Word)
		for i, it := range c.Items {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(append(text, ' '), written(it.Name)...)
			if it.Count > 1 {
				text = strconv.AppendInt(append(text, ' '), int64(it.Count), 10)
			}
			for _, m := range it.Mods {
				text = append(append(append(append(text, ' '), m.Word...), ' '), written(m.Name)...)
			}
		}
		if c.Number != nil {
			text = strconv.AppendInt(append(text, ' '), int64(*c.Number), 10)
		}
		clauses = append(clauses, string(text))
	}
	return strings.Join(clauses, " ")
}

// written is a name as an order has it.
func written(n rules.Name) string {
	if n.Number != 0 {
		return strconv.Itoa(n.Number)
	}
	return n.Text
}
