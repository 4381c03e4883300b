package message

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-msgauth/dkim"

	"samizdat/internal/lazyregexp"
)

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
			case !aligned(v.Domain, domain):
			case v.Err == nil && binds(v.HeaderKeys, l):
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

// binds tells whether a signature of these fields holds for every token in a
// letter. Outlook signs no recipients, but the subject, which names the match of
// the letter that is answered; that will do, as a letter counts once in a match.
func binds(keys []string, l Letter) bool {
	covers := func(field string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { return strings.EqualFold(strings.TrimSpace(k), field) })
	}
	matches, holders := map[string]bool{}, map[Name]bool{}
	name := func(tokens []Token) {
		for _, t := range tokens {
			holders[t.holder()] = true
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
	to := tokensOf(l.To)
	if covers("To") {
		name(to)
	}
	cc := tokensOf(l.Cc)
	if covers("Cc") {
		name(cc)
	}
	all := slices.Concat(to, cc, tokensOf(l.DeliveredTo))
	if left, _, _ := SplitAddress(l.InReplyTo); len(all) == 0 { // It counts where there is no token.
		if id, ok := parseLetterID(left); ok {
			return covers("In-Reply-To") || matches[id.Match]
		}
	}
	return !slices.ContainsFunc(all, func(t Token) bool { return !matches[t.Match] && !holders[t.holder()] })
}

// tokensOf gives the tokens of seats in addresses, whoever's they are.
func tokensOf(addresses []string) []Token {
	var out []Token
	for _, a := range addresses {
		local, _, _ := SplitAddress(a)
		if t, ok := parseToken(local[strings.LastIndexByte(local, '+')+1:]); ok && t.Kind == Seat {
			out = append(out, t)
		}
	}
	return out
}
