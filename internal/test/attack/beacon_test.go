package attack

import (
	"testing"

	"samizdat/internal/report"
	"samizdat/rules/dawn1989"
)

// rounds are two that quicknet has published.
var rounds = map[int]string{
	1000:   "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
	657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
}

// lit is a match with a round of the beacon in its dice, or what is said to be one.
func lit(t *testing.T, chain string, round int, signature string) *table {
	t.Helper()
	return begin(t, dawn1989.Game(), 1, func(h object) {
		h["beacon"] = object{"chain": chain, "round": round, "signature": signature}
	}).steps(8).resign()
}

// TestRoundsGround: the operator takes a round of the beacon whose dice please him, or makes
// one up. One that was not published fails; another than the letter named does, once that is given.
func TestRoundsGround(t *testing.T) {
	t.Parallel()
	named := report.Evidence{Rounds: []int64{1000}}
	honest := lit(t, "quicknet", 1000, rounds[1000])
	if v := verify(honest.text(), named); !v.good {
		t.Fatal(v.said)
	}
	if v := verify(lit(t, "quicknet", 657413, rounds[657413]).text(), named); v.good {
		t.Error("a round that no letter named is approved")
	}
	if v := verify(dawn(t, 1).steps(8).resign().text(), named); v.good {
		t.Error("a match without the round that a letter named is approved")
	}
	made := "a" + rounds[1000][1:]
	for name, forged := range map[string]*table{
		"a signature that is made up":     lit(t, "quicknet", 1000, made),
		"the signature of another round":  lit(t, "quicknet", 1000, rounds[657413]),
		"no signature":                    lit(t, "quicknet", 1000, ""),
		"a beacon of the operator":        lit(t, "ours", 1000, rounds[1000]),
		"a beacon without a name":         lit(t, "", 1000, rounds[1000]),
		"a round before there were any":   lit(t, "quicknet", 0, rounds[1000]),
		"a signature with a space behind": lit(t, "quicknet", 1000, rounds[1000]+" "),
	} {
		for form, l := range map[string]lines{"open": forged.lines, "public": forged.public()} {
			if v := judged(l.text(), report.Evidence{}, true); v.good {
				t.Errorf("%s, %s: it is approved", name, form)
			}
		}
	}
	for name, change := range map[string]func(h object){
		"no beacon": func(h object) { delete(h, "beacon") },
		"another round": func(h object) {
			h["beacon"] = object{"chain": "quicknet", "round": 657413, "signature": rounds[657413]}
		},
		"a member more":     func(h object) { h["beacon"].(object)["odds"] = 1 },
		"a name in letters": func(h object) { h["beacon"].(object)["Round"] = 657413 },
	} {
		l := honest.clone()
		change(l.header)
		if v := verify(l.text(), report.Evidence{}); v.good {
			t.Errorf("%s: it is approved", name)
		}
		l.rechain(0)
		if v := verify(l.text(), report.Evidence{}); v.good {
			t.Errorf("%s, chained again: it is approved", name)
		}
	}
}
