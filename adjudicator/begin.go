package adjudicator

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"samizdat/adjudicator/beacon"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
)

// Entrant is a player who has agreed to play a new match.
type Entrant struct {
	Player *match.Player
	Name   string
	// Words are mixed into the dice and shown to all players. They are ignored if the match uses sealed words.
	Words  string
	Format match.Format
	// Robot is the name of the robot that plays the seat; empty if a person plays it.
	Robot string
}

// PrepareMatch creates a match for players who have agreed to play. The match begins at once, or waits for its beacon. If the match uses
// sealed words, the players are invited first. The caller stores the match with a Change.
func (a *Adjudicator) PrepareMatch(ctx context.Context, inv Invitation) (prepared exchange.NewMatch, err error) {
	m, g, err := newMatch(a, inv)
	if err != nil {
		return prepared, err
	}
	if prepared.Match = m; m.SealedWords {
		prepared.Letters, err = writeInvitations(ctx, a, g, m)
		return prepared, err
	}
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return prepared, err
	}
	for i := range m.Seats {
		seatState := &m.Seats[i]
		seatState.Joined = true
		if !seatState.Player.InOtherMatches {
			run.answer.NewcomerSeats |= rules.Only(rules.Seat(i))
		}
	}
	if err := run.execution.Proceed(ctx); err != nil {
		return prepared, err
	}
	change, err := run.buildChange(ctx, rules.NoSeat)
	prepared.Entries, prepared.Letters, prepared.Notices = change.Entries, change.Letters, change.Notices
	return prepared, err
}

func seatEntrants(a *Adjudicator, m *match.Match, entrants []Entrant) error {
	for i, e := range entrants {
		seatState := &m.Seats[i]
		var err error
		if seatState.Key, err = newSeatKey(a); err != nil {
			return err
		}
		seatState.Player, seatState.Format, seatState.Clock = e.Player, e.Format, clock.New(m.Tempo)
		if !m.SealedWords {
			seatState.SeedWords = invitation.CleanWords(e.Words)
		}
		// CheckName returns "" for a name that is not allowed, e.g. the name of a seat.
		seatState.PlayerName, _ = invitation.CheckName(m, rules.Seat(i), e.Name)
		if seatState.Robot = e.Robot; seatState.Robot != "" {
			seatState.PlayerName = e.Name
			continue
		}
		if seatState.Player.Address == "" {
			return fmt.Errorf("player %d has no address", seatState.Player.ID)
		}
	}
	return nil
}

// RoundSource fetches the published rounds of a public beacon.
type RoundSource interface {
	// Signature returns the signature of a round if it was fetched already. If not, it returns false at once, and starts
	// to fetch the signature.
	Signature(chain beacon.Chain, round int64) (signature []byte, ok bool)
}

func configuredChain(a *Adjudicator) beacon.Chain {
	if a.BeaconChain.Name == "" {
		return beacon.Quicknet
	}
	return a.BeaconChain
}

// beginWithRound begins a match when its beacon round is known, or without the round when the agreed waiting time
// (Beacon.Wait; 0 for no limit) is over. done is false if the match still waits.
func beginWithRound(ctx context.Context, a *Adjudicator, m *match.Match, until time.Time) (done bool, err error) {
	chain, err := beacon.Find(m.Beacon.Chain, a.BeaconChain)
	if err != nil {
		return false, err
	}
	var signature []byte
	found := false
	if a.Rounds != nil {
		signature, found = a.Rounds.Signature(chain, m.Beacon.Round)
	}
	if !found && (m.Beacon.Wait == 0 || m.Beacon.At.Add(m.Beacon.Wait).After(until)) {
		return false, nil
	}
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return false, err
	}
	if found {
		if err := chain.Verify(m.Beacon.Round, signature); err != nil {
			return false, err
		}
		signedBeacon := *m.Beacon
		signedBeacon.Signature = hex.EncodeToString(signature)
		m.Beacon = &signedBeacon
		run.turn.Remarks = append(run.turn.Remarks, fmt.Sprintf("The public random number (round %d of %s) is published and mixed into the "+
			"dice:\n%s",
			signedBeacon.Round, signedBeacon.Chain, beacon.Randomness(signature)))
	} else {
		run.turn.Remarks = append(run.turn.Remarks, fmt.Sprintf("The public random number (round %d of %s) did not reach us in time. "+
			"The match begins without it, as agreed.", m.Beacon.Round, m.Beacon.Chain))
	}
	if err := run.execution.Begin(ctx); err != nil {
		return false, err
	}
	return true, run.store(ctx, rules.NoSeat)
}
