package message

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// Proof looks for a sign, beside the token, that a letter comes from its
// author's domain. An error means that this cannot be told now.
type Proof func(ctx context.Context, raw []byte, l Letter) (bool, error)

// ErrLater is in the error of a [Proof] that cannot be told now, by no fault of the
// letter: it is to be tried again for as long as it takes.
var ErrLater = errors.New("it cannot be told now")

// ServerProof is the word of our own mail server, which puts an
// Authentication-Results field (RFC 8601) on top of what it takes in. Only the
// topmost field counts, and only if it bears the server's name: anybody can
// write one below. It must be a server that takes fields of its own name out of
// what comes in.
func ServerProof(server string) Proof {
	return func(_ context.Context, raw []byte, l Letter) (bool, error) {
		return !hasDuplicateField(raw) && vouched(l.AuthResults, server, domainOf(l.Author)), nil
	}
}

// vouched reports whether the field says that a letter is from a domain: by its
// signature, or by the domain's own policy.
func vouched(value, server, domain string) bool {
	id, results, ok := parseAuthResults(value)
	if !ok || server == "" || domain == "" || lowerASCII(id) != lowerASCII(server) {
		return false
	}
	for _, r := range results {
		if r.value != "pass" {
			continue
		}
		switch r.method {
		case "dmarc":
			if lowerASCII(r.props["header.from"]) == domain {
				return true
			}
		case "dkim":
			if aligned(cmp.Or(r.props["header.d"], domainOf(r.props["header.i"])), domain) {
				return true
			}
		}
	}
	return false
}

// aligned reports whether a signer speaks for a domain: it is the domain itself,
// or one above it that belongs to the same owner. Under co.uk or github.io everybody can
// have a domain, so those speak for nobody else.
func aligned(signer, domain string) bool {
	signer, domain = asciiDomain(signer), asciiDomain(domain)
	if signer == domain {
		return signer != ""
	}
	owned, err := publicsuffix.EffectiveTLDPlusOne(domain)
	return err == nil && strings.HasSuffix(domain, "."+signer) && (signer == owned || strings.HasSuffix(signer, "."+owned))
}

// asciiDomain is a domain as the domain name system has it; empty where it can be none.
func asciiDomain(domain string) string {
	ascii, err := idna.ToASCII(strings.TrimSuffix(lowerASCII(domain), "."))
	if err != nil {
		return ""
	}
	return ascii
}

// domainOf is what stands behind the last @, in lower case.
func domainOf(address string) string {
	return lowerASCII(address[strings.LastIndexByte(address, '@')+1:])
}

// authResult is one method's result: dkim=pass header.d=x.
type authResult struct {
	method, value string
	props         map[string]string
}

// parseAuthResults reads the field by its grammar. Comments and quoted strings
// hold what the sender chose, such as an envelope address with a semicolon and
// a result of his own in it: so they are never cut. A field that breaks the
// grammar is no field.
func parseAuthResults(v string) (id string, results []authResult, ok bool) {
	segments, ok := authWords(v)
	if !ok || len(segments) == 0 || len(segments[0]) == 0 || len(segments[0]) > 2 {
		return "", nil, false
	}
	id = segments[0][0].text
	for _, words := range segments[1:] {
		r := authResult{props: map[string]string{}}
		for i, w := range words {
			key, value, found := strings.Cut(w.text, "=")
			if !found || w.quoted >= 0 && w.quoted <= len(key) {
				continue
			}
			key = lowerASCII(key)
			switch _, twice := r.props[key]; {
			case i == 0:
				r.method, _, _ = strings.Cut(key, "/")
				r.value = lowerASCII(value)
			case twice:
				return "", nil, false
			default:
				r.props[key] = value
			}
		}
		if r.method != "" {
			results = append(results, r)
		}
	}
	return id, results, true
}

// authWord is a word, and where in it the first quoted part begins, or -1.
type authWord struct {
	text   string
	quoted int
}

// authWords splits at semicolons and blanks outside of quotes and comments.
func authWords(v string) (segments [][]authWord, ok bool) {
	a := authScanner{firstQuote: -1}
	for i := 0; i < len(v); i++ {
		if v[i] == '\\' && (a.quoted || a.comment > 0) {
			if i++; a.quoted && i < len(v) {
				a.word.WriteByte(v[i])
			}
		} else if !a.take(v[i]) {
			return nil, false
		}
	}
	a.end()
	return append(a.segments, a.words), !a.quoted && a.comment == 0
}

// authScanner is where the reading of the field stands.
type authScanner struct {
	segments [][]authWord
	words    []authWord
	word     strings.Builder
	inWord   bool
	quoted   bool
	// comment counts the comments that are open.
	comment    int
	firstQuote int
}

// take reads a character; false when it breaks the grammar.
func (a *authScanner) take(c byte) bool {
	switch {
	case c == '(' && !a.quoted:
		a.end()
		a.comment++
	case a.comment > 0 && c == ')':
		a.comment--
	case a.comment > 0:
	case c == '"':
		if a.quoted = !a.quoted; a.quoted && a.firstQuote < 0 {
			a.firstQuote = a.word.Len()
		}
		a.inWord = true
	case a.quoted:
		a.word.WriteByte(c)
	case c == ')':
		return false
	case c == ';':
		a.end()
		a.segments, a.words = append(a.segments, a.words), nil
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		a.end()
	default:
		a.word.WriteByte(c)
		a.inWord = true
	}
	return true
}

// end ends the word, if there is one.
func (a *authScanner) end() {
	if a.inWord {
		a.words = append(a.words, authWord{a.word.String(), a.firstQuote})
	}
	a.word.Reset()
	a.inWord, a.firstQuote = false, -1
}
