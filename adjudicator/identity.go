package adjudicator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// renewKey changes the key of a seat's tokens. The next letter to the seat must be sent, because its token is the only valid one.
func renewKey(a *Adjudicator, seatState *match.Seat) error {
	key, err := newSeatKey(a)
	if err != nil {
		return err
	}
	seatState.Key, seatState.KeyExposed = key, false
	return nil
}

func renewExposedKey(a *Adjudicator, seatState *match.Seat) (sentences []string, err error) {
	if !seatState.KeyExposed {
		return nil, nil
	}
	if err := renewKey(a, seatState); err != nil {
		return nil, err
	}
	return []string{"Our reply address for you has changed: reply to this letter, because replies to older letters no longer " +
		"count. An earlier letter of yours asked for this or also went to another address, or your own address has changed."}, nil
}

// savedState is a copy of the parts of a match that a letter can change, without counters and clocks.
type savedState struct {
	State   match.State
	Pending []match.PendingAnswer
	Seats   []match.Seat
	// Takeback is the request for a take-back; Lifecycle has the other requests.
	Takeback  *match.Takeback
	Lifecycle match.Lifecycle
}

func captureState(m *match.Match) savedState {
	state := savedState{m.State, append([]match.PendingAnswer{}, m.Pending...), slices.Clone(m.Seats), m.Takeback, m.Lifecycle}
	for i := range state.Seats {
		p := *state.Seats[i].Player
		state.Seats[i].Player, state.Seats[i].Key = &p, bytes.Clone(state.Seats[i].Key)
		state.Seats[i].LastLetter, state.Seats[i].MessagesSent, state.Seats[i].Clock = 0, match.DailyCount{}, clock.Clock{}
	}
	return state
}

// dropAnswerOverLimit omits the answer to a letter if its writer has lately had too many answers to letters of the same kind. This ends a
// loop of two programs that answer each other. There are three kinds: letters without an effect, changes of pending orders, and changes of
// settings. Changes are limited, because a program can repeat them for ever: for example, each letter that also goes to another address
// changes the key. Letters that added entries or changed the state of the match are always answered.
//
// If an answer with a token of a new key is omitted, the old key stays valid until the next letter to the seat.
//
// dropAnswerOverLimit runs before the answer is composed, because composing is slow.
func dropAnswerOverLimit(ctx context.Context, run *letterRun, seat rules.Seat) {
	if run.before == nil || seat == rules.NoSeat {
		return
	}
	m, before := run.turn.Match, run.before
	seatState, isKeyRenewed := &m.Seats[seat], !bytes.Equal(before.Seats[seat].Key, m.Seats[seat].Key)
	asksOtherAddress := isKeyRenewed && slices.ContainsFunc(slices.Concat(run.effects.playerChange.letters, run.effects.operatorLetters),
		func(outgoing exchange.OutgoingLetter) bool {
			return outgoing.Seat == rules.NoSeat && outgoing.Observer == 0
		})
	// Requests for letters to other addresses have a limit of their own.
	if len(run.turn.Entries) > 0 || before.State != m.State || asksOtherAddress {
		run.answer.Unanswered = false
		return
	}
	if !run.exceedsAnswerLimit(ctx, before.changeKind(captureState(m), seat)) {
		return
	}
	a := run.adjudicator
	a.Log.WarnContext(ctx, "a letter is not answered, because its writer has had too many answers", "match", m.ID, "seat", int(seat),
		"token_waits", isKeyRenewed)
	if isKeyRenewed {
		seatState.Key, seatState.KeyExposed = before.Seats[seat].Key, true
	}
	if proposal := seatState.Private.Proposal; proposal != nil && proposal.Number == seatState.LastLetter+1 {
		seatState.Private.Proposal = nil // the letter with the question is not sent
	}
	if reflect.DeepEqual(*before, captureState(m)) {
		run.letter.Raw = nil // Letters of a mail loop must not fill the disk.
	}
}

// exceedsAnswerLimit counts the answer to a letter, once, and reports whether its writer has had too many answers of this kind.
func (run *letterRun) exceedsAnswerLimit(ctx context.Context, kind string) bool {
	if !run.isAnswerCounted {
		run.isAnswerCounted, run.answer.Unanswered = true, !run.adjudicator.Replies.AllowAnswerTo(ctx, run.letter,
			kind+fmt.Sprintf("seat %s %d", run.turn.Match.ID, run.execution.Seat),
			run.turn.Match.Seats[run.execution.Seat].Player.Address)
	}
	return run.answer.Unanswered
}

// changeKind returns the kind of a change of this seat for exceedsAnswerLimit: "orders of " or "changes of "; empty for no change.
func (s savedState) changeKind(after savedState, seat rules.Seat) string {
	switch {
	case !reflect.DeepEqual(s.Pending, after.Pending), s.Takeback != after.Takeback, !reflect.DeepEqual(s.Lifecycle, after.Lifecycle),
		s.Seats[seat].Private.DelayedLetter != after.Seats[seat].Private.DelayedLetter:
		return "orders of "
	case !reflect.DeepEqual(s.withoutKeyRenewals(s, seat), after.withoutKeyRenewals(s, seat)):
		return "changes of "
	}
	return ""
}

// withoutKeyRenewals returns a copy for a comparison with before. It has only the key of this seat, and not even that key if it was exposed
// before the letter, because the next letter to the seat changes an exposed key.
func (s savedState) withoutKeyRenewals(before savedState, seat rules.Seat) savedState {
	s.Seats = slices.Clone(s.Seats)
	for i := range s.Seats {
		if rules.Seat(i) != seat || before.Seats[i].KeyExposed {
			s.Seats[i].Key = nil
		}
		s.Seats[i].KeyExposed = false
	}
	return s
}

// findWriterSeat finds the match and seat of a letter by its token. The match is nil if the token is not valid, or if the sender is not an
// address of the seat's player.
func (a *Adjudicator) findWriterSeat(ctx context.Context, incoming exchange.Letter) (*match.Match, rules.Seat, error) {
	if incoming.Token == nil || incoming.SignedBy == nil {
		return nil, rules.NoSeat, nil
	}
	seat := incoming.Token.Seat
	m, seatState, err := a.findTokenSeat(ctx, incoming.Token.Match, seat)
	if err != nil || seatState == nil {
		return nil, rules.NoSeat, err
	}
	if incoming.From == "" || !incoming.SignedBy(seatState.Key) || !seatState.Player.Contains(incoming.From) {
		return nil, rules.NoSeat, nil
	}
	return m, seat, nil
}

// VerifyToken reports whether a token is valid. A token of the director, a member or an observer must also belong to the address. isValid
// checks the signature of the token with a key.
func (a *Adjudicator) VerifyToken(ctx context.Context, token exchange.Token, isValid func(key []byte) bool, address string) (bool,
	error) {
	switch {
	case token.Director:
		return contact.SameAddress(address, a.Director) && isValid(a.Replies.DirectorKey()), nil
	case token.Match == exchange.ClubName:
		return a.verifyMemberToken(ctx, token, isValid, address)
	case token.Seat == rules.NoSeat:
		return isValid(a.Replies.ObserverKey(address)), nil
	}
	_, seatState, err := a.findTokenSeat(ctx, token.Match, token.Seat)
	return seatState != nil && isValid(seatState.Key), err
}

// findTokenSeat finds the match and seat that a token names. The seat is nil if it does not exist: a forged token may name any seat.
func (a *Adjudicator) findTokenSeat(ctx context.Context, match string, seat rules.Seat) (*match.Match, *match.Seat, error) {
	m, err := a.findMatch(ctx, match)
	if err != nil || m == nil || seat < 0 || int(seat) >= len(m.Seats) {
		return m, nil, err
	}
	return m, &m.Seats[seat], nil
}

// findMatch reads a match; nil if it does not exist.
func (a *Adjudicator) findMatch(ctx context.Context, id string) (*match.Match, error) {
	m, err := a.Store.Match(ctx, id)
	if errors.Is(err, exchange.ErrNoMatch) {
		return nil, nil
	}
	return m, err
}

// chooseCandidate chooses the newest valid token of a letter that has several tokens, so that a forged token cannot
// hide the valid token. Without a valid token, or with valid tokens of several seats, the letter stays as it is.
func chooseCandidate(ctx context.Context, a *Adjudicator, incoming exchange.Letter) (exchange.Letter, error) {
	if len(incoming.Candidates) < 2 || len(incoming.Candidates) > exchange.MaxCandidates {
		return incoming, nil
	}
	var best *exchange.CandidateToken
	matches := map[string]*match.Match{}
	for i := range incoming.Candidates {
		c := &incoming.Candidates[i]
		m, isCached := matches[c.Token.Match]
		if !isCached {
			var err error
			if m, err = a.findMatch(ctx, c.Token.Match); err != nil {
				return incoming, err
			}
			matches[c.Token.Match] = m
		}
		switch token := c.Token; {
		case m == nil || token.Seat < 0 || int(token.Seat) >= len(m.Seats) || !c.SignedBy(m.Seats[token.Seat].Key):
		case best != nil && (best.Token.Match != token.Match || best.Token.Seat != token.Seat):
			return incoming, nil // A letter concerns one seat.
		case best == nil || token.Number > best.Token.Number:
			best = c
		}
	}
	if best != nil {
		token := best.Token
		incoming.Token, incoming.SignedBy = &token, best.SignedBy
	}
	return incoming, nil
}
