package engine_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// TestBoard holds the map against the lists that rules and cards give of it.
func TestBoard(t *testing.T) {
	t.Parallel()
	t.Run("rule 2.1.6: lines run both ways, and no space is its own neighbour", func(t *testing.T) {
		t.Parallel()
		lines := 0
		for s := engine.Space(1); s < engine.Spaces; s++ {
			if engine.Adjacent[s].Has(s) || engine.Adjacent[s].IsEmpty() {
				t.Errorf("%v is its own neighbour, or has none", s)
			}
			for n := engine.Adjacent[s]; !n.IsEmpty(); lines++ {
				if o := n.Next(); !engine.Adjacent[o].Has(s) {
					t.Errorf("%v leads to %v and not back", s, o)
				}
			}
		}
		if lines != 2*104 {
			t.Errorf("there are %d ends of lines, want twice 104", lines)
		}
	})
	t.Run("the borders that can be crossed", func(t *testing.T) {
		t.Parallel()
		var got []string
		for s := engine.Space(1); s < engine.Spaces; s++ {
			for n := engine.Adjacent[s]; !n.IsEmpty(); {
				if o := n.Next(); o > s && o.Info().Country != s.Info().Country {
					got = append(got, s.String()+" - "+o.String())
				}
			}
		}
		for _, want := range []string{"Dresden - Wroclaw", "Dresden - Plzen", "Szeged - Timisoara", "Constanta - Varna"} {
			if !slices.Contains(got, want) {
				t.Errorf("%s is no line; the borders are %v", want, got)
			}
		}
	})
	t.Run("rule 2.1.5: battlegrounds, as the scoring cards list them", func(t *testing.T) {
		t.Parallel()
		for c, names := range map[engine.Country]string{
			engine.EastGermany: "Berlin, East German Lutheran Church, Magdeburg, Leipzig, Karl-Marx-Stadt, Dresden",
			engine.Poland:      "Gdansk, Poznan, Warszawa, Wroclaw, Lodz, Krakow", engine.Hungary: "Miskolc, Debrecen, Budapest, Szeged",
			engine.Czechoslovakia: "Praha, Charles University, Czech Writers, Brno, Ostrava, Bratislava",
			engine.Romania:        "Timisoara, Cluj-Napoca, Iasi, Brasov, Bucuresti, Galati", engine.Bulgaria: "Ruse, Sofia, Burgas, Varna, Plovdiv",
		} {
			want := engine.SpacesNamed(strings.Split(names, ", ")...)
			if got := engine.Battlegrounds.And(engine.InCountry[c]); got != want {
				t.Errorf("%v: battlegrounds %v, want %v", c, got.Names(), names)
			}
		}
	})
	t.Run("rule 2.1.3: the types that cards name", func(t *testing.T) {
		t.Parallel()
		for k, names := range map[engine.SpaceType]string{
			engine.Bureaucrat: "Berlin, Warszawa, Praha, Budapest, Bucuresti, Sofia",
			engine.Elite:      "Dresden, Bydgoszcz, Plzen, Szombathely, Cluj-Napoca, Stara Zagora",
			engine.Student: "Walter Ulbricht Academy, Jagiellonian University, Charles University, Eotvos Lorand University, " +
				"Babes-Bolyai University, Sofia University",
			engine.Intellectual: "German Writers, Polish Writers, Czech Writers, Hungarian Writers, Romanian Writers, Bulgarian Writers",
			engine.Church: "East German Lutheran Church, Polish Catholic Church, Czech Catholic Church, Hungarian Catholic Church, " +
				"Romanian Orthodox Church, Bulgarian Orthodox Church",
			engine.Farmer:   "Erfurt, Bialystok, Lublin, Presov, Kosice, Szeged, Pecs, Targu Mures, Craiova, Pleven, Sliven",
			engine.Minority: "Harghita/Covasna, Razgrad",
		} {
			want := engine.SpacesNamed(strings.Split(names, ", ")...)
			if got := engine.OfKind[k]; got != want {
				t.Errorf("%v: %v, want %v", k, got.Names(), names)
			}
		}
		if n := engine.OfKind[engine.Worker].Len(); n != 75-6-6-6-6-6-11-2 {
			t.Errorf("%d worker spaces", n)
		}
	})
	t.Run("stability follows the type, but for the churches", func(t *testing.T) {
		t.Parallel()
		want := map[engine.SpaceType]int{engine.Elite: 4, engine.Bureaucrat: 3, engine.Farmer: 4, engine.Worker: 3, engine.Intellectual: 2, engine.Student: 1, engine.Church: 5, engine.Minority: 4}
		for s := engine.Space(1); s < engine.Spaces; s++ {
			n := want[s.Info().Type]
			if s.Info().Type == engine.Church && s.Info().Country.Balkan() {
				n = 3
			}
			if s.Info().Stability != n {
				t.Errorf("%v has stability %d, want %d", s, s.Info().Stability, n)
			}
		}
	})
	t.Run("rule 2.1.7: control is a lead of the stability", func(t *testing.T) {
		t.Parallel()
		// The printed examples: Dresden, stability 4.
		for _, tt := range []struct {
			dem, com int
			want     engine.Side
		}{{0, 3, engine.Neutral}, {0, 4, engine.Communist}, {5, 2, engine.Neutral}, {6, 2, engine.Democrat}, {3, 3, engine.Neutral}} {
			p := engine.NewPosition()
			sp("Dresden", tt.dem, tt.com)(p)
			got := engine.Neutral
			for s := engine.Democrat; s <= engine.Communist; s++ {
				if p.Controlled[s].Has(engine.FindSpace("Dresden")) {
					got = s
				}
			}
			if got != tt.want {
				t.Errorf("%d to %d: %v controls, want %v", tt.dem, tt.com, got, tt.want)
			}
		}
	})
}

// TestDecks holds both decks against rules 2.2 and 2.3.
func TestDecks(t *testing.T) {
	t.Parallel()
	t.Run("rule 2.2.1: 110 cards in three periods", func(t *testing.T) {
		t.Parallel()
		for period, want := range map[engine.Period][2]engine.Card{engine.Early: {1, 40}, engine.Middle: {41, 81}, engine.Late: {82, 110}} {
			for c := engine.Card(1); c < engine.Cards; c++ {
				if got := engine.InPeriod[period].Has(c); got != (c >= want[0] && c <= want[1]) {
					t.Errorf("card %d among the %v cards: %v", c, engine.PeriodNames[period], got)
				}
			}
		}
	})
	t.Run("rule 2.2: what is printed", func(t *testing.T) {
		t.Parallel()
		plain := []engine.Card{6, 8, 11, 14, 17, 21, 22, 23, 27, 28, 31, 42, 43, 55, 78, 95}
		red := []engine.Card{2, 24, 26, 33, 54, 73, 81, 84}
		silver := []engine.Card{8, 14, 21, 22, 23, 42, 43, 44, 55, 67, 78, 85, 95, 100}
		for c := engine.Card(1); c < engine.Cards; c++ {
			info := c.Info()
			if info.Asterisk == slices.Contains(plain, c) || info.Red != slices.Contains(red, c) || (info.Side == engine.Neutral) != slices.Contains(silver, c) {
				t.Errorf("card %d, %v: asterisk %v, red %v, side %v", c, c, info.Asterisk, info.Red, info.Side)
			}
			if scoring := engine.ScoringCards.Has(c); scoring != (info.Ops == 0) || scoring != (info.Scoring != engine.NoCountry) {
				t.Errorf("card %d, %v: Ops %d, scoring %v", c, c, info.Ops, info.Scoring)
			}
		}
	})
	t.Run("rule 7.2: the effects that end with the turn", func(t *testing.T) {
		t.Parallel()
		for _, c := range []engine.Card{engine.Prudence, engine.Stasi, engine.Perestroika, engine.SinatraDoctrine, engine.Genscher, engine.FRGEmbassies, engine.DebtBurden, engine.AustriaHungaryBorder, engine.Grenztruppen, engine.StandFast, engine.Elena} {
			if !engine.LastsForTurn.Has(c) {
				t.Errorf("card %d, %v, does not end with the turn", c, c)
			}
		}
		for _, c := range []engine.Card{engine.SolidarityLegalized, engine.GeneralStrike, engine.TheWall, engine.RoundtableTalks, engine.HelsinkiFinalAct, engine.TearGas, engine.Sajudis, engine.EcoGlasnost,
			engine.WeAreThePeople, engine.LiPeng, engine.CrowdTurns, engine.Yakovlev, engine.PresidentialVisit, engine.Securitate, engine.PeasantPartiesRevolt, engine.TyrantIsGone, engine.Ligachev, engine.NationalSalvationFront} {
			if engine.LastsForTurn.Has(c) {
				t.Errorf("card %d, %v, ends with the turn", c, c)
			}
		}
	})
	t.Run("rule 2.3: 52 power struggle cards", func(t *testing.T) {
		t.Parallel()
		want := map[string][2]int{ // copies, rank
			"Rally": {6, 1}, "Strike-3": {4, 3}, "Strike-4": {4, 4}, "Strike-5": {2, 5}, "Strike-6": {2, 6},
			"March-3": {4, 3}, "March-4": {4, 4}, "March-5": {2, 5}, "March-6": {2, 6}, "Petition-5": {3, 5}, "Petition-6": {3, 6},
			"Intellectual Leader": {4, 3}, "Elite Leader": {4, 3}, "Worker Leader": {2, 3}, "Student Leader": {1, 3}, "Church Leader": {1, 3},
			"Support Falters": {1, 0}, "Support Surges": {1, 0}, "Scare Tactics": {1, 0}, "Tactic Fails": {1, 0},
		}
		total := 0
		for k := range engine.StruggleCard(engine.StruggleKinds) {
			got := [2]int{k.Info().Copies, k.Info().Rank}
			if got != want[k.String()] || int(engine.WholeStruggleDeck[k]) != got[0] {
				t.Errorf("%v: copies and rank %v, want %v", k, got, want[k.String()])
			}
			total += got[0]
		}
		if total != 52 {
			t.Errorf("%d cards", total)
		}
	})
}

func TestElements(t *testing.T) {
	t.Parallel()
	if got := (engine.Rules{}).Element(engine.DrawStrategy, 27); got != 27 {
		t.Errorf("got %v, want the number 27", got)
	}
	if got := (engine.Rules{}).Element(engine.DrawStruggle, int16(engine.TacticFails)); got != "Tactic Fails" {
		t.Errorf("got %v, want the name of the card", got)
	}
}

// edited is a stored position after the deal with one member changed.
func edited(t *testing.T, change func(m map[string]any)) []byte {
	t.Helper()
	data, err := json.Marshal(begin(t, newDice(1)))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	change(m)
	if data, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	return data
}

// TestDecode: what is not a position is refused, and says why.
func TestDecode(t *testing.T) {
	t.Parallel()
	in := func(m map[string]any, keys ...string) map[string]any {
		for _, k := range keys {
			m = m[k].(map[string]any)
		}
		return m
	}
	for name, tt := range map[string]struct {
		change func(m map[string]any)
		says   string
	}{
		"an unknown member":          {func(m map[string]any) { m["colour"] = "red" }, "colour"},
		"an unknown space":           {func(m map[string]any) { in(m, "support")["Vienna"] = map[string]any{"democrat": 1} }, "Vienna"},
		"negative support":           {func(m map[string]any) { in(m, "support")["Lodz"] = map[string]any{"democrat": -1} }, "Lodz"},
		"too much support":           {func(m map[string]any) { in(m, "support")["Lodz"] = map[string]any{"communist": 70000} }, "Lodz"},
		"a card twice":               {func(m map[string]any) { m["discard"] = []int{8}; m["removed"] = []int{8} }, "missing or in two piles"},
		"card 111":                   {func(m map[string]any) { m["discard"] = []int{111} }, "111"},
		"an unknown phase":           {func(m map[string]any) { m["phase"] = "tea" }, "tea"},
		"a phase for both":           {func(m map[string]any) { m["phasing"] = "neutral" }, "neutral"},
		"box 9":                      {func(m map[string]any) { in(m, "tiananmen")["democrat"] = 9 }, "tiananmen"},
		"box -1":                     {func(m map[string]any) { in(m, "tiananmen")["communist"] = -1 }, "tiananmen"},
		"turn 0":                     {func(m map[string]any) { m["turn"] = 0 }, "turn"},
		"turn 11":                    {func(m map[string]any) { m["turn"] = 11 }, "turn"},
		"attempts of nobody":         {func(m map[string]any) { m["attempts"] = map[string]any{"neutral": map[string]any{"failed": true}} }, "neutral"},
		"Stand Fast of nobody":       {func(m map[string]any) { in(m, "effects")["stand_fast"] = "neutral" }, "neutral"},
		"no procedure":               {func(m map[string]any) { m["stack"] = []any{} }, "stack"},
		"an unknown step":            {func(m map[string]any) { m["stack"].([]any)[0].(map[string]any)["step"] = "nap" }, "nap"},
		"two questions":              {func(m map[string]any) { m["pending"] = append(m["pending"].([]any), m["pending"].([]any)...) }, "pending"},
		"a question to nobody":       {func(m map[string]any) { m["pending"].([]any)[0].(map[string]any)["seat"] = "neutral" }, "neutral"},
		"Power of nobody":            {func(m map[string]any) { in(m, "power", "Poland")["held_by"] = "neutral" }, "neutral"},
		"Power in no country":        {func(m map[string]any) { in(m, "power")["Austria"] = map[string]any{"held_by": "democrat"} }, "Austria"},
		"a result that is no end":    {func(m map[string]any) { m["result"] = map[string]any{"winner": "draw", "ending": "boredom"} }, "boredom"},
		"an unknown struggle card":   {func(m map[string]any) { m["struggle"] = structFor("Poland", "Ace of Spades") }, "Ace of Spades"},
		"an unknown box of the USSR": {func(m map[string]any) { m["ussr"] = "Perestroika" }, "Perestroika"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := dawn1989.Game().Decode(edited(t, tt.change))
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("the error is %v, want one that says %q", err, tt.says)
			}
		})
	}
	t.Run("unchanged it is read", func(t *testing.T) {
		t.Parallel()
		if _, err := dawn1989.Game().Decode(edited(t, func(map[string]any) {})); err != nil {
			t.Error(err)
		}
	})
	t.Run("a question that no procedure asks has no options", func(t *testing.T) {
		t.Parallel()
		for _, card := range []int{1, 22, 5} {
			pos, err := dawn1989.Game().Decode(edited(t, func(m map[string]any) {
				m["stack"] = append(m["stack"].([]any), map[string]any{"proc": "event", "step": "end", "card": card, "side": "democrat"})
			}))
			if err != nil {
				continue
			}
			if got := pos.(*engine.Position).LegalAtoms(nil); len(got) != 0 {
				t.Errorf("card %d: %x", card, got)
			}
		}
	})
}

// structFor is a struggle with one card in a hand.
func structFor(country, card string) map[string]any {
	return map[string]any{"country": country, "player": "democrat", "attacker": "democrat", "banned": []string{}, "deck": []string{},
		"hands": map[string]any{"democrat": []string{card}, "communist": []string{}}}
}
