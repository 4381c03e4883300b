// Package rehearse simulates a month of a club with a fast clock. Letters pass over sockets through
// the embedded mail server and the real daemon; only the clock is replaced. Checks at the end find
// letters that were lost, doubled or late.
//
// Members read and answer letters with a mail client. They choose moves with a robot, from the
// stored position: the position in a letter is written for people.
package rehearse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2/imapclient"
	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/rules"
)

// Plan holds the size and the length of a rehearsal.
type Plan struct {
	// Game is the game of all matches. It has two seats and robots.
	Game *rules.Game
	// Dir is an empty directory for the database and the mailboxes.
	Dir string
	// Members is the number of members, Matches the number of matches when the month begins, Days
	// its length. With 0 days only letters are measured.
	Members, Matches, Days int
	Seed                   uint64
	// Measured is the number of letters measured with few matches and with all; 0 measures none.
	Measured int
	// Tempo is the time control; by default only members who fall silent lose on time. Looks is the
	// average time between two visits of a member to the mailbox; by default 72 hours.
	Tempo string
	Looks time.Duration
	// Hooks gives each member a web hook, at a server of the test.
	Hooks bool
	// MemoryMB is the memory limit of the process; 0 if the process does other work as well.
	MemoryMB float64
	// Progress receives progress messages; it may be nil.
	Progress io.Writer
}

const (
	// cupName is the tournament of the rehearsal, cupSize the most members that enter it.
	cupName, cupSize = "rehearsal-cup", 16
	// few is the number of matches in the smaller measurement.
	few = 10
	// atOnce is the number of members online at the same time.
	atOnce = 8
	// maxMatches is the limit of matches that a member plays at once.
	maxMatches = 30
	// fillAtOnce is the number of matches begun before the rehearsal waits for their letters.
	fillAtOnce = 100
)

// begins is the start of every rehearsal: a Monday.
var begins = time.Date(2027, 1, 4, 8, 0, 0, 0, time.UTC)

// rehearsal is the state of a running rehearsal.
type rehearsal struct {
	Plan
	t       testing.TB
	cfg     config.Config
	clock   simulated
	ticks   chan time.Time
	d       *daemon.Daemon
	inbox   *imapclient.Client
	members []*member
	byName  map[string]*member
	// serving is cancelled when the daemon ends. close stops the daemon.
	serving context.Context
	close   func()
	// mu guards sum.Wrong.
	mu  sync.Mutex
	sum Summary
	// told holds the deadlines that each match showed at its last check, by match ID.
	told map[string]told
	// first holds the IDs of the matches for the measurement of letters.
	first []string
	// sent counts the letters from members, entered the members that enter the tournament.
	sent, entered atomic.Int64
	// notices counts the notices that came to the web hooks.
	notices atomic.Int64
}

// Run runs a rehearsal and returns its summary. Failed checks fail the test and are listed in
// Summary.Wrong.
func Run(t testing.TB, p Plan) Summary {
	t.Helper()
	if p.Members < 4 || p.Members > maxNames || p.Matches < few || p.Matches > p.Members/2*maxMatches {
		t.Fatalf("%d members cannot play %d matches: there are 4 to %d, who play %d matches at most, and all of them %d at least",
			p.Members, p.Matches, maxNames, maxMatches, few)
	}
	began := time.Now()
	r := open(t, p)
	r.sum.Members, r.sum.Days, r.sum.Seed = r.Members, r.Days, r.Seed
	for _, part := range []struct {
		name string
		do   func()
	}{
		{"members register by mail", r.register}, {"members get web hooks", r.hook}, {"matches are begun", r.fill},
		{"letters are measured, with ten matches and with all", r.measure}, {"the month", r.month},
		{"looks for what is due are measured", r.looks}, {"checks", r.checks},
	} {
		r.say("%s", part.name)
		part.do()
		r.say("  done after %v", time.Since(began).Round(time.Second))
	}
	r.close()
	if r.sum.Notices = int(r.notices.Load()); r.Hooks && r.sum.Notices == 0 {
		r.sum.Wrong = append(r.sum.Wrong, "no notice came to a web hook")
	}
	r.sum.Seconds = time.Since(began).Seconds()
	for _, w := range r.sum.Wrong {
		t.Error(w)
	}
	return r.sum
}

// open starts the mail server and the daemon.
func open(t testing.TB, p Plan) *rehearsal {
	t.Helper()
	r := &rehearsal{Plan: p, t: t, ticks: make(chan time.Time), byName: map[string]*member{}, told: map[string]told{}}
	r.Tempo, r.Looks = cmp.Or(p.Tempo, "240h+96h<=480h"), cmp.Or(p.Looks, 72*time.Hour)
	r.clock.set(begins)
	r.configure()
	var err error
	silent := slog.New(slog.DiscardHandler)
	r.d, err = daemon.OpenAt(t.Context(), r.cfg, rules.Games{p.Game}, silent, daemon.Clock{Now: r.clock.now, Ticks: r.ticks})
	r.check(err)
	in, out := r.cfg.IMAP, r.cfg.SMTP.SMTPConfig
	server, err := daemon.StartEmbedded(t.Context(), r.cfg, &in, &out)
	r.check(err)
	for _, m := range r.members {
		m.imapAt, m.smtpAt = server.IMAPAddr(), server.SMTPAddr()
	}
	r.inbox, err = login(in.Address, in.User, in.Password)
	r.check(err)
	serving, stop := context.WithCancelCause(t.Context())
	r.serving = serving
	served := make(chan error, 1)
	go func() {
		err := r.d.Serve(serving, in, out)
		stop(err) // so that waits on serving end
		served <- err
	}()
	r.close = sync.OnceFunc(func() {
		stop(nil)
		if err := errors.Join(<-served, r.inbox.Close(), server.Close(), r.d.Close()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(r.close)
	return r
}

// configure writes the configuration, with a mailbox for each member.
func (r *rehearsal) configure() {
	var names, mailboxes []string
	for i := range r.Members {
		names, mailboxes = append(names, nameOf(i)), append(mailboxes, strings.ToLower(nameOf(i)))
	}
	c := config.Local(r.Dir, mailboxes)
	c.Letters.Pictures = false
	c.Club.PrivateHooks = r.Hooks
	c.Tempo, c.OnTimeout = r.Tempo, string(clock.Forfeit)
	c.Club.Registration, c.Club.Name, c.Club.MaxAskedPerDay, c.Club.MaxMatches = club.RegistrationOpen, "The rehearsed club", r.Members, maxMatches
	c.KeepLetters += time.Duration(r.Days) * 24 * time.Hour // The mail check counts the whole month's letters at the end.
	c.Embedded.Now = r.clock.now
	for i, name := range names {
		a := c.Embedded.Accounts[i]
		m := &member{r: r, name: name, address: a.Address, password: a.Password, random: rand.New(rand.NewPCG(r.Seed, uint64(i))),
			asks: map[string]letter{}, resigns: map[string]bool{}, offers: map[string]bool{}}
		r.members, r.byName[name] = append(r.members, m), m
	}
	r.cfg = c
}

// check ends the test on an error that the rehearsal cannot survive.
func (r *rehearsal) check(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatalf("at %s: %v", r.clock.now().Format(time.DateTime), err)
	}
}

func (r *rehearsal) say(format string, args ...any) {
	if r.Progress != nil {
		fmt.Fprintf(r.Progress, format+"\n", args...)
	}
}

// wake calls act for members who are online, several at the same time, and waits until all letters
// are answered.
func (r *rehearsal) wake(who []*member, act func(*member) error) {
	r.t.Helper()
	var g errgroup.Group
	g.SetLimit(atOnce)
	for _, m := range who {
		g.Go(func() error {
			if err := m.online(act); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			return nil
		})
	}
	r.check(g.Wait())
	r.settle()
}

// register registers all members: they ask, confirm, and read that they are members.
func (r *rehearsal) register() {
	for range 3 {
		r.wake(r.members, (*member).joins)
	}
	for _, m := range r.members {
		if !m.joined {
			r.t.Fatalf("%s is no member", m.name)
		}
	}
	cup := club.Tournament{Name: cupName, Title: "The rehearsal cup", MatchTerms: club.Terms{Game: r.Game.Name()},
		Starts: begins.AddDate(0, 0, 2).Truncate(24 * time.Hour)}
	r.check(r.d.Club.OpenTournament(r.serving, cup, tournament.Terms{Kind: tournament.Swiss, Rounds: 3}, "the rehearsal", "a rehearsal"))
}

// hook gives each member a confirmed web hook.
func (r *rehearsal) hook() {
	if !r.Hooks {
		return
	}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, _ *http.Request) { r.notices.Add(1) }))
	r.t.Cleanup(server.Close)
	change := &club.Change{}
	for _, m := range r.members {
		h, err := club.NewHook(server.URL, "json", "", true)
		r.check(err)
		is, err := r.d.DB.Club.MemberByAddress(r.serving, m.address)
		r.check(err)
		h.ID, h.State, h.AskedAt = is.ID, club.HookConfirmed, r.clock.now()
		change.Hooks = append(change.Hooks, h)
	}
	r.check(r.d.DB.Apply(r.serving, exchange.Change{Club: change}))
}

// fill begins the matches of the plan. The first matches are for the measurement and pair different
// members, if the club is large enough. The others give each member equally many matches against
// changing opponents.
func (r *rehearsal) fill() {
	n := len(r.members)
	for i := range r.Matches {
		one, two := i%n, (i+1+i/n*7%(n-1))%n
		if i < few {
			one, two = 2*i%n, (2*i+1)%n
		} else if one == two {
			two = (two + 1) % n
		}
		r.begin(r.members[one], r.members[two])
		if (i+1)%fillAtOnce == 0 || i+1 == r.Matches {
			r.settle()
		}
	}
	r.wake(r.members, (*member).reads)
}

// begin begins a match of two members as the club does after an offer is accepted.
func (r *rehearsal) begin(pair ...*member) {
	id, err := r.d.DB.Club.NextOfferID(r.serving)
	r.check(err)
	secret, err := record.NewSecret(r.d.Adjudicator.Random)
	r.check(err)
	now := r.clock.now()
	o := &club.Offer{ID: id, Terms: club.Terms{Game: r.Game.Name()}, State: club.OfferAccepted, Created: now, Expires: now, Secret: secret.Bytes()}
	inv := r.cfg.Terms()
	inv.Game, inv.Secret = r.Game.Name(), &secret
	for _, m := range pair {
		is, err := r.d.DB.Club.MemberByAddress(r.serving, m.address)
		r.check(err)
		player, err := r.d.DB.Player(r.serving, is.ID)
		r.check(err)
		words := "words of " + m.name
		o.Parties = append(o.Parties, club.Party{Member: is.ID, Words: words})
		inv.Entrants = append(inv.Entrants, adjudicator.Entrant{Player: player, Name: is.Name, Words: words})
	}
	b, err := r.d.Adjudicator.PrepareMatch(r.serving, inv)
	r.check(err)
	o.Match = b.Match.ID
	if r.sum.Filled++; r.sum.Filled <= few {
		r.first = append(r.first, o.Match)
	}
	r.check(r.d.DB.Apply(r.serving, exchange.Change{NewMatches: []exchange.NewMatch{b}, Club: &club.Change{Offers: []*club.Offer{o}}}))
}
