package compose

import (
	"fmt"
	"strings"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// WebhookNotices returns the notices of a turn for web hooks: of the end of the match, or of the players who are now to
// move. They contain only public information. The operator's web hooks get them only if the match may be observed without
// a delay.
func WebhookNotices(turn *match.Turn) []club.Notice {
	if turn.After == nil || len(turn.Entries) == 0 {
		return nil
	}
	m := turn.Match
	notice := club.Notice{Kind: club.MatchOver, Match: m.ID, Game: m.Game, At: turn.Now, ToOperator: m.ObserverPolicy.Allowed &&
		m.ObserverPolicy.Delay == 0}
	if r, over := turn.After.Result(); over {
		if turn.Before != nil {
			if _, wasOver := turn.Before.Result(); wasOver {
				return nil
			}
		}
		notice.Seats = rules.Seats(1)<<len(m.Seats) - 1
		notice.Text = fmt.Sprintf("Match %s of %s is over: %s", m.ID, m.Game, strings.TrimPrefix(describeEnd(turn, r, rules.NoSeat),
			"The match is over: "))
		return []club.Notice{notice}
	}
	var out []club.Notice
	isToMove := func(pos rules.Position, seat rules.Seat) bool {
		return pos != nil && len(turn.WithoutResigned(rules.OpenDecisionsOf(pos, seat))) > 0
	}
	for i := range m.Seats {
		seat := rules.Seat(i)
		if m.Seats[i].Robot != "" || !isToMove(turn.After, seat) || isToMove(turn.Before, seat) {
			continue
		}
		notice.Kind, notice.Seats, notice.Text = club.ToMove, rules.Only(seat), fmt.Sprintf("Match %s of %s: %s is to move", m.ID, m.Game,
			turn.FullName(seat))
		if timeLeft, _ := m.PublicTimeLeft(seat, turn.Now); !m.Tempo.IsUntimed() {
			notice.Text += " and has " + FormatSpan(timeLeft)
		}
		notice.Text += "."
		out = append(out, notice)
	}
	return out
}
