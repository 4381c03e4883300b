package post_test

import (
	"strings"
	"testing"

	"samizdat/mail"
)

// TestManyLinesAreTooBig: of a letter with too many lines to tell quotes from orders
// nothing is read, and it counts as too long.
func TestManyLinesAreTooBig(t *testing.T) {
	t.Parallel()
	const head = "From: ann@y.test\r\nTo: referee+m1-0-7-abcdefghijklmnop@x.test\r\n\r\nPLAY 36 EVENT\r\n"
	for quoted, big := range map[int]bool{100: false, 25_000: true} {
		l := codec.Read(mail.Received{Raw: []byte(head + strings.Repeat("\r\n> PLAY 99 EVENT", quoted))})
		if want := map[bool]string{false: "PLAY 36 EVENT\n"}[big]; l.TooBig != big || l.Orders != want {
			t.Errorf("%d quoted lines: too big %v, orders %.80q", quoted, l.TooBig, l.Orders)
		}
	}
}

// TestServiceFields: what a mail service adds to the letters of people makes no
// machine of them.
func TestServiceFields(t *testing.T) {
	t.Parallel()
	for _, field := range []string{"Feedback-ID: i56a14606:Fastmail", "Feedback-ID: 27367763:user:proton", "List-Id: <family.example.org>"} {
		l := codec.Read(mail.Received{Raw: []byte("From: ann@y.test\r\nTo: referee+m1-0-7-abcdefghijklmnop@x.test\r\n" + field + "\r\n\r\nPLAY 36 EVENT\r\n")})
		if l.Auto != "" || l.Token == nil || l.Orders == "" {
			t.Errorf("%s: %q, token %v, orders %q", field, l.Auto, l.Token, l.Orders)
		}
	}
}
