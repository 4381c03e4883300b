package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// Resent says what Resend has done.
type Resent struct {
	// To is where the letter goes, Number is its own among those to the seat.
	To     string
	Number int64
}

// Resend writes to a seat how things stand now, for a player who has lost the letters
// that he could answer. The match stays as it is, nobody else is told, and older letters
// are as good as they were, unless a change of tokens waits for the next one.
func (a *Adjudicator) Resend(ctx context.Context, matchID string, seat rules.Seat) (r Resent, err error) {
	err = a.atSeat(ctx, matchID, seat, func(m *Match, who *Seat) error {
		j, err := a.adjudication(ctx, m, seat, Letter{Sender: Sender{From: who.Player.Address}})
		if err != nil {
			return err
		}
		j.reply.whole = rules.Only(seat)
		j.turn.Tell(seat, "", match.OutcomeDone, resentText(m, seat, j.turn.Game))
		d, err := j.letterTo(seat, rules.Nobody)
		if err != nil {
			return err
		}
		r = Resent{To: d.To, Number: d.Number}
		// The number of the letter is all that the match has to remember.
		return a.Store.Apply(ctx, Change{Match: m, Letters: []Dispatch{d}})
	})
	return r, err
}

// resentText says why a letter comes that nobody has asked for by mail. An invitation
// is not written again: it names the addresses of the others, and those may have changed.
func resentText(m *Match, seat rules.Seat, g *rules.Game) string {
	const why = "The operator of Samizdat sends you this letter, in case others to you were lost. "
	if m.State == Inviting && !m.Seats[seat].Joined {
		return fmt.Sprintf("%sYou are invited to a match of %s. %s The words are mixed into the dice, and everybody is shown them when the match begins.", why, g.Title(), howToJoin(m))
	}
	if m.State == CalledOff {
		return why + "The match was called off before it began."
	}
	if m.State == Over {
		return why + "It says how the match ended."
	}
	return why + "It says how things stand now, and a reply to it counts. RESEND and the number of a letter tells again what was in that one."
}
