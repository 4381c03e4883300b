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
	// I is the element's index in the pile's documented order, and N is the size of the pile. Records of other programs
	// may lack both. I is hidden even if the element is shown, because it reveals the pile.
	I *int `json:"i,omitempty"`
	N *int `json:"n,omitempty"`
	// From is the pile, e.g. "strategy" for the kind "draw strategy"; "lot" for a lot.
	From string `json:"from,omitempty"`
	// To is the seat that receives the element. Hand is the seat that loses the element from its hand.
	To   string `json:"to,omitempty"`
	Hand string `json:"hand,omitempty"`
	// Hidden is set if only the seat To may know Draw and I, and N for a lot.
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
			return fmt.Errorf("outcome %s: the drawn element must be an integer or a string", data)
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
		return fmt.Errorf("the drawn element must be an integer or a string, got %v", o.Draw)
	}
	isDraw := o.Draw != nil || o.From != ""
	switch {
	case isDraw && o.Roll != 0:
		return errors.New("an outcome must be either a roll or a draw")
	case isDraw && o.From == "":
		return errors.New("a draw must name its pile in \"from\"")
	case isDraw && o.Draw == nil && !o.Hidden:
		return errors.New("a draw that is not hidden must name the element in \"draw\"")
	case !isDraw && (o.Roll < 1 || o.Roll > 6):
		return fmt.Errorf("a roll must be from 1 to 6, got %d", o.Roll)
	case !isDraw && (o.Hidden || o.I != nil || o.N != nil || o.To != "" || o.Hand != ""):
		return errors.New("a roll must not be hidden, and must have no pile and no seat")
	}
	return nil
}

const drawPrefix = "draw "

// hasHiddenIndex reports whether the outcome's index is hidden. The index of a draw from a pile is always hidden, because it reveals
// the pile. The index of a lot is hidden only if Hidden is set.
func (o Outcome) hasHiddenIndex() bool {
	return o.Hidden || o.I != nil && o.From != "" && o.From != rules.KindLot
}

// isHiddenLot reports whether only one seat may know the lot. The number of options is then hidden too.
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

// pileOfKind returns the pile of a kind of outcome: "strategy" for "draw strategy", and "lot" for a lot. No pile may be called "lot" or
// "roll".
func pileOfKind(kind string) (string, error) {
	if kind == rules.KindLot {
		return kind, nil
	}
	pile, ok := strings.CutPrefix(kind, drawPrefix)
	if !ok || pile == "" || pile == rules.KindLot || pile == rules.KindRoll {
		return "", fmt.Errorf("unknown kind of draw %q", kind)
	}
	return pile, nil
}

// OutcomeNames translates the seats and piles of a match to the names in recorded outcomes.
type OutcomeNames struct {
	Game  *rules.Game
	Seats []string
}

// NewOutcomeNames returns the names for a match with a set-up.
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
		To: names.seatName(d.To), Hand: names.seatName(d.From), Hidden: d.Hidden, For: names.Game.Reason(d.For)}, err
}

func (names OutcomeNames) seatName(s rules.Seat) string {
	if s < 0 || int(s) >= len(names.Seats) {
		return ""
	}
	return names.Seats[s]
}

// recordElement returns an element of a pile as records hold it: an int or a string.
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

// Stream generates the outcomes of an entry from the secret key: it is a rules.Chance that records its outcomes. Use a
// new Stream for every attempt at an entry, because each attempt must begin with the first outcome.
type Stream struct {
	key          Key
	epoch, entry int
	names        OutcomeNames
	outcomes     []Outcome
}

var _ rules.Chance = (*Stream)(nil)

// NewStream returns the stream of an entry. entry is Place.Entry: the number of entries with orders, including this
// entry.
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
		return 0, fmt.Errorf("sample %s: the number of outcomes must be at least 1, got %d", p.Kind, n)
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

// uniformModulo computes a number from 0 to n-1 from a digest: it takes the first of the digest's four 64-bit numbers that is not
// rejected, modulo n. It returns false if all four are rejected.
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

// RecordedChance is a rules.Chance that returns the outcomes of a list: the outcomes of an entry, or the dice of a game
// played face to face. After the last outcome it returns rules.ErrNoOutcome. If the next outcome does not match the
// request of the game, it returns a *MismatchError.
//
// An outcome matches a request of the same kind if its element is in the pile, and if I, N, To and Hand are correct or
// missing. The field For is not compared.
type RecordedChance struct {
	list  []Outcome
	next  int
	names OutcomeNames
	// comparesAll is set if To, Hand and Hidden must equal the request of the game. Otherwise they may be missing.
	comparesAll bool
}

var _ rules.Chance = (*RecordedChance)(nil)

// NewRecordedChance returns a RecordedChance for the outcomes of a list.
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

// peek returns the next outcome, which stays unused.
func (r *RecordedChance) peek(kind, reason string) (Outcome, error) {
	if r.next == len(r.list) {
		return Outcome{}, rules.ErrNoOutcome
	}
	o := r.list[r.next]
	if o.kind() != kind {
		return o, r.mismatch("expected a %s (%s), got a %s", kind, reason, o.kind())
	}
	return o, nil
}

func (r *RecordedChance) findInPile(o Outcome, d rules.Draw) (int, error) {
	isDrawn := func(code int16) bool { return r.names.recordElement(d.Kind, code) == o.Draw }
	i := slices.IndexFunc(d.Pile, isDrawn)
	switch to, hand := r.names.seatName(d.To), r.names.seatName(d.From); {
	case o.Draw == nil:
		return 0, r.mismatch("the record does not show this hidden draw: only a full record can be replayed")
	case i < 0:
		return 0, r.mismatch("%v is not in the pile %q of %d", o.Draw, o.From, len(d.Pile))
	case o.N != nil && *o.N != len(d.Pile):
		return 0, r.mismatch("the pile %q has %d elements, but the record has %d", o.From, len(d.Pile), *o.N)
	case o.I != nil && (*o.I < 0 || *o.I >= len(d.Pile) || !isDrawn(d.Pile[*o.I])):
		return 0, r.mismatch("%v has index %d in the pile, but the record has %d", o.Draw, i, *o.I)
	case o.To != "" && o.To != to:
		return 0, r.mismatch("the game draws for %s, but the record draws for %s", seatOrNone(to), o.To)
	case r.comparesAll && (o.To != to || o.Hand != hand || o.Hidden != d.Hidden):
		return 0, r.mismatch("expected a draw for %s from the hand of %s (hidden: %t), got %s, %s (hidden: %t)",
			seatOrNone(to), seatOrNone(hand), d.Hidden, seatOrNone(o.To), seatOrNone(o.Hand), o.Hidden)
	case o.Hand != "" && o.Hand != hand:
		return 0, r.mismatch("the game draws from the hand of %s, but the record draws from the hand of %s", seatOrNone(hand), o.Hand)
	}
	if o.I != nil {
		return *o.I, nil
	}
	return i, nil
}

func (r *RecordedChance) mismatch(format string, a ...any) error {
	return &MismatchError{Index: r.next, Problem: fmt.Sprintf(format, a...)}
}

func seatOrNone(seat string) string { return cmp.Or(seat, "no seat") }

const (
	// SilenceDefault in Entry.Silence means the first legal answer.
	SilenceDefault = "default"
	// SilenceLot means a random legal answer. Its lot is the first outcome of the entry.
	SilenceLot = "lot"
)

// SilenceOf returns the Entry.Silence of a decision.
func SilenceOf(d rules.Decision) string {
	if d.Silence == rules.SilenceLot {
		return SilenceLot
	}
	return SilenceDefault
}

const silencePurpose = "silence"

// DrawLot draws an answer for a silent seat.
func (s *Stream) DrawLot(l gate.LotRequest) (int, error) {
	i, err := s.sample(rules.KindLot, len(l.Options))
	if err != nil {
		return 0, fmt.Errorf("lot: %w", err)
	}
	n := len(l.Options)
	s.outcomes = append(s.outcomes, Outcome{Draw: l.Options[i], I: &i, N: &n, From: rules.KindLot, To: s.names.seatName(l.Seat),
		Hidden: l.Hidden, For: silencePurpose})
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
		return 0, r.mismatch("the record does not show this hidden lot: only a full record can be replayed")
	case o.To != to:
		return 0, r.mismatch("expected a lot for %s, got a lot for %s", seatOrNone(to), seatOrNone(o.To))
	case r.comparesAll && (o.Hand != "" || o.Hidden != l.Hidden):
		return 0, r.mismatch("expected a lot (hidden: %t) that names no hand", l.Hidden)
	case o.N != nil && *o.N != len(l.Options):
		return 0, r.mismatch("expected a lot of %d answers, got %d", len(l.Options), *o.N)
	case o.I == nil:
		i = slices.IndexFunc(l.Options, func(s string) bool { return s == o.Draw })
	case *o.I >= 0 && *o.I < len(l.Options) && l.Options[*o.I] == o.Draw:
		i = *o.I
	}
	if i < 0 {
		return 0, r.mismatch("%v is not a possible result of the lot", o.Draw)
	}
	r.next++
	return i, nil
}

// readOrder parses an order of a seat. For a silent seat, the order must be the first legal answer or the drawn answer.
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
		return nil, fmt.Errorf("expected the silence %q for this question, got %q", SilenceOf(res.Decision), silence)
	}
	a, err := gate.SilentAnswer(r.pos, res.Decision, r.game.FormatOrder, chance)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(a.Atoms, res.Atoms) {
		return nil, fmt.Errorf("the answer of a silent seat must be %s", r.game.FormatOrder(a.Atoms))
	}
	return []rules.Answer{a}, nil
}
