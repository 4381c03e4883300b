// Package invitation handles the answers of invited players: the words that they mix into the dice, open or sealed, and their names. It
// changes the match; package adjudicator writes the letters.
package invitation

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/record"
)

// maxWordsLength is the maximum number of characters of a player's words.
const maxWordsLength = 300

// CleanWords normalises words to one line for display and hashing, and cuts them after maxWordsLength characters. For example, " a\n b "
// becomes "a b".
func CleanWords(words string) string {
	words = letter.CleanLine(words)
	if r := []rune(words); len(r) > maxWordsLength {
		words = strings.TrimSpace(string(r[:maxWordsLength]))
	}
	return words
}

// The ways in which players contribute words to the dice seed. A player who knows the referee's secret and chooses words last
// could try many words, and use those with the best dice. Sealed words prevent this (commit and reveal): their SHA-256 is
// published first, and the words are revealed when all players have joined. The dice are fair if at least one player is
// honest.
const (
	WordsOpen   = "open"
	WordsSealed = "sealed"
)

// ParseWords reads "open" or "sealed", and reports whether words have to be sealed.
func ParseWords(text string) (isSealed bool, err error) {
	if text != WordsOpen && text != WordsSealed {
		return false, fmt.Errorf("%q is invalid; use one of %s, %s", text, WordsOpen, WordsSealed)
	}
	return text == WordsSealed, nil
}

// SealWords normalises words, and returns them with their seal, for the command `samizdat seal`. The order OPEN normalises in the same
// way, except that it cuts long words, which are an error here.
func SealWords(text string) (words, seal string, err error) {
	words = letter.CleanLine(text)
	switch {
	case words == "":
		return "", "", errors.New("there are no words to seal")
	case words != CleanWords(words):
		return "", "", fmt.Errorf("words have at most %d characters", maxWordsLength)
	}
	return words, record.SealWords(words), nil
}

var asciiReplacer = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", "–", "-", "—", "--", "…", "...")

// findWordsOfSeal finds the words of a seal in the text after OPEN. It tries the first row, the first two rows and so
// on, each with and without quotation marks, because a mail program may have wrapped the words.
func findWordsOfSeal(seal, text string) (words string, found bool) {
	rows := strings.Split(text, "\n")
	for n := range rows {
		words = CleanWords(strings.Join(rows[:n+1], " "))
		for _, w := range []string{words, asciiReplacer.Replace(words)} {
			for _, w := range []string{w, strings.Trim(w, `"'`)} {
				if record.MatchesSeal(seal, w) {
					return w, true
				}
			}
		}
	}
	return "", false
}

// ParseTalk reads "on" or "off", and reports whether players can send messages to each other.
func ParseTalk(text string) (isOn bool, err error) {
	if text != "on" && text != "off" {
		return false, fmt.Errorf("%q is invalid; use on or off", text)
	}
	return text == "on", nil
}

// BeaconTerms are the terms for mixing a public beacon into a new match.
type BeaconTerms struct {
	IsUsed bool
	// Wait is the time after which the match begins without the beacon; 0 means that the match waits without limit.
	Wait time.Duration
}

// The modes of a beacon: not used, waited for without limit, or waited for a limited time.
const (
	BeaconNone = "none"
	BeaconWait = "wait"
	BeaconTry  = "try"
)

// defaultWait is BeaconTerms.Wait of the mode "try".
const defaultWait = 24 * time.Hour

// ParseBeacon reads "none", "wait", "try", or "try 6h".
func ParseBeacon(text string) (t BeaconTerms, err error) {
	mode, span, _ := strings.Cut(text, " ")
	switch {
	case text == BeaconNone:
		return t, nil
	case text == BeaconWait:
		return BeaconTerms{IsUsed: true}, nil
	case text == BeaconTry:
		return BeaconTerms{IsUsed: true, Wait: defaultWait}, nil
	case mode == BeaconTry:
		d, err := time.ParseDuration(strings.TrimSpace(span))
		if err != nil || d < time.Minute {
			return t, fmt.Errorf("%q is invalid; use a time of a minute or more, such as 6h", span)
		}
		return BeaconTerms{IsUsed: true, Wait: d}, nil
	}
	return t, fmt.Errorf("%q is invalid; use one of %s, %s, %s", text, BeaconNone, BeaconWait, BeaconTry)
}
