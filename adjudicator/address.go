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

// A player's address changes as package contact says. Here its events are found, in orders, in answers to
// its questions (addressanswer.go), in what is due and in what the operator wants, and its notices become letters.

// noLetter is the number in the tokens of short letters: reports that they did not
// arrive say nothing of the letters of the match.
const noLetter = 0

// addressChange is what a letter leads to when it changes its writer's contact.
type addressChange struct {
	// player is he, others are the matches that change with him.
	player *match.Player
	others []*match.Match
	// letters go to addresses of his that the answer does not go to, and to his seats
	// in other matches.
	letters []exchange.Dispatch
}

// noticeKnown is since when the old address can have known of a player's open request. A notice
// that waits to be sent has not told anybody yet; one that came back has, as well as it can
// be done. What a clock said before it leapt ahead is not believed.
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
		sent = a.Now() // It goes later than that, and then this is looked at again.
	}
	// After a sending that is still to come the clock was set back, and all of the wait
	// was counted from the start since.
	if sent.After(since) && !sent.After(a.Now()) {
		since = sent
	}
	return since, err
}

// stepContact lets an event happen to the contact of the player who writes, and has its notices
// written. With an error it has not happened.
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

// elapseRequest carries out a change of address when the old address has not objected within contact's three days. It
// puts the change off while the notice to the old address still waits to be sent.
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

// moveAddress lets all letters to a player go to the address that he has now. His seat in the
// match gets another token with the letter that comes of this anyway, his others with
// letters of their own.
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

// tellMatchesElsewhere goes through the other matches of a player, or those of them that are being
// played. They change with him.
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

// followAddress writes to the seats of a player in a match, but for one, that his address has
// changed, each with another token. Where a match is over, or no letter can be written, the
// token changes with the next letter: what is wrong with one match stops no other.
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

// A clock that ran behind and is set right leaps ahead, and three days in which a player
// may object are over in a moment. So the daemon compares the times at which it looks for
// what is due.

// clockLeap is the gap between two runs of Due from which on the clock must have been set ahead, or the daemon was
// stopped for so long that the old address could not object.
const clockLeap = 24 * time.Hour

// clockWatch keeps the time of the last run of Due, and the time to which the clock has leapt.
type clockWatch struct {
	mu            sync.Mutex
	last, leaptTo time.Time
}

// observe notes the time of a look.
func (l *clockWatch) observe(now time.Time) {
	now = now.Round(0) // What the clock shows, not what has passed.
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.last.IsZero() && now.Sub(l.last) > clockLeap:
		l.leaptTo = now
	case now.Before(l.leaptTo):
		l.leaptTo = time.Time{} // It was set back again.
	}
	l.last = now
}

// lastLeap is the first time that was seen after the clock leapt ahead; zero when it did not.
func (l *clockWatch) lastLeap() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leaptTo
}

// Address shows or changes where the letters of a player go for a letter of no match. What asks both addresses are
// letters of a match that he sits in, which are returned.
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

// doAddress carries out ADDRESS. To stop a request that a stranger has made in his name, a player writes ADDRESS KEEP
// and the order in more, such as " and NEW TOKEN".
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

// addressStands tells the player his addresses.
func addressStands(j *letterRun) string {
	p := j.turn.Match.Seats[j.play.Seat].Player
	return compose.Addresses(p, p.OpenRequest(j.a.Now()))
}

// askAddress asks an address whether letters may come there, and the one that the player
// has whether he wants it. A letter from that one that is proven is his word. Also means that orders are to count from
// there too.
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

// keepAddress ends the open request. More is what else there is to say.
func keepAddress(ctx context.Context, j *letterRun, more string) (Outcome, error) {
	if err := stepContact(ctx, j, contact.Keep{}, j.a.Now()); err != nil {
		return declined(match.Sentence(err))
	}
	return did("The change that was asked for is off. " + addressStands(j) + more)
}

// MoveSeat begins to send the letters of a seat's player elsewhere, when he has lost his
// mailbox. The old address is told, and may object until the time that is returned. It
// takes the place of whatever change was asked for.
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
		// The notice bears a token of the seat, which must not have changed.
		return a.Store.Apply(ctx, exchange.Change{Match: m, Player: who.Player, Letters: letters})
	})
	return due, err
}

// KeepSeat ends the change of address that is asked for a seat, for a player who cannot
// object himself. As when he does in reply to the notice, his older letters can no longer
// be answered. When none is asked for it gives contact.ErrNothing.
func (a *Adjudicator) KeepSeat(ctx context.Context, matchID string, seat rules.Seat) error {
	return atSeat(ctx, a, matchID, seat, func(m *match.Match, who *match.Seat) error {
		r := who.Player.OpenRequest(a.Now())
		if r == nil {
			return contact.ErrNothing
		}
		if r.Origin != (contact.Origin{Match: matchID, Seat: seat}) {
			// It was asked for with a letter of that match, and those are to count no more.
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
