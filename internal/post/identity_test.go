package post_test

import (
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/mail/message"
)

// TestTokenInSubject: where addresses carry nothing the subject does, and the
// answer finds its seat or its observer by it.
func TestTokenInSubject(t *testing.T) {
	t.Parallel()
	o := post.Codec{Address: "referee@x.test", Name: "Samizdat", InSubject: true}
	key := []byte("the key of the seat")
	seat, observer := adjudicator.Token{Match: "mabc", Seat: 1, Number: 7}, adjudicator.ObserverToken("mabc", 1, 7)
	for _, tt := range []struct {
		name string
		d    adjudicator.Dispatch
	}{
		{"seat", adjudicator.Dispatch{Addressee: adjudicator.Addressee{Match: "mabc"}, Heading: adjudicator.Heading{Token: o.Token(key, seat), Subject: "A Game [mabc]"}}},
		{"no tag", adjudicator.Dispatch{Heading: adjudicator.Heading{Token: o.Token(key, seat), Subject: "Do you want to?"}}},
		{"observer", adjudicator.Dispatch{
			Addressee: adjudicator.Addressee{Match: "mabc"},
			Heading:   adjudicator.Heading{Token: o.Token(key, observer), Subject: "A Game [mabc]", Unsubscribe: "UNOBSERVE"},
		}},
	} {
		tt.d.To, tt.d.MessageID, tt.d.Date, tt.d.Body = "ann@y.test", "1@x.test", time.Date(1989, 6, 4, 0, 0, 0, 0, time.UTC), "x\n"
		rendered, err := o.Render(tt.d)
		if err != nil {
			t.Fatal(err)
		}
		raw := rendered.Bytes
		if strings.Contains(string(raw), "referee+") || strings.Contains(string(raw), "referee%2B") {
			t.Errorf("%s: an address carries the token:\n%s", tt.name, raw)
		}
		sent := message.Read(raw)
		if to, subject := o.Answer(tt.d); to != sent.ReplyTo[0] || subject != "Re: "+sent.Subject {
			t.Errorf("%s: a link answers to %s, %s", tt.name, to, subject)
		}
		reply := "From: ann@y.test\r\nTo: " + sent.ReplyTo[0] + "\r\nSubject: Re: " + sent.Subject + "\r\n\r\nPASS\r\n"
		l := o.Read(mail.Received{Raw: []byte(reply)})
		if want := map[bool]adjudicator.Token{false: seat, true: observer}[tt.name == "observer"]; l.Token == nil || *l.Token != want || !l.Genuine(key) || l.Shared {
			t.Errorf("%s: the token is %v", tt.name, l.Token)
		}
		// The same codec with tokens in addresses does not look at the subject.
		if l := codec.Read(mail.Received{Raw: []byte(reply)}); l.Token != nil {
			t.Errorf("%s: a subject is believed where none should be", tt.name)
		}
	}
}

// TestOurOwn: a letter that says that it is from us is from nobody.
func TestOurOwn(t *testing.T) {
	t.Parallel()
	for _, from := range []string{"referee@x.test", "Referee <REFEREE@X.test>", "referee+mabc-0-7-aaaaaaaaaaaaaaaa@x.test", "ann@y.test, referee@x.test"} {
		if l := codec.Read(mail.Received{Raw: []byte("From: " + from + "\r\n\r\nPASS\r\n")}); l.From != "" || l.Auto == "" {
			t.Errorf("%s: from %q, a machine's by %q", from, l.From, l.Auto)
		}
	}
	for to, shared := range map[string]bool{
		"referee@x.test": false, "referee+x@x.test": false, "ann@y.test": false, "bob@y.test": true, "referee@x.test, bob@y.test": true,
		"referee@x.te\u017ft": true, "\"referee@x.test\"@z.test": true, "referee@x.test.z.test": true,
	} {
		if l := codec.Read(mail.Received{Raw: []byte("From: ann@y.test\r\nTo: " + to + "\r\n\r\nPASS\r\n")}); l.Shared != shared {
			t.Errorf("to %s: shared %v", to, l.Shared)
		}
	}
}
