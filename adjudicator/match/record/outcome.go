package record

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

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
	if err := strict(data, &p); err != nil {
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

// private reports whether the outcome's index is hidden: in draws, but not in lots, whose options
// are no pile.
func (o Outcome) private() bool {
	return o.Hidden || o.I != nil && o.From != "" && o.From != rules.KindLot
}

// hiddenLot reports whether only one seat may know the lot; the number of options is hidden too.
func (o Outcome) hiddenLot() bool { return o.Hidden && o.From == rules.KindLot }

func (o Outcome) kind() string {
	switch o.From {
	case "":
		return rules.KindRoll
	case rules.KindLot:
		return rules.KindLot
	}
	return drawPrefix + o.From
}

// drawKind returns the kind of a draw as records write it: the pile without "draw ". No pile is called "lot" or
// "roll".
func drawKind(kind string) (string, error) {
	if kind == rules.KindLot {
		return kind, nil
	}
	pile, ok := strings.CutPrefix(kind, drawPrefix)
	if !ok || pile == "" || pile == rules.KindLot || pile == rules.KindRoll {
		return "", fmt.Errorf("no kind of draw %q", kind)
	}
	return pile, nil
}

// OutcomeNames has the names in outcomes.
type OutcomeNames struct {
	Game *rules.Game
	// Seats are the names of the seats in order.
	Seats []string
}

// NewOutcomeNames returns the names of a match.
func NewOutcomeNames(g *rules.Game, s rules.Setup) OutcomeNames {
	return OutcomeNames{Game: g, Seats: g.SeatNames(s)}
}

// NewRoll returns a die as an Outcome.
func (names OutcomeNames) NewRoll(why rules.Reason, n int) Outcome {
	return Outcome{Roll: n, For: names.Game.Reason(why)}
}

// NewDraw returns the element with index i of a draw's pile as an Outcome.
func (names OutcomeNames) NewDraw(d rules.Draw, i int) (Outcome, error) {
	pile, err := drawKind(d.Kind)
	n := len(d.Pile)
	return Outcome{Draw: names.element(d.Kind, d.Pile[i]), I: &i, N: &n, From: pile,
		To: names.seat(d.To), Hand: names.seat(d.Hand), Hidden: d.Hidden, For: names.Game.Reason(d.For)}, err
}

func (names OutcomeNames) seat(s rules.Seat) string {
	if s < 0 || int(s) >= len(names.Seats) {
		return ""
	}
	return names.Seats[s]
}

// element returns an element of a pile in the types of records.
func (names OutcomeNames) element(kind string, code int16) any {
	e := names.Game.Element(kind, code)
	if s, ok := e.(string); ok {
		return s
	}
	if v := reflect.ValueOf(e); v.IsValid() && v.CanInt() {
		return int(v.Int())
	}
	return fmt.Sprint(e)
}
