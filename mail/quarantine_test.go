package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"

	"samizdat/mail/message"
)

// TestQuarantineAfterDeaths runs a process that dies of a letter, again and
// again. The next puts the letter in quarantine and goes on with the others. When it is not alone in hand the
// first death shows only that it may have been the one.
func TestQuarantineAfterDeaths(t *testing.T) {
	t.Parallel()
	t.Run("one after the other", func(t *testing.T) { t.Parallel(); diesOfALetter(t, "", maxFailures+1) })
	t.Run("at the same time", func(t *testing.T) { t.Parallel(); diesOfALetter(t, "AT_ONCE=yes", maxFailures+2) })
}

func diesOfALetter(t *testing.T, more string, maximum int) {
	dir := t.TempDir()
	s := startServer(t, filepath.Join(dir, "mail"), "", "")
	var raws [][]byte
	for _, name := range []string{"a", "poison", "b"} {
		raws = append(raws, mail3(name))
		if err := mailboxOf(s, referee).Deliver(mail3(name)); err != nil {
			t.Fatal(err)
		}
	}
	deaths := 0
	for range 6 {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestChildDiesOfALetter$", "-test.count=1")
		cmd.Env = append(os.Environ(), "DIE_OF_A_LETTER="+s.IMAPAddr(), "IN_HAND="+filepath.Join(dir, "inhand"), more)
		out, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		if deaths++; !strings.Contains(string(out), "died of poison") {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if deaths <= maxFailures || deaths > maximum {
		t.Errorf("it died %d times", deaths)
	}
	if got := subjects(t, mailboxOf(s, referee), string(Done)); !slices.Equal(slices.Sorted(slices.Values(got)), []string{"a", "b"}) {
		t.Errorf("filed are %v", got)
	}
	got, err := mailboxOf(s, referee).Folder(string(Quarantine))
	if err != nil || len(got) != 1 || !bytes.Equal(got[0], raws[1]) {
		t.Errorf("in quarantine are %q, %v", got, err)
	}
}

func TestChildDiesOfALetter(t *testing.T) {
	addr := os.Getenv("DIE_OF_A_LETTER")
	if addr == "" {
		t.Skip("only as a child")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cfg := IMAPConfig{Login: Login{Address: addr, TLS: NoTLS, User: referee, Password: pass}, InFlightFile: os.Getenv("IN_HAND"), ProvenAfter: 100 * time.Millisecond}
	if os.Getenv("AT_ONCE") != "" {
		cfg.Keys = func(r Received) []string { return []string{subject(r)} }
	}
	p := NewPoller(cfg, HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		if subject(r) == "poison" {
			fmt.Println("died of poison")
			os.Exit(2)
		}
		return Done, nil
	}), nil)
	go func() {
		for p.InboxWatermark().IsZero() && sleep(ctx, 5*time.Millisecond) {
		}
		cancel()
	}()
	if err := p.Run(ctx); err != nil {
		t.Error(err)
	}
}

// TestCrashLoop kills a process again and again while it has an innocent letter in hand, for reasons that have nothing to do
// with it. The letter is not put in quarantine: when the process is left alone it is handled, before the one behind it.
func TestCrashLoop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, filepath.Join(dir, "mail"), "", "")
	for _, name := range []string{"slow", "b"} {
		if err := mailboxOf(s, referee).Deliver(mail3(name)); err != nil {
			t.Fatal(err)
		}
	}
	child := func(more ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestChildInCrashLoop$", "-test.count=1")
		cmd.Env = append(append(os.Environ(), "CRASH_LOOP="+s.IMAPAddr(), "IN_HAND="+filepath.Join(dir, "inhand")), more...)
		return cmd
	}
	const kills = 30
	inHand := 0
	for range kills {
		cmd := child()
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		said := make(chan bool, 1)
		go func() { _, err := out.Read(make([]byte, 1)); said <- err == nil }()
		select {
		case ok := <-said:
			if ok {
				inHand++
			}
		case <-time.After(300 * time.Millisecond):
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if inHand < maxFailures {
		t.Errorf("the letter was in hand at %d of %d kills", inHand, kills)
	}
	if out, err := child("CALM=yes").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := subjects(t, mailboxOf(s, referee), string(Done)); !slices.Equal(got, []string{"slow", "b"}) {
		t.Errorf("filed are %v", got)
	}
	if got := subjects(t, mailboxOf(s, referee), string(Quarantine)); len(got) > 0 {
		t.Errorf("in quarantine are %v", got)
	}
}

func TestChildInCrashLoop(t *testing.T) {
	addr, calm := os.Getenv("CRASH_LOOP"), os.Getenv("CALM") != ""
	if addr == "" {
		t.Skip("only as a child")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cfg := IMAPConfig{Login: Login{Address: addr, TLS: NoTLS, User: referee, Password: pass}, InFlightFile: os.Getenv("IN_HAND"), ProvenAfter: 500 * time.Millisecond}
	p := NewPoller(cfg, HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		if subject(r) == "slow" && !calm {
			fmt.Println("in hand")
			<-ctx.Done()
		}
		return Done, nil
	}), nil)
	go func() {
		for p.InboxWatermark().IsZero() && sleep(ctx, 5*time.Millisecond) {
		}
		cancel()
	}()
	if err := p.Run(ctx); err != nil {
		t.Error(err)
	}
}

// TestInFlight: what a process leaves behind, whatever it is, is understood.
func TestInFlight(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "inhand")
	one, two := inboxUID{1, 1}, inboxUID{1, 22222}
	open := func() *inFlight {
		h := openInFlight(path, logTo(t))
		t.Cleanup(h.close)
		return h
	}
	take := func(h *inFlight, id inboxUID, want int) {
		t.Helper()
		n, _ := h.countDeaths(id)
		if h.add(id); n != want {
			t.Errorf("letter %v was in hand %d times, want %d", id, n, want)
		}
	}
	h := open()
	take(h, one, 0)
	h = open() // It died.
	take(h, one, 1)
	h.remove(one, false) // An error: it lives.
	take(h, two, 0)
	h = open()
	take(h, two, 1)
	take(h, one, 1)
	h.remove(one, true)
	h.remove(two, false)
	h.keepOnly(1, func(uid uint32) bool { return uid != 22222 })
	h = open()
	take(h, one, 0)
	take(h, two, 0)
	h = open() // It died with both, and only one of them was to blame.
	for _, id := range []inboxUID{one, two} {
		if _, suspect := h.countDeaths(id); !suspect {
			t.Errorf("letter %v is not known to have been in flight", id)
		}
	}
	take(h, one, 0)
	h = open()
	take(h, one, 1)
	h.remove(one, true)
	take(h, two, 0)
	h.remove(two, false)
	if _, suspect := h.countDeaths(two); suspect {
		t.Error("a letter that failed without more is suspected")
	}
	if err := os.WriteFile(path, []byte("[{\"uidvalid"), 0o600); err != nil {
		t.Fatal(err)
	}
	take(open(), one, 0)
}

// TestFullMailbox: a hundred thousand letters of others lie in the mailbox, as
// deleted by somebody and never removed. They must not cost much, neither when
// the mailbox is opened nor when a letter comes.
func TestFullMailbox(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a large mailbox")
	}
	t.Parallel()
	const many = 100_000
	s := startServer(t, t.TempDir(), "", "")
	if err := mailboxOf(s, referee).Fill(many, []byte("Subject: old\r\n\r\nold\r\n"), imap.FlagDeleted); err != nil {
		t.Fatal(err)
	}
	seen := make(events, 10)
	cfg := configFor(s)
	p := NewPoller(cfg, HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		seen <- subject(r)
		return Done, nil
	}), logTo(t))
	startTime := time.Now()
	run(t, p)
	if err := mailboxOf(s, referee).Deliver(mail3("new")); err != nil {
		t.Fatal(err)
	}
	if got := seen.next(t); got != "new" {
		t.Fatalf("got %s", got)
	}
	t.Logf("opened, and the first letter handled, in %v", time.Since(startTime).Round(time.Millisecond))
	startTime = time.Now()
	if err := mailboxOf(s, referee).Deliver(mail3("next")); err != nil {
		t.Fatal(err)
	}
	if got := seen.next(t); got != "next" {
		t.Fatalf("got %s", got)
	}
	if d := time.Since(startTime); d > 5*time.Second {
		t.Errorf("a letter waited %v", d)
	} else {
		t.Logf("the next letter in %v", d.Round(time.Millisecond))
	}
}

// TestOnlyOneFails: a letter that fails goes to quarantine while others are handled, and never where its proof
// cannot be looked up for now, or where none is handled meanwhile.
func TestOnlyOneFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err    error
		others bool
		want   int
	}{{fmt.Errorf("adjudicate: %w", message.ErrTemporary), true, 0}, {errors.New("a fault"), true, 1}, {errors.New("a fault"), false, 0}} {
		p := NewPoller(IMAPConfig{}, nil, nil)
		now := time.Date(1989, 11, 9, 12, 0, 0, 0, time.UTC)
		p.now = func() time.Time { return now }
		filed := map[Folder][]imap.UID{}
		for n := range uint32(5) {
			p.recordResult(t.Context(), handleResult{letter: Received{UID: 7}, err: tt.err}, filed)
			now = now.Add(time.Hour)
			if tt.others {
				p.recordResult(t.Context(), handleResult{letter: Received{UID: 8 + n}, folder: Done}, filed)
			}
			if len(filed[Quarantine]) > 0 {
				break
			}
		}
		if got := len(filed[Quarantine]); got != tt.want {
			t.Errorf("%v, others are handled %t: %d letters in quarantine, want %d", tt.err, tt.others, got, tt.want)
		}
	}
}

// TestReadmit: letters in quarantine are counted, and put back into the inbox by one call when their fault is mended.
func TestReadmit(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	var mended atomic.Bool
	cfg := configFor(s)
	cfg.Retry = Backoff{time.Millisecond, time.Millisecond}
	cfg.Keys = func(r Received) []string { return []string{subject(r)} }
	p := NewPoller(cfg, HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		if strings.HasPrefix(subject(r), "poison") && !mended.Load() {
			panic("a fault")
		}
		return Done, nil
	}), logTo(t))
	run(t, p)
	for _, name := range []string{"a", "poison1", "b", "poison2"} {
		if err := mailboxOf(s, referee).Deliver(mail3(name)); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "two letters in quarantine", func() bool { return p.Status().InQuarantine == 2 })
	mended.Store(true)
	if n, err := ReturnQuarantined(t.Context(), cfg); n != 2 || err != nil {
		t.Fatalf("%d letters are put back, %v", n, err)
	}
	until(t, "all letters", func() bool { return len(subjects(t, mailboxOf(s, referee), string(Done))) == 4 })
	if n, err := ReturnQuarantined(t.Context(), cfg); n != 0 || err != nil {
		t.Errorf("%d letters are put back again, %v", n, err)
	}
}
