package attack

import (
	"slices"
	"strings"
	"testing"

	"samizdat/internal/report"
)

// TestHeadersChanged: whoever has the secret changes what the match was agreed to be, and
// chains everything again. What the outcomes come from cannot change without them; where a
// record cannot show it, what players hold does.
func TestHeadersChanged(t *testing.T) {
	t.Parallel()
	plain := dawn(t, 1).steps(9).resign().lines
	held := report.Evidence{Hashes: []string{plain.head()}}
	for name, change := range map[string]func(h object){
		"match":               func(h object) { h["match"] = "m2" },
		"no match":            func(h object) { delete(h, "match") },
		"rules":               func(h object) { h["rules"] = 1 },
		"rules to come":       func(h object) { h["rules"] = 99 },
		"game":                func(h object) { h["game"] = "council" },
		"an option":           func(h object) { h["options"] = object{"extra": "2"} },
		"version":             func(h object) { h["version"] = 2 },
		"format":              func(h object) { h["format"] = "other" },
		"words":               func(h object) { h["words"] = []any{"the lamp is lit", "no river is straighter"} },
		"words swapped":       func(h object) { slices.Reverse(h["words"].([]any)) },
		"no words":            func(h object) { h["words"] = []any{} },
		"no member for words": func(h object) { delete(h, "words") },
		"one word":            func(h object) { h["words"] = h["words"].([]any)[:1] },
		"a word more":         func(h object) { h["words"] = append(h["words"].([]any), "") },
		"secret":              func(h object) { h["secret"] = strings.Repeat("00", 32) },
		"a seat more":         func(h object) { h["seats"].(object)["observer"] = "player 3" },
		"a seat less":         func(h object) { delete(h["seats"].(object), "democrat") },
		"a seat's name":       func(h object) { h["seats"] = object{"democrat": "player 1", "chair": "player 2"} },
	} {
		l := plain.clone()
		change(l.header)
		l.commit()
		l.rechain(0)
		if v := verify(l.text(), report.Evidence{}); v.good {
			t.Errorf("%s: it is approved", name)
		}
		if v := verify(l.text(), held); v.good {
			t.Errorf("%s: it is approved, whatever letters said", name)
		}
	}
}

// TestSecretsOfAnyForm: what is not 32 bytes, in lower-case digits, is no secret, whatever
// its digest.
func TestSecretsOfAnyForm(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"", "00", strings.Repeat("00", 31), strings.Repeat("00", 33)} {
		m := begin(t, dawn(t, 1).game, 1, func(h object) {
			h["secret"] = secret
			(lines{header: h}).commit()
		})
		if v := verify(m.steps(4).resign().text(), report.Evidence{}); v.good {
			t.Errorf("a secret of %d digits: it is approved", len(secret))
		}
	}
	for _, name := range []string{"secret", "commitment"} {
		l := dawn(t, 1).steps(3).resign().lines
		l.header[name] = strings.ToUpper(l.header[name].(string))
		l.rechain(0)
		if v := verify(l.text(), report.Evidence{}); v.good {
			t.Errorf("a %s in capitals: it is approved", name)
		}
	}
}

// TestWithoutWords: without words of every seat whoever chose the secret chose the dice.
func TestWithoutWords(t *testing.T) {
	t.Parallel()
	for name, words := range map[string][]any{"none": {}, "empty": {"", ""}, "of one seat": {"the lamp is lit"}, "empty of one seat": {"", "the lamp is lit"}} {
		m := begin(t, dawn(t, 1).game, 1, func(h object) { h["words"] = words })
		if v := verify(m.steps(4).resign().text(), report.Evidence{}); v.good {
			t.Errorf("words %s: it is approved", name)
		}
	}
}

// TestDiceFromElsewhere: a record whose dice are the operator's own says so, and is no
// record of a match that was played by the stream.
func TestDiceFromElsewhere(t *testing.T) {
	t.Parallel()
	m := begin(t, dawn(t, 1).game, 1, func(h object) { h["chance"] = "recorded" })
	m.bend = func(_ string, m, _ int) int { return m - 1 }
	v := verify(m.steps(9).resign().text(), report.Evidence{})
	if v.good && !strings.Contains(v.said, "recorded elsewhere") {
		t.Errorf("dice of 6 are approved without a word: %s", v.said)
	}
	l := dawn(t, 1).steps(9).resign().lines
	l.header["chance"] = "sealed"
	l.rechain(0)
	if v := verify(l.text(), report.Evidence{}); v.good {
		t.Error("chance of another kind is approved")
	}
}

// TestBetweenMatches: secrets, words and entries are exchanged between two matches.
func TestBetweenMatches(t *testing.T) {
	t.Parallel()
	one, two := dawn(t, 1).steps(9).resign().lines, dawn(t, 2).steps(9).resign().lines
	for name, forge := range map[string]func(l lines) lines{
		"secret":                func(l lines) lines { l.header["secret"] = two.header["secret"]; return l },
		"secret and commitment": func(l lines) lines { l.header["secret"] = two.header["secret"]; l.commit(); return l },
		"secret, chained": func(l lines) lines {
			l.header["secret"] = two.header["secret"]
			l.commit()
			l.rechain(0)
			return l
		},
		"header":          func(l lines) lines { l.header = two.clone().header; return l },
		"header, chained": func(l lines) lines { l.header = two.clone().header; l.rechain(0); return l },
		"the end":         func(l lines) lines { l.entries = append(l.entries[:6], two.clone().entries[6:]...); return l },
		"the end, chained": func(l lines) lines {
			l.entries = append(l.entries[:6], two.clone().entries[6:]...)
			l.rechain(6)
			return l
		},
		"an entry, chained": func(l lines) lines { l.entries[7] = two.clone().entries[7]; l.rechain(7); return l },
		"both, one behind the other": func(l lines) lines {
			l.entries = append(l.entries, two.clone().entries...)
			return l
		},
		"both, chained": func(l lines) lines {
			l.entries = append(l.entries, two.clone().entries...)
			for k := range l.entries {
				l.entries[k]["seq"] = k
			}
			l.rechain(0)
			return l
		},
		"the header twice": func(l lines) lines { l.entries = slices.Insert(l.entries, 0, l.header); return l },
		"the header of the other behind it": func(l lines) lines {
			l.entries = append([]object{two.header}, l.entries...)
			return l
		},
	} {
		if v := verify(forge(one.clone()).text(), report.Evidence{}); v.good {
			t.Errorf("%s: it is approved", name)
		}
	}
}
