package engine

// Faction is what an objective card belongs to (rule 4).
type Faction uint8

// The factions. The first two are numbered as their colours.
const (
	NoFaction Faction = iota
	Monarchists
	Republicans
	Bonapartes
)

// String is the faction as a position writes it.
func (f Faction) String() string {
	return [...]string{"", "monarchists", "republicans", "bonapartes"}[f]
}

// Colour is the colour of a faction's revolution tokens; the Bonapartes have none.
func (f Faction) Colour() Colour {
	if f == Bonapartes {
		return NoColour
	}
	return Colour(f)
}

// Objective is one of the fourteen objective cards, counted from 1; 0 is one that is not
// known.
type Objective uint8

// Objectives is one more than the number of objective cards.
const Objectives = 15

// The faction leaders: the first two cards.
const (
	LouisXVI Objective = 1 + iota
	Robespierre
	others
)

type objective struct {
	id, name string
	faction  Faction
	wants    [Reforms]Colour
}

var objectives [Objectives]objective

// Name is the objective as its card names it.
func (o Objective) Name() string { return objectives[o].name }

// String is the objective as a position writes it.
func (o Objective) String() string { return objectives[o].id }

// Faction is the faction of the card.
func (o Objective) Faction() Faction { return objectives[o].faction }

// Leader reports whether the card is that of a faction leader.
func (o Objective) Leader() bool { return o == LouisXVI || o == Robespierre }

// Wants is the colour that the card wants for a reform, or NoColour.
func (o Objective) Wants(r Reform) Colour { return objectives[o].wants[r] }

// Met reports whether all that the card wants is so (rule 6). An empty reform satisfies
// nobody.
func (o Objective) Met(ministers [Reforms]Colour) bool {
	for r, c := range objectives[o].wants {
		if c != NoColour && ministers[r] != c {
			return false
		}
	}
	return true
}

func readObjective(row []string) objective {
	factions := map[string]Faction{"M": Monarchists, "R": Republicans, "B": Bonapartes}
	o := objective{id: row[0], name: row[1], faction: factions[row[2]]}
	for r := range o.wants {
		o.wants[r] = map[string]Colour{"M": Monarchist, "R": Republican, "-": NoColour}[row[4+r]]
	}
	return o
}
