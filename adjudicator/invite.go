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
	// Players are addresses in the order of seats, with or without names: "Ben <ben@x.org>".
	Players []string
	// Entrants are the players for Prepare, instead of Players.
	Entrants []Entrant
	// Secret is the source of the dice, if its commitment is public already; nil for a new one.
	Secret *record.Secret
	// Recorded are the outcomes of a match with recorded chance; nil for others.
	Recorded []record.Outcome
	// ObserverPolicy says whether the match may be observed. The invitations quote it.
	ObserverPolicy match.ObserverPolicy
	// Tempo is the time control, Zero the time-out policy.
	Tempo clock.Tempo
	Zero  clock.TimeoutPolicy
	// SealedWords: every player has to seal the words for the chance.
	SealedWords bool
	// Beacon is the public beacon to mix in; nil for none.
	Beacon invitation.BeaconTerms
	// TalkOff: messages between players are not carried.
	TalkOff bool
	// Tournament: the match belongs to a tournament.
	Tournament bool
}

// New creates a match and invites its players. The invitations contain the commitment to the match's secret. JOIN
// accepts one.
func (a *Adjudicator) New(ctx context.Context, inv Invitation) (*match.Match, error) {
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
	g, err := a.game(inv.Game)
	if err != nil {
		return nil, nil, err
	}
	seats := len(inv.Players) + len(inv.Entrants)
	if least, most := g.Seats(); seats < least || seats > most {
		want := fmt.Sprint(least)
		if most > least {
			want = fmt.Sprintf("%d to %d", least, most)
		}
		return nil, nil, fmt.Errorf("%s is for %s players, not for %d", g.Title(), want, seats)
	}
	m := &match.Match{
		Game:        g.Name(),
		Revision:    g.Revision(),
		Options:     inv.Options,
		State:       match.Inviting,
		Created:     a.Now(),
		Chance:      match.Chance{Recorded: inv.Recorded, SealedWords: inv.SealedWords && inv.Recorded == nil},
		Observing:   match.Observing{ObserverPolicy: inv.ObserverPolicy},
		TimeControl: match.TimeControl{Tempo: inv.Tempo, OnTimeout: inv.Zero},
	}
	if inv.Beacon.Mixed && inv.Recorded == nil {
		m.Beacon = &match.Beacon{Chain: chainOf(a).Name, Wait: inv.Beacon.Wait}
	}
	m.Acts.TalkOff, m.Acts.Tournament = inv.TalkOff, inv.Tournament
	if span := invitationsLast(a, m); span > 0 {
		m.Acts.Invitations.ExpiresAt = m.Created.UTC().Add(span).Truncate(time.Second)
	}
	setup := rules.Setup{Seats: seats, Options: inv.Options, Revision: m.Revision}
	pos, err := g.Begin(setup)
	if err != nil {
		return nil, nil, err
	}
	if inv.Recorded != nil {
		// Find errors now, and not when all have joined.
		_, err := pos.Resume(record.NewRecorded(inv.Recorded, record.NewOutcomeNames(g, setup)), nil)
		if err != nil && !errors.Is(err, rules.ErrNoOutcome) {
			return nil, nil, fmt.Errorf("the recorded chance does not fit the beginning of %s: %w", g.Title(), err)
		}
	}
	if inv.Secret != nil {
		m.Secret = *inv.Secret
	} else if m.Secret, err = record.NewSecret(a.Random); err != nil {
		return nil, nil, err
	}
	if m.ID, err = newIdentifier(a); err != nil {
		return nil, nil, err
	}
	m.Head = m.Secret.Commitment()
	if err = seatPlayers(a, m, inv.Players, g.SeatNames(setup)); err != nil {
		return nil, nil, err
	}
	return m, g, admitEntrants(a, m, inv.Entrants)
}

// inTournament is how long invitations of a tournament are valid if others do not expire.
const inTournament = 14 * 24 * time.Hour

// invitationsLast returns how long the invitations to a match are valid; 0 for ever.
func invitationsLast(a *Adjudicator, m *match.Match) time.Duration {
	if a.Invitations == 0 && m.Acts.Tournament {
		return inTournament
	}
	return a.Invitations
}

func seatPlayers(a *Adjudicator, m *match.Match, players, names []string) error {
	for _, n := range names {
		m.Seats = append(m.Seats, match.Seat{Name: n, SeatTime: match.SeatTime{Clock: clock.New(m.Tempo)}})
	}
	for i, player := range players {
		key, err := newKey(a)
		if err != nil {
			return err
		}
		name, address := contact.ParseNamed(player)
		address = contact.LowerASCII(strings.TrimSpace(address))
		if !strings.Contains(address, "@") {
			return fmt.Errorf("%q is not a mail address", address)
		}
		m.Seats[i].Player, m.Seats[i].Key = match.NewPlayer(address), key
		if name != "" {
			if m.Seats[i].PlayerName, err = invitation.NameFor(m, rules.Seat(i), name); err != nil {
				return fmt.Errorf("call a player %q: %w", name, err)
			}
		}
	}
	return nil
}

func writeInvitations(ctx context.Context, a *Adjudicator, g *rules.Game, m *match.Match) (out []exchange.Dispatch, err error) {
	for i := range m.Seats {
		d, err := writeInvitation(ctx, a, g, m, rules.Seat(i))
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

func writeInvitation(ctx context.Context, a *Adjudicator, g *rules.Game, m *match.Match, seat rules.Seat) (exchange.Dispatch, error) {
	known, err := a.Store.Registered(ctx, m.Seats[seat].Player.Address)
	if err != nil {
		return exchange.Dispatch{}, fmt.Errorf("look for %s: %w", m.Seats[seat].Player.Address, err)
	}
	d := beginLetter(a, m, seat)
	if c := (&match.Turn{Match: m, Game: g}); len(m.Seats) == 2 && m.Seats[1-seat].PlayerName != "" {
		d.Subject = compose.Subject(m, "You are invited", match.Capital(m.Game)+" v. "+c.ShortName(1-seat))
	}
	d.Body = compose.InvitationText(a.Post.Mark(), g, m, seat, compose.ObserversText(a.Post.Referee(), m))
	if !known {
		d.Body += compose.NewcomerText(g, m)
		if a.Desk != "" && desklink.Offered(g) {
			d.Body += "\nRules of thumb, and a practice match on a page, without mail:\n\n" + desklink.PracticeURL(a.Desk, g) + "\n"
		}
	}
	d.Body += a.Replies.Foot()
	accepts := string(letter.Join)
	if m.SealedWords {
		accepts += " " + letter.Sealed
	}
	d.HTML = a.Replies.Page(d, accepts)
	d.Raw, err = a.Post.Render(d)
	return d, err
}

func newKey(a *Adjudicator) ([]byte, error) {
	key := make([]byte, 32)
	if _, err := io.ReadFull(a.Random, key); err != nil {
		return nil, fmt.Errorf("make the key of a seat: %w", err)
	}
	return key, nil
}

// newIdentifier returns a new name of a match, e.g. "mk3jq7za": short and random.
func newIdentifier(a *Adjudicator) (string, error) {
	b := make([]byte, 5)
	if _, err := io.ReadFull(a.Random, b); err != nil {
		return "", fmt.Errorf("name the match: %w", err)
	}
	return "m" + strings.ToLower(base32.StdEncoding.EncodeToString(b))[:7], nil
}

// reinvite invites another player to a seat of a match that has not begun. The former player's words are deleted,
// and that player is told. The history has no entry yet.
func reinvite(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, text string) error {
	name, address, err := newcomerOf(m, seat, text, a.Post.Referee())
	switch {
	case err != nil:
		return err
	case m.HasPlayer(address):
		return ErrPlays
	}
	j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	was := m.Seats[seat].Player
	letters, err := endAddressRequest(ctx, a, m, seat)
	if err != nil {
		return err
	}
	if err := seatPlayer(j, seat, address, name); err != nil {
		return err
	}
	m.Seats[seat].Joined, m.Seats[seat].Words, m.Seats[seat].Seal = false, "", ""
	if !m.Acts.Invitations.OpeningAsked.IsZero() || m.AwaitsBeacon() {
		notices := invitation.Reopen(m, seat)
		for i := range m.Seats {
			said := notices[rules.Seat(i)]
			if len(said) == 0 {
				continue
			}
			j.answer.Notices[rules.Seat(i)] = append(j.answer.Notices[rules.Seat(i)], said...)
			d, err := letterTo(j, rules.Seat(i), rules.NoSeat)
			if err != nil {
				return err
			}
			letters = append(letters, d)
		}
	}
	d, err := writeInvitation(ctx, a, j.turn.Game, m, seat)
	if err != nil {
		return err
	}
	gone, err := farewellLetter(a, m, seat, was.Address)
	if err != nil {
		return err
	}
	return a.Store.Apply(ctx, exchange.Change{Match: m, Player: was, Letters: append(letters, d, gone), Replaced: []rules.Seat{seat}})
}

// callOff calls off a match that has not begun. All players and the operator are told.
func callOff(ctx context.Context, j *letterRun, off match.CallOff) {
	j.turn.Match.State, j.turn.Match.Acts.Invitations.CallOff = match.CalledOff, &off
	j.turn.Remarks = append(j.turn.Remarks, compose.CalledOff(j.turn))
	if off.How != match.Cancelled {
		tellOperator(j, "Called off", compose.CalledOff(j.turn))
	}
}

// tellOperator writes to the operator, if an address is configured.
func tellOperator(j *letterRun, title, text string) {
	if j.a.Contact != "" {
		d := exchange.Dispatch{Content: exchange.Content{Body: templates.Wrap(text) + "\n\n" +
			templates.Wrap(fmt.Sprintf("Match %s of %s.", j.turn.Match.ID, j.turn.Game.Title())) + "\n"}}
		toOperator(j, d, title, "operator", title, fmt.Sprint(j.turn.Match.Version))
	}
}

// declineInvitation declines for a seat's player, and so calls the match off.
func declineInvitation(ctx context.Context, j *letterRun, l letter.Line) {
	why := invitation.CleanWords(l.Command.Text)
	callOff(ctx, j, match.CallOff{How: match.Declined, Seat: j.play.Seat, Why: why})
	said := "You have declined. There will be no match, and the others are told."
	if j.turn.Match.Acts.Tournament {
		said += " In the tournament you have lost it."
	}
	if why != "" {
		said += " Your word for them: " + why
	}
	j.report(l.Text, match.OutcomeDone, said)
}

// dueInvitations carries out the due step of the invitations: a reminder, or the end.
func dueInvitations(ctx context.Context, a *Adjudicator, m *match.Match) error {
	j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	in := &m.Acts.Invitations
	untold := in.Bounced &^ in.BouncesTold
	switch {
	case untold != 0:
	case !m.ReminderToOpen().IsZero():
		remindToOpen(j)
		return j.apply(ctx, rules.NoSeat)
	default:
		callOff(ctx, j, match.CallOff{How: match.Lapsed, Seat: rules.NoSeat})
		return j.apply(ctx, rules.NoSeat)
	}
	in.BouncesTold = in.Bounced
	said := "The invitation to " + match.List(j.turn.Roles(untold)) + " came back: nobody gets mail there."
	for i := range m.Seats {
		if seat := rules.Seat(i); !in.Bounced.Has(seat) {
			j.answer.AddNotice(seat, said+" The operator can invite another address.")
		}
	}
	tellOperator(j, "An invitation came back", said)
	return j.apply(ctx, rules.NoSeat)
}
