package message

import (
	"crypto/hmac"
	"crypto/sha256"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// LetterID names a letter of ours to a seat or an observer so that nobody can guess
// it. It stands in the Message-ID, which comes back with reports and answers, and in
// the address for reports. Who shows it has had the letter, or serves somebody who
// has; it proves nothing more, and no order counts by it.
type LetterID struct {
	// Match is the match id: lower-case letters and digits, no dash.
	Match string
	// Seat is the seat's number; it says nothing when Observer is not 0.
	Seat, Observer int
	// Number is the number of the letter.
	Number int64
	// MACs are what was shown as proof; of a new one there is one.
	MACs []string
}

// NewLetterID makes the id of a letter to a seat.
func NewLetterID(key []byte, match string, seat int, number int64) LetterID {
	id := LetterID{Match: match, Seat: seat, Number: number}
	id.MACs = []string{id.mac(key)}
	return id
}

// NewObserverLetterID makes the id of a letter to an observer.
func NewObserverLetterID(key []byte, match string, observer int, number int64) LetterID {
	id := LetterID{Match: match, Observer: observer, Number: number}
	id.MACs = []string{id.mac(key)}
	return id
}

// String is the id as a Message-ID has it on its left side.
func (id LetterID) String() string { return id.name() + "-" + strings.Join(id.MACs, "-") }

// Valid reports whether one of the MACs was made with key: as that of an id, or as
// that of the token for answers to the same letter. It takes the same time whatever
// they are.
func (id LetterID) Valid(key []byte) bool {
	own := id.mac(key)
	also := tokenMAC(key, id.Match, id.Seat, id.Number)
	if id.Observer > 0 {
		also = NewObserverToken(key, id.Match, id.Observer, id.Number).MAC
	}
	ok := false
	for _, mac := range id.MACs {
		ok = hmac.Equal([]byte(own), []byte(mac)) || hmac.Equal([]byte(also), []byte(mac)) || ok
	}
	return ok
}

func (id LetterID) name() string {
	who := strconv.Itoa(id.Seat)
	if id.Observer > 0 {
		who = "o" + strconv.Itoa(id.Observer)
	}
	return id.Match + "-" + who + "-" + strconv.FormatInt(id.Number, 10)
}

func (id LetterID) mac(key []byte) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("samizdat letter id\x00" + id.name()))
	return tokenEncoding.EncodeToString(h.Sum(nil)[:10])
}

// ReportAddress is the address base with the id of a letter behind a plus, for reports
// on that letter. It is base where the letter has no id, or there is no room for it.
func ReportAddress(base, id string) string {
	local, domain, ok := SplitAddress(base)
	if !ok || id == "" {
		return base
	}
	if local += "+b-" + id; len(local) > MaxLocalPart {
		return base
	}
	return local + "@" + domain
}

// idText finds what reads like an id, with what stands behind it; in a subject, where
// tokens stand when addresses cannot carry them, that is the closing bracket.
var idText = regexp.MustCompile(`(?i)\b([a-z0-9]+-o?[0-9]+-[0-9]+-[a-z2-7]{16})(\]|@[a-z0-9.-]+)`)

// mostIDs bounds how many ids are looked at in one text.
const mostIDs = 1000

// findLetterID looks in a text for ids of letters of the referee at base, and for
// tokens. Those of two readers make it none: a report concerns one letter. Of
// several letters to one reader it gives the newest, as the header of a letter names
// older ones too. It proves nothing: the caller looks up the key and asks Valid.
func findLetterID(text, base string) (id LetterID, ok bool) {
	_, domain, _ := SplitAddress(base)
	text = strings.NewReplacer("%2B", "+", "%2b", "+").Replace(text)
	for _, m := range idText.FindAllStringSubmatch(text, mostIDs) {
		if m[2] != "]" && strings.TrimRight(lowerASCII(m[2][1:]), ".") != domain {
			continue
		}
		found, good := parseLetterID(lowerASCII(m[1]))
		switch {
		case !good:
		case !ok || found.Match == id.Match && found.Seat == id.Seat && found.Observer == id.Observer && found.Number > id.Number:
			id, ok = found, true
		case found.Match != id.Match || found.Seat != id.Seat || found.Observer != id.Observer:
			return LetterID{}, false
		case found.Number == id.Number && !slices.Contains(id.MACs, found.MACs[0]) && len(id.MACs) < 10:
			id.MACs = append(id.MACs, found.MACs[0])
		}
	}
	return id, ok
}

// parseLetterID accepts canonical spellings only.
func parseLetterID(s string) (LetterID, bool) {
	if t, ok := parseToken(s); ok {
		return LetterID{Match: t.Match, Seat: t.Seat, Number: t.Letter, MACs: []string{t.MAC}}, true
	}
	if t, ok := parseObserverToken(s); ok && t.Observer > 0 {
		return LetterID{Match: t.Match, Observer: t.Observer, Number: t.Number, MACs: []string{t.MAC}}, true
	}
	return LetterID{}, false
}
