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
	join        invitation.Join
	openLines   []letter.Line
	name        string
	joins       bool
	asks        bool
	declineLine *letter.Line
	talk        []letter.Line
}

// readInvitedLetter sorts the lines of an invited player, and answers questions.
func readInvitedLetter(ctx context.Context, run *letterRun, lines []letter.Line) (invited invitedLetter, err error) {
	invited.join = invitation.Join{Digest: run.letter.Digest, Sender: run.letter.Name}
	for _, l := range lines {
		switch {
		case l.Is(letter.Join):
			if invited.joins = true; l.Command.Choice == letter.Sealed {
				invited.join.Seals = append(invited.join.Seals, l.Command.Text)
			} else {
				invited.join.Words = append(invited.join.Words, l.Command.Text)
			}
			invited.name = cmp.Or(l.Command.As, invited.name)
		case l.Is(letter.Open):
			invited.openLines = append(invited.openLines, l)
		case l.Is(letter.Decline):
			invited.declineLine = &l
		case l.Kind == letter.Talk && l.Class() == letter.None:
			invited.talk = append(invited.talk, l)
		default:
			invited.asks = true
			if err := answerBeforeStart(ctx, run, l); err != nil {
				return invited, err
			}
		}
	}
	return invited, nil
}

func joinMatch(ctx context.Context, run *letterRun, lines []letter.Line) error {
	invited, err := readInvitedLetter(ctx, run, lines)
	if err != nil {
		return err
	}
	defer reportTalk(run, &invited)
	switch {
	case invited.declineLine != nil && (invited.joins || len(invited.openLines) > 0):
		accepts := letter.Join
		if !invited.joins {
			accepts = letter.Open
		}
		run.report("", match.OutcomeRefused, "Your letter says both "+string(accepts)+" and DECLINE, so neither was done. "+
			"Write only one of them.")
		return nil
	case invited.declineLine != nil:
		declineInvitation(ctx, run, *invited.declineLine)
		return nil
	}
	m, seat, changed := run.turn.Match, run.play.Seat, false
	for _, l := range invited.openLines {
		// This comes before the letter joins, because a player who reveals words must have been shown all seals.
		r, opened := invitation.Open(m, seat, l.Command.Text)
		run.report(r.Order, r.Outcome, r.Text)
		changed = changed || opened
	}
	if invited.name != "" {
		name, err := invitation.CheckName(m, seat, invited.name)
		if err != nil {
			run.report(string(letter.Join)+" AS "+invited.name, match.OutcomeRefused,
				match.Capitalize(err.Error())+". Please join with another name, or with JOIN alone.")
			return nil
		}
		run.writerSeat().PlayerName = name
	}
	if invited.joins {
		var r invitation.Report
		r, changed = invited.join.Accept(m, seat)
		run.report(r.Order, r.Outcome, r.Text)
	} else if !invited.asks && len(invited.openLines) == 0 {
		run.report("", match.OutcomeRefused, invitation.HowToJoin(m)+" DECLINE declines it.")
	}
	if !changed {
		return nil
	}
	return run.play.Proceed(ctx)
}

// reportTalk reports lines of an invited player that are not orders. Greetings around an order are not reported.
func reportTalk(run *letterRun, a *invitedLetter) {
	acts := a.joins || a.declineLine != nil || len(a.openLines) > 0
	for _, l := range a.talk {
		reason := "The match has not begun. You can only JOIN or DECLINE now."
		switch {
		case l.Why != "":
			reason = l.Why
		case acts && run.reader.Orders.IsCourtesyLine(l.Text):
			continue
		case acts:
			reason = "We did not understand it as an order."
		case run.turn.Match.Unjoined() == 0:
			reason = "The match has not begun. You can only OPEN your words or DECLINE now."
		}
		run.report(l.Text, match.OutcomeIgnored, reason)
	}
}

// answerBeforeStart answers a question before the match begins, e.g. about the rules.
func answerBeforeStart(ctx context.Context, run *letterRun, l letter.Line) (err error) {
	switch {
	case l.Is(letter.HelpWord), l.Is(letter.CallMe):
		_, err = run.command(ctx, l)
	case l.Kind != letter.RefereeOrder, l.Is(letter.Rules), l.Is(letter.Message), l.Is(letter.Ask):
		_, err = handleHarmlessLine(ctx, run, l, "")
	case l.Is(letter.Status), l.Is(letter.Resend):
		run.report(l.Text, match.OutcomeDone, "")
	default:
		run.report(l.Text, match.OutcomeDone, "There is nothing to show before the match begins.")
	}
	return err
}

func remindToOpen(run *letterRun) {
	run.turn.Match.Acts.Invitations.OpeningReminded = true
	for i := range run.turn.Match.Seats {
		if seat := rules.Seat(i); run.turn.Match.Unopened().Has(seat) {
			run.answer.Reminded |= rules.Only(seat)
			run.answer.AddNotice(seat, "This is a reminder: we asked you on "+
				compose.ClockTimeFor(run.turn, seat, run.turn.Match.Acts.Invitations.OpeningAsked)+" to reveal your secret words.")
		}
	}
}
