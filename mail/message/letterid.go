package message

import (
	"crypto/hmac"
	"iter"
	"slices"
	"strings"
)

// LetterID names a letter of ours so that nobody can guess it. It stands in the
// Message-ID, which comes back with reports and answers, and in the address for
// reports. Who shows it has had the letter, or serves somebody who has. An answer that
// names a letter by it, and has no token, counts as one that has.
type LetterID struct {
	Name
	// MACs are what was shown as proof; of a new one there is one.
	MACs []string
}

// letterIDLabel keeps an id from being good as a token.
const letterIDLabel = "samizdat letter id"

// NewLetterID makes the id of a letter.
func NewLetterID(key []byte, n Name) LetterID {
	return LetterID{n, []string{n.mac(key, letterIDLabel)}}
}

// String is the id as a Message-ID has it on its left side.
func (id LetterID) String() string { return id.Name.String() + "-" + strings.Join(id.MACs, "-") }

// Valid reports whether one of the MACs was made with key: as that of an id, or as
// that of the token for answers to the same letter. It takes the same time whatever
// they are.
func (id LetterID) Valid(key []byte) bool {
	own, also := id.mac(key, letterIDLabel), NewToken(key, id.Name).MAC
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

// mostIDs bounds how many ids are looked at in one text.
const mostIDs = 1000

// idTexts finds what reads like an id, and the domain behind it; in a subject, where
// tokens stand when addresses cannot carry them, a bracket stands there. It looks for
// those first.
func idTexts(text string) iter.Seq2[string, string] {
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
			if found++; found > mostIDs || !yield(id, domain) {
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
	for name, host := range idTexts(text) {
		if host != "" && strings.TrimRight(lowerASCII(host), ".") != domain {
			continue
		}
		found, good := parseLetterID(lowerASCII(name))
		switch {
		case !good:
		case !ok || found.holder() == id.holder() && found.Number > id.Number:
			id, ok = found, true
		case found.holder() != id.holder():
			return LetterID{}, false
		case found.Number == id.Number && !slices.Contains(id.MACs, found.MACs[0]) && len(id.MACs) < 10:
			id.MACs = append(id.MACs, found.MACs[0])
		}
	}
	return id, ok
}

// Names gives the letter of the referee at base that a header names: by the id or the
// token of one that it answers, or reports on. It proves nothing, as findLetterID.
func (l Letter) Names(base string) (LetterID, bool) {
	return findLetterID(strings.Join(slices.Concat(l.To, l.Cc, l.DeliveredTo, []string{l.Subject, l.InReplyTo}, l.References), " "), base)
}

// Answered gives the letter of the referee at base that a letter answers, by its
// In-Reply-To. It proves nothing, as findLetterID.
func (l Letter) Answered(base string) (LetterID, bool) {
	left, at, _ := SplitAddress(l.InReplyTo)
	if _, domain, _ := SplitAddress(base); at != domain {
		return LetterID{}, false
	}
	return parseLetterID(left)
}

// Own names the letter of a referee that this is: by its Message-ID or, where a server has
// changed that, by the token in the address for answers. It proves nothing, as Names.
func (l Letter) Own() (n Name, ok bool) {
	left, _, _ := SplitAddress(lowerASCII(l.MessageID))
	if id, ok := parseLetterID(left); ok {
		return id.Name, true
	}
	for _, a := range l.ReplyTo {
		local, _, _ := SplitAddress(a)
		if _, detail, ok := strings.Cut(local, "+"); ok {
			if id, ok := parseLetterID(detail); ok {
				return id.Name, true
			}
		}
	}
	return Name{}, false
}

// parseLetterID accepts canonical spellings only. Who was only asked whether he wants
// to observe, and the director, have no letters with an id.
func parseLetterID(s string) (LetterID, bool) {
	t, ok := parseToken(s)
	if !ok || t.Kind != Seat && t.Holder == 0 {
		return LetterID{}, false
	}
	return LetterID{t.Name, []string{t.MAC}}, true
}
