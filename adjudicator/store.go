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

// MatchStatus is a short status of a match for a seat. The club sends a member the list of the member's matches with
// their status.
type MatchStatus struct {
	Match string
	Seat  rules.Seat
	// Summary is the subject of a letter about the match, e.g. "Your move: 1989 v. Ben, turn 3". TimeLeft describes the
	// seat's clock; it is empty if the match has no clock.
	Summary, TimeLeft string
	// IsToMove is set if the seat is to move or has to join.
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

// WriteStatus returns a letter to a seat with the current state of a match and the reason for the letter. The caller
// must store the match, because the match counts the letters to a seat.
func (a *Adjudicator) WriteStatus(ctx context.Context, m *match.Match, seat rules.Seat, reason string) (exchange.OutgoingLetter, error) {
	run, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: m.Seats[seat].Player.Address}})
	if err != nil {
		return exchange.OutgoingLetter{}, err
	}
	run.answer.FullLetterSeats = rules.Only(seat)
	run.turn.ReportLine(seat, "", match.OutcomeDone, reason)
	return writeSeatLetter(run, seat, rules.NoSeat)
}

// Club handles the letters to a club. Package clubmail implements it with the methods of this file.
type Club interface {
	// Receive handles a letter without a valid token of a seat. isHandled is set if the letter belongs to the club. Receive stores the
	// effect in one transaction, and may be called again with the same letter.
	Receive(ctx context.Context, incoming exchange.Letter) (disposition exchange.Disposition, isHandled bool, err error)
	// ReceiveNewcomer handles a letter of an unknown sender that contains no order, e.g. "Hello, I would like to join".
	ReceiveNewcomer(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error)
	// MemberKey returns the key of a member's tokens and the member's address. The key is nil if the member does not
	// exist.
	MemberKey(ctx context.Context, member int64) (key []byte, address string, err error)
	// ReceiveComplaint handles a spam complaint (RFC 5965) about a letter with a member's token: it unsubscribes the member from news.
	ReceiveComplaint(ctx context.Context, incoming exchange.Letter) error
}

func (a *Adjudicator) receiveForClub(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, bool, error) {
	if a.Club == nil {
		return "", false, nil
	}
	return a.Club.Receive(ctx, incoming)
}

func (a *Adjudicator) verifyMemberToken(ctx context.Context, token exchange.Token, isValid func(key []byte) bool,
	address string) (bool, error) {
	if a.Club == nil || token.Member == 0 {
		return false, nil
	}
	key, memberAddress, err := a.Club.MemberKey(ctx, token.Member)
	return err == nil && key != nil && contact.SameAddress(memberAddress, address) && isValid(key), err
}

// DescribeVacations lists a player's planned vacations, and the days left.
func (a *Adjudicator) DescribeVacations(player *match.Player) string {
	return strings.TrimSpace(compose.DescribePlannedVacations(player, a.Now()) + compose.DescribeVacationBudget(player, a.Now(),
		a.VacationDays))
}
