package post_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator"
	"samizdat/internal/post"
	"samizdat/mail"
)

// TestKeys: two letters share a key where one may have to be handled before the other.
func TestKeys(t *testing.T) {
	t.Parallel()
	seat := codec.Token([]byte("key"), adjudicator.Token{Match: "mabc", Seat: 1, Number: 7})
	other := codec.Token([]byte("key"), adjudicator.Token{Match: "mxyz", Seat: 0, Number: 2})
	observer := codec.Token([]byte("key"), adjudicator.ObserverToken("mabc", 3, 1))
	member := codec.Token([]byte("key"), adjudicator.MemberToken(5, 1))
	bySubject := codec
	bySubject.InSubject = true
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
		"it came back":  {codec, bounceOf(codec.LetterID([]byte("key"), adjudicator.Token{Match: "mabc", Seat: 1, Number: 7})), []string{"from mailer-daemon@y.test", "match mabc", "no token"}},
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
		c := post.Codec{Address: "judge@example.net", InSubject: bySubject}
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
