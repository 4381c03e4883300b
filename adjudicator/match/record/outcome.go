package record

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// Outcome is an outcome of chance in a record, a roll or a draw:
//
//	{"roll":4,"for":"support check in Gdansk"}
//	{"draw":36,"i":17,"n":24,"from":"strategy","to":"communist"}
type Outcome struct {
	// Roll is the die, 0 for a draw.
	Roll int `json:"roll,omitempty"`
	// Draw is the drawn element, an int or a string; nil in a roll and in a hidden draw.
	Draw any `json:"draw,omitempty"`
	// I is the element's index in the pile's documented order, and N the size of the pile. Foreign
	// records may lack them. I is hidden even if the element is shown, because it reveals the pile.
	I *int `json:"i,omitempty"`
	N *int `json:"n,omitempty"`
	// From is the pile: the outcome's kind without "draw ", and "lot" for a lot.
	From string `json:"from,omitempty"`
	// To is the seat that receives the element, Hand the seat that loses it.
	To   string `json:"to,omitempty"`
	Hand string `json:"hand,omitempty"`
	// Hidden is set if only the seat To knows Draw and I.
	Hidden bool `json:"hidden,omitempty"`
	// For describes the purpose; it does not influence the outcome.
	For string `json:"for,omitempty"`
}

// UnmarshalJSON parses an outcome and checks its form.
func (o *Outcome) UnmarshalJSON(data []byte) error {
	type plain Outcome
	var p plain
	if err := decodeStrictly(data, &p); err != nil {
		return fmt.Errorf("outcome %s: %w", data, err)
	}
	if n, ok := p.Draw.(json.Number); ok {
		i, err := n.Int64()
		if err != nil {
			return fmt.Errorf("outcome %s: a drawn element is an integer or a string", data)
		}
		p.Draw = int(i)
	}
	*o = Outcome(p)
	return o.check()
}

func (o *Outcome) check() error {
	switch o.Draw.(type) {
	case nil, int, string:
	default:
		return fmt.Errorf("a drawn element is an integer or a string, not %v", o.Draw)
	}
	isDraw := o.Draw != nil || o.From != ""
	switch {
	case isDraw && o.Roll != 0:
		return fmt.Errorf("an outcome is a roll or a draw, not both")
	case isDraw && o.From == "":
		return fmt.Errorf("a draw says from which pile it is")
	case isDraw && o.Draw == nil && !o.Hidden:
		return fmt.Errorf("a draw that is not hidden says what was drawn")
	case !isDraw && (o.Roll < 1 || o.Roll > 6):
		return fmt.Errorf("a roll is 1 to 6, not %d", o.Roll)
	case !isDraw && (o.Hidden || o.I != nil || o.N != nil || o.To != "" || o.Hand != ""):
		return fmt.Errorf("a roll is never hidden, and has no pile and no seat")
	}
	return nil
}

const drawPrefix = "draw "

// hasHiddenIndex reports whether the outcome's index is hidden: in draws, but not in lots, whose options are no pile.
func (o Outcome) hasHiddenIndex() bool {
	return o.Hidden || o.I != nil && o.From != "" && o.From != rules.KindLot
}

// isHiddenLot reports whether only one seat may know the lot; the number of options is hidden too.
func (o Outcome) isHiddenLot() bool { return o.Hidden && o.From == rules.KindLot }

func (o Outcome) kind() string {
	switch o.From {
	case "":
		return rules.KindRoll
	case rules.KindLot:
		return rules.KindLot
	}
	return drawPrefix + o.From
}

// pileOfKind returns the pile of a kind of draw as records write it: without "draw ". No pile is called "lot" or "roll".
func pileOfKind(kind string) (string, error) {
	if kind == rules.KindLot {
		return kind, nil
	}
	pile, ok := strings.CutPrefix(kind, drawPrefix)
	if !ok || pile == "" || pile == rules.KindLot || pile == rules.KindRoll {
		return "", fmt.Errorf("no kind of draw %q", kind)
	}
	return pile, nil
}

// OutcomeNames holds the names in outcomes.
type OutcomeNames struct {
	Game  *rules.Game
	Seats []string
}

// NewOutcomeNames returns the names of a match.
func NewOutcomeNames(g *rules.Game, s rules.Setup) OutcomeNames {
	return OutcomeNames{Game: g, Seats: g.SeatNames(s)}
}

// NewRoll returns a die as an Outcome.
func (names OutcomeNames) NewRoll(reason rules.Reason, n int) Outcome {
	return Outcome{Roll: n, For: names.Game.Reason(reason)}
}

// NewDraw returns the element with index i of a draw's pile as an Outcome.
func (names OutcomeNames) NewDraw(d rules.Draw, i int) (Outcome, error) {
	pile, err := pileOfKind(d.Kind)
	n := len(d.Pile)
	return Outcome{Draw: names.recordElement(d.Kind, d.Pile[i]), I: &i, N: &n, From: pile,
		To: names.seatName(d.To), Hand: names.seatName(d.Hand), Hidden: d.Hidden, For: names.Game.Reason(d.For)}, err
}

func (names OutcomeNames) seatName(s rules.Seat) string {
	if s < 0 || int(s) >= len(names.Seats) {
		return ""
	}
	return names.Seats[s]
}

// recordElement returns an element of a pile in the types of records.
func (names OutcomeNames) recordElement(kind string, code int16) any {
	e := names.Game.Element(kind, code)
	if s, ok := e.(string); ok {
		return s
	}
	if v := reflect.ValueOf(e); v.IsValid() && v.CanInt() {
		return int(v.Int())
	}
	return fmt.Sprint(e)
}

// Stream is the sealed stream of an entry: a rules.Chance that records its outcomes. Use a new
// Stream for every attempt at an entry, because a refused attempt has used no outcomes.
type Stream struct {
	key          Key
	epoch, entry int
	names        OutcomeNames
	outcomes     []Outcome
}

var _ rules.Chance = (*Stream)(nil)

// NewStream returns the outcomes of an entry. entry counts the entries with orders, 0 before the first.
func NewStream(key Key, epoch, entry int, names OutcomeNames) *Stream {
	return &Stream{key: key, epoch: epoch, entry: entry, names: names}
}

// Outcomes returns the outcomes taken so far.
func (s *Stream) Outcomes() []Outcome { return s.outcomes }

// Roll rolls a die.
func (s *Stream) Roll(reason rules.Reason) (int, error) {
	v, err := s.sample(rules.KindRoll, 6)
	if err != nil {
		return 0, fmt.Errorf("roll: %w", err)
	}
	s.outcomes = append(s.outcomes, s.names.NewRoll(reason, v+1))
	return v + 1, nil
}

// Draw draws an element of a pile.
func (s *Stream) Draw(d rules.Draw) (int, error) {
	i, err := s.sample(d.Kind, len(d.Pile))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", d.Kind, err)
	}
	o, err := s.names.NewDraw(d, i)
	if err != nil {
		return 0, err
	}
	s.outcomes = append(s.outcomes, o)
	return i, nil
}

func (s *Stream) sample(kind string, n int) (int, error) {
	return s.key.Sample(Place{Epoch: s.epoch, Entry: s.entry, Outcome: len(s.outcomes), Kind: kind}, n)
}

// Place is the place of an outcome in the stream of a match. No place is used twice.
type Place struct {
	// Epoch rises with every take-back, undo and restore from a backup.
	Epoch int
	// Entry counts the entries with game orders, from 1; outcomes before the first order have 0.
	Entry int
	// Outcome counts the outcomes of the entry, from 0.
	Outcome int
	// Kind is rules.KindRoll, rules.KindLot, or "draw " and a pile.
	Kind string
}

// Sample returns a uniform number from 0 to n-1 for a place, by the algorithm of docs/record.md.
func (k Key) Sample(p Place, n int) (int, error) {
	if n < 1 {
		return 0, fmt.Errorf("an outcome out of %d", n)
	}
	list := []any{p.Epoch, p.Entry, p.Outcome, p.Kind}
	for round := 1; ; round++ {
		digest, err := canonicalHMAC(k.b, list)
		if err != nil {
			return 0, err
		}
		if v, ok := uniformModulo(digest, uint64(n)); ok {
			return int(v), nil
		}
		list = append(list[:4:4], round)
	}
}

// uniformModulo reduces a digest to a number below n: the first of its four 64-bit numbers that is in range, modulo n. It is false if
// none is in range.
func uniformModulo(digest [32]byte, n uint64) (uint64, bool) {
	// The highest 2^64 mod n numbers are rejected, so that all results are equally likely.
	rejected := (math.MaxUint64%n + 1) % n
	for i := 0; i < len(digest); i += 8 {
		if v := binary.BigEndian.Uint64(digest[i:]); v <= math.MaxUint64-rejected {
			return v % n, true
		}
	}
	return 0, false
}

// RecordedChance is a rules.Chance with the outcomes of a list: those of an entry, or the dice of a game
// at a table. After the last outcome it returns rules.ErrNoOutcome. If the game asks for another
// kind of outcome than the next, it returns a *Mismatch.
//
// An outcome matches by its kind, by its element, which must be in the pile, and by I, N, To and
// Hand if present. For is not compared.
type RecordedChance struct {
	list  []Outcome
	next  int
	names OutcomeNames
	// comparesAll is set if To, Hand and Hidden must match even if they are missing.
	comparesAll bool
}

var _ rules.Chance = (*RecordedChance)(nil)

// NewRecordedChance returns the outcomes of a list.
func NewRecordedChance(list []Outcome, names OutcomeNames) *RecordedChance {
	return &RecordedChance{list: list, names: names}
}

// Unused returns the outcomes that were not used.
func (r *RecordedChance) Unused() []Outcome { return r.list[r.next:] }

// MismatchError reports a recorded outcome that does not match the game's request.
type MismatchError struct {
	Index   int
	Problem string
}

func (e *MismatchError) Error() string { return fmt.Sprintf("outcome %d: %s", e.Index+1, e.Problem) }

// Roll returns the next roll.
func (r *RecordedChance) Roll(reason rules.Reason) (int, error) {
	o, err := r.peek(rules.KindRoll, r.names.Game.Reason(reason))
	if err != nil {
		return 0, err
	}
	r.next++
	return o.Roll, nil
}

// Draw returns the index of the next recorded element in the pile.
func (r *RecordedChance) Draw(d rules.Draw) (int, error) {
	o, err := r.peek(d.Kind, r.names.Game.Reason(d.For))
	if err != nil {
		return 0, err
	}
	i, err := r.findInPile(o, d)
	if err != nil {
		return 0, err
	}
	r.next++
	return i, nil
}

// peek returns the next outcome after checking its kind. It stays the next outcome.
func (r *RecordedChance) peek(kind, reason string) (Outcome, error) {
	if r.next == len(r.list) {
		return Outcome{}, rules.ErrNoOutcome
	}
	o := r.list[r.next]
	if o.kind() != kind {
		return o, r.mismatch("the game asks for a %s (%s), the record has a %s", kind, reason, o.kind())
	}
	return o, nil
}

func (r *RecordedChance) findInPile(o Outcome, d rules.Draw) (int, error) {
	isDrawn := func(code int16) bool { return r.names.recordElement(d.Kind, code) == o.Draw }
	i := slices.IndexFunc(d.Pile, isDrawn)
	switch to, hand := r.names.seatName(d.To), r.names.seatName(d.Hand); {
	case o.Draw == nil:
		return 0, r.mismatch("the record does not show this hidden draw: only a full record can be played again")
	case i < 0:
		return 0, r.mismatch("%v cannot be drawn: it is not among the %d of %q", o.Draw, len(d.Pile), o.From)
	case o.N != nil && *o.N != len(d.Pile):
		return 0, r.mismatch("drawn out of %d, but the pile %q has %d", *o.N, o.From, len(d.Pile))
	case o.I != nil && (*o.I < 0 || *o.I >= len(d.Pile) || !isDrawn(d.Pile[*o.I])):
		return 0, r.mismatch("%v is at place %d of the pile, not at %d", o.Draw, i, *o.I)
	case o.To != "" && o.To != to:
		return 0, r.mismatch("drawn for %s, but the game deals to %s", o.To, seatOrNobody(to))
	case r.comparesAll && (o.To != to || o.Hand != hand || o.Hidden != d.Hidden):
		return 0, r.mismatch("the game draws for %s, out of the hand of %s, hidden: %t; the record says otherwise", seatOrNobody(to),
			seatOrNobody(hand), d.Hidden)
	case o.Hand != "" && o.Hand != hand:
		return 0, r.mismatch("drawn out of the hand of %s, but the game draws from %s", o.Hand, seatOrNobody(hand))
	}
	if o.I != nil {
		return *o.I, nil
	}
	return i, nil
}

func (r *RecordedChance) mismatch(format string, a ...any) error {
	return &MismatchError{Index: r.next, Problem: fmt.Sprintf(format, a...)}
}

func seatOrNobody(seat string) string { return cmp.Or(seat, "nobody") }

// Values of Entry.Silence.
const (
	// SilenceDefault is the first of the legal answers.
	SilenceDefault = "default"
	// SilenceLot is a lot; its outcomes are the first of the entry.
	SilenceLot = "lot"
)

// SilenceOf returns the Entry.Silence of a decision.
func SilenceOf(d rules.Decision) string {
	if d.Silence == rules.SilenceLot {
		return SilenceLot
	}
	return SilenceDefault
}

// silencePurpose is the purpose (Outcome.For) of the lots of silent seats.
const silencePurpose = "silence"

// DrawLot draws an answer for a silent seat.
func (s *Stream) DrawLot(l gate.LotRequest) (int, error) {
	i, err := s.sample(rules.KindLot, len(l.Options))
	if err != nil {
		return 0, fmt.Errorf("lot: %w", err)
	}
	n := len(l.Options)
	s.outcomes = append(s.outcomes, Outcome{Draw: l.Options[i], I: &i, N: &n, From: rules.KindLot, To: s.names.seatName(l.Seat),
		Hidden: l.Hidden,
		For:    silencePurpose})
	return i, nil
}

// DrawLot returns the index of the next recorded answer.
func (r *RecordedChance) DrawLot(l gate.LotRequest) (int, error) {
	o, err := r.peek(rules.KindLot, silencePurpose)
	if err != nil {
		return 0, err
	}
	i := -1
	switch to := r.names.seatName(l.Seat); {
	case o.Draw == nil:
		return 0, r.mismatch("the record does not show this hidden lot: only a full record can be played again")
	case o.To != to:
		return 0, r.mismatch("a lot for %s, but %s is silent", seatOrNobody(o.To), seatOrNobody(to))
	case r.comparesAll && (o.Hand != "" || o.Hidden != l.Hidden):
		return 0, r.mismatch("a lot for %s, hidden: %t; the record says otherwise", seatOrNobody(to), l.Hidden)
	case o.N != nil && *o.N != len(l.Options):
		return 0, r.mismatch("a lot among %d, but there are %d answers", *o.N, len(l.Options))
	case o.I == nil:
		i = slices.IndexFunc(l.Options, func(s string) bool { return s == o.Draw })
	case *o.I >= 0 && *o.I < len(l.Options) && l.Options[*o.I] == o.Draw:
		i = *o.I
	}
	if i < 0 {
		return 0, r.mismatch("%v is not an answer that the lot can fall on", o.Draw)
	}
	r.next++
	return i, nil
}

// readOrder parses an order of a seat. For a silent seat, it must be the default answer.
func (r *replay) readOrder(silence, text string, seat rules.Seat, chance *RecordedChance) ([]rules.Answer, error) {
	answers, err := r.parseAnswers(text, seat)
	if err != nil || silence == "" {
		return answers, err
	}
	res, err := gate.Check(r.pos, seat, answers[0])
	if err != nil {
		return nil, r.explainRefusal(seat, err)
	}
	if silence != SilenceOf(res.Decision) {
		return nil, fmt.Errorf("silence to this question is not %s", silence)
	}
	a, err := gate.SilentAnswer(r.pos, res.Decision, r.game.FormatOrder, chance)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(a.Atoms, res.Atoms) {
		return nil, errors.New("silence means " + r.game.FormatOrder(a.Atoms))
	}
	return []rules.Answer{a}, nil
}
