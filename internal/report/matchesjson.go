package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"samizdat/adjudicator"
	"samizdat/rules"
)

// matchObject is what a line of JSON says of a match. Score, turn and phase are as the game
// tells them.
type matchObject struct {
	Match   string               `json:"match"`
	Game    string               `json:"game"`
	State   string               `json:"state"`
	Stopped bool                 `json:"stopped,omitempty"`
	Since   time.Time            `json:"since"`
	Turn    int                  `json:"turn,omitempty"`
	Phase   string               `json:"phase,omitempty"`
	Score   []adjudicator.Points `json:"score,omitempty"`
	Chance  bool                 `json:"chance,omitempty"`
	Result  string               `json:"result,omitempty"`
	Winners []string             `json:"winners,omitempty"`
	Seats   []seatObject         `json:"seats"`
}

// seatObject is a seat of it. Left is in seconds.
type seatObject struct {
	Seat    string     `json:"seat"`
	Address string     `json:"address,omitempty"`
	Joined  bool       `json:"joined"`
	ToMove  bool       `json:"to_move"`
	Asked   time.Time  `json:"asked,omitzero"`
	Left    *int64     `json:"left,omitempty"`
	Until   *time.Time `json:"until,omitempty"`
	Bounces int        `json:"bounces,omitempty"`
}

// MatchesJSON writes the list of matches as lines of JSON, in the order of Matches. What
// cannot be read of a match is an error at the end, and hides no other match.
func MatchesJSON(out io.Writer, games rules.Games, list []adjudicator.Listed, addresses bool) error {
	lines, failed := linesOf(games, list)
	b := bufio.NewWriter(out)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, l := range lines {
		if err := enc.Encode(l.object(addresses)); err != nil {
			return errors.Join(fmt.Errorf("write match %s: %w", l.ID, err), failed)
		}
	}
	return errors.Join(b.Flush(), failed)
}

func (l *matchLine) object(addresses bool) matchObject {
	o := matchObject{Match: l.ID, Game: l.Game, State: stateWord(l.State), Stopped: l.Stopped, Since: l.Since.UTC(), Result: l.result}
	var asked rules.Seats
	if s := l.Summary; s != nil {
		asked = s.Asked
		o.Turn, o.Phase, o.Score, o.Chance = s.Turn, s.Phase, s.Score, s.Stalled
	}
	for i, s := range l.Seats {
		seat := seatObject{Seat: s.Name, Joined: s.Joined, Bounces: s.Bounces, Asked: s.Asked}
		seat.ToMove = asked.Has(rules.Seat(i)) || l.State == adjudicator.Inviting && !s.Joined
		if addresses {
			seat.Address = s.Address
		}
		if s.Timed {
			left := int64(s.Left / time.Second)
			seat.Left = &left
			if !s.Until.IsZero() {
				until := s.Until.UTC()
				seat.Until = &until
			}
		}
		if l.Summary != nil && l.Summary.Over && l.Summary.Winners.Has(rules.Seat(i)) {
			o.Winners = append(o.Winners, s.Name)
		}
		o.Seats = append(o.Seats, seat)
	}
	return o
}
