package record

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// lineEndings are the line endings that may follow sealed words: none (printf %s), \n (echo), \r\n
// (Windows).
var lineEndings = []string{"", "\n", "\r\n"}

// SealWords returns the seal of a player's words: their SHA-256 in hexadecimal.
func SealWords(words string) string { return digest([]byte(words)) }

// MatchesSeal reports whether a seal is that of the words, with or without a line break. Words in
// the key have no line break; otherwise a player could choose between two keys.
func MatchesSeal(seal, words string) bool {
	return !strings.ContainsAny(words, "\r\n") && slices.ContainsFunc(lineEndings, func(end string) bool { return SealWords(words+end) == seal })
}

// ParseSeal parses a seal as programs print it: in any case, perhaps in groups, perhaps followed by
// the "-" of sha256sum.
func ParseSeal(text string) (string, error) {
	fields := strings.Fields(text)
	if n := len(fields); n > 1 && strings.TrimLeft(fields[n-1], "*") == "-" {
		fields = fields[:n-1]
	}
	seal := strings.ToLower(strings.TrimRight(strings.Join(fields, ""), "."))
	if b, err := hex.DecodeString(seal); err != nil || len(b) != 32 {
		return "", errors.New("a seal is a SHA-256, written as 64 hexadecimal digits")
	}
	return seal, nil
}

// VerifySeals checks that each seat's words match its seal, if the words were sealed. Public
// records can be verified too.
func VerifySeals(rec *Record) error {
	h := rec.Header
	if len(h.Seals) == 0 {
		return nil
	}
	if len(h.Seals) != len(h.Words) {
		return fmt.Errorf("line 1: there are %d seals for the words of %d seats", len(h.Seals), len(h.Words))
	}
	for i, seal := range h.Seals {
		if !MatchesSeal(seal, h.Words[i]) {
			return fmt.Errorf("line 1: the words of seat %d are not those that were sealed", i+1)
		}
	}
	return nil
}
