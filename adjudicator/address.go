package adjudicator

import (
	"context"
	"slices"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// A player's address changes as package contact says. Here its events are found, in
// letters (addressorders.go, addressanswer.go), in what is due and in what the operator
// wants (addressoperator.go), and its notices become letters (addressletters.go).

// noLetter is the number in the tokens of short letters: reports that they did not
// arrive say nothing of the letters of the match.
const noLetter = 0

// AddressBook is a Store that knows what became of short letters, and where else a
// player sits.
type AddressBook interface {
	// NoteSent tells of the short letter that has a
	// Message-ID when it was sent, or that it waits to be; of none, or of one that could
	// not be sent, it gives the zero time.
	NoteSent(ctx context.Context, messageID string) (sent time.Time, waits bool, err error)
	// SeatsOf lists the seats of a player, by match.
	SeatsOf(ctx context.Context, player int64) ([]SeatOf, error)
}

// addressChange is what a letter leads to when it changes its writer's contact.
type addressChange struct {
	// player is he, others are the matches that change with him.
	player *Player
	others []*Match
	// letters go to addresses of his that the answer does not go to, and to his seats
	// in other matches.
	letters []Dispatch
}

// known is since when the old address can have known of a player's open request. A notice
// that waits to be sent has not told anybody yet; one that came back has, as well as it can
// be done. What a clock said before it leapt ahead is not believed.
func (a *Adjudicator) known(ctx context.Context, p *Player) (time.Time, error) {
	var since time.Time
	if leap := a.looks.leap(); leap.After(p.Request.Since()) {
		since = leap
	}
	book, ok := a.Store.(AddressBook)
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

// step lets an event happen to the contact of the player who writes, and has its notices
// written. With an error it has not happened.
func (j *adjudication) step(ctx context.Context, e contact.Event, now time.Time) error {
	p := j.turn.Match.Seats[j.play.Seat].Player
	was := p.Contact
	next, notices, err := contact.Step(was, e, now)
	if err != nil {
		return err
	}
	p.Contact = next
	letters, err := j.a.addressLetters(ctx, j.turn.Match, j.play.Seat, notices)
	if err != nil {
		p.Contact = was
		return err
	}
	j.reply.contact.player, j.reply.contact.letters = p, append(j.reply.contact.letters, letters...)
	if next.Address == was.Address {
		return nil
	}
	return j.move(ctx, p)
}

// elapse carries out a change of address whose time has come, since nobody objected, or
// puts it off.
func (a *Adjudicator) elapse(ctx context.Context, m *Match, seat rules.Seat, until time.Time) error {
	p := m.Seats[seat].Player
	asked := p.Request
	known, err := a.known(ctx, p)
	if err != nil {
		return err
	}
	j, err := a.adjudication(ctx, m, seat, Letter{Sender: Sender{From: p.Address}})
	if err != nil {
		return err
	}
	if err := j.step(ctx, contact.Elapse{Known: known}, until); err != nil {
		return err
	}
	if p.Request != nil {
		return a.Store.Apply(ctx, Change{Player: p, Letters: j.reply.contact.letters})
	}
	j.turn.Tell(seat, "", match.OutcomeDone, requestDone(asked))
	return j.apply(ctx, rules.Nobody)
}

// movedHere says in all matches of a player that his address has changed.
const movedHere = "Your letters come to this address from now on, and the address that you answer to has changed: older letters can no longer be answered."

// requestDone says what a request has led to.
func requestDone(r *contact.Request) string {
	if r.Also {
		return "Your orders count from " + r.To + " too, in all your matches. Letters go where they went. ADDRESS ONLY ends that."
	}
	return movedHere
}

// move lets all letters to a player go to the address that he has now. His seat in the
// match gets another token with the letter that comes of this anyway, his others with
// letters of their own.
func (j *adjudication) move(ctx context.Context, p *Player) error {
	c, who := &j.reply.contact, &j.turn.Match.Seats[j.play.Seat]
	if err := j.a.renew(who); err != nil {
		return err
	}
	who.Good = who.Letters
	c.letters = append(c.letters, j.a.follow(ctx, j.turn.Match, p, j.play.Seat)...)
	return j.elsewhere(ctx, p, false, func(m *Match) { c.letters = append(c.letters, j.a.follow(ctx, m, p, rules.Nobody)...) })
}

// elsewhere goes through the other matches of a player, or those of them that are being
// played. They change with him.
func (j *adjudication) elsewhere(ctx context.Context, p *Player, playing bool, do func(*Match)) error {
	book, ok := j.a.Store.(AddressBook)
	if !ok {
		return nil
	}
	seats, err := book.SeatsOf(ctx, p.ID)
	if err != nil {
		return err
	}
	done := j.turn.Match.ID
	for _, at := range seats {
		if at.Match == j.turn.Match.ID || at.Match == done || playing && at.State != Playing {
			continue
		}
		done = at.Match
		others := &j.reply.contact.others
		i := slices.IndexFunc(*others, func(m *Match) bool { return m.ID == at.Match })
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

// follow writes to the seats of a player in a match, but for one, that his address has
// changed, each with another token. Where a match is over, or no letter can be written, the
// token changes with the next letter: what is wrong with one match stops no other.
func (a *Adjudicator) follow(ctx context.Context, m *Match, p *Player, but rules.Seat) (letters []Dispatch) {
	for i := range m.Seats {
		who, seat := &m.Seats[i], rules.Seat(i)
		if who.Player != p && (p.ID == 0 || who.Player.ID != p.ID) || seat == but {
			continue
		}
		who.Player, who.Good = p, who.Letters
		was := *who
		var d Dispatch
		err := guarded(func() error {
			if m.State == Over || m.State == CalledOff {
				return nil
			}
			j, err := a.adjudication(ctx, m, seat, Letter{Sender: Sender{From: p.Address}})
			if err == nil {
				err = a.renew(who)
			}
			if err == nil {
				j.turn.Tell(seat, "", match.OutcomeDone, movedHere)
				d, err = j.letterTo(seat, rules.Nobody)
			}
			return err
		})
		if err == nil && m.State != Over && m.State != CalledOff {
			letters = append(letters, d)
			continue
		}
		*who = was
		who.Seen = true
		if err != nil {
			a.Log.ErrorContext(ctx, "a player cannot be told of his new address", "match", m.ID, "seat", i, "error", err)
		}
	}
	return letters
}
