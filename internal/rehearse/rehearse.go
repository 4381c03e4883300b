// Package rehearse lets a club of simulated members live for a month in fast time: its letters
// go through the embedded mail server over sockets and through the daemon as it serves, and only
// the clock is another. At the end it is checked that nothing was lost, doubled or late.
//
// Members read their letters and answer them as people would who have a mail program. What
// a robot answers it finds in the view of its seat, for a letter's position is for people.
package rehearse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/match/clock"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/mailclient"
	"samizdat/rules"
)

// Plan is what club lives for how long.
type Plan struct {
	// Game is what they play: a game for two that has robots.
	Game rules.Game
	// Dir is a new directory for database and mailboxes.
	Dir string
	// Members is how many there are, Matches how many run when the month begins, Days how long
	// it is.
	Members, Matches, Days int
	Seed                   uint64
	// Measured is how many letters are measured with few matches and with all; 0 for none.
	Measured int
	// Tempo is how much time the players have; empty for Tempo, with which who falls silent loses
	// within some days. Looks is how long it is from one look into a member's mailbox to the
	// next, on average; 0 for Looks.
	Tempo string
	Looks time.Duration
	// MemoryMB is how much memory the process may hold in MB; 0 where it does other work as well.
	MemoryMB float64
	// Progress is told what is under way.
	Progress io.Writer
}

const (
	// cupName is the tournament that is held, cupSize how many enter it at most.
	cupName, cupSize = "rehearsal-cup", 16
	// few is how many matches run when letters are measured with few.
	few = 10
	// atOnce is how many members use their mail programs at the same time.
	atOnce = 8
)

// What a plan has that does not say it: members who play many matches look into their mailboxes
// twice a week or so, and have the time for it. Only those who fall silent lose on time.
const (
	Tempo = "240h+96h<=480h"
	Looks = 72 * time.Hour
)

// begins is when the clock of every rehearsal begins: a Monday.
var begins = time.Date(2027, 1, 4, 8, 0, 0, 0, time.UTC)

// simulated is the one clock of the club.
type simulated struct{ at atomic.Int64 }

func (c *simulated) now() time.Time  { return time.Unix(0, c.at.Load()).UTC() }
func (c *simulated) set(t time.Time) { c.at.Store(t.UnixNano()) }

// rehearsal is a club under way.
type rehearsal struct {
	Plan
	cfg     config.Config
	clock   simulated
	ticks   chan time.Time
	d       *daemon.Daemon
	inbox   *imapclient.Client
	members []*member
	byName  map[string]*member
	random  *rand.Rand
	// mu guards what is wrong in the summary.
	mu  sync.Mutex
	sum Summary
	// told is when the time of matches was to be over, as it was shown on some day.
	told map[string]told
	// first are the matches in which letters are measured.
	first []string
	// closes end what was started, the last first.
	closes []func() error
	// sent counts the letters of members, entered who is in the tournament.
	sent, entered atomic.Int64
}

// Run lets a club live, and sums it up. What is wrong with it stands in the summary; the error is what
// kept it from being found out.
func Run(ctx context.Context, p Plan) (_ Summary, err error) {
	if err := p.check(); err != nil {
		return Summary{}, err
	}
	r, serving, err := open(ctx, p)
	if err != nil {
		return Summary{}, err
	}
	err = r.lives(serving)
	return r.sum, errors.Join(err, r.close())
}

// open starts mail server and daemon of a club, whose members have mailboxes. The context that it
// returns ends when the daemon does.
func open(ctx context.Context, p Plan) (r *rehearsal, serving context.Context, err error) {
	r = &rehearsal{Plan: p, ticks: make(chan time.Time), byName: map[string]*member{}, told: map[string]told{}, random: rand.New(rand.NewPCG(p.Seed, 16))}
	r.Tempo, r.Looks = cmp.Or(p.Tempo, Tempo), cmp.Or(p.Looks, Looks)
	r.clock.set(begins)
	r.configure()
	if r.d, err = daemon.OpenAt(ctx, r.cfg, rules.Games{p.Game}, slog.New(slog.DiscardHandler), daemon.Clock{Now: r.clock.now, Ticks: r.ticks}); err != nil {
		return nil, nil, err
	}
	r.closes = append(r.closes, r.d.Close)
	in, out := r.cfg.IMAP, r.cfg.SMTP.SMTPConfig
	server, err := daemon.StartEmbedded(ctx, r.cfg, &in, &out)
	if err != nil {
		return nil, nil, errors.Join(err, r.close())
	}
	r.closes = append(r.closes, server.Close)
	for _, m := range r.members {
		m.account.IMAP, m.account.SMTP = server.IMAPAddr(), server.SMTPAddr()
	}
	if r.inbox, err = login(in.Address, in.User, in.Password); err != nil {
		return nil, nil, errors.Join(err, r.close())
	}
	r.closes = append(r.closes, r.inbox.Close)
	serving, stop := context.WithCancelCause(ctx)
	served := make(chan error, 1)
	go func() {
		err := r.d.Serve(serving, in, out)
		stop(err) // Who waits for it need not wait for ever.
		served <- err
	}()
	r.closes = append(r.closes, func() error { stop(nil); return <-served })
	return r, serving, nil
}

// close ends what open has started.
func (r *rehearsal) close() (err error) {
	for _, c := range slices.Backward(r.closes) {
		err = errors.Join(err, c())
	}
	return err
}

func (p Plan) check() error {
	least, _ := p.Game.Seats()
	if _, ok := p.Game.(rules.RobotMaker); !ok || least != 2 {
		return fmt.Errorf("%s is no game for two robots", p.Game.Title())
	}
	switch most := p.Members / 2 * mostMatches; {
	case p.Members < 4, p.Members > MostNames:
		return fmt.Errorf("a club of %d cannot be: name 4 to %d members", p.Members, MostNames)
	case p.Matches < few, p.Matches > most:
		return fmt.Errorf("%d matches cannot be: name %d to %d, since each member plays %d at most", p.Matches, few, most, mostMatches)
	case p.Days < 0, p.Days > 60:
		return fmt.Errorf("%d days cannot be: name 0 to 60", p.Days)
	}
	return nil
}

// mostMatches is how many matches a member plays at once.
const mostMatches = 30

// configure makes the club and its members, who have mailboxes already.
func (r *rehearsal) configure() {
	var names, mailboxes []string
	for i := range r.Members {
		names, mailboxes = append(names, NameOf(i)), append(mailboxes, strings.ToLower(NameOf(i)))
	}
	c := config.Local(r.Dir, mailboxes)
	c.Letters.Pictures = false
	c.Tempo, c.Zero = r.Tempo, string(clock.Forfeit)
	c.Club.Registration, c.Club.Name, c.Club.MostAsked, c.Club.MostMatches = club.Open, "The rehearsed club", r.Members, mostMatches
	c.KeepLetters += time.Duration(r.Days) * 24 * time.Hour // What was sent in the month is counted when it is over.
	c.Embedded.Now = r.clock.now
	for i, name := range names {
		a := c.Embedded.Accounts[i]
		m := &member{r: r, name: name, account: mailclient.Account{Address: a.Address, Password: a.Password, Now: r.clock.now},
			random: rand.New(rand.NewPCG(r.Seed, uint64(i))), asks: letters{}, resigns: map[string]bool{}, offers: map[string]bool{}}
		r.members, r.byName[name] = append(r.members, m), m
	}
	r.cfg = c
}

func login(address, user, password string) (*imapclient.Client, error) {
	c, err := imapclient.DialInsecure(address, nil)
	if err != nil {
		return nil, err
	}
	return c, c.Login(user, password).Wait()
}

func (r *rehearsal) say(format string, args ...any) {
	if r.Progress != nil {
		fmt.Fprintf(r.Progress, format+"\n", args...)
	}
}

// lives is the month, with what comes before and after it.
func (r *rehearsal) lives(ctx context.Context) error {
	began := time.Now()
	r.sum.Members, r.sum.Days, r.sum.Seed = r.Members, r.Days, r.Seed
	for _, part := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"members register by mail", r.register}, {"matches are begun", r.fill}, {"letters are measured, with ten matches and with all", r.measure},
		{"the month", r.month}, {"looks for what is due are measured", r.looks}, {"checks", r.checks},
	} {
		r.say("%s", part.name)
		if err := part.do(ctx); err != nil {
			return fmt.Errorf("%s, at %s: %w", part.name, r.clock.now().Format(time.DateTime), err)
		}
		r.say("  done after %v", time.Since(began).Round(time.Second))
	}
	r.sum.Seconds = time.Since(began).Seconds()
	return nil
}

// wake lets members use their mail programs, some at the same time, and waits until all is
// answered.
func (r *rehearsal) wake(ctx context.Context, who []*member, act func(*member, context.Context) error) error {
	g, each := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for _, m := range who {
		g.Go(func() error {
			if err := m.online(each, act); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return r.settle(ctx)
}

// register lets all join the club: they ask, confirm, and read that they are members.
func (r *rehearsal) register(ctx context.Context) error {
	for range 3 {
		if err := r.wake(ctx, r.members, (*member).joins); err != nil {
			return err
		}
	}
	for _, m := range r.members {
		if !m.joined {
			return fmt.Errorf("%s is no member", m.name)
		}
	}
	cup := club.Tournament{Name: cupName, Title: "The rehearsal cup", Match: club.Terms{Game: r.Game.Name()}, Starts: begins.AddDate(0, 0, 2).Truncate(24 * time.Hour)}
	return r.d.Club.NewTournament(ctx, cup, tournament.Terms{Kind: tournament.Swiss, Rounds: 3}, "the rehearsal", "a rehearsal")
}

// month lets the time pass: members act when they wake.
func (r *rehearsal) month(ctx context.Context) error {
	if r.Days == 0 {
		return nil
	}
	began, end := r.clock.now(), r.clock.now().AddDate(0, 0, r.Days)
	for _, m := range r.members {
		m.begins(began, end)
	}
	r.members[0].silent = began // In every club there is one.
	p := pace{began: time.Now(), said: time.Now(), letters: r.sent.Load()}
	for day := 1; r.clock.now().Before(end); {
		next := end
		for _, m := range r.members {
			if m.next.Before(next) {
				next = m.next
			}
		}
		if err := r.pass(ctx, next); err != nil {
			return err
		}
		var awake []*member
		for _, m := range r.members {
			if !m.next.After(next) {
				awake = append(awake, m)
			}
		}
		if err := r.wake(ctx, awake, (*member).acts); err != nil {
			return err
		}
		now := r.clock.now()
		if p.due() {
			r.say("  %s", p.tell(now.Sub(began), end.Sub(began), r.sent.Load()))
		}
		for ; day <= r.Days && !now.Before(began.AddDate(0, 0, day)); day++ {
			if err := r.daily(ctx, day); err != nil {
				return err
			}
		}
	}
	return r.wake(ctx, r.members, (*member).reads)
}

// pace is how quickly the time of a club passes by the clock on the wall.
type pace struct {
	began, said time.Time
	// letters is how many members had sent before.
	letters int64
}

// sayEvery is how often it is told how it goes.
const sayEvery = 30 * time.Second

// due reports whether it is time to tell.
func (p *pace) due() bool {
	if time.Since(p.said) < sayEvery {
		return false
	}
	p.said = time.Now()
	return true
}

// tell says how far it is, and how long it takes yet if it goes on so.
func (p *pace) tell(passed, all time.Duration, letters int64) string {
	took := time.Since(p.began)
	left := time.Duration(float64(took) * float64(all-passed) / float64(max(passed, time.Minute)))
	return fmt.Sprintf("%.1f days in %v: %d letters of members, %.0f a second; about %v left", passed.Hours()/24, took.Round(time.Second),
		letters-p.letters, float64(letters-p.letters)/took.Seconds(), left.Round(time.Minute))
}

var statusOptions = imap.StatusOptions{NumMessages: true}
