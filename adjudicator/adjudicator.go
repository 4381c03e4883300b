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

// Config is the configuration of an Adjudicator.
type Config struct {
	conversation.ReplyConfig
	Games []*rules.Game
	// Random is the source of secrets and keys. It must be safe for concurrent use.
	Random io.Reader
	// Build is the program's build, e.g. a VCS revision. The position of another build is recomputed from the
	// history and compared before it is used. If Build is empty, stored positions are used as they are.
	Build string
	// FilesQuestions is set if letters with questions to the operator are filed in the referee's mailbox (disposition Asked), because
	// no contact address is configured.
	FilesQuestions bool
	// VacationDays is the number of days of vacation of a player in a calendar year.
	VacationDays int
	// Chain is the public beacon of new matches; quicknet if it has no name. Rounds fetches the beacon's rounds;
	// nil fetches none.
	Chain  beacon.Chain
	Rounds Rounds
	// InvitationPeriod is the time after which an invitation expires; 0 for never.
	InvitationPeriod time.Duration
	// Desk is the URL of the page on which a player composes an order by clicking; empty for none.
	Desk string
	// Club handles the letters of the club; nil for none. It may be set before the first letter comes.
	Club Club
	// AtTable is set if the players share one screen and write no letters. RunDueTasks is never called then, so no letter is delayed.
	AtTable bool
}

// Adjudicator carries out letters in their matches.
type Adjudicator struct {
	Config
	// readers are the readers of the games by name, created at first use.
	readers    map[string]func() *letter.Reader
	clockWatch clockWatch
	// Replies answers letters that belong to no seat, and letters without an effect.
	Replies conversation.Replies
	recent  recent.Cache
}

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

// readers caches the readers of games. They are immutable, and one takes as long to create as several letters.
var readers sync.Map

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

func (a *Adjudicator) findGame(name string) (*rules.Game, error) {
	for _, g := range a.Games {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("this program does not know the game %q", name)
}

// Receive carries out one letter. When it returns without an error, the effect and the answers are stored. A
// letter that is received twice has no effect the second time.
func (a *Adjudicator) Receive(ctx context.Context, l exchange.Letter) (exchange.Disposition, error) {
	d, writer, err := a.handle(ctx, l)
	if err != nil {
		return "", err
	}
	// The log contains neither address nor subject of a stranger.
	at := []any{"uid", l.UID, "disposition", string(d)}
	if writer.Match != "" {
		at = append(at, "match", writer.Match, "seat", int(writer.Seat))
	}
	a.Log.InfoContext(ctx, "letter handled", at...)
	return d, nil
}

// handle handles a letter, and returns the seat of its writer; the SeatRef has no match if there is none.
func (a *Adjudicator) handle(ctx context.Context, l exchange.Letter) (d exchange.Disposition, writer match.SeatRef, err error) {
	if l.Bounce != nil {
		d, err = receiveBounce(ctx, a, l)
		return d, writer, err
	}
	if l.Auto != "" {
		a.Log.InfoContext(ctx, "machine mail ignored", "reason", l.Auto, "uid", l.UID)
		return exchange.Ignored, writer, nil
	}
	what := fmt.Sprintf("letter %d", l.UID)
	err = a.retryOnConflict(ctx, what, func() (err error) { d, writer, err = a.receiveOnce(ctx, l); return err })
	switch {
	case errors.Is(err, exchange.ErrDuplicate):
		return exchange.Done, writer, nil
	case err != nil:
		return "", writer, fmt.Errorf("adjudicate %s: %w", what, err)
	}
	return d, writer, nil
}

func (a *Adjudicator) receiveOnce(ctx context.Context, l exchange.Letter) (d exchange.Disposition, writer match.SeatRef, err error) {
	digest := l.ReceiptDigest()
	for _, t := range l.Seats() {
		// Check this before the token, because the letter may have changed the key.
		earlier, twice, err := a.Store.Received(ctx, t.Match, t.Seat, digest, ballotReceipt(a, digest))
		if err != nil {
			return "", writer, err
		}
		if twice {
			a.Log.InfoContext(ctx, "letter delivered twice", "match", t.Match, "seat", int(t.Seat))
			return earlier, t, nil
		}
	}
	l, err = chooseCandidate(ctx, a, l)
	if err != nil {
		return "", writer, err
	}
	m, seat, err := a.identify(ctx, l)
	if err != nil {
		return "", writer, err
	}
	if m == nil {
		d, err = a.receiveFromOthers(ctx, l)
		return d, writer, err
	}
	d, err = a.receiveFromSeat(ctx, l, digest, m, seat)
	return d, match.SeatRef{Match: m.ID, Seat: seat}, err
}

func (a *Adjudicator) receiveFromSeat(ctx context.Context, l exchange.Letter, digest string, m *match.Match,
	seat rules.Seat) (exchange.Disposition, error) {
	if d, unproven, err := a.Replies.RefuseUnauthenticated(ctx, l, m.Seats[seat].Player.Address); unproven || err != nil {
		return d, err
	}
	m.Seats[seat].Clock.RecordPlayerLetter(m.Seats[seat].Clock.CountedArrival(l.Arrived, a.Now()))
	before := newSavedState(m)
	if l.HasOtherRecipients {
		if err := renewKey(a, &m.Seats[seat]); err != nil {
			return "", err
		}
	}
	run, err := a.newRun(ctx, m, seat, l)
	if err != nil {
		return "", err
	}
	run.before = &before
	if err := readOrders(ctx, run); err != nil {
		return "", err
	}
	reportLate(run)
	change, err := run.change(ctx, seat)
	if err != nil {
		return "", err
	}
	change.Receipt = run.receipt(l, digest)
	if err := a.Store.Apply(ctx, change); err != nil {
		return change.Receipt.Disposition, err
	}
	if run.effects.filed {
		a.Log.WarnContext(ctx, "a player asks the operator: the letter is with the questions in the referee's mailbox",
			"match", m.ID, "seat", int(seat))
	}
	return change.Receipt.Disposition, nil
}

// receiveFromOthers handles letters without a valid token of a seat: those of the director, of the club and of observers, and answers
// about an address.
func (a *Adjudicator) receiveFromOthers(ctx context.Context, l exchange.Letter) (exchange.Disposition, error) {
	if l.From != "" {
		for _, receive := range []func(context.Context, exchange.Letter) (exchange.Disposition, bool, error){
			a.receiveFromDirector, a.receiveAddressAnswer, a.receiveForClub, a.receiveFromOutsider} {
			if d, done, err := receive(ctx, l); done || err != nil {
				return d, err
			}
		}
	}
	disposition, err := a.receiveFromOtherAddress(ctx, l)
	if err != nil {
		return "", err
	}
	answered, err := a.answerStranger(ctx, l)
	if answered == exchange.Ignored {
		answered = disposition
	}
	return answered, err
}

// answerStranger answers a letter without any valid token. A registered sender gets a fixed text that mentions no match. Another sender
// is told how to join the club, or gets no answer.
func (a *Adjudicator) answerStranger(ctx context.Context, l exchange.Letter) (exchange.Disposition, error) {
	if l.From == "" {
		a.Log.InfoContext(ctx, "letter without exactly one sender ignored", "uid", l.UID)
		return exchange.Ignored, nil
	}
	known, err := a.Store.Registered(ctx, l.From)
	if err != nil {
		return "", err
	}
	if !known && a.Club != nil {
		return a.Club.ReceiveNewcomer(ctx, l)
	}
	if !known {
		a.Log.InfoContext(ctx, "letter of a stranger ignored", "uid", l.UID)
		return exchange.Ignored, nil
	}
	return a.Replies.AnswerFixed(ctx, l, l.From, "", "Your letter could not be read as orders", compose.StrangerText(a.Post.Mark()))
}
