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

// Execution carries out orders and acts (changes other than answers) in a match, and records the results in its Turn. It
// never reads letters.
type Execution struct {
	Turn *Turn
	// Seat is the seat that wrote the current letter; NoSeat for none. The pending answers of this seat are never delayed.
	Seat rules.Seat
	Environment
	// RunSlowRobots is set if robots that compute for seconds answer now. Otherwise they answer later (Adjudicator.RunBackgroundJobs).
	RunSlowRobots bool
	// Replacements are the seats that a robot has taken.
	Replacements []Replacement
	OutcomeNames record.OutcomeNames
	// reviewedEvents is the number of events of the turn that ReviewConditionals has examined.
	reviewedEvents int
	key            record.Key
	startEpoch     int
	// idleSeats are the seats that had answered all their decisions at some time since NewExecution: their clocks get an increment.
	idleSeats rules.Seats
	history   []record.Entry
	// ReplayedEvents are the events of each new entry, in the sequence that a replay gives (record.Events). The list ends
	// before the first entry that could not be replayed.
	ReplayedEvents [][]rules.Event
	Faults         []Fault
}

// Environment holds the dependencies of an Execution: the store, the random source and the configuration.
type Environment struct {
	// Conditional reads and fires conditional orders; nil if the game has none.
	Conditional *ahead.Interpreter
	History     func(context.Context) ([]record.Entry, error)
	// Random gives the length of random delays, and lots that are not recorded.
	Random io.Reader
	// BeaconChain is the public beacon of new matches.
	BeaconChain beacon.Chain
	// InvitationPeriod is the time after which an invitation expires; 0 for never.
	InvitationPeriod time.Duration
}

// Fault is an error that did not stop the Execution, for the log.
type Fault struct {
	Text string
	Seat rules.Seat
	Err  error
	// IsGrave is set if the program is at fault, or the match cannot go on.
	IsGrave bool
}

// NewExecution returns an Execution for the orders of a seat.
func NewExecution(t *Turn, seat rules.Seat, env Environment) *Execution {
	return &Execution{Turn: t, Seat: seat, Environment: env, startEpoch: t.Match.Epoch,
		OutcomeNames: record.NewOutcomeNames(t.Game, t.Setup())}
}

func (p *Execution) recordFault(seat rules.Seat, isGrave bool, err error, text string) {
	p.Faults = append(p.Faults, Fault{Text: text, Seat: seat, Err: err, IsGrave: isGrave})
}

// ComputeKey computes the key of the match's chance from the secret, the players' words and the beacon's round.
func (p *Execution) ComputeKey() (err error) {
	p.key, err = RecordHeader(p.Turn.Game, p.Turn.Match).Key(p.Turn.Match.Secret)
	return err
}

// entryChance is a source of chance that records what an entry has drawn.
type entryChance interface {
	rules.Chance
	gate.LotDrawer
	outcomes() []record.Outcome
}

type streamChance struct{ *record.Stream }

func (s streamChance) outcomes() []record.Outcome { return s.Outcomes() }

type recordedChance struct {
	*record.RecordedChance
	list []record.Outcome
}

func (r recordedChance) outcomes() []record.Outcome { return r.list[:len(r.list)-len(r.Unused())] }

// Chance returns the source of chance for the n-th entry with orders; 0 for the first deal.
func (p *Execution) Chance(n int) entryChance {
	if p.Turn.Match.Recorded != nil {
		outcomes := p.Turn.Match.Recorded[p.Turn.Match.Used:]
		return recordedChance{record.NewRecordedChance(outcomes, p.OutcomeNames), outcomes}
	}
	return streamChance{record.NewStream(p.key, p.Turn.Match.Epoch, n, p.OutcomeNames)}
}

// Begin makes the first deal, after all players have joined.
func (p *Execution) Begin(ctx context.Context) error {
	pos, err := p.Turn.Game.Begin(p.Turn.Setup())
	if err != nil {
		return err
	}
	p.Turn.Match.State = Playing
	if err := p.ComputeKey(); err != nil {
		return err
	}
	chance := p.Chance(0)
	events, err := pos.Resume(chance, nil)
	if err != nil && !errors.Is(err, rules.ErrNoOutcome) {
		return fmt.Errorf("begin match %s: %w", p.Turn.Match.ID, err)
	}
	entry := record.Entry{}
	if entry.Setup, err = RecordHeader(p.Turn.Game, p.Turn.Match).Digest(); err != nil {
		return err
	}
	return p.AddEntry(ctx, pos, events, entry, chance)
}

// CarryOut executes an answer and adds its entry. A sealed answer becomes pending until its group is complete. asked
// lists the decisions in the letter that the player answers; nil if unknown. As soon as one of them is closed, CarryOut
// accepts only answers to decisions in asked, and otherwise returns ErrAnswersClosed, because the writer may not have seen
// the question.
func (p *Execution) CarryOut(ctx context.Context, seat rules.Seat, a rules.Answer, letter string,
	asked []rules.DecisionID) (rules.Decision, error) {
	chance := p.Chance(p.Turn.Match.OrderEntryCount + 1)
	r, err := gate.Execute(p.Turn.After, seat, a, chance)
	if errors.As(err, new(*record.MismatchError)) {
		p.recordFault(seat, false, err, "an order does not fit the recorded chance")
	}
	switch {
	case err != nil:
		return rules.Decision{}, err
	case !mayAnswer(p.Turn, r.Decision, asked):
		return rules.Decision{}, ErrAnswersClosed
	case r.Decision.Sealed:
		return r.Decision, p.sealAnswer(ctx, r.Decision, a, letter)
	}
	entry := record.Entry{Seat: record.SeatName(p.Turn.Match.Seats[seat].Name), Letter: letter,
		Orders: []string{p.Turn.Game.FormatOrder(r.Atoms)}, Private: r.Private}
	return r.Decision, p.AddEntry(ctx, r.Position, r.Events, entry, chance)
}

// AddEntry adds an entry to the turn, and sets its number, time, outcomes and hashes. pos is the position after the entry.
func (p *Execution) AddEntry(ctx context.Context, pos rules.Position, events []rules.Event, entry record.Entry, chance entryChance) error {
	entry.Seq, entry.At, entry.Epoch, entry.Chance = p.Turn.Match.EntryCount, p.Turn.Now.Truncate(time.Second), p.Turn.Match.Epoch,
		chance.outcomes()
	var err error
	if entry.State, err = record.HashPosition(p.Turn.Game, pos); err != nil {
		return err
	}
	if err := p.Turn.Match.Secret.Seal(p.Turn.Match.ID, p.Turn.Match.Head, &entry); err != nil {
		return err
	}
	p.Turn.Match.Head = entry.Hash
	p.Turn.Match.EntryCount++
	p.Turn.Match.Used += len(entry.Chance)
	if entry.HasOrders() {
		p.Turn.Match.OrderEntryCount++
	}
	if t := p.Turn.Match.Takeback; t != nil && entry.HasOrders() {
		p.Turn.EndTakeback(fmt.Sprintf("The match went on, so the request of %s to take back %s has ended.", p.Turn.FullName(t.Seat), t.Orders))
	}
	replayEntry(p, entry)
	p.Turn.After = pos
	p.recordIdleSeats(pos)
	p.Turn.Entries = append(p.Turn.Entries, entry)
	p.Turn.Events = append(p.Turn.Events, events...)
	if _, over := pos.Result(); over {
		p.Turn.Match.State = Over
		if entry.Act == nil {
			return p.excludeAbsent(ctx)
		}
	}
	if pos.Stalled() {
		p.recordFault(rules.NoSeat, false, nil, fmt.Sprintf("the match cannot continue: all %d recorded outcomes of chance are used",
			p.Turn.Match.Used))
	}
	return nil
}

func replayEntry(p *Execution, entry record.Entry) {
	if len(p.ReplayedEvents) < len(p.Turn.Entries) {
		return
	}
	var events []rules.Event
	if entry.Seq == 0 || entry.HasOrders() {
		if p.Turn.After == nil {
			return // The events of the deal are not needed: later letters never repeat them.
		}
		var err error
		if events, err = record.Events(p.Turn.Game, p.Turn.Setup(), p.Turn.After, &entry); err != nil {
			return
		}
	}
	p.ReplayedEvents = append(p.ReplayedEvents, events)
}

// excludeAbsent removes the absent seats from the winners, when the rules have ended the match.
func (p *Execution) excludeAbsent(ctx context.Context) error {
	before, err := p.LoadHistory(ctx)
	if err != nil {
		return fmt.Errorf("find the absent seats of match %s: %w", p.Turn.Match.ID, err)
	}
	presence := record.CountPresence(append(before, p.Turn.Entries...))
	p.Turn.Match.Absent = p.Turn.Match.Resigned | presence.AbsentSeats(p.OutcomeNames.Seats)
	p.Turn.After = record.ExcludeAbsent(p.Turn.Game, p.Turn.After, p.Turn.Match.Absent)
	return nil
}

func (p *Execution) recordIdleSeats(pos rules.Position) {
	for i := range p.Turn.Match.Seats {
		if len(rules.OpenDecisionsOf(pos, rules.Seat(i))) == 0 {
			p.idleSeats |= rules.Only(rules.Seat(i))
		}
	}
}

// LoadHistory returns the history before this turn. It fails with ErrConflict if another letter has added entries.
func (p *Execution) LoadHistory(ctx context.Context) ([]record.Entry, error) {
	if p.history != nil {
		return slices.Clone(p.history), nil
	}
	entries, err := p.Environment.History(ctx)
	if err == nil && len(entries) != p.Turn.Match.EntryCount-len(p.Turn.Entries) {
		err = ErrConflict // another letter was handled at the same time
	}
	if err == nil {
		p.history = slices.Clone(entries)
	}
	return entries, err
}

// ErrConflict means that the match or the player has changed since it was read. The caller reads it again and retries.
var ErrConflict = errors.New("the match has moved on")

// UpdateClocks starts, stops and increments the clocks after a turn.
func (p *Execution) UpdateClocks(at time.Time) {
	if p.Turn.Match.Tempo.IsUntimed() {
		return
	}
	wasRewound := p.Turn.Match.Epoch != p.startEpoch
	for i := range p.Turn.Match.Seats {
		seat := rules.Seat(i)
		seatClock, pauses := &p.Turn.Match.Seats[i].Clock, p.Turn.Match.PausesOf(seat)
		decisions := p.Turn.CurrentDecisions(seat)
		wasToMove := seatClock.ToMove
		hasFinished := p.Turn.HasChanged() && (len(decisions) == 0 || !wasRewound && p.idleSeats.Has(seat))
		if wasToMove && hasFinished {
			seatClock.FinishQuestions(at, pauses)
			if !wasRewound {
				seatClock.AddIncrement(p.Turn.Match.Tempo)
			}
		}
		switch {
		case len(decisions) == 0:
			continue
		case !seatClock.ToMove:
			seatClock.StartQuestion(p.Turn.Match.Tempo)
		case wasRewound || p.Turn.HasChanged() && !slices.ContainsFunc(decisions, p.Turn.WasOpenBefore):
			seatClock.StartNextQuestion(p.Turn.Match.Tempo, at, pauses)
		}
		if slices.ContainsFunc(decisions, func(d rules.Decision) bool { return !p.Turn.HasSealedAnswer(d) }) {
			seatClock.RecordReopened(at)
		} else {
			seatClock.RecordAnswered(at)
		}
	}
}

// RecordHeader returns the first line of a match's record, without the secret.
func RecordHeader(g *rules.Game, m *Match) record.Header {
	header := record.Header{
		Format: record.Format, Version: record.Version, Game: g.Name(), Rules: m.Revision, Match: m.ID, Options: m.Options,
		Seats: map[string]string{}, Commitment: m.Secret.Commitment(),
	}
	if m.State == Playing || m.State == Over {
		header.Words, header.Seals = m.SeedWords(), m.Seals() // Before the match begins they are hidden.
		if b := m.Beacon; b != nil && b.Signature != "" {
			header.Beacon = &record.Beacon{Chain: b.Chain, Round: b.Round, Signature: b.Signature}
		}
	}
	if header.Options == nil {
		header.Options = map[string]string{}
	}
	for i, s := range m.Seats {
		// Addresses are private to the players.
		header.Seats[s.Name] = PlayerName(i + 1)
	}
	if m.Recorded != nil {
		header.Chance = record.ChanceRecorded
	}
	return header
}

// RecordOf returns the record of a match's entries, without the secret.
func RecordOf(g *rules.Game, m *Match, entries []record.Entry) *record.Record {
	rec := &record.Record{Header: RecordHeader(g, m)}
	for _, entry := range entries {
		rec.Add(entry)
	}
	return rec
}

// PlayerName returns the name of a player in records: "player 1".
func PlayerName(n int) string { return fmt.Sprintf("player %d", n) }
