package dawn1989_test

import (
	"slices"
	"strings"
	"testing"

	"samizdat/rules"
)

// answersOf reads an order while questions of the kinds are owed.
func answersOf(t *testing.T, text string, owed ...string) ([]rules.Answer, error) {
	t.Helper()
	o, err := parser.ParseOrder(text)
	if err != nil {
		return nil, err
	}
	var list []rules.Decision
	for _, k := range owed {
		kind, source, _ := strings.Cut(k, "/")
		list = append(list, rules.Decision{Kind: kind, Source: source})
	}
	return game.Answers(o, list)
}

// An order, what is owed when it is read, and the answers that it stands for:
// the canonical line of each with the kinds of questions it answers.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const (
		round   = " [round extra round strike]"
		ops     = " [ops]"
		granted = " [ops granted ops]"
		check   = " [check way]"
	)
	for _, test := range []struct{ in, owed, want string }{
		{"PLAY 22 EVENT", "", "PLAY 22 EVENT" + round},
		{"PLAY 22", "", "PLAY 22 EVENT" + round},
		{"play poland scoring", "", "PLAY 22 EVENT" + round},
		{"PLAY 40 OPS", "", "PLAY 40 OPS" + round},
		{"PLAY 12 OPS PLACE Lodz, Wroclaw EVENT FIRST", "", "PLAY 12 OPS EVENT FIRST" + round + " | OPS PLACE Lodz, Wroclaw" + ops},
		{"PLAY 12 OPS EVENT FIRST", "", "PLAY 12 OPS EVENT FIRST" + round},
		{"PLAY 36 OPS PLACE Bydgoszcz 2, Warszawa EVENT AFTER", "", "PLAY 36 OPS PLACE Bydgoszcz 2, Warszawa EVENT AFTER" + round},
		{"PLAY 36 EVENT AFTER OPS PLACE Bydgoszcz 2, Warszawa", "", "PLAY 36 OPS PLACE Bydgoszcz 2, Warszawa EVENT AFTER" + round},
		{"PLAY 27 OPS CHECK Lodz, Krakow EVENT AFTER", "", "PLAY 27 OPS CHECK Lodz EVENT AFTER" + round + " | OPS CHECK Krakow [second check]"},
		{"PLAY 27 OPS CHECK Lodz, Krakow EVENT FIRST", "", "PLAY 27 OPS EVENT FIRST" + round + " | OPS CHECK Lodz [ops] | OPS CHECK Krakow [second check]"},
		{"PLAY 58 OPS CHECK Leipzig, Halle BONUS", "", "PLAY 58 OPS CHECK Leipzig BONUS" + round + " | OPS CHECK Halle [second check]"},
		{"PLAY 27 OPS TIANANMEN", "", "PLAY 27 OPS TIANANMEN" + round},
		{"PLAY 31 OPS PLACE Debrecen, Rostock NO EVENT", "", "PLAY 31 OPS PLACE Debrecen, Rostock NO EVENT" + round},
		{"PLAY 40 BOTH CHECK Debrecen EVENT AFTER", "", "PLAY 40 BOTH CHECK Debrecen EVENT AFTER" + round},
		{"PLAY 96 BOTH EVENT FIRST", "", "PLAY 96 BOTH EVENT FIRST" + round},
		{"PLAY 21 WITH 27 OPS PLACE Lodz 3", "", "PLAY 21 WITH 27 OPS PLACE Lodz 3" + round},
		{"PLAY 27 WITH 21 OPS CHECK Lodz, Krakow", "", "PLAY 21 WITH 27 OPS CHECK Lodz" + round + " | OPS CHECK Krakow [second check]"},
		{"PLAY General Strike STRIKE", "", "PLAY 5 STRIKE" + round},
		{"PLAY 40th OPS PLACE Berlin, Berlin", "", "PLAY 51 OPS PLACE Berlin 2" + round},

		{"OPS PLACE Lodz, Krakow, Lodz", "ops", "OPS PLACE Lodz, Krakow, Lodz" + granted},
		{"OPS CHECK Lodz, Krakow", "", "OPS CHECK Lodz [ops granted ops second check] | OPS CHECK Krakow [second check]"},
		{"OPS CHECK Dresden BONUS", "second check", "OPS CHECK Dresden BONUS [ops granted ops second check]"},
		{"PLACE Lodz 2", "ops", "OPS PLACE Lodz 2" + granted},
		{"CHECK Lodz", "second check", "OPS CHECK Lodz [ops granted ops second check]"},
		{"CHECK Lodz BONUS", "ops", "OPS CHECK Lodz BONUS [ops granted ops second check]"},
		{"TIANANMEN", "ops", "OPS TIANANMEN" + granted},

		{"PLACE Lodz 2", "", "PLACE Lodz 2 [setup place way]"},
		{"place łódź 2, pol cath", "place", "PLACE Lodz 2, Polish Catholic Church [setup place way]"},
		{"REMOVE Praha 2, Brno", "", "REMOVE Praha 2, Brno [remove]"},
		{"PLACE Harghita/Covasna", "", "PLACE Harghita/Covasna [setup place way]"},
		{"PLACE Luth", "", "PLACE East German Lutheran Church [setup place way]"},
		{"PLACE Warsaw", "", "PLACE Warszawa [setup place way]"},
		{"CHECK Gdansk", "check", "CHECK Gdansk" + check},
		{"CHECK Berlin, Leipzig, Leipzig, PASS", "", "CHECK Berlin" + check + " | CHECK Leipzig" + check + " | CHECK Leipzig" + check + " | PASS [check]"},
		{"CHOOSE Razgrad", "", "CHOOSE Razgrad [space]"},
		{"PLACE Czech Catholic Church 3", "space/19", "CHOOSE Czech Catholic Church [space]"},
		{"REMOVE Miskolc", "space/27", "CHOOSE Miskolc [space]"},
		{"CHOOSE Poland", "", "CHOOSE Poland [country]"},
		{"CHOOSE DDR", "", "CHOOSE East Germany [country]"},
		{"CHOOSE 27", "", "CHOOSE 27 [announce card]"},
		{"CHOOSE KEEP POWER", "", "CHOOSE KEEP POWER [power]"},
		{"keep power", "", "CHOOSE KEEP POWER [power]"},
		{"SURRENDER POWER", "", "CHOOSE SURRENDER POWER [power]"},
		{"CHOOSE CLEAR", "", "CHOOSE CLEAR [way]"},
		{"CHOOSE DECLARE", "", "CHOOSE DECLARE [declare]"},
		{"TAKE 33", "", "TAKE 33 [take granted ops]"},
		{"TAKE PASS", "take", "PASS [extra round ops granted ops second check place check take discard stakes country card declare]"},
		{"DISCARD 12, 35", "", "DISCARD 12, 35 [discard]"},
		{"RAISE Strike-4, Elite Leader, March-3", "", "RAISE Elite Leader, March-3, Strike-4 [stakes]"},
		{"RAISE rally, rally, march 3", "", "RAISE March-3, Rally, Rally [stakes]"},
		{"ATTACK March-6, Elite Leader AS Rally, Scare Tactics IN Krakow", "",
			"ATTACK March-6 [attack] | ATTACK Elite Leader AS Rally [attack] | ATTACK Scare Tactics IN Krakow [attack]"},
		{"DEFEND March-3, Church Leader, CONCEDE", "", "DEFEND March-3 [defend] | DEFEND Church Leader [defend] | CONCEDE [defend]"},
		{"DEFEND Tactic Fails", "", "DEFEND Tactic Fails [defend]"},
		{"CONCEDE", "", "CONCEDE [defend]"},
		{"PASS", "", "PASS [extra round ops granted ops second check place check take discard stakes country card declare]"},
		{"PASS", "round", "PASS [extra round ops granted ops second check place check take discard stakes country card declare round]"},
	} {
		t.Run(test.in+"/"+test.owed, func(t *testing.T) {
			t.Parallel()
			var owed []string
			if test.owed != "" {
				owed = []string{test.owed}
			}
			answers, err := answersOf(t, test.in, owed...)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range answers {
				got = append(got, game.FormatOrder(a.Atoms)+" ["+strings.Join(a.Kinds, " ")+"]")
			}
			if g := strings.Join(got, " | "); g != test.want {
				t.Errorf("got  %s\nwant %s", g, test.want)
			}
		})
	}
}

func TestNoAnswers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, owed, want string }{
		{"PLAY 40", "", "what is card 40 played for, its event or Operations?"},
		{"PLAY 40 CHECK Debrecen", "", "to use the card for Operations, write PLAY 40 OPS CHECK Debrecen"},
		{"PLAY 40 EVENT CHECK Debrecen", "", "PLAY 40 EVENT takes no operation; if the event asks for something, answer it on the next line"},
		{"PLAY 40 OPS EVENT", "", "say when the event happens: EVENT FIRST or EVENT AFTER, or play the card for the event only"},
		{"PLAY 40 OPS PLACE Lodz CHECK Krakow", "", "PLACE and CHECK: a card's Operations are spent in one way only"},
		{"PLAY 40 OPS CHECK Lodz, Krakow, Berlin", "", "a card's Operations are two support checks, not 3"},
		{"PLAY 40 OPS PLACE Berlin BONUS", "", "BONUS follows CHECK and its spaces; a placement has its extra point without it"},
		{"PLAY 40 OPS TIANANMEN EVENT FIRST", "", "no event happens with a Tiananmen attempt: leave EVENT FIRST out"},
		{"PLAY 40 BOTH PLACE Lodz 3", "", "say when the event happens: PLAY 40 BOTH PLACE Lodz 3 EVENT FIRST, or EVENT AFTER"},
		{"PLAY 40 BOTH TIANANMEN EVENT FIRST", "", "BOTH takes PLACE or CHECK, not TIANANMEN"},
		{"PLAY 40 OPS PLACE Lodz EVENT FIRST EVENT AFTER", "", "EVENT FIRST and EVENT AFTER do not go together"},
		{"PLAY 12 WITH 27 OPS PLACE Lodz", "", "WITH is for card 21, Common European Home, and another card that is played for Operations"},
		{"PLAY 21 WITH 27 OPS PLACE Lodz 3 EVENT AFTER", "", "with card 21 no event happens: leave EVENT AFTER out"},
		{"PLAY 21 WITH 27 OPS TIANANMEN", "", "with card 21 the other card is played for Operations, and PLACE or CHECK follows OPS"},
		{"PLAY 40 REMOVE Lodz", "", "REMOVE does not go with PLAY; give it a line of its own below"},
		{"OPS", "ops", "OPS wants an operation after it, which is PLACE, CHECK or TIANANMEN"},
		{"OPS PLACE Lodz EVENT FIRST", "ops", "EVENT FIRST belongs after PLAY and the card"},
		{"PLACE Lodz EVENT FIRST", "", "EVENT FIRST belongs after PLAY and the card, not after PLACE"},
		{"CHECK Lodz BONUS", "check", "BONUS belongs to Operations, after the spaces of OPS CHECK"},
		{"CHECK PASS, Lodz", "", "PASS ends a list: leave out what follows it (entry 2)"},
		{"CHECK Lodz, CONCEDE", "", "support checks are ended by PASS, not by CONCEDE"},
		{"PLACE Lodz, Krakow", "space/19", "one space is to be chosen: write CHOOSE Lodz"},
		{"PLACE Czech Catholic Church 2", "space/19", "the card settles the number of points: write CHOOSE Czech Catholic Church"},
		{"RAISE Rally, Rally", "", "the stakes are raised with exactly three power struggle cards, not 2; PASS leaves them"},
		{"ATTACK Elite Leader", "", "Elite Leader stands for a suit of your choice: write ATTACK Elite Leader AS Rally, Strike, March or Petition"},
		{"ATTACK March-3 AS Rally", "", "March-3 has no suit to choose: only leaders take AS"},
		{"ATTACK March-3 IN Krakow", "", "March-3 names no space: only Scare Tactics takes IN"},
		{"DEFEND Elite Leader AS Rally", "", "AS is only for an attack; a leader defends in the attack's suit"},
		{"DEFEND PASS", "", "a defence is given up with CONCEDE, not with PASS"},
		{"DISCARD 12", "strike/5", "a round under General Strike is answered with PLAY 12 STRIKE"},
		{"DISCARD 22", "strike/5", "a round under General Strike is answered with PLAY 22 EVENT"},
		{"PASS EVENT", "", "EVENT belongs after PLAY and the card, not after PASS"},
	} {
		t.Run(test.in, func(t *testing.T) {
			t.Parallel()
			_, err := answersOf(t, test.in, strings.Fields(strings.ReplaceAll(test.owed, " ", ""))...)
			if err == nil {
				t.Fatal("no error")
			}
			if err.Error() != test.want {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
		})
	}
}

// Every space can be ordered by the abbreviation that the map shows for its
// neighbours.
func TestAbbreviationsAreRead(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, s := range game.Sections(after(t, 5).View(rules.NoSeat)) {
		if s.Title != "The map" {
			continue
		}
		for _, l := range s.Lines[4:] {
			if len(l) < 40 || strings.HasPrefix(l, "  ") || strings.Contains(l, "(Power") {
				continue
			}
			for _, ab := range strings.Fields(l[40:]) {
				o, err := parser.ParseOrder("PLACE " + ab)
				if err != nil {
					t.Errorf("%s: %v", ab, err)
					continue
				}
				found[o.Clauses[0].Items[0].Name.Text] = true
			}
		}
	}
	if len(found) != 75 {
		t.Errorf("%d spaces are somebody's neighbours, want 75", len(found))
	}
}

// Names that could be taken for one another, and names that never may.
func TestAmbiguousNames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"PLACE Catholic Church":    "Polish Catholic Church, Czech Catholic Church or Hungarian Catholic Church",
		"PLACE Orthodox Church":    "Romanian Orthodox Church or Bulgarian Orthodox Church",
		"PLACE Czechoslovakia Ca":  "",
		"PLACE Poland Catholic Ch": "",
		"CHOOSE KEEP":              "is not",
		"PLACE Wall":               "is not a space",
	} {
		_, err := answersOf(t, in)
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", in, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
	for _, n := range game.Names() {
		if n.Text == "" || n.Kind == "" {
			t.Errorf("a name without text or kind: %+v", n)
		}
		if n.NoAbbreviation && !slices.Contains([]rules.NameKind{"option", "box", "closing PASS"}, n.Kind) {
			t.Errorf("%s can be abbreviated", n.Text)
		}
	}
}
