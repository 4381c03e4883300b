package adjudicator_test

import (
	"fmt"
	"testing"

	"samizdat/mail"
)

// TestSetAside: whoever has written a letter that is put aside is told at the address that ours went to, three times a day at
// most, whoever else sends it; his match stays as it is, and the letter is carried out when it comes again.
func TestSetAside(t *testing.T) {
	t.Parallel()
	f := newForged(t)
	m := f.letter(f.victim, f.line)
	m.To, m.InReplyTo, m.Subject = f.token, "", "Orders"
	before := f.state(t)
	for i := range 5 {
		m.MessageID = fmt.Sprint("aside", i, "@x")
		raw, err := m.Render()
		if err != nil {
			t.Fatal(err)
		}
		had := f.letters(f.victim)
		r := mail.Received{UIDValidity: 1, UID: uint32(1000 + i), Arrived: f.now, Raw: raw}
		for range 2 {
			if err := f.handler().NotifyFailure(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		f.deliver()
		want := had
		if i < 3 {
			want++
		}
		if got := f.letters(f.victim); got != want || f.state(t) != before {
			t.Fatalf("letter %d: %d letters, want %d", i, got-had, want-had)
		}
		if i == 0 {
			golden(t, "addresses/set-aside.txt", f.last(f.victim).Text)
		}
	}
	stranger := mail.Received{UIDValidity: 1, UID: 2000, Raw: []byte("From: x@y.example\r\nSubject: hello\r\n\r\nhello\r\n")}
	if err := f.handler().NotifyFailure(t.Context(), stranger); err != nil {
		t.Fatal(err)
	}
	if waits := f.waiting("x"); len(waits) > 0 {
		t.Errorf("a stranger is told of his letter")
	}
	m.To, m.MessageID = f.token, "aside0@x"
	if folder := f.receive(m); folder != mail.Done || f.state(t) == before {
		t.Errorf("the letter that was put aside is filed in %s when it comes again:\n%s", folder, f.last(f.victim).Text)
	}
}
