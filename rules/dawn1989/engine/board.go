package engine

import (
	"embed"
	"encoding/csv"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
)

//go:embed data/*.csv
var data embed.FS

// Side is the Democrat or the Communist. Neutral stands for neither, for example for cards of both sides.
type Side int8

// The sides.
const (
	Democrat Side = iota
	Communist
	Neutral
)

var sideNames = [...]string{"democrat", "communist", "neutral"}

func (s Side) String() string { return sideNames[s] }

// Enemy returns the other side.
func (s Side) Enemy() Side { return 1 - s }

// Sign returns +1 for the Democrat and -1 for the Communist, because positive VP are good for the Democrat.
func (s Side) Sign() int { return 1 - 2*int(s) }

// Country is a country on the map (rule 2.1.1).
type Country uint8

// The countries, in the order of the tables in the rulebook. NoCountry means that no country is meant, and Countries
// is their number plus 1.
const (
	NoCountry Country = iota
	EastGermany
	Poland
	Czechoslovakia
	Hungary
	Romania
	Bulgaria
	Countries
)

var countryNames = [...]string{"", "East Germany", "Poland", "Czechoslovakia", "Hungary", "Romania", "Bulgaria"}

func (c Country) String() string { return countryNames[c] }

func (c Country) isBalkan() bool { return c == Romania || c == Bulgaria }

// SpaceType is the socio-economic type of a space (rule 2.1.3).
type SpaceType uint8

// The types of spaces.
const (
	Elite SpaceType = iota
	Bureaucrat
	Farmer
	Worker
	Intellectual
	Student
	Church
	Minority
	SpaceTypes
)

var spaceTypeNames = [...]string{"elite", "bureaucrat", "farmer", "worker", "intellectual", "student", "church", "minority"}

func (k SpaceType) String() string { return spaceTypeNames[k] }

// Space is a space of the map, numbered from 1; 0 is no space.
type Space uint8

// Spaces is one more than the highest number of a space.
const Spaces = 76

// SpaceInfo is a space as printed on the map.
type SpaceInfo struct {
	// Name is the name in ASCII, Display the local spelling, for example "Lodz" and "Łódź".
	Name, Display string
	Country       Country
	Type          SpaceType
	Stability     int
	Battleground  bool
	// Setup has the support points of each side at the start (rules 3.2, 3.3).
	Setup [2]int
}

// Info returns the printed facts of the space.
func (s Space) Info() *SpaceInfo { return &spaceInfos[s] }

func (s Space) String() string { return spaceInfos[s].Name }

// Set is a bit set of spaces or of strategy cards, for example the cards of a pile. The outcome of a draw is an index
// in the list of the pile's cards in ascending order.
type Set[T element] [2]uint64

type element interface {
	Space | Card
	String() string
}

// Sets of spaces and of cards.
type (
	SpaceSet = Set[Space]
	CardSet  = Set[Card]
)

// Add adds an element.
func (s *Set[T]) Add(e T) { s[e>>6] |= 1 << (e & 63) }

func (s *Set[T]) remove(e T) { s[e>>6] &^= 1 << (e & 63) }

// Has reports whether an element is in the set.
func (s Set[T]) Has(e T) bool { return s[e>>6]>>(e&63)&1 != 0 }

// And returns the elements in both sets.
func (s Set[T]) And(b Set[T]) Set[T] { return Set[T]{s[0] & b[0], s[1] & b[1]} }

// Or returns the elements in either set.
func (s Set[T]) Or(b Set[T]) Set[T] { return Set[T]{s[0] | b[0], s[1] | b[1]} }

// Minus returns the elements of s that are not in b.
func (s Set[T]) Minus(b Set[T]) Set[T] { return Set[T]{s[0] &^ b[0], s[1] &^ b[1]} }

// Len counts the elements.
func (s Set[T]) Len() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// IsEmpty reports whether the set has no elements.
func (s Set[T]) IsEmpty() bool { return s[0]|s[1] == 0 }

// Next removes the smallest element from the set and returns it, or 0 if the set is empty.
func (s *Set[T]) Next() T {
	for i := range s {
		if s[i] != 0 {
			n := bits.TrailingZeros64(s[i])
			s[i] &= s[i] - 1
			return T(i*64 + n)
		}
	}
	return 0
}

func (s Set[T]) filter(keep func(T) bool) (out Set[T]) {
	for e := s.Next(); e != 0; e = s.Next() {
		if keep(e) {
			out.Add(e)
		}
	}
	return out
}

// List returns the elements in ascending order.
func (s Set[T]) List() []T {
	var out []T
	for e := s.Next(); e != 0; e = s.Next() {
		out = append(out, e)
	}
	return out
}

// The map. It is read by an initializer and not by an init function, because the tables of events, which are
// initialized before init functions run, use spaces.
var spaceInfos, Adjacent, allSpaces, InCountry, ofType, Battlegrounds, spaceByName = readMap()

func readMap() (board [Spaces]SpaceInfo, adjacent [Spaces]SpaceSet, everywhere SpaceSet, inCountry [Countries]SpaceSet,
	byType [SpaceTypes]SpaceSet, battlegrounds SpaceSet, byName map[string]Space) {
	byName = map[string]Space{}
	for _, r := range readTable("data/spaces.csv") {
		id := Space(parseNumber(r["id"]))
		s := SpaceInfo{
			Name: r["name"], Display: r["display_name"],
			Country:      Country(indexOf(countryNames[:], r["country"])),
			Type:         SpaceType(indexOf(spaceTypeNames[:], r["type"])),
			Stability:    parseNumber(r["stability"]),
			Battleground: r["battleground"] == "yes",
			Setup:        [2]int{parseNumber(r["democrat_setup"]), parseNumber(r["communist_setup"])},
		}
		board[id] = s
		everywhere.Add(id)
		inCountry[s.Country].Add(id)
		byType[s.Type].Add(id)
		if s.Battleground {
			battlegrounds.Add(id)
		}
		byName[s.Name] = id
	}
	for _, r := range readTable("data/edges.csv") {
		a, b := byName[r["a"]], byName[r["b"]]
		if a == 0 || b == 0 {
			panic("data/edges.csv: unknown space in " + r["a"] + ", " + r["b"])
		}
		adjacent[a].Add(b)
		adjacent[b].Add(a)
	}
	return board, adjacent, everywhere, inCountry, byType, battlegrounds, byName
}

// readTable reads an embedded CSV file; its first row has the names of the columns. It panics on errors because the
// files are part of the program.
func readTable(name string) []map[string]string {
	f, err := data.Open(name)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("%s: %v", name, err))
	}
	out := make([]map[string]string, 0, len(rows)-1)
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, c := range row {
			m[rows[0][i]] = c
		}
		out = append(out, m)
	}
	return out
}

func parseNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func indexOf(names []string, name string) int {
	i := slices.Index(names, name)
	if i < 0 {
		panic("unknown name in the embedded data: " + name)
	}
	return i
}

// FindSpace returns the space with a name, e.g. "Lodz". It panics if there is none: the names are constants of the
// program, used at start-up.
func FindSpace(name string) Space {
	s, ok := spaceByName[name]
	if !ok {
		panic("unknown space: " + name)
	}
	return s
}

func findSpaces(names ...string) SpaceSet {
	var a SpaceSet
	for _, n := range names {
		a.Add(FindSpace(n))
	}
	return a
}
