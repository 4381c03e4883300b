package match

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"samizdat/adjudicator/beacon"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Play is a match under way: what is carried out moves its turn. It knows of orders
// and answers, and nothing of the letters that bring them.
type Play struct {
	Turn *Turn
	// Seat is whose orders are carried out. What it keeps answers at once.
	Seat rules.Seat
	Means
	// Words are those of the game for seats and cards in records.
	Words record.OutcomeNames
	// reviewed is how many of the events the conditional orders have been held against.
	reviewed int
	key      record.Key
	// epoch is that of chance when the play began; rested are the seats that were to answer nothing
	// at some time since.
	epoch  int
	rested rules.Seats
	// past is the history that played has read; nil before.
	past []record.Entry
	// Replayed are the events of each entry as they are when it is played again; fewer where
	// that is not known.
	Replayed [][]rules.Event
	// Faults are what went wrong without stopping the play.
	Faults []Fault
}

// Means are what a play needs from outside.
type Means struct {
	// Conditional reads and fires conditional orders; nil where the game takes none.
	Conditional *ahead.Reader
	// History reads the entries of the match that are stored.
	History func(context.Context) ([]record.Entry, error)
	// Random is where delays and lots come from that nobody makes again.
	Random io.Reader
	// Beacon is the public beacon of new matches.
	Beacon beacon.Chain
	// Invitations is for how long the invitations to the match are good; 0 for ever.
	Invitations time.Duration
}

// Fault is something that went wrong without stopping the play, for the log.
type Fault struct {
	Text string
	Seat rules.Seat
	Err  error
	// Grave means that the program is to blame, or the match cannot go on.
	Grave bool
}

// NewPlay begins a play in which the orders of a seat are carried out.
func NewPlay(t *Turn, seat rules.Seat, with Means) *Play {
	return &Play{Turn: t, Seat: seat, Means: with, epoch: t.Match.Epoch, Words: record.NewOutcomeNames(t.Game, t.Setup())}
}

// fault notes what went wrong with an order of a seat.
func (p *Play) fault(seat rules.Seat, grave bool, err error, text string) {
	p.Faults = append(p.Faults, Fault{Text: text, Seat: seat, Err: err, Grave: grave})
}

// ReadKey makes the match's key from its secret, the players' words and the beacon's round.
func (p *Play) ReadKey() (err error) {
	p.key, err = Header(p.Turn.Game, p.Turn.Match).Key(p.Turn.Match.Secret)
	return err
}

// source is a match's chance for one entry, which remembers what was taken.
type source interface {
	rules.Chance
	gate.LotDrawer
	taken() []record.Outcome
}

type stream struct{ *record.Stream }

func (s stream) taken() []record.Outcome { return s.Outcomes() }

type recorded struct {
	*record.Recorded
	all []record.Outcome
}

func (r recorded) taken() []record.Outcome { return r.all[:len(r.all)-len(r.Unused())] }

// Chance is the chance of the entry that is the n-th with orders.
func (p *Play) Chance(n int) source {
	if p.Turn.Match.Recorded != nil {
		all := p.Turn.Match.Recorded[p.Turn.Match.Used:]
		return recorded{record.NewRecorded(all, p.Words), all}
	}
	return stream{record.NewStream(p.key, p.Turn.Match.Epoch, n, p.Words)}
}

// Begin makes the first deal, when all have joined.
func (p *Play) Begin(ctx context.Context) error {
	pos, err := p.Turn.Game.Begin(p.Turn.Setup())
	if err != nil {
		return err
	}
	p.Turn.Match.State = Playing
	if err := p.ReadKey(); err != nil {
		return err
	}
	c := p.Chance(0)
	events, err := pos.Resume(c, nil)
	if err != nil && !errors.Is(err, rules.ErrNoOutcome) {
		return fmt.Errorf("begin match %s: %w", p.Turn.Match.ID, err)
	}
	e := record.Entry{}
	if e.Setup, err = Header(p.Turn.Game, p.Turn.Match).Digest(); err != nil {
		return err
	}
	return p.Moved(ctx, pos, events, e, c)
}

// Carry gives an answer of a seat to the position and writes the entry. A sealed
// answer is kept instead, until the last of its group is in. Asked, when not
// empty, are the decisions that the writer was asked in the letter he answers.
func (p *Play) Carry(ctx context.Context, seat rules.Seat, a rules.Answer, letter string,
	asked []rules.DecisionID) (rules.Decision, error) {
	c := p.Chance(p.Turn.Match.Ordered + 1)
	r, err := gate.Execute(p.Turn.After, seat, a, c)
	if errors.As(err, new(*record.Mismatch)) {
		p.fault(seat, false, err, "an order does not fit the recorded chance")
	}
	switch {
	case err != nil:
		return rules.Decision{}, err
	case !meant(p.Turn, r.Decision, asked):
		return rules.Decision{}, ErrAnswersClosed
	case r.Decision.Sealed:
		return r.Decision, p.seal(ctx, r.Decision, a, letter)
	}
	e := record.Entry{Seat: record.SeatName(p.Turn.Match.Seats[seat].Name), Letter: letter,
		Orders: []string{p.Turn.Game.FormatOrder(r.Atoms)}, Private: r.Private}
	return r.Decision, p.Moved(ctx, r.Position, r.Events, e, c)
}

// Moved writes the entry of a new position: its chance, its place in the chain.
func (p *Play) Moved(ctx context.Context, pos rules.Position, events []rules.Event, e record.Entry, c source) error {
	e.Seq, e.At, e.Epoch, e.Chance = p.Turn.Match.Entries, p.Turn.Now.Truncate(time.Second), p.Turn.Match.Epoch, c.taken()
	var err error
	if e.State, err = record.HashPosition(p.Turn.Game, pos); err != nil {
		return err
	}
	if err := p.Turn.Match.Secret.Seal(p.Turn.Match.ID, p.Turn.Match.Head, &e); err != nil {
		return err
	}
	p.Turn.Match.Head = e.Hash
	p.Turn.Match.Entries++
	p.Turn.Match.Used += len(e.Chance)
	if e.HasOrders() {
		p.Turn.Match.Ordered++
	}
	if t := p.Turn.Match.Takeback; t != nil && e.HasOrders() {
		p.Turn.EndTakeback(fmt.Sprintf("The match has gone on, and so the request of %s to take back %s is over.", p.Turn.Called(t.Seat),
			t.Orders))
	}
	p.note(e)
	p.Turn.After = pos
	p.rest(pos)
	p.Turn.Entries = append(p.Turn.Entries, e)
	p.Turn.Events = append(p.Turn.Events, events...)
	if _, over := pos.Result(); over {
		p.Turn.Match.State = Over
		if e.Act == nil {
			return p.settleResult(ctx)
		}
	}
	if pos.Stalled() {
		p.fault(rules.NoSeat, false, nil, fmt.Sprintf("the recorded chance of a match has run out after %d outcomes; it cannot go on",
			p.Turn.Match.Used))
	}
	return nil
}

// note finds out what the next entry tells when it is played again.
func (p *Play) note(e record.Entry) {
	if len(p.Replayed) < len(p.Turn.Entries) {
		return
	}
	var events []rules.Event
	if e.Seq == 0 || e.HasOrders() {
		if p.Turn.After == nil {
			return // The deal: nobody catches up with it.
		}
		var err error
		if events, err = record.Events(p.Turn.Game, p.Turn.Setup(), p.Turn.After, &e); err != nil {
			return
		}
	}
	p.Replayed = append(p.Replayed, events)
}

// settleResult takes those seats from the winners of a match that the rules have ended whose
// players have left it, or have never sent an order.
func (p *Play) settleResult(ctx context.Context) error {
	before, err := p.Played(ctx)
	if err != nil {
		return fmt.Errorf("find out who has played in match %s: %w", p.Turn.Match.ID, err)
	}
	presence := record.PresenceIn(append(before, p.Turn.Entries...))
	p.Turn.Match.Acts.Left = p.Turn.Match.Acts.Resigned | presence.AbsentSeats(p.Words.Seats)
	p.Turn.After = record.ExcludeAbsent(p.Turn.Game, p.Turn.After, p.Turn.Match.Acts.Left)
	return nil
}

// rest notes who owes nothing any more, for the time being.
func (p *Play) rest(pos rules.Position) {
	for i := range p.Turn.Match.Seats {
		if len(Owed(pos, rules.Seat(i))) == 0 {
			p.rested |= rules.Only(rules.Seat(i))
		}
	}
}

// Played is the history of the match up to the letter in hand.
func (p *Play) Played(ctx context.Context) ([]record.Entry, error) {
	if p.past != nil {
		return slices.Clone(p.past), nil
	}
	entries, err := p.Means.History(ctx)
	if err == nil && len(entries) != p.Turn.Match.Entries-len(p.Turn.Entries) {
		err = ErrConflict // another letter was taken up meanwhile
	}
	if err == nil {
		p.past = slices.Clone(entries)
	}
	return entries, err
}

// ErrConflict: the match, or the player, has moved on since it was read.
var ErrConflict = errors.New("the match has moved on")

// RunClocks lets the clocks of all seats follow what was carried out.
func (p *Play) RunClocks(at time.Time) {
	if p.Turn.Match.Tempo.IsUntimed() {
		return
	}
	back := p.Turn.Match.Epoch != p.epoch
	for i := range p.Turn.Match.Seats {
		seat := rules.Seat(i)
		c, stops := &p.Turn.Match.Seats[i].Clock, p.Turn.Match.Stops(seat)
		is := p.Turn.Asking(seat)
		was := c.ToMove
		rested := p.Turn.Changed() && (len(is) == 0 || !back && p.rested.Has(seat))
		if was && rested {
			c.FinishQuestions(at, stops)
			if !back {
				c.AddIncrement(p.Turn.Match.Tempo)
			}
		}
		switch {
		case len(is) == 0:
			continue
		case !c.ToMove:
			c.StartQuestion(p.Turn.Match.Tempo)
		case back || p.Turn.Changed() && !slices.ContainsFunc(is, p.Turn.AskedBefore):
			c.StartNextQuestion(p.Turn.Match.Tempo, at, stops)
		}
		if slices.ContainsFunc(is, func(d rules.Decision) bool { return !p.Turn.HeldFor(d) }) {
			c.RecordReopened(at)
		} else {
			c.RecordAnswered(at)
		}
	}
}

// Header is the first line of a match's record, without the secret.
func Header(g *rules.Game, m *Match) record.Header {
	h := record.Header{
		Format: record.Format, Version: record.Version, Game: g.Name(), Rules: m.Revision, Match: m.ID, Options: m.Options,
		Seats: map[string]string{}, Commitment: m.Secret.Commitment(),
	}
	if m.State == Playing || m.State == Over {
		h.Words, h.Seals = m.Words(), m.Seals() // Before, they are nobody's business.
		if b := m.Beacon; b != nil && b.Signature != "" {
			h.Beacon = &record.Beacon{Chain: b.Chain, Round: b.Round, Signature: b.Signature}
		}
	}
	if h.Options == nil {
		h.Options = map[string]string{}
	}
	for i, s := range m.Seats {
		// Addresses are nobody's business but the players'.
		h.Seats[s.Name] = PlayerName(i + 1)
	}
	if m.Recorded != nil {
		h.Chance = record.ChanceRecorded
	}
	return h
}

// record is the record of a match's entries, without the secret.
func RecordOf(g *rules.Game, m *Match, entries []record.Entry) *record.Record {
	rec := &record.Record{Header: Header(g, m)}
	for _, e := range entries {
		rec.Add(e)
	}
	return rec
}

// PlayerName is how records name a player, without saying who he is.
func PlayerName(n int) string { return fmt.Sprintf("player %d", n) }
