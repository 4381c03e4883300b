package adjudicator_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/post"
	"samizdat/internal/test/pgtest"
	"samizdat/internal/test/rulestest"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// kept is a club that an older build of the program has left: a database with a
// match of every sort, and the newest letter of every seat. The records are never
// rewritten: matches that have begun go on.
type kept struct {
	*club
	// Now is when the older build was stopped.
	Now time.Time
	// Matches are the matches, by what is special about them.
	Matches map[string]string
	Mail    []keptLetter
}

// keptLetter is what a player needs of a letter to answer it.
type keptLetter struct{ Name, Address, Match, ReplyTo, MessageID, Subject string }

func keptClub(t *testing.T) *kept {
	t.Helper()
	pgtest.OnFile(t, "the kept database is a file")
	dir := filepath.Join("testdata", "kept")
	k := &kept{club: newClub(t, dawn1989.Game(), rulestest.Game())}
	data, err := os.ReadFile(filepath.Join(dir, "kept.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, k); err != nil {
		t.Fatal(err)
	}
	if err := k.db.Close(); err != nil {
		t.Fatal(err)
	}
	key, err := os.ReadFile(filepath.Join(dir, "club.key"))
	if err != nil {
		t.Fatal(err)
	}
	packed, err := os.Open(filepath.Join(dir, "club.db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	db, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	k.dir = t.TempDir()
	if err := furnish(k.dir, map[string][]byte{"club.key": key, "club.db": db}); err != nil {
		t.Fatal(err)
	}
	k.now, k.uid = k.Now, 10000
	k.rand = &shared{r: rand.NewChaCha8([32]byte{20})}
	k.open()
	k.adj.Build = "another" // positions are played again from the history
	for _, l := range k.Mail {
		box := l.Name + " of " + l.Match
		k.mailbox[address(box)] = []message.Letter{{ReplyTo: []string{l.ReplyTo}, MessageID: l.MessageID, Subject: l.Subject}}
	}
	return k
}

// writes sends a letter of a seat, which answers its newest one, and returns the
// answer.
func (k *kept) writes(what, seat, text string) message.Letter {
	k.t.Helper()
	id := k.Matches[what]
	var from keptLetter
	for _, l := range k.Mail {
		if l.Match == id && l.Name == seat {
			from = l
		}
	}
	had := len(k.mailbox[from.Address])
	last := k.last(seat + " of " + id)
	if had > 0 {
		for _, l := range k.mailbox[from.Address] {
			if strings.Contains(l.Subject, id+"]") && len(l.ReplyTo) == 1 {
				last = l
			}
		}
	}
	k.uid++
	k.receive(message.Draft{
		From: from.Address, To: last.ReplyTo[0], Subject: "Re: " + last.Subject, MessageID: "kept-" + time.Duration(k.uid).String() + "@players.test",
		InReplyTo: last.MessageID, Date: k.now, Text: text,
	})
	box := k.mailbox[from.Address]
	if len(box) != had+1 {
		k.t.Fatalf("%s of match %s wrote %q and got %d answers, want 1", seat, what, text, len(box)-had)
	}
	return box[had]
}

// playsOn plays a kept match on, by the forms that its questions show.
func (k *kept) playsOn(what string, g *rules.Game, maximum int) {
	k.t.Helper()
	id := k.Matches[what]
	names := g.SeatNames(rules.Setup{Seats: len(k.stored(id).Seats), Revision: g.Revision()})
	voted := map[rules.DecisionID]bool{}
	for range maximum {
		pos, err := g.Decode(k.position(id))
		if err != nil {
			k.t.Fatal(err)
		}
		if _, over := pos.Result(); over {
			return
		}
		var d rules.Decision
		for _, o := range pos.OpenDecisions(nil) {
			if !voted[o.ID] {
				d = o
			}
		}
		voted[d.ID] = d.Sealed
		forms := g.Prompt(pos.View(d.Seat), d, pos.Options(nil, d.ID)).Forms
		if len(forms) == 0 {
			k.t.Fatalf("match %s: no form for %+v", what, d)
		}
		taken := false
		for _, form := range append(forms, forms[0]+" SURELY") {
			if taken = !strings.Contains(k.writes(what, names[d.Seat], form).Text, ": refused"); taken {
				break
			}
		}
		if !taken {
			k.t.Fatalf("match %s: none of %q is taken", what, forms)
		}
	}
}

// TestKeptMatches: matches that an older build began go on under this one. They
// are exported as they were to the byte, play on from whatever they waited for, and
// verify.
func TestKeptMatches(t *testing.T) {
	t.Parallel()
	k := keptClub(t)
	games := map[bool]*rules.Game{true: rulestest.Game(), false: dawn1989.Game()}
	orchards := func(what string) bool { return what == "over" || what == "sealed" }
	for what, id := range k.Matches {
		if what == "invited" {
			continue
		}
		for _, hidden := range []bool{false, true} {
			name := what + ".jsonl"
			if hidden {
				name = what + "-hidden.jsonl"
			}
			want, err := os.ReadFile(filepath.Join("testdata", "kept", "records", name))
			if err != nil {
				t.Fatal(err)
			}
			if got := k.export(id, hidden); !bytes.Equal(got, want) {
				t.Errorf("%s is exported otherwise than before:\n%s\n--- want\n%s", name, got, want)
			}
			rec, err := record.Read(bytes.NewReader(want))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := record.VerifyChain(rec); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if !hidden && rec.Header.Secret == "" {
				continue
			}
			if _, err := record.Replay(rec, games[orchards(what)], nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, l := range k.Mail {
		for what, id := range k.Matches {
			if id == l.Match && what != "invited" {
				wants(t, k.writes(what, l.Name, "STATUS").Text, "STATUS: done")
			}
		}
	}

	k.writes("invited", "communist", "JOIN the words of ida")
	wants(t, k.writes("takeback", "communist", "TAKEBACK YES").Text, "TAKEBACK YES: done")
	held := k.stored(k.Matches["grace"]).EntryCount
	if k.due(4*time.Hour) == 0 || k.stored(k.Matches["grace"]).EntryCount == held {
		t.Error("orders that were held back are not carried out")
	}
	for _, tt := range []struct {
		what string
		most int
	}{{"sealed", 60}, {"playing", 40}, {"invited", 10}, {"takeback", 10}, {"grace", 10}, {"address", 10}, {"pictures", 10}} {
		entries := k.stored(k.Matches[tt.what]).EntryCount
		g := games[orchards(tt.what)]
		k.playsOn(tt.what, g, tt.most)
		if k.stored(k.Matches[tt.what]).EntryCount == entries {
			t.Errorf("match %s has not gone on", tt.what)
		}
		verified(t, k.club, g, k.Matches[tt.what])
	}
}

// TestKeptLetters: letters that an older build has written and not sent go out,
// complete with their pictures.
func TestKeptLetters(t *testing.T) {
	t.Parallel()
	k := keptClub(t)
	due := finished(t, post.NewOutbox(k.db.Outbox(k.codec.Address), slog.New(slog.DiscardHandler), nil), k.now.Add(time.Hour))
	if len(due) < 2 {
		t.Fatalf("%d letters wait to be sent", len(due))
	}
	pictures := 0
	for _, d := range due {
		if l := message.Read(d.Raw); l.MessageID == "" || len(l.ReplyTo) != 1 || !strings.Contains(l.Text, "Samizdat") {
			t.Errorf("the letter to %s is not whole:\n%s", d.To, d.Raw)
		}
		if bytes.Contains(d.Raw, []byte("\r\n\r\niVBOR")) {
			pictures++
		}
	}
	if pictures < 2 {
		t.Errorf("%d letters have a picture", pictures)
	}
}

// stored is a match as it is stored.
func (c *club) stored(id string) *match.Match {
	c.t.Helper()
	m, err := c.db.Match(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}
