package adjudicator

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// A robot may have a seat. It answers with the letter that leads to its question, in the same
// transaction, and gets no letters. It sees the view of its seat and nothing else, and is made
// anew for each question.

// mostRobotAnswers bounds what one letter can lead to.
const mostRobotAnswers = 500

// robotsAnswer lets robots answer what they are asked, until a person is.
func robotsAnswer(ctx context.Context, j *adjudication) error {
	if j.turn.After == nil || !slices.ContainsFunc(j.turn.Match.Seats, func(s match.Seat) bool { return s.Robot != "" }) {
		return nil
	}
	if err := robotsConsent(ctx, j); err != nil {
		return fmt.Errorf("let robots agree in match %s: %w", j.turn.Match.ID, err)
	}
	for range mostRobotAnswers {
		if j.turn.Match.State != match.Playing || j.turn.After.Stalled() {
			return nil
		}
		asked := j.turn.WithoutResigned(j.turn.Match.Unanswered(j.turn.After))
		i := slices.IndexFunc(asked, func(d rules.Decision) bool { return j.turn.Match.Seats[d.Seat].Robot != "" })
		if i < 0 {
			return nil
		}
		if err := robotAnswers(ctx, j, asked[i]); err != nil {
			return fmt.Errorf("let a robot answer in match %s: %w", j.turn.Match.ID, err)
		}
		if _, err := j.play.Settle(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("the robots of match %s come to no end", j.turn.Match.ID)
}

// robotsConsent lets robots agree to whatever players ask for: a match with a robot is played for
// practice.
func robotsConsent(ctx context.Context, j *adjudication) error {
	var robots rules.Seats
	for i := range j.turn.Match.Seats {
		if j.turn.Match.Seats[i].Robot != "" {
			robots |= rules.Only(rules.Seat(i))
		}
	}
	if j.turn.Match.Takeback != nil && j.turn.Match.State == match.Playing {
		_, why, err := j.play.AgreeTakeback(ctx, robots)
		if err != nil {
			return err
		}
		if why != "" {
			j.turn.Remarks = append(j.turn.Remarks, why)
		}
	}
	for _, r := range slices.Clone(j.turn.Match.Acts.Requests) {
		if j.turn.Match.State != match.Playing {
			return nil
		}
		r.Agreed |= robots
		j.turn.Match.SetRequest(r)
		if _, err := j.play.Agreed(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// robotAnswers lets a robot answer one decision.
func robotAnswers(ctx context.Context, j *adjudication, d rules.Decision) error {
	h := hmac.New(sha256.New, j.turn.Match.Secret.Bytes())
	fmt.Fprintf(h, "robot\x00%s\x00%d\x00%d\x00%d", j.turn.Match.ID, d.Seat, j.turn.Match.Epoch, j.turn.Match.Entries)
	r, err := j.turn.Game.Robot(j.turn.Match.Seats[d.Seat].Robot, binary.BigEndian.Uint64(h.Sum(nil)))
	if err != nil {
		return err
	}
	atoms, err := gate.ChooseAnswer(j.turn.After, d, r)
	if err != nil {
		return err
	}
	_, err = j.play.Carry(ctx, d.Seat, rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}, Source: d.Source, Plain: d.Source == "", Ballot: d.Ballot}, "", nil)
	return err
}
