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
	addressPattern   = lazyregexp.New(`^[^\s<>"(),;:@]+@[^\s<>"(),;:@]+$`)
	bracketedPattern = lazyregexp.New(`<\s*([^\s<>"(),;:@]+@[^\s<>"(),;:@]+)\s*>\s*$`)
	// unbracketedPattern matches a quoted name and an address without angle brackets: "Dan" dan@x.
	unbracketedPattern = lazyregexp.New(`^"[^"]*"\s+([^\s<>"(),;:@]+@[^\s<>"(),;:@]+)$`)
	// addressInName matches "Dan@Work" in "Dan@Work <dan@x>".
	addressInName = lazyregexp.New(`[^\s<>"'(),;:@]*@[^\s<>"'(),;:]*`)
)

// parseAddressFields parses all fields named key. ok is false if a field cannot be parsed; the addresses of that field
// are left out.
func parseAddressFields(l *Letter, h header, key string) (list []mailbox, ok bool) {
	ok = true
	for _, v := range h.all(key) {
		parsed, isValid := parseMailboxes(v)
		if !isValid {
			ok = false
			l.addProblem("The " + key + " line of the letter cannot be read.")
		}
		list = append(list, parsed...)
	}
	return list, ok
}

// mailbox is an address with its display name (RFC 5322, section 3.4).
type mailbox struct{ address, name string }

func addressesOf(list []mailbox) (out []string) {
	for _, m := range list {
		out = append(out, m.address)
	}
	return out
}

// parseMailboxes parses an address field: "Ann <ann@x.org>, ben@y.org" gives two mailboxes. ok is false if the field
// cannot be parsed.
func parseMailboxes(v string) (list []mailbox, ok bool) {
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
	// "a@x; b@y", "a@x;" and "<mailto:a@x>" break RFC 5322 but are unambiguous.
	if plain := strings.Trim(addressListReplacer.Replace(v), ", "); plain != v {
		return parseMailboxes(plain)
	}
	if m := unbracketedPattern.FindStringSubmatch(v); m != nil {
		return []mailbox{{address: cleanAddress(m[1])}}, true
	}
	list = parseUnquotedName(v)
	return list, list != nil
}

var addressListReplacer = strings.NewReplacer(";", ",", "<mailto:", "<")

// parseUnquotedName parses a field whose display name lacks quotes: "Dan: Club <dan@x>". The address must be in angle
// brackets at the end. An address in the name is also returned, because mail programs may show it as the sender:
// "eve@y.org <dan@x.org>" gives two addresses, "Dan@Work <dan@x.org>" one.
func parseUnquotedName(v string) []mailbox {
	m := bracketedPattern.FindStringSubmatch(v)
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

// parseAuthor returns the From address and its name, or "" unless there is exactly one From field with exactly one
// plain address. With two addresses, a mail program may show the other address as the author, and a signature may cover
// the other address. list is the result of parseAddressFields for From.
func parseAuthor(h header, list []mailbox, ok bool) (address, name string) {
	from := h.all("From")
	if len(from) != 1 || isGroupOrRoute(from[0]) || !ok || len(list) != 1 {
		return "", ""
	}
	address = list[0].address
	if !addressPattern.MatchString(address) || strings.ContainsAny(address, `\[]`) || len(address) > 254 {
		return "", ""
	}
	if strings.ContainsFunc(address, func(r rune) bool { return normalizeRune(r) != r || r == utf8.RuneError }) {
		return "", ""
	}
	return address, OneLine(toUTF8([]byte(list[0].name)))
}

// isGroupOrRoute reports whether an address field has the group syntax "Friends: ann@x;" or a route "<@a,@b:ann@x>"
// (RFC 5322). Both contain addresses of people who did not send the letter.
func isGroupOrRoute(v string) bool {
	inQuotes, commentDepth, inAngle, hasColon := false, 0, false, false
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case c == '\\':
			i++
		case c == '"' && commentDepth == 0:
			inQuotes = !inQuotes
		case inQuotes:
		case c == '(':
			commentDepth++
		case c == ')':
			commentDepth = max(0, commentDepth-1)
		case commentDepth > 0:
		case c == '<':
			inAngle = true
		case c == '>':
			inAngle = false
		case inAngle && (c == ':' || c == ','), hasColon && c == ';':
			return true
		case c == ':':
			hasColon = true
		}
	}
	return false
}

// cleanAddress returns an address in a form for comparison. Only ASCII letters are lower-cased: Unicode rules would
// turn the Kelvin sign K into the letter k, so that another address would match.
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

var addressInText = lazyregexp.New(`<?(?:"[^"\n]*"|[^\s<>"(),;:]+)@[^\s<>"'(),;:]+>?`)

// WithoutAddresses replaces addresses in the text of a mail server, for logs: players' addresses and tokens are
// private. "user ann@x.org unknown" gives "user (address) unknown".
func WithoutAddresses(text string) string { return addressInText.ReplaceAllString(text, "(address)") }

// LetterID identifies a letter of ours, with an unguessable MAC. It is the left side of the Message-ID, e.g.
// "m7-1-12-k3jd...", and part of the address for delivery reports. A reply that names the ID in In-Reply-To counts like
// a reply to the address with the token.
type LetterID struct {
	LetterName
	// MACs are all MACs that a letter contains with this name, valid or not; a new ID has one MAC.
	MACs []string
}

// letterIDLabel is hashed into the MAC of an ID, so that an ID is not valid as a token.
const letterIDLabel = "samizdat letter id"

// NewLetterID returns the ID of a letter.
func NewLetterID(key []byte, n LetterName) LetterID {
	return LetterID{n, []string{n.mac(key, letterIDLabel)}}
}

// String returns the left side of the Message-ID.
func (id LetterID) String() string { return id.LetterName.String() + "-" + strings.Join(id.MACs, "-") }

// IsValid reports whether any of the MACs was made with key, for the ID or for the token of the letter. The comparison
// takes the same time for every MAC.
func (id LetterID) IsValid(key []byte) bool {
	idMAC, tokenMAC := id.mac(key, letterIDLabel), NewToken(key, id.LetterName).MAC
	ok := false
	for _, mac := range id.MACs {
		ok = hmac.Equal([]byte(idMAC), []byte(mac)) || hmac.Equal([]byte(tokenMAC), []byte(mac)) || ok
	}
	return ok
}

// ReportAddress adds the ID of a letter to the address for delivery reports: "judge@x" becomes
// "judge+b-m7-1-12-...@x". It returns base if id is empty or the local part would be too long.
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

const maxIDs = 1000

// findIDs yields each text that looks like an ID, with the domain after its "@"; in a subject tag, which ends with "]",
// the domain is empty. For speed it first searches for "@" and "]", and then looks at the text before them.
func findIDs(text string) iter.Seq2[string, string] {
	return func(yield func(id, domain string) bool) {
		begin, count := 0, 0
		for at := range len(text) {
			if text[at] != '@' && text[at] != ']' {
				continue
			}
			id, domain := idAtEnd(text[max(begin, at-maxLocalPart):at]), ""
			if text[at] == '@' {
				domain = text[at+1:]
				domain = domain[:len(domain)-len(strings.TrimLeft(domain, domainChars))]
			}
			if id == "" || text[at] == '@' && domain == "" {
				continue
			}
			if count++; count > maxIDs || !yield(id, domain) {
				return
			}
			begin = at + 1 + len(domain)
		}
	}
}

// idAtEnd returns the ID at the end of a text, or an empty string: "<m7-1-12-abcdefghijklmnop" gives
// "m7-1-12-abcdefghijklmnop".
func idAtEnd(text string) string {
	remaining := text
	for i, chars := range []string{asciiLetters + "234567", digits, digits, asciiLetters + digits} {
		prefix := strings.TrimRight(remaining, chars)
		switch n := len(remaining) - len(prefix); {
		case n == 0, i == 0 && n != macChars:
			return ""
		case i == 3:
			if strings.HasSuffix(prefix, "_") {
				return ""
			}
			return text[len(prefix):]
		case i == 2 && prefix != "" && strings.ContainsAny(prefix[len(prefix)-1:], asciiLetters):
			prefix = prefix[:len(prefix)-1] // the letter for the kind of reader, e.g. o for an observer
		}
		var ok bool
		if remaining, ok = strings.CutSuffix(prefix, "-"); !ok {
			return ""
		}
	}
	return ""
}

const (
	asciiLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits       = "0123456789"
	domainChars  = asciiLetters + digits + ".-"
)

// findLetterID finds the ID or token of a letter of the referee (address base) in a text. If it finds IDs of two
// readers, it returns none, because a report is about one letter. Of several letters to one reader it returns the
// newest, because a header also contains older letters. The caller must check the MACs with [LetterID.IsValid].
func findLetterID(text, base string) (id LetterID, ok bool) {
	_, domain, _ := SplitAddress(base)
	text = strings.NewReplacer("%2B", "+", "%2b", "+").Replace(text)
	for name, host := range findIDs(text) {
		if host != "" && strings.TrimRight(lowerASCII(host), ".") != domain {
			continue
		}
		found, isValid := parseLetterID(lowerASCII(name))
		switch {
		case !isValid:
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

// NamedLetter returns the ID of our letter that the header of l names, by its ID or its token. The caller must check
// the MACs.
func (l Letter) NamedLetter(base string) (LetterID, bool) {
	return findLetterID(strings.Join(slices.Concat(l.To, l.Cc, l.DeliveredTo, []string{l.Subject, l.InReplyTo}, l.References), " "), base)
}

// AnsweredLetter returns the ID of our letter that l answers, from In-Reply-To. The caller must check the MAC.
func (l Letter) AnsweredLetter(base string) (LetterID, bool) {
	localPart, host, _ := SplitAddress(l.InReplyTo)
	if _, domain, _ := SplitAddress(base); host != domain {
		return LetterID{}, false
	}
	return parseLetterID(localPart)
}

// OwnName returns the name of a letter that a referee sent. It reads the name from the Message-ID or, if a server has
// replaced the Message-ID, from the token in Reply-To. The MAC is not checked.
func (l Letter) OwnName() (n LetterName, ok bool) {
	localPart, _, _ := SplitAddress(lowerASCII(l.MessageID))
	if id, ok := parseLetterID(localPart); ok {
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

// parseLetterID parses the output of [LetterID.String]. Letters to the director and invitations to observe have no ID.
func parseLetterID(s string) (LetterID, bool) {
	t, ok := parseToken(s)
	if !ok || t.Kind != Seat && t.Reader == 0 {
		return LetterID{}, false
	}
	return LetterID{t.LetterName, []string{t.MAC}}, true
}
