package message

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"strconv"
	"strings"
)

// MaxLocalPart is the longest local part RFC 5321 section 4.5.3.1.1 allows.
const MaxLocalPart = 64

// macChars is the length of 80 bits in base32.
const macChars = 16

// base32 survives mail systems that fold case; the alphabet is a-z and 2-7.
var tokenEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Token is the secret a seat shows to prove that it read a letter of ours. It
// stands in the Reply-To of that letter.
type Token struct {
	// Match is the match id: lower-case letters and digits, no dash.
	Match string
	// Seat is the seat's number within the match.
	Seat int
	// Letter is the number of the letter that carried the token.
	Letter int64
	// MAC is 80 bits of HMAC-SHA256 under the seat's key, in base32.
	MAC string
}

// NewToken makes the token of one letter to one seat.
func NewToken(key []byte, match string, seat int, letter int64) Token {
	return Token{Match: match, Seat: seat, Letter: letter, MAC: tokenMAC(key, match, seat, letter)}
}

// Valid reports whether the token was made with key. It takes the same time
// whatever the MAC is.
func (t Token) Valid(key []byte) bool {
	want := tokenMAC(key, t.Match, t.Seat, t.Letter)
	return hmac.Equal([]byte(want), []byte(t.MAC))
}

// Address puts the token into the address base as a +detail. A base that is no
// address gives an empty string.
func (t Token) Address(base string) string {
	local, domain, ok := SplitAddress(base)
	if !ok {
		return ""
	}
	return local + "+" + t.Match + "-" + strconv.Itoa(t.Seat) + "-" +
		strconv.FormatInt(t.Letter, 10) + "-" + t.MAC + "@" + domain
}

// Fits reports whether the address of the token under base keeps to the
// length a local part may have.
func (t Token) Fits(base string) bool {
	local, _, ok := SplitAddress(t.Address(base))
	return ok && len(local) <= MaxLocalPart
}

// FindToken gives the [Newest] of [FindTokens].
func FindToken(l Letter, base string) (Token, bool) { return Newest(FindTokens(l, base)) }

// Newest gives the newest of one seat's tokens, which gather in long threads. Tokens
// of two different seats make it none: a letter concerns one. It proves nothing: the
// caller looks up the seat's key and asks [Token.Valid].
func Newest(all []Token) (Token, bool) {
	if len(all) == 0 {
		return Token{}, false
	}
	best := all[0]
	for _, t := range all[1:] {
		if t.Match != best.Match || t.Seat != best.Seat {
			return Token{}, false
		}
		if t.Letter > best.Letter {
			best = t
		}
	}
	return best, true
}

// FindTokens gives every different token under the address base in the letter's
// recipients, in the order To, Cc, delivery headers.
func FindTokens(l Letter, base string) []Token {
	local, domain, ok := SplitAddress(base)
	if !ok {
		return nil
	}
	var found []Token
	seen := map[Token]bool{}
	for _, list := range [][]string{l.To, l.Cc, l.DeliveredTo} {
		for _, a := range list {
			al, ad, ok := SplitAddress(a)
			if !ok || ad != domain {
				continue
			}
			detail, ok := strings.CutPrefix(al, local+"+")
			if !ok {
				continue
			}
			if t, ok := parseToken(detail); ok && !seen[t] {
				found, seen[t] = append(found, t), true
			}
		}
	}
	return found
}

// parseToken accepts canonical spellings only, so that one token has one
// address: no leading zeros, no signs.
func parseToken(detail string) (Token, bool) {
	p := strings.Split(detail, "-")
	if len(p) != 4 || !isMatchID(p[0]) || len(p[3]) != macChars {
		return Token{}, false
	}
	seat, err := strconv.Atoi(p[1])
	if err != nil || seat < 0 || strconv.Itoa(seat) != p[1] {
		return Token{}, false
	}
	letter, err := strconv.ParseInt(p[2], 10, 64)
	if err != nil || letter < 0 || strconv.FormatInt(letter, 10) != p[2] {
		return Token{}, false
	}
	if _, err := tokenEncoding.DecodeString(p[3]); err != nil {
		return Token{}, false
	}
	return Token{Match: p[0], Seat: seat, Letter: letter, MAC: p[3]}, true
}

func isMatchID(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// SplitAddress lower-cases an address and cuts it at its last @.
func SplitAddress(a string) (local, domain string, ok bool) {
	a = lowerASCII(strings.TrimSpace(a))
	i := strings.LastIndexByte(a, '@')
	if i <= 0 || i == len(a)-1 {
		return "", "", false
	}
	return a[:i], a[i+1:], true
}

func tokenMAC(key []byte, match string, seat int, letter int64) string {
	h := hmac.New(sha256.New, key)
	// The label keeps this use of the key apart from any other.
	h.Write([]byte("samizdat seat token\x00" + match + "-" + strconv.Itoa(seat) + "-" + strconv.FormatInt(letter, 10)))
	return tokenEncoding.EncodeToString(h.Sum(nil)[:10])
}
