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

// maxLocalPart is the maximum length of a local part (RFC 5321, section 4.5.3.1.1).
const maxLocalPart = 64

// macChars is the length of 80 bits in base32.
const macChars = 16

// tokenEncoding is base32 with the characters a-z and 2-7, because some mail systems change the case of addresses.
var tokenEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// ReaderKind is the kind of reader of a letter. In a token it precedes the number of the reader: "o3" is observer 3.
type ReaderKind string

// Kinds of readers.
const (
	// Seat is a player of the match.
	Seat ReaderKind = ""
	// Observer is a spectator of the match. Observer 0 is an invited address that has no observer number yet;
	// LetterName.Number is then the day of the invitation, not a letter number.
	Observer ReaderKind = "o"
	// Director is the arbiter of matches. There is one director, with number 0.
	Director ReaderKind = "d"
	// Member is a member of the club; the name of the club replaces the match ID. Member 0 is an address that was
	// invited to join.
	Member ReaderKind = "c"
)

// tokenLabels are hashed into the MACs, so that a token is valid for one kind only. They must never change, because
// players have old tokens.
var tokenLabels = map[ReaderKind]string{Seat: "samizdat seat token", Observer: "samizdat observer token",
	Director: "samizdat director token",
	Member:   "samizdat member token"}

// LetterName identifies a letter of ours. For example, "m7-1-12" is letter 12 to seat 1 of match m7.
type LetterName struct {
	// Match is the match ID or the club's name: lower-case letters and digits.
	Match string
	Kind  ReaderKind
	// Reader is the number of the reader among readers of this Kind, for example the seat.
	Reader int
	Number int64
}

// String returns the form used in tokens and letter IDs, e.g. "m7-o3-12".
func (n LetterName) String() string {
	return n.Match + "-" + string(n.Kind) + strconv.Itoa(n.Reader) + "-" + strconv.FormatInt(n.Number, 10)
}

func (n LetterName) withoutNumber() LetterName { n.Number = 0; return n }

// mac returns 80 bits of HMAC-SHA256, in base32.
func (n LetterName) mac(key []byte, label string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(label + "\x00" + n.String()))
	return tokenEncoding.EncodeToString(h.Sum(nil)[:10])
}

// Token proves that the sender of a reply has received a letter of ours. It is in the Reply-To of our letter, for
// example "judge+m7-1-12-k3jdnxq2mz5ttb4a@club.example".
type Token struct {
	LetterName
	// MAC is the message authentication code of the LetterName, made with the reader's key.
	MAC string
}

// NewToken returns the token of a letter.
func NewToken(key []byte, n LetterName) Token { return Token{n, n.mac(key, tokenLabels[n.Kind])} }

// String returns the form used in addresses and subjects.
func (t Token) String() string { return t.LetterName.String() + "-" + t.MAC }

// IsValid reports whether the token was made with key. It takes the same time for every MAC.
func (t Token) IsValid(key []byte) bool {
	return hmac.Equal([]byte(t.mac(key, tokenLabels[t.Kind])), []byte(t.MAC))
}

// TokenAddress adds a token to an address: "judge@x" becomes "judge+token@x". It returns an empty string if base
// is not an address.
func TokenAddress(base, token string) string {
	local, domain, ok := SplitAddress(base)
	if !ok {
		return ""
	}
	return local + "+" + token + "@" + domain
}

// NewestToken returns the token with the highest letter number, because a reply in a long thread may contain the
// tokens of several letters. It returns false if there is no token, or if the tokens belong to different readers. The
// caller must check the MAC with [Token.IsValid].
func NewestToken(tokens []Token) (Token, bool) {
	if len(tokens) == 0 {
		return Token{}, false
	}
	best := tokens[0]
	for _, t := range tokens[1:] {
		if t.withoutNumber() != best.withoutNumber() {
			return Token{}, false
		}
		if t.Number > best.Number {
			best = t
		}
	}
	return best, true
}

// FindTokens returns the distinct tokens of kind k in the recipients of a letter: tokens in To come first, then
// tokens in Cc, then tokens in the delivery fields (DeliveredTo). base is the address of the referee.
func FindTokens(l Letter, base string, k ReaderKind) []Token {
	local, domain, ok := SplitAddress(base)
	if !ok {
		return nil
	}
	var found []Token
	seen := map[Token]bool{}
	for _, a := range slices.Concat(l.To, l.Cc, l.DeliveredTo) {
		addressLocal, addressDomain, ok := SplitAddress(a)
		if !ok || addressDomain != domain {
			continue
		}
		detail, ok := strings.CutPrefix(addressLocal, local+"+")
		if !ok {
			continue
		}
		if t, ok := parseToken(detail); ok && t.Kind == k && !seen[t] {
			found, seen[t] = append(found, t), true
		}
	}
	return found
}

// parseToken accepts only the output of Token.String, for example no leading zeros and no signs.
func parseToken(detail string) (Token, bool) {
	fields := strings.Split(detail, "-")
	if len(fields) != 4 || !isMatchID(fields[0]) || len(fields[3]) != macChars {
		return Token{}, false
	}
	if _, err := tokenEncoding.DecodeString(fields[3]); err != nil {
		return Token{}, false
	}
	digits := strings.TrimLeft(fields[1], "abcdefghijklmnopqrstuvwxyz")
	n := LetterName{Match: fields[0], Kind: ReaderKind(strings.TrimSuffix(fields[1], digits))}
	var err error
	if n.Reader, err = strconv.Atoi(digits); err != nil || n.Reader < 0 || tokenLabels[n.Kind] == "" {
		return Token{}, false
	}
	if n.Number, err = strconv.ParseInt(fields[2], 10, 64); err != nil || n.Number < 0 {
		return Token{}, false
	}
	t := Token{n, fields[3]}
	return t, t.String() == detail
}

func isMatchID(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}

// SplitAddress lower-cases an address and splits it at the last @: "Judge@X" -> "judge", "x".
func SplitAddress(a string) (local, domain string, ok bool) {
	a = lowerASCII(strings.TrimSpace(a))
	i := strings.LastIndexByte(a, '@')
	if i <= 0 || i == len(a)-1 {
		return "", "", false
	}
	return a[:i], a[i+1:], true
}

// tagPattern matches a token in a subject, where our letters have it if the mail server does not deliver "+token"
// addresses. Mail programs may break the subject at the space.
var tagPattern = lazyregexp.New(`(?i)\[samizdat\s+([a-z0-9]+-[a-z0-9]+-[0-9]+-[a-z2-7]+)\]`)

// SubjectTag returns a token as written in a subject.
func SubjectTag(token string) string { return "[samizdat " + token + "]" }

// AddSubjectTokens returns l with the tokens of its subject as further addresses in To.
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

// Footer is the last paragraph of a letter about a match, e.g. "Match m7, letter 12 to you, epoch 1. Check number
// of the history so far: 9f2c...".
type Footer struct {
	Match string
	// Number is the number of the letter, or 0 if the footer has none.
	Number int64
	// Epoch is 0 if the footer states none. Older footers ("The hash of its history") were always written with an
	// epoch, so a missing epoch gives -1 (unknown) there.
	Epoch int
	// Head is the hash of the newest history entry.
	Head string
}

// footerPattern matches a footer, even if a mail program has wrapped its lines.
var footerPattern = lazyregexp.New(`(?m)^Match\s+([a-z0-9]+)(?:,\s+letter\s+(\d+)\s+to\s+you)?(?:,\s+epoch\s+(\d+))?\.\s+(The\s+hash\s+of\s+its|Check\s+number\s+of\s+the)\s+history\s+so\s+far:\s+([0-9a-f]{64})\b`)

var quoteMarksPattern = lazyregexp.New(`(?m)^[ \t]*(?:[>|][ \t]*)+`)

// FindFooters returns the footers in a text, in order. It ignores quoted footers.
func FindFooters(text string) (out []Footer) {
	at := strings.Index("\n"+text, "\nMatch")
	if at < 0 {
		return nil
	}
	text = text[at:] // The pattern is slow on long letters.
	for _, m := range footerPattern.FindAllStringSubmatch(text, -1) {
		f := Footer{Match: m[1], Head: m[5]}
		f.Number, _ = strconv.ParseInt(m[2], 10, 64) // A missing or too large number gives 0.
		if m[3] != "" {
			f.Epoch, _ = strconv.Atoi(m[3])
		} else if strings.HasPrefix(m[4], "The") {
			f.Epoch = -1
		}
		out = append(out, f)
	}
	return out
}

// FindQuotedFooters returns the footers in a text, including those in quotes.
func FindQuotedFooters(text string) []Footer {
	if !strings.Contains(text, "history") {
		return nil
	}
	return FindFooters(quoteMarksPattern.ReplaceAllString(text, ""))
}
