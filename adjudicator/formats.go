package adjudicator

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

// Format is what a player wants letters to be. Empty is what the referee gives.
type Format string

// The formats.
const (
	FormatText    Format = "text"
	FormatHTML    Format = "html"
	FormatPicture Format = "picture"
)

// Script is how names and words are written. Empty is the game's ASCII names,
// and what players wrote as they wrote it.
type Script string

// The scripts.
const (
	// ScriptUTF8 writes names as they are printed on the board.
	ScriptUTF8 Script = "utf8"
	// ScriptPlain writes nothing but ASCII.
	ScriptPlain Script = "plain"
)

// sendsPages reports whether a seat's letters have a page beside the text.
func (a *Adjudicator) sendsPages(s *Seat) bool { return a.Letters.HTML && s.Format != FormatText }

// sendsPictures reports whether a seat's letters have a picture.
func (a *Adjudicator) sendsPictures(s *Seat) bool {
	return a.Letters.Pictures && (s.Format == "" || s.Format == FormatPicture)
}

// formatLine is an order about letters: a line of its own.
var formatLine = regexp.MustCompile(`(?i)^\s*(?:FORMAT\s*[:=]?\s*(TEXT|HTML|PICTURES?|UTF-?8|ASCII)|(PLAIN))\s*[.!;]?\s*$`)

// formats carries out the orders about letters, before anything of the match is
// read: they are the player's own affair and leave the match as it is. It reports
// whether there is more in the letter.
func (s *session) formats(ctx context.Context) (rest bool) {
	if s.letter.TooBig || len(s.letter.Orders) > mostText || s.otherMatch() != "" {
		return true
	}
	var others []string
	found, inMessage := false, false
	for line := range strings.Lines(s.letter.Orders) {
		row := strings.TrimRight(line, "\r\n")
		// What stands in a message is no order, whatever it looks like.
		inMessage = inMessage || begins(row, verbMessage)
		if inMessage {
			_, ended := cutEnd(row)
			inMessage = !ended
			others = append(others, line)
			continue
		}
		if s.languages(row) || s.watches(row) || s.renews(ctx, row) || s.patience(row) || s.addresses(ctx, row) {
			found = true
			continue
		}
		m := formatLine.FindStringSubmatch(row)
		if m == nil {
			others = append(others, line)
			continue
		}
		found = true
		s.format(strings.TrimSpace(line), strings.ToUpper(m[1]+m[2]))
	}
	if !found {
		return true
	}
	s.letter.Orders = strings.Join(others, "")
	return strings.TrimSpace(s.letter.Orders) != ""
}

// languageLine is the order for letters in a language.
var languageLine = regexp.MustCompile(`(?i)^\s*LANGUAGE\s*[:=]?\s*([\p{L}-]+)\s*[.!;]?\s*$`)

// languages answers the order for letters in a language: there is but one.
func (s *session) languages(row string) bool {
	m := languageLine.FindStringSubmatch(row)
	if m == nil {
		return false
	}
	switch line := strings.TrimSpace(row); strings.ToUpper(m[1]) {
	case "ENGLISH", "EN":
		s.report(line, fateDone, "Letters are written in English.")
	default:
		s.report(line, fateRefused, "Letters are written in English only.")
	}
	return true
}

// format carries out one order about letters.
func (s *session) format(line, word string) {
	seat := &s.m.Seats[s.seat]
	note := ""
	if (word == "TEXT" || word == "HTML" || strings.HasPrefix(word, "PICTURE")) && seat.Script == ScriptPlain {
		seat.Script = ""
	}
	switch word {
	case "PLAIN":
		seat.Format, seat.Script = FormatText, ScriptPlain
		note = "Your letters are text in plain ASCII from now on."
	case "TEXT":
		seat.Format = FormatText
		note = "Your letters are text only from now on."
	case "HTML":
		seat.Format = FormatHTML
		note = "Your letters have a page beside the text from now on, without pictures."
		if !s.a.Letters.HTML {
			note = "This referee sends no pages; your letters stay text."
		}
	case "ASCII":
		seat.Script = ""
		note = "Your letters write names without accents from now on."
	case "UTF8", "UTF-8":
		seat.Script = ScriptUTF8
		note = "Your letters write names as they are printed from now on. Orders may leave accents out."
	default:
		seat.Format = FormatPicture
		note = "Your letters have a picture of the map from now on."
		if !s.a.Letters.Pictures {
			note = "This referee sends no pictures."
		}
	}
	s.report(line, fateDone, note)
}

// unlaid finds the standing parts among the sections of a letter. A section of
// that name which says something else stays as it is laid out.
func unlaid(l *templates.Letter, standing []rules.Section, parts []rules.Part) {
	for _, s := range standing {
		p := slices.IndexFunc(parts, func(p rules.Part) bool { return p.Title == s.Title })
		i := slices.IndexFunc(l.Sections, func(sec templates.Section) bool { return sec.Title == s.Title })
		if p >= 0 && i >= 0 && slices.Equal(s.Lines, l.Sections[i].Lines) {
			l.Sections[i].Blocks = parts[p].Blocks
		}
	}
}

// inScript writes a letter as its seat wants it written.
func (s *session) inScript(l templates.Letter, seat rules.Seat) templates.Letter {
	switch s.m.Seats[seat].Script {
	case ScriptPlain:
		return l.Map(order.ASCII)
	case ScriptUTF8:
		return l.Map(printed(s.game))
	}
	return l
}

// printed writes the names of a game as they are printed: by the first other name
// that is the same but for its accents.
func printed(g rules.Game) func(string) string {
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
