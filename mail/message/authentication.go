package message

import (
	"bytes"
	"cmp"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-msgauth/dkim"
	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"samizdat/internal/lazyregexp"
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
		return !hasDuplicateField(raw) && isVouchedFor(l.AuthResults, server, domainOf(l.Author)), nil
	}
}

// isVouchedFor reports whether the field says that a letter is from a domain: by its
// signature, or by the domain's own policy.
func isVouchedFor(value, server, domain string) bool {
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
			if isAligned(cmp.Or(r.props["header.d"], domainOf(r.props["header.i"])), domain) {
				return true
			}
		}
	}
	return false
}

// isAligned reports whether a signer speaks for a domain: it is the domain itself,
// or one above it that belongs to the same owner. Under co.uk or github.io everybody can
// have a domain, so those speak for nobody else.
func isAligned(signer, domain string) bool {
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
		} else if !a.scanByte(v[i]) {
			return nil, false
		}
	}
	a.endWord()
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

// scanByte reads a character; false when it breaks the grammar.
func (a *authScanner) scanByte(c byte) bool {
	switch {
	case c == '(' && !a.quoted:
		a.endWord()
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
		a.endWord()
		a.segments, a.words = append(a.segments, a.words), nil
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		a.endWord()
	default:
		a.word.WriteByte(c)
		a.inWord = true
	}
	return true
}

// endWord ends the word, if there is one.
func (a *authScanner) endWord() {
	if a.inWord {
		a.words = append(a.words, authWord{a.word.String(), a.firstQuote})
	}
	a.word.Reset()
	a.inWord, a.firstQuote = false, -1
}

const (
	// maxSignatures bounds the work of one letter; real ones have one to three.
	maxSignatures = 5
	lookupTimeout = 10 * time.Second
)

// LookupTXT asks the domain name system.
type LookupTXT func(ctx context.Context, name string) ([]string, error)

// SignatureProof is a DKIM signature (RFC 6376) of the author's own domain, or
// one above it, that we verify ourselves. That there is one author only must have been seen to before: a
// signature of one From field stays good when a second one is put on top. The
// signature must also bind the letter to its token, or whoever has seen a signed
// letter could send it again to another token of the same player.
func SignatureProof(lookup LookupTXT) Proof {
	return func(ctx context.Context, raw []byte, l Letter) (bool, error) {
		domain := domainOf(l.Author)
		if domain == "" || hasDuplicateField(raw) {
			return false, nil
		}
		found, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{
			MaxVerifications: maxSignatures,
			LookupTXT: func(name string) ([]string, error) {
				ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
				defer cancel()
				return lookup(ctx, name)
			},
		})
		if err != nil && !errors.Is(err, dkim.ErrTooManySignatures) {
			// The header cannot be read: nobody could have signed that.
			return false, nil
		}
		var later error
		for _, v := range found {
			switch {
			case !isAligned(v.Domain, domain):
			case v.Err == nil && coversTokens(v.HeaderKeys, l):
				return true, nil
			case dkim.IsTempFail(v.Err):
				later = fmt.Errorf("verify the signature of %s: %w: %w", v.Domain, ErrLater, v.Err)
			}
		}
		return false, later
	}
}

// matchInSubject is how subjects of ours, and of answers to them, name a match.
var matchInSubject = lazyregexp.New(`(?i)\[(?:samizdat\s+)?([a-z0-9]+)(?:-[^\]]*)?\]`)

// coversTokens tells whether a signature of these fields holds for every token in a
// letter. Outlook signs no recipients, but the subject, which names the match of
// the letter that is answered; that will do, as a letter counts once in a match.
func coversTokens(keys []string, l Letter) bool {
	covers := func(field string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { return strings.EqualFold(strings.TrimSpace(k), field) })
	}
	matches, holders := map[string]bool{}, map[LetterName]bool{}
	name := func(tokens []Token) {
		for _, t := range tokens {
			holders[t.withoutNumber()] = true
		}
	}
	if covers("Subject") && covers("Message-ID") {
		for _, m := range matchInSubject.FindAllStringSubmatch(l.Subject, 20) {
			matches[lowerASCII(m[1])] = true
		}
	}
	if !covers("Subject") && tagPattern.MatchString(l.Subject) {
		return false // The token stands there.
	}
	to := seatTokens(l.To)
	if covers("To") {
		name(to)
	}
	cc := seatTokens(l.Cc)
	if covers("Cc") {
		name(cc)
	}
	all := slices.Concat(to, cc, seatTokens(l.DeliveredTo))
	if left, _, _ := SplitAddress(l.InReplyTo); len(all) == 0 { // It counts where there is no token.
		if id, ok := parseLetterID(left); ok {
			return covers("In-Reply-To") || matches[id.Match]
		}
	}
	return !slices.ContainsFunc(all, func(t Token) bool { return !matches[t.Match] && !holders[t.withoutNumber()] })
}

// seatTokens gives the tokens of seats in addresses, whoever's they are.
func seatTokens(addresses []string) []Token {
	var out []Token
	for _, a := range addresses {
		local, _, _ := SplitAddress(a)
		if t, ok := parseToken(local[strings.LastIndexByte(local, '+')+1:]); ok && t.Kind == Seat {
			out = append(out, t)
		}
	}
	return out
}

// Signing signs letters of ours in the name of their domain (DKIM, RFC 6376).
type Signing struct {
	// Domain is the domain of our address, or one above it.
	Domain string
	// Selector names the key: its public half stands in the domain name system
	// at Selector._domainkey.Domain.
	Selector string
	// Key is an Ed25519 or RSA key.
	Key crypto.Signer
}

// oversignedFields are the fields that nobody may change, and of which nobody may put a
// second one into the letter: each is signed once more than it is there.
var oversignedFields = []string{"From", "Subject", "Reply-To", "Date", "Message-ID", "In-Reply-To", "References", "List-Id"}

// signedFields are further fields that are signed when they are there. Without those
// of MIME the same body could be made to be shown as another.
var signedFields = []string{"To", "Auto-Submitted", "List-Unsubscribe", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"}

// Sign puts a signature on top of a complete letter. It tells when it was made: the
// same letter signed later is another one, so what goes out has to be kept.
func (s *Signing) Sign(raw []byte) ([]byte, error) {
	h, _, state := splitHeader(raw)
	if state != 0 {
		return nil, errors.New("sign a letter: its header is damaged")
	}
	var keys []string
	for _, k := range oversignedFields {
		keys = append(keys, slices.Repeat([]string{k}, len(h.all(k))+1)...)
	}
	for _, k := range signedFields {
		keys = append(keys, slices.Repeat([]string{k}, len(h.all(k)))...)
	}
	var b bytes.Buffer
	err := dkim.Sign(&b, bytes.NewReader(raw), &dkim.SignOptions{
		Domain: s.Domain, Selector: s.Selector, Signer: s.Key, Hash: crypto.SHA256, HeaderKeys: keys,
		// Servers on the way may fold lines anew.
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
	})
	if err != nil {
		return nil, fmt.Errorf("sign a letter: %w", err)
	}
	return b.Bytes(), nil
}

// minRSABits is what RFC 8301 demands of a signer.
const minRSABits = 1024

// ParseSigningKey reads an Ed25519 or RSA key in PEM form, as openssl writes it
// without a passphrase.
func ParseSigningKey(data []byte) (crypto.Signer, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("it is not in PEM form")
	}
	var key any
	var err error
	switch block.Type {
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	default:
		return nil, errors.New("it holds a " + strings.ToLower(block.Type) + ", not a private key without a passphrase")
	}
	if err != nil {
		return nil, fmt.Errorf("its block cannot be read: %w", err)
	}
	switch key := key.(type) {
	case ed25519.PrivateKey:
		return key, nil
	case *rsa.PrivateKey:
		if key.N.BitLen() < minRSABits {
			return nil, fmt.Errorf("%d bits are too few, make one of 2048", key.N.BitLen())
		}
		return key, nil
	}
	return nil, errors.New("it is neither an Ed25519 nor an RSA key")
}
