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

// A Proof checks that a letter comes from the domain of its author. It is required in addition to the token. An error
// means that the check could not be done now.
type Proof func(ctx context.Context, raw []byte, l Letter) (bool, error)

// ErrTemporary is the error of a [Proof] that failed for a temporary reason, e.g. a DNS time-out. The letter must be
// tried again.
var ErrTemporary = errors.New("the check of the letter failed for now and will be repeated")

// ServerProof trusts the Authentication-Results field (RFC 8601) of our own mail server. Only the topmost field counts,
// and only if it has the server's name. The server must remove fields with its name from incoming mail, because any
// sender can write the field.
func ServerProof(server string) Proof {
	return func(_ context.Context, raw []byte, l Letter) (bool, error) {
		return !hasDuplicateField(raw) && confirmsDomain(l.AuthResults, server, domainOf(l.Author)), nil
	}
}

// confirmsDomain reports whether the Authentication-Results value of server confirms a domain by DKIM or DMARC:
// "mx.ours.test; dkim=pass header.d=example.org" confirms example.org.
func confirmsDomain(value, server, domain string) bool {
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

// isAligned reports whether a signer may sign for a domain. The signer must be the domain itself or a parent with the
// same owner. Parents like co.uk and github.io have many owners and may not sign for subdomains (Public Suffix List).
func isAligned(signer, domain string) bool {
	signer, domain = asciiDomain(signer), asciiDomain(domain)
	if signer == domain {
		return signer != ""
	}
	owned, err := publicsuffix.EffectiveTLDPlusOne(domain)
	return err == nil && strings.HasSuffix(domain, "."+signer) && (signer == owned || strings.HasSuffix(signer, "."+owned))
}

// asciiDomain returns a domain as used in DNS (IDNA), or an empty string if invalid.
func asciiDomain(domain string) string {
	ascii, err := idna.ToASCII(strings.TrimSuffix(lowerASCII(domain), "."))
	if err != nil {
		return ""
	}
	return ascii
}

func domainOf(address string) string {
	return lowerASCII(address[strings.LastIndexByte(address, '@')+1:])
}

// authResult is the result of a check, e.g. "dkim=pass header.d=example.org" with the method dkim and the value pass.
type authResult struct {
	method, value string
	props         map[string]string
}

// parseAuthResults parses an Authentication-Results value (RFC 8601, section 2.2). Comments and quoted strings are
// never split, because they contain text of the sender, e.g. an address with a semicolon and a forged result. A value
// that breaks the grammar is rejected.
func parseAuthResults(v string) (id string, results []authResult, ok bool) {
	segments, ok := splitAuthWords(v)
	if !ok || len(segments) == 0 || len(segments[0]) == 0 || len(segments[0]) > 2 {
		return "", nil, false
	}
	id = segments[0][0].text
	for _, words := range segments[1:] {
		r := authResult{props: map[string]string{}}
		for i, w := range words {
			key, value, found := strings.Cut(w.text, "=")
			if !found || w.quoteOffset >= 0 && w.quoteOffset <= len(key) {
				continue
			}
			key = lowerASCII(key)
			switch _, isDoubled := r.props[key]; {
			case i == 0:
				r.method, _, _ = strings.Cut(key, "/")
				r.value = lowerASCII(value)
			case isDoubled:
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

// authWord is a word of an Authentication-Results value. quoteOffset is the offset in text of the first quoted part, or
// -1.
type authWord struct {
	text        string
	quoteOffset int
}

// splitAuthWords splits a value at semicolons and blanks outside quotes and comments.
func splitAuthWords(v string) (segments [][]authWord, ok bool) {
	a := authScanner{firstQuote: -1}
	for i := 0; i < len(v); i++ {
		if v[i] == '\\' && (a.inQuotes || a.commentDepth > 0) {
			if i++; a.inQuotes && i < len(v) {
				a.word.WriteByte(v[i])
			}
		} else if !a.scanByte(v[i]) {
			return nil, false
		}
	}
	a.endWord()
	return append(a.segments, a.words), !a.inQuotes && a.commentDepth == 0
}

type authScanner struct {
	segments     [][]authWord
	words        []authWord
	word         strings.Builder
	inWord       bool
	inQuotes     bool
	commentDepth int
	firstQuote   int
}

// scanByte reads a byte. It returns false if the byte breaks the grammar.
func (a *authScanner) scanByte(c byte) bool {
	switch {
	case c == '(' && !a.inQuotes:
		a.endWord()
		a.commentDepth++
	case a.commentDepth > 0 && c == ')':
		a.commentDepth--
	case a.commentDepth > 0:
	case c == '"':
		if a.inQuotes = !a.inQuotes; a.inQuotes && a.firstQuote < 0 {
			a.firstQuote = a.word.Len()
		}
		a.inWord = true
	case a.inQuotes:
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

func (a *authScanner) endWord() {
	if a.inWord {
		a.words = append(a.words, authWord{a.word.String(), a.firstQuote})
	}
	a.word.Reset()
	a.inWord, a.firstQuote = false, -1
}

const (
	// maxSignatures limits the DKIM checks of a letter; real letters have one to three signatures.
	maxSignatures = 5
	lookupTimeout = 10 * time.Second
)

// LookupTXT looks up TXT records in DNS.
type LookupTXT func(ctx context.Context, name string) ([]string, error)

// SignatureProof verifies a DKIM signature (RFC 6376) of the author's domain. The caller must have checked that the
// letter has one author: a signature of a single From field stays valid when another From field is added. The signature
// must also cover the token; otherwise a signed letter could be resent to another token of the same player.
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
			// A header that cannot be parsed has no valid signature.
			return false, nil
		}
		var tempErr error
		for _, v := range found {
			switch {
			case !isAligned(v.Domain, domain):
			case v.Err == nil && coversTokens(v.HeaderKeys, l):
				return true, nil
			case dkim.IsTempFail(v.Err):
				tempErr = fmt.Errorf("verify the signature of %s: %w: %w", v.Domain, ErrTemporary, v.Err)
			}
		}
		return false, tempErr
	}
}

// matchInSubject matches the match ID in a subject of ours, e.g. "[samizdat m7]" or "[m7-1-12-...]".
var matchInSubject = lazyregexp.New(`(?i)\[(?:samizdat\s+)?([a-z0-9]+)(?:-[^\]]*)?\]`)

// coversTokens reports whether a signature of the header fields keys covers all tokens of a letter. Outlook signs the
// subject but not the recipients; a signed subject with the match ID is sufficient if the Message-ID is signed too,
// because a match executes a letter with this Message-ID only once.
func coversTokens(keys []string, l Letter) bool {
	covers := func(field string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { return strings.EqualFold(strings.TrimSpace(k), field) })
	}
	matches, holders := map[string]bool{}, map[LetterName]bool{}
	addHolders := func(tokens []Token) {
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
		return false // The subject contains the token.
	}
	to := seatTokens(l.To)
	if covers("To") {
		addHolders(to)
	}
	cc := seatTokens(l.Cc)
	if covers("Cc") {
		addHolders(cc)
	}
	tokens := slices.Concat(to, cc, seatTokens(l.DeliveredTo))
	if localPart, _, _ := SplitAddress(l.InReplyTo); len(tokens) == 0 { // In-Reply-To replaces a missing token.
		if id, ok := parseLetterID(localPart); ok {
			return covers("In-Reply-To") || matches[id.Match]
		}
	}
	return !slices.ContainsFunc(tokens, func(t Token) bool { return !matches[t.Match] && !holders[t.withoutNumber()] })
}

// seatTokens returns the seat tokens in addresses, also in addresses of other referees.
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

// DKIMSigner signs outgoing letters with DKIM (RFC 6376).
type DKIMSigner struct {
	// Domain is the domain of the referee's address, or a parent.
	Domain string
	// Selector names the key: the public key is the TXT record of Selector._domainkey.Domain.
	Selector string
	// Key is an Ed25519 or RSA key.
	Key crypto.Signer
}

// oversignedFields are signed once more than they occur, so that the signature breaks if another field with the name is
// added.
var oversignedFields = []string{"From", "Subject", "Reply-To", "Date", "Message-ID", "In-Reply-To", "References", "List-Id"}

// signedFields are signed as often as they occur. A forger who could change the MIME fields could change how the body is
// displayed.
var signedFields = []string{"To", "Auto-Submitted", "List-Unsubscribe", "List-Unsubscribe-Post", "MIME-Version", "Content-Type",
	"Content-Transfer-Encoding"}

// Sign adds a signature to a complete letter. The signature contains the time, so two calls give different bytes:
// store the signed letter.
func (s *DKIMSigner) Sign(raw []byte) ([]byte, error) {
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
		// Mail servers may refold lines.
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
	})
	if err != nil {
		return nil, fmt.Errorf("sign a letter: %w", err)
	}
	return b.Bytes(), nil
}

// minRSABits is the minimum length of an RSA key for signers in RFC 8301.
const minRSABits = 1024

// ParseSigningKey parses an unencrypted Ed25519 or RSA key in PEM, as openssl writes it: "-----BEGIN PRIVATE
// KEY-----...".
func ParseSigningKey(data []byte) (crypto.Signer, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("the key is not in PEM form")
	}
	var key any
	var err error
	switch block.Type {
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	default:
		return nil, errors.New("the key file contains a " + strings.ToLower(block.Type) + ", not a private key without a passphrase")
	}
	if err != nil {
		return nil, fmt.Errorf("parse the key: %w", err)
	}
	switch key := key.(type) {
	case ed25519.PrivateKey:
		return key, nil
	case *rsa.PrivateKey:
		if key.N.BitLen() < minRSABits {
			return nil, fmt.Errorf("the key has only %d bits; make a key of 2048 bits", key.N.BitLen())
		}
		return key, nil
	}
	return nil, errors.New("the key is neither an Ed25519 nor an RSA key")
}
