package match

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// A robot in a seat answers in the transaction of the letter that leads to its question, and gets no letters. A robot
// sees only the view of its seat, and is created for each question. A robot that computes for seconds answers
// later (Adjudicator.RunBackgroundJobs), so that the letters of players do not wait. Until then Match.BackgroundJob is RobotJob.

const maxRobotAnswers = 500

// LetRobotsAnswer lets robots answer until a person, or a slow robot, is to move.
func LetRobotsAnswer(ctx context.Context, p *Execution) error {
	t := p.Turn
	if t.Match.BackgroundJob == RobotJob {
		t.Match.BackgroundJob = NoJob
	}
	isRobot := func(s Seat) bool { return s.Robot != "" }
	if t.After == nil || !slices.ContainsFunc(t.Match.Seats, isRobot) {
		return nil
	}
	if err := letRobotsAgree(ctx, p); err != nil {
		return fmt.Errorf("match %s: answer requests for robots: %w", t.Match.ID, err)
	}
	for range maxRobotAnswers {
		if t.Match.State != Playing || t.After.Stalled() {
			return nil
		}
		decisions := t.WithoutResigned(t.Match.UnansweredDecisions(t.After))
		decisions = slices.DeleteFunc(decisions, func(d rules.Decision) bool { return !isRobot(t.Match.Seats[d.Seat]) })
		i := slices.IndexFunc(decisions, func(d rules.Decision) bool {
			return p.RunSlowRobots || !t.Game.IsSlowRobot(t.Match.Seats[d.Seat].Robot)
		})
		if i < 0 {
			if len(decisions) > 0 {
				t.Match.BackgroundJob = RobotJob
			}
			return nil
		}
		if err := letRobotAnswer(ctx, p, decisions[i]); err != nil {
			return fmt.Errorf("match %s: answer for the robot of seat %d: %w", t.Match.ID, decisions[i].Seat, err)
		}
		if _, err := p.Settle(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("match %s: robots gave %d answers in a row, the maximum, and no person is to move", t.Match.ID, maxRobotAnswers)
}

// letRobotsAgree lets robots agree to every open request: a match with a robot is for practice.
func letRobotsAgree(ctx context.Context, p *Execution) error {
	m, robots := p.Turn.Match, rules.Seats(0)
	for i := range m.Seats {
		if m.Seats[i].Robot != "" {
			robots |= rules.Only(rules.Seat(i))
		}
	}
	if m.Takeback != nil && m.State == Playing {
		_, reason, err := p.AgreeToTakeback(ctx, robots)
		if err != nil {
			return err
		}
		if reason != "" {
			p.Turn.Remarks = append(p.Turn.Remarks, reason)
		}
	}
	for _, r := range slices.Clone(m.Requests) {
		if m.State != Playing {
			return nil
		}
		r.Agreed |= robots
		m.SetRequest(r)
		if _, err := p.EnactIfAgreed(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// letRobotAnswer asks a robot for its answer to a decision, and carries it out. The seed comes from the secret of the match, so
// that a retry gives the same answer.
func letRobotAnswer(ctx context.Context, p *Execution, d rules.Decision) error {
	m := p.Turn.Match
	mac := hmac.New(sha256.New, m.Secret.Bytes())
	fmt.Fprintf(mac, "robot\x00%s\x00%d\x00%d\x00%d", m.ID, d.Seat, m.Epoch, m.EntryCount)
	robot, err := p.Turn.Game.Robot(m.Seats[d.Seat].Robot, binary.BigEndian.Uint64(mac.Sum(nil)))
	if err != nil {
		return err
	}
	atoms, err := gate.ChooseAnswer(p.Turn.After, d, robot)
	if err != nil {
		return err
	}
	_, err = p.CarryOut(ctx, d.Seat, rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}, Source: d.Source, Plain: d.Source == "",
		Ballot: d.Ballot}, "", nil)
	return err
}
