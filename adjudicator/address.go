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

// noLetter is the number in the tokens of notices. A bounce of a notice has no effect for the letters of the match.
const noLetter = 0

// addressChange is the effect of a letter on its writer's contact.
type addressChange struct {
	// player is the changed player, others are other matches that change too.
	player *match.Player
	others []*match.Match
	// letters are notices to the player's addresses, and letters to the player's seats in other matches.
	letters []exchange.Dispatch
}

// noticeKnown returns the time since when the old address can know of a player's open request: the time at which
// the notice was sent. A queued notice is not known yet; a bounced one counts as known. Times from before a leap
// of the clock are ignored.
func noticeKnown(ctx context.Context, a *Adjudicator, p *match.Player) (time.Time, error) {
	var since time.Time
	if leap := a.clockWatch.lastLeap(); leap.After(p.Request.WaitsSince()) {
		since = leap
	}
	book, ok := a.Store.(exchange.AddressBook)
	if !ok {
		return since, nil
	}
	sent, waits, err := book.NoteSent(ctx, a.Replies.NoticeID(p.Request, p.Address))
	if waits {
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
func stepContact(ctx context.Context, j *letterRun, e contact.Event, now time.Time) error {
	p := j.turn.Match.Seats[j.play.Seat].Player
	was := p.Contact
	next, notices, err := contact.Update(was, e, now)
	if err != nil {
		return err
	}
	p.Contact = next
	letters, err := addressLetters(ctx, j.a, j.turn.Match, j.play.Seat, notices)
	if err != nil {
		p.Contact = was
		return err
	}
	j.reply.contact.player, j.reply.contact.letters = p, append(j.reply.contact.letters, letters...)
	if next.Address == was.Address {
		return nil
	}
	return moveAddress(ctx, j, p)
}

// elapseRequest carries out a change of address if the old address has not objected for three days. It postpones
// the change while the notice to the old address is still queued.
func elapseRequest(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, until time.Time) error {
	p := m.Seats[seat].Player
	asked := p.Request
	known, err := noticeKnown(ctx, a, p)
	if err != nil {
		return err
	}
	j, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: p.Address}})
	if err != nil {
		return err
	}
	if err := stepContact(ctx, j, contact.Elapse{Known: known}, until); err != nil {
		return err
	}
	if p.Request != nil {
		return a.Store.Apply(ctx, exchange.Change{Player: p, Letters: j.reply.contact.letters})
	}
	j.turn.ReportLine(seat, "", match.OutcomeDone, compose.AddressDone(asked))
	return j.apply(ctx, rules.NoSeat)
}

// moveAddress sends all letters of a player to the new address. The seat of this letter gets a new token with its
// answer, the player's other seats with letters of their own.
func moveAddress(ctx context.Context, j *letterRun, p *match.Player) error {
	c, who := &j.reply.contact, &j.turn.Match.Seats[j.play.Seat]
	if err := renewKey(j.a, who); err != nil {
		return err
	}
	who.IgnoreBouncesThrough = who.Letters
	c.letters = append(c.letters, followAddress(ctx, j.a, j.turn.Match, p, j.play.Seat)...)
	return tellMatchesElsewhere(ctx, j, p, false, func(m *match.Match) {
		c.letters = append(c.letters,
			followAddress(ctx, j.a, m, p, rules.NoSeat)...)
	})
}

// tellMatchesElsewhere calls do for the other matches of a player, or only for those in play. They are stored with
// this run's change.
func tellMatchesElsewhere(ctx context.Context, j *letterRun, p *match.Player, playing bool, do func(*match.Match)) error {
	book, ok := j.a.Store.(exchange.AddressBook)
	if !ok {
		return nil
	}
	seats, err := book.SeatsOf(ctx, p.ID)
	if err != nil {
		return err
	}
	done := j.turn.Match.ID
	for _, at := range seats {
		if at.Match == j.turn.Match.ID || at.Match == done || playing && at.State != match.Playing {
			continue
		}
		done = at.Match
		others := &j.reply.contact.others
		i := slices.IndexFunc(*others, func(m *match.Match) bool { return m.ID == at.Match })
		if i < 0 {
			m, err := j.a.Store.Match(ctx, at.Match)
			if err != nil {
				return err
			}
			i, *others = len(*others), append(*others, m)
		}
		do((*others)[i])
	}
	return nil
}

// followAddress tells a player's seats in a match, except one, of the new address, each with a new token. If the
// match is over or a letter fails, the token changes with the next letter.
func followAddress(ctx context.Context, a *Adjudicator, m *match.Match, p *match.Player, but rules.Seat) (letters []exchange.Dispatch) {
	for i := range m.Seats {
		who, seat := &m.Seats[i], rules.Seat(i)
		if who.Player != p && (p.ID == 0 || who.Player.ID != p.ID) || seat == but {
			continue
		}
		who.Player, who.IgnoreBouncesThrough = p, who.Letters
		was := *who
		var d exchange.Dispatch
		err := guarded(func() error {
			if m.State == match.Over || m.State == match.CalledOff {
				return nil
			}
			j, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: p.Address}})
			if err == nil {
				err = renewKey(a, who)
			}
			if err == nil {
				j.turn.ReportLine(seat, "", match.OutcomeDone, compose.AddressMoved)
				d, err = letterTo(j, seat, rules.NoSeat)
			}
			return err
		})
		if err == nil && m.State != match.Over && m.State != match.CalledOff {
			letters = append(letters, d)
			continue
		}
		*who = was
		who.KeyExposed = true
		if err != nil {
			a.Log.ErrorContext(ctx, "a player cannot be told of his new address", "match", m.ID, "seat", i, "error", err)
		}
	}
	return letters
}

// If a slow system clock is corrected, it leaps ahead, and the three days for an objection may be over in a
// moment. So clockWatch compares the times of the runs of Due.

// clockLeap is the gap between two runs of Due that counts as a leap of the clock. After a longer stop of the
// daemon the old address could not object either.
const clockLeap = 24 * time.Hour

type clockWatch struct {
	mu            sync.Mutex
	last, leaptTo time.Time
}

// observe records the time of a run of Due.
func (l *clockWatch) observe(now time.Time) {
	now = now.Round(0) // Drop the monotonic time: the wall clock is compared.
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.last.IsZero() && now.Sub(l.last) > clockLeap:
		l.leaptTo = now
	case now.Before(l.leaptTo):
		l.leaptTo = time.Time{} // The clock was set back again.
	}
	l.last = now
}

// lastLeap returns the first time after the last leap of the clock; zero without one.
func (l *clockWatch) lastLeap() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leaptTo
}

// Address shows or changes a player's address, for a letter of no match. The notices to both addresses belong to
// the match at, and are returned.
func (a *Adjudicator) Address(ctx context.Context, p *match.Player, at match.SeatRef, l exchange.Letter, c letter.Command) (out Outcome,
	changed bool, letters []exchange.Dispatch, err error) {
	m, err := a.Store.Match(ctx, at.Match)
	if err != nil {
		return out, false, nil, err
	}
	m.Seats[at.Seat].Player = p
	turn := &match.Turn{Match: m, Now: a.Now().UTC()}
	j := &letterRun{a: a, letter: l, turn: turn, play: &match.Play{Turn: turn, Seat: at.Seat}}
	out, err = doAddress(ctx, j, c, "")
	return out, j.reply.contact.player != nil, j.reply.contact.letters, err
}

// doAddress carries out ADDRESS. To stop a stranger's request, a player writes ADDRESS KEEP and the order in more,
// e.g. " and NEW TOKEN".
func doAddress(ctx context.Context, j *letterRun, c letter.Command, more string) (Outcome, error) {
	switch {
	case (c.Choice == "KEEP" || c.Choice == "YES") && j.turn.Match.Seats[j.play.Seat].Player.OpenRequest(j.a.Now()) == nil:
		return did("Nothing is asked for, and nothing changes.")
	case c.Choice == "KEEP":
		return keepAddress(ctx, j, "")
	case c.Choice == "YES":
		return declined("That counts only in reply to the letter that asks for it, from the address that it came to. " + addressStands(j))
	case c.Choice == "ONLY":
		if err := stepContact(ctx, j, contact.Only{}, j.a.Now()); err != nil {
			return declined(match.Sentence(err))
		}
		return did("You have one address. " + addressStands(j))
	case c.Text == "":
		return did(addressStands(j))
	}
	return askAddress(ctx, j, c.Text, c.Choice != "", more)
}

func addressStands(j *letterRun) string {
	p := j.turn.Match.Seats[j.play.Seat].Player
	return compose.Addresses(p, p.OpenRequest(j.a.Now()))
}

// askAddress asks the new and the old address for their consent. A signed letter from the old address counts as
// its consent. Also: the old address stays valid as a second one.
func askAddress(ctx context.Context, j *letterRun, text string, also bool, more string) (Outcome, error) {
	p := j.turn.Match.Seats[j.play.Seat].Player
	proven := j.letter.Proven != nil && contact.Same(j.letter.From, p.Address)
	to, err := contact.ParseAddress(text, j.a.Post.Referee())
	if err == nil {
		err = stepContact(ctx, j, contact.RequestChange{To: to, Additional: also,
			Origin: contact.Origin{Match: j.turn.Match.ID, Seat: j.play.Seat}, Proven: proven}, j.a.Now())
	}
	for _, cannot := range []error{errNoQuestion, errNoNotice} {
		if errors.Is(err, cannot) {
			err = cannot
		}
	}
	if err != nil {
		return declined(match.Sentence(err))
	}
	unasked := " If it was not you who asked, write ADDRESS KEEP" + more + "."
	r := p.Request
	if proven {
		return did(fmt.Sprintf("A letter has gone to %s. When it is answered from there with YES, %s. Until then, for %d days at most, "+
			"nothing changes.", r.To, compose.AddressEffect(r), contact.ConfirmDays) + unasked)
	}
	return did(fmt.Sprintf("Letters have gone to %s and to %s. With YES from both, %s at once; with YES from %s alone, on %s or later. "+
		"Until then nothing changes. The question is good for %d days.",
		r.To, p.Address, compose.AddressEffect(r), r.To, compose.ClockTime(p, r.NoticeTime.Add(contact.ObjectionTime)),
		contact.ConfirmDays) + unasked)
}

// keepAddress ends the open request. More is added to the answer.
func keepAddress(ctx context.Context, j *letterRun, more string) (Outcome, error) {
	if err := stepContact(ctx, j, contact.Keep{}, j.a.Now()); err != nil {
		return declined(match.Sentence(err))
	}
	return did("The change that was asked for is off. " + addressStands(j) + more)
}

// MoveSeat starts a change of address for a player who has lost access to the mailbox. The old address is told and
// may object until due. An earlier request is replaced.
func (a *Adjudicator) MoveSeat(ctx context.Context, matchID string, seat rules.Seat, to string) (due time.Time, err error) {
	err = atSeat(ctx, a, matchID, seat, func(m *match.Match, who *match.Seat) error {
		address, err := contact.ParseAddress(strings.TrimSpace(to), a.Post.Referee())
		if err != nil {
			return err
		}
		asked := contact.OperatorChange{To: address, Origin: contact.Origin{Match: m.ID, Seat: seat}}
		next, notices, err := contact.Update(who.Player.Contact, asked, a.Now())
		if err != nil {
			return err
		}
		who.Player.Contact, due = next, next.Request.Due
		letters, err := addressLetters(ctx, a, m, seat, notices)
		if err != nil {
			return err
		}
		// The notice bears a token of the seat, which must not change.
		return a.Store.Apply(ctx, exchange.Change{Match: m, Player: who.Player, Letters: letters})
	})
	return due, err
}

// KeepSeat ends a change of address for a player who cannot object. As after an objection by mail, older letters
// cannot be answered any more. Without a request the error is contact.ErrNothing.
func (a *Adjudicator) KeepSeat(ctx context.Context, matchID string, seat rules.Seat) error {
	return atSeat(ctx, a, matchID, seat, func(m *match.Match, who *match.Seat) error {
		r := who.Player.OpenRequest(a.Now())
		if r == nil {
			return contact.ErrNothing
		}
		if r.Origin != (contact.Origin{Match: matchID, Seat: seat}) {
			// The request came with a letter of another match, whose token has to change.
			return a.KeepSeat(ctx, r.Match, r.Seat)
		}
		j, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: who.Player.Address}})
		if err != nil {
			return err
		}
		if err := renewKey(a, who); err != nil {
			return err
		}
		o, err := keepAddress(ctx, j, " The operator has ended it. The address that you answer to has changed: older letters can no "+
			"longer be answered.")
		if err != nil {
			return err
		}
		j.reportOutcome("", o)
		return j.apply(ctx, rules.NoSeat)
	})
}
