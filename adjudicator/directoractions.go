package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
)

// directorAction is the planned action of a directive: its effect in words, and the function that carries it out.
type directorAction struct {
	// effect describes the effect for the director, e.g. "The communist gets 2 days more."
	effect   string
	carryOut func(context.Context) (exchange.Change, error)
}

// stage is the stage of a match in which a directive is allowed.
type stage int

const (
	stageAny stage = iota
	stagePlaying
	// stagePlayingOrProvisional is a match in progress or with a provisional end.
	stagePlayingOrProvisional
)

// directorActions maps the verb of a directive to the required stage and to the function that plans its action.
var directorActions = map[match.DirectorVerb]struct {
	stage stage
	plan  func(context.Context, *letterRun, match.Directive) (directorAction, error)
}{
	match.DirectorPause: {stagePlaying, planPause}, match.DirectorResume: {stagePlaying, planResume},
	match.DirectorExtend: {stagePlaying, planExtension},
	match.DirectorUndo:   {stagePlayingOrProvisional, planUndo}, match.DirectorAnnul: {stagePlayingOrProvisional, planAnnulment},
	match.DirectorRule:    {stagePlayingOrProvisional, planRuling},
	match.DirectorTell:    {stagePlayingOrProvisional, planAnnouncement},
	match.DirectorReplace: {stageAny, planReplacement}, match.DirectorCancel: {stageAny, planCancellation},
}

// planDirective returns the action of a directive. The error is a *RefusedDirectiveError if the match does not allow the directive.
func planDirective(ctx context.Context, run *letterRun, directive match.Directive) (directorAction, error) {
	d := directorActions[directive.Verb]
	if d.stage != stageAny {
		if err := checkDirectiveAllowed(run, d.stage == stagePlayingOrProvisional); err != nil {
			return directorAction{}, err
		}
	}
	return d.plan(ctx, run, directive)
}

// RefusedDirectiveError is the error of a directive that the match or the club does not allow. Reason is a text for the director.
type RefusedDirectiveError struct{ Reason string }

func (e *RefusedDirectiveError) Error() string { return e.Reason }

func refuseDirective(format string, args ...any) (directorAction, error) {
	return directorAction{}, &RefusedDirectiveError{fmt.Sprintf(format, args...)}
}

// checkDirectiveAllowed refuses directives in a match that has not begun or has a final end. If allowsProvisionalEnd
// is set, it allows a directive in a match with a provisional end.
func checkDirectiveAllowed(run *letterRun, allowsProvisionalEnd bool) error {
	switch m := run.turn.Match; {
	case m.State == match.Inviting:
		return &RefusedDirectiveError{"The match has not begun. CANCEL withdraws the invitation."}
	case m.State == match.CalledOff:
		return &RefusedDirectiveError{"The match was called off before it began."}
	case m.State == match.Playing, allowsProvisionalEnd && m.Ended != nil && run.adjudicator.Now().Before(m.Ended.Final):
		return nil
	case allowsProvisionalEnd && m.Ended != nil && !m.Ended.Act.Kind.FinalAt(m.Ended.At).IsZero():
		return &RefusedDirectiveError{fmt.Sprintf("The match ended on %s. The result could be changed until %s, and is now "+
			"final.", zone.FormatTime(m.Ended.At, zone.UTC),
			zone.FormatTime(m.Ended.Act.Kind.FinalAt(m.Ended.At), zone.UTC))}
	case allowsProvisionalEnd:
		return &RefusedDirectiveError{"The match is over and the result is final: everything hidden has been published."}
	}
	return &RefusedDirectiveError{"The match is over."}
}

// findSeat finds a seat by its name, its number from 1, or its player's name, e.g. "communist", "2" or "Ben".
func findSeat(m *match.Match, text string) (rules.Seat, error) {
	var names []string
	for i, s := range m.Seats {
		if strings.EqualFold(s.Name, text) || strconv.Itoa(i+1) == text || s.PlayerName != "" && strings.EqualFold(s.PlayerName, text) {
			return rules.Seat(i), nil
		}
		names = append(names, s.Name)
	}
	return rules.NoSeat, &RefusedDirectiveError{fmt.Sprintf("There is no seat %q in this match. The seats are %s.", text,
		match.JoinAnd(names))}
}

// enterDirectorAct adds the history entry of a directive. Then it gives the default answers and pending answers that
// have become possible, e.g. for a resigned player after an undo.
func enterDirectorAct(ctx context.Context, run *letterRun, entry record.Entry) (exchange.Change, error) {
	entry.Act.By = record.ByDirector
	if err := run.execution.EnterAct(ctx, entry); err != nil {
		return exchange.Change{}, err
	}
	if _, err := run.execution.Settle(ctx); err != nil {
		return exchange.Change{}, err
	}
	return run.buildChange(ctx, rules.NoSeat)
}

func actionForEntry(run *letterRun, effect string, entry record.Entry) (directorAction, error) {
	return directorAction{effect, func(ctx context.Context) (exchange.Change, error) { return enterDirectorAct(ctx, run, entry) }}, nil
}

func planPause(_ context.Context, run *letterRun, directive match.Directive) (directorAction, error) {
	if run.turn.Match.Tempo.IsUntimed() {
		return refuseDirective("The match has no time limit, so there is nothing to pause.")
	}
	effect, until := "All clocks will stop until you send RESUME.", time.Time{}
	if directive.Duration > 0 {
		effect = "All clocks will stop for " + match.FormatDuration(directive.Duration) +
			", and then run again. Only you can end the pause sooner."
		until = run.adjudicator.Now().UTC().Add(directive.Duration).Truncate(time.Second)
	}
	return actionForEntry(run, effect+" Players may still send orders.",
		record.Entry{Act: &record.Act{Kind: record.Pause, Why: directive.Why, Until: until}})
}

func planResume(_ context.Context, run *letterRun, directive match.Directive) (directorAction, error) {
	if run.turn.Match.Pause == nil {
		return refuseDirective("The match is not paused.")
	}
	return actionForEntry(run, "The pause will end, and all clocks will run again at once.",
		record.Entry{Act: &record.Act{Kind: record.Resume, Why: directive.Why, Until: run.adjudicator.Now().UTC().Truncate(time.Second)}})
}

func planExtension(_ context.Context, run *letterRun, directive match.Directive) (directorAction, error) {
	seat, err := findSeat(run.turn.Match, directive.Seat)
	switch {
	case err != nil:
		return directorAction{}, err
	case run.turn.Match.Tempo.IsUntimed():
		return refuseDirective("The match has no time limit.")
	}
	return directorAction{fmt.Sprintf("%s will get %s more.", match.Capitalize(run.turn.Role(seat)), match.FormatDuration(directive.Duration)),
		func(ctx context.Context) (exchange.Change, error) {
			seatClock, pauses := &run.turn.Match.Seats[seat].Clock, run.turn.Match.PausesOf(seat)
			seatClock.Extend(directive.Duration, run.adjudicator.Now(), pauses)
			until, _ := seatClock.PublicTimeoutAt(0, pauses)
			return enterDirectorAct(ctx, run, record.Entry{Seat: record.SeatName(run.turn.Match.Seats[seat].Name),
				Act: &record.Act{Kind: record.Extend, Why: directive.Why, Until: until.UTC().Truncate(time.Second)}})
		}}, nil
}

func planUndo(ctx context.Context, run *letterRun, directive match.Directive) (directorAction, error) {
	entries, err := run.execution.LoadHistory(ctx)
	if err != nil {
		return directorAction{}, err
	}
	number := directive.Entry
	switch {
	case len(entries) < 2:
		return refuseDirective("Nothing has happened yet, so nothing can be undone.")
	case len(entries) == 2 && number != 1:
		return refuseDirective("You can undo only entry 1.")
	case number < 1 || number >= len(entries):
		return refuseDirective("You can undo entries 1 to %d.", len(entries)-1)
	}
	final, err := record.Replay(match.RecordOf(run.turn.Game, run.turn.Match, entries[:number]), run.turn.Game, nil)
	if err != nil {
		return directorAction{}, fmt.Errorf("find the position before entry %d: %w", number, err)
	}
	if _, over := final.Position.Result(); over {
		return refuseDirective("The match was already over before entry %d. Name an earlier entry.", number)
	}
	effect := fmt.Sprintf("The match will go back to where it was before entry %d. %sSaved orders will be dropped, open requests "+
		"will end, replies to earlier letters will no longer count, and all later dice and cards will be new. Players, pauses and extra "+
		"time stay as they are. Players still know what they have seen.", number, undoneEntriesText(run, entries, number))
	ended := run.turn.Match.State == match.Over
	if ended && !run.turn.Match.Tempo.IsUntimed() {
		effect += " All clocks will start again."
	}
	return directorAction{effect, func(ctx context.Context) (exchange.Change, error) {
		run.turn.Match.Takeback = nil
		for i := range run.turn.Match.Seats {
			if ended { // A clock may have run out before or after the end.
				run.turn.Match.Seats[i].Clock = clock.New(run.turn.Match.Tempo)
			}
		}
		return enterDirectorAct(ctx, run, record.Entry{FirstTakenBack: number,
			Act: &record.Act{Kind: record.Undo, Why: directive.Why, Until: entries[number-1].At}})
	}}, nil
}

const maxUndoneNamed = 5

func undoneEntriesText(run *letterRun, entries []record.Entry, n int) string {
	var lines []string
	for _, entry := range entries[n:min(len(entries), n+maxUndoneNamed)] {
		lines = append(lines, fmt.Sprintf("\n%d. %s", entry.Seq, describeEntry(run, entries, entry.Public())))
	}
	if remaining := len(entries) - n - len(lines); remaining > 0 {
		lines = append(lines, fmt.Sprintf("\nand %d more", remaining))
	}
	return "These entries will be undone:" + strings.Join(lines, "") + "\n"
}

const provisionalNote = "For a week you can undo this or rule otherwise. After that the result is final, and everything hidden " +
	"is published."

func planAnnulment(_ context.Context, run *letterRun, directive match.Directive) (directorAction, error) {
	return actionForEntry(run, "The match will end without a result and will not count. Saved orders will be dropped. "+provisionalNote,
		record.Entry{Act: &record.Act{Kind: record.Annul, Why: directive.Why, End: &record.End{}}})
}

func planRuling(_ context.Context, run *letterRun, directive match.Directive) (directorAction, error) {
	end := &record.End{Draw: directive.Draw}
	var winners rules.Seats
	for _, w := range directive.Winners {
		seat, err := findSeat(run.turn.Match, w)
		if err != nil {
			return directorAction{}, err
		}
		if winners.Has(seat) {
			return refuseDirective("You named the seat %s twice.", run.turn.Match.Seats[seat].Name)
		}
		winners |= rules.Only(seat)
	}
	for i, s := range run.turn.Match.Seats {
		if winners.Has(rules.Seat(i)) {
			end.Winners = append(end.Winners, record.SeatName(s.Name))
		}
	}
	outcomeText := "nobody will win"
	switch {
	case directive.Draw:
		outcomeText = "it will be a draw"
	case winners != 0:
		outcomeText = match.JoinAnd(run.turn.FullNames(winners)) + " will win"
	}
	return actionForEntry(run, "The match will end: "+outcomeText+". Saved orders will be dropped. "+provisionalNote,
		record.Entry{Act: &record.Act{Kind: record.DecideResult, Why: directive.Why, End: end}})
}

func planCancellation(_ context.Context, run *letterRun, directive match.Directive) (directorAction, error) {
	switch run.turn.Match.State {
	case match.Inviting:
	case match.CalledOff:
		return refuseDirective("The match was called off already.")
	default:
		return refuseDirective("The match has begun, so there is no invitation to withdraw. ANNUL ends the match.")
	}
	return directorAction{"The invitation will be withdrawn and the match called off. All invited players will be " +
		"told.", func(ctx context.Context) (exchange.Change, error) {
		callOffMatch(ctx, run, match.CallOff{Cause: match.CauseCancelled, Seat: rules.NoSeat, Why: directive.Why})
		return run.buildChange(ctx, rules.NoSeat)
	}}, nil
}

func planAnnouncement(_ context.Context, run *letterRun, directive match.Directive) (directorAction, error) {
	return actionForEntry(run, "All players and observers will read this text, and it will stay in the "+
		"record:\n"+directive.Text, record.Entry{Act: &record.Act{Kind: record.Tell, Why: directive.Text}})
}

func planReplacement(_ context.Context, run *letterRun, directive match.Directive) (directorAction, error) {
	seat, err := findSeat(run.turn.Match, directive.Seat)
	if err != nil {
		return directorAction{}, err
	}
	name, address, err := parseReplacement(run.turn.Match, seat, directive.Address, run.adjudicator.Codec.Referee())
	switch {
	case errors.Is(err, ErrNotPlaying):
		return refuseDirective("The match is not in progress, so no player can be replaced.")
	case err != nil:
		return refuseDirective("No player can take a seat with that address: %v.", err)
	case run.adjudicator.Director != "" && contact.SameAddress(address, run.adjudicator.Director) &&
		contact.SameAddress(run.letter.From, address):
		return refuseDirective("That is your own address, and you cannot direct a match that you play in. Ask the operator to seat you.")
	}
	return directorAction{
		effect: fmt.Sprintf("%s will take over the seat of %s, may know everything that the seat was told, and will get the current "+
			"position. The previous player's letters will no longer count, that player's saved orders will be dropped, and that player "+
			"will be told.", address, run.turn.Role(seat)),
		carryOut: func(ctx context.Context) (exchange.Change, error) {
			return replaceInSeat(ctx, run, seat, address, name, &record.Act{Kind: record.Replace, By: record.ByDirector, Why: directive.Why})
		},
	}, nil
}
