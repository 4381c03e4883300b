package attack

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"samizdat/internal/report"
	"samizdat/rules/dawn1989"
)

// sealOf is the seal of words, as `printf %s "words" | sha256sum` makes it.
func sealOf(words string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(words))) }

// withSeals is a match whose words were sealed; the second seat's may be others than its
// player had sealed.
func withSeals(t *testing.T, sealed, opened string) *table {
	t.Helper()
	return begin(t, dawn1989.Game(), 1, func(h object) {
		h["words"] = []any{"the lamp is lit", opened}
		h["seals"] = []any{sealOf("the lamp is lit"), sealOf(sealed)}
	}).steps(12).resign()
}

// TestSealedWordsGround: who knows the secret has sealed words before he knew those of the
// other player. Once they are open, no other words of his have that seal.
func TestSealedWordsGround(t *testing.T) {
	t.Parallel()
	const mine = "no river is straight"
	honest := withSeals(t, mine, mine)
	shown := report.Evidence{Seals: []string{sealOf("the lamp is lit"), sealOf(mine)}}
	if v := verify(honest.text(), shown); !v.good {
		t.Fatal(v.said)
	}
	best, at := honest, mine
	for try := range 8 {
		words := fmt.Sprint("word ", try)
		if m := withSeals(t, mine, words); luck(m.lines) > luck(best.lines) {
			best, at = m, words
		}
	}
	if best == honest {
		t.Fatal("no words were better")
	}
	if v := verify(best.text(), report.Evidence{}); v.good {
		t.Error("words that were not sealed are approved")
	}
	if v := verify(best.public().text(), report.Evidence{}); v.good {
		t.Error("words that were not sealed are approved in public")
	}
	// With another seal the record is without fault, but not with the one that was shown.
	if v := verify(withSeals(t, at, at).text(), shown); v.good {
		t.Error("words below another seal are approved")
	}
	open := best.clone()
	delete(open.header, "seals")
	open.rechain(0)
	if v := verify(open.text(), shown); v.good {
		t.Error("a record without the seals is approved")
	}
}

// TestSealsOfTwoWords: what may stand behind words that were sealed may not be part of them:
// else one seal would fit several words, to choose from when the other player's are known.
func TestSealsOfTwoWords(t *testing.T) {
	t.Parallel()
	const mine = "no river is straight\r\n"
	for _, opened := range []string{mine, "no river is straight\r"} {
		if v := verify(withSeals(t, mine, opened).text(), report.Evidence{}); v.good {
			t.Errorf("%q is approved", opened)
		}
	}
	if v := verify(withSeals(t, mine, "no river is straight").text(), report.Evidence{}); !v.good {
		t.Error(v.said)
	}
}

// TestSealsChanged: the seals are part of what the chain binds.
func TestSealsChanged(t *testing.T) {
	t.Parallel()
	const mine = "no river is straight"
	honest := withSeals(t, mine, mine)
	for name, change := range map[string]func(h object){
		"none":     func(h object) { delete(h, "seals") },
		"empty":    func(h object) { h["seals"] = []any{} },
		"one":      func(h object) { h["seals"] = h["seals"].([]any)[:1] },
		"one more": func(h object) { h["seals"] = append(h["seals"].([]any), sealOf("")) },
		"swapped":  func(h object) { slices.Reverse(h["seals"].([]any)) },
		"empty of a seat": func(h object) {
			h["seals"].([]any)[1] = ""
		},
	} {
		l := honest.clone()
		change(l.header)
		if v := verify(l.text(), report.Evidence{}); v.good {
			t.Errorf("%s: it is approved", name)
		}
	}
}
