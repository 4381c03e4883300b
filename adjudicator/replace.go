package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// ErrPlays refuses a second seat of a match to one player, who would see the hidden cards of both.
var ErrPlays = errors.New("whoever has that address plays in the match already")

// ErrNotPlaying refuses to replace a player in a match that is over or, for the director, has not begun.
var ErrNotPlaying = errors.New("the match is not under way")

// Replace puts another player into a seat. Letters of the former player become invalid, and that player's pending
// answers are dropped. The new player gets the seat's view, and can ask for everything that the seat was told. The
// history gets an entry. Before the match begins the new player is invited instead. The address may come with a
// name: "Ben <ben@x.org>".
func (a *Adjudicator) Replace(ctx context.Context, matchID string, seat rules.Seat, address string) error {
	return atSeat(ctx, a, matchID, seat, func(m *match.Match, _ *match.Seat) error {
		if m.State == match.Inviting {
			return reinvite(ctx, a, m, seat, address)
		}
		return replacePlayer(ctx, a, m, seat, address)
	})
}

func replacePlayer(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, address string) error {
	name, address, err := replacement(m, seat, address, a.Post.Referee())
	if err != nil {
		return err
	}
	j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	c, err := seatAnother(ctx, j, seat, address, name, nil)
	if err != nil {
		return err
	}
	return a.Store.Apply(ctx, c)
}

func replacement(m *match.Match, seat rules.Seat, text, referee string) (name, address string, err error) {
	name, address, err = newcomerOf(m, seat, text, referee)
	switch {
	case err != nil:
	case m.State != match.Playing:
		err = ErrNotPlaying
	case m.HasPlayer(address):
		err = ErrPlays
	}
	return name, address, err
}

// seatAnother replaces a player and tells all. For the director, the act contains the reason.
func seatAnother(ctx context.Context, j *letterRun, seat rules.Seat, address, name string,
	act *record.Act) (c exchange.Change, err error) {
	m := j.turn.Match
	entries, err := j.play.LoadHistory(ctx)
	if err != nil {
		return c, err
	}
	was := m.Seats[seat].Player
	known, err := j.a.Store.Registered(ctx, address)
	if err != nil {
		return c, fmt.Errorf("look for %s: %w", address, err)
	}
	if !known {
		j.answer.Newcomers = rules.Only(seat)
	}
	asked, err := endAddressRequest(ctx, j.a, m, seat)
	if err != nil {
		return c, err
	}
	if err := seatPlayer(j, seat, address, name); err != nil {
		return c, err
	}
	e := record.Entry{Seat: record.SeatName(m.Seats[seat].Name), Player: match.PlayerName(len(m.Seats) + replacements(entries) + 1),
		Act: act}
	if act == nil {
		j.turn.Remarks = append(j.turn.Remarks, compose.Replaced(j.turn, &e))
	}
	j.answer.Whole = rules.Only(seat)
	if name != "" {
		j.turn.Remarks = append(j.turn.Remarks, "The new player is called "+name+".")
	}
	if err := j.play.AddEntry(ctx, j.turn.After, nil, e, j.play.Chance(m.OrderEntries)); err != nil {
		return c, err
	}
	for _, text := range compose.WelcomeReplacement(m, j.turn.Role(seat)) {
		j.turn.ReportLine(seat, "", match.OutcomeDone, text)
	}
	gone := endObserver(m, address)
	if _, err := j.play.Settle(ctx); err != nil {
		return c, err
	}
	if c, err = j.change(ctx, rules.NoSeat); err != nil {
		return c, err
	}
	c.Observers, c.Replaced = append(c.Observers, gone...), []rules.Seat{seat}
	if d, err := farewellLetter(j.a, m, seat, was.Address); err == nil {
		c.Letters = append(c.Letters, d)
	} else {
		j.a.Log.WarnContext(ctx, "a player who was replaced cannot be told", "match", m.ID, "seat", int(seat), "error", err)
	}
	c.Player, c.Letters = was, append(c.Letters, asked...)
	return c, nil
}

func newcomerOf(m *match.Match, seat rules.Seat, text, referee string) (name, address string, err error) {
	name, address = contact.ParseNamed(text)
	if address, err = contact.ParseAddress(strings.TrimSpace(address), referee); err != nil || name == "" {
		return "", address, err
	}
	called, err := invitation.NameFor(m, seat, name)
	if err != nil {
		err = fmt.Errorf("call a player %q: %w", name, err)
	}
	return called, address, err
}

// endObserver removes an address from the observers, and returns the removed ones.
func endObserver(m *match.Match, address string) (gone []match.Observer) {
	o, observes := m.ObserverAt(address)
	if !observes {
		return nil
	}
	o.Ended = true
	m.Observers = slices.DeleteFunc(slices.Clone(m.Observers), func(x match.Observer) bool { return x.Number == o.Number })
	return []match.Observer{o}
}

// endAddressRequest ends a change of address that was asked for through the seat: the new player could not object
// there. It returns the letter to the waiting address.
func endAddressRequest(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat) ([]exchange.Dispatch, error) {
	p := m.Seats[seat].Player
	if r := p.Request; r == nil || r.Match != m.ID || r.Seat != seat {
		return nil, nil
	}
	next, notices, err := contact.Update(p.Contact, contact.Keep{}, a.Now())
	if errors.Is(err, contact.ErrNothing) {
		return nil, nil // It has expired.
	}
	if err != nil {
		return nil, err
	}
	p.Contact = next
	return addressLetters(ctx, a, m, seat, notices)
}

// seatPlayer seats a player, and drops the settings and pending answers of the former one.
func seatPlayer(j *letterRun, seat rules.Seat, address, name string) error {
	key, err := newKey(j.a)
	if err != nil {
		return err
	}
	who := &j.turn.Match.Seats[seat]
	who.Robot = ""
	who.Player, who.PlayerName, who.Key, who.KeyExposed, who.IgnoreBouncesThrough = match.NewPlayer(address), name, key, false, who.Letters
	who.FirstMessageID = j.a.Post.LetterID(key, exchange.Token{Match: j.turn.Match.ID, Seat: seat, Number: who.Letters + 1})
	who.Format, who.Script, who.Confirm, who.MessagesSent, who.Timing, who.AskedSince = "", "", "", match.DailyCount{}, match.Timing{},
		time.Time{}
	who.Clock = clock.New(j.turn.Match.Tempo)
	j.turn.Match.Pending = slices.DeleteFunc(slices.Clone(j.turn.Match.Pending), func(h match.PendingAnswer) bool { return h.Seat == seat })
	j.turn.Match.Acts.Resigned &^= rules.Only(seat)
	j.turn.Match.DropRequestsOf(seat)
	j.turn.Match.Acts.Invitations.Renew(seat, j.a.Now(), invitationsLast(j.a, j.turn.Match))
	switch t := j.turn.Match.Takeback; {
	case t == nil:
	case t.Seat == seat:
		j.turn.EndTakeback(fmt.Sprintf("The request of %s to take back %s is over.", j.turn.Role(seat), t.Orders))
	default:
		// The player who agreed has left.
		again := *t
		again.Agreed &^= rules.Only(seat)
		j.turn.Match.Takeback = &again
	}
	return nil
}

func replacements(entries []record.Entry) (n int) {
	for _, e := range entries {
		if e.Player != "" {
			n++
		}
	}
	return n
}

// farewellLetter is the last letter to the replaced player. It does not describe the match.
func farewellLetter(a *Adjudicator, m *match.Match, seat rules.Seat, to string) (d exchange.Dispatch, err error) {
	const said = "Another player has taken your seat"
	d = exchange.Dispatch{
		Addressee: exchange.Addressee{Match: m.ID, Seat: rules.NoSeat, To: to},
		Heading: exchange.Heading{Subject: compose.Subject(m, said, match.Capital(m.Game)),
			MessageID: a.Replies.ID("replaced", m.ID, fmt.Sprint(seat), to, fmt.Sprint(m.Entries))},
		Sending: exchange.Sending{Date: a.Now()},
		Content: exchange.Content{Body: a.Post.Mark() + "\n\n" +
			strings.Join(compose.Paragraphs(said+" in match "+m.ID+". You will get no "+
				"more letters of it, and what you reply to older ones does nothing. If that is a mistake, write to whoever runs this "+
				"referee."), "\n") +
			"\n" + a.Replies.Foot()},
	}
	d.Raw, err = a.Post.Render(d)
	return d, err
}
