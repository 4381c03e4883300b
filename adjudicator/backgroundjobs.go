package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"samizdat/adjudicator/analysis"
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// RunBackgroundJobs runs the background jobs of matches, one match at a time: it computes the answers of slow robots
// and analyses finished matches. It leaves out a match if skip returns true for the match ID. failed holds the errors
// by match ID.
func (a *Adjudicator) RunBackgroundJobs(ctx context.Context, skip func(matchID string) bool) (failed map[string]error, err error) {
	failed = map[string]error{}
	for tried := map[string]bool{}; ; {
		ids, err := a.Store.MatchesWithBackgroundJobs(ctx, dueBatchSize+len(tried))
		if err != nil {
			return failed, err
		}
		i := slices.IndexFunc(ids, func(id string) bool { return !tried[id] && !skip(id) })
		if i < 0 {
			return failed, nil
		}
		tried[ids[i]] = true
		if err := retry(func() error { return runBackgroundJob(ctx, a, ids[i]) }); ctx.Err() != nil {
			return failed, context.Cause(ctx)
		} else if err != nil {
			failed[ids[i]] = err
		}
	}
}

func runBackgroundJob(ctx context.Context, a *Adjudicator, id string) error {
	m, err := a.Store.Match(ctx, id)
	if err != nil {
		return err
	}
	switch m.BackgroundJob {
	case match.RobotJob:
		run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
		if err != nil {
			return err
		}
		run.execution.RunSlowRobots = true
		return run.store(ctx, rules.NoSeat)
	case match.AnalysisJob:
		return analyseMatch(ctx, a, m)
	}
	return nil
}

// analysisSimulations is the number of simulated games for each option of a decision. With 40, the analysis of a
// match takes about ten seconds.
const analysisSimulations = 40

// scheduleAnalysis schedules the analysis when the end of the match is final, unless the match was broken off.
func scheduleAnalysis(turn *match.Turn) {
	if turn.Game.Analyst == nil || turn.Before == nil || !turn.Match.IsPublished() {
		return
	}
	if e := turn.Match.Ended; e != nil && e.Act.Kind.BreaksOff() {
		return
	}
	if _, wasOver := turn.Before.Result(); !wasOver || turn.HasPublished {
		turn.Match.BackgroundJob = match.AnalysisJob
	}
}

// analyseMatch analyses a finished match, and writes each player a letter about it.
func analyseMatch(ctx context.Context, a *Adjudicator, m *match.Match) error {
	rec, err := a.Export(ctx, m.ID, false)
	if err != nil {
		return fmt.Errorf("analyse match %s: %w", m.ID, err)
	}
	g, err := findGame(a.Games, m.Game)
	if err != nil {
		return err
	}
	findings, err := analysis.Analyse(ctx, rules.Games{g}, rec, analysisSimulations, func(int, int) {})
	if err != nil {
		return err
	}
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	m.BackgroundJob = match.NoJob
	if len(findings.Seats) == 0 {
		return a.Store.Apply(ctx, exchange.Change{Match: m}) // No player has decided anything.
	}
	run.answer.Analysis = map[rules.Seat]rules.Section{}
	for i := range m.Seats {
		run.answer.Analysis[rules.Seat(i)] = compose.AnalysisSection(run.turn, findings, rules.Seat(i))
	}
	change, err := run.buildChange(ctx, rules.NoSeat)
	if err != nil {
		return err
	}
	if change.Analysis, err = json.Marshal(findings); err != nil {
		return fmt.Errorf("store the analysis of match %s: %w", m.ID, err)
	}
	return a.Store.Apply(ctx, change)
}
