package message

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strconv"
	"strings"

	"samizdat/internal/lazyregexp"
)

// maxLocalPart is the longest local part RFC 5321 section 4.5.3.1.1 allows.
const maxLocalPart = 64

// macChars is the length of 80 bits in base32.
const macChars = 16

// base32 survives mail systems that fold case; the alphabet is a-z and 2-7.
var tokenEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// ReaderKind is the sort of reader that a letter of ours goes to. It stands in front of his
// number, so that no sort of token reads as another.
type ReaderKind string

// The kinds of readers.
const (
	// Seat is a seat of the match.
	Seat ReaderKind = ""
	// Observer is somebody who watches the match. Number 0 is an address that was
	// asked whether it wants to; the number of the letter is then the day.
	Observer ReaderKind = "o"
	// Director is whoever directs matches. There is one, and his number is 0.
	Director ReaderKind = "d"
	// Member is a member of the club, whose name stands in the place of a match's. Number 0
	// is an address that was asked whether it wants to join.
	Member ReaderKind = "c"
)

// tokenLabels keep the uses of a key apart from each other. Letters in players'
// mailboxes hang on them.
var tokenLabels = map[ReaderKind]string{Seat: "samizdat seat token", Observer: "samizdat observer token", Director: "samizdat director token",
	Member: "samizdat member token"}

// LetterName says which letter of ours is meant: of which match, to whom, and which of those
// to him.
type LetterName struct {
	// Match is the match id, or the name of the club: lower-case letters and digits, no dash.
	Match string
	Kind  ReaderKind
	// Holder is the reader's number within the match, among those of his kind.
	Holder int
	// Number is the number of the letter.
	Number int64
}

// String is the name as tokens and letter ids have it.
func (n LetterName) String() string {
	return n.Match + "-" + string(n.Kind) + strconv.Itoa(n.Holder) + "-" + strconv.FormatInt(n.Number, 10)
}

// withoutNumber is the name without the letter.
func (n LetterName) withoutNumber() LetterName { n.Number = 0; return n }

// mac is 80 bits of HMAC-SHA256, in base32.
func (n LetterName) mac(key []byte, label string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(label + "\x00" + n.String()))
	return tokenEncoding.EncodeToString(h.Sum(nil)[:10])
}

// Token is the secret that a reader shows to prove that he has a letter of ours. It
// stands in the Reply-To of that letter.
type Token struct {
	LetterName
	// MAC is made with the reader's key.
	MAC string
}

// NewToken makes the token of a letter.
func NewToken(key []byte, n LetterName) Token { return Token{n, n.mac(key, tokenLabels[n.Kind])} }

// String is the token as addresses and subjects have it.
func (t Token) String() string { return t.LetterName.String() + "-" + t.MAC }

// Valid reports whether the token was made with key. It takes the same time
// whatever the MAC is.
func (t Token) Valid(key []byte) bool {
	return hmac.Equal([]byte(t.mac(key, tokenLabels[t.Kind])), []byte(t.MAC))
}

// TokenAddress is the address base with a token, as text, behind a plus. A base that
// is no address gives an empty string.
func TokenAddress(base, token string) string {
	local, domain, ok := SplitAddress(base)
	if !ok {
		return ""
	}
	return local + "+" + token + "@" + domain
}

// NewestToken gives the newest of one reader's tokens, which gather in long threads. Tokens
// of two different readers make it none: a letter concerns one. It proves nothing: the
// caller looks up the reader's key and asks [Token.Valid].
func NewestToken(all []Token) (Token, bool) {
	if len(all) == 0 {
		return Token{}, false
	}
	best := all[0]
	for _, t := range all[1:] {
		if t.withoutNumber() != best.withoutNumber() {
			return Token{}, false
		}
		if t.Number > best.Number {
			best = t
		}
	}
	return best, true
}

// FindTokens gives every different token of a kind under the address base in the
// letter's recipients, in the order To, Cc, delivery headers.
func FindTokens(l Letter, base string, k ReaderKind) []Token {
	local, domain, ok := SplitAddress(base)
	if !ok {
		return nil
	}
	var found []Token
	seen := map[Token]bool{}
	for _, a := range slices.Concat(l.To, l.Cc, l.DeliveredTo) {
		al, ad, ok := SplitAddress(a)
		if !ok || ad != domain {
			continue
		}
		detail, ok := strings.CutPrefix(al, local+"+")
		if !ok {
			continue
		}
		if t, ok := parseToken(detail); ok && t.Kind == k && !seen[t] {
			found, seen[t] = append(found, t), true
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
	if _, err := tokenEncoding.DecodeString(p[3]); err != nil {
		return Token{}, false
	}
	digits := strings.TrimLeft(p[1], "abcdefghijklmnopqrstuvwxyz")
	n := LetterName{Match: p[0], Kind: ReaderKind(strings.TrimSuffix(p[1], digits))}
	var err error
	if n.Holder, err = strconv.Atoi(digits); err != nil || n.Holder < 0 || tokenLabels[n.Kind] == "" {
		return Token{}, false
	}
	if n.Number, err = strconv.ParseInt(p[2], 10, 64); err != nil || n.Number < 0 {
		return Token{}, false
	}
	t := Token{n, p[3]}
	return t, t.String() == detail
}

func isMatchID(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
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

// A mail server that does not deliver addresses with a +detail leaves the subject
// as the only place where a mail program carries something back unseen.

// tagPattern is a token in a subject. Programs may fold the line at its space.
var tagPattern = lazyregexp.New(`(?i)\[samizdat\s+([a-z0-9]+-[a-z0-9]+-[0-9]+-[a-z2-7]+)\]`)

// SubjectTag is a token, as text, as it stands in a subject.
func SubjectTag(token string) string { return "[samizdat " + token + "]" }

// AddSubjectTokens adds the addresses whose tokens the subject carries to those that the
// letter was sent to.
func AddSubjectTokens(l Letter, base string) Letter {
	local, domain, ok := SplitAddress(base)
	if !ok {
		return l
	}
	l.To = slices.Clone(l.To)
	for _, m := range tagPattern.FindAllStringSubmatch(l.Subject, 20) {
		l.To = append(l.To, local+"+"+lowerASCII(m[1])+"@"+domain)
	}
	return l
}

// Footer is what the end of a letter about a match says of the history that it tells.
type Footer struct {
	Match string
	// Number is the letter's among those to its reader, 0 where it is not named. Epoch is
	// negative where it is not.
	Number int64
	Epoch  int
	// Head is the newest hash of the history.
	Head string
}

// footerPattern is how letters end. Mail programs fill its lines.
var footerPattern = lazyregexp.New(`(?m)^Match\s+([a-z0-9]+)(?:,\s+letter\s+(\d+)\s+to\s+you)?(?:,\s+epoch\s+(\d+))?\.\s+The\s+hash\s+of\s+its\s+history\s+so\s+far:\s+([0-9a-f]{64})\b`)

// quoteMarksPattern are what mail programs put before the lines of a letter that they quote.
var quoteMarksPattern = lazyregexp.New(`(?m)^[ \t]*(?:[>|][ \t]*)+`)

// FindFooters are the ends of letters that stand in a text, in its order, and not in a quote.
func FindFooters(text string) (out []Footer) {
	if !strings.Contains(text, "history") {
		return nil // The pattern is slow on a large letter.
	}
	for _, m := range footerPattern.FindAllStringSubmatch(text, -1) {
		f := Footer{Match: m[1], Epoch: -1, Head: m[4]}
		f.Number, _ = strconv.ParseInt(m[2], 10, 64) // None, and none that fits, is 0.
		if m[3] != "" {
			f.Epoch, _ = strconv.Atoi(m[3])
		}
		out = append(out, f)
	}
	return out
}

// FindQuotedFooters are those that stand in quotes as well.
func FindQuotedFooters(text string) []Footer {
	if !strings.Contains(text, "history") {
		return nil
	}
	return FindFooters(quoteMarksPattern.ReplaceAllString(text, ""))
}
