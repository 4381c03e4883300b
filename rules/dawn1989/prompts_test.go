package dawn1989

import (
	cli "flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/rules"
)

// TestEventPrompts holds the questions of events, as letters ask them, and the
// refusals of wrong answers against a golden file.
func TestEventPrompts(t *testing.T) {
	t.Parallel()
	east := []func(*Position){sp("Berlin", 2, 3), sp("Leipzig", 3, 0), sp("Dresden", 0, 4), sp("East German Lutheran Church", 5, 0)}
	var b strings.Builder
	for _, s := range []struct {
		side   Side
		put    []func(*Position)
		orders []string
		wrong  []string
	}{
		{Communist, []func(*Position){holds(Communist, Nomenklatura), sp("Plzen", 2, 0)}, []string{"PLAY 16 EVENT"}, []string{"PLACE Lodz 3", "PLACE Dresden 2", "CHOOSE DECLARE"}},
		{Communist, []func(*Position){holds(Communist, DeutscheMarks), holds(Democrat, 27, 40, 4)}, []string{"PLAY 20 EVENT"}, []string{"CHOOSE 4", "CHOOSE 35", "PASS"}},
		{Communist, append(east, holds(Communist, DeutscheMarks), holds(Democrat, 27)), []string{"PLAY 20 EVENT"}, []string{"OPS PLACE Sofia 3", "PASS", "OPS CHECK Leipzig BONUS"}},
		{Democrat, append(east, holds(Democrat, InflationaryCurrency), holds(Communist, 15, 16)), []string{"PLAY 44 EVENT", "CHOOSE East Germany", "REMOVE Berlin, Dresden"}, []string{"DISCARD 16", "DISCARD 35"}},
		{Democrat, append(east, holds(Democrat, GoodbyeLenin), holds(Communist, Sajudis, LaszloTokes, BalticWay, 15)), []string{"PLAY 46 EVENT"}, []string{"TAKE 81", "TAKE 15", "OPS PLACE Sofia 3"}},
		{Democrat, append(east, holds(Democrat, WeAreThePeople)), []string{"PLAY 48 EVENT"}, []string{"PLACE Berlin 3", "PLACE Lodz"}},
		{Democrat, []func(*Position){holds(Democrat, DebtBurden)}, []string{"PLAY 49 EVENT"}, []string{"CHOOSE Romania", "PASS"}},
		{Communist, []func(*Position){holds(Communist, Systematization), sp("Iasi", 3, 1)}, []string{"PLAY 69 EVENT"}, []string{"CHOOSE Lodz"}},
		{Democrat, []func(*Position){holds(Democrat, LaszloTokes), sp("Iasi", 0, 3), sp("Galati", 0, 2)}, []string{"PLAY 73 EVENT"}, []string{"OPS CHECK Lodz", "OPS TIANANMEN"}},
		{Democrat, []func(*Position){holds(Democrat, LaszloTokes), sp("Iasi", 0, 3), sp("Galati", 0, 2)}, []string{"PLAY 73 EVENT", "OPS CHECK Iasi"}, []string{"OPS PLACE Iasi"}},
		{Democrat, []func(*Position){holds(Democrat, ExitVisas, 27, 40)}, []string{"PLAY 75 EVENT"}, []string{"DISCARD 35", "DISCARD 27, 27"}},
		{Communist, append(east, holds(Communist, WarsawPactSummit), sp("German Writers", 2, 0), sp("Charles University", 6, 0)), []string{"PLAY 76 EVENT"}, []string{"CHECK Berlin", "PLACE Leipzig 4"}},
		{Democrat, []func(*Position){holds(Democrat, Samizdat, 27)}, []string{"PLAY 77 EVENT"}, []string{"CHOOSE 35"}},
		{Democrat, []func(*Position){holds(Democrat, WorkersRevolt), sp("Lodz", 0, 3), sp("Gdansk", 0, 2)}, []string{"PLAY 78 EVENT"}, []string{"CHOOSE Berlin"}},
		{Communist, []func(*Position){holds(Communist, Betrayal), sp("Romanian Orthodox Church", 3, 0), sp("Bulgarian Orthodox Church", 2, 0)}, []string{"PLAY 92 EVENT"}, nil},
		{Communist, []func(*Position){holds(Communist, ChineseSolution), boxes(0, 7), sp("Lodz", 3, 0)}, []string{"PLAY 96 EVENT"}, nil},
		{Democrat, []func(*Position){holds(Democrat, TyrantIsGone), caseEffects["crowd struck"], sp("Iasi", 1, 0)}, []string{"PLAY 97 EVENT"}, []string{"CHOOSE Iasi"}},
		{Democrat, []func(*Position){holds(Democrat, GovernmentResigns), sp("Plzen", 1, 3), sp("Dresden", 1, 2)}, []string{"PLAY 103 EVENT"}, nil},
		{Communist, []func(*Position){holds(Communist, NewYearsEveParty)}, []string{"PLAY 104 EVENT"}, []string{"CHOOSE CLEAR"}},
		{Democrat, []func(*Position){holds(Democrat, CivicForum), sp("Czech Writers", 2, 0), sp("Praha", 0, 3)}, []string{"PLAY 90 EVENT", "PLACE Brno 4"}, []string{"CHECK Brno"}},
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
		q := Game{}.Prompt(v, d, options)
		fmt.Fprintf(&b, "== %s\n%s\n%s\n", strings.Join(s.orders, "; "), Game{}.Status(v), strings.Join(wrap(q.Question, 0), "\n"))
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
			fmt.Fprintf(&b, "%s\n  %s\n", text, strings.Join(wrap(refusalOf(v, d, options, err), 0), "\n  "))
		}
		b.WriteString("\n")
	}
	path := filepath.Join("testdata", "words", "event-prompts.txt")
	if cli.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", path, diff)
	}
}

// refusalOf is what a letter says of a refused order.
func refusalOf(v rules.View, d rules.Decision, options []rules.Atom, err error) string {
	if a, ok := illegalAtom(err); ok {
		return Game{}.Refusal(v, d, a, options)
	}
	return err.Error()
}
