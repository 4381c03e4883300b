package mail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
)

// asksForFirst says that an answer with the content of the first letter is asked for.
func asksForFirst(verb, args string) bool {
	set, _, _ := strings.Cut(args, " ")
	return verb == "FETCH" && strings.Contains(args, "BODY") && (set == "1" || strings.HasPrefix(set, "1:") || strings.HasPrefix(set, "1,"))
}

// TestUnreadableLetter: a letter that the server hands out never is put in
// quarantine when others were handed out for long enough, for deadlines wait while it
// lies there. When the server hands out nothing, nothing happens.
func TestUnreadableLetter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, item, end string }{
		{"no content", "* 1 FETCH (UID 1 RFC822.SIZE 10 BODY[]<0> NIL)", "OK done"},
		{"refused, as Exchange does", "", "NO The requested message could not be converted to an RFC-822 compatible format."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newOddServer()
			s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
				if !asksForFirst(verb, args) {
					return false
				}
				set, _, _ := strings.Cut(args, " ")
				if tt.item != "" {
					say("%s", tt.item)
					if set != "1" {
						return s.answerFetch(strings.TrimPrefix(strings.TrimPrefix(args, "1:"), "1,"), say, func(uid int, body bool) string { return s.item(uid, body, 1) })
					}
				}
				say("%s", tt.end)
				return true
			}
			cfg := s.start(t)
			told := make(chan BadLetter, 10)
			cfg.Quarantined = func(_ context.Context, b BadLetter) error { told <- b; return nil }
			s.deliver("Subject: unreadable\r\n\r\n")
			store := newStore()
			p := NewPoller(cfg, store, logTo(t))
			run(t, p)
			until(t, "many tries", func() bool { return s.count("FETCH") > 20 })
			if len(told) > 0 || !p.LastPoll().IsZero() {
				t.Fatal("a letter was given up that may be no worse than others")
			}
			s.deliver(string(mail3("good")))
			until(t, "quarantine", func() bool { return slices.Equal(s.in("Samizdat/Quarantine"), []string{"unreadable"}) })
			until(t, "the good one", func() bool { return slices.Equal(s.in("Samizdat/Done"), []string{"good"}) })
			if b := <-told; b.Letter.UID != 1 || b.Letter.UIDValidity != 7 || b.Letter.Raw != nil || b.Letter.Arrived.IsZero() || b.Reason == nil {
				t.Errorf("the operator was told %+v", b)
			}
			until(t, "deadlines go on", func() bool { return !p.LastPoll().IsZero() })
		})
	}
}

// TestLetterThatEndsTheConnection: a server may break off at one letter, or answer what
// the library cannot read. The others are handled all the same, and that one goes into
// quarantine when others were handed out for long enough.
func TestLetterThatEndsTheConnection(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, answer string }{
		{"BYE", "* BYE Internal error, disconnecting"},
		{"a date that is none", `* 1 FETCH (UID 1 INTERNALDATE "00-Jan-0000 00:00:00 +0000" BODY[]<0> {3}` + "\r\nabc)"},
		{"no answer of IMAP", "* 1 FETCH (UID 1 BODY[]<0> ~~~"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newOddServer()
			s.odd = func(_ *oddServer, verb, args string, say func(string, ...any)) bool {
				if !asksForFirst(verb, args) {
					return false
				}
				say("%s", tt.answer)
				return true
			}
			cfg := s.start(t)
			told := make(chan BadLetter, 10)
			cfg.Quarantined = func(_ context.Context, b BadLetter) error { told <- b; return nil }
			s.deliver("Subject: bad\r\n\r\n")
			for i := range 3 {
				s.deliver(string(mail3(fmt.Sprint("good", i))))
			}
			p := NewPoller(cfg, newStore(), logTo(t))
			run(t, p)
			until(t, "the good ones", func() bool { return len(s.in("Samizdat/Done")) == 3 })
			for n := 0; len(s.in("Samizdat/Quarantine")) == 0; n++ {
				s.deliver(string(mail3(fmt.Sprint("later", n))))
				until(t, "a later one", func() bool { return len(s.in("Samizdat/Done")) == 4+n })
			}
			if b := <-told; b.Letter.UID != 1 || b.Letter.Raw != nil || b.Reason == nil {
				t.Errorf("the operator was told %+v", b)
			}
			until(t, "deadlines go on", func() bool { return !p.LastPoll().IsZero() })
			if got := s.in("Samizdat/Quarantine"); !slices.Equal(got, []string{"bad"}) {
				t.Errorf("in quarantine are %v", got)
			}
		})
	}
}

// TestLostOnce: letters at which the line broke once are no worse than others.
func TestLostOnce(t *testing.T) {
	t.Parallel()
	s := newOddServer()
	broken := 0
	s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !asksForFirst(verb, args) || broken >= 2 {
			return false
		}
		broken++
		say("* BYE later")
		return true
	}
	cfg := s.start(t)
	for i := range 3 {
		s.deliver(string(mail3(fmt.Sprint("good", i))))
	}
	store := newStore()
	p := NewPoller(cfg, store, logTo(t))
	run(t, p)
	until(t, "all filed", func() bool { return len(s.in("Samizdat/Done")) == 3 && !p.LastPoll().IsZero() })
	for i := range 3 {
		if _, calls := store.times(fmt.Sprint("good", i)); calls != 1 {
			t.Errorf("letter %d was handled %d times", i, calls)
		}
	}
}

// TestKeptBackIsForgotten: what is counted against a letter ends when it is handed out.
func TestKeptBackIsForgotten(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	p := NewPoller(IMAPConfig{}, nil, nil)
	p.now = func() time.Time { return now }
	filed := map[Folder][]imap.UID{}
	keep := func() {
		now = now.Add(50 * time.Minute)
		p.keptBack(t.Context(), entry{uid: 1}, errors.New("not now"), filed)
		p.handedOut = now.Add(time.Minute)
	}
	for range 3 {
		keep()
		keep()
		p.handsOut([]Received{{UID: 1}})
	}
	if len(filed) > 0 {
		t.Fatal("put in quarantine")
	}
	keep()
	keep()
	if keep(); !slices.Equal(filed[Quarantine], []imap.UID{1}) {
		t.Errorf("filed %v", filed)
	}
}

// TestMovesRefused: when nothing can be filed, every letter is handled all the same,
// also those that lie behind the first batch, and LIMIT is not taken for a word about
// how often something is asked.
func TestMovesRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		answer string
		verbs  []string
	}{
		{"NO [LIMIT] Too many messages in the folder", []string{"MOVE"}},
		{"NO [LIMIT] Maximum number of mailboxes reached", []string{"CREATE", "MOVE"}},
		{"NO [NONEXISTENT] no such mailbox", []string{"CREATE", "MOVE"}},
		{"NO [NOPERM] no", []string{"MOVE"}},
	} {
		t.Run(tt.answer, func(t *testing.T) {
			t.Parallel()
			s := newOddServer()
			s.odd = func(_ *oddServer, verb, _ string, say func(string, ...any)) bool {
				if slices.Contains(tt.verbs, verb) {
					say("%s", tt.answer)
					return true
				}
				return false
			}
			cfg := s.start(t)
			for i := range batchLetters + 10 {
				s.deliver(string(mail3(fmt.Sprint("good", i))))
			}
			store := newStore()
			p := NewPoller(cfg, store, nil)
			run(t, p)
			last := fmt.Sprint("good", batchLetters+9)
			until(t, "the last one", func() bool { _, calls := store.times(last); return calls == 1 })
		})
	}
}
