package post_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/exchange"
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
	outgoing := exchange.OutgoingLetter{
		Addressee: exchange.Addressee{Match: "mabc", Seat: 1, Number: 7, To: "ann@y.test"},
		Heading:   exchange.Heading{Token: codec.Token(key, exchange.Token{Match: "mabc", Seat: 1, Number: 7}), Subject: "A Game [mabc]", MessageID: "mabc-1-7@x.test", References: []string{"mabc-1-1@x.test"}},
		Schedule:  exchange.Schedule{Date: time.Date(1989, 6, 4, 0, 0, 0, 0, time.UTC)},
		Content:   exchange.Content{Body: message.Mark + "\n\nIt is your move.\n"},
	}
	raw, err := codec.Render(outgoing)
	if err != nil {
		t.Fatal(err)
	}
	got := message.Read(raw.Bytes)
	if got.AutoReason == "" {
		t.Error("other machines may answer our letter: it does not say that it is automatic")
	}
	reply, err := message.Draft{
		From: "Ann@Y.test", To: got.ReplyTo[0], Subject: "Re: " + got.Subject, MessageID: "1@y.test", InReplyTo: got.MessageID,
		Date: outgoing.Date, Text: "PASS\n\nOn Sun, 4 Jun 1989 at 09:00, Samizdat wrote:\n> " + strings.ReplaceAll(got.Text, "\n", "\n> "),
	}.Render()
	if err != nil {
		t.Fatal(err)
	}
	l := codec.Read(mail.Received{Raw: reply, Arrived: outgoing.Date})
	if l.Token == nil || *l.Token != (exchange.Token{Match: "mabc", Seat: 1, Number: 7}) || !l.SignedBy(key) || l.SignedBy([]byte("another")) {
		t.Errorf("the token is %+v", l.Token)
	}
	if l.From != "ann@y.test" || strings.TrimSpace(l.Text) != "PASS" || l.AutoReason != "" {
		t.Errorf("from %q, orders %q, auto %q", l.From, l.Text, l.AutoReason)
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
	outgoing := exchange.OutgoingLetter{Addressee: exchange.Addressee{Seat: rules.NoSeat, To: "ann@y.test"}, Heading: exchange.Heading{Subject: "x", MessageID: "1@x.test", InReplyTo: "a\r\nBcc: all@z.test"}, Content: exchange.Content{Body: "x\n"}}
	raw, err := codec.Render(outgoing)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw.Bytes), "all@z.test") {
		t.Errorf("rendered:\n%s", raw.Bytes)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	for d, want := range map[exchange.Disposition]mail.Folder{
		exchange.DispositionDone: mail.Done, exchange.DispositionRefused: mail.Refused, exchange.DispositionIgnored: mail.Ignored, exchange.DispositionAsked: mail.Questions,
	} {
		if got := post.Folder(d); got != want {
			t.Errorf("%s is filed in %s, want %s", d, got, want)
		}
	}
}

// TestKeys: two letters share a key where one may have to be handled before the other.
func TestKeys(t *testing.T) {
	t.Parallel()
	seat := codec.Token([]byte("key"), exchange.Token{Match: "mabc", Seat: 1, Number: 7})
	other := codec.Token([]byte("key"), exchange.Token{Match: "mxyz", Seat: 0, Number: 2})
	observer := codec.Token([]byte("key"), exchange.ObserverToken("mabc", 3, 1))
	member := codec.Token([]byte("key"), exchange.MemberToken(5, 1))
	bySubject := codec
	bySubject.TokensInSubject = true
	to := func(tokens ...string) string {
		var all []string
		for _, t := range tokens {
			all = append(all, codec.ReplyTo(t))
		}
		return "To: " + strings.Join(all, ", ") + "\r\n"
	}
	for name, tt := range map[string]struct {
		codec post.Codec
		raw   string
		want  []string
	}{
		"a player":      {codec, "From: Ann@Y.test\r\n" + to(seat), []string{"from ann@y.test", "match mabc"}},
		"two matches":   {codec, "From: ann@y.test\r\n" + to(seat, other), []string{"from ann@y.test", "match mabc", "match mxyz"}},
		"an observer":   {codec, "From: bob@y.test\r\n" + to(observer), []string{"from bob@y.test", "match mabc"}},
		"a member":      {codec, "From: cid@y.test\r\n" + to(member), []string{"from cid@y.test", "match club"}},
		"a stranger":    {codec, "From: eve@y.test\r\nTo: referee@x.test\r\n", []string{"from eve@y.test", "no token"}},
		"two senders":   {codec, "From: ann@y.test\r\nFrom: bob@y.test\r\nTo: referee@x.test\r\n", []string{"no token"}},
		"nothing":       {codec, "", []string{"no token"}},
		"by subject":    {bySubject, "From: ann@y.test\r\nTo: referee@x.test\r\nSubject: Re: x [samizdat " + seat + "]\r\n", []string{"from ann@y.test", "match mabc"}},
		"not by it":     {codec, "From: ann@y.test\r\nTo: referee@x.test\r\nSubject: Re: x [samizdat " + seat + "]\r\n", []string{"from ann@y.test", "no token"}},
		"it came back":  {codec, bounceOf(codec.LetterID([]byte("key"), exchange.Token{Match: "mabc", Seat: 1, Number: 7})), []string{"from mailer-daemon@y.test", "match mabc", "no token"}},
		"an odd letter": {codec, "From: ann@y.test\r\nTo: referee+mabc-1-7@x.test\r\n", []string{"from ann@y.test", "no token"}},
	} {
		if got := tt.codec.Keys(mail.Received{Raw: []byte(tt.raw + "\r\nPASS\r\n")}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// bounceOf reports that one of our letters did not arrive.
func bounceOf(id string) string {
	return "From: mailer-daemon@y.test\r\nReturn-Path: <>\r\nTo: referee@x.test\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n" +
		"Reporting-MTA: dns; y.test\r\n\r\nFinal-Recipient: rfc822; ann@y.test\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n" +
		"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <" + id + ">\r\n\r\n--b--\r\n"
}

// TestKeysOfAnything: the matches that a letter is read to name are among its keys, however it is
// written, and so is its sender.
func TestKeysOfAnything(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "mail", "message", "testdata", "letters", "*.txtar"))
	if err != nil || len(files) < 100 {
		t.Fatalf("%d letters, %v", len(files), err)
	}
	for _, bySubject := range []bool{false, true} {
		c := post.Codec{Address: "judge@example.net", TokensInSubject: bySubject}
		tokens := 0
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			r := mail.Received{Raw: txtar.Parse(data).Files[0].Data}
			l, keys := c.Read(r), c.Keys(r)
			if l.From != "" && !slices.Contains(keys, "from "+l.From) || l.Token != nil && !slices.Contains(keys, "match "+l.Token.Match) {
				t.Errorf("%s: the keys are %q, the letter is of %q with %v", f, keys, l.From, l.Token)
			}
			if l.Token != nil {
				tokens++
			}
		}
		if tokens < 100 {
			t.Errorf("only %d letters name a match", tokens)
		}
	}
}

// TestTokenInSubject: where addresses carry nothing the subject does, and the
// answer finds its seat or its observer by it.
func TestTokenInSubject(t *testing.T) {
	t.Parallel()
	o := post.Codec{Address: "referee@x.test", Name: "Samizdat", TokensInSubject: true}
	key := []byte("the key of the seat")
	seat, observer := exchange.Token{Match: "mabc", Seat: 1, Number: 7}, exchange.ObserverToken("mabc", 1, 7)
	for _, tt := range []struct {
		name string
		d    exchange.OutgoingLetter
	}{
		{"seat", exchange.OutgoingLetter{Addressee: exchange.Addressee{Match: "mabc"}, Heading: exchange.Heading{Token: o.Token(key, seat), Subject: "A Game [mabc]"}}},
		{"no tag", exchange.OutgoingLetter{Heading: exchange.Heading{Token: o.Token(key, seat), Subject: "Do you want to?"}}},
		{"observer", exchange.OutgoingLetter{
			Addressee: exchange.Addressee{Match: "mabc"},
			Heading:   exchange.Heading{Token: o.Token(key, observer), Subject: "A Game [mabc]", Unsubscribe: "UNOBSERVE"},
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
		if to, subject := o.ReplyAddress(tt.d); to != sent.ReplyTo[0] || subject != "Re: "+sent.Subject {
			t.Errorf("%s: a link answers to %s, %s", tt.name, to, subject)
		}
		reply := "From: ann@y.test\r\nTo: " + sent.ReplyTo[0] + "\r\nSubject: Re: " + sent.Subject + "\r\n\r\nPASS\r\n"
		l := o.Read(mail.Received{Raw: []byte(reply)})
		if want := map[bool]exchange.Token{false: seat, true: observer}[tt.name == "observer"]; l.Token == nil || *l.Token != want || !l.SignedBy(key) || l.HasOtherRecipients {
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
		if l := codec.Read(mail.Received{Raw: []byte("From: " + from + "\r\n\r\nPASS\r\n")}); l.From != "" || l.AutoReason == "" {
			t.Errorf("%s: from %q, a machine's by %q", from, l.From, l.AutoReason)
		}
	}
	for to, shared := range map[string]bool{
		"referee@x.test": false, "referee+x@x.test": false, "ann@y.test": false, "bob@y.test": true, "referee@x.test, bob@y.test": true,
		"referee@x.te\u017ft": true, "\"referee@x.test\"@z.test": true, "referee@x.test.z.test": true,
	} {
		if l := codec.Read(mail.Received{Raw: []byte("From: ann@y.test\r\nTo: " + to + "\r\n\r\nPASS\r\n")}); l.HasOtherRecipients != shared {
			t.Errorf("to %s: shared %v", to, l.HasOtherRecipients)
		}
	}
}

// TestManyLinesAreTooBig: of a letter with too many lines to tell quotes from orders
// nothing is read, and it counts as too long.
func TestManyLinesAreTooBig(t *testing.T) {
	t.Parallel()
	const head = "From: ann@y.test\r\nTo: referee+m1-0-7-abcdefghijklmnop@x.test\r\n\r\nPLAY 36 EVENT\r\n"
	for quoted, big := range map[int]bool{100: false, 25_000: true} {
		l := codec.Read(mail.Received{Raw: []byte(head + strings.Repeat("\r\n> PLAY 99 EVENT", quoted))})
		if want := map[bool]string{false: "PLAY 36 EVENT\n"}[big]; l.Truncated != big || l.Text != want {
			t.Errorf("%d quoted lines: too big %v, orders %.80q", quoted, l.Truncated, l.Text)
		}
	}
}

// TestServiceFields: what a mail service adds to the letters of people makes no
// machine of them.
func TestServiceFields(t *testing.T) {
	t.Parallel()
	for _, field := range []string{"Feedback-ID: i56a14606:Fastmail", "Feedback-ID: 27367763:user:proton", "List-Id: <family.example.org>"} {
		l := codec.Read(mail.Received{Raw: []byte("From: ann@y.test\r\nTo: referee+m1-0-7-abcdefghijklmnop@x.test\r\n" + field + "\r\n\r\nPLAY 36 EVENT\r\n")})
		if l.AutoReason != "" || l.Token == nil || l.Text == "" {
			t.Errorf("%s: %q, token %v, orders %q", field, l.AutoReason, l.Token, l.Text)
		}
	}
}

// TestHeaderDate: a confirmation that waits in the outbox is dated when it was written, so that an entry of the next seconds is
// later than the letter, and a letter to an observer when it goes out.
func TestHeaderDate(t *testing.T) {
	t.Parallel()
	written := time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name string
		d    exchange.OutgoingLetter
		want time.Time
	}{
		{"letter", exchange.OutgoingLetter{Schedule: exchange.Schedule{Date: written}}, written},
		{"confirmation", exchange.OutgoingLetter{Schedule: exchange.Schedule{Date: written.Add(time.Minute), Delay: time.Minute, Replaceable: true}}, written},
		{"observer", exchange.OutgoingLetter{Schedule: exchange.Schedule{Date: written.Add(time.Hour), Delay: time.Hour}}, written.Add(time.Hour)},
	} {
		tt.d.To, tt.d.MessageID, tt.d.Body = "ada@example.org", "m1-0-1@example.org", "text\n"
		r, err := post.Codec{Address: "games@example.org"}.Render(tt.d)
		if err != nil {
			t.Fatal(err)
		}
		if want := "\nDate: " + tt.want.Format(time.RFC1123Z) + "\r\n"; !strings.Contains("\n"+string(r.Bytes), want) {
			t.Errorf("%s: the header has no %q:\n%s", tt.name, want, r.Bytes)
		}
	}
}
