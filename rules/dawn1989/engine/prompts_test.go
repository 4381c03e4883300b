package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/dawn1989/words"
)

// TestEventPrompts holds the questions of events, as letters ask them, and the
// refusals of wrong answers against a golden file.
func TestEventPrompts(t *testing.T) {
	t.Parallel()
	east := []func(*engine.Position){sp("Berlin", 2, 3), sp("Leipzig", 3, 0), sp("Dresden", 0, 4), sp("East German Lutheran Church", 5, 0)}
	paid := []func(*engine.Position){holds(engine.Communist, engine.WorkersRevolt, engine.InflationaryCurrency), lasting(engine.HelsinkiFinalAct, engine.EcoGlasnost),
		sp("Ruse", 4, 0), sp("Jagiellonian University", 2, 0), sp("Czech Writers", 3, 0)}
	var b strings.Builder
	for _, s := range []struct {
		side   engine.Side
		put    []func(*engine.Position)
		orders []string
		wrong  []string
	}{
		{engine.Communist, []func(*engine.Position){holds(engine.Communist, engine.Nomenklatura), sp("Plzen", 2, 0)}, []string{"PLAY 16 EVENT"}, []string{"PLACE Lodz 3", "PLACE Dresden 2", "CHOOSE DECLARE"}},
		{engine.Communist, []func(*engine.Position){holds(engine.Communist, engine.DeutscheMarks), holds(engine.Democrat, 27, 40, 4)}, []string{"PLAY 20 EVENT"}, []string{"CHOOSE 4", "CHOOSE 35", "PASS"}},
		{engine.Communist, append(east, holds(engine.Communist, engine.DeutscheMarks), holds(engine.Democrat, 27)), []string{"PLAY 20 EVENT"}, []string{"OPS PLACE Sofia 3", "PASS", "OPS CHECK Leipzig BONUS"}},
		{engine.Democrat, append(east, holds(engine.Democrat, engine.InflationaryCurrency), holds(engine.Communist, 15, 16)), []string{"PLAY 44 EVENT", "CHOOSE East Germany", "REMOVE Berlin, Dresden"}, []string{"DISCARD 16", "DISCARD 35"}},
		{engine.Democrat, append(east, holds(engine.Democrat, engine.GoodbyeLenin), holds(engine.Communist, engine.Sajudis, engine.LaszloTokes, engine.BalticWay, 15)), []string{"PLAY 46 EVENT"}, []string{"TAKE 81", "TAKE 15", "OPS PLACE Sofia 3"}},
		{engine.Democrat, append(east, holds(engine.Democrat, engine.WeAreThePeople)), []string{"PLAY 48 EVENT"}, []string{"PLACE Berlin 3", "PLACE Lodz"}},
		{engine.Democrat, []func(*engine.Position){holds(engine.Democrat, engine.DebtBurden)}, []string{"PLAY 49 EVENT"}, []string{"CHOOSE Romania", "PASS"}},
		{engine.Communist, []func(*engine.Position){holds(engine.Communist, engine.Systematization), sp("Iasi", 3, 1)}, []string{"PLAY 69 EVENT"}, []string{"CHOOSE Lodz"}},
		{engine.Democrat, []func(*engine.Position){holds(engine.Democrat, engine.LaszloTokes), sp("Iasi", 0, 3), sp("Galati", 0, 2)}, []string{"PLAY 73 EVENT"}, []string{"OPS CHECK Lodz", "OPS TIANANMEN"}},
		{engine.Democrat, []func(*engine.Position){holds(engine.Democrat, engine.LaszloTokes), sp("Iasi", 0, 3), sp("Galati", 0, 2)}, []string{"PLAY 73 EVENT", "OPS CHECK Iasi"}, []string{"OPS PLACE Iasi"}},
		{engine.Democrat, []func(*engine.Position){holds(engine.Democrat, engine.ExitVisas, 27, 40)}, []string{"PLAY 75 EVENT"}, []string{"DISCARD 35", "DISCARD 27, 27"}},
		{engine.Communist, append(east, holds(engine.Communist, engine.WarsawPactSummit), sp("German Writers", 2, 0), sp("Charles University", 6, 0)), []string{"PLAY 76 EVENT"}, []string{"CHECK Berlin", "PLACE Leipzig 4"}},
		{engine.Democrat, []func(*engine.Position){holds(engine.Democrat, engine.Samizdat, 27)}, []string{"PLAY 77 EVENT"}, []string{"CHOOSE 35"}},
		{engine.Democrat, []func(*engine.Position){holds(engine.Democrat, engine.WorkersRevolt), sp("Lodz", 0, 3), sp("Gdansk", 0, 2)}, []string{"PLAY 78 EVENT"}, []string{"CHOOSE Berlin"}},
		{engine.Communist, []func(*engine.Position){holds(engine.Communist, engine.Betrayal), sp("Romanian Orthodox Church", 3, 0), sp("Bulgarian Orthodox Church", 2, 0)}, []string{"PLAY 92 EVENT"}, nil},
		{engine.Communist, []func(*engine.Position){holds(engine.Communist, engine.ChineseSolution), boxes(0, 7), sp("Lodz", 3, 0)}, []string{"PLAY 96 EVENT"}, nil},
		{engine.Democrat, []func(*engine.Position){holds(engine.Democrat, engine.TyrantIsGone), caseEffects["crowd struck"], sp("Iasi", 1, 0)}, []string{"PLAY 97 EVENT"}, []string{"CHOOSE Iasi"}},
		{engine.Democrat, []func(*engine.Position){holds(engine.Democrat, engine.GovernmentResigns), sp("Plzen", 1, 3), sp("Dresden", 1, 2)}, []string{"PLAY 103 EVENT"}, nil},
		{engine.Communist, []func(*engine.Position){holds(engine.Communist, engine.NewYearsEveParty)}, []string{"PLAY 104 EVENT"}, []string{"CHOOSE CLEAR"}},
		{engine.Democrat, []func(*engine.Position){holds(engine.Democrat, engine.CivicForum), sp("Czech Writers", 2, 0), sp("Praha", 0, 3)}, []string{"PLAY 90 EVENT", "PLACE Brno 4"}, []string{"CHECK Brno"}},
		// Ruling 48, card 67; ruling 17, cards 44 and 78; ruling 11, cards 26 and 39.
		{engine.Democrat, []func(*engine.Position){holds(engine.Democrat, engine.ReformerRehabilitated), boxes(1, 0), lay(engine.PileDiscard, 31, 34)}, []string{"PLAY 67 EVENT"}, []string{"PASS"}},
		{engine.Communist, paid, nil, []string{"PLAY 78 EVENT", "PLAY 44 EVENT"}},
		{engine.Communist, paid, []string{"PLAY 78 OPS CHECK Ruse"}, []string{"PASS"}},
		{engine.Communist, append(paid, holds(engine.Communist, engine.DeutscheMarks), holds(engine.Democrat, 27)), []string{"PLAY 20 EVENT"}, nil},
		{engine.Communist, append(paid, sp("Lodz", 3, 0), sp("Praha", 2, 0)), nil, nil},
	} {
		p := scene(t, s.side, s.put...)
		for _, text := range s.orders {
			next, err := try(t, p, &told{t: t, free: true}, text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			p = next
		}
		d := p.Owed(nil)[0]
		v := p.View(d.Seat)
		options := p.Options(nil, d.ID)
		q := dawn1989.Game{}.Prompt(v, d, options)
		fmt.Fprintf(&b, "== %s\n%s\n%s\n", strings.Join(s.orders, "; "), dawn1989.Game{}.Status(v), strings.Join(words.Wrap(q.Question, 0), "\n"))
		for _, f := range q.Forms {
			fmt.Fprintf(&b, "    %s\n", f)
		}
		for _, n := range q.Notes {
			fmt.Fprintf(&b, "  %s\n", n)
		}
		for _, text := range s.wrong {
			_, err := try(t, p, &told{t: t, free: true}, text)
			if err == nil {
				t.Errorf("%s after %v is accepted", text, s.orders)
				continue
			}
			fmt.Fprintf(&b, "%s\n  %s\n", text, strings.Join(words.Wrap(refusalOf(v, d, options, err), 0), "\n  "))
		}
		b.WriteString("\n")
	}
	path := filepath.Join("testdata", "words", "event-prompts.txt")
	if *updateCases {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got; -update-cases rewrites it):\n%s", path, diff)
	}
}

// refusalOf is what a letter says of a refused order.
func refusalOf(v rules.View, d rules.Decision, options []rules.Atom, err error) string {
	if a, ok := illegalAtom(err); ok {
		return dawn1989.Game{}.Refusal(v, d, a, options)
	}
	return err.Error()
}
