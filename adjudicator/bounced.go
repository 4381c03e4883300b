package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// takeBounce books a delivery report. Only a report counts that shows the letter's id or
// its token, which nobody knows who has not had the letter: otherwise one player could
// make another look as if his mail did not arrive. It is never answered.
func takeBounce(ctx context.Context, a *Adjudicator, l exchange.Letter) (exchange.Disposition, error) {
	b := l.Bounce
	if l.Token != nil && l.Token.Seat == rules.NoSeat {
		return observerBounced(ctx, a, l)
	}
	if l.Token == nil || l.Genuine == nil {
		a.Log.WarnContext(ctx, "a letter of ours may not have arrived", "uid", l.UID, "status", b.Status, "why", b.Reason)
		return exchange.Ignored, nil
	}
	t := l.Token
	m, who, err := a.named(ctx, t.Match, t.Seat)
	if err != nil || m == nil {
		return exchange.Ignored, err
	}
	if who == nil || !l.Genuine(who.Key) || t.Number < 1 || t.Number > who.Letters {
		a.Log.WarnContext(ctx, "a delivery report that names no letter of ours is ignored", "uid", l.UID)
		return exchange.Ignored, nil
	}
	if b.Own {
		a.Log.ErrorContext(ctx, "a letter is lost, as our own account or address was refused", "hint",
			"see what the mail provider says of the account and its limits", "match", m.ID, "seat", int(t.Seat),
			"number", t.Number, "status", b.Status, "why", b.Reason)
		return exchange.Ignored, nil
	}
	a.Log.WarnContext(ctx, "a letter of ours did not arrive", "match", m.ID, "seat", int(t.Seat), "number", t.Number, "hard", b.Hard,
		"status", b.Status, "why", b.Reason)
	if book, ok := a.Store.(exchange.BounceBook); ok {
		err = book.Bounced(ctx, m.ID, t.Seat, t.Number, *b, l.Arrived)
	}
	return exchange.Ignored, err
}

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
	err = atSeat(ctx, a, matchID, seat, func(m *match.Match, who *match.Seat) error {
		j, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: who.Player.Address}})
		if err != nil {
			return err
		}
		j.answer.Whole = rules.Only(seat)
		j.turn.ReportLine(seat, "", match.OutcomeDone, resentText(m, seat, j.turn.Game))
		d, err := letterTo(j, seat, rules.NoSeat)
		if err != nil {
			return err
		}
		r = Resent{To: d.To, Number: d.Number}
		// The number of the letter is all that the match has to remember.
		return a.Store.Apply(ctx, exchange.Change{Match: m, Letters: []exchange.Dispatch{d}})
	})
	return r, err
}

// resentText says why the operator's letter comes. An invitation is not written again: it names the addresses of the others,
// and those may have changed.
func resentText(m *match.Match, seat rules.Seat, g *rules.Game) string {
	const why = "The operator of Samizdat sends you this letter, in case others to you were lost. "
	if m.State == match.Inviting && !m.Seats[seat].Joined {
		return fmt.Sprintf("%sYou are invited to a match of %s. %s The words are mixed into the dice, and everybody is shown them "+
			"when the "+
			"match begins.", why, g.Title(), invitation.HowToJoin(m))
	}
	if m.State == match.CalledOff {
		return why + "The match was called off before it began."
	}
	if m.State == match.Over {
		return why + "It says how the match ended."
	}
	return why + "It says how things stand now, and a reply to it counts. RESEND and the number of a letter tells again what was in " +
		"that one."
}
