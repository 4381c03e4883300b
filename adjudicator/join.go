package adjudicator

import (
	"cmp"
	"context"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

type invitedLetter struct {
	join     invitation.Join
	opens    []letter.Line
	as       string
	joins    bool
	asks     bool
	declines *letter.Line
	talk     []letter.Line
}

// readInvited sorts the lines of an invited player, and answers questions.
func readInvited(ctx context.Context, j *letterRun, lines []letter.Line) (a invitedLetter, err error) {
	a.join = invitation.Join{Digest: j.letter.Digest, Sender: j.letter.Name}
	for _, l := range lines {
		switch {
		case l.Is(letter.Join):
			if a.joins = true; l.Command.Choice == letter.Sealed {
				a.join.Seals = append(a.join.Seals, l.Command.Text)
			} else {
				a.join.Words = append(a.join.Words, l.Command.Text)
			}
			a.as = cmp.Or(l.Command.As, a.as)
		case l.Is(letter.Open):
			a.opens = append(a.opens, l)
		case l.Is(letter.Decline):
			a.declines = &l
		case l.Kind == letter.Talk && l.Class() == letter.None:
			a.talk = append(a.talk, l)
		default:
			a.asks = true
			if err := answerBeforeStart(ctx, j, l); err != nil {
				return a, err
			}
		}
	}
	return a, nil
}

func joinMatch(ctx context.Context, j *letterRun, lines []letter.Line) error {
	a, err := readInvited(ctx, j, lines)
	if err != nil {
		return err
	}
	defer reportTalk(j, &a)
	switch {
	case a.declines != nil && (a.joins || len(a.opens) > 0):
		accepts := letter.Join
		if !a.joins {
			accepts = letter.Open
		}
		j.report("", match.OutcomeRefused, "Your letter says "+string(accepts)+" and DECLINE, so neither was done. Write one of them.")
		return nil
	case a.declines != nil:
		declineInvitation(ctx, j, *a.declines)
		return nil
	}
	m, seat, changed := j.turn.Match, j.play.Seat, false
	for _, l := range a.opens {
		// Before the letter joins: a player who opens words must have been shown all seals.
		r, opened := invitation.Open(m, seat, l.Command.Text)
		j.report(r.Order, r.Outcome, r.Text)
		changed = changed || opened
	}
	if a.as != "" {
		name, err := invitation.NameFor(m, seat, a.as)
		if err != nil {
			j.report(string(letter.Join)+" AS "+a.as, match.OutcomeRefused,
				match.Capital(err.Error())+". Please join with another name, or with JOIN alone.")
			return nil
		}
		j.writer().PlayerName = name
	}
	if a.joins {
		var r invitation.Report
		r, changed = a.join.Accept(m, seat)
		j.report(r.Order, r.Outcome, r.Text)
	} else if !a.asks && len(a.opens) == 0 {
		j.report("", match.OutcomeRefused, invitation.HowToJoin(m)+" DECLINE declines it.")
	}
	if !changed {
		return nil
	}
	return j.play.Proceed(ctx)
}

// reportTalk reports lines of an invited player that are no orders. Greetings around an order are not reported.
func reportTalk(j *letterRun, a *invitedLetter) {
	acts := a.joins || a.declines != nil || len(a.opens) > 0
	for _, l := range a.talk {
		why := "The match has not begun; only JOIN and DECLINE are understood now."
		switch {
		case l.Why != "":
			why = l.Why
		case acts && j.reader.Orders.Harmless(l.Text):
			continue
		case acts:
			why = "It was not understood as an order."
		case j.turn.Match.Unjoined() == 0:
			why = "The match has not begun; only OPEN and DECLINE are understood now."
		}
		j.report(l.Text, match.OutcomeIgnored, why)
	}
}

// answerBeforeStart answers a question before the match begins, e.g. about the rules.
func answerBeforeStart(ctx context.Context, j *letterRun, l letter.Line) (err error) {
	switch {
	case l.Is(letter.HelpWord), l.Is(letter.CallMe):
		_, err = j.command(ctx, l)
	case l.Kind != letter.HostOrder, l.Is(letter.Rules), l.Is(letter.Message), l.Is(letter.Ask):
		_, err = handleAside(ctx, j, l, "")
	case l.Is(letter.Status), l.Is(letter.Resend):
		j.report(l.Text, match.OutcomeDone, "")
	default:
		j.report(l.Text, match.OutcomeDone, "There is nothing to show before the match has begun.")
	}
	return err
}

func remindToOpen(j *letterRun) {
	j.turn.Match.Acts.Invitations.OpeningReminded = true
	for i := range j.turn.Match.Seats {
		if seat := rules.Seat(i); j.turn.Match.Unopened().Has(seat) {
			j.answer.Reminded |= rules.Only(seat)
			j.answer.AddNotice(seat, "This is a reminder: you were asked on "+
				compose.ClockTimeFor(j.turn, seat, j.turn.Match.Acts.Invitations.OpeningAsked)+" to open your words.")
		}
	}
}
