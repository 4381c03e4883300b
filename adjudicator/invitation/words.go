// Package invitation reads how an invited player accepts: the words that he mixes into the dice, openly or below a seal, and the
// name that he wants to have. It changes the match and sends nothing.
package invitation

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/record"
)

// mostWords is how many characters the words of a player have at most, in letters to all.
const mostWords = 300

// CleanWords makes words fit to be shown on a line and hashed. For example, " a\n b " becomes "a b".
func CleanWords(words string) string {
	words = letter.Printable(words)
	if r := []rune(words); len(r) > mostWords {
		words = strings.TrimSpace(string(r[:mostWords]))
	}
	return words
}

// A player who knows the secret of a match and is the last to choose his words can try many words, and take those whose dice
// please him. Sealed words prevent that: their SHA-256 comes first, and they are opened when all players have joined. One player
// who seals his words and opens them is enough.

// How players mix words into the dice.
const (
	WordsOpen   = "open"
	WordsSealed = "sealed"
)

// ParseWords reads "open" or "sealed", and reports whether words have to be sealed.
func ParseWords(text string) (sealed bool, err error) {
	if text != WordsOpen && text != WordsSealed {
		return false, fmt.Errorf("%q is none of %s, %s", text, WordsOpen, WordsSealed)
	}
	return text == WordsSealed, nil
}

// SealWords cleans words as OPEN does, and returns them with their seal, e.g. for `samizdat seal`.
func SealWords(text string) (words, seal string, err error) {
	words = letter.Printable(text)
	switch {
	case words == "":
		return "", "", errors.New("there are no words to seal")
	case words != CleanWords(words):
		return "", "", fmt.Errorf("words have at most %d characters", mostWords)
	}
	return words, record.SealWords(words), nil
}

// typewriter undoes what mail programs make of typed characters.
var typewriter = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", "–", "-", "—", "--", "…", "...")

// findSealed finds the words of a seal in the text behind OPEN: its first row or more, as a mail program has broken it, with
// quotation marks around it or without.
func findSealed(seal, text string) (words string, found bool) {
	rows := strings.Split(text, "\n")
	for n := range rows {
		words = CleanWords(strings.Join(rows[:n+1], " "))
		for _, w := range []string{words, typewriter.Replace(words)} {
			for _, w := range []string{w, strings.Trim(w, `"'`)} {
				if record.MatchesSeal(seal, w) {
					return w, true
				}
			}
		}
	}
	return "", false
}

// ParseTalk reads "on" or "off", and reports whether messages between players are carried.
func ParseTalk(text string) (on bool, err error) {
	if text != "on" && text != "off" {
		return false, fmt.Errorf("%q is neither on nor off", text)
	}
	return text == "on", nil
}

// BeaconTerms say how a public beacon is mixed into the chance of a new match.
type BeaconTerms struct {
	// Mixed means that the beacon is mixed in. Wait is how long after the time of its round the match begins without it; 0 means
	// never.
	Mixed bool
	Wait  time.Duration
}

// The ways to mix a beacon in.
const (
	BeaconNone = "none"
	BeaconWait = "wait"
	BeaconTry  = "try"
)

// defaultWait is the Wait of BeaconTry without a time.
const defaultWait = 24 * time.Hour

// ParseBeacon reads "none", "wait", "try", or "try 6h".
func ParseBeacon(text string) (t BeaconTerms, err error) {
	mode, span, _ := strings.Cut(text, " ")
	switch {
	case text == BeaconNone:
		return t, nil
	case text == BeaconWait:
		return BeaconTerms{Mixed: true}, nil
	case text == BeaconTry:
		return BeaconTerms{Mixed: true, Wait: defaultWait}, nil
	case mode == BeaconTry:
		d, err := time.ParseDuration(strings.TrimSpace(span))
		if err != nil || d < time.Minute {
			return t, fmt.Errorf("%q is no time of a minute or more, such as 6h", span)
		}
		return BeaconTerms{Mixed: true, Wait: d}, nil
	}
	return t, fmt.Errorf("%q is none of %s, %s, %s", text, BeaconNone, BeaconWait, BeaconTry)
}
