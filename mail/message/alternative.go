package message

import (
	"slices"
	"strings"

	"samizdat/internal/lazyregexp"
)

// alternative reads parts that say the same. The plain text is taken, as programs that
// make HTML from orders damage them; unless only a copy of the letter that is answered
// stands there.
func (w *walker) alternative(parts [][]byte, depth int) string {
	if w.pages {
		w.paged = true
		return w.page(parts, depth)
	}
	page, standIn, answered := "", "", ""
	for _, raw := range parts {
		h, content, _ := splitHeader(raw)
		kind, _ := mediaType(h.get("Content-Type"))
		if strings.HasPrefix(kind, "text/") && !readable[kind] {
			continue // An invitation, or a page for another kind of reader.
		}
		text := w.entity(h, content, depth+1)
		if w.parts > maxParts {
			break
		}
		switch {
		case strings.TrimSpace(text) == "":
		case kind != "text/plain" && kind != "":
			page = text
		case isStandIn(text):
			standIn = text
		case !hasOwn(text, w.us()):
			answered = text
		case slices.ContainsFunc(parts, w.struck):
			page = "" // The plain text does not show what its writer struck out.
			for _, raw := range parts {
				if w.struck(raw) {
					h, content, _ := splitHeader(raw)
					page += w.entity(h, content, depth+1)
				}
			}
			return page
		default:
			return seen(text, func() string { return w.page(parts, depth) })
		}
	}
	switch {
	case standIn != "" && (strings.TrimSpace(page) == "" || strings.Contains(squash(page), squash(standIn))):
		return standIn // Its writer wrote it himself.
	case answered != "" && !saysMore(page, answered, w.us()):
		return answered
	}
	return page
}

// us is whom the letter answers: those to whom it goes.
func (w *walker) us() Us { return Us{Addresses: slices.Concat(w.letter.To, w.letter.Cc)} }

// struck reports whether a part is a page in which something is struck out.
func (w *walker) struck(raw []byte) bool {
	h, content, _ := splitHeader(raw)
	kind, _ := mediaType(h.get("Content-Type"))
	return kind == "text/html" && strikes(strings.ToLower(w.read(h, content)))
}

// strikes reports whether a page, in small letters, shows that its writer struck something out. It
// looks for each way alone: every letter with a page passes here, and an expression for all takes
// longer than the rest of reading it.
func strikes(page string) bool {
	for _, tag := range []string{"<s", "<strike", "<del"} {
		for _, end := range []string{">", " ", "\t", "\r", "\n", "\f"} {
			if strings.Contains(page, tag+end) {
				return true
			}
		}
	}
	return strings.Contains(page, "line-through")
}

// page is the text of the last of some parts that is a page; empty where none is.
func (w *walker) page(parts [][]byte, depth int) string {
	page := ""
	for _, raw := range parts {
		h, content, _ := splitHeader(raw)
		if kind, _ := mediaType(h.get("Content-Type")); kind == "text/html" {
			page = w.entity(h, content, depth+1)
		}
	}
	return page
}

// readable are the kinds of text of which alternatives are taken.
var readable = map[string]bool{
	"text/plain": true, "text/html": true, "text/markdown": true, "text/x-markdown": true,
}

// saysMore tells whether a page has lines of its writer, where the plain text has a
// copy of our letter only. A page in which no quote is marked may hold that same copy.
func saysMore(page, plain string, us Us) bool {
	own := OrderText(page, us)
	if own == "" {
		return false
	}
	if slices.ContainsFunc(strings.Split(page, "\n"), isQuoted) {
		return true
	}
	was, lines := squash(strings.ReplaceAll(plain, ">", " ")), 0
	for line := range strings.Lines(own) {
		if !strings.Contains(was, squash(line)) {
			return true
		}
		if lines++; lines == mostCopied {
			break
		}
	}
	return false
}

// mostCopied is how many lines are looked for in the other part: a copy shows in
// the first ones.
const mostCopied = 100

var standInWords = lazyregexp.New(`(?i)\bhtml\b`)

// isStandIn knows the few words that stand in the plain part for readers who
// cannot show the page with the letter.
func isStandIn(text string) bool {
	var few []string
	for word := range strings.FieldsSeq(text) {
		if few = append(few, word); len(few) > 200 || len(word) >= 400 {
			return false
		}
	}
	text = squash(strings.Join(few, " "))
	return len(text) < 400 && strings.Count(text, " ") >= 4 && standInWords.MatchString(text) && !strings.Contains(text, "format html")
}
