package dawn1989

import (
	"slices"
	"strings"
	"testing"
)

// TestBoard holds the map against the lists that rules and cards give of it.
func TestBoard(t *testing.T) {
	t.Parallel()
	t.Run("rule 2.1.6: lines run both ways, and no space is its own neighbour", func(t *testing.T) {
		t.Parallel()
		lines := 0
		for s := Space(1); s < spaces; s++ {
			if adjacent[s].has(s) || adjacent[s].empty() {
				t.Errorf("%v is its own neighbour, or has none", s)
			}
			for n := adjacent[s]; !n.empty(); lines++ {
				if o := n.next(); !adjacent[o].has(s) {
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
		for s := Space(1); s < spaces; s++ {
			for n := adjacent[s]; !n.empty(); {
				if o := n.next(); o > s && o.Info().Country != s.Info().Country {
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
		for c, names := range map[Country]string{
			EastGermany: "Berlin, East German Lutheran Church, Magdeburg, Leipzig, Karl-Marx-Stadt, Dresden",
			Poland:      "Gdansk, Poznan, Warszawa, Wroclaw, Lodz, Krakow", Hungary: "Miskolc, Debrecen, Budapest, Szeged",
			Czechoslovakia: "Praha, Charles University, Czech Writers, Brno, Ostrava, Bratislava",
			Romania:        "Timisoara, Cluj-Napoca, Iasi, Brasov, Bucuresti, Galati", Bulgaria: "Ruse, Sofia, Burgas, Varna, Plovdiv",
		} {
			want := spacesNamed(strings.Split(names, ", ")...)
			if got := battlegrounds.and(inCountry[c]); got != want {
				t.Errorf("%v: battlegrounds %v, want %v", c, spaceNames(got), names)
			}
		}
	})
	t.Run("rule 2.1.3: the types that cards name", func(t *testing.T) {
		t.Parallel()
		for k, names := range map[Kind]string{
			Bureaucrat: "Berlin, Warszawa, Praha, Budapest, Bucuresti, Sofia",
			Elite:      "Dresden, Bydgoszcz, Plzen, Szombathely, Cluj-Napoca, Stara Zagora",
			Student: "Walter Ulbricht Academy, Jagiellonian University, Charles University, Eotvos Lorand University, " +
				"Babes-Bolyai University, Sofia University",
			Intellectual: "German Writers, Polish Writers, Czech Writers, Hungarian Writers, Romanian Writers, Bulgarian Writers",
			Church: "East German Lutheran Church, Polish Catholic Church, Czech Catholic Church, Hungarian Catholic Church, " +
				"Romanian Orthodox Church, Bulgarian Orthodox Church",
			Farmer:   "Erfurt, Bialystok, Lublin, Presov, Kosice, Szeged, Pecs, Targu Mures, Craiova, Pleven, Sliven",
			Minority: "Harghita/Covasna, Razgrad",
		} {
			want := spacesNamed(strings.Split(names, ", ")...)
			if got := ofKind[k]; got != want {
				t.Errorf("%v: %v, want %v", k, spaceNames(got), names)
			}
		}
		if n := ofKind[Worker].len(); n != 75-6-6-6-6-6-11-2 {
			t.Errorf("%d worker spaces", n)
		}
	})
	t.Run("stability follows the type, but for the churches", func(t *testing.T) {
		t.Parallel()
		want := map[Kind]int{Elite: 4, Bureaucrat: 3, Farmer: 4, Worker: 3, Intellectual: 2, Student: 1, Church: 5, Minority: 4}
		for s := Space(1); s < spaces; s++ {
			n := want[s.Info().Kind]
			if s.Info().Kind == Church && s.Info().Country.balkan() {
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
			want     Side
		}{{0, 3, Neutral}, {0, 4, Communist}, {5, 2, Neutral}, {6, 2, Democrat}, {3, 3, Neutral}} {
			p := newPosition()
			sp("Dresden", tt.dem, tt.com)(p)
			got := Neutral
			for s := Democrat; s <= Communist; s++ {
				if p.controls[s].has(space("Dresden")) {
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
		for period, want := range map[Period][2]Card{Early: {1, 40}, Middle: {41, 81}, Late: {82, 110}} {
			for c := Card(1); c < cards; c++ {
				if got := inPeriod[period].has(c); got != (c >= want[0] && c <= want[1]) {
					t.Errorf("card %d among the %v cards: %v", c, periodNames[period], got)
				}
			}
		}
	})
	t.Run("rule 2.2: what is printed", func(t *testing.T) {
		t.Parallel()
		plain := []Card{6, 8, 11, 14, 17, 21, 22, 23, 27, 28, 31, 42, 43, 55, 78, 95}
		red := []Card{2, 24, 26, 33, 54, 73, 81, 84}
		silver := []Card{8, 14, 21, 22, 23, 42, 43, 44, 55, 67, 78, 85, 95, 100}
		for c := Card(1); c < cards; c++ {
			info := c.Info()
			if info.Asterisk == slices.Contains(plain, c) || info.Red != slices.Contains(red, c) || (info.Side == Neutral) != slices.Contains(silver, c) {
				t.Errorf("card %d, %v: asterisk %v, red %v, side %v", c, c, info.Asterisk, info.Red, info.Side)
			}
			if scoring := scoringCards.has(c); scoring != (info.Ops == 0) || scoring != (info.Scoring != NoCountry) {
				t.Errorf("card %d, %v: Ops %d, scoring %v", c, c, info.Ops, info.Scoring)
			}
		}
	})
	t.Run("rule 7.2: the effects that end with the turn", func(t *testing.T) {
		t.Parallel()
		for _, c := range []Card{Prudence, Stasi, Perestroika, SinatraDoctrine, Genscher, FRGEmbassies, DebtBurden, AustriaHungaryBorder, Grenztruppen, StandFast, Elena} {
			if !lastsForTurn.has(c) {
				t.Errorf("card %d, %v, does not end with the turn", c, c)
			}
		}
		for _, c := range []Card{SolidarityLegalized, GeneralStrike, TheWall, RoundtableTalks, HelsinkiFinalAct, TearGas, Sajudis, EcoGlasnost,
			WeAreThePeople, LiPeng, CrowdTurns, Yakovlev, PresidentialVisit, Securitate, PeasantPartiesRevolt, TyrantIsGone, Ligachev, NationalSalvationFront} {
			if lastsForTurn.has(c) {
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
		for k := range StruggleCard(struggleKinds) {
			got := [2]int{k.Info().Copies, k.Info().Rank}
			if got != want[k.String()] || int(wholeStruggleDeck[k]) != got[0] {
				t.Errorf("%v: copies and rank %v, want %v", k, got, want[k.String()])
			}
			total += got[0]
		}
		if total != 52 {
			t.Errorf("%d cards", total)
		}
	})
}
