package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"samizdat/adjudicator/beacon"
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/recent"
	"samizdat/rules"
)

// Config is what an Adjudicator works with.
type Config struct {
	conversation.ReplyConfig
	Games []*rules.Game
	// Random is the source of secrets and keys, asked from several goroutines at once.
	Random io.Reader
	// Build names the program's build. A position that another build has
	// stored is rebuilt from the history and compared before it is played on.
	// It may be empty: then positions are taken as they are stored.
	Build string
	// FilesQuestions: without a contact the operator finds letters with questions of players
	// where those of the disposition Asked are filed.
	FilesQuestions bool
	// VacationDays is how many days of vacation a player has in a calendar year.
	VacationDays int
	// Chain is the public beacon of new matches; without a name it is quicknet. Rounds gets
	// what it has published; nil gets nothing.
	Chain  beacon.Chain
	Rounds Rounds
	// Invitations is how long an invitation is good; 0 for ever.
	Invitations time.Duration
	// Desk is the address of the page at which a letter's reader clicks an order together; empty for none.
	Desk string
	// Club takes the letters of the club; nil where there is none. It may be set before the
	// first letter comes.
	Club Club
	// AtTable means that the players sit at one table and write no letters. Nobody
	// calls Due, so nothing is held back and nothing waits for its time.
	AtTable bool
}

// Adjudicator takes letters to their matches.
type Adjudicator struct {
	Config
	// readers are those of the games, by name. Each is made when it is wanted first.
	readers    map[string]func() *letter.Reader
	clockWatch clockWatch
	// Replies answers letters of no seat, and those that did nothing.
	Replies conversation.Replies
	recent  recent.Cache
}

// New returns an adjudicator. It is safe for concurrent use.
func New(c Config) *Adjudicator {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	a := &Adjudicator{Config: c, readers: map[string]func() *letter.Reader{}}
	a.Replies = conversation.Replies{ReplyConfig: &a.ReplyConfig}
	for _, g := range c.Games {
		a.readers[g.Name()] = sync.OnceValue(func() *letter.Reader { return readerOf(g) })
	}
	return a
}

// readers are the readers of games. They never change, and making one costs as much as some letters.
var readers sync.Map

// readerOf makes the reader of a game, or takes the one that was made for an equal game.
func readerOf(g *rules.Game) *letter.Reader {
	if !reflect.ValueOf(g).Comparable() {
		return letter.New(g)
	}
	r, ok := readers.Load(g)
	if !ok {
		r, _ = readers.LoadOrStore(g, letter.New(g))
	}
	return r.(*letter.Reader)
}

func (a *Adjudicator) game(name string) (*rules.Game, error) {
	for _, g := range a.Games {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("this program does not know the game %q", name)
}

// Receive takes one letter to its match. When it returns without an error, what
// the letter led to is stored, answers included. A letter received twice changes
// nothing the second time.
func (a *Adjudicator) Receive(ctx context.Context, l exchange.Letter) (exchange.Disposition, error) {
	d, of, err := a.take(ctx, l)
	if err != nil {
		return "", err
	}
	// Of a stranger the log names nothing: neither his address nor what he called his letter.
	at := []any{"uid", l.UID, "disposition", string(d)}
	if of.Match != "" {
		at = append(at, "match", of.Match, "seat", int(of.Seat))
	}
	a.Log.InfoContext(ctx, "letter handled", at...)
	return d, nil
}

// take takes a letter, and tells whose seat it is of; of no match where it is of none.
func (a *Adjudicator) take(ctx context.Context, l exchange.Letter) (d exchange.Disposition, of match.SeatRef, err error) {
	if l.Bounce != nil {
		d, err = takeBounce(ctx, a, l)
		return d, of, err
	}
	if l.Auto != "" {
		a.Log.InfoContext(ctx, "machine mail ignored", "why", l.Auto, "uid", l.UID)
		return exchange.Ignored, of, nil
	}
	what := fmt.Sprintf("letter %d", l.UID)
	err = a.retryOnConflict(ctx, what, func() (err error) { d, of, err = a.receive(ctx, l); return err })
	switch {
	case errors.Is(err, exchange.ErrDuplicate):
		return exchange.Done, of, nil
	case err != nil:
		return "", of, fmt.Errorf("adjudicate %s: %w", what, err)
	}
	return d, of, nil
}

func (a *Adjudicator) receive(ctx context.Context, l exchange.Letter) (d exchange.Disposition, of match.SeatRef, err error) {
	digest := l.ReceiptDigest()
	for _, t := range l.Seats() {
		// Before the token is looked at: the letter may have changed the key.
		was, twice, err := a.Store.Received(ctx, t.Match, t.Seat, digest, ballotReceipt(a, digest))
		if err != nil {
			return "", of, err
		}
		if twice {
			a.Log.InfoContext(ctx, "letter delivered twice", "match", t.Match, "seat", int(t.Seat))
			return was, t, nil
		}
	}
	l, err = chooseCandidate(ctx, a, l)
	if err != nil {
		return "", of, err
	}
	m, seat, err := a.identify(ctx, l)
	if err != nil {
		return "", of, err
	}
	if m == nil {
		d, err = a.ofNoSeat(ctx, l)
		return d, of, err
	}
	d, err = a.fromSeat(ctx, l, digest, m, seat)
	return d, match.SeatRef{Match: m.ID, Seat: seat}, err
}

// fromSeat takes a letter of the player of a seat.
func (a *Adjudicator) fromSeat(ctx context.Context, l exchange.Letter, digest string, m *match.Match,
	seat rules.Seat) (exchange.Disposition, error) {
	if d, unproven, err := a.Replies.Unproven(ctx, l, m.Seats[seat].Player.Address); unproven || err != nil {
		return d, err
	}
	m.Seats[seat].Clock.RecordPlayerLetter(m.Seats[seat].Clock.CountedArrival(l.Arrived, a.Now()))
	was := lastingOf(m)
	if l.Shared {
		if err := renewKey(a, &m.Seats[seat]); err != nil {
			return "", err
		}
	}
	j, err := a.newRun(ctx, m, seat, l)
	if err != nil {
		return "", err
	}
	j.before = &was
	if err := readOrders(ctx, j); err != nil {
		return "", err
	}
	reportLate(j)
	change, err := j.change(ctx, seat)
	if err != nil {
		return "", err
	}
	change.Receipt = j.receipt(l, digest)
	if err := a.Store.Apply(ctx, change); err != nil {
		return change.Receipt.Disposition, err
	}
	if j.reply.filed {
		a.Log.WarnContext(ctx, "a player asks the operator: the letter lies with the questions in the referee's mailbox", "match", m.ID,
			"seat",
			int(seat))
	}
	return change.Receipt.Disposition, nil
}

// ofNoSeat takes the letters that no seat's player has proved to have written: the
// director's, answers about an address, those to the club, and those of who watches or wants to.
func (a *Adjudicator) ofNoSeat(ctx context.Context, l exchange.Letter) (exchange.Disposition, error) {
	if l.From != "" {
		for _, take := range []func(context.Context, exchange.Letter) (exchange.Disposition, bool, error){a.fromDirector, a.aboutAddress,
			a.toClub, a.outsider} {
			if d, done, err := take(ctx, l); done || err != nil {
				return d, err
			}
		}
	}
	told, err := a.fromElsewhere(ctx, l)
	if err != nil {
		return "", err
	}
	answered, err := a.stranger(ctx, l)
	if answered == exchange.Ignored {
		answered = told
	}
	return answered, err
}

// stranger answers letters that cannot be trusted: a registered sender gets a
// fixed text without a word of any match, another sender reads how to join the club, or gets silence.
func (a *Adjudicator) stranger(ctx context.Context, l exchange.Letter) (exchange.Disposition, error) {
	if l.From == "" {
		a.Log.InfoContext(ctx, "letter without exactly one sender ignored", "uid", l.UID)
		return exchange.Ignored, nil
	}
	known, err := a.Store.Registered(ctx, l.From)
	if err != nil {
		return "", err
	}
	if !known && a.Club != nil {
		return a.Club.Newcomer(ctx, l)
	}
	if !known {
		a.Log.InfoContext(ctx, "letter of a stranger ignored", "uid", l.UID)
		return exchange.Ignored, nil
	}
	return a.Replies.Fixed(ctx, l, l.From, "", "Your letter could not be read as orders", compose.StrangerText(a.Post.Mark()))
}
