package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// A change of a player's address follows the state machine of package contact. This file passes events (orders of
// players, due times, commands of the operator) to the state machine, and sends the resulting notices as letters.
// Answers to the notices are in addressanswer.go.

// noLetterNumber is the letter number in the tokens of notices. No letter has this number, so a bounce of a notice has
// no effect on the match.
const noLetterNumber = 0

// playerChange holds the changes that a letter makes outside its match: to the player, and to the player's other
// matches.
type playerChange struct {
	player       *match.Player
	otherMatches []*match.Match
	// letters are notices to the player's addresses, and letters to the player's seats in other matches.
	letters []exchange.OutgoingLetter
}

// findObjectionStart returns the time from which the old address can object to the player's open request: the time when
// the notice was sent (even if it bounced), or the current time if the notice is still queued. If the system clock has
// jumped since the request, the result is never earlier than the first run of RunDueTasks after the jump.
func findObjectionStart(ctx context.Context, a *Adjudicator, player *match.Player) (time.Time, error) {
	var objectionStart time.Time
	if afterJump := a.clockJumps.timeAfterJump(); afterJump.After(player.Request.ObjectionStart()) {
		objectionStart = afterJump
	}
	reader, ok := a.Store.(exchange.NoticeAndSeatReader)
	if !ok {
		return objectionStart, nil
	}
	sent, isQueued, err := reader.NoticeSentAt(ctx, a.Replies.NoticeID(player.Request, player.Address))
	if isQueued {
		sent = a.Now() // The three days for an objection begin only when the notice is sent.
	}
	// Ignore a time in the future: the system clock was set back after the notice was sent.
	if sent.After(objectionStart) && !sent.After(a.Now()) {
		objectionStart = sent
	}
	return objectionStart, err
}

// updateContact applies an event to the contact of the writer, and writes the notices. If a notice cannot be written,
// the contact does not change.
func updateContact(ctx context.Context, run *letterRun, event contact.Event, now time.Time) error {
	player := run.turn.Match.Seats[run.execution.Seat].Player
	before := player.Contact
	next, notices, err := contact.Update(before, event, now)
	if err != nil {
		return err
	}
	player.Contact = next
	letters, err := writeAddressNotices(ctx, run.adjudicator, run.turn.Match, run.execution.Seat, notices)
	if err != nil {
		player.Contact = before
		return err
	}
	run.effects.playerChange.player, run.effects.playerChange.letters = player, append(run.effects.playerChange.letters, letters...)
	if next.Address == before.Address {
		return nil
	}
	return moveAddress(ctx, run, player)
}

// completeAddressChange carries out a change of address if the old address has not objected for three days. It postpones the change
// while the notice to the old address is queued.
func completeAddressChange(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, now time.Time) error {
	player := m.Seats[seat].Player
	request := player.Request
	objectionStart, err := findObjectionStart(ctx, a, player)
	if err != nil {
		return err
	}
	run, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: player.Address}})
	if err != nil {
		return err
	}
	if err := updateContact(ctx, run, contact.ObjectionTimeEnd{KnownSince: objectionStart}, now); err != nil {
		return err
	}
	if player.Request != nil {
		return a.Store.Apply(ctx, exchange.Change{Player: player, Letters: run.effects.playerChange.letters})
	}
	run.turn.ReportLine(seat, "", match.OutcomeDone, compose.DescribeAddressDone(request))
	return run.store(ctx, rules.NoSeat)
}

// moveAddress sends all letters of a player to the new address from now on, with new tokens. The writer's seat gets
// its new token in the answer. Each of the player's other seats gets a new token in a separate letter.
func moveAddress(ctx context.Context, run *letterRun, player *match.Player) error {
	change, seatState := &run.effects.playerChange, &run.turn.Match.Seats[run.execution.Seat]
	if err := renewKey(run.adjudicator, seatState); err != nil {
		return err
	}
	seatState.IgnoreBouncesThrough = seatState.LastLetter
	change.letters = append(change.letters, writeNewAddressLetters(ctx, run.adjudicator, run.turn.Match, player, run.execution.Seat)...)
	return updateOtherMatches(ctx, run, player, false, func(m *match.Match) {
		change.letters = append(change.letters,
			writeNewAddressLetters(ctx, run.adjudicator, m, player, rules.NoSeat)...)
	})
}

// updateOtherMatches calls update for each of the player's other matches; if onlyPlaying is set, only for matches in
// play. The matches are stored with the change of this run.
func updateOtherMatches(ctx context.Context, run *letterRun, player *match.Player, onlyPlaying bool, update func(*match.Match)) error {
	reader, ok := run.adjudicator.Store.(exchange.NoticeAndSeatReader)
	if !ok {
		return nil
	}
	seats, err := reader.SeatsOf(ctx, player.ID)
	if err != nil {
		return err
	}
	lastID := run.turn.Match.ID
	for _, ref := range seats {
		if ref.Match == run.turn.Match.ID || ref.Match == lastID || onlyPlaying && ref.State != match.Playing {
			continue
		}
		lastID = ref.Match
		others := &run.effects.playerChange.otherMatches
		i := slices.IndexFunc(*others, func(m *match.Match) bool { return m.ID == ref.Match })
		if i < 0 {
			m, err := run.adjudicator.Store.Match(ctx, ref.Match)
			if err != nil {
				return err
			}
			i, *others = len(*others), append(*others, m)
		}
		update((*others)[i])
	}
	return nil
}

// writeNewAddressLetters tells a player, after a change of address, the new token of each seat in a match. The seat in
// skipped (rules.NoSeat for none) gets no letter. If the match is over or a letter cannot be written, the seat gets its
// new token in its next letter.
func writeNewAddressLetters(ctx context.Context, a *Adjudicator, m *match.Match, player *match.Player,
	skipped rules.Seat) (letters []exchange.OutgoingLetter) {
	for i := range m.Seats {
		seatState, seat := &m.Seats[i], rules.Seat(i)
		if seatState.Player != player && (player.ID == 0 || seatState.Player.ID != player.ID) || seat == skipped {
			continue
		}
		seatState.Player, seatState.IgnoreBouncesThrough = player, seatState.LastLetter
		before := *seatState
		var outgoing exchange.OutgoingLetter
		err := recoverPanic(func() error {
			if m.State == match.Over || m.State == match.CalledOff {
				return nil
			}
			run, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: player.Address}})
			if err == nil {
				err = renewKey(a, seatState)
			}
			if err == nil {
				run.turn.ReportLine(seat, "", match.OutcomeDone, compose.AddressMovedText)
				outgoing, err = writeSeatLetter(run, seat, rules.NoSeat)
			}
			return err
		})
		if err == nil && m.State != match.Over && m.State != match.CalledOff {
			letters = append(letters, outgoing)
			continue
		}
		*seatState = before
		seatState.KeyExposed = true
		if err != nil {
			a.Log.ErrorContext(ctx, "cannot notify a player of the new address", "match", m.ID, "seat", i, "error", err)
		}
	}
	return letters
}

// minClockJump is the gap between two runs of RunDueTasks that counts as a jump of the clock. A long stop of the daemon counts too, because
// the old address could not object in that time.
const minClockJump = 24 * time.Hour

// clockJumpDetector detects jumps of the system clock by comparing the times of the runs of RunDueTasks. For example, a
// slow clock jumps ahead when it is corrected. A jump must not end the three days for an objection early.
type clockJumpDetector struct {
	mu                 sync.Mutex
	lastRun, afterJump time.Time
}

func (w *clockJumpDetector) recordRun(now time.Time) {
	now = now.Round(0) // Drop the monotonic time, which does not jump.
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.lastRun.IsZero() && now.Sub(w.lastRun) > minClockJump:
		w.afterJump = now
	case now.Before(w.afterJump):
		w.afterJump = time.Time{} // The clock was set back again.
	}
	w.lastRun = now
}

// timeAfterJump returns the time of the first run after the last jump of the clock; zero if the clock has not jumped.
func (w *clockJumpDetector) timeAfterJump() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.afterJump
}

// ChangeAddress handles ADDRESS in a letter to the club. The returned letters are notices to the old and the new
// address; their texts name the match of ref.
func (a *Adjudicator) ChangeAddress(ctx context.Context, player *match.Player, ref match.SeatRef, incoming exchange.Letter,
	command letter.Command) (result CommandResult, changed bool, letters []exchange.OutgoingLetter, err error) {
	m, err := a.Store.Match(ctx, ref.Match)
	if err != nil {
		return result, false, nil, err
	}
	m.Seats[ref.Seat].Player = player
	turn := &match.Turn{Match: m, Now: a.Now().UTC()}
	run := &letterRun{adjudicator: a, letter: incoming, turn: turn, execution: &match.Execution{Turn: turn, Seat: ref.Seat}}
	result, err = handleAddressOrder(ctx, run, command, "")
	return result, run.effects.playerChange.player != nil, run.effects.playerChange.letters, err
}

// handleAddressOrder carries out ADDRESS. The reply tells the player how to cancel a request that a stranger made: write
// ADDRESS KEEP, followed by extraOrder, e.g. " and NEW TOKEN".
func handleAddressOrder(ctx context.Context, run *letterRun, command letter.Command, extraOrder string) (CommandResult, error) {
	switch {
	case (command.Choice == "KEEP" || command.Choice == "YES") &&
		run.turn.Match.Seats[run.execution.Seat].Player.OpenRequest(run.adjudicator.Now()) == nil:
		return succeed("There is no open request, and nothing changes.")
	case command.Choice == "KEEP":
		return keepOldAddress(ctx, run, "")
	case command.Choice == "YES":
		return refuseAndContinue("That counts only in reply to the letter with the question, from the address we sent it to. " +
			describeAddress(run))
	case command.Choice == "ONLY":
		if err := updateContact(ctx, run, contact.RemoveOtherAddresses{}, run.adjudicator.Now()); err != nil {
			return refuseAndContinue(match.ErrorSentence(err))
		}
		return succeed("You have one address. " + describeAddress(run))
	case command.Text == "":
		return succeed(describeAddress(run))
	}
	return requestAddress(ctx, run, command.Text, command.Choice != "", extraOrder)
}

func describeAddress(run *letterRun) string {
	player := run.turn.Match.Seats[run.execution.Seat].Player
	return compose.DescribeAddresses(player, player.OpenRequest(run.adjudicator.Now()))
}

// requestAddress asks the new and the old address for their consent. An authenticated letter from the old address
// counts as its consent. isAdditional is set if the player also keeps the old address.
func requestAddress(ctx context.Context, run *letterRun, text string, isAdditional bool, extraOrder string) (CommandResult, error) {
	player := run.turn.Match.Seats[run.execution.Seat].Player
	isAuthenticated := run.letter.Authenticate != nil && contact.SameAddress(run.letter.From, player.Address)
	to, err := contact.ParseAddress(text, run.adjudicator.Codec.Referee())
	if err == nil {
		err = updateContact(ctx, run, contact.ChangeRequest{To: to, Additional: isAdditional,
			Origin: contact.Origin{Match: run.turn.Match.ID, Seat: run.execution.Seat}, SenderIsAuthenticated: isAuthenticated},
			run.adjudicator.Now())
	}
	for _, unreachable := range []error{errNewUnreachable, errOldUnreachable} {
		if errors.Is(err, unreachable) {
			err = unreachable
		}
	}
	if err != nil {
		return refuseAndContinue(match.ErrorSentence(err))
	}
	keepHint := " If you did not ask for this, write ADDRESS KEEP" + extraOrder + "."
	request := player.Request
	if isAuthenticated {
		return succeed(fmt.Sprintf("We have written to %s. When that address answers YES, %s. Until then, for at most %d days, "+
			"nothing changes.", request.To, compose.DescribeAddressEffect(request), contact.ConfirmDays) + keepHint)
	}
	return succeed(fmt.Sprintf("We have written to %s and to %s. When both answer YES, %s at once; if only %s answers YES, not before "+
		"%s. Until then nothing changes. The question is open for %d days.",
		request.To, player.Address, compose.DescribeAddressEffect(request), request.To,
		compose.FormatPlayerTime(player, request.NoticeTime.Add(contact.ObjectionPeriod)),
		contact.ConfirmDays) + keepHint)
}

func keepOldAddress(ctx context.Context, run *letterRun, addedText string) (CommandResult, error) {
	if err := updateContact(ctx, run, contact.KeepOldAddress{}, run.adjudicator.Now()); err != nil {
		return refuseAndContinue(match.ErrorSentence(err))
	}
	return succeed("The requested change of address is cancelled. " + describeAddress(run) + addedText)
}

// StartAddressChange starts a change of address, at the operator's command, for a player who has lost access to the
// mailbox. The old address may object until the returned time. The new request replaces an earlier one.
func (a *Adjudicator) StartAddressChange(ctx context.Context, matchID string, seat rules.Seat, to string) (due time.Time, err error) {
	err = withSeat(ctx, a, matchID, seat, func(m *match.Match, seatState *match.Seat) error {
		address, err := contact.ParseAddress(strings.TrimSpace(to), a.Codec.Referee())
		if err != nil {
			return err
		}
		change := contact.OperatorChange{To: address, Origin: contact.Origin{Match: m.ID, Seat: seat}}
		next, notices, err := contact.Update(seatState.Player.Contact, change, a.Now())
		if err != nil {
			return err
		}
		seatState.Player.Contact, due = next, next.Request.Due
		letters, err := writeAddressNotices(ctx, a, m, seat, notices)
		if err != nil {
			return err
		}
		return a.Store.Apply(ctx, exchange.Change{Match: m, Player: seatState.Player, Letters: letters})
	})
	return due, err
}

// CancelAddressChange cancels a change of address, at the operator's command, for a player who cannot object by mail.
// As after an objection by mail, replies to older letters no longer count. Without a request the error is contact.ErrNoRequest.
func (a *Adjudicator) CancelAddressChange(ctx context.Context, matchID string, seat rules.Seat) error {
	return withSeat(ctx, a, matchID, seat, func(m *match.Match, seatState *match.Seat) error {
		request := seatState.Player.OpenRequest(a.Now())
		if request == nil {
			return contact.ErrNoRequest
		}
		if request.Origin != (contact.Origin{Match: matchID, Seat: seat}) {
			// The request came through a seat of another match, so the key of that seat must change.
			return a.CancelAddressChange(ctx, request.Match, request.Seat)
		}
		run, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: seatState.Player.Address}})
		if err != nil {
			return err
		}
		if err := renewKey(a, seatState); err != nil {
			return err
		}
		result, err := keepOldAddress(ctx, run, " The operator decided this. Our reply address for you has changed: reply to this "+
			"letter or a newer one, because "+
			"replies to older letters no longer count.")
		if err != nil {
			return err
		}
		run.reportOutcome("", result)
		return run.store(ctx, rules.NoSeat)
	})
}
