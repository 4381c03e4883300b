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
	// Build is the program's build, e.g. a VCS revision. A position that another build has stored is recomputed from the history and
	// compared before it is used. If Build is empty, stored positions are used as they are.
	Build string
	// FilesQuestions is set if no contact address is configured. Letters with questions to the operator are then filed in the referee's
	// mailbox (exchange.DispositionAsked).
	FilesQuestions bool
	// VacationDays is the number of vacation days of a player in a calendar year.
	VacationDays int
	// BeaconChain is the public beacon of new matches; the default is beacon.Quicknet. Rounds fetches the beacon's
	// rounds; nil if the referee does not fetch rounds.
	BeaconChain beacon.Chain
	Rounds      RoundSource
	// InvitationPeriod is the time after which an invitation expires; if it is 0, invitations never expire.
	InvitationPeriod time.Duration
	// DeskURL is the URL of the desk, the page on which a player composes an order by clicking; empty for none.
	DeskURL string
	// Club handles the letters of the club; nil for none. It can be set after New, but before the first letter.
	Club Club
	// AtTable is set if the players share one screen. Their orders are never delayed, because RunDueTasks, which executes
	// delayed orders, is not called.
	AtTable bool
}

// Adjudicator carries out letters, due tasks and background jobs.
type Adjudicator struct {
	Config
	// readers holds, by game name, a function that creates the game's letter reader at the first call.
	readers    map[string]func() *letter.Reader
	clockJumps clockJumpDetector
	Replies    conversation.Replies
	recent     recent.Cache
}

// New returns an adjudicator for the games of a configuration.
func New(c Config) *Adjudicator {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	a := &Adjudicator{Config: c, readers: map[string]func() *letter.Reader{}}
	a.Replies = conversation.Replies{ReplyConfig: &a.ReplyConfig}
	for _, g := range c.Games {
		a.readers[g.Name()] = sync.OnceValue(func() *letter.Reader { return cachedReader(g) })
	}
	return a
}

// readerCache caches the letter readers of games. A reader is immutable. Its creation takes as long as the handling of several letters.
var readerCache sync.Map

func cachedReader(g *rules.Game) *letter.Reader {
	if !reflect.ValueOf(g).Comparable() {
		return letter.New(g)
	}
	r, ok := readerCache.Load(g)
	if !ok {
		r, _ = readerCache.LoadOrStore(g, letter.New(g))
	}
	return r.(*letter.Reader)
}

func findGame(games []*rules.Game, name string) (*rules.Game, error) {
	for _, g := range games {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("unknown game %q", name)
}

func (a *Adjudicator) gameTopic(m *match.Match) string {
	g, err := findGame(a.Games, m.Game)
	if err != nil {
		return match.Capitalize(m.Game)
	}
	return compose.GameTopic(g)
}

// Receive carries out one letter. If it returns no error, the effect and the answers are stored. A letter that is received twice has no
// effect the second time.
func (a *Adjudicator) Receive(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error) {
	disposition, writer, err := a.handleLetter(ctx, incoming)
	if err != nil {
		return "", err
	}
	// The log contains neither the address nor the subject, which may come from a stranger.
	attrs := []any{"uid", incoming.UID, "disposition", string(disposition)}
	if writer.Match != "" {
		attrs = append(attrs, "match", writer.Match, "seat", int(writer.Seat))
	}
	a.Log.InfoContext(ctx, "letter handled", attrs...)
	return disposition, nil
}

// handleLetter handles a letter, and returns the seat of its writer. If the letter belongs to no seat, writer.Match is empty.
func (a *Adjudicator) handleLetter(ctx context.Context, incoming exchange.Letter) (disposition exchange.Disposition,
	writer match.SeatRef, err error) {
	if incoming.Bounce != nil {
		disposition, err = receiveBounce(ctx, a, incoming)
		return disposition, writer, err
	}
	if incoming.AutoReason != "" {
		a.Log.InfoContext(ctx, "machine mail ignored", "reason", incoming.AutoReason, "uid", incoming.UID)
		return exchange.DispositionIgnored, writer, nil
	}
	label := fmt.Sprintf("letter %d", incoming.UID)
	err = a.retryOnConflict(ctx, label, func() (err error) { disposition, writer, err = a.receiveOnce(ctx, incoming); return err })
	switch {
	case errors.Is(err, exchange.ErrDuplicate):
		return exchange.DispositionDone, writer, nil
	case err != nil:
		return "", writer, fmt.Errorf("adjudicate %s: %w", label, err)
	}
	return disposition, writer, nil
}

func (a *Adjudicator) receiveOnce(ctx context.Context, incoming exchange.Letter) (disposition exchange.Disposition, writer match.SeatRef,
	err error) {
	digest := incoming.ReceiptDigest()
	for _, t := range incoming.Seats() {
		// Look for a duplicate before checking the token, because the first delivery may have changed the seat's key.
		earlier, isDuplicate, err := a.Store.Received(ctx, t.Match, t.Seat, digest, ballotReceiptDigest(a, digest))
		if err != nil {
			return "", writer, err
		}
		if isDuplicate {
			a.Log.InfoContext(ctx, "letter delivered twice", "match", t.Match, "seat", int(t.Seat))
			return earlier, t, nil
		}
	}
	incoming, err = chooseCandidate(ctx, a, incoming)
	if err != nil {
		return "", writer, err
	}
	m, seat, err := a.findWriterSeat(ctx, incoming)
	if err != nil {
		return "", writer, err
	}
	if m == nil {
		disposition, err = a.receiveWithoutSeat(ctx, incoming)
		return disposition, writer, err
	}
	disposition, err = a.receiveFromSeat(ctx, incoming, digest, m, seat)
	return disposition, match.SeatRef{Match: m.ID, Seat: seat}, err
}

func (a *Adjudicator) receiveFromSeat(ctx context.Context, incoming exchange.Letter, digest string, m *match.Match,
	seat rules.Seat) (exchange.Disposition, error) {
	if disposition, isRefused, err := a.Replies.RefuseUnauthenticated(ctx, incoming, m.Seats[seat].Player.Address); isRefused || err != nil {
		return disposition, err
	}
	m.Seats[seat].Clock.RecordPlayerLetter(m.Seats[seat].Clock.EffectiveArrival(incoming.ArrivedAt, a.Now()))
	before := captureState(m)
	if incoming.HasOtherRecipients {
		if err := renewKey(a, &m.Seats[seat]); err != nil {
			return "", err
		}
	}
	run, err := a.newRun(ctx, m, seat, incoming)
	if err != nil {
		return "", err
	}
	run.before = &before
	if err := processOrders(ctx, run); err != nil {
		return "", err
	}
	reportLateArrival(run)
	change, err := run.buildChange(ctx, seat)
	if err != nil {
		return "", err
	}
	change.Receipt = run.receipt(incoming, digest)
	if err := a.Store.Apply(ctx, change); err != nil {
		return change.Receipt.Disposition, err
	}
	if run.effects.isFiled {
		a.Log.WarnContext(ctx, "a player asks the operator a question; the letter is filed in the referee's mailbox",
			"match", m.ID, "seat", int(seat))
	}
	return change.Receipt.Disposition, nil
}

// receiveWithoutSeat handles letters without a valid token of a seat: letters of the director, of club members and of
// observers, and answers to notices about a change of address.
func (a *Adjudicator) receiveWithoutSeat(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error) {
	if incoming.From != "" {
		for _, receive := range []func(context.Context, exchange.Letter) (exchange.Disposition, bool, error){
			a.receiveFromDirector, a.receiveAddressAnswer, a.receiveForClub, a.receiveFromOutsider} {
			if disposition, isHandled, err := receive(ctx, incoming); isHandled || err != nil {
				return disposition, err
			}
		}
	}
	disposition, err := a.receiveFromOtherAddress(ctx, incoming)
	if err != nil {
		return "", err
	}
	answer, err := a.answerStranger(ctx, incoming)
	if answer == exchange.DispositionIgnored {
		answer = disposition
	}
	return answer, err
}

// answerStranger answers a letter without a valid token. A registered sender gets a fixed text that mentions no match. Other senders are
// told how to join the club, or get no answer.
func (a *Adjudicator) answerStranger(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error) {
	if incoming.From == "" {
		a.Log.InfoContext(ctx, "letter without exactly one sender ignored", "uid", incoming.UID)
		return exchange.DispositionIgnored, nil
	}
	isRegistered, err := a.Store.IsRegistered(ctx, incoming.From)
	if err != nil {
		return "", err
	}
	if !isRegistered && a.Club != nil {
		return a.Club.ReceiveNewcomer(ctx, incoming)
	}
	if !isRegistered {
		a.Log.InfoContext(ctx, "letter of a stranger ignored", "uid", incoming.UID)
		return exchange.DispositionIgnored, nil
	}
	return a.Replies.AnswerFixed(ctx, incoming, incoming.From, "", "Your letter could not be read as orders",
		compose.StrangerText(a.Codec.MarkerLine()))
}
