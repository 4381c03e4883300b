package message

import (
	"crypto/hmac"
	"iter"
	netmail "net/mail"
	"slices"
	"strings"
	"unicode/utf8"

	"samizdat/internal/lazyregexp"
)

var (
	addressPattern = lazyregexp.New(`^[^\s<>"(),;:@]+@[^\s<>"(),;:@]+$`)
	angleAtEnd     = lazyregexp.New(`<\s*([^\s<>"(),;:@]+@[^\s<>"(),;:@]+)\s*>\s*$`)
	// bareAtEnd is the address of "Dan" dan@x.
	bareAtEnd = lazyregexp.New(`^"[^"]*"\s+([^\s<>"(),;:@]+@[^\s<>"(),;:@]+)$`)
	// addressInName is what an @ stands in, such as the "Dan@Work" of "Dan@Work <dan@x>".
	addressInName = lazyregexp.New(`[^\s<>"'(),;:@]*@[^\s<>"'(),;:]*`)
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
			l.addProblem("The " + key + " line of the letter cannot be read.")
		}
		list = append(list, of...)
	}
	return list, ok
}

// mailbox is an address, with what stands beside it.
type mailbox struct{ address, name string }

// bareAddresses are the addresses of mailboxes.
func bareAddresses(list []mailbox) (out []string) {
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
	if plain := strings.Trim(addressListReplacer.Replace(v), ", "); plain != v {
		return mailboxes(plain)
	}
	if m := bareAtEnd.FindStringSubmatch(v); m != nil {
		return []mailbox{{address: cleanAddress(m[1])}}, true
	}
	list = parseUnquotedName(v)
	return list, list != nil
}

var addressListReplacer = strings.NewReplacer(";", ",", "<mailto:", "<")

// parseUnquotedName reads a field whose name should stand in quotes and does not: "dan@x <dan@x>",
// "Dan: Club <dan@x>". Such a field has one address in angle brackets, at its end. Another address in the
// name counts as well, as two readers may take two different people for the one that is meant: there are two
// in "eve@y.org <dan@x.org>", and one in "Dan@Work <dan@x.org>".
func parseUnquotedName(v string) []mailbox {
	m := angleAtEnd.FindStringSubmatch(v)
	if m == nil || strings.Count(v, "<") != 1 || strings.Count(v, ">") != 1 {
		return nil
	}
	list := []mailbox{{address: cleanAddress(m[1])}}
	_, domain, _ := SplitAddress(list[0].address)
	for _, other := range addressInName.FindAllString(v[:strings.IndexByte(v, '<')], -1) {
		other = cleanAddress(other)
		if _, at, _ := strings.Cut(other, "@"); other != list[0].address && (strings.ContainsAny(at, ".@") || at == domain) {
			list = append(list, mailbox{address: other})
		}
	}
	return list
}

// parseAuthor is the address that a letter says it is from, with the name beside it. It is empty unless there
// is exactly one From field with exactly one plain address: with more, two
// readers may take two different people for the writer, and a signature may
// cover the other one. List is what the From fields were read as.
func parseAuthor(h header, list []mailbox, ok bool) (address, name string) {
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

// addressInText is what looks like an address in a text.
var addressInText = lazyregexp.New(`<?(?:"[^"\n]*"|[^\s<>"(),;:]+)@[^\s<>"'(),;:]+>?`)

// WithoutAddresses gives a text of a mail server or a report, fit for a log: players'
// addresses, and ours with their tokens, are no business of whoever reads that.
func WithoutAddresses(text string) string { return addressInText.ReplaceAllString(text, "(address)") }

// LetterID names a letter of ours so that nobody can guess it. It stands in the
// Message-ID, which comes back with reports and answers, and in the address for
// reports. Who shows it has had the letter, or serves somebody who has. An answer that
// names a letter by it, and has no token, counts as one that has.
type LetterID struct {
	LetterName
	// MACs are what was shown as proof; of a new one there is one.
	MACs []string
}

// letterIDLabel keeps an id from being good as a token.
const letterIDLabel = "samizdat letter id"

// NewLetterID makes the id of a letter.
func NewLetterID(key []byte, n LetterName) LetterID {
	return LetterID{n, []string{n.mac(key, letterIDLabel)}}
}

// String is the id as a Message-ID has it on its left side.
func (id LetterID) String() string { return id.LetterName.String() + "-" + strings.Join(id.MACs, "-") }

// Valid reports whether one of the MACs was made with key: as that of an id, or as
// that of the token for answers to the same letter. It takes the same time whatever
// they are.
func (id LetterID) Valid(key []byte) bool {
	own, also := id.mac(key, letterIDLabel), NewToken(key, id.LetterName).MAC
	ok := false
	for _, mac := range id.MACs {
		ok = hmac.Equal([]byte(own), []byte(mac)) || hmac.Equal([]byte(also), []byte(mac)) || ok
	}
	return ok
}

// ReportAddress is the address base with the id of a letter behind a plus, for reports
// on that letter. It is base where the letter has no id, or there is no room for it.
func ReportAddress(base, id string) string {
	local, domain, ok := SplitAddress(base)
	if !ok || id == "" {
		return base
	}
	if local += "+b-" + id; len(local) > maxLocalPart {
		return base
	}
	return local + "@" + domain
}

// maxIDs bounds how many ids are looked at in one text.
const maxIDs = 1000

// findIDs finds what reads like an id, and the domain behind it; in a subject, where
// tokens stand when addresses cannot carry them, a bracket stands there. It looks for
// those first.
func findIDs(text string) iter.Seq2[string, string] {
	return func(yield func(id, domain string) bool) {
		begin, found := 0, 0
		for at := range len(text) {
			if text[at] != '@' && text[at] != ']' {
				continue
			}
			id, domain := idBefore(text[max(begin, at-maxLocalPart):at]), ""
			if text[at] == '@' {
				domain = text[at+1:]
				domain = domain[:len(domain)-len(strings.TrimLeft(domain, domainChars))]
			}
			if id == "" || text[at] == '@' && domain == "" {
				continue
			}
			if found++; found > maxIDs || !yield(id, domain) {
				return
			}
			begin = at + 1 + len(domain)
		}
	}
}

// idBefore gives what reads like an id at the end of a text, or nothing.
func idBefore(text string) string {
	rest := text
	for i, chars := range []string{letters + "234567", digits, digits, letters + digits} {
		before := strings.TrimRight(rest, chars)
		switch n := len(rest) - len(before); {
		case n == 0, i == 0 && n != macChars:
			return ""
		case i == 3:
			if strings.HasSuffix(before, "_") {
				return ""
			}
			return text[len(before):]
		case i == 2 && before != "" && strings.ContainsAny(before[len(before)-1:], letters):
			before = before[:len(before)-1] // the kind of its reader
		}
		var ok bool
		if rest, ok = strings.CutSuffix(before, "-"); !ok {
			return ""
		}
	}
	return ""
}

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
	// domainChars are those of domains.
	domainChars = letters + digits + ".-"
)

// findLetterID looks in a text for ids of letters of the referee at base, and for
// tokens. Those of two readers make it none: a report concerns one letter. Of
// several letters to one reader it gives the newest, as the header of a letter names
// older ones too. It proves nothing: the caller looks up the key and asks Valid.
func findLetterID(text, base string) (id LetterID, ok bool) {
	_, domain, _ := SplitAddress(base)
	text = strings.NewReplacer("%2B", "+", "%2b", "+").Replace(text)
	for name, host := range findIDs(text) {
		if host != "" && strings.TrimRight(lowerASCII(host), ".") != domain {
			continue
		}
		found, good := parseLetterID(lowerASCII(name))
		switch {
		case !good:
		case !ok || found.withoutNumber() == id.withoutNumber() && found.Number > id.Number:
			id, ok = found, true
		case found.withoutNumber() != id.withoutNumber():
			return LetterID{}, false
		case found.Number == id.Number && !slices.Contains(id.MACs, found.MACs[0]) && len(id.MACs) < 10:
			id.MACs = append(id.MACs, found.MACs[0])
		}
	}
	return id, ok
}

// NamedLetter gives the letter of the referee at base that a header names: by the id or the
// token of one that it answers, or reports on. It proves nothing, as findLetterID.
func (l Letter) NamedLetter(base string) (LetterID, bool) {
	return findLetterID(strings.Join(slices.Concat(l.To, l.Cc, l.DeliveredTo, []string{l.Subject, l.InReplyTo}, l.References), " "), base)
}

// AnsweredLetter gives the letter of the referee at base that a letter answers, by its
// In-Reply-To. It proves nothing, as findLetterID.
func (l Letter) AnsweredLetter(base string) (LetterID, bool) {
	left, at, _ := SplitAddress(l.InReplyTo)
	if _, domain, _ := SplitAddress(base); at != domain {
		return LetterID{}, false
	}
	return parseLetterID(left)
}

// OwnName names the letter of a referee that this is: by its Message-ID or, where a server has
// changed that, by the token in the address for answers. It proves nothing, as Names.
func (l Letter) OwnName() (n LetterName, ok bool) {
	left, _, _ := SplitAddress(lowerASCII(l.MessageID))
	if id, ok := parseLetterID(left); ok {
		return id.LetterName, true
	}
	for _, a := range l.ReplyTo {
		local, _, _ := SplitAddress(a)
		if _, detail, ok := strings.Cut(local, "+"); ok {
			if id, ok := parseLetterID(detail); ok {
				return id.LetterName, true
			}
		}
	}
	return LetterName{}, false
}

// parseLetterID accepts canonical spellings only. Who was only asked whether he wants
// to observe, and the director, have no letters with an id.
func parseLetterID(s string) (LetterID, bool) {
	t, ok := parseToken(s)
	if !ok || t.Kind != Seat && t.Holder == 0 {
		return LetterID{}, false
	}
	return LetterID{t.LetterName, []string{t.MAC}}, true
}
