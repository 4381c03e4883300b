package match

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Replacement is a seat with a new player or robot, and its former player.
type Replacement struct {
	Seat   rules.Seat
	Former *Player
}

// robotPrefix begins the name of a robot in records, e.g. "robot level3".
const robotPrefix = "robot "

// RobotOf returns the robot that an entry puts into a seat, e.g. "level3"; ok is false for other entries.
func RobotOf(entry *record.Entry) (name string, ok bool) {
	return strings.CutPrefix(entry.Player, robotPrefix)
}

// DescribeRobot describes a robot, e.g. "a level 3 robot" for "level3", and "a robot" for "sensible".
func DescribeRobot(name string) string {
	if level, ok := strings.CutPrefix(name, "level"); ok {
		if _, err := strconv.Atoi(level); err == nil {
			return "a level " + level + " robot"
		}
	}
	return "a robot"
}

// IsAbsent reports whether the player of a seat has resigned or run out of time. It returns false while the match is paused,
// or while a change of the player's address is open.
func (m *Match) IsAbsent(seat rules.Seat, now time.Time) bool {
	s := &m.Seats[seat]
	return s.Robot == "" && !m.IsPaused(now) && s.Player.OpenRequest(now) == nil && (m.Resigned.Has(seat) || s.Clock.IsOutOfTime())
}

// ReplaceOccupant gives a seat to a new player or robot, and deletes the settings, the pending answers and the consents of
// the former player.
func (t *Turn) ReplaceOccupant(seat rules.Seat, player *Player, name, robot string, key []byte) {
	m := t.Match
	s := &m.Seats[seat]
	s.Player, s.PlayerName, s.Robot = player, name, robot
	s.Key, s.KeyExposed, s.IgnoreBouncesThrough, s.FirstMessageID = key, false, s.LastLetter, ""
	s.Preferences, s.Private, s.MessagesSent, s.AskedSince = Preferences{}, PrivateState{}, DailyCount{}, time.Time{}
	s.Clock = clock.New(m.Tempo)
	m.Pending = slices.DeleteFunc(slices.Clone(m.Pending), func(pending PendingAnswer) bool { return pending.Seat == seat })
	m.Resigned &^= rules.Only(seat)
	m.DropRequestsOf(seat)
	switch takeback := m.Takeback; {
	case takeback == nil:
	case takeback.Seat == seat:
		t.EndTakeback(fmt.Sprintf("The request of %s to take back %s has ended.", t.Role(seat), takeback.Orders))
	default:
		// Drop the former player's consent.
		copied := *takeback
		copied.Agreed &^= rules.Only(seat)
		m.Takeback = &copied
	}
}

// replaceWithRobot carries out an agreed request to let a robot play for an absent player. A player who has come back since the request
// keeps the seat.
func (p *Execution) replaceWithRobot(ctx context.Context, r Request) error {
	t := p.Turn
	if !t.Match.IsAbsent(r.Absent, t.Now) {
		t.Remarks = append(t.Remarks, Capitalize(t.FullName(r.Absent))+" is back, so no robot takes the seat.")
		return nil
	}
	key := make([]byte, 32)
	if _, err := io.ReadFull(p.Random, key); err != nil {
		return fmt.Errorf("make the key of a seat: %w", err)
	}
	p.Replacements = append(p.Replacements, Replacement{r.Absent, t.Match.Seats[r.Absent].Player})
	t.ReplaceOccupant(r.Absent, NewPlayer(""), "Robot", r.Robot, key)
	t.Remarks = append(t.Remarks, Capitalize(DescribeRobot(r.Robot))+" now plays for "+t.Role(r.Absent)+", as "+describeConsent(t, r)+
		". A match with a robot is not rated.")
	entry := record.Entry{Seat: record.SeatName(t.Match.Seats[r.Absent].Name), Player: robotPrefix + r.Robot}
	return p.AddEntry(ctx, t.After, nil, entry, p.Chance(t.Match.OrderEntryCount))
}

// describeConsent returns "all the other players agreed" or, if no other player had to agree, e.g. "the Democrat asked".
func describeConsent(t *Turn, r Request) string {
	if names := t.FullNames(^(t.Match.Resigned | rules.Only(r.Absent))); len(names) == 1 {
		return names[0] + " asked"
	}
	return "all the other players agreed"
}
