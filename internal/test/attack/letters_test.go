package attack

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/internal/report"
	"samizdat/internal/test/long"
)

// mail is a letter of the referee to a seat, as this package writes it.
type mail struct {
	match        string
	seat, number int
	epoch        int
	head         string
	// at is its Date, in when the reader's server took it in; at where that is zero.
	at, in time.Time
	// secret is that of the match, where the letter publishes it.
	secret string
}

func (m mail) text() string {
	if m.in.IsZero() {
		m.in = m.at
	}
	return fmt.Sprintf("From MAILER-DAEMON Sun Jun  4 09:00:00 1989\nReceived: from mx.club.test by mail.home.test; %s\nFrom: referee@club.test\n"+
		"Message-ID: <%s-%d-%d-abcdefghijklmnop@club.test>\nDate: %s\nSubject: Letter %d\n\nGood day.\n\n    %s\n\n"+
		"Match %s, letter %d to you, epoch %d. The hash of its history so far:\n%s\n\n",
		m.in.Format(time.RFC1123Z), m.match, m.seat, m.number, m.at.Format(time.RFC1123Z), m.number, m.secret, m.match, m.number, m.epoch, m.head)
}

// letters are those that a record's first entries were told by, to both seats, from number on.
// Where they tell the end they publish the secret.
func (m *table) letters(from, to, number int, end bool) (out []mail) {
	for k := from; k <= to; k++ {
		at, err := time.Parse(time.RFC3339, m.entries[k]["at"].(string))
		m.must(err)
		for seat := range 2 {
			l := mail{match: m.header["match"].(string), seat: seat, number: number + k - from, epoch: epochOf(m.entries[k]["epoch"]), head: m.entries[k]["hash"].(string), at: at}
			if end && k == to {
				l.secret = m.header["secret"].(string)
			}
			out = append(out, l)
		}
	}
	return out
}

func epochOf(v any) int {
	if v == nil {
		return 0
	}
	return number(v)
}

// forfeits is a match that seat 0 has lost on time; the director may take it up again.
func forfeits(t *testing.T) *table {
	t.Helper()
	m := dawn(t, 1).steps(6)
	m.act("democrat", object{"kind": "forfeit", "end": object{"winners": []any{"communist"}}})
	return m
}

// undoneMatch is one that the director took up again before its secret was published.
func undoneMatch(t *testing.T) (*table, []mail) {
	t.Helper()
	m := forfeits(t)
	told := m.letters(0, 7, 1, false)
	m.back(7, "")
	m.steps(3).resign()
	return m, append(told, m.letters(8, len(m.entries)-1, 9, true)...)
}

// restored is a match of which a backup of entry 3 was put back when it had entry 6. The letters
// are those from before, with the lost ones, and those from after.
func restored(t *testing.T) (m *table, before, after []mail) {
	t.Helper()
	lost := forfeits(t)
	before = lost.letters(0, 6, 1, false)
	m = dawn(t, 1).steps(3)
	m.epoch++
	m.act(nil, object{"kind": "restore", "by": "operator", "until": m.entries[3]["at"]})
	m.entries[4]["at"] = "1989-06-04T09:00:10Z"
	m.rechain(4)
	m.steps(4)
	for k := 5; k < len(m.entries); k++ {
		m.entries[k]["at"] = fmt.Sprintf("1989-06-04T09:00:%dZ", 10+k)
	}
	m.rechain(4)
	m.resign()
	m.entries[9]["at"] = "1989-06-04T09:01:00Z"
	m.rechain(9)
	return m, before, m.letters(4, 9, 100_008, true)
}

// TestLettersForged: whoever has the secret, out of the letter that publishes it or since he
// runs the referee, writes entries that no letter told of, or letters that no entry had. The
// letters of the players find each, and honest ones belong.
func TestLettersForged(t *testing.T) {
	t.Parallel()
	over := func(forge func(m *table)) func() (lines, []mail) {
		return func() (lines, []mail) {
			m := forfeits(t)
			told := m.letters(0, 7, 1, true)
			forge(m)
			return m.lines, told
		}
	}
	byDirector := func(kind string, end any) func(m *table) {
		return func(m *table) {
			m.act(nil, object{"kind": kind, "by": "director", "why": "He had promised.", "end": end})
		}
	}
	changed := func(change func(told []mail) []mail) func() (lines, []mail) {
		return func() (lines, []mail) {
			m := forfeits(t)
			return m.lines, change(m.letters(0, 7, 1, true))
		}
	}
	afterRestore := func(change func(m *table, before, after []mail) []mail) func() (lines, []mail) {
		return func() (lines, []mail) {
			m, before, after := restored(t)
			told := change(m, before, after)
			return m.lines, told
		}
	}
	for name, tt := range map[string]struct {
		made func() (lines, []mail)
		// says is what is wrong; empty where nothing is.
		says string
	}{
		"honest":                   {over(func(*table) {}), ""},
		"taken up":                 {func() (lines, []mail) { m, told := undoneMatch(t); return m.lines, told }, ""},
		"a ruling":                 {over(byDirector("rule", object{"winners": []any{"democrat"}})), "but the record continues with entry 8"},
		"an annulment":             {over(byDirector("annul", object{})), "but the record continues with entry 8"},
		"a ruling of the same":     {over(byDirector("rule", object{"winners": []any{"communist"}})), "but the record continues with entry 8"},
		"an undo and another game": {over(func(m *table) { m.back(7, ""); m.steps(3).resign() }), "but the record continues with entry 8"},
		"an undo of all":           {over(func(m *table) { m.back(1, ""); m.steps(3).resign() }), "but the record continues with entry 8"},
		"a ruling, and the last letters kept back": {func() (lines, []mail) {
			m := forfeits(t)
			told := m.letters(0, 7, 1, false)
			told[len(told)-1].at = told[len(told)-1].at.Add(time.Hour)
			byDirector("rule", object{"winners": []any{"democrat"}})(m)
			return m.lines, told
		}, "it shows entry 7, and was written after entry 8"},
		"restored":            {afterRestore(func(_ *table, before, after []mail) []mail { return append(before, after...) }), ""},
		"restored in silence": {afterRestore(func(_ *table, before, _ []mail) []mail { return before }), "a restore (entry 4) may have discarded it, but the reader got no later letter"},
		"restored for one": {afterRestore(func(_ *table, before, after []mail) []mail {
			return append(before, slices.DeleteFunc(after, func(l mail) bool { return l.seat == 1 })...)
		}), "a restore (entry 4) may have discarded it, but the reader got no later letter"},
		"restored behind the end": {afterRestore(func(m *table, before, after []mail) []mail {
			before[len(before)-1].secret = m.header["secret"].(string)
			return append(before, after...)
		}), "so the restore of entry 4 does not explain it"},
		"told after the restore": {afterRestore(func(_ *table, before, after []mail) []mail {
			before[len(before)-1].in = before[len(before)-1].at.Add(time.Hour)
			return append(before, after...)
		}), "the referee showed two histories"},
		"a restore of epoch 0": {afterRestore(func(m *table, before, after []mail) []mail {
			for _, e := range m.entries {
				delete(e, "epoch")
			}
			m.rechain(4)
			return append(m.letters(0, 3, 1, false), m.letters(4, 9, 100_008, true)...)
		}), "entry 4"},
		"letters in another order": {changed(func(told []mail) []mail { slices.Reverse(told); return told }), ""},
		"two letters exchanged": {changed(func(told []mail) []mail {
			told[4].head, told[8].head = told[8].head, told[4].head
			return told
		}), "but an earlier letter shows entry 4"},
		"a letter of another match": {changed(func(told []mail) []mail {
			other := dawn(t, 2).steps(6).resign()
			return append(told, other.letters(0, 7, 1, true)...)
		}), ""},
		"the hash of another match": {changed(func(told []mail) []mail {
			told[6].head = dawn(t, 2).steps(3).head()
			return told
		}), "no entry has its hash"},
	} {
		l, told := tt.made()
		var box strings.Builder
		for _, m := range told {
			box.WriteString(m.text())
		}
		dir := t.TempDir()
		path, file := filepath.Join(dir, "box"), filepath.Join(dir, "record")
		if err := os.WriteFile(path, []byte(box.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, l.text(), 0o600); err != nil {
			t.Fatal(err)
		}
		letters, err := report.ReadLetters([]string{path})
		if err != nil {
			t.Fatal(err)
		}
		if v := verify(l.text(), report.Evidence{Letters: letters}); v.good != (tt.says == "") || !strings.Contains(v.said, tt.says) {
			t.Errorf("%s: approved: %t, %s", name, v.good, v.said)
		}
		if long.Missing(t, "python3") {
			continue
		}
		out, err := exec.CommandContext(t.Context(), "python3", filepath.Join("..", "..", "..", "tools", "verify.py"), file, "--letters", path).CombinedOutput()
		if (err == nil) != (tt.says == "") {
			t.Errorf("%s: the second verifier says %s", name, out)
		}
	}
	long.Needs(t, "python3")
}
