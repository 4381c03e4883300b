package attack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"samizdat/internal/report"
	"samizdat/internal/test/long"
	"samizdat/internal/test/recordtest"
	"samizdat/rules"
)

// mutation is a record that was changed, or written otherwise.
type mutation struct {
	what string
	data []byte
	// same: it means what it meant.
	same bool
	// entry is the one that has to be named, -1 where the header is to blame. Of two that were
	// swapped the next will do, and of a cut the first that is gone.
	entry int
	next  bool
	// legal: only who knows the game finds it.
	legal bool
	// held is what a player has of the match as it was.
	held report.Evidence
}

// mutator changes records.
type mutator struct {
	*rand.Rand
	good []lines
	// short is how many of them are: the first ones.
	short int
}

// newMutator has records that this package makes, and those that were kept.
func newMutator(t *testing.T, seed uint64, kept int) *mutator {
	t.Helper()
	m := &mutator{Rand: rand.New(rand.NewPCG(seed, 1989))}
	quiet := village(t, 2)
	quiet.silent = rules.Only(1)
	for _, made := range []*table{dawn(t, 1).steps(25).resign(), dawn(t, 2).steps(25).resign(), moved(t), quiet.play(), village(t, 6).play(),
		withSeals(t, "no river is straight", "no river is straight")} {
		m.good = append(m.good, made.clone())
	}
	m.good = append(m.good, byReferee(t)...)
	m.short = len(m.good)
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "records", "*.gz"))
	if err != nil || len(files) < kept {
		t.Fatal("records are missing", err)
	}
	for _, file := range files[:kept] {
		m.good = append(m.good, read(recordtest.Unpacked(t, file)))
	}
	return m
}

// byReferee are records of the referee's own, of matches that are over: their acts, restores
// and take-backs came by letters.
func byReferee(t *testing.T) (out []lines) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "adjudicator", "testdata", "kept", "matches", "*.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		l := read(recordtest.Unpacked(t, file))
		if game := l.header["game"]; game != "1989" && game != "council" {
			continue
		}
		v := judged(l.text(), report.Evidence{}, true)
		if !v.good {
			t.Errorf("%s: %s", file, v.said)
		}
		if len(l.entries) > 2 && strings.Contains(v.said, "End: the match is over with entry ") {
			out = append(out, l)
		}
	}
	if len(out) < 3 {
		t.Errorf("%d records of the referee's own are of matches that are over", len(out))
	}
	return out
}

// next changes one of the records. Of those that were kept, which are long, it takes few.
func (m *mutator) next() mutation {
	k := m.IntN(m.short)
	if len(m.good) > m.short && m.IntN(20) == 0 {
		k = m.short + m.IntN(len(m.good)-m.short)
	}
	l := m.good[k].clone()
	x := mutation{held: report.Evidence{Hashes: hashes(l)}}
	switch kind := m.IntN(12); {
	case kind < 5:
		m.field(&x, l)
	case kind < 8:
		m.order(&x, l)
	case kind == 8:
		m.between(&x, l)
	case kind == 9:
		m.header(&x, l)
	case kind == 10:
		m.shown(&x, l)
	default:
		m.form(&x, l)
	}
	x.what = fmt.Sprintf("%s of record %d", x.what, k)
	return x
}

// hashes are all that letters may have told.
func hashes(l lines) (out []string) {
	for _, e := range l.entries {
		out = append(out, e["hash"].(string))
	}
	return out
}

// field changes a member of an entry, with a new chain or without.
func (m *mutator) field(x *mutation, l lines) {
	x.entry = m.IntN(len(l.entries))
	e := l.entries[x.entry]
	for before := string(canonical(e)); string(canonical(e)) == before; {
		x.what = m.change(e, "")
	}
	x.what = fmt.Sprintf("entry %d: %s", x.entry, x.what)
	if m.IntN(2) == 0 {
		l.rechain(x.entry)
		x.what += ", chained again"
		// A hash or a seal that was changed is made anew with the chain.
		x.same = l.head() == x.held.Hashes[len(x.held.Hashes)-1]
	}
	x.data = l.text()
}

// change changes a value below a member, and says which.
func (m *mutator) change(o object, path string) string {
	names := slices.Sorted(maps.Keys(o))
	if path == "" && m.IntN(12) == 0 || len(names) == 0 {
		added := []string{"note", "source", "silence", "private", "player", "takeback", "odds", "epoch", "letter", "orders", "setup", "expect"}
		name := added[m.IntN(len(added))]
		o[name] = map[string]any{"note": "well", "source": "7", "silence": "default", "private": true, "player": "player 9", "takeback": 1, "odds": 2,
			"epoch": 9, "letter": digest("x"), "orders": []any{"PASS"}, "setup": digest("x"), "expect": object{}}[name]
		return path + name + " put in"
	}
	name := names[m.IntN(len(names))]
	path += name
	if m.IntN(5) == 0 {
		delete(o, name)
		return path + " left out"
	}
	switch v := o[name].(type) {
	case object:
		return m.change(v, path+".")
	case []any:
		if len(v) == 0 {
			o[name] = []any{"x"}
			return path + " filled"
		}
		i := m.IntN(len(v))
		switch inner, is := v[i].(object); {
		case is && m.IntN(2) == 0:
			return m.change(inner, path+".")
		case m.IntN(3) == 0:
			o[name] = slices.Delete(v, i, i+1)
			return path + ": one dropped"
		case m.IntN(2) == 0:
			o[name] = slices.Insert(v, i, v[i])
			return path + ": one repeated"
		default:
			j := m.IntN(len(v))
			v[i], v[j] = v[j], v[i]
			return path + ": two swapped"
		}
	case json.Number:
		n := number(v)
		o[name] = []int{n + 1, n - 1, -n, n + 256, 0, m.IntN(100)}[m.IntN(6)]
	case string:
		o[name] = m.text(v)
	case bool:
		o[name] = !v
	default: // null
		o[name] = "democrat"
	}
	return path
}

// text is another text.
func (m *mutator) text(s string) string {
	if s == "" {
		return "x"
	}
	b, i := []byte(s), m.IntN(len(s))
	switch m.IntN(4) {
	case 0:
		return strings.ToUpper(s)
	case 1:
		return s + " "
	case 2:
		return s[:i]
	}
	if b[i]++; b[i] == '"'+1 || b[i] >= 0x7f {
		b[i] = '0'
	}
	return string(b)
}

// order drops, repeats or swaps entries, cuts the record, or glues it to itself.
func (m *mutator) order(x *mutation, l lines) {
	k := 1 + m.IntN(len(l.entries)-2)
	x.entry = k
	kind := m.IntN(5)
	if _, act := l.entries[k]["act"]; act {
		// An end by an act may be followed by another: nobody can tell that it was not.
		kind %= 4
	}
	switch kind {
	case 0:
		x.what = "dropped"
		l.entries = slices.Delete(l.entries, k, k+1)
	case 1:
		x.what = "repeated"
		x.entry++
		l.entries = slices.Insert(l.entries, k, maps.Clone(l.entries[k]))
	case 2:
		x.what, x.next = "swapped with the next", true
		l.entries[k], l.entries[k+1] = l.entries[k+1], l.entries[k]
	case 3:
		x.what, x.next = "the last that was left", true
		l.entries = l.entries[:k+1]
	case 4:
		x.what, x.legal = "repeated at the end", true
		x.entry = len(l.entries)
		l.entries = append(l.entries, maps.Clone(l.entries[k]))
	}
	x.what = fmt.Sprintf("entry %d %s", k, x.what)
	if m.IntN(2) == 0 {
		for i := range l.entries {
			l.entries[i]["seq"] = i
		}
		l.rechain(1)
		x.what += ", chained again"
	}
	x.data = l.text()
}

// between puts what is another match's into a record.
func (m *mutator) between(x *mutation, l lines) {
	other := m.good[m.IntN(6)].clone()
	for other.header["match"] == l.header["match"] {
		other = m.good[m.IntN(6)].clone()
	}
	switch m.IntN(4) {
	case 0:
		x.what, x.entry = "the secret of another match", -1
		l.header["secret"] = other.header["secret"]
	case 1:
		x.what, x.entry = "secret and commitment of another match", -1
		l.header["secret"], l.header["commitment"] = other.header["secret"], other.header["commitment"]
	case 2:
		x.what, x.entry = "the words of another match", -1
		l.header["words"] = []any{"words of", "another"}
	case 3:
		k := 1 + m.IntN(min(len(l.entries), len(other.entries))-2)
		x.what, x.entry = fmt.Sprintf("entry %d and all that follow of another match", k), k
		l.entries = append(l.entries[:k], other.entries[k:]...)
	}
	if m.IntN(2) == 0 {
		l.rechain(max(0, x.entry))
		x.what += ", chained again"
	}
	x.data = l.text()
}

// header changes a member of the header that the chain binds, with a new chain or without.
func (m *mutator) header(x *mutation, l lines) {
	bound := []string{"format", "version", "game", "rules", "match", "options", "commitment", "words", "secret"}
	name := bound[m.IntN(len(bound))]
	x.what, x.entry = "header: "+name, -1
	switch v := l.header[name].(type) {
	case string:
		for l.header[name] == v {
			l.header[name] = m.text(v)
		}
	case json.Number:
		l.header[name] = number(v) + 1
	case []any:
		l.header[name] = append(v[:m.IntN(len(v))], m.text("words"))
	case object:
		v["extra"] = "1"
	}
	if name != "secret" && m.IntN(2) == 0 {
		l.rechain(0)
		x.what += ", chained again"
	}
	x.data = l.text()
}

// shown changes the public form.
func (m *mutator) shown(x *mutation, l lines) {
	p := l.public()
	x.entry = m.IntN(len(p.entries))
	before := string(canonical(p.entries[x.entry]))
	for string(canonical(p.entries[x.entry])) == before {
		x.what = m.change(p.entries[x.entry], "")
	}
	x.what = fmt.Sprintf("in public, entry %d: %s", x.entry, x.what)
	x.data = p.text()
}

// form writes the record otherwise.
func (m *mutator) form(x *mutation, l lines) {
	x.same = true
	text := l.text()
	switch m.IntN(6) {
	case 0:
		x.what = "nothing changed"
	case 1:
		x.what = "in public, nothing changed"
		text = l.public().text()
	case 2:
		x.what = "members in another order"
		var out bytes.Buffer
		for line := range strings.Lines(string(text)) {
			out.WriteString(backwards(line) + "\n")
		}
		text = out.Bytes()
	case 3:
		x.what = "white space"
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\n"), []byte(" \r\n\n")), []byte(`,"`), []byte(" ,\t\""))
	case 4:
		x.what = "letters escaped"
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(`"seat"`), []byte(`"s\u0065at"`)), []byte("PLACE"), []byte(`PL\u0041CE`))
	case 5:
		x.what = "an unknown member of the header, and another name of a player"
		l.header["club"] = object{"name": "ours", "year": 1989}
		for seat := range l.header["seats"].(object) {
			l.header["seats"].(object)[seat] = "somebody"
		}
		text = l.text()
	}
	x.data = text
}

// TestMutations changes records in every way that the mutator knows. What changes the meaning
// is found, and the entry named; what does not is good. The second verifier agrees.
func TestMutations(t *testing.T) {
	t.Parallel()
	m := newMutator(t, 14, long.N(0, 6))
	for _, l := range m.good {
		if v := verify(l.text(), report.Evidence{Hashes: hashes(l)}); !v.good {
			t.Fatal(v.said)
		}
	}
	const batch = 250
	left, kinds := long.N(60, 5000), map[bool]int{}
	for left > 0 {
		var all []mutation
		for range min(left, batch) {
			all = append(all, m.next())
		}
		left -= len(all)
		for _, x := range all {
			kinds[x.same]++
			x.check(t)
		}
		second(t, all)
	}
	t.Logf("%d changed, %d the same", kinds[false], kinds[true])
	long.Needs(t, "python3")
}

// check holds the verifier to a mutation. What a record alone cannot show, or shows only at a
// later entry, is found by the first hash that it lacks, which is that of the entry.
func (x mutation) check(t *testing.T) {
	t.Helper()
	public := strings.HasPrefix(x.what, "in public")
	v := judged(x.data, report.Evidence{}, public)
	names := func(is func(entry int) bool) bool { return x.entry < 0 || is(x.entry) || x.next && is(x.entry+1) }
	found := names(v.names)
	if v.good || !found {
		v = judged(x.data, x.held, public)
		found = names(func(entry int) bool { return strings.Contains(v.said, x.held.Hashes[min(entry, len(x.held.Hashes)-1)]) })
	}
	if v.good != x.same || !v.good && !found {
		t.Errorf("%s: good: %t, named: %t: %.300s", x.what, v.good, found, v.said)
	}
}
