package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// receiveBounce records a delivery report. The report must contain the Message-ID or the token of our letter, which
// only the recipient and the mail servers know: otherwise one player could fake bounces of another. Reports are
// never answered.
func receiveBounce(ctx context.Context, a *Adjudicator, l exchange.Letter) (exchange.Disposition, error) {
	b := l.Bounce
	if l.Token != nil && l.Token.Member > 0 {
		if a.Club == nil || !b.Complaint {
			return exchange.Ignored, nil
		}
		return exchange.Ignored, a.Club.ReceiveComplaint(ctx, l)
	}
	if l.Token != nil && l.Token.Seat == rules.NoSeat {
		return handleObserverBounce(ctx, a, l)
	}
	if l.Token == nil || l.IsValid == nil {
		a.Log.WarnContext(ctx, "a letter of ours may not have arrived", "uid", l.UID, "status", b.Status, "reason", b.Reason)
		return exchange.Ignored, nil
	}
	t := l.Token
	m, seatState, err := a.findTokenSeat(ctx, t.Match, t.Seat)
	if err != nil || m == nil {
		return exchange.Ignored, err
	}
	if seatState == nil || !l.IsValid(seatState.Key) || t.Number < 1 || t.Number > seatState.Letters {
		a.Log.WarnContext(ctx, "a delivery report that names no letter of ours is ignored", "uid", l.UID)
		return exchange.Ignored, nil
	}
	if b.OurFault {
		a.Log.ErrorContext(ctx, "a letter is lost, as our own account or address was refused", "hint",
			"see what the mail provider says of the account and its limits", "match", m.ID, "seat", int(t.Seat),
			"number", t.Number, "status", b.Status, "reason", b.Reason)
		return exchange.Ignored, nil
	}
	a.Log.WarnContext(ctx, "a letter of ours did not arrive", "match", m.ID, "seat", int(t.Seat), "number", t.Number, "hard", b.Hard,
		"status", b.Status, "reason", b.Reason)
	if book, ok := a.Store.(exchange.BounceRecorder); ok {
		err = book.RecordBounce(ctx, m.ID, t.Seat, t.Number, *b, l.Arrived)
	}
	return exchange.Ignored, err
}

// ResentLetter is the result of Resend.
type ResentLetter struct {
	// To is the address of the letter, Number its number.
	To     string
	Number int64
}

// Resend sends the current state of the match to a player who has lost the letters. The match does not change, the
// other players are not told, and older letters stay valid, unless the token had to change anyway.
func (a *Adjudicator) Resend(ctx context.Context, matchID string, seat rules.Seat) (r ResentLetter, err error) {
	err = atSeat(ctx, a, matchID, seat, func(m *match.Match, seatState *match.Seat) error {
		run, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: seatState.Player.Address}})
		if err != nil {
			return err
		}
		run.answer.Whole = rules.Only(seat)
		run.turn.ReportLine(seat, "", match.OutcomeDone, resentText(m, seat, run.turn.Game))
		d, err := letterTo(run, seat, rules.NoSeat)
		if err != nil {
			return err
		}
		r = ResentLetter{To: d.To, Number: d.Number}
		// Only the number of the letter is stored with the match.
		return a.Store.Apply(ctx, exchange.Change{Match: m, Letters: []exchange.OutgoingLetter{d}})
	})
	return r, err
}

// resentText returns the introduction of a letter that the operator sends again. An invitation is not sent again, because it names
// addresses that may have changed.
func resentText(m *match.Match, seat rules.Seat, g *rules.Game) string {
	const why = "The operator of Samizdat sends you this letter in case earlier letters to you were lost. "
	if m.State == match.Inviting && !m.Seats[seat].Joined {
		return fmt.Sprintf("%sYou are invited to a match of %s. %s The words are mixed into the dice, and everybody is shown them when the "+
			"match begins.", why, g.Title(), invitation.HowToJoin(m))
	}
	if m.State == match.CalledOff {
		return why + "The match was called off before it began."
	}
	if m.State == match.Over {
		return why + "It tells how the match ended."
	}
	return why + "It shows the current position, and you can reply to it. RESEND and the number of a letter shows that letter again."
}
