package post_test

import (
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
)

var codec = post.Codec{Address: "referee@x.test", Name: "Samizdat"}

// TestThereAndBack: a letter that we write can be answered, and the answer finds
// its seat.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	key := []byte("the key of the seat")
	d := adjudicator.Dispatch{
		Addressee: adjudicator.Addressee{Match: "mabc", Seat: 1, Number: 7, To: "ann@y.test"},
		Heading:   adjudicator.Heading{Token: codec.Token(key, adjudicator.Token{Match: "mabc", Seat: 1, Number: 7}), Subject: "A Game [mabc]", MessageID: "mabc-1-7@x.test", References: []string{"mabc-1-1@x.test"}},
		Sending:   adjudicator.Sending{Date: time.Date(1989, 6, 4, 0, 0, 0, 0, time.UTC)},
		Content:   adjudicator.Content{Body: message.Mark + "\n\nIt is your move.\n"},
	}
	raw, err := codec.Render(d)
	if err != nil {
		t.Fatal(err)
	}
	got := message.Read(raw.Bytes)
	if got.Auto == "" {
		t.Error("other machines may answer our letter: it does not say that it is automatic")
	}
	reply, err := message.Draft{
		From: "Ann@Y.test", To: got.ReplyTo[0], Subject: "Re: " + got.Subject, MessageID: "1@y.test", InReplyTo: got.MessageID,
		Date: d.Date, Text: "PASS\n\nOn Sun, 4 Jun 1989 at 09:00, Samizdat wrote:\n> " + strings.ReplaceAll(got.Text, "\n", "\n> "),
	}.Render()
	if err != nil {
		t.Fatal(err)
	}
	l := codec.Read(mail.Received{Raw: reply, Arrived: d.Date})
	if l.Token == nil || *l.Token != (adjudicator.Token{Match: "mabc", Seat: 1, Number: 7}) || !l.Genuine(key) || l.Genuine([]byte("another")) {
		t.Errorf("the token is %+v", l.Token)
	}
	if l.From != "ann@y.test" || strings.TrimSpace(l.Orders) != "PASS" || l.Auto != "" {
		t.Errorf("from %q, orders %q, auto %q", l.From, l.Orders, l.Auto)
	}
}

// TestTwoSenders: with two From addresses there is no sender.
func TestTwoSenders(t *testing.T) {
	t.Parallel()
	raw := "From: ann@y.test\r\nFrom: bob@y.test\r\nTo: referee@x.test\r\n\r\nPASS\r\n"
	if l := codec.Read(mail.Received{Raw: []byte(raw)}); l.From != "" {
		t.Errorf("from %q, want nobody", l.From)
	}
}

// TestNoHeaderInjection: nothing that a player wrote can add a header, or keep
// the answer from being written.
func TestNoHeaderInjection(t *testing.T) {
	t.Parallel()
	d := adjudicator.Dispatch{Addressee: adjudicator.Addressee{Seat: rules.Nobody, To: "ann@y.test"}, Heading: adjudicator.Heading{Subject: "x", MessageID: "1@x.test", InReplyTo: "a\r\nBcc: all@z.test"}, Content: adjudicator.Content{Body: "x\n"}}
	raw, err := codec.Render(d)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw.Bytes), "all@z.test") {
		t.Errorf("rendered:\n%s", raw.Bytes)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	for d, want := range map[adjudicator.Disposition]mail.Folder{
		adjudicator.Done: mail.Done, adjudicator.Refused: mail.Refused, adjudicator.Ignored: mail.Ignored, adjudicator.Asked: mail.Questions,
	} {
		if got := post.Folder(d); got != want {
			t.Errorf("%s is filed in %s, want %s", d, got, want)
		}
	}
}
