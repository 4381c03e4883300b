package attack

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"samizdat/internal/report"
	"samizdat/rules/dawn1989"
)

// luck is the sum of a record's dice, which a cheat wants high.
func luck(l lines) (sum int) {
	for _, e := range l.entries {
		for _, o := range objects(e["chance"]) {
			sum += number(o["roll"])
		}
	}
	return sum
}

// TestSeedsGround: the operator tries secrets once the words are known, and plays the match
// with the one that pleases him. The record is without fault, but for the commitment that
// went out with the invitations, and the hashes in letters.
func TestSeedsGround(t *testing.T) {
	t.Parallel()
	honest := dawn(t, 1).steps(12).resign()
	best := honest
	for try := range byte(8) {
		m := begin(t, dawn1989.Game(), 1, func(h object) {
			h["secret"] = fmt.Sprintf("%x", sha256.Sum256([]byte{1, try}))
			(lines{header: h}).commit()
		}).steps(12).resign()
		if luck(m.lines) > luck(best.lines) {
			best = m
		}
	}
	if best == honest {
		t.Fatal("no secret was better")
	}
	commitment := report.Evidence{Commitments: []string{honest.header["commitment"].(string)}}
	for name, held := range map[string]report.Evidence{
		"the commitment": commitment,
		"the first hash": {Hashes: []string{honest.entries[0]["hash"].(string)}},
	} {
		if v := verify(best.text(), held); v.good {
			t.Errorf("with %s it is approved", name)
		}
	}
	forged := best.clone()
	forged.header["commitment"] = honest.header["commitment"]
	if v := verify(forged.text(), commitment); v.good {
		t.Error("another secret below the old commitment is approved")
	}
	forged.rechain(0)
	if v := verify(forged.text(), commitment); v.good {
		t.Error("another secret below the old commitment is approved when all is chained again")
	}
}

// TestWordsGround: who knows the secret and joins last tries words until the deal pleases
// him. With open words nothing tells: the record is that of a match in which somebody wrote
// these words. docs/fairness.md says so.
func TestWordsGround(t *testing.T) {
	t.Parallel()
	var best *table
	for try := range 8 {
		m := begin(t, dawn1989.Game(), 1, func(h object) { h["words"] = []any{"the lamp is lit", fmt.Sprint("word ", try)} }).steps(12).resign()
		if best == nil || luck(m.lines) > luck(best.lines) {
			best = m
		}
	}
	held := report.Evidence{Words: []string{"the lamp is lit"}, Hashes: []string{best.head()}, Commitments: []string{best.header["commitment"].(string)}}
	if v := verify(best.text(), held); !v.good {
		t.Error("a verifier found words that were ground; docs/fairness.md says that none can:", v.said)
	}
	// Words of the other player are not his to choose.
	l := best.clone()
	l.header["words"].([]any)[0] = "the lamp is out"
	l.rechain(0)
	if v := verify(l.text(), held); v.good {
		t.Error("a player's words were replaced, and it is approved")
	}
}

// ground plays a match whose dice the operator likes: before each entry he raises the
// epoch until they are high, in the way that raise tells.
func ground(t *testing.T, raise func(m *table)) *table {
	t.Helper()
	m := dawn(t, 4).steps(12)
	for range 6 {
		best, sum := 0, -1
		for epochs := range 4 {
			trial := *m
			trial.lines, trial.pos, trial.before = lines{m.header, slices.Clone(m.entries)}, m.pos.Clone(), slices.Clone(m.before)
			for range epochs {
				raise(&trial)
			}
			kept := len(trial.entries)
			trial.answerFirst()
			if s := luck(lines{entries: trial.entries[kept:]}); s > sum {
				best, sum = epochs, s
			}
		}
		for range best {
			raise(m)
		}
		m.answerFirst()
	}
	return m.resign()
}

// TestEpochsGround: the operator raises the epoch before an entry until its dice please him.
// A rise without an entry fails; rises with a forged entry are counted, listed, and told in
// letters, each of which a player can ask about.
func TestEpochsGround(t *testing.T) {
	t.Parallel()
	silent := ground(t, func(m *table) { m.epoch++ })
	if silent.epoch == 0 {
		t.Fatal("no other epoch was better")
	}
	v := verify(silent.text(), report.Evidence{})
	first := slices.IndexFunc(silent.entries, func(e object) bool { return number(e["epoch"]) > 0 })
	if v.good || !v.names(first) {
		t.Errorf("entry %d raises the epoch by itself: approved %t, %s", first, v.good, v.said)
	}
	if v := judged(silent.public().text(), report.Evidence{}, true); v.good || !v.names(first) {
		t.Errorf("in public, entry %d raises the epoch by itself: approved %t, %s", first, v.good, v.said)
	}
	forged := ground(t, (*table).restore)
	v = verify(forged.text(), report.Evidence{})
	for k, e := range forged.entries {
		if act, is := e["act"].(object); is && act["kind"] == "restore" && !strings.Contains(v.said, fmt.Sprintf("entry %d, epoch %d: ", k, number(e["epoch"]))) {
			t.Errorf("the restore of entry %d is not told: %s", k, v.said)
		}
	}
	if !v.good || !strings.Contains(v.said, fmt.Sprintf("Epochs: %d new", forged.epoch)) {
		t.Errorf("%d restores are not counted: %s", forged.epoch, v.said)
	}
}

// answerFirst answers with the first option, so that it is the epoch alone that tells.
func (m *table) answerFirst() {
	m.Helper()
	for i := range m.robots {
		m.robots[i] = first{}
	}
	m.step()
}

// TestForks: two players are shown two histories, which part at one entry. Each is without
// fault; the hash that one player holds is not in the other's.
func TestForks(t *testing.T) {
	t.Parallel()
	one, two := dawn(t, 5).steps(8), dawn(t, 5).steps(8)
	two.answerFirst()
	one.steps(6).resign()
	two.steps(6).resign()
	if one.entries[8]["hash"] != two.entries[8]["hash"] || one.entries[9]["hash"] == two.entries[9]["hash"] {
		t.Fatal("the histories do not part at entry 9")
	}
	for k := 9; k < len(one.entries); k++ {
		held := report.Evidence{Hashes: []string{one.entries[8]["hash"].(string), one.entries[k]["hash"].(string)}}
		if v := verify(one.text(), held); !v.good {
			t.Errorf("his own history is refused: %s", v.said)
		}
		if v := verify(two.text(), held); v.good || !strings.Contains(v.said, held.Hashes[1][:12]) {
			t.Errorf("the other's history is approved, or the hash not named: %s", v.said)
		}
	}
}

// TestRechained: whoever has the secret writes a history that could have been: other times,
// another letter, another reason for an outcome, another player, another legal order. Only what letters told can find it, and does.
func TestRechained(t *testing.T) {
	t.Parallel()
	honest := dawn(t, 6).steps(9)
	other := dawn(t, 6).steps(7)
	other.answerFirst()
	for name, l := range map[string]lines{
		"a time": func() lines {
			l := honest.clone()
			l.entries[9]["at"] = "1989-06-04T09:30:00Z"
			return l
		}(),
		"what an outcome is for": func() lines {
			l := honest.clone()
			objects(l.entries[0]["chance"])[0]["for"] = "luck"
			return l
		}(),
		"who sits there": func() lines {
			l := honest.clone()
			l.entries[3] = object{"seq": 3, "at": l.entries[3]["at"], "seat": "communist", "player": "player 9", "state": l.entries[2]["state"]}
			l.entries = l.entries[:4]
			return l
		}(),
		"a letter": func() lines {
			l := honest.clone()
			l.entries[6]["letter"] = digest("another")
			return l
		}(),
		"a legal order": other.steps(1).lines.clone(),
	} {
		l.rechain(0)
		if v := judged(l.text(), report.Evidence{}, true); !v.good {
			t.Errorf("%s: a history that could have been is refused: %s", name, v.said)
		}
		if v := judged(l.text(), report.Evidence{Hashes: []string{honest.head()}}, true); v.good {
			t.Errorf("%s: it is approved", name)
		}
	}
}

// TestCut: a history that stops before its end is not that of the match.
func TestCut(t *testing.T) {
	t.Parallel()
	m := dawn(t, 1).steps(9).resign()
	for k := 1; k < len(m.entries); k++ {
		l := lines{header: m.header, entries: m.entries[:k]}
		if v := verify(l.text(), report.Evidence{}); v.good {
			t.Errorf("a history of %d entries out of %d is approved", k, len(m.entries))
		}
		if v := judged(l.text(), report.Evidence{Hashes: []string{m.head()}}, true); v.good {
			t.Errorf("a history of %d entries without the newest hash is approved", k)
		}
	}
	if v := verify((lines{header: m.header}).text(), report.Evidence{}); v.good {
		t.Error("a header alone is approved")
	}
	if v := judged((lines{header: m.header}).text(), report.Evidence{}, true); v.good {
		t.Error("a header alone is approved as part of a record")
	}
}

// TestDropped: entries are left out, repeated and swapped, numbered anew or not, with and
// without a new chain.
func TestDropped(t *testing.T) {
	t.Parallel()
	m := dawn(t, 7).steps(12).resign()
	for k := 1; k < 12; k += 3 {
		for name, change := range map[string]func(e []object) []object{
			"dropped":  func(e []object) []object { return slices.Delete(e, k, k+1) },
			"repeated": func(e []object) []object { return slices.Insert(e, k, maps.Clone(e[k])) },
			"swapped":  func(e []object) []object { e[k], e[k+1] = e[k+1], e[k]; return e },
		} {
			for _, numbered := range []bool{false, true} {
				for _, chained := range []bool{false, true} {
					l := m.clone()
					l.entries = change(l.entries)
					for i := range l.entries {
						if numbered {
							l.entries[i]["seq"] = i
						}
					}
					if chained {
						l.rechain(1)
					}
					if v := verify(l.text(), report.Evidence{Hashes: []string{m.head()}}); v.good {
						t.Errorf("entry %d %s, numbered anew: %t, chained: %t: it is approved", k, name, numbered, chained)
					}
				}
			}
		}
	}
}

// TestInvented: entries that never were stand in the chain: without a move, or behind the end.
func TestInvented(t *testing.T) {
	t.Parallel()
	for name, invent := range map[string]func(m *table){
		"nothing":              func(m *table) { m.add(object{"seat": nil}) },
		"nothing of a seat":    func(m *table) { m.add(object{"seat": "democrat"}) },
		"nothing with dice":    func(m *table) { m.add(object{"seat": nil, "chance": []any{object{"roll": 6, "for": "luck"}}}) },
		"no orders":            func(m *table) { m.n++; m.add(object{"seat": "democrat", "orders": []any{}}) },
		"no answers":           func(m *table) { m.n++; m.add(object{"seat": nil, "answers": []any{}}) },
		"a count":              func(m *table) { m.n++; m.add(object{"seat": nil, "tally": object{"group": 0, "outcome": object{}}}) },
		"a setup":              func(m *table) { m.add(object{"seat": nil, "setup": m.setup()}) },
		"a claim without time": func(m *table) { m.act("democrat", object{"kind": "claim"}) },
		"a director's tale by a player": func(m *table) {
			m.act("democrat", object{"kind": "tell", "by": "director", "why": "well"})
		},
		"a tale of nothing":       func(m *table) { m.act(nil, object{"kind": "tell", "by": "director"}) },
		"a player for nobody":     func(m *table) { m.add(object{"seat": nil, "player": "player 6"}) },
		"a player in no seat":     func(m *table) { m.add(object{"seat": "chair", "player": "player 6"}) },
		"a replace of nobody":     func(m *table) { m.act("democrat", object{"kind": "replace", "by": "director", "why": "gone"}) },
		"a restore by the way":    func(m *table) { m.act(nil, object{"kind": "restore", "by": "operator"}) },
		"a witness of nothing":    func(m *table) { m.act("democrat", object{"kind": "witness"}) },
		"a witness of what isn't": func(m *table) { m.act("democrat", object{"kind": "witness", "entry": 2, "hash": digest("")}) },
	} {
		m := dawn(t, 8).steps(6)
		invent(m)
		m.steps(2)
		if v := verify(m.resign().text(), report.Evidence{}); v.good || !v.names(7) {
			t.Errorf("%s: approved: %t, %s", name, v.good, v.said)
		}
	}
	for name, more := range map[string]func(m *table){
		"a player":    func(m *table) { m.add(object{"seat": "democrat", "player": "player 6"}) },
		"a move":      func(m *table) { m.steps(1) },
		"another end": func(m *table) { m.resign() },
		"an undo":     func(m *table) { m.back(8, "") },
		"a take-back": func(m *table) { m.back(6, "communist") },
		"a tale":      func(m *table) { m.act(nil, object{"kind": "tell", "by": "director", "why": "well"}) },
		"a restore":   (*table).restore,
	} {
		m := dawn(t, 8).steps(7).resign()
		more(m)
		if v := verify(m.text(), report.Evidence{}); v.good || !v.names(9) {
			t.Errorf("%s behind the end: approved: %t, %s", name, v.good, v.said)
		}
	}
}

// TestMerged: two answers in one entry would be other dice for the second: who knows the
// secret could choose.
func TestMerged(t *testing.T) {
	t.Parallel()
	m := dawn(t, 9).steps(4)
	m.merge()
	if v := judged(m.text(), report.Evidence{}, true); v.good || !v.names(len(m.entries)-1) {
		t.Errorf("approved: %t, %s", v.good, v.said)
	}
}

// TestTakenBackForDice: a forged take-back goes back to before a die, a card, or an order of
// somebody else. The referee takes back no such thing, so no record of his has it.
func TestTakenBackForDice(t *testing.T) {
	t.Parallel()
	m := dawn(t, 1).steps(8)
	rolled := slices.IndexFunc(m.entries, func(e object) bool { return len(objects(e["chance"])) > 0 && number(e["seq"]) > 0 })
	for name, back := range map[string]func(m *table){
		"a die":                func(m *table) { m.back(rolled, m.entries[rolled]["seat"].(string)) },
		"an order of another":  func(m *table) { m.back(2, "communist") },
		"an order before last": func(m *table) { m.back(1, "communist") },
	} {
		m := dawn(t, 1).steps(rolled)
		back(m)
		m.steps(3)
		if v := verify(m.resign().text(), report.Evidence{}); v.good || !v.names(rolled+1) {
			t.Errorf("%s taken back: approved: %t, %s", name, v.good, v.said)
		}
	}
}
