// Package liarsdice is Liar's Dice for two to six players, a game in the public domain.
//
// # The rules
//
// Each player has five dice (option "dice", 1 to 5) and a cup. In each round all players roll in secret and see only
// their own dice. The first player bids, for example "four fives": under all cups together there are at least four
// fives. Ones are wild: they count as any face and are never bid.
//
// The next player raises the bid or doubts it. A raise is more dice of any face, or equally many dice of a higher
// face. It cannot exceed the number of dice under all cups. After a doubt all dice are counted: if the bid holds, the
// doubter loses a die, otherwise the bidder does. The loser begins the next round, or the next player if the loser
// has no dice left. A lot decides who begins the first round. The last player with dice wins.
//
// If a player misses a deadline, the referee doubts for this player, or bids "1 two" if there is no bid. After a
// resignation the other players continue; silence answers for the player who resigned, who cannot win.
package liarsdice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"samizdat/rules"
)

const (
	minSeats, maxSeats = 2, 6
	fullCup            = 5 // the number of dice at the beginning
	wild, faces        = 1, 6
)

var seatNames = [maxSeats]string{"fox", "owl", "hare", "wolf", "bear", "crow"}

// Game returns Liar's Dice.
func Game() *rules.Game {
	var g game
	return &rules.Game{
		Engine: g, Language: g, LetterTexts: g,
		Robots:     []rules.RobotMaker{{Name: "counter", New: func(uint64) rules.Robot { return expectationRobot{} }}},
		Resigned:   resigned,
		DecodeView: decodeView, Desk: desk,
		Headline: headline, Turn: turn, AnswerQuery: answerQuery, Speech: g,
		Manual: manual, ExplainOrder: explainOrder, Topics: topics,
	}
}

// game implements the required parts of rules.Game.
type game struct{}

func (game) Name() string { return "liarsdice" }

func (game) Title() string { return "Liar's Dice" }

func (game) Credit() string { return "Liar's Dice is an old game that belongs to nobody." }

func (game) Revision() int { return 1 }

func (game) Seats() (int, int) { return minSeats, maxSeats }

func (game) SeatNames(s rules.Setup) []string { return append([]string(nil), seatNames[:s.Seats]...) }

// Begin implements rules.Engine. The position waits for the lot that chooses the first player.
func (game) Begin(s rules.Setup) (rules.Position, error) {
	if s.Seats < minSeats || s.Seats > maxSeats {
		return nil, fmt.Errorf("liar's dice needs %d to %d players, got %d", minSeats, maxSeats, s.Seats)
	}
	dice := fullCup
	for name, value := range s.Options {
		n, err := strconv.Atoi(value)
		if name != "dice" || err != nil || n < 1 || n > fullCup {
			return nil, fmt.Errorf("unknown option %s=%s of liar's dice; the only option is dice=1 to dice=%d", name, value, fullCup)
		}
		dice = n
	}
	p := &position{state{DiceLeft: make([]int, s.Seats), Cups: make([][]int, s.Seats)}}
	for seat := range p.DiceLeft {
		p.DiceLeft[seat], p.Cups[seat] = dice, []int{}
	}
	return p, nil
}

func (game) Decode(data []byte) (rules.Position, error) {
	p := new(position)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p.state); err != nil {
		return nil, fmt.Errorf("decode position of liar's dice: %w", err)
	}
	return p, nil
}

// Element returns the face of a die, or the name of the seat that begins.
func (game) Element(kind string, code int16) any {
	if kind == rules.KindLot {
		return seatNames[code]
	}
	return int(code)
}

// resigned implements rules.Game.Resigned: the other players continue, and the seats that resigned cannot win.
func resigned(p rules.Position, seats rules.Seats) (rules.Result, bool) {
	r, isOver := p.Result()
	return r.WithoutSeats(seats), isOver
}
