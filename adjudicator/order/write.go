package order

import (
	"fmt"
	"strings"

	"samizdat/rules"
)

// Write writes an order as it can be read again without forgiveness: keywords in their
// own words, things by their number where they have one.
func Write(o rules.Order) string {
	var clauses []string
	for _, c := range o.Clauses {
		text := c.Word
		for i, it := range c.Items {
			if i > 0 {
				text += ","
			}
			text += " " + written(it.Name)
			if it.Count > 1 {
				text += fmt.Sprintf(" %d", it.Count)
			}
			for _, m := range it.Mods {
				text += " " + m.Word + " " + written(m.Name)
			}
		}
		if c.Number > 0 {
			text += fmt.Sprintf(" %d", c.Number)
		}
		clauses = append(clauses, text)
	}
	return strings.Join(clauses, " ")
}

// written is a name as an order has it.
func written(n rules.Name) string {
	if n.Number != 0 {
		return fmt.Sprint(n.Number)
	}
	return n.Text
}
