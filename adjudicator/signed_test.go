package adjudicator_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"

	"samizdat/adjudicator/exchange"
	"samizdat/internal/post"
	"samizdat/internal/test/pgtest"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/storage"
)

// TestSigned: a letter is signed with the key of now whenever it is read to be sent, once. Behind the signature every try
// sends the same bytes.
func TestSigned(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Date(1989, 11, 9, 12, 0, 0, 0, time.UTC)
	key := filepath.Join(dir, "s.key")
	db, err := storage.Open(t.Context(), pgtest.Where(t, filepath.Join(dir, "s.db"), key, storage.Open), key)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	raw, err := message.Draft{From: "r@club.example", To: "ann@example.org", Subject: "x", MessageID: "1@club.example", Date: now, Text: "Your move\n"}.Render()
	if err != nil {
		t.Fatal(err)
	}
	box := db.Outbox("r@club.example")
	letter := exchange.OutgoingLetter{Addressee: exchange.Addressee{Seat: rules.NoSeat, To: "ann@example.org"}, Schedule: exchange.Schedule{Date: now}, Raw: exchange.RenderedMessage{Bytes: raw}}
	if err := db.Apply(t.Context(), exchange.Change{Letters: []exchange.OutgoingLetter{letter}}); err != nil {
		t.Fatal(err)
	}
	testKey := ed25519.NewKeyFromSeed([]byte("0123456789abcdef0123456789abcdef"))
	first := &message.DKIMSigner{Domain: "club.example", Selector: "s", Key: testKey}
	second := &message.DKIMSigner{Domain: "club.example", Selector: "t", Key: testKey}
	var tries [][]byte
	for _, s := range []*message.DKIMSigner{first, second, nil} {
		o := post.NewOutbox(box, slog.New(slog.DiscardHandler), s)
		due, err := o.Due(t.Context(), now, 10)
		if err != nil || len(due) != 1 {
			t.Fatalf("%d letters are due, %v", len(due), err)
		}
		tries = append(tries, due[0].Raw)
		if err := box.MarkFailed(t.Context(), due[0].ID, now, now, false, "450 later"); err != nil {
			t.Fatal(err)
		}
	}
	for i, selector := range []string{"s", "t"} {
		signature, letter, _ := bytes.Cut(tries[i], []byte("\r\nDate: "))
		if !bytes.Equal(append([]byte("Date: "), letter...), tries[2]) || !bytes.HasPrefix(signature, []byte("DKIM-Signature: ")) {
			t.Errorf("the tries differ:\n%s\n%s", tries[i], tries[2])
		}
		found, err := dkim.VerifyWithOptions(bytes.NewReader(tries[i]), &dkim.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
			if name != selector+"._domainkey.club.example" {
				t.Errorf("%s was looked up", name)
			}
			return []string{"v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(testKey.Public().(ed25519.PublicKey))}, nil
		}})
		if err != nil || len(found) != 1 || found[0].Err != nil {
			t.Errorf("the signature does not verify: %+v, %v", found, err)
		}
	}
}
