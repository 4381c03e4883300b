package adjudicator_test

import (
	"encoding/json"
	"index/suffixarray"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// TestAtRest: nothing that is hidden stands in the open in the files of a database or in
// a backup.
func TestAtRest(t *testing.T) {
	t.Parallel()
	k := keptClub(t)
	old := k.hidden()
	if len(old) < 100 {
		t.Errorf("%d things are hidden", len(old))
	}
	k.nothingShows(old)

	k.writes("playing", "democrat", "MESSAGE The password is swordfish")
	k.playsOn("sealed", rulestest.Game(), 8)
	k.playsOn("playing", dawn1989.Game(), 8)
	k.nothingShows(k.hidden())
}

// hidden gathers what may not be seen, with what it is.
func (k *kept) hidden() map[string]string {
	k.t.Helper()
	out := map[string]string{"password is swordfish": "a message"}
	list := regexp.MustCompile(`"[a-z_]+":(\[[^\[\]]{6,}\]|"[^"]{12,}")`)
	parts := func(what string, v any) {
		data, err := json.Marshal(v)
		if err != nil {
			k.t.Fatal(err)
		}
		for _, part := range list.FindAllString(string(data), -1) {
			out[part] = what
		}
	}
	for what, id := range k.Matches {
		m := k.stored(id)
		out[string(m.Secret.Bytes())], out[m.Secret.Hex()] = "a secret", "a secret"
		if m.Position != nil {
			parts("the position of "+what, json.RawMessage(m.Position))
		}
		parts("what is held of "+what, m.Pending)
		h, err := k.db.History(k.t.Context(), id)
		if err != nil {
			k.t.Fatal(err)
		}
		parts("the history of "+what, h)
		for i, s := range m.Seats {
			out[string(s.Key)] = "the key of a seat"
			if s.Private.DelayedLetter != nil {
				out[s.Private.DelayedLetter.Orders] = "orders that are held back"
			}
			sent, err := k.db.Letters(k.t.Context(), id, rules.Seat(i))
			if err != nil {
				k.t.Fatal(err)
			}
			for _, l := range sent {
				out[k.codec.LetterID(s.Key, exchange.Token{Match: id, Seat: rules.Seat(i), Number: l.Number})] = "the name of a letter"
			}
		}
	}
	due, err := k.box().Due(k.t.Context(), k.now.Add(365*24*time.Hour), 1000)
	if err != nil {
		k.t.Fatal(err)
	}
	for _, l := range due {
		for line := range strings.Lines(string(l.Raw)) {
			if line = strings.TrimSpace(line); len(line) > 30 && !strings.HasPrefix(line, "To:") {
				out[line] = "a letter"
			}
		}
	}
	for _, l := range k.Mail {
		token, _, _ := strings.Cut(l.ReplyTo, "@")
		out[token[strings.LastIndex(token, "-")+1:]] = "a token"
	}
	// What stands at the head of a history is told to everybody.
	for _, id := range k.Matches {
		delete(out, k.stored(id).Head)
	}
	delete(out, "")
	return out
}

// nothingShows looks for what is hidden in all files but that of the key, and in a backup.
func (k *kept) nothingShows(hidden map[string]string) {
	k.t.Helper()
	backup := filepath.Join(k.t.TempDir(), "backup.db")
	if err := storage.Backup(k.t.Context(), filepath.Join(k.dir, "club.db"), backup); err != nil {
		k.t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(k.dir, "club.db*"))
	if err != nil || len(files) < 2 {
		k.t.Fatalf("files %v, %v", files, err)
	}
	for _, path := range append(files, backup) {
		data, err := os.ReadFile(path)
		if err != nil {
			k.t.Fatal(err)
		}
		index := suffixarray.New(data) // Thousands of texts are looked for.
		if open := k.Mail[0].Address; path == backup && len(index.Lookup([]byte(open), 1)) == 0 {
			k.t.Errorf("the backup does not have what stands in the open: %q", open)
		}
		for text, what := range hidden {
			if len(index.Lookup([]byte(text), 1)) > 0 {
				k.t.Errorf("%s shows %s: %q", filepath.Base(path), what, text)
			}
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			k.t.Errorf("others may read %s: %v, %v", path, info.Mode(), err)
		}
	}
}
