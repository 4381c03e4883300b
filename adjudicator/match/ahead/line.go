package ahead

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
)

// Line is a stored conditional order.
type Line struct {
	Seat rules.Seat `json:"seat"`
	// Text is the canonical text; the reader can parse it again.
	Text string `json:"text"`
	// Letter is the digest of the letter with the line.
	Letter string `json:"letter,omitempty"`
	// Source is the source of the question (rules.Decision.Source); empty for the next move.
	Source string `json:"source,omitempty"`
	// Verbs are the first words of the orders, and Kinds the kinds of decision that each order can
	// answer, simplest first. A new line replaces older lines with the same source and a common
	// verb or kind.
	Verbs []string   `json:"verbs"`
	Kinds [][]string `json:"kinds,omitempty"`
	// Always lines last until cancelled. Anyway lines survive surprises.
	Always bool `json:"always,omitempty"`
	Anyway bool `json:"anyway,omitempty"`
	// If is the condition as written; Then and Else are the orders. An empty order means that the
	// player is asked.
	If   string `json:"if,omitempty"`
	Then string `json:"then,omitempty"`
	Else string `json:"else,omitempty"`
	// Plan lines end with the play in which their source first asked.
	Plan bool `json:"plan,omitempty"`
	// After is the newest decision when the line was written. A line for a move never answers a
	// decision that was open then.
	After rules.DecisionID `json:"after,omitempty"`
	// Period is the period of the line, Baseline the input of rules.Planner.DescribeSurprise.
	Period   int    `json:"period"`
	Baseline []byte `json:"baseline,omitempty"`
	// Play is the play of the last use, or of the plan. Used are the indexes of the used entries.
	Play uint32 `json:"play,omitempty"`
	Used []int  `json:"used,omitempty"`
}

// String returns the text for the owner, with the used entries marked.
func (l *Line) String() string {
	if len(l.Used) == 0 || l.Always {
		return l.Text
	}
	return fmt.Sprintf("%s (%d used)", l.Text, len(l.Used))
}

func (r *Reader) fits(l *Line, d rules.Decision) bool {
	switch {
	case l.Seat != d.Seat || d.Sealed || d.Midway:
		return false
	case l.Source == "":
		return d.ID > l.After && r.game.Ahead.IsAction(d)
	}
	return l.Source == d.Source
}

// Replaces reports whether a line replaces an older line.
func (l *Line) Replaces(old *Line) bool {
	switch {
	case l.Seat != old.Seat || l.Source != old.Source:
		return false
	case l.Source == "", slices.ContainsFunc(l.Verbs, func(v string) bool { return slices.Contains(old.Verbs, v) }):
		return true
	}
	return slices.ContainsFunc(l.Kinds, func(mine []string) bool {
		return slices.ContainsFunc(old.Kinds, func(other []string) bool {
			return len(mine) > 0 && len(other) > 0 && (slices.Contains(other, mine[0]) || slices.Contains(mine, other[0]))
		})
	})
}

// Prepare binds a parsed line to a position.
func (r *Reader) Prepare(l *Line, pos rules.Position, seat rules.Seat) {
	v := pos.View(seat)
	l.Seat, l.Period, l.Baseline = seat, r.game.Ahead.Period(v), r.game.Ahead.Baseline(v)
	owed := pos.OpenDecisions(nil)
	for _, d := range owed {
		l.After = max(l.After, d.ID)
	}
	l.recordStart(owed)
}

// recordStart binds a plan to the play in which its source asks any seat; the plan ends with that play.
func (l *Line) recordStart(owed []rules.Decision) {
	if !l.Plan || l.Play != 0 {
		return
	}
	for _, d := range owed {
		if d.Source == l.Source {
			l.Play = d.Play
		}
	}
}

// formatCanonical returns the canonical text. A line that can only be a plan needs no source.
func (l *Line) formatCanonical(plan bool) string {
	var out []string
	switch {
	case plan:
	case l.Source != "":
		out = append(out, WordAnswer, l.Source)
	default:
		out = append(out, WordNext)
	}
	if l.If != "" {
		out = append(out, WordIf, l.If+":")
	}
	out = append(out, cmp.Or(l.Then, wordAsk))
	if l.Else != "" {
		out = append(out, wordElse, l.Else)
	}
	if l.Always {
		out = append(out, wordAlways)
	}
	if l.Anyway {
		out = append(out, wordAnyway)
	}
	return strings.Join(out, " ")
}

// interpret returns the canonical text of an order and the order parsed from that text, so that
// the meaning of a typing error or an abbreviation is fixed and visible.
func (r *Reader) interpret(text string, o rules.Order, answers []rules.Answer) (string, rules.Order) {
	var forms []string
	if len(answers) == 1 {
		forms = append(forms, r.game.FormatOrder(answers[0].Atoms))
	}
	for _, form := range append(forms, r.formatOrder(o)) {
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

func (r *Reader) formatOrder(o rules.Order) string {
	var out []string
	for _, c := range o.Clauses {
		out = append(out, c.Word)
		if c.Number != nil {
			out = append(out, strconv.Itoa(*c.Number))
		}
		var items []string
		for _, item := range c.Items {
			text := formatName(item.Name)
			for _, m := range item.Mods {
				text += " " + m.Word + " " + formatName(m.Name)
			}
			if item.Count > 1 {
				text += " " + strconv.Itoa(item.Count)
			}
			items = append(items, text)
		}
		if len(items) > 0 {
			out = append(out, strings.Join(items, ", "))
		}
	}
	return strings.Join(out, " ")
}

// formatName returns a name in orders: its number if it has one.
func formatName(n rules.Name) string {
	if n.Number != 0 {
		return strconv.Itoa(n.Number)
	}
	return n.Text
}
