package adjudicator_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/conversation"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules/dawn1989"
)

// goesOut is everything that waits, as it is sent, by whom it goes to; it is booked as sent.
func (c *club) goesOut(t *testing.T) map[string][]mail.Outgoing {
	t.Helper()
	box := c.db.Outbox(c.codec.Address)
	out := map[string][]mail.Outgoing{}
	for _, o := range finished(t, post.NewOutbox(box, slog.New(slog.DiscardHandler), nil), c.now.Add(time.Hour)) {
		again := finished(t, post.NewOutbox(box, slog.New(slog.DiscardHandler), nil), c.now.Add(time.Hour))
		if i := slices.IndexFunc(again, func(a mail.Outgoing) bool { return a.ID == o.ID }); i < 0 || !bytes.Equal(again[i].Raw, o.Raw) {
			t.Errorf("a second try of a letter to %s sends other bytes", o.To)
		}
		out[o.To] = append(out[o.To], o)
		if err := box.MarkSent(t.Context(), []int64{o.ID}, c.now); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// recordIn is the record that is attached to a letter; nil for none.
func recordIn(t *testing.T, o mail.Outgoing) (data []byte) {
	t.Helper()
	_, parts := leaves(t, o.Raw)
	for _, p := range parts {
		if p.kind == "mixed application/jsonl" {
			data = p.data
		}
	}
	if strings.Contains(string(o.Raw), ".jsonl\"\r\n") != (data != nil) {
		t.Errorf("a letter to %s names a file that is not there", o.To)
	}
	return data
}

// TestRecordByMail: RECORD brings its writer the public record, as it is exported, and nobody
// else; the last letters bring everybody the whole of it, once.
func TestRecordByMail(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	c.adj.LetterOptions = conversation.LetterOptions{HTML: true, Pictures: true}
	id := c.inviteObserved(openly, "1989", nil, dawnSeats...)
	if text := c.sends("democrat", "RECORD").Text; !strings.Contains(text, "There is nothing to show before") {
		t.Errorf("before the match begins:\n%s", text)
	}
	c.joinAll(dawnSeats...)
	c.watches("watcher", id)
	writes := func(name, text string) map[string][]mail.Outgoing {
		t.Helper()
		l := c.last(name)
		handle(t, c, c.reply(l, name, text))
		return c.goesOut(t)
	}
	check := func(what string, out map[string][]mail.Outgoing, bring ...string) {
		t.Helper()
		want := map[string]bool{}
		for _, name := range bring {
			want[address(name)] = true
		}
		exported := c.export(id, false)
		for name, letters := range out {
			if len(letters) != 1 {
				t.Fatalf("%s: %d letters to %s", what, len(letters), name)
			}
			if got := recordIn(t, letters[0]); (got != nil) != want[name] || got != nil && !bytes.Equal(got, exported) {
				t.Errorf("%s: %s gets %d bytes of a record, %d are exported", what, name, len(got), len(exported))
			}
			delete(want, name)
		}
		if len(want) > 0 {
			t.Errorf("%s: no letter to %v", what, want)
		}
	}
	check("alone", writes("democrat", "RECORD"), "democrat")
	check("FORMAT", writes("democrat", "FORMAT TEXT\nRECORD"), "democrat")
	check("with an order", writes("communist", "RECORD\nPLACE Miskolc, Debrecen"), "communist")
	asked := writes("communist", "RECORD")
	check("once more", asked, "communist")
	if text := message.Read(asked[address("communist")][0].Raw).Text; !strings.Contains(text, "checks the chain of entries, and compares your letters with it") || strings.Contains(text, "checks every die") {
		t.Errorf("what the public record shows:\n%s", text)
	}
	check("an observer's", writes("watcher", "RECORD"))
	if bytes.Contains(c.export(id, false), []byte(`"secret"`)) {
		t.Fatal("the record of a match under way has its secret")
	}
	check("the last letters", writes("democrat", "RESIGN "+id), "democrat", "communist", "watcher")
	if !bytes.Contains(c.export(id, false), []byte(`"secret"`)) {
		t.Fatal("the record of a match that is over has no secret")
	}
	check("afterwards", writes("communist", "STATUS"))
	check("again", writes("communist", "RECORD"), "communist")
	check("an observer's, afterwards", writes("watcher", "RECORD"), "watcher")
}

// TestRecordIsSmallWhenStored: until it is sent a letter keeps its record packed, and nothing
// of it afterwards.
func TestRecordIsSmallWhenStored(t *testing.T) {
	t.Parallel()
	c, id := begun(t, dawn1989.Game(), dawnSeats...)
	handle(t, c, c.letter("democrat", "RESIGN "+id))
	due, err := c.db.Outbox("x@club.test").Due(t.Context(), c.now.Add(time.Hour), 10)
	if err != nil || len(due) != 2 {
		t.Fatal(len(due), err)
	}
	for _, l := range due {
		if l.FileAt == 0 || len(l.File) == 0 || len(l.File) > len(c.export(id, false)) || bytes.Contains(l.Raw, fmt.Appendf(nil, "%q:", "secret")) {
			t.Errorf("letter %d has a file of %d bytes at %d", l.ID, len(l.File), l.FileAt)
		}
	}
	if bytes.Contains(due[0].File, []byte(c.stored(id).Secret.Hex())) {
		t.Error("the file is not packed")
	}
	c.goesOut(t)
	if due, err = c.db.Outbox("x@club.test").Due(t.Context(), c.now.Add(time.Hour), 10); err != nil || len(due) != 0 {
		t.Errorf("%d letters wait, %v", len(due), err)
	}
}
