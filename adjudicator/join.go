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
	revealLines []letter.Line
	name        string
	hasJoin     bool
	hasQuestion bool
	declineLine *letter.Line
	talk        []letter.Line
}

func readInvitedLetter(ctx context.Context, run *letterRun, lines []letter.Line) (invited invitedLetter, err error) {
	invited.join = invitation.Join{Digest: run.letter.Digest, Sender: run.letter.Name}
	for _, line := range lines {
		switch {
		case line.Is(letter.Join):
			if invited.hasJoin = true; line.Command.Choice == letter.ChoiceSealed {
				invited.join.Seals = append(invited.join.Seals, line.Command.Text)
			} else {
				invited.join.Words = append(invited.join.Words, line.Command.Text)
			}
			invited.name = cmp.Or(line.Command.PersonName, invited.name)
		case line.Is(letter.Open):
			invited.revealLines = append(invited.revealLines, line)
		case line.Is(letter.Decline):
			invited.declineLine = &line
		case line.Kind == letter.KindTalk && line.Class() == letter.ClassNone:
			invited.talk = append(invited.talk, line)
		default:
			invited.hasQuestion = true
			if err := answerBeforeStart(ctx, run, line); err != nil {
				return invited, err
			}
		}
	}
	return invited, nil
}

func handleInvitedLetter(ctx context.Context, run *letterRun, lines []letter.Line) error {
	invited, err := readInvitedLetter(ctx, run, lines)
	if err != nil {
		return err
	}
	defer reportTalk(run, &invited)
	switch {
	case invited.declineLine != nil && (invited.hasJoin || len(invited.revealLines) > 0):
		acceptWord := letter.Join
		if !invited.hasJoin {
			acceptWord = letter.Open
		}
		run.report("", match.OutcomeRefused, "Your letter says both "+string(acceptWord)+" and DECLINE, so neither was done. "+
			"Write only one of them.")
		return nil
	case invited.declineLine != nil:
		declineInvitation(ctx, run, *invited.declineLine)
		return nil
	}
	m, seat, isChanged := run.turn.Match, run.execution.Seat, false
	for _, line := range invited.revealLines {
		// OPEN comes before JOIN, so that a player who joins with this letter cannot reveal words yet: all seals must be seen first.
		report, isRevealed := invitation.Reveal(m, seat, line.Command.Text)
		run.report(report.Order, report.Outcome, report.Text)
		isChanged = isChanged || isRevealed
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
	if invited.hasJoin {
		report, hasJoined := invited.join.Accept(m, seat)
		run.report(report.Order, report.Outcome, report.Text)
		isChanged = isChanged || hasJoined
	} else if !invited.hasQuestion && len(invited.revealLines) == 0 {
		run.report("", match.OutcomeRefused, "Your letter neither accepts the invitation nor declines it.")
	}
	if !isChanged {
		return nil
	}
	return run.execution.Proceed(ctx)
}

// reportTalk reports lines of an invited player that are not orders. Greetings around an order are not reported.
func reportTalk(run *letterRun, invited *invitedLetter) {
	hasOrder := invited.hasJoin || invited.declineLine != nil || len(invited.revealLines) > 0
	for _, line := range invited.talk {
		reason := "The match has not begun. You can only JOIN or DECLINE now."
		switch {
		case line.Why != "":
			reason = line.Why
		case hasOrder && run.reader.Orders.IsCourtesyLine(line.Text):
			continue
		case hasOrder:
			reason = "We did not understand this as an order."
		case run.turn.Match.UnjoinedSeats() == 0:
			reason = "The match has not begun. You can only OPEN your words or DECLINE now."
		}
		run.report(line.Text, match.OutcomeIgnored, reason)
	}
}

func answerBeforeStart(ctx context.Context, run *letterRun, line letter.Line) (err error) {
	switch {
	case line.Is(letter.HelpWord), line.Is(letter.CallMe):
		_, err = run.carryOutCommand(ctx, line)
	case line.Kind != letter.KindRefereeOrder, line.Is(letter.Rules), line.Is(letter.Message), line.Is(letter.Ask):
		_, err = handleHarmlessLine(ctx, run, line, "")
	case line.Is(letter.Status), line.Is(letter.Resend):
		run.report(line.Text, match.OutcomeDone, "")
	default:
		run.report(line.Text, match.OutcomeDone, "There is nothing to show before the match begins.")
	}
	return err
}

func remindToReveal(run *letterRun) {
	run.turn.Match.Invitations.RevealReminded = true
	for i := range run.turn.Match.Seats {
		if seat := rules.Seat(i); run.turn.Match.UnrevealedSeats().Has(seat) {
			run.answer.RemindedSeats |= rules.Only(seat)
			run.answer.AddNotice(seat, "This is a reminder: we asked you on "+
				compose.FormatReaderTime(run.turn, seat, run.turn.Match.Invitations.RevealAsked)+" to reveal your secret words.")
		}
	}
}
