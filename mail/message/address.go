package message

import (
	netmail "net/mail"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var (
	addressPattern = regexp.MustCompile(`^[^\s<>"(),;:@]+@[^\s<>"(),;:@]+$`)
	angleAtEnd     = regexp.MustCompile(`<\s*([^\s<>"(),;:@]+@[^\s<>"(),;:@]+)\s*>\s*$`)
)

// addresses reads every field named key. One that cannot be read gives an
// address only when it plainly ends in <one@address>: a display name must
// never pass for the sender.
func addresses(l *Letter, h header, key string) []string {
	var out []string
	for _, v := range h.all(key) {
		list, ok := mailboxes(v)
		if !ok {
			l.problem("The " + key + " line of the letter cannot be read.")
		}
		out = append(out, list...)
	}
	return out
}

// unreadable reports whether any field named key cannot be read.
func unreadable(h header, key string) bool {
	return slices.ContainsFunc(h.all(key), func(v string) bool { _, ok := mailboxes(v); return !ok })
}

// mailboxes reads one address field; ok tells whether it could be read.
func mailboxes(v string) (list []string, ok bool) {
	v = strings.TrimSpace(v)
	if v == "" || strings.EqualFold(v, "undisclosed-recipients:;") {
		return nil, true
	}
	if addressPattern.MatchString(v) {
		return []string{cleanAddress(v)}, true
	}
	p := netmail.AddressParser{WordDecoder: wordDecoder}
	if parsed, err := p.ParseList(v); err == nil {
		for _, a := range parsed {
			list = append(list, cleanAddress(a.Address))
		}
		return list, true
	}
	if m := angleAtEnd.FindStringSubmatch(v); m != nil && strings.Count(v, "<") == 1 && strings.Count(v, "@") == 1 {
		return []string{cleanAddress(m[1])}, true
	}
	return nil, false
}

// author is the address that a letter says it is from, with the name beside it. It is empty unless there
// is exactly one From field with exactly one plain address: with more, two
// readers may take two different people for the writer, and a signature may
// cover the other one.
func author(h header) (address, name string) {
	from := h.all("From")
	if len(from) != 1 || isGroup(from[0]) {
		return "", ""
	}
	list, ok := mailboxes(from[0])
	if !ok || len(list) != 1 || !addressPattern.MatchString(list[0]) || strings.ContainsAny(list[0], `\[]`) || len(list[0]) > 254 {
		return "", ""
	}
	if strings.ContainsFunc(list[0], func(r rune) bool { return tidyRune(r) != r || r == utf8.RuneError }) {
		return "", ""
	}
	p := netmail.AddressParser{WordDecoder: wordDecoder}
	if a, err := p.Parse(strings.TrimSpace(from[0])); err == nil {
		name = OneLine(toUTF8([]byte(a.Name)))
	}
	return list[0], name
}

// isGroup knows the group syntax "Friends: ann@x;", by which a From can name
// people without being from any of them.
func isGroup(v string) bool {
	quoted, comment, angle := false, 0, false
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case c == '\\':
			i++
		case c == '"' && comment == 0:
			quoted = !quoted
		case quoted:
		case c == '(':
			comment++
		case c == ')':
			comment = max(0, comment-1)
		case comment > 0:
		case c == '<':
			angle = true
		case c == '>':
			angle = false
		case c == ':' || c == ';' || angle && c == ',':
			return true
		}
	}
	return false
}

// cleanAddress makes addresses comparable. Only ASCII letters are folded:
// Unicode has other signs whose lower case is one of them, and an address with
// such a sign is another address.
func cleanAddress(a string) string {
	return lowerASCII(strings.ToValidUTF8(strings.TrimSpace(a), "\uFFFD"))
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// inText is what looks like an address in a text.
var inText = regexp.MustCompile(`<?(?:"[^"\n]*"|[^\s<>"(),;:]+)@[^\s<>"'(),;:]+>?`)

// WithoutAddresses gives a text of a mail server or a report, fit for a log: players'
// addresses, and ours with their tokens, are no business of whoever reads that.
func WithoutAddresses(text string) string { return inText.ReplaceAllString(text, "(address)") }
