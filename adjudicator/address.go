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

// Changes of a player's address follow the state machine of package contact. This file feeds it with events
// (orders, due times, acts of the operator; answers are in addressanswer.go) and sends its notices as letters.

// noLetterNumber is the number in the tokens of notices. A bounce of a notice has no effect for the letters of the match.
const noLetterNumber = 0

// addressChange gathers what a letter changes outside its own match: the player, and the player's other matches.
type addressChange struct {
	// player is the changed player, others are other matches that change too.
	player *match.Player
	others []*match.Match
	// letters are notices to the player's addresses, and letters to the player's seats in other matches.
	letters []exchange.OutgoingLetter
}

// findNoticeTime returns when the notice of a player's open request was sent to the old address, which has known of it since then.
// A queued notice does not count yet; a bounced notice counts. Times from before a leap of the system clock are ignored.
func findNoticeTime(ctx context.Context, a *Adjudicator, p *match.Player) (time.Time, error) {
	var since time.Time
	if leap := a.clockWatch.lastLeap(); leap.After(p.Request.WaitsSince()) {
		since = leap
	}
	addressBook, ok := a.Store.(exchange.AddressBook)
	if !ok {
		return since, nil
	}
	sent, isQueued, err := addressBook.NoticeSentAt(ctx, a.Replies.NoticeID(p.Request, p.Address))
	if isQueued {
		sent = a.Now() // It will be sent later; then this is checked again.
	}
	// If the sending lies in the future, the clock was set back, and the wait counts from its start.
	if sent.After(since) && !sent.After(a.Now()) {
		since = sent
	}
	return since, err
}

// stepContact applies an event to the contact of the writer, and writes the notices. On an error the contact is
// unchanged.
func stepContact(ctx context.Context, run *letterRun, e contact.Event, now time.Time) error {
	p := run.turn.Match.Seats[run.play.Seat].Player
	before := p.Contact
	next, notices, err := contact.Update(before, e, now)
	if err != nil {
		return err
	}
	p.Contact = next
	letters, err := addressLetters(ctx, run.adjudicator, run.turn.Match, run.play.Seat, notices)
	if err != nil {
		p.Contact = before
		return err
	}
	run.effects.contact.player, run.effects.contact.letters = p, append(run.effects.contact.letters, letters...)
	if next.Address == before.Address {
		return nil
	}
	return moveAddress(ctx, run, p)
}

// elapseRequest carries out a change of address if the old address has not objected for three days. It postpones the change while the
// notice to the old address is queued.
func elapseRequest(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, until time.Time) error {
	p := m.Seats[seat].Player
	request := p.Request
	known, err := findNoticeTime(ctx, a, p)
	if err != nil {
		return err
	}
	run, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: p.Address}})
	if err != nil {
		return err
	}
	if err := stepContact(ctx, run, contact.Elapse{Known: known}, until); err != nil {
		return err
	}
	if p.Request != nil {
		return a.Store.Apply(ctx, exchange.Change{Player: p, Letters: run.effects.contact.letters})
	}
	run.turn.ReportLine(seat, "", match.OutcomeDone, compose.DescribeAddressDone(request))
	return run.apply(ctx, rules.NoSeat)
}

// moveAddress sends all letters of a player to the new address. The seat of this letter gets a new token with its
// answer, the player's other seats with letters of their own.
func moveAddress(ctx context.Context, run *letterRun, p *match.Player) error {
	c, seatState := &run.effects.contact, &run.turn.Match.Seats[run.play.Seat]
	if err := renewKey(run.adjudicator, seatState); err != nil {
		return err
	}
	seatState.IgnoreBouncesThrough = seatState.Letters
	c.letters = append(c.letters, writeNewAddressLetters(ctx, run.adjudicator, run.turn.Match, p, run.play.Seat)...)
	return changeOtherMatches(ctx, run, p, false, func(m *match.Match) {
		c.letters = append(c.letters,
			writeNewAddressLetters(ctx, run.adjudicator, m, p, rules.NoSeat)...)
	})
}

// changeOtherMatches calls update for the other matches of a player, or with onlyPlaying for those in play. They are stored with the
// change of this run.
func changeOtherMatches(ctx context.Context, run *letterRun, p *match.Player, playing bool, do func(*match.Match)) error {
	addressBook, ok := run.adjudicator.Store.(exchange.AddressBook)
	if !ok {
		return nil
	}
	seats, err := addressBook.SeatsOf(ctx, p.ID)
	if err != nil {
		return err
	}
	lastID := run.turn.Match.ID
	for _, at := range seats {
		if at.Match == run.turn.Match.ID || at.Match == lastID || playing && at.State != match.Playing {
			continue
		}
		lastID = at.Match
		others := &run.effects.contact.others
		i := slices.IndexFunc(*others, func(m *match.Match) bool { return m.ID == at.Match })
		if i < 0 {
			m, err := run.adjudicator.Store.Match(ctx, at.Match)
			if err != nil {
				return err
			}
			i, *others = len(*others), append(*others, m)
		}
		do((*others)[i])
	}
	return nil
}

// writeNewAddressLetters writes a letter with a new token to each seat of a player in a match, except one, after a change of address.
// If the match is over or a letter fails, the token changes with the next letter.
func writeNewAddressLetters(ctx context.Context, a *Adjudicator, m *match.Match, p *match.Player,
	except rules.Seat) (letters []exchange.OutgoingLetter) {
	for i := range m.Seats {
		seatState, seat := &m.Seats[i], rules.Seat(i)
		if seatState.Player != p && (p.ID == 0 || seatState.Player.ID != p.ID) || seat == except {
			continue
		}
		seatState.Player, seatState.IgnoreBouncesThrough = p, seatState.Letters
		before := *seatState
		var d exchange.OutgoingLetter
		err := recoverPanic(func() error {
			if m.State == match.Over || m.State == match.CalledOff {
				return nil
			}
			run, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: p.Address}})
			if err == nil {
				err = renewKey(a, seatState)
			}
			if err == nil {
				run.turn.ReportLine(seat, "", match.OutcomeDone, compose.AddressMoved)
				d, err = letterTo(run, seat, rules.NoSeat)
			}
			return err
		})
		if err == nil && m.State != match.Over && m.State != match.CalledOff {
			letters = append(letters, d)
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

// clockLeap is the gap between two runs of RunDueTasks that counts as a leap of the clock. A long stop of the daemon
// counts too, because the old address could not object in that time.
const clockLeap = 24 * time.Hour

// clockWatch detects leaps of the system clock by comparing the times of the runs of RunDueTasks. If a slow clock is corrected, it
// leaps ahead, and the three days for an objection could be over in a moment.
type clockWatch struct {
	mu                 sync.Mutex
	lastRun, afterLeap time.Time
}

// observe records the time of a run of RunDueTasks.
func (w *clockWatch) observe(now time.Time) {
	now = now.Round(0) // Drop the monotonic time: the wall clock is compared.
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.lastRun.IsZero() && now.Sub(w.lastRun) > clockLeap:
		w.afterLeap = now
	case now.Before(w.afterLeap):
		w.afterLeap = time.Time{} // The clock was set back again.
	}
	w.lastRun = now
}

// lastLeap returns the first time after the last leap of the clock; zero without one.
func (w *clockWatch) lastLeap() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.afterLeap
}

// ChangeAddress shows or changes a player's address, for a letter that belongs to no match. The notices to both addresses
// belong to the match of ref, and are returned.
func (a *Adjudicator) ChangeAddress(ctx context.Context, p *match.Player, at match.SeatRef, l exchange.Letter,
	c letter.Command) (out Outcome, changed bool, letters []exchange.OutgoingLetter, err error) {
	m, err := a.Store.Match(ctx, at.Match)
	if err != nil {
		return out, false, nil, err
	}
	m.Seats[at.Seat].Player = p
	turn := &match.Turn{Match: m, Now: a.Now().UTC()}
	run := &letterRun{adjudicator: a, letter: l, turn: turn, play: &match.Play{Turn: turn, Seat: at.Seat}}
	out, err = doAddress(ctx, run, c, "")
	return out, run.effects.contact.player != nil, run.effects.contact.letters, err
}

// doAddress carries out ADDRESS. extraOrder is the order that also stops a stranger's request, e.g. " and NEW TOKEN".
func doAddress(ctx context.Context, run *letterRun, c letter.Command, more string) (Outcome, error) {
	switch {
	case (c.Choice == "KEEP" || c.Choice == "YES") && run.turn.Match.Seats[run.play.Seat].Player.OpenRequest(run.adjudicator.Now()) == nil:
		return done("There is no open request, and nothing changes.")
	case c.Choice == "KEEP":
		return keepOldAddress(ctx, run, "")
	case c.Choice == "YES":
		return refuseAndContinue("That counts only in reply to the letter with the question, from the address we sent it to. " +
			describeAddress(run))
	case c.Choice == "ONLY":
		if err := stepContact(ctx, run, contact.RemoveOtherAddresses{}, run.adjudicator.Now()); err != nil {
			return refuseAndContinue(match.ErrorSentence(err))
		}
		return done("You have one address. " + describeAddress(run))
	case c.Text == "":
		return done(describeAddress(run))
	}
	return requestAddress(ctx, run, c.Text, c.Choice != "", more)
}

func describeAddress(run *letterRun) string {
	p := run.turn.Match.Seats[run.play.Seat].Player
	return compose.DescribeAddresses(p, p.OpenRequest(run.adjudicator.Now()))
}

// requestAddress asks the new and the old address for their consent. A signed letter from the old address counts as its consent.
// isAdditional is set if the old address stays valid too.
func requestAddress(ctx context.Context, run *letterRun, text string, isAdditional bool, more string) (Outcome, error) {
	p := run.turn.Match.Seats[run.play.Seat].Player
	proven := run.letter.Authenticate != nil && contact.SameAddress(run.letter.From, p.Address)
	to, err := contact.ParseAddress(text, run.adjudicator.Post.Referee())
	if err == nil {
		err = stepContact(ctx, run, contact.RequestChange{To: to, Additional: isAdditional,
			Origin: contact.Origin{Match: run.turn.Match.ID, Seat: run.play.Seat}, Proven: proven}, run.adjudicator.Now())
	}
	for _, unreachable := range []error{errNewUnreachable, errOldUnreachable} {
		if errors.Is(err, unreachable) {
			err = unreachable
		}
	}
	if err != nil {
		return refuseAndContinue(match.ErrorSentence(err))
	}
	keepHint := " If you did not ask for this, write ADDRESS KEEP" + more + "."
	r := p.Request
	if proven {
		return done(fmt.Sprintf("We have written to %s. When that address answers YES, %s. Until then, for at most %d days, "+
			"nothing changes.", r.To, compose.DescribeAddressEffect(r), contact.ConfirmDays) + keepHint)
	}
	return done(fmt.Sprintf("We have written to %s and to %s. When both answer YES, %s at once; if only %s answers YES, on %s "+
		"or later. Until then nothing changes. The question is open for %d days.",
		r.To, p.Address, compose.DescribeAddressEffect(r), r.To, compose.ClockTime(p, r.NoticeTime.Add(contact.ObjectionTime)),
		contact.ConfirmDays) + keepHint)
}

// keepOldAddress ends the open request. addedText is added to the answer.
func keepOldAddress(ctx context.Context, run *letterRun, more string) (Outcome, error) {
	if err := stepContact(ctx, run, contact.KeepOldAddress{}, run.adjudicator.Now()); err != nil {
		return refuseAndContinue(match.ErrorSentence(err))
	}
	return done("The requested change is canceled. " + describeAddress(run) + more)
}

// StartAddressChange starts a change of address for a player who has lost access to the mailbox. The old address is told and
// may object until the time due. An earlier request is replaced.
func (a *Adjudicator) StartAddressChange(ctx context.Context, matchID string, seat rules.Seat, to string) (due time.Time, err error) {
	err = atSeat(ctx, a, matchID, seat, func(m *match.Match, seatState *match.Seat) error {
		address, err := contact.ParseAddress(strings.TrimSpace(to), a.Post.Referee())
		if err != nil {
			return err
		}
		change := contact.OperatorChange{To: address, Origin: contact.Origin{Match: m.ID, Seat: seat}}
		next, notices, err := contact.Update(seatState.Player.Contact, change, a.Now())
		if err != nil {
			return err
		}
		seatState.Player.Contact, due = next, next.Request.Due
		letters, err := addressLetters(ctx, a, m, seat, notices)
		if err != nil {
			return err
		}
		// The notice bears a token of the seat, which must not change.
		return a.Store.Apply(ctx, exchange.Change{Match: m, Player: seatState.Player, Letters: letters})
	})
	return due, err
}

// CancelAddressChange ends a change of address for a player who cannot object. As after an objection by mail, older letters
// cannot be answered any more. Without a request the error is contact.ErrNoRequest.
func (a *Adjudicator) CancelAddressChange(ctx context.Context, matchID string, seat rules.Seat) error {
	return atSeat(ctx, a, matchID, seat, func(m *match.Match, seatState *match.Seat) error {
		r := seatState.Player.OpenRequest(a.Now())
		if r == nil {
			return contact.ErrNoRequest
		}
		if r.Origin != (contact.Origin{Match: matchID, Seat: seat}) {
			// The request came with a letter of another match, whose token has to change.
			return a.CancelAddressChange(ctx, r.Match, r.Seat)
		}
		run, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: seatState.Player.Address}})
		if err != nil {
			return err
		}
		if err := renewKey(a, seatState); err != nil {
			return err
		}
		o, err := keepOldAddress(ctx, run, " The operator has ended it. Our reply address for you has changed: replies to "+
			"older letters no longer count.")
		if err != nil {
			return err
		}
		run.reportOutcome("", o)
		return run.apply(ctx, rules.NoSeat)
	})
}
