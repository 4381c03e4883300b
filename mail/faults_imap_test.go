package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"samizdat/internal/test/mailtest"
	"samizdat/mail/embedded"
)

// imapFault is one row: what goes wrong, and what is told of it. Whatever goes
// wrong, every letter is committed exactly once and filed.
type imapFault struct {
	name   string
	faults []mailtest.Fault
	// calls is how often a letter may be given to the Handler; 0 means once.
	calls int
	// told is what the log must say.
	told string
	// stuck is trouble that ends only when the operator ends it: until then
	// nothing is handled and nothing is lost.
	stuck bool
	// hopeless is trouble that the test cannot end.
	hopeless bool
	// setup changes the configuration; act does something behind the poller's
	// back when the first fault came to pass, or at once.
	setup func(*imapScene)
	act   func(*imapScene)
	// captive is a letter that ends in quarantine.
	captive string
}

type imapScene struct {
	t      testing.TB
	server embedded.Config
	proxy  mailtest.ProxyConfig
	cfg    IMAPConfig
	store  *memStore
	told   atomic.Int64
	run    *embedded.Server
}

func (s *imapScene) box() string { return s.cfg.Mailbox }

// once is a fault that happens one time.
func once(on string, do mailtest.Action, more ...mailtest.Fault) []mailtest.Fault {
	return append([]mailtest.Fault{{On: on, Do: do, Times: 1, Bytes: 20, Delay: 100 * time.Millisecond}}, more...)
}

func answers(on, text string, times int) []mailtest.Fault {
	return []mailtest.Fault{{On: on, Do: mailtest.Answer, Text: text, Times: times}}
}

const body = "BODY.PEEK"

func on(f mailtest.Fault) []mailtest.Fault { return []mailtest.Fault{f} }

func imapFaults() []imapFault {
	renumber := func(s *imapScene) {
		if err := mailboxOf(s.run, referee).Renumber(s.box()); err != nil {
			s.t.Error(err)
		}
	}
	table := []imapFault{
		{name: "connection refused", faults: on(mailtest.Fault{On: mailtest.AtConnect, Do: mailtest.Drop, Times: 3}), told: "mailbox connection failed"},
		{name: "no greeting", faults: once(mailtest.AtConnect, mailtest.Stall), told: "greeting"},
		{name: "greeting BYE", faults: answers(mailtest.AtConnect, "* BYE too many connections", 2), told: "greeting"},
		{name: "greeting is not IMAP", faults: answers(mailtest.AtConnect, "220 smtp ready", 1)},
		{name: "half a greeting", faults: once(mailtest.AtConnect, mailtest.Half)},
		{name: "slow greeting", faults: once(mailtest.AtConnect, mailtest.Slow)},
		{name: "login stalls", faults: once("LOGIN", mailtest.Stall), told: "imap login"},
		{name: "login refused", faults: answers("LOGIN", "NO [AUTHENTICATIONFAILED] no", 0), stuck: true, told: "check user and password"},
		{name: "login not now", faults: answers("LOGIN", "NO [UNAVAILABLE] later", 2), told: "UNAVAILABLE"},
		{name: "login carried out, answer lost", faults: once("LOGIN", mailtest.DropAfter)},
		{name: "half an answer to the login", faults: once("LOGIN", mailtest.Half)},
		{name: "namespace stalls", faults: once("NAMESPACE", mailtest.Stall)},
		{name: "namespace refused", faults: answers("NAMESPACE", "NO not today", 1)},
		{name: "folders cannot be made at first", faults: answers("CREATE", "NO [CANNOT] no", 4)},
		{name: "create stalls", faults: once("CREATE", mailtest.Stall)},
		{name: "subscribe refused", faults: answers("SUBSCRIBE", "NO no", 0)},
		{name: "mailbox not there", faults: answers("SELECT", "NO [NONEXISTENT] no such mailbox", 0), stuck: true, told: "deleted or renamed"},
		{name: "select stalls", faults: once("SELECT", mailtest.Stall)},
		{name: "half an answer to select", faults: once("SELECT", mailtest.Half)},
		{name: "search stalls", faults: once("SEARCH", mailtest.Stall)},
		{name: "search refused", faults: answers("SEARCH", "NO [SERVERBUG] oops", 2)},
		{name: "half an answer to search", faults: once("SEARCH", mailtest.Half)},
		{name: "unknown answer at search", faults: on(mailtest.Fault{On: "SEARCH", Do: mailtest.Say, Text: "* VANISHED 1:2\r\n", Times: 1})},
		{name: "sizes refused", faults: on(mailtest.Fault{On: "FETCH", With: "RFC822.SIZE)", Do: mailtest.Answer, Text: "NO no", Times: 2})},
		{name: "sizes drop", faults: on(mailtest.Fault{On: "FETCH", With: "RFC822.SIZE)", Do: mailtest.DropAfter, Times: 1})},
		{name: "fetch stalls", faults: on(mailtest.Fault{On: "FETCH", With: body, Do: mailtest.Stall, Times: 1})},
		{name: "fetch stalls in the answer", faults: on(mailtest.Fault{On: "FETCH", With: body, Do: mailtest.StallAfter, Times: 1})},
		{name: "half a letter", faults: on(mailtest.Fault{On: "FETCH", With: body, Do: mailtest.Half, Bytes: 250, Times: 2})},
		{name: "one letter and a half", faults: on(mailtest.Fault{On: "FETCH", With: body, Do: mailtest.Half, Bytes: 1000, Times: 2})},
		{name: "fetch refused for a batch", faults: on(mailtest.Fault{On: "FETCH", With: body, Do: mailtest.Answer, Text: "NO [SERVERBUG] a letter is damaged", Times: 1})},
		{name: "fetch refused for one letter", faults: on(mailtest.Fault{On: "FETCH", With: body, Do: mailtest.Answer, Text: "NO [SERVERBUG] this letter is damaged", Times: 4}), told: "the server did not return a letter"},
		{name: "bye in the middle", faults: on(mailtest.Fault{On: "FETCH", Do: mailtest.Say, Text: "* BYE going down\r\n", Times: 1})},
		{name: "move stalls", faults: once("MOVE", mailtest.Stall)},
		{name: "move carried out, answer stalls", faults: once("MOVE", mailtest.StallAfter)},
		{name: "move carried out, answer lost", faults: once("MOVE", mailtest.DropAfter)},
		{name: "move drops", faults: once("MOVE", mailtest.Drop)},
		{name: "half an answer to move", faults: once("MOVE", mailtest.Half)},
		{name: "mailbox full", faults: answers("MOVE", "NO [OVERQUOTA] quota exceeded", 3), told: "make room"},
		{name: "idle stalls", faults: once("IDLE", mailtest.Stall)},
		{name: "idle refused", faults: answers("IDLE", "BAD what", 0), told: "polled"},
		{name: "idle drops", faults: on(mailtest.Fault{On: "IDLE", Do: mailtest.Drop, Times: 3})},
		{name: "idle tells nothing", faults: on(mailtest.Fault{On: "IDLE", Do: mailtest.Rewrite, Old: "EXISTS", Text: "RECENT"})},
		{name: "end of idle stalls", faults: once("DONE", mailtest.Stall)},
		{name: "every answer is slow", faults: on(mailtest.Fault{On: mailtest.Anywhere, Do: mailtest.Slow, Delay: 30 * time.Millisecond})},
		{name: "every second command drops", faults: on(mailtest.Fault{On: mailtest.Anywhere, Do: mailtest.Drop, Skip: 9, Every: 7, Times: 8})},
		{name: "renumbered between commit and move", faults: once("MOVE", mailtest.Drop), calls: 2, act: renumber, told: "new UIDVALIDITY",
			setup: func(s *imapScene) { s.cfg.Mailbox = "Letters" }},
		{name: "renumbered while nothing happens", setup: func(s *imapScene) { s.cfg.Mailbox = "Letters" }, act: func(s *imapScene) {
			until(s.t, "filed", func() bool { return len(subjects(s.t, mailboxOf(s.run, referee), string(Done))) == 3 })
			renumber(s)
		}},
		{name: "mailbox deleted and made again", setup: func(s *imapScene) { s.cfg.Mailbox = "Letters" }, act: func(s *imapScene) {
			// After the letters were filed: a server keeps nothing of what is deleted.
			until(s.t, "filed", func() bool { return len(subjects(s.t, mailboxOf(s.run, referee), string(Done))) == 3 })
			if err := errors.Join(mailboxOf(s.run, referee).Remove(s.box()), mailboxOf(s.run, referee).Make(s.box())); err != nil {
				s.t.Error(err)
			}
		}},
		{name: "mailbox renamed", told: "deleted or renamed", setup: func(s *imapScene) { s.cfg.Mailbox = "Letters" }, act: func(s *imapScene) {
			if err := mailboxOf(s.run, referee).Rename(s.box(), "Elsewhere"); err != nil {
				s.t.Error(err)
			}
			until(s.t, "a word to the operator", func() bool { return strings.Contains(s.t.(*scenario).log.String(), "deleted or renamed") })
			if err := mailboxOf(s.run, referee).Rename("Elsewhere", s.box()); err != nil {
				s.t.Error(err)
			}
		}},
		{name: "our folder deleted", act: func(s *imapScene) {
			until(s.t, "filed", func() bool { return len(subjects(s.t, mailboxOf(s.run, referee), string(Done))) == 3 })
			if err := mailboxOf(s.run, referee).Rename(string(Done), "Kept"); err != nil {
				s.t.Error(err)
			}
		}},
		{name: "handler fails twice", calls: 3, told: "stays in the inbox", setup: func(s *imapScene) {
			s.store.before = func(name string, n int) error {
				if name == "b" && n < 3 {
					return errors.New("database is locked")
				}
				return nil
			}
		}},
		{name: "a letter makes us fail", calls: 3, captive: "b", told: "quarantine", setup: func(s *imapScene) {
			s.store.before = func(name string, _ int) error {
				if name == "b" {
					return errors.New("index out of range")
				}
				return nil
			}
		}},
		{name: "a letter makes us panic", calls: 3, captive: "b", told: "quarantine", setup: func(s *imapScene) {
			s.cfg.QuarantineAfter = time.Hour
			s.store.before = func(name string, _ int) error {
				if name == "b" {
					panic("a bug")
				}
				return nil
			}
		}},
		{name: "the operator cannot be told at first", calls: 5, captive: "b", told: "the report to the operator failed", setup: func(s *imapScene) {
			s.store.before = func(name string, _ int) error {
				if name == "b" {
					return errors.New("database is away")
				}
				return nil
			}
			var n atomic.Int64
			s.cfg.OnQuarantine = func(context.Context, BadLetter) error {
				if n.Add(1) < 3 {
					return errors.New("database is away")
				}
				s.told.Add(1)
				return nil
			}
		}},
		{name: "implicit TLS", setup: func(s *imapScene) { s.tls(TLS) }},
		{name: "STARTTLS", setup: func(s *imapScene) { s.tls(StartTLS) }},
		{name: "STARTTLS refused", faults: answers("STARTTLS", "NO not today", 0), stuck: true, setup: func(s *imapScene) { s.tls(StartTLS) }, told: "connecting to the IMAP server"},
		{name: "STARTTLS stalls", faults: once("STARTTLS", mailtest.Stall), setup: func(s *imapScene) { s.tls(StartTLS) }},
		{name: "STARTTLS drops", faults: once("STARTTLS", mailtest.DropAfter), setup: func(s *imapScene) { s.tls(StartTLS) }},
		{name: "certificate unknown", stuck: true, hopeless: true, told: "certificate is not trusted", setup: func(s *imapScene) {
			s.tls(TLS)
			s.cfg.CAFile = s.certs().otherCA
		}},
		{name: "certificate for another host", stuck: true, hopeless: true, told: "certificate is for another name", setup: func(s *imapScene) {
			s.tls(TLS)
			s.proxy.TLS, s.cfg.CAFile = s.certs().config(s.certs().other), s.certs().otherCA
		}},
		{name: "certificate out of date", stuck: true, hopeless: true, told: "certificate is not valid today", setup: func(s *imapScene) {
			s.tls(TLS)
			s.proxy.TLS, s.cfg.CAFile = s.certs().config(s.certs().ended), s.certs().endedCA
		}},
		{name: "certificate unknown after STARTTLS", stuck: true, hopeless: true, told: "certificate is not trusted", setup: func(s *imapScene) {
			s.tls(StartTLS)
			s.cfg.CAFile = s.certs().otherCA
		}},
		{name: "no TLS on a TLS port", stuck: true, hopeless: true, told: "does not speak TLS", setup: func(s *imapScene) { s.cfg.TLS = TLS }},
		{name: "XOAUTH2, first token ended", told: "check user and password, or the token", setup: func(s *imapScene) { s.tokens(AuthXOAuth2) }},
		{name: "OAUTHBEARER, first token ended", told: "check user and password, or the token", setup: func(s *imapScene) { s.tokens(AuthOAuthBearer) }},
		{name: "no token to be had", stuck: true, hopeless: true, told: "there is no access token", setup: func(s *imapScene) {
			s.tokens(AuthAuto)
			s.cfg.Tokens = TokenFile("/nowhere/token")
		}},
		{name: "SASL PLAIN, stalls once", faults: once("AUTHENTICATE", mailtest.Stall), setup: func(s *imapScene) { s.cfg.Auth = AuthPlain }},
		{name: "SASL LOGIN", setup: func(s *imapScene) { s.cfg.Auth = AuthLogin }},
		{name: "mechanism not offered", stuck: true, hopeless: true, told: "change auth", setup: func(s *imapScene) {
			s.cfg.Auth, s.cfg.Tokens = AuthXOAuth2, TokenFile("/nowhere/token")
		}},
	}
	for _, n := range []int{1, 90, 300, 500, 700, 900, 1100, 1500, 2200, 3000} {
		table = append(table, imapFault{name: fmt.Sprintf("cut at byte %d", n), faults: on(mailtest.Fault{On: mailtest.AtConnect, Do: mailtest.CutAt, Bytes: n, Times: 2})})
	}
	return table
}

func (s *imapScene) certs() *certs {
	c, err := makeCerts()
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// tls protects the connection: by the proxy from the first byte, or by the
// server after STARTTLS.
func (s *imapScene) tls(kind string) {
	s.cfg.TLS, s.cfg.CAFile = kind, s.certs().ca
	if kind == TLS {
		s.proxy.TLS = s.certs().config(s.certs().good)
	} else {
		s.server.TLS = &tls.Config{Certificates: []tls.Certificate{s.certs().good}}
	}
}

// tokens lets in who has the second token of two.
func (s *imapScene) tokens(mechanism string) {
	s.cfg.Auth, s.cfg.Password, s.cfg.Tokens = mechanism, "", &twoTokens{}
	s.server.Mechanisms = mailtest.Tokens(func(address, token string) bool { return address == referee && token == "token2" })
}

// twoTokens gives another token when the first is refused.
type twoTokens struct{ refused atomic.Int64 }

func (f *twoTokens) Token(context.Context) (string, error) {
	return fmt.Sprint("token", 1+f.refused.Load()), nil
}
func (f *twoTokens) MarkRefused(token string) {
	if token == "token1" {
		f.refused.Store(1)
	}
}

func TestIMAPFaults(t *testing.T) {
	t.Parallel()
	table := imapFaults()
	scenarios(t, len(table), func(i int) string { return table[i].name }, func(t testing.TB, i int) { imapScenario(t, table[i]) })
}

func imapScenario(t testing.TB, row imapFault) {
	log := &t.(*scenario).log
	s := &imapScene{t: t, store: newStore(), server: embedded.Config{Dir: t.TempDir(), Accounts: []embedded.Account{{Address: referee, Password: pass}}}}
	s.cfg = IMAPConfig{Login: Login{TLS: NoTLS, User: referee, Password: pass}, Mailbox: "INBOX", CommandTimeout: answerTimeout(row.faults), IdleRestart: 500 * time.Millisecond,
		PollInterval: 50 * time.Millisecond, Reconnect: Backoff{10 * time.Millisecond, 100 * time.Millisecond}, Retry: Backoff{10 * time.Millisecond, 50 * time.Millisecond},
		Refused: Backoff{10 * time.Millisecond, 100 * time.Millisecond}, Throttled: Backoff{10 * time.Millisecond, 100 * time.Millisecond},
		QuarantineAfter: time.Nanosecond, OnQuarantine: func(context.Context, BadLetter) error { s.told.Add(1); return nil }}
	s.proxy.Faults = row.faults
	if row.setup != nil {
		row.setup(s)
	}
	var err error
	if s.run, err = embedded.Start(context.Background(), s.server); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.run.Close() })
	if s.box() != "INBOX" {
		if err := mailboxOf(s.run, referee).Make(s.box()); err != nil {
			t.Fatal(err)
		}
	}
	all := []string{"a", "b", "c"}
	for _, name := range all {
		if err := mailboxOf(s.run, referee).DeliverTo(s.box(), mail3(name)); err != nil {
			t.Fatal(err)
		}
	}
	s.proxy.Target = s.run.IMAPAddr()
	proxy, err := mailtest.StartProxy(context.Background(), s.proxy)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = proxy.Close() })
	s.cfg.Address = proxy.Addr()
	run(t, NewPoller(s.cfg, s.store, log.logger()))

	if row.stuck {
		until(t, "three connections and a word to the operator", func() bool { return proxy.Conns() >= 3 && strings.Contains(log.String(), row.told) })
		for _, name := range all {
			if _, calls := s.store.times(name); calls != 0 {
				t.Errorf("%s was handled", name)
			}
		}
		if got := subjects(t, mailboxOf(s.run, referee), s.box()); !slices.Equal(got, all) {
			t.Errorf("in the mailbox: %v", got)
		}
		if row.hopeless {
			return
		}
		proxy.Set()
	}
	if row.act != nil {
		if len(row.faults) > 0 {
			until(t, "the fault", func() bool { return proxy.Fired() > 0 })
		}
		row.act(s)
	}
	s.filed(row, all)
	// The connection that came out of it is a good one, and hears of new mail.
	if err := mailboxOf(s.run, referee).DeliverTo(s.box(), mail3("late")); err != nil {
		t.Fatal(err)
	}
	s.filed(row, append(all, "late"))
	if row.told != "" {
		until(t, "the log says "+row.told, func() bool { return strings.Contains(log.String(), row.told) })
	}
	if len(row.faults) > 0 {
		until(t, "the fault comes to pass", func() bool { return proxy.Fired() > 0 })
	}
}

// moved waits until letters are where they belong and checks that each was
// committed once.
func (s *imapScene) filed(row imapFault, all []string) {
	s.t.Helper()
	var got, remaining, captives []string
	defer func() {
		if s.t.Failed() {
			s.t.Errorf("filed %v, left %v, in quarantine %v", got, remaining, captives)
		}
	}()
	// To look is a connection of its own, and a login.
	untilEvery(s.t, 60*time.Millisecond, fmt.Sprint(all, " filed"), func() bool {
		if remaining = subjects(s.t, mailboxOf(s.run, referee), s.box()); len(remaining) > 0 {
			return false
		}
		got = append(subjects(s.t, mailboxOf(s.run, referee), string(Done)), subjects(s.t, mailboxOf(s.run, referee), "Kept")...)
		captives = subjects(s.t, mailboxOf(s.run, referee), string(Quarantine))
		return len(got)+len(captives) >= len(all)
	})
	got = append(got, captives...)
	slices.Sort(got)
	if want := slices.Sorted(slices.Values(all)); !slices.Equal(got, want) {
		s.t.Errorf("filed are %v, want %v", got, want)
	}
	if row.captive == "" != (len(captives) == 0) {
		s.t.Errorf("in quarantine are %v", captives)
	}
	for _, name := range all {
		commits, calls := s.store.times(name)
		want := 1
		if name == row.captive {
			want = 0
			if s.told.Load() != 1 {
				s.t.Errorf("the operator was told %d times", s.told.Load())
			}
		}
		if commits != want || calls > max(row.calls, 1) {
			s.t.Errorf("%s: committed %d times, handled %d times", name, commits, calls)
		}
	}
}
