package order_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// show writes an order as "PLAY[12 Apparatchiks] OPS PLACE[Lodz x2, Wroclaw]".
func show(o rules.Order) string {
	var clauses []string
	for _, c := range o.Clauses {
		var items []string
		for _, item := range c.Items {
			s := item.Name.Text
			if item.Count != 1 {
				s += fmt.Sprintf(" x%d", item.Count)
			}
			for _, m := range item.Modifiers {
				s += fmt.Sprintf(" {%s %s}", m.Word, m.Name.Text)
			}
			items = append(items, s)
		}
		s := c.Word
		if len(items) > 0 {
			s += "[" + strings.Join(items, ", ") + "]"
		}
		if c.Number != nil {
			s += fmt.Sprintf("(%d)", *c.Number)
		}
		clauses = append(clauses, s)
	}
	return strings.Join(clauses, " ")
}

func TestOrder(t *testing.T) {
	t.Parallel()
	p := order.New(speech{})
	for _, test := range []struct{ in, want string }{
		// Forms.
		{"PLAY 12 OPS PLACE Lodz 2, Wroclaw EVENT FIRST", "PLAY[Apparatchiks] OPS PLACE[Lodz x2, Wroclaw] EVENT FIRST"},
		{"PLAY 40 BOTH CHECK Lodz EVENT AFTER", "PLAY[Hungarian Democratic Forum] BOTH CHECK[Lodz] EVENT AFTER"},
		{"PLAY 12 OPS TIANANMEN NO EVENT", "PLAY[Apparatchiks] OPS TIANANMEN NO EVENT"},
		{"PLAY 21 WITH 27 OPS PLACE Lodz 3", "PLAY[Common European Home] WITH[Consumerism] OPS PLACE[Lodz x3]"},
		{"play 12, event", "PLAY[Apparatchiks] EVENT"},
		{"OPS CHECK Leipzig, Lodz BONUS", "OPS CHECK[Leipzig, Lodz] BONUS"},
		{"ATTACK March-6, Elite Leader AS Rally, Scare Tactics IN Krakow",
			"ATTACK[March-6, Elite Leader {AS Rally}, Scare Tactics {IN Krakow}]"},
		{"DEFEND March-3, CONCEDE", "DEFEND[March-3, CONCEDE]"},
		{"CHECK Berlin, Leipzig, PASS", "CHECK[Berlin, Leipzig, PASS]"},
		{"PASS", "PASS"},
		{"concede.", "CONCEDE"},
		{"CHOOSE KEEP POWER", "CHOOSE[KEEP POWER]"},
		{"Keep power!", "KEEP POWER"},
		{"BID COMMUNIST GIVE 2", "BID[COMMUNIST] GIVE(2)"},
		{"BID COMMUNIST GIVE 0", "BID[COMMUNIST] GIVE(0)"},
		{"RAISE Rally, Rally, March-3", "RAISE[Rally, Rally, March-3]"},
		{"RAISE rally march 3 strike 3", "RAISE[Rally, March-3, Strike-3]"},
		{"SEAT 1-2 FIRST church", "SEAT[1-2] FIRST[Catholic Church]"},
		{"PRESENT grape lamp", "PRESENT[Grape, Lamp]"},
		{"HOLD UNTIL CHANGE", "HOLD UNTIL CHANGE"},
		{"VOTE m", "VOTE[M]"},

		// Separators.
		{"PLACE Lodz and Krakow", "PLACE[Lodz, Krakow]"},
		{"PLACE Lodz 2 and Krakow / Praha & Berlin", "PLACE[Lodz x2, Krakow, Praha, Berlin]"},
		{"PLACE Lodz, and Krakow", "PLACE[Lodz, Krakow]"},
		{"PLACE Lodz 2 Krakow,", "PLACE[Lodz x2, Krakow]"},
		{"PLACE Lodz x2, Krakow (3)", "PLACE[Lodz x2, Krakow x3]"},
		{"PLACE Harghita/Covasna 2, Lodz", "PLACE[Harghita/Covasna x2, Lodz]"},
		{"PLAY Tank Column/Tank Man EVENT", "PLAY[Tank Column/Tank Man] EVENT"},
		{"DISCARD Klaus and Komarek and 9", "DISCARD[Klaus and Komarek, The Wall]"},
		{"DISCARD 9 and Klaus and Komarek", "DISCARD[The Wall, Klaus and Komarek]"},
		{"PLACE Lodz, Krakow, EVENT FIRST", "PLACE[Lodz, Krakow] EVENT FIRST"},

		// Names.
		{"PLACE ŁÓDŹ", "PLACE[Lodz]"},
		{"PLACE kRAKÓW", "PLACE[Krakow]"},
		{"PLACE Krako\u0301w", "PLACE[Krakow]"},
		{"PLACE wro", "PLACE[Wroclaw]"},
		{"PLACE cluj napoca", "PLACE[Cluj-Napoca]"},
		{"PLACE napoca", "PLACE[Cluj-Napoca]"},
		{"CHECK Sofia", "CHECK[Sofia]"},
		{"CHECK Sofia Univ", "CHECK[Sofia University]"},
		{"CHECK univ", "CHECK[Sofia University]"},
		{"PLACE pol cath 2", "PLACE[Polish Catholic Church x2]"},
		{"PLACE Polish Church", "PLACE[Polish Catholic Church]"},
		{"PLAY #40 EVENT", "PLAY[Hungarian Democratic Forum] EVENT"},
		{"PLAY 40th EVENT", "PLAY[40th Anniversary Celebration] EVENT"},
		{"PLAY 1968 EVENT", "PLAY[Legacy of 1968] EVENT"},
		{"PLAY The Wall EVENT", "PLAY[The Wall] EVENT"},
		{"PLAY wall must EVENT", `PLAY["The Wall Must Go!"] EVENT`},
		{"PLAY we are the people EVENT", `PLAY["We are the People!"] EVENT`},
		{"PLAY “We are the People!” EVENT", `PLAY["We are the People!"] EVENT`},
		{"PLAY New Year’s Eve Party EVENT", "PLAY[New Year's Eve Party] EVENT"},
		{"PLAY new years eve EVENT", "PLAY[New Year's Eve Party] EVENT"},
		{"DEFEND tactic", "DEFEND[Tactic Fails]"},
		{"PLAY general strike strike", "PLAY[General Strike] STRIKE"},
		{"PLAY 5 STRIKE", "PLAY[General Strike] STRIKE"},
		{"DISCARD strike", "DISCARD[General Strike]"},
		{"PLAY My First Banana OPS PLACE Lodz EVENT FIRST", "PLAY[My First Banana] OPS PLACE[Lodz] EVENT FIRST"},
		{"PLAY banana OPS TIANANMEN", "PLAY[My First Banana] OPS TIANANMEN"},
		{"CHOOSE Poland", "CHOOSE[Poland]"},
		{"CHOOSE 27", "CHOOSE[Consumerism]"},
	} {
		t.Run(test.in, func(t *testing.T) {
			t.Parallel()
			o, err := p.ParseOrder(test.in)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(o); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if !p.IsOrder(test.in) {
				t.Error("is not taken for an order")
			}
		})
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	p := order.New(speech{})
	for _, test := range []struct{ in, want string }{
		{"CHECK Berlin 2", `"2" is a number, but CHECK takes none; to name Berlin twice, write CHECK Berlin, Berlin`},
		{"RAISE Rally 2", `"2" is a number, but RAISE takes none; to name Rally twice, write RAISE Rally, Rally`},
		{"PLACE Writers", `"Writers" can be more than one name after PLACE: Polish Writers or Czech Writers`},
		{"PLACE Sofai Kniversity, Wien", `"Sofai Kniversity" is not a space; did you mean Sofia University?`},
		{"PLACE Wien 2", `"Wien" is not a space; names that begin with W: Wroclaw`},
		{"TAKE some time off", `"some time off" is not a card; names that begin with S: 2 Solidarity Legalized`},
		{"PLACE", "write a space after PLACE"},
		{"PLAY OPS PLACE Lodz", `"OPS" is in the wrong place: PLAY needs a card there`},
		{"PLAY the EVENT", `"the" is not a card; names that begin with T: 9 The Wall, 85 Tank Column/Tank Man and 86 "The Wall Must Go!"`},
		{"PLAY 41", `"41" is not a card; the numbers go from 1 to 104`},
		{"PLAY wall EVENT", `"wall" can be more than one name after PLAY: 9 The Wall or 86 "The Wall Must Go!"`},
		{"RAISE march", `"march" can be more than one name after RAISE: March-3 or March-6`},
		{"RAISE 6", `"6" can be more than one name after RAISE: March-6 or Petition-6`},
		{"PLAY 12 tomorrow", `"tomorrow" is not understood after PLAY 12 Apparatchiks; leave it out, or give it a line of its own`},
		{"PLAY 12 40", `"12 40" names two different things: 12 Apparatchiks or 40 Hungarian Democratic Forum`},
		{"PLAY 12, Apparatchiks, tomorrow", `"12, Apparatchiks" names the same thing twice; write it once`},
		{"PASS Lodz", `"Lodz" is not understood after PASS; leave it out, or give it a line of its own`},
		{"ATTACK Elite Leader AS", "write a suit after AS"},
		{"ATTACK Elite Leader AS Lodz", `"Lodz" is not a suit; it is a space`},
		{"BID COMMUNIST GIVE much", `"much" is in the wrong place: GIVE needs a number there`},
		{"PLACE Lodz 0", `"0" is not a count: leave the name out instead`},
		{"CHOOSE KEEP", `"KEEP" is not a space, a card, an option or a country; names that begin with K: Krakow and 68 Klaus and Komarek`},
		{"CHEKC,", `"CHEKC" is not the start of an order; orders begin with PLAY, TAKE, OPS, PLACE, REMOVE, CHECK, DISCARD, RAISE ` +
			`or 11 others; did you mean CHECK?`},
		{"...", "the line is empty"},
		{strings.Repeat("PLACE Lodz ", 100), `"PLACE Lodz PLACE Lodz PLACE Lodz PLACE L..." is longer than any order ` +
			`(at most 1000 bytes)`},
	} {
		t.Run(test.in[:min(len(test.in), 30)], func(t *testing.T) {
			t.Parallel()
			o, err := p.ParseOrder(test.in)
			if err == nil {
				t.Fatalf("understood as %s", show(o))
			}
			if got := err.Error(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			var u *order.UnclearError
			if !errors.As(err, &u) {
				t.Errorf("%T is not *order.Unclear", err)
			}
		})
	}
}

func TestTalkAndOrders(t *testing.T) {
	t.Parallel()
	p := order.New(speech{})
	for _, test := range []struct {
		in   string
		want bool
	}{
		{"Hold on", false}, {"Hold on, I must think", false}, {"Play well!", false}, {"Pass the salt, please", false},
		{"Check your mail", false}, {"Place your bets", false}, {"Take care!", false}, {"Take the train", false},
		{"Take it easy", false}, {"Play it again, Sam", false}, {"Good game so far", false}, {"", false}, {"!!", false},
		{"Check me out", false}, {"Choose wisely", false}, {"Play on", false}, {"Raise hell", false}, {"Vote!", false},
		{"Place Lotz 2, Krakow", false}, {"PLACE Lotz", true}, {"PLACE Wien", true}, {"PLAY 99", true}, {"PLAY 12 or so", true}, {"HOLD", true}, {"PASS.", true},
		{"PLACE Xyzzyx, Lodz", true}, {"BID DEMOCRAT GIVE", true}, {"PLAY OPS PLACE Lodz", true}, {"check Berlin 2", false},
		{"CHECK the Berlin", true}, {"DISCARD Aparatchiks", true}, {"CHOOSE KEEP POWER", true}, {"OPS", true},
	} {
		t.Run(test.in, func(t *testing.T) {
			t.Parallel()
			if got := p.IsOrder(test.in); got != test.want {
				t.Errorf("got %t, want %t", got, test.want)
			}
		})
	}
}

// TestCourtesies: which lines of a letter are nothing but a salutation, a closing or a name.
func TestCourtesies(t *testing.T) {
	t.Parallel()
	p := order.New(speech{}).ForLetter("Dora Dawson")
	for _, test := range []struct {
		lines []string
		want  []bool
	}{
		{[]string{"Dear friends", "PLACE Lodz 2", "Greetings from Basel", "Urs"}, []bool{true, false, true, true}},
		{[]string{"PLACE Lodz 2", "Thanks, and good luck to everybody!"}, []bool{false, true}},
		{[]string{"PLACE Lodz 2", "Thanks for stopping me"}, []bool{false, false}},
		{[]string{"PLACE Lodz 2", "Void"}, []bool{false, false}},
		{[]string{"PLACE Lodz 2", "Dora"}, []bool{false, true}},
		{[]string{"PLAY 12 OPS PLACE Sofia", "University EVENT AFTER"}, []bool{false, false}},
		{[]string{"No worries, PASS"}, []bool{false}},
	} {
		if got := p.MarkCourtesies(test.lines); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %v, want %v", test.lines, got, test.want)
		}
	}
}
