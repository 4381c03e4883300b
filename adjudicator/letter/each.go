package letter

import (
	"slices"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// separate puts what stands between two pages that are asked for into one form.
var separate = strings.NewReplacer(",", "\n", "/", "\n", "&", "\n", " and ", "\n", " AND ", "\n")

// each makes a line of each number that a question lists, "CARD 70, 8" and "RESEND 3 and 5".
// Titles are not cut: some have these words in them. CARD has to be in capitals, as "card 36,
// 3" may be a play. HELP and RULES are asked for several pages in the same way.
func (r *Reader) each(lines []order.Line) (out []order.Line) {
	for _, l := range lines {
		word, rest, _ := strings.Cut(l.Text, " ")
		if pages := r.pages(l.Text); pages != nil {
			for _, p := range pages {
				one := l
				one.Text = p
				out = append(out, one)
			}
			continue
		}
		var numbers []string
		if word == string(Card) || strings.EqualFold(word, string(Resend)) {
			numbers = strings.FieldsFunc(rest, func(c rune) bool { return strings.ContainsRune(" ,&", c) })
			numbers = slices.DeleteFunc(numbers, func(w string) bool { return strings.EqualFold(w, "and") })
		}
		if len(numbers) < 2 || len(numbers) > mostAsked || slices.ContainsFunc(numbers, func(w string) bool { return strings.Trim(w, "0123456789") != "" }) {
			out = append(out, l)
			continue
		}
		for _, n := range numbers {
			one := l
			one.Text = word + " " + n
			out = append(out, one)
		}
	}
	return out
}

// pages are the lines that a line comes to which asks for several pages, "HELP PLAY, OPS" and
// "RULES turn and scoring": each of them names one. It is nil for any other line.
func (r *Reader) pages(text string) []string {
	entry, word := help, ""
	switch word = order.First(text); {
	case strings.EqualFold(word, string(HelpWord)):
	case strings.EqualFold(word, string(Rules)) && r.topics != nil:
		entry = topic
	default:
		return nil
	}
	_, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimRight(text, " .!?")), " ")
	if !strings.Contains(separate.Replace(rest), "\n") {
		return nil
	}
	if c, _, ok := entry.Line(r, r.say(text)); ok && r.isPage(entry, c.Text) {
		return nil // The name of a page may have a comma.
	}
	var out []string
	known := false
	for name := range strings.SplitSeq(separate.Replace(rest), "\n") {
		if name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "and ")); name == "" {
			continue
		}
		one := strings.ToUpper(word) + " " + name
		c, _, ok := entry.Line(r, r.say(one))
		if !ok || len(out) == mostAsked {
			return nil
		}
		known = known || r.isPage(entry, c.Text)
		out = append(out, one)
	}
	if !known || len(out) < 2 {
		return nil
	}
	return out
}

// isPage reports whether a page of HELP, or a topic of the rules, has this name.
func (r *Reader) isPage(e *Entry, name string) bool {
	pages := r.Manual()
	if e == topic {
		pages = r.game.(rules.Librarian).Topics()
	}
	return slices.ContainsFunc(pages, func(p rules.Topic) bool { return p.Name == name })
}
