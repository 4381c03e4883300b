package adjudicator

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// resignMatch resigns the match for the writer. If the order does not name the match, the writer is asked for a confirmation.
func resignMatch(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	switch {
	case command.HasMoreClauses:
		return refuseAndStop("RESIGN must be alone on its line. You have not resigned.")
	case run.turn.Match.State == match.Over:
		return refuseAndStop("The match is over already.")
	case run.turn.Match.Resigned.Has(run.execution.Seat):
		return refuseAndStop("You have left this match, which goes on without you.")
	case command.Text != "" && command.Text != run.turn.Match.ID:
		return refuseAndStop(fmt.Sprintf("You have not resigned. This letter is about match %s, not %s.", run.turn.Match.ID, command.Text))
	}
	if command.Text == "" {
		return askConfirmation(run, letter.Resign, compose.ResignText(run.turn, run.execution.Seat))
	}
	if err := run.execution.RemovePlayer(ctx, run.execution.Seat, record.Act{Kind: record.Resign}, run.historyDigest(), 0); err != nil {
		return CommandResult{}, err
	}
	if run.turn.Match.State == match.Playing {
		return succeed("You have resigned. You will get your next letter when the match is over.")
	}
	return succeed("You have resigned.")
}

// askConfirmation asks for a confirmation of an order that cannot be undone, with a question such as "Do you want to resign match
// mabcdefg?". An order that names the match, such as "RESIGN mabcdefg", needs no confirmation.
func askConfirmation(run *letterRun, word letter.Word, question string) (CommandResult, error) {
	order := string(word) + " " + run.turn.Match.ID
	addProposal(run, []string{order}, question)
	return CommandResult{match.OutcomeAsked, true, fmt.Sprintf("To confirm it, answer YES or %s.", order)}, nil
}

// abortMatch ends the match without a result. At the beginning of a match one player can do this alone; later all players must agree.
func abortMatch(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	if command.Text != "" && command.Text != run.turn.Match.ID {
		return refuseAndStop(fmt.Sprintf("The match was not broken off. This letter is about match %s, not %s.", run.turn.Match.ID, command.Text))
	}
	var mayAbortAlone bool
	var err error
	if run.turn.Match.State != match.Over && !run.turn.Match.Resigned.Has(run.execution.Seat) && command.Choice == "" {
		mayAbortAlone, err = run.execution.MayAbortAlone(ctx)
	}
	switch {
	case err != nil:
		return CommandResult{}, err
	case !mayAbortAlone:
		return handleConsent(ctx, run, match.Request{Kind: record.Abort, Seat: run.execution.Seat}, command.Choice)
	case command.Text == "":
		return askConfirmation(run, letter.Abort, compose.AbortText(run.turn.Match))
	}
	return enterAct(ctx, run, record.Act{Kind: record.Abort, End: &record.End{}}, "You have broken the match off.")
}

func offerDraw(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	if !run.turn.Game.Draws {
		return refuseAndStop("This game has no draw by agreement.")
	}
	return handleConsent(ctx, run, match.Request{Kind: record.Draw, Seat: run.execution.Seat}, command.Choice)
}

// handleConsent handles an order that needs the consent of all players, e.g. DRAW. It makes the request, answers an
// open request (YES, NO), or withdraws it (OFF). answer is YES, NO, OFF, or empty for a new request.
func handleConsent(ctx context.Context, run *letterRun, request match.Request, answer string) (CommandResult, error) {
	openRequest, isOpen := run.turn.Match.OpenRequest(request.Kind)
	isOwn := isOpen && openRequest.Seat == run.execution.Seat
	word := compose.RequestWords[request.Kind].Word
	switch {
	case run.turn.Match.State == match.Over:
		return refuseAndStop("The match is over.")
	case run.turn.Match.Resigned.Has(run.execution.Seat):
		return refuseAndStop(resignedNote)
	case answer == "" && isOwn:
		return refuseAndStop(fmt.Sprintf("You have asked already, and %s. To withdraw your request, send %s OFF.",
			compose.DescribeUnanswered(run.turn, openRequest), word))
	case answer == "" && isOpen && !request.HasSameTerms(openRequest):
		return refuseAndStop(fmt.Sprintf("First answer the request of %s: %s YES or %s NO.", run.turn.FullName(openRequest.Seat), word, word))
	case answer == "" && !isOpen:
		return sendRequest(ctx, run, request)
	case !isOpen:
		return refuseAndStop(fmt.Sprintf("No request %s is open.", compose.RequestWords[request.Kind].Aim))
	case answer == "OFF" && isOwn:
		run.turn.Match.EndRequest(openRequest.Kind)
		run.turn.Remarks = append(run.turn.Remarks, fmt.Sprintf("%s withdrew the request %s.",
			match.Capitalize(run.turn.FullName(openRequest.Seat)), compose.DescribeAim(run.turn, openRequest)))
		return succeed("You withdrew your request " + compose.DescribeAim(run.turn, openRequest) + ".")
	case isOwn:
		return refuseAndStop(fmt.Sprintf("This is your own request, so only %s can agree to it. To withdraw your request, "+
			"send %s OFF.", compose.AskedPlayers(run.turn, openRequest), word))
	case answer == "OFF", answer == "NO":
		run.turn.Match.EndRequest(openRequest.Kind)
		run.turn.Remarks = append(run.turn.Remarks, fmt.Sprintf("%s declined the request of %s %s. The match goes on.",
			match.Capitalize(run.turn.FullName(run.execution.Seat)), run.turn.FullName(openRequest.Seat),
			compose.DescribeAim(run.turn, openRequest)))
		return succeed("You declined. The match goes on.")
	case openRequest.Agreed.Has(run.execution.Seat):
		return refuseAndStop(compose.DescribeConsent(run.turn, openRequest, run.execution.Seat))
	}
	openRequest.Agreed |= rules.Only(run.execution.Seat)
	run.turn.Match.SetRequest(openRequest)
	enacted, err := run.execution.EnactIfAgreed(ctx, openRequest)
	if !enacted || err != nil {
		return CommandResult{outcome: match.OutcomeDone, Note: compose.DescribeConsent(run.turn, openRequest, run.execution.Seat)}, err
	}
	return succeed("You agreed.")
}

// sendRequest makes a request to the other players. If no consent is needed, it takes effect at once.
func sendRequest(ctx context.Context, run *letterRun, r match.Request) (CommandResult, error) {
	private := &run.writerSeat().Private
	day := run.adjudicator.Now().UTC().Format(time.DateOnly)
	count := private.Requests[r.Kind]
	if !count.Add(day, 1, maxRequests) && !run.adjudicator.AtTable {
		return refuseAndStop(fmt.Sprintf("You have asked %d times today. You may ask again tomorrow (UTC).", maxRequests))
	}
	counts := map[record.ActKind]match.DailyCount{}
	maps.Copy(counts, private.Requests)
	counts[r.Kind], private.Requests = count, counts
	run.turn.Match.SetRequest(r)
	if enacted, err := run.execution.EnactIfAgreed(ctx, r); enacted || err != nil {
		return CommandResult{outcome: match.OutcomeDone}, err
	}
	return succeed(fmt.Sprintf("Your request %s has been sent to %s. To withdraw it, send %s OFF.", compose.DescribeAim(run.turn, r),
		compose.AskedPlayers(run.turn, r), compose.RequestWords[r.Kind].Word))
}

// requestRobotForAbsent handles REPLACE Ben WITH ROBOT 3, which asks the other players for consent, and REPLACE YES or NO, which answers
// that request.
func requestRobotForAbsent(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	request := match.Request{Kind: record.Replace, Seat: run.execution.Seat}
	if command.Choice != "" || run.turn.Match.State != match.Playing || run.turn.Match.Resigned.Has(run.execution.Seat) {
		return handleConsent(ctx, run, request, command.Choice)
	}
	var err error
	if request.Absent, err = findSeat(run.turn.Match, command.Text); err != nil {
		return refuseAndStop(err.Error())
	}
	switch m := run.turn.Match; {
	case m.Tournament:
		return refuseAndStop("This is a match of a tournament. Its director decides about absent players.")
	case m.Seats[request.Absent].Robot != "":
		return refuseAndStop("A robot plays for " + run.turn.Role(request.Absent) + " already.")
	case !m.IsAbsent(request.Absent, run.adjudicator.Now()):
		return refuseAndStop("A robot can play only for a player who has resigned or run out of time. " +
			match.Capitalize(run.turn.FullName(request.Absent)) + " has done neither.")
	}
	if request.Robot, err = run.turn.Game.RobotOfLevel(command.Number); err != nil {
		return refuseAndStop(match.ErrorSentence(err))
	}
	return handleConsent(ctx, run, request, "")
}

// handleTakeback asks for a take-back of the writer's last order, or answers an open request for a take-back.
func handleTakeback(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	takeback := run.turn.Match.Takeback
	switch {
	case run.turn.Match.State == match.Over:
		return refuseAndStop("The match is over, so nothing can be taken back.")
	case run.turn.Match.Resigned.Has(run.execution.Seat):
		return refuseAndStop(resignedNote)
	case command.Choice == "" && takeback != nil && takeback.Seat == run.execution.Seat:
		return refuseAndStop("You have asked already. To withdraw your request, send TAKEBACK OFF.")
	case command.Choice == "" && takeback != nil:
		return refuseAndStop(fmt.Sprintf("First answer the request of %s: TAKEBACK YES or TAKEBACK NO.", run.turn.FullName(takeback.Seat)))
	case command.Choice == "":
		return askTakeback(ctx, run)
	case takeback == nil:
		return refuseAndStop("No player has asked to take anything back.")
	case command.Choice == "OFF" && takeback.Seat != run.execution.Seat:
		return refuseAndStop(match.Capitalize(run.turn.FullName(takeback.Seat)) + " asked to take something back. Answer TAKEBACK YES or " +
			"TAKEBACK NO.")
	case command.Choice == "OFF":
		run.turn.EndTakeback(fmt.Sprintf("%s withdrew the request to take back %s.", match.Capitalize(run.turn.FullName(takeback.Seat)),
			takeback.Orders))
		return succeed("You withdrew your request to take back " + takeback.Orders + ".")
	case takeback.Seat == run.execution.Seat:
		return refuseAndStop("This is your own request, so only " + match.NameOthers(run.turn, rules.Only(run.execution.Seat)) +
			" can agree to it. To withdraw your request, send TAKEBACK OFF.")
	case command.Choice == "NO":
		run.turn.EndTakeback(fmt.Sprintf("%s declined the request of %s to take back %s. The match goes on.",
			match.Capitalize(run.turn.FullName(run.execution.Seat)), run.turn.FullName(takeback.Seat), takeback.Orders))
		return succeed("You declined. Nothing is taken back.")
	}
	return agreeToTakeback(ctx, run)
}

// maxTakebacks is the number of take-backs that a player may ask for in a day (UTC). Each request is a question to
// the other players.
const maxTakebacks = 3

func askTakeback(ctx context.Context, run *letterRun) (CommandResult, error) {
	if len(run.turn.Entries) > 0 {
		return refuseAndStop("This letter has already carried out an order. Send TAKEBACK in a separate letter.")
	}
	count := run.writerSeat().Private.Takebacks
	if !count.Add(run.adjudicator.Now().UTC().Format(time.DateOnly), 1, maxTakebacks) && !run.adjudicator.AtTable {
		return refuseAndStop(fmt.Sprintf("You have asked %d times today to take something back. You may ask again tomorrow "+
			"(UTC).", maxTakebacks))
	}
	entries, err := run.execution.LoadHistory(ctx)
	if err != nil {
		return CommandResult{}, err
	}
	name := record.SeatName(run.writerSeat().Name)
	undone := match.FindUndoneEntries(entries)
	seq := -1
	for i, entry := range entries {
		if entry.Seat == name && entry.HasOrders() && !undone[i] {
			seq = i
		}
	}
	if seq < 0 {
		return refuseAndStop("You have no order to take back yet. To drop orders that are saved for later, send DROP.")
	}
	_, reason, err := run.execution.PositionBefore(record.WithoutProofs(entries), seq)
	if err != nil {
		return CommandResult{}, err
	}
	if reason != "" {
		return refuseAndStop(reason)
	}
	takeback := &match.Takeback{Seat: run.execution.Seat, Seq: seq, Orders: strings.Join(entries[seq].Orders, "; ")}
	run.turn.Match.Takeback, run.writerSeat().Private.Takebacks = takeback, count
	return succeed(match.Capitalize(match.NameOthersWithVerb(run.turn, rules.Only(run.execution.Seat), "has", "have")) +
		" been asked whether you may take " +
		"back \"" + takeback.Orders + "\" and everything after it. The request ends when another order is carried out; to withdraw it, send " +
		"TAKEBACK OFF.")
}

func agreeToTakeback(ctx context.Context, run *letterRun) (CommandResult, error) {
	allAgreed, reason, err := run.execution.AgreeToTakeback(ctx, rules.Only(run.execution.Seat))
	switch {
	case err != nil:
		return CommandResult{}, err
	case !allAgreed:
		return succeed(compose.DescribeTakebackConsent(run.turn, run.execution.Seat))
	case reason != "":
		return refuseAndStop(reason)
	}
	return succeed("You agreed, and it has been taken back.")
}

const resignedNote = "You have left this match, so you cannot take part in its decisions."

// findEndQuestion returns the question to confirm an order that ends the match for the writer, e.g. "Do you want to resign
// match mabcdefg?". It returns "" for other orders, and for an order that names another match.
func findEndQuestion(ctx context.Context, run *letterRun, line letter.Line) (question string, err error) {
	switch matchID := line.Command.Text; {
	case matchID != "" && matchID != run.turn.Match.ID:
	case line.Is(letter.Resign):
		question = compose.ResignText(run.turn, run.execution.Seat)
	case line.Is(letter.Abort) && line.Command.Choice == "":
		mayAbortAlone, err := run.execution.MayAbortAlone(ctx)
		if !mayAbortAlone || err != nil {
			return "", err
		}
		question = compose.AbortText(run.turn.Match)
	}
	return question, nil
}

// maxRequests is the number of requests of a kind that a player may make in a day (UTC).
const maxRequests = 3
