package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// ErrAlreadyPlays is returned if a player would get a second seat of a match, and so see the hidden cards of both seats.
var ErrAlreadyPlays = errors.New("that address already belongs to a player in this match")

// ErrNotPlaying is returned for a replacement in a match that is over. The director also gets it before the match has begun; the
// operator then invites another player instead.
var ErrNotPlaying = errors.New("the match is not in progress")

// Replace puts another player into a seat. Replies to letters to the former player no longer count, and that player's
// pending answers are dropped. The new player gets the seat's view, and can ask for everything that the seat was told.
// The history gets an entry about the replacement. Before the match begins, the new player is invited instead. The
// address may have a name: "Ben <ben@x.org>".
func (a *Adjudicator) Replace(ctx context.Context, matchID string, seat rules.Seat, address string) error {
	return withSeat(ctx, a, matchID, seat, func(m *match.Match, _ *match.Seat) error {
		if m.State == match.Inviting {
			return inviteReplacement(ctx, a, m, seat, address)
		}
		return replacePlayer(ctx, a, m, seat, address)
	})
}

func replacePlayer(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, address string) error {
	name, address, err := parseReplacement(m, seat, address, a.Codec.Referee())
	if err != nil {
		return err
	}
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	change, err := replaceInSeat(ctx, run, seat, address, name, nil)
	if err != nil {
		return err
	}
	return a.Store.Apply(ctx, change)
}

func parseReplacement(m *match.Match, seat rules.Seat, text, referee string) (name, address string, err error) {
	name, address, err = parseNewPlayer(m, seat, text, referee)
	switch {
	case err != nil:
	case m.State != match.Playing:
		err = ErrNotPlaying
	case m.HasPlayer(address):
		err = ErrAlreadyPlays
	}
	return name, address, err
}

// replaceInSeat puts a new player into a seat of a running match, and returns the change to store. act holds the
// director's reason; it is nil for a command of the operator.
func replaceInSeat(ctx context.Context, run *letterRun, seat rules.Seat, address, name string,
	act *record.Act) (change exchange.Change, err error) {
	m := run.turn.Match
	entries, err := run.execution.LoadHistory(ctx)
	if err != nil {
		return change, err
	}
	former := m.Seats[seat].Player
	isRegistered, err := run.adjudicator.Store.IsRegistered(ctx, address)
	if err != nil {
		return change, fmt.Errorf("look up the address %s: %w", address, err)
	}
	if !isRegistered {
		run.answer.NewcomerSeats = rules.Only(seat)
	}
	addressLetters, err := endAddressRequest(ctx, run.adjudicator, m, seat)
	if err != nil {
		return change, err
	}
	if err := seatPlayer(run, seat, address, name); err != nil {
		return change, err
	}
	run.execution.Replacements = append(run.execution.Replacements, match.Replacement{Seat: seat, Former: former})
	entry := record.Entry{Seat: record.SeatName(m.Seats[seat].Name), Player: match.PlayerName(len(m.Seats) + countReplacements(entries) + 1),
		Act: act}
	switch {
	case act != nil: // The entry with the act describes the replacement.
	case name != "":
		run.turn.Remarks = append(run.turn.Remarks, name+" has taken the seat of "+run.turn.Role(seat)+" from the previous player.")
	default:
		run.turn.Remarks = append(run.turn.Remarks, compose.DescribeReplacement(run.turn, &entry))
	}
	run.answer.FullLetterSeats = rules.Only(seat)
	if err := run.execution.AddEntry(ctx, run.turn.After, nil, entry, run.execution.Chance(m.OrderEntryCount)); err != nil {
		return change, err
	}
	for _, text := range compose.WelcomeReplacement(m, run.turn.Role(seat)) {
		run.turn.ReportLine(seat, "", match.OutcomeDone, text)
	}
	removed := removeObserver(m, address)
	if _, err := run.execution.Settle(ctx); err != nil {
		return change, err
	}
	if change, err = run.buildChange(ctx, rules.NoSeat); err != nil {
		return change, err
	}
	change.Observers = append(change.Observers, removed...)
	change.Player, change.Letters = former, append(change.Letters, addressLetters...)
	return change, nil
}

func parseNewPlayer(m *match.Match, seat rules.Seat, text, referee string) (name, address string, err error) {
	name, address = contact.ParseNameAndAddress(text)
	if address, err = contact.ParseAddress(strings.TrimSpace(address), referee); err != nil || name == "" {
		return "", address, err
	}
	checkedName, err := invitation.CheckName(m, seat, name)
	if err != nil {
		err = fmt.Errorf("player name %q: %w", name, err)
	}
	return checkedName, address, err
}

// removeObserver removes the observer with an address from a match, because the new player of a seat may not observe the match.
func removeObserver(m *match.Match, address string) (removed []match.Observer) {
	observer, observes := m.ObserverAt(address)
	if !observes {
		return nil
	}
	observer.HasLeft = true
	m.Observers = slices.DeleteFunc(slices.Clone(m.Observers), func(x match.Observer) bool { return x.Number == observer.Number })
	return []match.Observer{observer}
}

// endAddressRequest cancels an open change of the former player's address if it was requested through this seat,
// because the former player can no longer object. It returns the letter to the new address.
func endAddressRequest(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat) ([]exchange.OutgoingLetter, error) {
	player := m.Seats[seat].Player
	if request := player.Request; request == nil || request.Match != m.ID || request.Seat != seat {
		return nil, nil
	}
	next, notices, err := contact.Update(player.Contact, contact.KeepOldAddress{}, a.Now())
	if errors.Is(err, contact.ErrNoRequest) {
		return nil, nil // It has expired.
	}
	if err != nil {
		return nil, err
	}
	player.Contact = next
	return writeAddressNotices(ctx, a, m, seat, notices)
}

// seatPlayer puts a new player into a seat, and drops the settings and pending answers of the former player.
func seatPlayer(run *letterRun, seat rules.Seat, address, name string) error {
	key, err := newSeatKey(run.adjudicator)
	if err != nil {
		return err
	}
	run.turn.ReplaceOccupant(seat, match.NewPlayer(address), name, "", key)
	seatState := &run.turn.Match.Seats[seat]
	seatState.FirstMessageID = run.adjudicator.Codec.LetterID(key, exchange.Token{Match: run.turn.Match.ID, Seat: seat,
		Number: seatState.LastLetter + 1})
	run.turn.Match.Invitations.Renew(seat, run.adjudicator.Now(), invitationPeriod(run.adjudicator, run.turn.Match))
	return nil
}

func countReplacements(entries []record.Entry) (n int) {
	for _, entry := range entries {
		if entry.Player != "" {
			n++
		}
	}
	return n
}

func addReplacements(ctx context.Context, run *letterRun, change *exchange.Change) {
	change.Replacements = run.execution.Replacements
	for _, r := range change.Replacements {
		if outgoing, err := writeFarewell(run.adjudicator, run.turn.Match, r.Seat, r.Former.Address); err == nil {
			change.Letters = append(change.Letters, outgoing)
		} else {
			run.adjudicator.Log.WarnContext(ctx, "cannot notify a replaced player", "match", run.turn.Match.ID, "seat", int(r.Seat), "error", err)
		}
	}
}

// writeFarewell returns the last letter to the replaced player. It does not describe the match.
func writeFarewell(a *Adjudicator, m *match.Match, seat rules.Seat, to string) (outgoing exchange.OutgoingLetter, err error) {
	subject := "Another player has taken over your seat"
	if m.Seats[seat].Robot != "" {
		subject = "A robot has taken over your seat"
	}
	outgoing = exchange.OutgoingLetter{
		Addressee: exchange.Addressee{Match: m.ID, Seat: rules.NoSeat, To: to},
		Heading: exchange.Heading{Subject: compose.Subject(m, subject, a.gameTopic(m)),
			MessageID: a.Replies.ID("replaced", m.ID, fmt.Sprint(seat), to, fmt.Sprint(m.EntryCount))},
		Schedule: exchange.Schedule{Date: a.Now()},
		Content: exchange.Content{Body: a.Codec.MarkerLine() + "\n\n" +
			strings.Join(compose.Paragraphs(subject+" in match "+m.ID+". You will get no more letters about it, and replies to "+
				"older letters do nothing. If this is a mistake, write to the operator of this referee."), "\n") +
			"\n" + a.Replies.Footer()},
	}
	outgoing.Raw, err = a.Codec.Render(outgoing)
	return outgoing, err
}
