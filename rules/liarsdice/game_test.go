package liarsdice_test

import (
	"fmt"
	"strings"
	"testing"

	"samizdat/adjudicator/order"
	"samizdat/internal/playout"
	"samizdat/internal/test/gametest"
	"samizdat/rules"
	"samizdat/rules/liarsdice"
)

var game = liarsdice.Game()

// TestContract holds the game to what any game is held to.
func TestContract(t *testing.T) {
	t.Parallel()
	gametest.Check(t, game)
}

// rolled is chance that lets seat 0 begin and rolls the faces that are given.
type rolled struct{ faces []int }

func (r *rolled) Roll(rules.Reason) (int, error) { panic("a die is drawn") }

func (r *rolled) Draw(d rules.Draw) (int, error) {
	if d.Kind == rules.KindLot {
		return 0, nil
	}
	face := r.faces[0]
	r.faces = r.faces[1:]
	return face - 1, nil
}

// TestRules plays rounds in which dice and orders are given, and reads what happens.
func TestRules(t *testing.T) {
	t.Parallel()
	parser := order.New(game)
	for name, tt := range map[string]struct {
		dice   string
		faces  []int
		orders string
		want   string
	}{
		"as many as were bid":  {"2", []int{1, 5, 5, 2, 5, 5, 5, 5}, "BID 3 fives, DOUBT", "Ones included, that makes 3 fives. The owl loses a die and has 1 left. Round 2. The owl begins."},
		"fewer than were bid":  {"2", []int{1, 5, 5, 2, 5, 5, 5, 5}, "BID 4 fives, DOUBT", "that makes 3 fives. The fox loses a die and has 1 left. Round 2. The fox begins."},
		"wild ones only":       {"1", []int{1, 1}, "BID 1 two, BID 2 sixes, DOUBT", "that makes 2 sixes. The fox loses the last die and is out."},
		"a higher face":        {"1", []int{3, 2}, "BID 1 four, BID 1 six, DOUBT", "that makes 0 sixes. The owl loses the last die and is out."},
		"a lower face":         {"1", []int{3, 2}, "BID 1 four, BID 1 three", "That is not higher than 1 four"},
		"nothing to doubt":     {"1", []int{3, 2}, "DOUBT", "There is no bid to doubt yet."},
		"more than there are":  {"1", []int{3, 2}, "BID 3 twos", "There are only 2 dice."},
		"as a player says it":  {"1", []int{3, 2}, "raise to 1 x 3, RAISE 2 3s, liar", "that makes 1 three. The owl loses"},
		"the last die of many": {"1", []int{3, 2}, "BID 2 sixes, DOUBT", "Only the owl has dice left."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pos, err := game.Begin(rules.Setup{Seats: 2, Revision: 1, Options: map[string]string{"dice": tt.dice}})
			if err != nil {
				t.Fatal(err)
			}
			chance := &rolled{tt.faces}
			events, err := pos.Resume(chance, nil)
			var sentences []string
			for line := range strings.SplitSeq(tt.orders, ", ") {
				d := pos.OpenDecisions(nil)[0]
				o, err := parser.ParseOrder(line)
				if err != nil {
					t.Fatal(err)
				}
				answers, err := game.Answers(o, nil)
				if err != nil {
					t.Fatal(err)
				}
				a, v, options := answers[0].Atoms[0], pos.View(d.Seat), pos.Options(nil, d.ID)
				if events, err = pos.Apply(d.ID, a, chance, events); err != nil {
					sentences = append(sentences, game.Refusal(v, d, a, options))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			result, _ := pos.Result()
			sentences = append(append(game.Sentences(pos.View(rules.NoSeat), events), sentences...), result.Words)
			if text := strings.Join(sentences, " "); !strings.Contains(text, tt.want) {
				t.Errorf("it is told that\n%s\nwithout\n%s", text, tt.want)
			}
		})
	}
}

// TestBegin: set-ups that there are not are refused.
func TestBegin(t *testing.T) {
	t.Parallel()
	for _, s := range []rules.Setup{{Seats: 1}, {Seats: 7}, {Seats: 2, Options: map[string]string{"dice": "6"}}, {Seats: 2, Options: map[string]string{"cups": "1"}}} {
		if _, err := game.Begin(s); err == nil {
			t.Errorf("%+v is begun", s)
		}
	}
}

// TestResigned: the others play on, and who has left does not win.
func TestResigned(t *testing.T) {
	t.Parallel()
	pos, err := game.Decode(fmt.Appendf(nil, `{"round":9,"left":[0,2,0],"cups":[[],[],[]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if r, isOver := game.Resigned(pos, rules.Only(1)); !isOver || r.Winners != 0 || !r.AllLost {
		t.Errorf("%+v, over %t", r, isOver)
	}
}

// TestCounter: the robot wins more often than robots that play at random.
func TestCounter(t *testing.T) {
	t.Parallel()
	sum, err := playout.Run(t.Context(), playout.Plan{Game: game, Robots: []string{"counter", "random", "random"}, Matches: 200, Seed: 1})
	if err != nil || sum.Wins["fox"] < 120 {
		t.Errorf("it wins %d of 200 matches of three: %v", sum.Wins["fox"], err)
	}
}
