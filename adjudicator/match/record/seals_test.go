package record

import (
	"strings"
	"testing"
)

// TestSealed: for one seal there are only one player's words, whatever ends them.
func TestSealed(t *testing.T) {
	t.Parallel()
	const words = "eleven umbrellas"
	for _, sealed := range []string{words, words + "\n", words + "\r\n"} {
		seal := SealWords(sealed)
		for _, w := range []string{words, words + "\n", words + "\r", words + "\r\n", words + " ", " " + words, "eleven  umbrellas", "Eleven umbrellas", ""} {
			if got := MatchesSeal(seal, w); got != (w == words) {
				t.Errorf("the seal of %q is that of %q: %t", sealed, w, got)
			}
		}
	}
	if MatchesSeal(SealWords(words+"\n\n"), words) || MatchesSeal(strings.ToUpper(SealWords(words)), words) || MatchesSeal("", "") {
		t.Error("another seal is good as well")
	}
}

// TestParseSeal: a seal is read as programs print one.
func TestParseSeal(t *testing.T) {
	t.Parallel()
	seal := SealWords("eleven umbrellas")
	for text, good := range map[string]bool{
		seal: true, strings.ToUpper(seal): true, seal + "  -": true, seal + " *-": true, "  " + seal + ".": true, seal[:2] + " " + seal[2:]: true,
		"": false, "-": false, seal[1:]: false, seal + "0": false, seal + " eleven umbrellas": false, "sha256 " + seal: false, strings.Repeat("g", 64): false,
	} {
		if got, err := ParseSeal(text); (err == nil) != good || good && got != seal {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
