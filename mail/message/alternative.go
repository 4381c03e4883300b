package message

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// alternative reads parts that say the same. The plain text is taken, as programs that
// make HTML from orders damage them; unless only a copy of the letter that is answered
// stands there.
func (w *walker) alternative(parts [][]byte, depth int) string {
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
		case !hasOwn(text):
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
		case wrapped(text):
			return rejoined(text, w.page(parts, depth))
		default:
			return text
		}
	}
	switch {
	case standIn != "" && (strings.TrimSpace(page) == "" || strings.Contains(squash(page), squash(standIn))):
		return standIn // Its writer wrote it himself.
	case answered != "" && !saysMore(page, answered):
		return answered
	}
	return page
}

// struckOut is how a page shows that its writer struck something out.
var struckOut = regexp.MustCompile(`(?i)<(s|strike|del)[\s>]|line-through`)

// struck reports whether a part is a page in which something is struck out.
func (w *walker) struck(raw []byte) bool {
	h, content, _ := splitHeader(raw)
	kind, _ := mediaType(h.get("Content-Type"))
	return kind == "text/html" && struckOut.MatchString(w.read(h, content))
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

// narrowestBroken is the length from which a line may have been broken by a mail program, and
// longestRejoined how long it may become by the lines below it.
const (
	narrowestBroken = 50
	longestRejoined = 2000
)

// wrapped reports whether a text has a line that may have been broken.
func wrapped(text string) bool {
	lines := strings.Split(text, "\n")
	for i, l := range lines[:min(len(lines), mostCopied)] {
		if len(l) >= narrowestBroken && i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" && !isQuoted(l) {
			return true
		}
	}
	return false
}

// rejoined is the plain text of a letter without the line breaks that the page beside it does
// not have: whoever wrote a page did not see them. Short lines stay: a page made from them may
// have lost their ends.
func rejoined(plain, page string) string {
	var said strings.Builder
	for line := range strings.Lines(page) {
		said.WriteString(squash(line) + "\n")
	}
	truth := said.String()
	var out []string
	last := "" // the line of the plain text that ends the last one
	for i, line := range strings.Split(plain, "\n") {
		n := len(out) - 1
		if i > 0 && i < mostCopied && len(last) >= narrowestBroken && goesOn(line) && !isQuoted(last) && len(out[n])+len(line) < longestRejoined {
			if whole := strings.TrimRight(out[n], " \r") + " " + strings.TrimSpace(line); strings.Contains(truth, squash(whole)) {
				out[n], last = whole, line
				continue
			}
		}
		out, last = append(out, line), line
	}
	return strings.Join(out, "\n")
}

// goesOn reports whether a line begins like the rest of a sentence, and not with a sign, as
// quotes and what is drawn do.
func goesOn(line string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(line))
	return unicode.IsLetter(first) || unicode.IsDigit(first)
}

// readable are the kinds of text of which alternatives are taken.
var readable = map[string]bool{
	"text/plain": true, "text/html": true, "text/markdown": true, "text/x-markdown": true,
}

// saysMore tells whether a page has lines of its writer, where the plain text has a
// copy of our letter only. A page in which no quote is marked may hold that same copy.
func saysMore(page, plain string) bool {
	own := OrderText(page)
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

var standInWords = regexp.MustCompile(`(?i)\bhtml\b`)

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
