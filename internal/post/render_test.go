package post_test

import (
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/mail/message"
	"samizdat/rules"
)

// TestRendered: what is known of a letter as it is written comes with its bytes.
func TestRendered(t *testing.T) {
	t.Parallel()
	at := time.Date(1989, 6, 4, 0, 0, 0, 0, time.UTC)
	for name, outgoing := range map[string]exchange.OutgoingLetter{
		"seat":     {Addressee: exchange.Addressee{Match: "mabc", Seat: 1, Number: 7}, Heading: exchange.Heading{MessageID: "mabc-1-7-x@x.test"}, Content: exchange.Content{PictureID: "map"}},
		"observer": {Addressee: exchange.Addressee{Match: "mabc", Seat: rules.NoSeat, Observer: 2, Number: 7}, Heading: exchange.Heading{MessageID: "mabc-o2-7-x@x.test"}},
		"note":     {Addressee: exchange.Addressee{Match: "mabc", Seat: rules.NoSeat}, Heading: exchange.Heading{MessageID: "address-x@x.test"}},
	} {
		outgoing.To, outgoing.Subject, outgoing.Date, outgoing.Body = "ann@y.test", "x", at, "x\n"
		r, err := codec.Render(outgoing)
		if err != nil {
			t.Fatal(err)
		}
		want, _, _ := strings.Cut(outgoing.MessageID, "@")
		if name == "note" {
			want = ""
		}
		if r.LetterID != want || (r.PictureAt != 0) != (name == "seat") {
			t.Errorf("%s: reports name it %q, want %q; its picture goes to %d", name, r.LetterID, want, r.PictureAt)
		}
		if name == "seat" && !strings.Contains(string(message.InsertData(r.Bytes, r.PictureAt, []byte("picture"))), "filename=\"mabc.png\"\r\n\r\ncGljdHVyZQ==\r\n\r\n--") {
			t.Errorf("the picture does not come to its place:\n%s", r.Bytes)
		}
	}
}
