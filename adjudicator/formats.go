package adjudicator

import (
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

// sendsPages reports whether a seat's letters have a page beside the text.
func (a *Adjudicator) sendsPages(s *Seat) bool {
	return a.Letters.HTML && s.Format != match.FormatText
}

// sendsPictures reports whether a seat's letters have a picture.
func (a *Adjudicator) sendsPictures(s *Seat) bool {
	return a.Letters.Pictures && (s.Format == "" || s.Format == match.FormatPicture)
}

// unlaid finds the standing parts among the sections of a letter. A section of
// that name which says something else stays as it is laid out.
func unlaid(l *templates.Letter, standing []rules.Section, parts []rules.Part) {
	for _, s := range standing {
		p := slices.IndexFunc(parts, func(p rules.Part) bool { return p.Title == s.Title })
		i := slices.IndexFunc(l.Sections, func(sec rules.Section) bool { return sec.Title == s.Title })
		if p >= 0 && i >= 0 && slices.Equal(s.Lines, l.Sections[i].Lines) {
			l.Sections[i].Blocks = parts[p].Blocks
		}
	}
}

// inScript writes a letter as its seat wants it written.
func (j *adjudication) inScript(l templates.Letter, seat rules.Seat) templates.Letter {
	switch j.turn.Match.Seats[seat].Script {
	case match.ScriptPlain:
		return l.Map(order.ASCII)
	case match.ScriptUTF8:
		return l.Map(printed(j.turn.Game))
	}
	return l
}

// printed writes the names of a game as they are printed: by the first other name
// that is the same but for its accents.
func printed(g *rules.Game) func(string) string {
	as := map[string]string{}
	var names []string
	for _, n := range g.Names() {
		for _, other := range n.Aliases {
			if other != n.Text && order.ASCII(other) == n.Text {
				as[n.Text] = other
				names = append(names, regexp.QuoteMeta(n.Text))
				break
			}
		}
	}
	if len(names) == 0 {
		return func(s string) string { return s }
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	re := regexp.MustCompile(`\b(?:` + strings.Join(names, "|") + `)\b`)
	return func(s string) string { return re.ReplaceAllStringFunc(s, func(n string) string { return as[n] }) }
}
