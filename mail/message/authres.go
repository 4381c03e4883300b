package message

import (
	"context"
	"errors"
	"strings"
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
		return !doubled(raw) && vouched(l.AuthResults, server, domainOf(l.Author)), nil
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
			signer := r.props["header.d"]
			if signer == "" {
				signer = domainOf(r.props["header.i"])
			}
			if aligned(signer, domain) {
				return true
			}
		}
	}
	return false
}

// aligned reports whether a signer speaks for a domain: it is the domain itself,
// or the one above it.
func aligned(signer, domain string) bool {
	signer = strings.TrimSuffix(lowerASCII(signer), ".")
	if !strings.Contains(signer, ".") {
		// Nobody has a top-level domain; our own tests and networks may.
		return signer != "" && signer == domain
	}
	return signer == domain || strings.HasSuffix(domain, "."+signer)
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
	var words []authWord
	var b strings.Builder
	inWord, quoted, comment, firstQuote := false, false, 0, -1
	end := func() {
		if inWord {
			words = append(words, authWord{b.String(), firstQuote})
		}
		b.Reset()
		inWord, firstQuote = false, -1
	}
	for i := 0; i < len(v); i++ {
		c := v[i]
		switch {
		case c == '\\' && (quoted || comment > 0):
			if i++; quoted && i < len(v) {
				b.WriteByte(v[i])
			}
		case comment > 0:
			switch c {
			case '(':
				comment++
			case ')':
				comment--
			}
		case c == '"':
			if quoted = !quoted; quoted && firstQuote < 0 {
				firstQuote = b.Len()
			}
			inWord = true
		case quoted:
			b.WriteByte(c)
		case c == '(':
			end()
			comment++
		case c == ')':
			return nil, false
		case c == ';':
			end()
			segments, words = append(segments, words), nil
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			end()
		default:
			b.WriteByte(c)
			inWord = true
		}
	}
	end()
	return append(segments, words), !quoted && comment == 0
}
