package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
		d := p.OpenDecisions(nil)[0]
		v := p.View(d.Seat)
		options := p.Options(nil, d.ID)
		q := dawn1989.Game().Prompt(v, d, options)
		fmt.Fprintf(&b, "== %s\n%s\n%s\n", strings.Join(s.orders, "; "), dawn1989.Game().Status(v), strings.Join(words.Wrap(q.Question, 0), "\n"))
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
		return dawn1989.Game().Refusal(v, d, a, options)
	}
	return err.Error()
}

// TestAbout says what CARD answers of some cards.
func TestAbout(t *testing.T) {
	t.Parallel()
	start := scene(t, engine.Communist)
	for _, tt := range []struct {
		name string
		p    *engine.Position
		card engine.Card
		want []string
		not  []string
	}{
		{"all that is printed", start, 3, []string{"3 Walesa: 3 Ops, Democrat, early year, asterisk", "Place 4 Democratic points in Poland."}, nil},
		{"what it needs", start, 3, []string{"needs the event of 2 Solidarity Legalized, which has not happened yet", "cannot happen now"}, nil},
		{"what it needed", scene(t, engine.Communist, happened(2)), 3, []string{"2 Solidarity Legalized, which has happened"}, []string{"cannot happen now"}},
		{"what waits for it", start, 84, []string{"Needed for: 109 Kremlin Coup!.", "Prevents: 14 Gorbachev Charms the West.", "red title"}, nil},
		{"what forbids it", scene(t, engine.Communist, happened(83)), 15, []string{"after the event of 83 Modrow, which has happened", "cannot happen now"}, nil},
		{"a neutral card", start, 67, []string{"The player of the card carries out the event", "when the Democrat plays it", "when the Communist plays it"}, nil},
		{"a scoring card", start, 22, []string{"22 Poland Scoring: scoring card, neutral"}, []string{"Ops", "asterisk"}},
		{"where it lies", scene(t, engine.Communist, lay(engine.PileDiscard, 34)), 34, []string{"It is in the discard pile."}, nil},
		{"not where it is hidden", scene(t, engine.Communist, holds(engine.Democrat, 34)), 34, nil, []string{"It lies", "hand"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(about(tt.p, 0, tt.card), "\n")
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q is missing in\n%s", w, got)
				}
			}
			for _, w := range tt.not {
				if strings.Contains(got, w) {
					t.Errorf("%q stands in\n%s", w, got)
				}
			}
		})
	}
}

func about(p *engine.Position, seat rules.Seat, c engine.Card) []string {
	return dawn1989.Game().Cards(p.View(seat), rules.Name{Kind: rules.CardName, Code: int(c), Text: c.String(), Number: int(c)})
}

// TestAboutIsPublic: whoever asks, and whatever is hidden, the answer is one.
func TestAboutIsPublic(t *testing.T) {
	t.Parallel()
	for _, hide := range []func(*engine.Position){
		holds(engine.Democrat, 34, 14), holds(engine.Communist, 34, 14), lay(engine.PileAside, 34), lay(engine.PileShown, 34),
	} {
		p, plain := scene(t, engine.Communist, hide), scene(t, engine.Communist)
		for c := engine.Card(1); c < engine.Cards; c++ {
			want := about(plain, rules.NoSeat, c)
			for _, seat := range []rules.Seat{0, 1, rules.NoSeat} {
				if got := about(p, seat, c); !slices.Equal(got, want) {
					t.Errorf("seat %d is told of card %d:\n%s\nwant\n%s", seat, c, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		}
	}
}

// TestPlayable holds the conditions of events against rule 5.2 and the cards,
// those of missing events included: where a condition fails, the Ops are free.
func TestPlayable(t *testing.T) {
	t.Parallel()
	taken := func(cs ...engine.Country) func(*engine.Position) {
		return func(p *engine.Position) {
			for _, c := range cs {
				p.Power[c].Holder = engine.Democrat
			}
		}
	}
	all := taken(engine.EastGermany, engine.Poland, engine.Czechoslovakia, engine.Hungary, engine.Romania, engine.Bulgaria)
	for _, tt := range []struct {
		name string
		c    engine.Card
		side engine.Side
		put  []func(*engine.Position)
		want bool
	}{
		{"44: the Communist has Power everywhere", engine.InflationaryCurrency, engine.Communist, nil, false},
		{"44: and so the Democrat can", engine.InflationaryCurrency, engine.Democrat, nil, true},
		{"44: the Democrat has Power somewhere", engine.InflationaryCurrency, engine.Communist, []func(*engine.Position){taken(engine.Hungary)}, true},
		{"44: the Democrat has it everywhere", engine.InflationaryCurrency, engine.Democrat, []func(*engine.Position){all}, false},
		{"57: Communist Power somewhere", engine.CentralCommittee, engine.Communist, nil, true},
		{"57: Communist Power nowhere", engine.CentralCommittee, engine.Communist, []func(*engine.Position){all}, false},
		{"67: ahead", engine.ReformerRehabilitated, engine.Democrat, []func(*engine.Position){boxes(1, 0)}, true},
		{"67: level", engine.ReformerRehabilitated, engine.Democrat, []func(*engine.Position){boxes(3, 3)}, false},
		{"67: behind", engine.ReformerRehabilitated, engine.Communist, []func(*engine.Position){boxes(1, 0)}, false},
		{"89: one country", engine.DominoTheory, engine.Democrat, []func(*engine.Position){taken(engine.Poland)}, false},
		{"89: two countries", engine.DominoTheory, engine.Democrat, []func(*engine.Position){taken(engine.Poland, engine.Hungary)}, true},
		{"93: no country", engine.ShockTherapy, engine.Democrat, nil, false},
		{"93: one country", engine.ShockTherapy, engine.Democrat, []func(*engine.Position){taken(engine.Bulgaria)}, true},
		{"96: box 6", engine.ChineseSolution, engine.Communist, []func(*engine.Position){boxes(0, 6)}, false},
		{"96: box 7", engine.ChineseSolution, engine.Communist, []func(*engine.Position){boxes(8, 7)}, true},
		{"106: no country", engine.SocialDemocraticPlatform, engine.Communist, nil, false},
		{"106: one country", engine.SocialDemocraticPlatform, engine.Communist, []func(*engine.Position){taken(engine.Bulgaria)}, true},
		{"110: before Kremlin Coup!", engine.MaltaSummit, engine.Democrat, nil, true},
		{"110: after it", engine.MaltaSummit, engine.Democrat, []func(*engine.Position){happened(engine.KremlinCoup)}, false},
		{"14: after Breakaway Baltic Republics", engine.GorbachevCharmsTheWest, engine.Democrat, []func(*engine.Position){happened(engine.BreakawayRepublics)}, false},
		{"15: after Modrow", engine.Honecker, engine.Communist, []func(*engine.Position){happened(engine.Modrow)}, false},
		{"97: the Crowd was played, and waits", engine.TyrantIsGone, engine.Democrat, []func(*engine.Position){lasting(engine.CrowdTurns)}, true},
		{"107: after Laszlo Tokes", engine.MassacreInTimisoara, engine.Communist, []func(*engine.Position){happened(engine.LaszloTokes)}, true},
		{"10: after the Tyrant is gone, without effect", engine.CultOfPersonality, engine.Communist, []func(*engine.Position){refuge("Iasi")}, true},
		{"21: never by itself", engine.CommonEuropeanHome, engine.Democrat, nil, false},
	} {
		t.Run("card "+tt.name, func(t *testing.T) {
			t.Parallel()
			p := scene(t, tt.side.Enemy(), append(tt.put, holds(tt.side.Enemy(), tt.c), sp("Lodz", 1, 1))...)
			if got := p.IsEventPlayable(tt.c, tt.side); got != tt.want {
				t.Errorf("the event can take place: %v, want %v", got, tt.want)
			}
			// In the enemy's hand the Ops are free of it when it cannot.
			if tt.c.Info().Side == tt.side {
				if got := offers(p, engine.PlayAtom(tt.c, engine.PlayOps)); got == tt.want {
					t.Errorf("the Ops are free of the event: %v", got)
				}
			}
		})
	}
}

// TestFewCards holds draws with few cards against rule 4.3 and ruling 5.
func TestFewCards(t *testing.T) {
	t.Parallel()
	bare := func(deck []engine.Card, discard ...engine.Card) func(*engine.Position) {
		return func(p *engine.Position) {
			for _, pile := range []engine.Pile{engine.PileDeck, engine.PileDiscard} {
				lay(engine.PileRemoved, p.Piles[pile].List()...)(p)
			}
			lay(engine.PileDeck, deck...)(p)
			lay(engine.PileDiscard, discard...)(p)
		}
	}
	box3 := func(t *testing.T, put func(*engine.Position), chance ...any) *engine.Position {
		t.Helper()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 2), put)
		return carry(t, p, append([]any{6}, chance...), "PLAY 14 OPS TIANANMEN")
	}
	t.Run("box 3 in a reshuffle: the card being played is not in it (ruling 4)", func(t *testing.T) {
		t.Parallel()
		p := box3(t, bare([]engine.Card{35}, 12, 39), engine.Card(35), engine.Card(12), engine.Card(39))
		mustAsk(t, p, engine.AskTake, engine.Communist)
		p = carry(t, p, nil, "TAKE 12")
		lies(t, p, 35, engine.PileDiscard)
		lies(t, p, 14, engine.PileDiscard)
		if !p.Piles[engine.PileDeck].IsEmpty() {
			t.Error("the deck is not empty")
		}
	})
	t.Run("box 3 with two cards: one is kept of two", func(t *testing.T) {
		t.Parallel()
		p := box3(t, bare([]engine.Card{35, 12}), engine.Card(35), engine.Card(12))
		mustAsk(t, p, engine.AskTake, engine.Communist)
		lies(t, carry(t, p, nil, "TAKE 35"), 12, engine.PileDiscard)
	})
	t.Run("box 3 with no card: nothing", func(t *testing.T) {
		t.Parallel()
		mustAsk(t, box3(t, bare(nil)), engine.AskRound, engine.Democrat)
	})
	t.Run("box 3: the choice is the player's secret, the two discards are not", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 2), bare([]engine.Card{35, 12, 39, 40}))
		p = carry(t, p, []any{6, engine.Card(35), engine.Card(12), engine.Card(39)}, "PLAY 14 OPS TIANANMEN")
		d := p.OpenDecisions(nil)[0]
		if !d.Private {
			t.Error("the answer is not private")
		}
		events, err := p.Apply(d.ID, engine.NewAtom(engine.VerbTake, 0, 35), &script{t, nil}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Audience.Has(p.SeatOfSide[engine.Democrat]) && e.Kind == engine.EvKept && e.Args[1] != 0 {
				t.Error("the Democrat is told of the card that was kept")
			}
			if e.Kind == engine.EvDiscarded && e.Audience != rules.Everyone {
				t.Error("the discards are not public")
			}
		}
	})
	t.Run("a deal that runs out stops, and the match goes on", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, bare([]engine.Card{35, 12, 39}), lay(engine.PileRemoved, 30)))
		// 29, just discarded, comes back with the reshuffle.
		x := engine.Run{Chance: newDice(5)}
		if err := p.Advance(&x); err != nil {
			t.Fatal(err)
		}
		mustAsk(t, p, engine.AskRound, engine.Communist)
		if c, d := p.Piles[engine.PileCommunist].Len(), p.Piles[engine.PileDemocrat].Len(); c != 2 || d != 2 {
			t.Errorf("the hands have %d and %d cards, want 2 and 2", c, d)
		}
	})
	t.Run("rule 4.4: discards stay discards when a period begins", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, bare(nil, 8), turn(3)))
		if p.Turn != 4 || p.Piles[engine.PileDeck].Has(8) || !p.Piles[engine.PileDiscard].Has(8) || p.Piles[engine.PileDeck].Len() != 41 {
			t.Errorf("turn %d, the deck has %d cards", p.Turn, p.Piles[engine.PileDeck].Len())
		}
	})
}
