// Package rules is the contract between a game and the adjudicator.
//
// A game package (for example rules/dawn1989) is a pure engine: position + answer + chance gives a
// new position and events. Engines have no clock, no random source, no I/O and no goroutines; equal
// inputs give equal bytes. The adjudicator knows no cards, sides or numbers of players.
//
// Game lists every part of a game. An order passes through these types:
//
//	Keyword, Name   the vocabulary of the game's orders   (language.go)
//	Order           a line as the adjudicator parsed it   (language.go)
//	Answer          the atoms that the order stands for   (language.go)
//	Decision, Atom  the open question, one legal answer   (decision.go)
//	Position.Apply  executes the answer, with Chance      (position.go)
//	Event           a result and its audience             (decision.go)
//	View, Prompt    the information for one seat          (letter.go)
//
// For example, the line "PLACE Gdansk 2" becomes an Order with the keyword PLACE, an Answer of two
// equal atoms, and two events EvPlaced.
//
// The contract allows any number of seats, several open decisions at once, and sealed decisions that are opened
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

// Game is a game as the rest of the program sees it: three required interfaces, then optional
// fields. The comment of an optional field says which feature is missing when the field is nil.
type Game struct {
	Engine
	Language
	LetterTexts

	// Robots are the game's robots besides the random robot, weakest first. If nil, only random robots play.
	Robots []RobotMaker
	// Analyst returns a judge of finished matches that makes this number of simulations for each
	// judgement. If nil, "samizdat analyse" cannot judge the game.
	Analyst func(simulations int) Analyst
	// Simulation returns a match in memory for fast playouts of one set-up. If nil, "samizdat playout"
	// uses positions, which is slower and counts no turns.
	NewSimulation func(s Setup) (Simulation, error)

	// Bidding are the options for matches with bids for sides. If nil, players cannot bid.
	Bidding map[string]string
	// Draws means that the players may agree on a draw.
	Draws bool
	// Resigned returns the result after the players of these seats have resigned, or false if the
	// match continues without them. In a match that continues, silence answers for the resigned
	// seats, so each of their decisions needs a Silence other than SilenceWaits. After the rules
	// have ended a match, Resigned returns the result without these seats, or false where the
	// revision lets them win. If nil, a player who resigns loses to all others.
	Resigned func(p Position, seats Seats) (Result, bool)

	// Ballots counts secret ballots. If nil, no decision may set Decision.Ballot.
	Ballots BallotCounter
	// CountChanges counts the changes that end a StandsUntilChange answer. Games with repeated
	// sealed questions (Decision.Repeats) set it: a standing answer then answers each repeated
	// question at once, invisibly to the other players. If nil, each answer is for one question.
	CountChanges func(v View) int
	// MayStillAsk reports whether the seat may still get a question for this answer, now or later. An answer given
	// before its question waits like a sealed answer (Answer.Ahead). If nil, early answers are refused.
	MayStillAsk func(v View, a Answer) bool
	// Ahead reads conditional orders. If nil, the game has no ANSWER, NEXT and IF.
	Ahead Planner
	// Warning describes in a sentence an immediate loss that the answer causes and the seat can
	// see, or returns "". If nil, no order needs SURELY.
	Warning func(v View, d Decision, atoms []Atom) string
	// Imagine returns possible positions for a view, made from the view alone. Each hidden card is
	// in the enemy's hand in some positions and elsewhere in others, so a fact that holds in all
	// positions is no secret. If nil, letters cannot TRY orders, and DecodeView has no use.
	Imagine func(v View) []Position
	// DecodeView reads the JSON of a seat's view (View.MarshalJSON). If nil, "samizdat try" is unavailable.
	DecodeView func(data []byte, seat Seat) (View, error)
	// Desk lets orders be clicked together on a page, and needs DecodeView. Without it letters have
	// no link to that page.
	Desk *Desk

	// Headline describes the state of a match in a few words, for example "turn 3 round 5", from public
	// facts. If nil, subjects of letters have no headline.
	Headline func(v View) string
	// Role is the public role of the view's seat, for example "the Democrat". If nil, letters use the
	// name of the seat.
	Role func(v View) string
	// MarkedSections returns Sections twice, as laid-out lines and as parts for HTML pages with the
	// same words, and marks the changes that the events made. All events must be visible to the
	// view's seat. If nil, pages show the lines of Sections without marks.
	MarkedSections func(v View, since []Event) ([]Section, []Part)
	// Map draws maps. If nil, letters have no picture, and MAP BIG shows the map of AnswerQuery.
	Map MapDrawer

	// Manual lists help texts on orders, in reading order. The name and aliases of a text are the verbs that it
	// explains. If Manual and ExplainOrder are nil, HELP shows only the forms of a question.
	Manual func() []Topic
	// ExplainOrder describes in a sentence the meaning of an order that answers a decision. The
	// answers are those of the order.
	ExplainOrder func(v View, d Decision, answers []Answer) string
	// Samples returns example orders for a page of the manual, made from the seat's view. If nil, a
	// page has examples only while its kind of order is asked for.
	Samples func(v View, page Topic) Samples
	// Topics lists texts on the rules, in reading order. If nil, there is no RULES command.
	Topics func() []Topic
	// Cards returns the printed facts of a card and its prerequisites, one line each, unwrapped. The kind of n is
	// CardName. The lines are public: equal for every seat. If nil, there is no CARD command.
	Cards func(v View, n Name) []string
	// AnswerQuery answers a query with parts of a letter, made from the view alone. An empty result
	// means that the game or the seat has no such part. If nil, players can only query the history.
	AnswerQuery func(v View, q Query) []Section
	// Turn is the number of the view's turn, at least 1; histories have a part for each turn. If
	// nil, a history has one part.
	Turn func(v View) int

	// Chronicle adds curves and episodes to histories. If nil, histories have neither.
	Chronicle Chronicler
	// Counts adds statistics beyond dice and draws. If nil, a die counts for the seat that gave the order.
	Counts Counter
	// Facts compares letters with positions. If nil, "samizdat verify --letters" compares only the
	// facts that are common to all games.
	Facts FactReader
	// Differences compares a position with a partial position in JSON and returns one line for each
	// difference. If nil, Compare compares the members as a whole.
	Differences func(p Position, part []byte) ([]string, error)
	// Canonical appends the position as canonical JSON (RFC 8785). Verification hashes a position for each entry, so
	// speed matters. If nil, the output of MarshalJSON is canonicalized, which is slower.
	Canonical func(dst []byte, p Position) []byte
}

// Engine holds the seats, positions and outcomes of a game.
type Engine interface {
	// Name is the game's short name in records and on the command line.
	Name() string
	// Title is the game's full name.
	Title() string
	// Credit names the publisher and authors in one line.
	Credit() string
	// Revision is the rules revision that new matches get.
	Revision() int
	// Seats returns the least and the greatest number of seats.
	Seats() (minimum, maximum int)
	// SeatNames returns the names of the seats as records write them, such as "democrat".
	SeatNames(s Setup) []string
	// Begin returns the position of a new match, stalled before its first outcome.
	Begin(s Setup) (Position, error)
	// Decode reads a position that MarshalJSON wrote.
	Decode(data []byte) (Position, error)
	// Element is a drawn element as records write it: a number or a string.
	Element(kind string, code int16) any
}

// Setup are the agreed parameters of a match.
type Setup struct {
	// Seats is the number of players.
	Seats int
	// Options are the game's options by name, for example "bidding": "yes".
	Options map[string]string
	// Revision is the rules revision that the match keeps to its end.
	Revision int
}

// NewSetup returns the set-up of a match with a number of seats. 0 means the largest number. The
// error says how many seats the game has.
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

// RobotNames names the robots that can play the game, the simplest first.
func (g *Game) RobotNames() []string {
	names := []string{RandomName}
	for _, r := range g.Robots {
		names = append(names, r.Name)
	}
	return names
}

// QuickRobot names the strongest robot that does not think.
func (g *Game) QuickRobot() string {
	name := RandomName
	for _, r := range g.Robots {
		if !r.Thinks {
			name = r.Name
		}
	}
	return name
}

// RobotOfLevel names the robot of a level, for example "level3"; for level 0 the quick one.
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

// Thinks reports whether the robot of a name plays its options out.
func (g *Game) Thinks(name string) bool {
	return slices.ContainsFunc(g.Robots, func(r RobotMaker) bool { return r.Name == name && r.Thinks })
}

// Robot makes the robot with a name. The error lists the known names.
func (g *Game) Robot(name string, seed uint64) (Robot, error) {
	if name == RandomName {
		return NewRandomRobot(seed), nil
	}
	i := slices.IndexFunc(g.Robots, func(r RobotMaker) bool { return r.Name == name })
	if i < 0 {
		names := g.RobotNames()
		known := strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
		return nil, fmt.Errorf("%s has no robot %q; it has %s", g.Name(), name, strings.TrimPrefix(known, " and "))
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
		return nil, fmt.Errorf("write a position: %w", err)
	}
	var got, want map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		return nil, fmt.Errorf("read a position: %w", err)
	}
	if err := json.Unmarshal(part, &want); err != nil {
		return nil, fmt.Errorf("read what is expected: %w", err)
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if !reflect.DeepEqual(got[k], want[k]) {
			out = append(out, fmt.Sprintf("%s: %v, expected %v", k, got[k], want[k]))
		}
	}
	return out, nil
}

// Games are the known games. The first game is the default.
type Games []*Game

// Find returns the game of a name.
func (gs Games) Find(name string) (*Game, error) {
	var known []string
	for _, g := range gs {
		if g.Name() == name {
			return g, nil
		}
		known = append(known, g.Name()+", "+g.Title())
	}
	return nil, fmt.Errorf("no game is called %q; there is %s", name, strings.Join(known, "; "))
}
