package record

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// Visit is what Replay shows after each entry.
type Visit struct {
	Line  int
	Entry *Entry
	// Position is the position after the entry. It must not be changed.
	Position rules.Position
	// Given are the answers that the entry's orders stand for.
	Given []gate.Given
	// Events are what happened.
	Events []rules.Event
	// Passed means that the engine had settled a forced entry unasked.
	Passed bool
	// Resigned are the seats whose players have resigned while the match goes on.
	Resigned rules.Seats
}

// Final is where a record ends.
type Final struct {
	Position rules.Position
	// Stalled means that the record's chance ran out: it tells a match that goes
	// on elsewhere, or breaks off.
	Stalled bool
	// Entries is how many entries were played.
	Entries int
}

// Failure says which entry of a record cannot be played again, and why.
type Failure struct {
	Line, Seq int
	Err       error
}

func (f *Failure) Error() string { return fmt.Sprintf("line %d, entry %d: %v", f.Line, f.Seq, f.Err) }

// Unwrap returns the reason.
func (f *Failure) Unwrap() error { return f.Err }

// Differences are all expectations of a record that were not met.
type Differences []Difference

// Difference is one expectation that was not met.
type Difference struct {
	// Line is the line of the expectation, Seq the entry before it.
	Line, Seq int
	// Text says what differs.
	Text string
}

func (d Differences) Error() string {
	var out []string
	for _, x := range d {
		out = append(out, fmt.Sprintf("line %d, after entry %d: %s", x.Line, x.Seq, x.Text))
	}
	return strings.Join(out, "\n")
}

// Replay plays a record again with the outcomes that it holds. It stops at the
// first entry that is illegal, whose outcomes are not those that the game asks
// for, whose State is another, or, where the record has a chain, whose links do
// not hold: the error is then a *Failure. Expectations that are not met do not
// stop it: they come together as Differences. Both may be joined in one error.
//
// visit may be nil; an error of it ends the replay. The Final is good also
// beside an error, as far as it got.
func Replay(rec *Record, g rules.Game, visit func(Visit) error) (Final, error) {
	r, err := newReplay(rec, g)
	if err == nil && slices.ContainsFunc(rec.Entries(), func(e *Entry) bool { return e.Hash != "" }) {
		r.chain, err = newChain(rec.Header)
	}
	if err != nil {
		return Final{}, err
	}
	return r.all(rec, visit)
}

// ReplayVerified is Replay for a record that VerifyChain has passed: its chain is not verified
// again.
func ReplayVerified(rec *Record, g rules.Game, visit func(Visit) error) (Final, error) {
	r, err := newReplay(rec, g)
	if err != nil {
		return Final{}, err
	}
	return r.all(rec, visit)
}

// all plays every step of a record.
func (r *replay) all(rec *Record, visit func(Visit) error) (Final, error) {
	var diffs Differences
	fail := func(err error) (Final, error) {
		if len(diffs) > 0 {
			err = errors.Join(diffs, err)
		}
		return r.final(), err
	}
	seq := -1
	for _, s := range rec.Steps {
		if s.Entry == nil {
			lines, err := r.game.Differences(r.pos, s.Expect)
			if err != nil {
				return fail(fmt.Errorf("line %d: %w", s.Line, err))
			}
			for _, l := range lines {
				diffs = append(diffs, Difference{Line: s.Line, Seq: seq, Text: l})
			}
			continue
		}
		seq = s.Entry.Seq
		v := Visit{Line: s.Line, Entry: s.Entry}
		if err := r.step(s, &v); err != nil {
			return fail(&Failure{Line: s.Line, Seq: seq, Err: err})
		}
		r.played++
		v.Position, v.Resigned = r.pos, r.resigned
		if visit == nil {
			continue
		}
		if err := visit(v); err != nil {
			return fail(err)
		}
	}
	if len(r.kept) > 0 {
		return fail(&Failure{Line: rec.Steps[len(rec.Steps)-1].Line, Seq: seq, Err: leftOver(r.kept)})
	}
	if len(diffs) > 0 {
		return r.final(), diffs
	}
	return r.final(), nil
}

// replay is a record being played.
type replay struct {
	game   rules.Game
	words  Words
	parser *order.Parser
	// chain is nil where nothing is verified.
	chain *chain
	setup rules.Setup
	standing
	// back is how the match stood before those entries that are taken back later.
	back map[int]*standing
	// seated are the entries that put a player into a seat last: going back undoes none.
	seated map[rules.Seat]int
	// epoch is that of the entry before.
	epoch int
	// own means that the record shows the secret of its stream: what no referee writes is
	// refused then, even if it could be played.
	own bool
	// at are the times of entries, by their numbers.
	at map[int]time.Time
	// stands are the entries that were not taken back.
	stands []stood
	// kept are the outcomes of forced entries that were passed over.
	kept   []Outcome
	played int
}

// standing is how a match stands.
type standing struct {
	pos rules.Position
	// resigned are the seats whose players have resigned while the match goes on.
	resigned rules.Seats
	// until is when the end of the match by an act is final, if that is not at once.
	until time.Time
}

// stood is an entry that stands.
type stood struct {
	entry *Entry
	// revealed says what it has shown to somebody who did not know it.
	revealed string
}

// clone is an independent copy.
func (s standing) clone() *standing {
	s.pos = s.pos.Clone()
	return &s
}

// parsers are what reads the orders of a game: to make one takes longer than to play
// many an entry.
var parsers sync.Map

func parserOf(g rules.Game) *order.Parser {
	if !reflect.ValueOf(g).Comparable() {
		return order.New(g)
	}
	p, ok := parsers.Load(g)
	if !ok {
		p, _ = parsers.LoadOrStore(g, order.New(g))
	}
	return p.(*order.Parser)
}

// Events are what happens when an entry is played again from the position before it, which
// stays as it is. The entry is no act, and takes nothing back. What happened when it was made may
// stand in another order: an order is written in canonical form.
func Events(g rules.Game, setup rules.Setup, before rules.Position, e *Entry) ([]rules.Event, error) {
	words := WordsOf(g, setup)
	r := &replay{game: g, words: words, parser: parserOf(g), setup: setup, standing: standing{pos: before.Clone()}}
	var v Visit
	err := r.play(e, NewRecorded(e.Chance, words), &v)
	return v.Events, err
}

func newReplay(rec *Record, g rules.Game) (*replay, error) {
	if rec.Header.Game != g.Name() {
		return nil, fmt.Errorf("line 1: a record of the game %q, not of %q", rec.Header.Game, g.Name())
	}
	setup := rec.Header.Setup(g)
	pos, err := g.Begin(setup)
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	r := &replay{game: g, words: WordsOf(g, setup), parser: parserOf(g), setup: setup, standing: standing{pos: pos}, back: map[int]*standing{}, seated: map[rules.Seat]int{},
		own: rec.Header.Chance != ChanceRecorded && rec.Header.Secret != "", at: map[int]time.Time{}}
	for _, e := range rec.Entries() {
		if e.Takeback > 0 {
			r.back[e.Takeback] = nil
		}
	}
	return r, nil
}

func (r *replay) final() Final {
	return Final{Position: r.pos, Stalled: r.pos.Stalled(), Entries: r.played}
}

// step plays one entry.
func (r *replay) step(s Step, v *Visit) error {
	e := s.Entry
	if r.chain != nil {
		if err := r.chain.next(s); err != nil {
			return err
		}
	}
	if _, back := r.back[e.Seq]; back {
		r.back[e.Seq] = r.standing.clone()
	}
	chance := NewRecorded(slices.Concat(r.kept, e.Chance), r.words)
	chance.exact = r.own
	if err := r.play(e, chance, v); err != nil {
		return err
	}
	r.epoch, r.at[e.Seq] = e.Epoch, e.At
	r.stands = append(r.stands, stood{e, Revealed(e, v.Events)})
	r.kept = nil
	switch left := chance.Left(); {
	case v.Passed:
		r.kept = left
	case len(left) > 0:
		return leftOver(left)
	}
	if e.State == "" {
		return nil
	}
	state, err := StateOf(r.pos)
	if err != nil {
		return err
	}
	if state != e.State {
		return fmt.Errorf("the position reached is not the recorded one (state %.12s..., recorded %.12s...)", state, e.State)
	}
	return nil
}

// play carries the entry's orders out, or resumes with its outcomes.
func (r *replay) play(e *Entry, chance *Recorded, v *Visit) error {
	switch {
	case e.Act != nil:
		return r.act(e)
	case e.Takeback != 0:
		return r.takeBack(e)
	case e.Player != "":
		return r.replaced(e)
	case r.pos.Stalled():
		if e.HasOrders() && !e.Forced {
			return errors.New("the outcomes of the entry before are too few: the match waits for chance")
		}
		v.Passed = e.HasOrders()
		var err error
		if v.Events, err = r.pos.Resume(chance, nil); !errors.Is(err, rules.ErrNoOutcome) {
			return err
		}
		return nil
	case len(e.Answers) > 0:
		return r.open(e, chance, v)
	case e.Tally != nil:
		return r.declare(e, chance, v)
	case len(e.Orders) > 0:
		err := r.carry(e, chance, v)
		if e.Forced && errors.Is(err, gate.ErrRefused) && len(v.Given) == 0 {
			v.Passed = true
			return nil
		}
		return err
	case e.Private:
		return errors.New("its orders are not shown: only a full record can be played again")
	}
	return nil
}

// takeBack goes back to the position before an entry.
func (r *replay) takeBack(e *Entry) error {
	_, over := r.pos.Result()
	switch {
	case over && e.Act == nil:
		return errEnded
	case e.HasOrders() || len(e.Chance) > 0:
		return errors.New("it takes back, and has orders or outcomes as well")
	case e.Takeback < 1 || e.Takeback >= e.Seq || r.back[e.Takeback] == nil:
		return fmt.Errorf("entry %d cannot be taken back here", e.Takeback)
	case e.Epoch <= r.epoch:
		return fmt.Errorf("it takes back, and its epoch is %d, not more than %d", e.Epoch, r.epoch)
	}
	if e.Act == nil {
		if err := r.mayTakeBack(e); err != nil {
			return err
		}
	} else if r.own && !e.Act.Until.Equal(r.at[e.Takeback-1]) {
		return fmt.Errorf("it names another time than that of entry %d, after which the match stands again", e.Takeback-1)
	}
	r.standing = *r.back[e.Takeback].clone()
	r.stands = slices.DeleteFunc(r.stands, func(s stood) bool { return s.entry.Seq >= e.Takeback })
	for seat, seq := range r.seated {
		if seq >= e.Takeback {
			r.resigned &^= rules.Only(seat) // Who had resigned plays no more.
		}
	}
	return nil
}

// mayTakeBack checks what a player takes back: his last order, if nothing was revealed since.
func (r *replay) mayTakeBack(e *Entry) error {
	if _, err := r.seat(e.Seat); err != nil {
		return fmt.Errorf("who takes back: %w", err)
	}
	if !r.own {
		return nil
	}
	last := -1
	for _, s := range r.stands {
		if s.entry.Seat == e.Seat && s.entry.HasOrders() {
			last = s.entry.Seq
		}
	}
	if last != e.Takeback {
		return fmt.Errorf("entry %d is not the last order of %s", e.Takeback, e.Seat)
	}
	for _, s := range r.stands {
		if s.entry.Seq >= e.Takeback && s.revealed != "" {
			return fmt.Errorf("entry %d cannot be taken back: with entry %d %s", e.Takeback, s.entry.Seq, s.revealed)
		}
	}
	return nil
}

// Revealed says what an entry has shown to somebody that he did not know, and that he cannot
// forget; empty where that is nothing.
func Revealed(e *Entry, events []rules.Event) string {
	switch {
	case e.Player != "":
		return "another player has taken a seat"
	case e.Act != nil && e.Act.Kind.Leaves():
		return "a player has left the match"
	case slices.ContainsFunc(e.Chance, func(o Outcome) bool { return o.Roll > 0 }):
		return "a die was rolled"
	case len(e.Chance) > 0:
		return "a card was drawn"
	case len(e.Answers) > 0, e.Tally != nil, e.Private, slices.ContainsFunc(events, func(ev rules.Event) bool { return ev.Audience != rules.Everyone }):
		// Which of these, and to whom, is not for everybody.
		return "something was revealed"
	}
	return ""
}

// replaced checks an entry that puts a player into a seat. The position stays as it is.
func (r *replay) replaced(e *Entry) error {
	if e.HasOrders() || len(e.Chance) > 0 || e.Epoch < r.epoch {
		return errors.New("it puts a player into a seat, and has orders, outcomes or an earlier epoch as well")
	}
	if _, over := r.pos.Result(); over {
		return errEnded
	}
	seat, err := r.seat(e.Seat)
	if err == nil {
		r.resigned &^= rules.Only(seat)
		r.seated[seat] = e.Seq
	}
	return err
}

// carry carries out the orders of one seat.
func (r *replay) carry(e *Entry, chance *Recorded, v *Visit) error {
	seat, err := r.seat(e.Seat)
	if err != nil {
		return err
	}
	for _, text := range e.Orders {
		answers, err := r.said(e.Silence, text, seat, chance)
		if err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
		if r.own && len(answers) > 1 {
			return fmt.Errorf("%q: it answers %d questions, where each is an entry of its own", text, len(answers))
		}
		for _, a := range answers {
			if r.pos.Stalled() {
				return fmt.Errorf("%q: the outcomes are too few", text)
			}
			res, err := gate.Carry(r.pos, seat, r.fromSource(a, e, seat), chance)
			if err != nil {
				return fmt.Errorf("%q: %w", text, r.refusal(seat, err))
			}
			if err := r.asked(res, e.Private, false, e.Letter, e.Silence); err != nil {
				return fmt.Errorf("%q: %w", text, err)
			}
			r.pos = res.Position
			v.Events = append(v.Events, res.Events...)
			v.Given = append(v.Given, gate.Given{Seat: seat, Result: res})
		}
	}
	return nil
}

// open opens sealed answers.
func (r *replay) open(e *Entry, chance *Recorded, v *Visit) error {
	var sealed []gate.Sealed
	for _, a := range e.Answers {
		seat, err := r.seat(a.Seat)
		if err != nil {
			return err
		}
		if len(a.Orders) != 1 {
			return fmt.Errorf("%d orders of %s, where one is sealed", len(a.Orders), a.Seat)
		}
		answers, err := r.said(a.Silence, a.Orders[0], seat, chance)
		if err != nil {
			return fmt.Errorf("%q: %w", a.Orders[0], err)
		}
		sealed = append(sealed, gate.Sealed{Seat: seat, Answer: answers[0]})
	}
	if r.own && !slices.IsSortedFunc(sealed, func(a, b gate.Sealed) int { return cmp.Compare(a.Seat, b.Seat) }) {
		return errors.New("its answers are not in the order of seats")
	}
	o, err := gate.CarryAll(r.pos, sealed, chance)
	if err != nil {
		return err
	}
	for i, g := range o.Answers {
		if a := e.Answers[i]; r.own {
			if err := r.asked(g.Result, a.Private, true, a.Letter, a.Silence); err != nil {
				return fmt.Errorf("%q: %w", a.Orders[0], err)
			}
		}
	}
	r.pos, v.Given, v.Events = o.Position, o.Answers, o.Events
	return nil
}

// declare applies what was published of ballots.
func (r *replay) declare(e *Entry, chance *Recorded, v *Visit) error {
	if e.Seat != "" || len(e.Orders) > 0 || e.Letter != "" || e.Private {
		return errors.New("it counts ballots, and has a seat, orders or a letter as well")
	}
	outcome, err := CanonicalJSON(e.Tally.Outcome)
	if err != nil {
		return err
	}
	o, err := gate.Declare(r.pos, e.Tally.Group, outcome, chance)
	if err != nil {
		return err
	}
	r.pos, v.Events = o.Position, o.Events
	return nil
}

// asked holds an answer to what the game says of its question: who may know it, whether it is
// opened together with others, and whether the record may tell where it came from.
func (r *replay) asked(res gate.Result, private, sealed bool, letter, silence string) error {
	d := res.Decision
	switch {
	case !r.own:
		return nil
	case res.Private != private:
		return errors.New("the record hides what all may know, or shows what one seat may")
	case d.Ballot || d.Sealed != sealed:
		return errors.New("the question is answered by all together, or by one alone, and not so")
	case d.Repeats && (letter != "" || silence == SilenceDefault):
		return errors.New("the question comes again and again, and the record tells of a letter or of silence")
	}
	return nil
}

func (r *replay) seat(name SeatName) (rules.Seat, error) {
	i := slices.Index(r.words.Seats, string(name))
	if i < 0 {
		return rules.Nobody, fmt.Errorf("there is no seat %q", name)
	}
	return rules.Seat(i), nil
}

// answers reads an order of a seat.
func (r *replay) answers(text string, seat rules.Seat) ([]rules.Answer, error) {
	o, err := r.parser.Plain(text)
	if err != nil {
		return nil, err
	}
	answers, err := r.game.Answers(o, r.owed(seat))
	if err == nil && len(answers) == 0 {
		err = errors.New("the order answers nothing")
	}
	return answers, err
}

func (r *replay) owed(seat rules.Seat) []rules.Decision {
	return slices.DeleteFunc(r.pos.Owed(nil), func(d rules.Decision) bool { return d.Seat != seat })
}

// fromSource holds an answer to the recorded source: always in a forced entry,
// which must not answer another question by accident, and otherwise if such a
// question is open.
func (r *replay) fromSource(a rules.Answer, e *Entry, seat rules.Seat) rules.Answer {
	if e.Source == nil || a.Source != "" {
		return a
	}
	source := fmt.Sprint(e.Source)
	open := slices.ContainsFunc(r.owed(seat), func(d rules.Decision) bool { return d.Source == source })
	if open || e.Forced {
		a.Source = source
	}
	return a
}

// refusal adds the game's words to a refusal.
func (r *replay) refusal(seat rules.Seat, err error) error {
	var illegal *gate.Illegal
	if !errors.As(err, &illegal) {
		return err
	}
	said := r.game.Refusal(illegal.Before.View(seat), illegal.Decision, illegal.Atom, illegal.Options)
	return fmt.Errorf("%w: %s", err, said)
}

func leftOver(left []Outcome) error {
	o := left[0]
	what := fmt.Sprintf("a roll of %d", o.Roll)
	if o.Roll == 0 {
		what = fmt.Sprintf("a draw of %v from %q", o.Draw, o.From)
	}
	return fmt.Errorf("%d outcomes are left over, first %s: the game did not ask for them", len(left), what)
}
