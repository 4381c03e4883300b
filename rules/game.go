// Package rules is the contract between a game and the adjudicator.
//
// A game package (rules/dawn1989, and others to come) is a pure engine: a
// position, plus one answer to a decision, plus chance, gives a new position
// and events. It has no clock, no random source, no I/O and no goroutine, and
// the same inputs give the same bytes. The adjudicator in turn knows nothing of
// any game: not its cards, not its sides, not how many sit at the table.
//
// Game, below, is all that a game has or may have. The way of an order through it:
//
//	Keyword, Name   what the game's orders are made of    (language.go)
//	Order           a line, read by the adjudicator       (language.go)
//	Answer          the atoms that the line stands for    (language.go)
//	Decision, Atom  what is owed, and one legal answer    (decision.go)
//	Position.Apply  the answer takes effect, with Chance  (position.go)
//	Event           what happened, and who may know it    (decision.go)
//	View, Prompt    what one seat is shown                (letter.go)
//
// The contract allows for more than two seats, for several decisions owed at
// once, by several seats or by one, and for sealed decisions that are opened
// together.
//
// How to add a game is told in docs/games.md, by the example of rules/liarsdice.
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

// Game is a game as the rest of the program knows it: what every game has, then fields that
// may be left nil. The comment of such a field says what is lost without it.
type Game struct {
	Engine
	Language
	LetterTexts

	// Robots are the robots that there are besides the random one, which plays any game, the
	// simplest first. Without any, only random robots play.
	Robots []RobotMaker
	// Table returns a table for fast matches of one set-up in memory. Without it "samizdat
	// playout" plays through positions, which is slower, and counts no turns.
	Table func(s Setup) (Table, error)

	// Bidding are the options of a match whose players bid for their sides. Without any nobody
	// can bid.
	Bidding map[string]string
	// Draws means that the players may agree on a draw.
	Draws bool
	// Resigned says how a match ends when the players of these seats have resigned, or
	// false where it goes on without them: then silence answers for them, so each of their
	// questions has to say what silence means. Of a match that the rules have ended it is the
	// result without these seats, or false where they may have won as the match's revision of
	// the rules is. Without it whoever resigns loses to all others.
	Resigned func(p Position, seats Seats) (Result, bool)

	// Ballots counts ballots. Without it no decision may ask for one (Decision.Ballot).
	Ballots BallotCounter
	// CountChanges counts the changes that end an answer which stands until there is one. A game that
	// asks everybody the same sealed question again and again (Decision.Repeats) has it: an
	// answer to it may stand, then it answers such questions at once, and nobody else can tell
	// that it did. Without it every answer is for one question.
	CountChanges func(v View) int
	// MayStillAsk reports whether what an answer is for may still be asked of the view's seat, or
	// is asked now: an answer given before its question is kept, like a sealed one, until the
	// question comes (Answer.Ahead). Without it no such answer is taken.
	MayStillAsk func(v View, a Answer) bool
	// Ahead reads conditional orders. Without it a game takes none: no ANSWER, NEXT and IF.
	Ahead Planner
	// Warning says in a sentence what an answer would lose on the spot, as far as the seat can
	// tell, or nothing. Without it no order has to be confirmed with SURELY.
	Warning func(v View, d Decision, atoms []Atom) string
	// Imagine returns positions that agree with the view and are made from nothing
	// else. Whatever single card is hidden is in some of them where the others
	// cannot be told from the truth, and elsewhere in the rest, so that what is the
	// same in all of them tells nothing that the view does not. Without it a letter cannot TRY
	// orders, and DecodeView serves nothing.
	Imagine func(v View) []Position
	// DecodeView reads what View.MarshalJSON wrote for a seat. Without it nobody can try orders at
	// home, with "samizdat try".
	DecodeView func(data []byte, seat Seat) (View, error)
	// Desk lets orders be clicked together on a page, and needs DecodeView. Without it letters have
	// no link to that page.
	Desk *Desk

	// Headline says where a match stands in a few words, such as "turn 3 round 5", for the eyes of
	// the view's seat and of everybody who sees a list of letters. Without it subjects do
	// not say it.
	Headline func(v View) string
	// Role is who the view's seat is in the match, such as "the Democrat". It tells
	// what everybody knows. Without it a player is called by his seat's name.
	Role func(v View) string
	// MarkedSections are Sections, and the same parts unlaid for pages that break lines themselves, word
	// for word and in the same order, with what the events changed marked. The view's seat is an
	// audience of them all; without events nothing is marked. Without it pages show Sections as
	// they stand, and nothing is ever marked.
	MarkedSections func(v View, since []Event) ([]Section, []Part)
	// Map draws maps. Without it letters have no picture, and MAP BIG shows what Inform has.
	Map MapDrawer

	// Manual lists texts on the orders, in the order in which they are best read. Each
	// is asked for by the verbs that it explains: they are its name and aliases. Without it and
	// Meaning, HELP and a letter show the forms of a question alone.
	Manual func() []Topic
	// ExplainOrder says in a sentence what an order means that answers a decision of the
	// view's seat. The answers are those that it stands for.
	ExplainOrder func(v View, d Decision, answers []Answer) string
	// Samples are orders that a page of the manual is about, made of what the view's seat sees.
	// Without it such a page has examples only while an order of its sort is asked for.
	Samples func(v View, page Topic) Samples
	// Topics lists texts on the rules in the order in which they are best read. Without it there
	// is no RULES.
	Topics func() []Topic
	// Cards tells what is printed on a card and what it waits for, a line each;
	// layout is the caller's affair. The name is of the kind CardName. The answer
	// is the same for every seat: it tells public facts only, not who holds the
	// card. Without it there is no CARD.
	Cards func(v View, n Name) []string
	// AnswerQuery answers a query with parts of a letter, laid out like Sections. They
	// are made from nothing but the view. None means that the game, or the seat,
	// has nothing of the sort. Without it only what the history answers can be asked.
	AnswerQuery func(v View, q Query) []Section
	// Turn numbers the turn that a view stands in, or whatever the game counts: a
	// history is told turn by turn. It is at least 1. Without it a history is told in one piece.
	Turn func(v View) int

	// Chronicle has more to say where a match is told as a whole. Without it a history has neither
	// curves nor episodes.
	Chronicle Chronicler
	// Counts has more to count in matches than dice and draws. Without it dice are counted for
	// the seat whose order they followed.
	Counts Counter
	// Facts hold letters against positions. Without them "samizdat verify --letters" compares
	// only what letters of all games state.
	Facts FactReader
	// Differences compares a position with part of one, as JSON, and says each difference in a
	// line. Without it the members of the part are compared as a whole.
	Differences func(p Position, part []byte) ([]string, error)
	// Canonical appends what Position.MarshalJSON returns in canonical form (RFC 8785). A position
	// is hashed for each entry of a history that is checked; without it what MarshalJSON gives is
	// put into that form, which is slower.
	Canonical func(dst []byte, p Position) []byte
}

// Engine is what plays a game: its seats, positions and outcomes.
type Engine interface {
	// Name is the game's short name in records and on the command line.
	Name() string
	// Title is the game's full name.
	Title() string
	// Credit says in a line whose game it is.
	Credit() string
	// Revision is the rules revision that new matches get.
	Revision() int
	// Seats returns the least and the greatest number of seats.
	Seats() (least, most int)
	// SeatNames names the chairs of a match, as records write them.
	SeatNames(s Setup) []string
	// Begin returns a new match's position, stalled before its first outcome.
	Begin(s Setup) (Position, error)
	// Decode reads a position that MarshalJSON wrote.
	Decode(data []byte) (Position, error)
	// Element is a drawn element as records write it: a number or a string.
	Element(kind string, code int16) any
}

// Setup is what a match is agreed to be before it begins.
type Setup struct {
	// Seats is how many sit down.
	Seats int
	// Options are the game's own, by name.
	Options map[string]string
	// Revision is the rules revision that the match keeps to its end.
	Revision int
}

// NewSetup is the set-up of a match of a game at a table of so many seats; without a
// number it is the largest.
func NewSetup(g *Game, seats int) (Setup, error) {
	least, most := g.Seats()
	if seats == 0 {
		seats = most
	}
	switch {
	case least == most && seats != most:
		return Setup{}, fmt.Errorf("%s has %d seats, not %d", g.Title(), most, seats)
	case seats < least || seats > most:
		return Setup{}, fmt.Errorf("%s has %d to %d seats, not %d", g.Title(), least, most, seats)
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

// RobotOfLevel names the robot of a level, such as "level3"; for level 0 the quick one.
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

// Robot makes a robot of a name.
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

// Compare compares a position with part of one, as JSON, and says each difference in a line.
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

// Games are the games that a program knows, the one that is meant unasked first.
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
