package compose

import (
	"fmt"
	"strings"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// Notices returns the news of a turn for web hooks: the end of the match, or which players are now to move. They contain only what
// observers without a delay are told. If the match has no such observers, only the players' own web hooks get them.
func Notices(t *match.Turn) []club.Notice {
	if t.After == nil || len(t.Entries) == 0 {
		return nil
	}
	m := t.Match
	n := club.Notice{Kind: club.MatchOver, Match: m.ID, Game: m.Game, At: t.Now, Public: m.ObserverPolicy.Allowed && m.ObserverPolicy.Delay == 0}
	if r, over := t.After.Result(); over {
		if t.Before != nil {
			if _, was := t.Before.Result(); was {
				return nil
			}
		}
		n.Seats = rules.Seats(1)<<len(m.Seats) - 1
		n.Text = fmt.Sprintf("Match %s of %s is over: %s", m.ID, m.Game, strings.TrimPrefix(describeEnd(t, r, rules.NoSeat), "The match is over: "))
		return []club.Notice{n}
	}
	var out []club.Notice
	asked := func(pos rules.Position, seat rules.Seat) bool {
		return pos != nil && len(t.WithoutResigned(rules.OpenDecisionsOf(pos, seat))) > 0
	}
	for i := range m.Seats {
		seat := rules.Seat(i)
		if m.Seats[i].Robot != "" || !asked(t.After, seat) || asked(t.Before, seat) {
			continue
		}
		n.Kind, n.Seats, n.Text = club.ToMove, rules.Only(seat), fmt.Sprintf("Match %s of %s: %s is to move", m.ID, m.Game, t.FullName(seat))
		if left, _ := m.PublicTime(seat, t.Now); !m.Tempo.IsUntimed() {
			n.Text += " and has " + FormatSpan(left)
		}
		n.Text += "."
		out = append(out, n)
	}
	return out
}
