package message

import (
	netmail "net/mail"
	"strings"
	"unicode/utf8"

	"samizdat/internal/lazyregexp"
)

var (
	addressPattern = lazyregexp.New(`^[^\s<>"(),;:@]+@[^\s<>"(),;:@]+$`)
	angleAtEnd     = lazyregexp.New(`<\s*([^\s<>"(),;:@]+@[^\s<>"(),;:@]+)\s*>\s*$`)
	// bareAtEnd is the address of "Dan" dan@x.
	bareAtEnd = lazyregexp.New(`^"[^"]*"\s+([^\s<>"(),;:@]+@[^\s<>"(),;:@]+)$`)
	// inName is what an @ stands in, such as the "Dan@Work" of "Dan@Work <dan@x>".
	inName = lazyregexp.New(`[^\s<>"'(),;:@]*@[^\s<>"'(),;:]*`)
)

// addresses reads every field named key; ok tells whether all of them could be read. One
// that cannot be gives an address only when it plainly ends in <one@address>: a display name
// must never pass for the sender.
func addresses(l *Letter, h header, key string) (list []mailbox, ok bool) {
	ok = true
	for _, v := range h.all(key) {
		of, good := mailboxes(v)
		if !good {
			ok = false
			l.problem("The " + key + " line of the letter cannot be read.")
		}
		list = append(list, of...)
	}
	return list, ok
}

// mailbox is an address, with what stands beside it.
type mailbox struct{ address, name string }

// bare are the addresses of mailboxes.
func bare(list []mailbox) (out []string) {
	for _, m := range list {
		out = append(out, m.address)
	}
	return out
}

// mailboxes reads one address field; ok tells whether it could be read.
func mailboxes(v string) (list []mailbox, ok bool) {
	v = strings.TrimSpace(v)
	if v == "" || strings.EqualFold(v, "undisclosed-recipients:;") {
		return nil, true
	}
	if addressPattern.MatchString(v) {
		return []mailbox{{address: cleanAddress(v)}}, true
	}
	p := netmail.AddressParser{WordDecoder: wordDecoder}
	if parsed, err := p.ParseList(v); err == nil {
		for _, a := range parsed {
			list = append(list, mailbox{cleanAddress(a.Address), a.Name})
		}
		return list, true
	}
	// "a@x; b@y", "a@x;" and "<mailto:a@x>" are no addresses by the rules, but plain enough.
	if plain := strings.Trim(asList.Replace(v), ", "); plain != v {
		return mailboxes(plain)
	}
	if m := bareAtEnd.FindStringSubmatch(v); m != nil {
		return []mailbox{{address: cleanAddress(m[1])}}, true
	}
	list = unquotedName(v)
	return list, list != nil
}

var asList = strings.NewReplacer(";", ",", "<mailto:", "<")

// unquotedName reads a field whose name should stand in quotes and does not: "dan@x <dan@x>",
// "Dan: Club <dan@x>". Such a field has one address in angle brackets, at its end. Another address in the
// name counts as well, as two readers may take two different people for the one that is meant: there are two
// in "eve@y.org <dan@x.org>", and one in "Dan@Work <dan@x.org>".
func unquotedName(v string) []mailbox {
	m := angleAtEnd.FindStringSubmatch(v)
	if m == nil || strings.Count(v, "<") != 1 || strings.Count(v, ">") != 1 {
		return nil
	}
	list := []mailbox{{address: cleanAddress(m[1])}}
	_, domain, _ := SplitAddress(list[0].address)
	for _, other := range inName.FindAllString(v[:strings.IndexByte(v, '<')], -1) {
		other = cleanAddress(other)
		if _, at, _ := strings.Cut(other, "@"); other != list[0].address && (strings.ContainsAny(at, ".@") || at == domain) {
			list = append(list, mailbox{address: other})
		}
	}
	return list
}

// author is the address that a letter says it is from, with the name beside it. It is empty unless there
// is exactly one From field with exactly one plain address: with more, two
// readers may take two different people for the writer, and a signature may
// cover the other one. List is what the From fields were read as.
func author(h header, list []mailbox, ok bool) (address, name string) {
	from := h.all("From")
	if len(from) != 1 || isGroup(from[0]) || !ok || len(list) != 1 {
		return "", ""
	}
	address = list[0].address
	if !addressPattern.MatchString(address) || strings.ContainsAny(address, `\[]`) || len(address) > 254 {
		return "", ""
	}
	if strings.ContainsFunc(address, func(r rune) bool { return tidyRune(r) != r || r == utf8.RuneError }) {
		return "", ""
	}
	return address, OneLine(toUTF8([]byte(list[0].name)))
}

// isGroup knows the group syntax "Friends: ann@x;", by which a From can name
// people without being from any of them, and routes, "<@a,@b:ann@x>".
func isGroup(v string) bool {
	quoted, comment, angle, colon := false, 0, false, false
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
		case angle && (c == ':' || c == ','), colon && c == ';':
			return true
		case c == ':':
			colon = true
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
var inText = lazyregexp.New(`<?(?:"[^"\n]*"|[^\s<>"(),;:]+)@[^\s<>"'(),;:]+>?`)

// WithoutAddresses gives a text of a mail server or a report, fit for a log: players'
// addresses, and ours with their tokens, are no business of whoever reads that.
func WithoutAddresses(text string) string { return inText.ReplaceAllString(text, "(address)") }
