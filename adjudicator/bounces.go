package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// receiveBounce handles a delivery report (DSN, RFC 3464) or a complaint. A report counts only if it contains the
// Message-ID or the token of our letter. Only the recipient and the mail servers know these, so a player cannot forge
// bounces of an opponent. Reports are never answered.
func receiveBounce(ctx context.Context, a *Adjudicator, incoming exchange.Letter) (exchange.Disposition, error) {
	bounce := incoming.Bounce
	if incoming.Token != nil && incoming.Token.Member > 0 {
		if a.Club == nil || !bounce.Complaint {
			return exchange.DispositionIgnored, nil
		}
		return exchange.DispositionIgnored, a.Club.ReceiveComplaint(ctx, incoming)
	}
	if incoming.Token != nil && incoming.Token.Seat == rules.NoSeat {
		return receiveObserverBounce(ctx, a, incoming)
	}
	if incoming.Token == nil || incoming.SignedBy == nil {
		a.Log.WarnContext(ctx, "a delivery report without a token is ignored; a letter may not have arrived", "uid", incoming.UID, "status",
			bounce.Status, "reason", bounce.Reason)
		return exchange.DispositionIgnored, nil
	}
	token := incoming.Token
	m, seatState, err := a.findTokenSeat(ctx, token.Match, token.Seat)
	if err != nil || m == nil {
		return exchange.DispositionIgnored, err
	}
	if seatState == nil || !incoming.SignedBy(seatState.Key) || token.Number < 1 || token.Number > seatState.LastLetter {
		a.Log.WarnContext(ctx, "a delivery report that names no letter of ours is ignored", "uid", incoming.UID)
		return exchange.DispositionIgnored, nil
	}
	if bounce.OurFault {
		a.Log.ErrorContext(ctx, "a letter is lost: a mail server refused our own account or address", "hint",
			"check the account and its limits at the mail provider", "match", m.ID, "seat", int(token.Seat),
			"number", token.Number, "status", bounce.Status, "reason", bounce.Reason)
		return exchange.DispositionIgnored, nil
	}
	a.Log.WarnContext(ctx, "a letter bounced", "match", m.ID, "seat", int(token.Seat), "number", token.Number, "hard", bounce.Hard,
		"status", bounce.Status, "reason", bounce.Reason)
	if recorder, ok := a.Store.(exchange.BounceRecorder); ok {
		err = recorder.RecordBounce(ctx, m.ID, token.Seat, token.Number, *bounce, incoming.ArrivedAt)
	}
	return exchange.DispositionIgnored, err
}

// ResentLetter is the result of Resend.
type ResentLetter struct {
	To     string
	Number int64
}

// Resend sends the current state of the match to a player who has lost the letters, at the operator's command. The match does not change,
// the other players are not told, and the tokens of older letters stay valid unless the seat's key was exposed.
func (a *Adjudicator) Resend(ctx context.Context, matchID string, seat rules.Seat) (r ResentLetter, err error) {
	err = withSeat(ctx, a, matchID, seat, func(m *match.Match, seatState *match.Seat) error {
		run, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: seatState.Player.Address}})
		if err != nil {
			return err
		}
		run.answer.FullLetterSeats = rules.Only(seat)
		run.turn.ReportLine(seat, "", match.OutcomeDone, resendIntroduction(m, seat, run.turn.Game))
		outgoing, err := writeSeatLetter(run, seat, rules.NoSeat)
		if err != nil {
			return err
		}
		r = ResentLetter{To: outgoing.To, Number: outgoing.Number}
		// The only change of the match is the number of its last letter.
		return a.Store.Apply(ctx, exchange.Change{Match: m, Letters: []exchange.OutgoingLetter{outgoing}})
	})
	return r, err
}

// resendIntroduction returns the introduction of a letter that the operator sends again. A player who has not
// joined gets no copy of the invitation, because it names addresses that may have changed.
func resendIntroduction(m *match.Match, seat rules.Seat, g *rules.Game) string {
	const opening = "The operator of Samizdat sends you this letter in case earlier letters to you were lost. "
	if m.State == match.Inviting && !m.Seats[seat].Joined {
		return fmt.Sprintf("%sYou are invited to a match of %s. %s The words are mixed into the dice, and everybody is shown them when the "+
			"match begins.", opening, g.Title(), invitation.HowToJoin(m))
	}
	if m.State == match.CalledOff {
		return opening + "The match was called off before it began."
	}
	if m.State == match.Over {
		return opening + "It tells how the match ended."
	}
	return opening + "It shows the current position, and you can reply to it. To see an older letter again, write RESEND and its number."
}
