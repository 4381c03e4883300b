package engine

import (
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"
)

//go:embed data/*.csv
var data embed.FS

// Colour is Monarchist or Republican: the colour of a ballot, a reform or a minister.
type Colour uint8

// The colours. NoColour stands for a reform without a minister.
const (
	NoColour Colour = iota
	Monarchist
	Republican
)

// String returns the name in stored positions.
func (c Colour) String() string { return [...]string{"", "monarchist", "republican"}[c] }

// Other returns the opposite colour.
func (c Colour) Other() Colour { return Monarchist + Republican - c }

// Reform is a reform of the Assembly.
type Reform uint8

// The reforms, in the order of the Assembly.
const (
	Economical Reform = iota
	Social
	Political
	Reforms
)

// String returns the name in stored positions.
func (r Reform) String() string { return [...]string{"economical", "social", "political"}[r] }

// Crisis is a crisis card, 1 to 12.
type Crisis uint8

// Space is a space of the board: 1 to 6 on the Right Bank, 7 to 12 on the Left Bank, west to east (ruling 2).
type Space uint8

// Unit is a place on the board that the Chairman takes, 1 to 18: a seat between two crises, or a connected pair of seats
// (rule 5.1). Here a seat is no rules.Seat.
type Unit uint8

// Sizes of arrays indexed by Crisis, Space and Unit; index 0 is unused.
const (
	Crises = 13
	Spaces = 13
	Units  = 19
)

// MinSeats and MaxSeats are the smallest and the largest number of players.
const (
	MinSeats = 4
	MaxSeats = 12
)

// crisisCard is a crisis card as printed. reform is indexed by the colour that wins the vote.
type crisisCard struct {
	id, name string
	reform   [3]Reform
}

// unitData describes a unit between the spaces a and b, a < b.
type unitData struct {
	name string
	a, b Space
	pair bool
}

var (
	crises      [Crises]crisisCard
	units       [Units]unitData
	unitsAround [Spaces][3]Unit
	citizens    [MaxSeats]struct{ id, name string }
)

// Name returns the printed name.
func (c Crisis) Name() string { return crises[c].name }

// String returns the name in stored positions.
func (c Crisis) String() string { return crises[c].id }

// Reform returns the reform that gets a minister if a colour wins the vote on the card.
func (c Crisis) Reform(of Colour) Reform { return crises[c].reform[of] }

// String names the unit by its two spaces: "1-2".
func (u Unit) String() string { return units[u].name }

// Spaces returns the two spaces that the unit touches, the lower first.
func (u Unit) Spaces() (Space, Space) { return units[u].a, units[u].b }

// IsPair reports whether the unit is a connected pair of seats, with a token on each.
func (u Unit) IsPair() bool { return units[u].pair }

// UnitsAround returns the three units at a space, in ascending order.
func UnitsAround(s Space) [3]Unit { return unitsAround[s] }

// CitizenKey returns the name of a seat's citizen in records.
func CitizenKey(seat int) string { return citizens[seat].id }

// CitizenName returns the printed name of a seat's citizen.
func CitizenName(seat int) string { return citizens[seat].name }

func init() {
	letters := map[string]Reform{"E": Economical, "S": Social, "P": Political}
	for i, row := range readTable("crises") {
		crises[i+1] = crisisCard{row[0], row[1], [...]Reform{Monarchist: letters[row[2]], Republican: letters[row[3]]}}
	}
	var at [Spaces]int
	for i, row := range readTable("units") {
		u := unitData{row[0], parseSpace(row[1]), parseSpace(row[2]), row[3] == "pair"}
		units[i+1] = u
		for _, s := range [...]Space{u.a, u.b} {
			unitsAround[s][at[s]] = Unit(i + 1)
			at[s]++
		}
	}
	for i, row := range readTable("citizens") {
		citizens[i].id, citizens[i].name = row[0], row[1]
	}
	for i, row := range readTable("objectives") {
		objectives[i+1] = parseObjective(row)
	}
}

// readTable returns the lines of data/NAME.csv below its heading. It panics on errors, because the file is part of the
// program.
func readTable(name string) [][]string {
	f, err := data.Open("data/" + name + ".csv")
	if err == nil {
		var all [][]string
		if all, err = csv.NewReader(f).ReadAll(); err == nil {
			return all[1:]
		}
	}
	panic(fmt.Errorf("read data/%s.csv: %w", name, err))
}

func parseSpace(text string) Space {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Errorf("parse space %q: %w", text, err))
	}
	return Space(n)
}

// Faction is the faction of an objective card (rule 4).
type Faction uint8

// The factions. Monarchists and Republicans have the numbers of their colours.
const (
	NoFaction Faction = iota
	Monarchists
	Republicans
	Bonapartes
)

// String returns the name in stored positions.
func (f Faction) String() string {
	return [...]string{"", "monarchists", "republicans", "bonapartes"}[f]
}

// Colour returns the colour of a faction's revolution tokens; the Bonapartes have none.
func (f Faction) Colour() Colour {
	if f == Bonapartes {
		return NoColour
	}
	return Colour(f)
}

// Objective is an objective card, 1 to 14; 0 is a hidden card.
type Objective uint8

// Objectives is the size of arrays indexed by Objective.
const Objectives = 15

// The faction leaders: the first two cards.
const (
	LouisXVI Objective = 1 + iota
	Robespierre
	firstNonLeader
)

type objectiveCard struct {
	id, name string
	faction  Faction
	wants    [Reforms]Colour // the wanted ministers; NoColour allows any
}

var objectives [Objectives]objectiveCard

// Name returns the printed name.
func (o Objective) Name() string { return objectives[o].name }

// String returns the name in stored positions.
func (o Objective) String() string { return objectives[o].id }

// Faction returns the faction of the card.
func (o Objective) Faction() Faction { return objectives[o].faction }

// IsLeader reports whether the card is a faction leader.
func (o Objective) IsLeader() bool { return o == LouisXVI || o == Robespierre }

// WantedColour returns the colour that the card wants for the minister of a reform, or NoColour.
func (o Objective) WantedColour(r Reform) Colour { return objectives[o].wants[r] }

// IsMet reports whether every reform that the card wants has a minister of the wanted colour (rule 6).
func (o Objective) IsMet(ministers [Reforms]Colour) bool {
	for r, c := range objectives[o].wants {
		if c != NoColour && ministers[r] != c {
			return false
		}
	}
	return true
}

func parseObjective(row []string) objectiveCard {
	factions := map[string]Faction{"M": Monarchists, "R": Republicans, "B": Bonapartes}
	o := objectiveCard{id: row[0], name: row[1], faction: factions[row[2]]}
	for r := range o.wants {
		o.wants[r] = map[string]Colour{"M": Monarchist, "R": Republican, "-": NoColour}[row[4+r]]
	}
	return o
}
