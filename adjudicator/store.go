package adjudicator

import (
	"context"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// MatchStatus is a short status of a match for a seat.
type MatchStatus struct {
	Match string
	Seat  rules.Seat
	// Summary names the match, the state of play and what the seat has to do. TimeLeft is the time left; empty without a clock.
	Summary, TimeLeft string
	// IsToMove reports whether the seat is to move.
	IsToMove bool
}

// DescribeStatus returns the status of a match from a seat's view.
func (a *Adjudicator) DescribeStatus(ctx context.Context, m *match.Match, seat rules.Seat) (s MatchStatus, err error) {
	run, err := a.newRun(ctx, m, seat, exchange.Letter{})
	if err != nil {
		return s, err
	}
	s = MatchStatus{Match: m.ID, Seat: seat, Summary: strings.TrimSpace(strings.TrimSuffix(compose.SubjectFor(run.turn, seat,
		compose.Options{Extent: compose.ExtentFull}), "["+m.ID+"]"))}
	if run.turn.After == nil {
		s.IsToMove = !m.Seats[seat].Joined
		return s, nil
	}
	s.IsToMove, _ = run.turn.AskStatus(seat)
	if !m.Tempo.IsUntimed() && m.State == match.Playing {
		s.TimeLeft = compose.DescribeOwnTime(run.turn, seat)
	}
	return s, nil
}

// WriteStatus writes the current state of a match to a seat, like Resend, with the reason. The caller stores the match,
// which counts the letter.
func (a *Adjudicator) WriteStatus(ctx context.Context, m *match.Match, seat rules.Seat, reason string) (exchange.OutgoingLetter, error) {
	run, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: m.Seats[seat].Player.Address}})
	if err != nil {
		return exchange.OutgoingLetter{}, err
	}
	run.answer.FullLetterSeats = rules.Only(seat)
	run.turn.ReportLine(seat, "", match.OutcomeDone, reason)
	return writeSeatLetter(run, seat, rules.NoSeat)
}

// Club handles the letters of a club. It uses the methods of this file.
type Club interface {
	// Receive handles a letter without a valid token of a seat, and reports whether it belongs to the club. It
	// stores the effect in one transaction, and may be called again with the same letter.
	Receive(ctx context.Context, incoming exchange.Letter) (disposition exchange.Disposition, done bool, err error)
	// ReceiveNewcomer handles a letter of an unknown sender that contains no order, e.g. "Hello, I would like to join".
	ReceiveNewcomer(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error)
	// MemberKey returns the key of a member's tokens, and the address; a nil key for an unknown number.
	MemberKey(ctx context.Context, member int64) (key []byte, address string, err error)
	// ReceiveComplaint unsubscribes a member from news. The complaint about a letter names the member's token.
	ReceiveComplaint(ctx context.Context, incoming exchange.Letter) error
}

func (a *Adjudicator) receiveForClub(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, bool, error) {
	if a.Club == nil {
		return "", false, nil
	}
	return a.Club.Receive(ctx, incoming)
}

func (a *Adjudicator) verifyMemberToken(ctx context.Context, token exchange.Token, isGenuine func(key []byte) bool,
	address string) (bool, error) {
	if a.Club == nil || token.Member == 0 {
		return false, nil
	}
	key, memberAddress, err := a.Club.MemberKey(ctx, token.Member)
	return err == nil && key != nil && contact.SameAddress(memberAddress, address) && isGenuine(key), err
}

// DescribeVacations lists a player's planned vacations, and the days left.
func (a *Adjudicator) DescribeVacations(player *match.Player) string {
	return strings.TrimSpace(compose.DescribePlannedVacations(player, a.Now()) + compose.DescribeVacationBudget(player, a.Now(),
		a.VacationDays))
}
