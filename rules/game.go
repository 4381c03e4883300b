// Package rules defines the interface between a game and the adjudicator.
//
// A game package (for example rules/dawn1989) is a pure function of its inputs: position + answer + chance gives a
// new position and events. It has no clock, no random source, no I/O and no goroutines. The adjudicator knows no
// cards, sides or numbers of players.
//
// Game lists every part of a game. An order passes through these types:
//
//	Keyword, Name   the vocabulary of the game's orders   (language.go)
//	Order           a line as the adjudicator parsed it   (language.go)
//	Answer          the atoms of the order                (language.go)
//	Decision, Atom  the open question, one legal step     (decision.go)
//	Position.Apply  executes the answer, with Chance      (position.go)
//	Event           a result and its audience             (decision.go)
//	View, Prompt    the information for one seat          (letter.go)
//
// For example, the line "PLACE Gdansk 2" becomes an Order with the keyword PLACE, an Answer of two equal atoms, and
// two events EvPlaced.
//
// A game may have any number of seats, several open decisions at once, and sealed decisions that are revealed
// together. docs/games.md explains how to add a game; rules/liarsdice is its example.
package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Game is a game as the rest of the program sees it: three required interfaces, then optional fields. The comment of
// an optional field says which feature is missing if the field is nil.
type Game struct {
	Engine
	Language
	LetterTexts

	// Robots are the robots of the game, weakest first, without the random robot. If nil, only random robots play.
	Robots []RobotMaker
	// Analyst returns an analyst of finished matches, which simulates the given number of games for each position or
	// option. If nil, "samizdat analyse" refuses matches of the game.
	Analyst func(simulations int) Analyst
	// NewSimulation returns a match in memory that is played many times from one set-up. If nil, "samizdat playout"
	// uses positions, which is slower and counts no turns.
	NewSimulation func(s Setup) (Simulation, error)

	// Bidding holds the Setup.Options of a match with a bid for sides, for example {"bidding": "yes"}. If nil, players
	// cannot bid.
	Bidding map[string]string
	// Draws reports whether the players may agree on a draw.
	Draws bool
	// Resigned returns the result after the players of some seats have resigned, or false if the match continues. In a
	// match that continues, Decision.Silence answers for the resigned seats, so it must not be SilenceWaits. If the match
	// has ended by the rules, Resigned returns its result without a win for these seats, or false if the match's revision
	// of the rules lets them win. If nil, a player who resigns loses to all others.
	Resigned func(p Position, seats Seats) (Result, bool)

	// Ballots counts secret ballots. If nil, no decision may set Decision.Ballot.
	Ballots BallotCounter
	// CountChanges counts the changes that end a StandsUntilChange answer. Games with repeated sealed questions
	// (Decision.Repeats) set it: a standing answer then answers each repeated question at once, and other players
	// cannot see which answers stand. If nil, each answer is for one question.
	CountChanges func(v View) int
	// MayStillAsk reports whether the seat has a question that this answer fits, or may still get one. An answer that is
	// given before its question is stored like a sealed answer (Answer.Ahead). If nil, early answers are refused.
	MayStillAsk func(v View, a Answer) bool
	// Ahead parses conditional orders. If nil, the game has no ANSWER, NEXT and IF.
	Ahead Planner
	// Warning describes in a sentence a loss that the answer causes at once and that the seat can foresee, or
	// returns "". The player must then confirm the order with FOR SURE. If nil, there are no warnings.
	Warning func(v View, d Decision, atoms []Atom) string
	// Imagine returns possible positions for a view. Each hidden card is in the enemy's hand in some positions and
	// elsewhere in others, so a fact that holds in all positions is not secret. If nil, the game has no PREVIEW and no
	// "samizdat check".
	Imagine func(v View) []Position
	// DecodeView parses the JSON of a seat's view (View.MarshalJSON). If nil, the game has no "samizdat check" and no
	// Desk.
	DecodeView func(data []byte, seat Seat) (View, error)
	// Desk enables the page on which a player builds orders by clicking; it needs DecodeView. If nil, letters have
	// no link to that page.
	Desk *Desk

	// Headline describes the state of a match in a few words, for example "turn 3 round 5", from public facts. If
	// nil, subjects of letters have no headline.
	Headline func(v View) string
	// Role returns the public role of the view's seat, for example "the Democrat". If nil, letters use the name of
	// the seat.
	Role func(v View) string
	// MarkedSections returns Sections in two forms with the same words: for the text of a letter, and for its HTML page.
	// Both mark what the events in since changed. The view's seat must be allowed to see these events. If nil, pages show
	// the lines of Sections without marks.
	MarkedSections func(v View, since []Event) ([]Section, []PageSection)
	// Focus returns the titles of the Sections that a letter shows in the middle of a play (Decision.Play), or nil if
	// it shows all sections. It may leave out only sections that the events in since did not change; since starts after
	// the reader's last letter with a question. If nil, each letter with a question shows all sections.
	Focus func(v View, since []Event) []string
	// Map draws maps. If nil, letters have no picture, and MAP BIG shows the map of AnswerQuery.
	Map MapDrawer
	// Speech writes tables and drawings as sentences for screen readers. If nil, FORMAT SPOKEN keeps the game's tables.
	Speech Speaker

	// Manual returns help texts on orders, in reading order. The name and aliases of a text are the verbs that it
	// explains. If Manual and ExplainOrder are nil, HELP shows only the example orders of a question.
	Manual func() []Topic
	// ExplainOrder describes in a sentence the meaning of an order that answers a decision; answers are the parsed
	// order.
	ExplainOrder func(v View, d Decision, answers []Answer) string
	// Samples returns example orders for a page of the manual, from the seat's view. If nil, a page has examples
	// only if its kind of order is possible now.
	Samples func(v View, page Topic) Samples
	// Topics lists texts on the rules, in reading order. If nil, there is no RULES command.
	Topics func() []Topic
	// Cards returns the printed facts of a card, and its prerequisites, in unwrapped lines. All seats get the same lines.
	// n is a name of the kind CardName. If nil, there is no CARD command.
	Cards func(v View, n Name) []string
	// AnswerQuery answers a query with sections of a letter. The result is empty if there is no such section now, for
	// example no hand. If nil, players can only query the history.
	AnswerQuery func(v View, q Query) []Section
	// Turn returns the number of the turn, at least 1. The page of a match's history has a part for each turn. If nil, it
	// has one part.
	Turn func(v View) int

	// Chronicle adds curves and episodes to the page of a match's history. If nil, the page has neither.
	Chronicle Chronicler
	// Counts adds the game's own statistics to the statistics of dice and draws, and names the owner of each die. If nil,
	// a die belongs to the seat that gave the order.
	Counts Counter
	// Uses returns the uses of cards and the placements that public events show. Clubs count the placements before the
	// first played card of a match as its opening. v is the public view after the events. If nil, clubs count neither.
	Uses func(v View, events []Event) []Use
	// Facts compares letters with positions. If nil, "samizdat verify --letters" compares only facts that all games
	// have.
	Facts FactReader
	// Differences compares a position with a partial position in JSON and returns one line for each
	// difference. If nil, Compare reports whole members of the JSON object.
	Differences func(p Position, part []byte) ([]string, error)
	// Canonical appends the position as canonical JSON (RFC 8785). Verification hashes a position for each entry, so
	// speed matters. If nil, the output of MarshalJSON is converted, which is slower.
	Canonical func(dst []byte, p Position) []byte
}

// Engine are the rules of a game: seats, positions and names in records.
type Engine interface {
	// Name is the game's short name in records and on the command line.
	Name() string
	// Title is the game's full name.
	Title() string
	// Credit names the publisher and authors in one line.
	Credit() string
	// Revision is the rules revision that new matches get.
	Revision() int
	// Seats returns the smallest and the largest number of seats.
	Seats() (minimum, maximum int)
	// SeatNames returns the names of the seats as records write them, such as "democrat".
	SeatNames(s Setup) []string
	// Begin returns the position of a new match, which waits for its first outcome of chance.
	Begin(s Setup) (Position, error)
	// Decode parses the output of Position.MarshalJSON.
	Decode(data []byte) (Position, error)
	// Element returns a drawn element (a card, a face) as records write it: a number or a string.
	Element(kind string, code int16) any
}

// Setup are the parameters of a match.
type Setup struct {
	Seats int
	// Options are the game's options by name, for example "bidding": "yes".
	Options map[string]string
	// Revision is the rules revision that the match keeps to its end.
	Revision int
}

// NewSetup returns the set-up of a match with a number of seats; 0 means the largest possible number.
func NewSetup(g *Game, seats int) (Setup, error) {
	minimum, maximum := g.Seats()
	if seats == 0 {
		seats = maximum
	}
	switch {
	case minimum == maximum && seats != maximum:
		return Setup{}, fmt.Errorf("%s has %d seats, not %d", g.Title(), maximum, seats)
	case seats < minimum || seats > maximum:
		return Setup{}, fmt.Errorf("%s has %d to %d seats, not %d", g.Title(), minimum, maximum, seats)
	}
	return Setup{Seats: seats, Revision: g.Revision()}, nil
}

// RandomName is the name of the robot that plays any game.
const RandomName = "random"

// RobotNames returns the names of the robots of the game, weakest first.
func (g *Game) RobotNames() []string {
	names := []string{RandomName}
	for _, r := range g.Robots {
		names = append(names, r.Name)
	}
	return names
}

// QuickRobot returns the name of the strongest robot that answers without simulations.
func (g *Game) QuickRobot() string {
	name := RandomName
	for _, r := range g.Robots {
		if !r.IsSlow {
			name = r.Name
		}
	}
	return name
}

// RobotOfLevel returns the name of the robot of a level, for example "level3"; level 0 is the quick robot.
func (g *Game) RobotOfLevel(level int) (string, error) {
	if level == 0 {
		return g.QuickRobot(), nil
	}
	highest := 0
	for _, r := range g.Robots {
		if text, found := strings.CutPrefix(r.Name, "level"); found {
			n, _ := strconv.Atoi(text)
			if highest = max(highest, n); n == level {
				return r.Name, nil
			}
		}
	}
	if highest == 0 {
		return "", fmt.Errorf("the robots of %s have no levels", g.Title())
	}
	return "", fmt.Errorf("%s has no robot of level %d; the highest is level %d", g.Title(), level, highest)
}

// IsSlowRobot reports whether the robot with a name uses simulations (RobotMaker.IsSlow).
func (g *Game) IsSlowRobot(name string) bool {
	return slices.ContainsFunc(g.Robots, func(r RobotMaker) bool { return r.Name == name && r.IsSlow })
}

// Robot makes the robot with a name. The error lists the possible names.
func (g *Game) Robot(name string, seed uint64) (Robot, error) {
	if name == RandomName {
		return NewRandomRobot(seed), nil
	}
	i := slices.IndexFunc(g.Robots, func(r RobotMaker) bool { return r.Name == name })
	if i < 0 {
		names := g.RobotNames()
		list := strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
		return nil, fmt.Errorf("%s has no robot %q; it has %s", g.Name(), name, strings.TrimPrefix(list, " and "))
	}
	return g.Robots[i].New(seed), nil
}

// Compare compares a position with a partial position in JSON and returns one line for each difference.
func (g *Game) Compare(p Position, part []byte) ([]string, error) {
	if g.Differences != nil {
		return g.Differences(p, part)
	}
	data, err := p.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("encode position: %w", err)
	}
	var actual, expected map[string]any
	if err := json.Unmarshal(data, &actual); err != nil {
		return nil, fmt.Errorf("decode position: %w", err)
	}
	if err := json.Unmarshal(part, &expected); err != nil {
		return nil, fmt.Errorf("decode expected part of a position: %w", err)
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(expected)) {
		if !reflect.DeepEqual(actual[k], expected[k]) {
			out = append(out, fmt.Sprintf("%s: %v, expected %v", k, actual[k], expected[k]))
		}
	}
	return out, nil
}

// Games are the known games. The first game is the default.
type Games []*Game

// Find returns the game with a name, for example "1989".
func (gs Games) Find(name string) (*Game, error) {
	var known []string
	for _, g := range gs {
		if g.Name() == name {
			return g, nil
		}
		known = append(known, g.Name()+", "+g.Title())
	}
	return nil, fmt.Errorf("unknown game %q; the known games are %s", name, strings.Join(known, "; "))
}
