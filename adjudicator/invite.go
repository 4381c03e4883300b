package adjudicator

import (
	"context"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/desklink"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// Invitation holds the terms of a new match.
type Invitation struct {
	Game    string
	Options map[string]string
	// Players are the addresses of the players in the order of seats, with or without names: "Ben <ben@x.org>". Only CreateMatch uses them.
	Players []string
	// Entrants are the players in the order of seats for PrepareMatch, which does not use Players.
	Entrants []Entrant
	// Secret is the source of the dice, if its commitment is public already; nil for a new secret.
	Secret *record.Secret
	// Recorded lists the dice and draws of a match that replays a recorded game; nil for other matches.
	Recorded []record.Outcome
	// ObserverPolicy says whether the match may be observed. The invitations quote it.
	ObserverPolicy match.ObserverPolicy
	// Tempo is the time control, OnTimeout says what happens to a player who runs out of time.
	Tempo     clock.Tempo
	OnTimeout clock.TimeoutPolicy
	// SealedWords is set if each player first sends a hash of the words that are mixed into the dice, and reveals the words when
	// all have joined.
	SealedWords bool
	// Beacon says whether a public beacon is mixed into the dice.
	Beacon invitation.BeaconTerms
	// TalkOff is set if players cannot send messages to each other.
	TalkOff    bool
	Tournament bool
}

// CreateMatch creates a match and invites its players. The invitations contain the commitment to the match's secret. A player
// accepts with JOIN.
func (a *Adjudicator) CreateMatch(ctx context.Context, inv Invitation) (*match.Match, error) {
	m, g, err := newMatch(a, inv)
	if err != nil {
		return nil, err
	}
	letters, err := writeInvitations(ctx, a, g, m)
	if err != nil {
		return nil, err
	}
	if err := a.Store.Create(ctx, m, letters); err != nil {
		return nil, fmt.Errorf("store the new match: %w", err)
	}
	return m, nil
}

func newMatch(a *Adjudicator, inv Invitation) (*match.Match, *rules.Game, error) {
	g, err := findGame(a.Games, inv.Game)
	if err != nil {
		return nil, nil, err
	}
	seats := len(inv.Players) + len(inv.Entrants)
	if minimum, maximum := g.Seats(); seats < minimum || seats > maximum {
		seatRange := fmt.Sprint(minimum)
		if maximum > minimum {
			seatRange = fmt.Sprintf("%d to %d", minimum, maximum)
		}
		return nil, nil, fmt.Errorf("%s is for %s players, not for %d", g.Title(), seatRange, seats)
	}
	m := &match.Match{
		Game:        g.Name(),
		Revision:    g.Revision(),
		Options:     inv.Options,
		State:       match.Inviting,
		Created:     a.Now(),
		Chance:      match.Chance{Recorded: inv.Recorded, SealedWords: inv.SealedWords && inv.Recorded == nil},
		Observing:   match.Observing{ObserverPolicy: inv.ObserverPolicy},
		TimeControl: match.TimeControl{Tempo: inv.Tempo, OnTimeout: inv.OnTimeout},
	}
	if inv.Beacon.IsUsed && inv.Recorded == nil {
		m.Beacon = &match.Beacon{Chain: configuredChain(a).Name, Wait: inv.Beacon.Wait}
	}
	m.TalkOff, m.Tournament = inv.TalkOff, inv.Tournament
	if span := invitationPeriod(a, m); span > 0 {
		m.Invitations.ExpiresAt = m.Created.UTC().Add(span).Truncate(time.Second)
	}
	setup := rules.Setup{Seats: seats, Options: inv.Options, Revision: m.Revision}
	pos, err := g.Begin(setup)
	if err != nil {
		return nil, nil, err
	}
	if inv.Recorded != nil {
		// Check the recorded chance now, before players join.
		_, err := pos.Resume(record.NewRecordedChance(inv.Recorded, record.NewOutcomeNames(g, setup)), nil)
		if err != nil && !errors.Is(err, rules.ErrNoOutcome) {
			return nil, nil, fmt.Errorf("the recorded chance does not fit the beginning of %s: %w", g.Title(), err)
		}
	}
	if inv.Secret != nil {
		m.Secret = *inv.Secret
	} else if m.Secret, err = record.NewSecret(a.Random); err != nil {
		return nil, nil, err
	}
	if m.ID, err = newMatchID(a); err != nil {
		return nil, nil, err
	}
	m.Head = m.Secret.Commitment()
	if err = seatPlayers(a, m, inv.Players, g.SeatNames(setup)); err != nil {
		return nil, nil, err
	}
	return m, g, seatEntrants(a, m, inv.Entrants)
}

// tournamentInvitationPeriod is how long invitations of a tournament are valid if no other period is configured.
const tournamentInvitationPeriod = 14 * 24 * time.Hour

// invitationPeriod returns how long the invitations to a match are valid; 0 means that they never expire.
func invitationPeriod(a *Adjudicator, m *match.Match) time.Duration {
	if a.InvitationPeriod == 0 && m.Tournament {
		return tournamentInvitationPeriod
	}
	return a.InvitationPeriod
}

func seatPlayers(a *Adjudicator, m *match.Match, players, names []string) error {
	for _, n := range names {
		m.Seats = append(m.Seats, match.Seat{Name: n, SeatTime: match.SeatTime{Clock: clock.New(m.Tempo)}})
	}
	for i, player := range players {
		key, err := newSeatKey(a)
		if err != nil {
			return err
		}
		name, address := contact.ParseNameAndAddress(player)
		address = contact.LowerASCII(strings.TrimSpace(address))
		if !strings.Contains(address, "@") {
			return fmt.Errorf("%q is not a mail address", address)
		}
		m.Seats[i].Player, m.Seats[i].Key = match.NewPlayer(address), key
		if name != "" {
			if m.Seats[i].PlayerName, err = invitation.CheckName(m, rules.Seat(i), name); err != nil {
				return fmt.Errorf("player name %q: %w", name, err)
			}
		}
	}
	return nil
}

func writeInvitations(ctx context.Context, a *Adjudicator, g *rules.Game, m *match.Match) (out []exchange.OutgoingLetter, err error) {
	for i := range m.Seats {
		outgoing, err := writeInvitation(ctx, a, g, m, rules.Seat(i))
		if err != nil {
			return nil, err
		}
		out = append(out, outgoing)
	}
	return out, nil
}

func writeInvitation(ctx context.Context, a *Adjudicator, g *rules.Game, m *match.Match, seat rules.Seat) (exchange.OutgoingLetter, error) {
	isRegistered, err := a.Store.IsRegistered(ctx, m.Seats[seat].Player.Address)
	if err != nil {
		return exchange.OutgoingLetter{}, fmt.Errorf("look up the address %s: %w", m.Seats[seat].Player.Address, err)
	}
	outgoing := newSeatLetter(a, m, seat)
	if turn := (&match.Turn{Match: m, Game: g}); len(m.Seats) == 2 && m.Seats[1-seat].PlayerName != "" {
		outgoing.Subject = compose.Subject(m, "You are invited", a.gameTopic(m)+" v. "+turn.ShortName(1-seat))
	}
	practice := ""
	if a.DeskURL != "" && desklink.HasDesk(g) {
		practice = desklink.PracticeURL(a.DeskURL, g)
	}
	content := compose.WriteInvitation(g, m, seat, !isRegistered, compose.ObserversText(a.Codec.Referee(), m), practice)
	content.MarkerLine = a.Codec.MarkerLine()
	outgoing.Body = content.Text() + a.Replies.Footer()
	outgoing.HTML = a.Replies.RenderPage(outgoing, compose.AcceptOrder(m), string(letter.Decline))
	outgoing.Raw, err = a.Codec.Render(outgoing)
	return outgoing, err
}

func newSeatKey(a *Adjudicator) ([]byte, error) {
	key := make([]byte, 32)
	if _, err := io.ReadFull(a.Random, key); err != nil {
		return nil, fmt.Errorf("create a seat key: %w", err)
	}
	return key, nil
}

// newMatchID returns a new random match ID, e.g. "mk3jq7za".
func newMatchID(a *Adjudicator) (string, error) {
	b := make([]byte, 5)
	if _, err := io.ReadFull(a.Random, b); err != nil {
		return "", fmt.Errorf("create a match ID: %w", err)
	}
	return "m" + strings.ToLower(base32.StdEncoding.EncodeToString(b))[:7], nil
}

// inviteReplacement invites another player to a seat of a match that has not begun.
func inviteReplacement(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, text string) error {
	name, address, err := parseNewPlayer(m, seat, text, a.Codec.Referee())
	switch {
	case err != nil:
		return err
	case m.HasPlayer(address):
		return ErrAlreadyPlays
	}
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	former := m.Seats[seat].Player
	letters, err := endAddressRequest(ctx, a, m, seat)
	if err != nil {
		return err
	}
	if err := seatPlayer(run, seat, address, name); err != nil {
		return err
	}
	m.Seats[seat].Joined, m.Seats[seat].SeedWords, m.Seats[seat].Seal = false, "", ""
	if !m.Invitations.RevealAsked.IsZero() || m.AwaitsBeacon() {
		notices := invitation.RequestNewWords(m, seat)
		for i := range m.Seats {
			sentences := notices[rules.Seat(i)]
			if len(sentences) == 0 {
				continue
			}
			run.answer.Notices[rules.Seat(i)] = append(run.answer.Notices[rules.Seat(i)], sentences...)
			outgoing, err := writeSeatLetter(run, rules.Seat(i), rules.NoSeat)
			if err != nil {
				return err
			}
			letters = append(letters, outgoing)
		}
	}
	outgoing, err := writeInvitation(ctx, a, run.turn.Game, m, seat)
	if err != nil {
		return err
	}
	farewell, err := writeFarewell(a, m, seat, former.Address)
	if err != nil {
		return err
	}
	return a.Store.Apply(ctx, exchange.Change{Match: m, Player: former, Letters: append(letters, outgoing, farewell),
		Replacements: []match.Replacement{{Seat: seat, Former: former}}})
}

func callOffMatch(ctx context.Context, run *letterRun, callOff match.CallOff) {
	run.turn.Match.State, run.turn.Match.Invitations.CallOff = match.CalledOff, &callOff
	run.turn.Remarks = append(run.turn.Remarks, compose.ExplainCallOff(run.turn))
	if callOff.Cause != match.CauseCancelled {
		notifyOperator(run, "Called off", compose.ExplainCallOff(run.turn))
	}
}

func notifyOperator(run *letterRun, title, text string) {
	if run.adjudicator.OperatorAddress != "" {
		outgoing := exchange.OutgoingLetter{Content: exchange.Content{Body: templates.Wrap(text) + "\n\n" +
			templates.Wrap(fmt.Sprintf("Match %s of %s.", run.turn.Match.ID, run.turn.Game.Title())) + "\n"}}
		queueOperatorLetter(run, outgoing, title, "operator", title, fmt.Sprint(run.turn.Match.Version))
	}
}

func declineInvitation(ctx context.Context, run *letterRun, line letter.Line) {
	reason := invitation.CleanWords(line.Command.Text)
	callOffMatch(ctx, run, match.CallOff{Cause: match.CauseDeclined, Seat: run.execution.Seat, Why: reason})
	others := match.Capitalize(match.NameOthersWithVerb(run.turn, rules.Only(run.execution.Seat), "has", "have")) + " been told"
	text := "You have declined, so there will be no match. " + others + "."
	if reason != "" {
		text = "You have declined, so there will be no match. " + others + ", with your message: " + compose.Quote(reason)
	}
	if run.turn.Match.Tournament {
		text += " In the tournament you lose this match."
	}
	run.report(line.Text, match.OutcomeDone, text)
}

func runInvitationTask(ctx context.Context, a *Adjudicator, m *match.Match) error {
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	state := &m.Invitations
	newlyBounced := state.BouncedSeats &^ state.ReportedBounces
	switch {
	case newlyBounced != 0:
	case !m.RevealReminderAt().IsZero():
		remindToReveal(run)
		return run.store(ctx, rules.NoSeat)
	default:
		callOffMatch(ctx, run, match.CallOff{Cause: match.CauseExpired, Seat: rules.NoSeat})
		return run.store(ctx, rules.NoSeat)
	}
	state.ReportedBounces = state.BouncedSeats
	text := "The invitation to " + match.JoinAnd(run.turn.FullNames(newlyBounced)) + " came back: that address does not work."
	for i := range m.Seats {
		if seat := rules.Seat(i); !state.BouncedSeats.Has(seat) {
			run.answer.AddNotice(seat, text+" The operator can send it to another address; you need do nothing about that.")
		}
	}
	notifyOperator(run, "An invitation came back", text+" To send it to another address, run: samizdat replace "+m.ID+" SEAT ADDRESS")
	return run.store(ctx, rules.NoSeat)
}
