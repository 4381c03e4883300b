package adjudicator

import (
	"context"
	"fmt"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
)

// undoing lets the match stand as it did before an entry.
func (j *adjudication) undoing(ctx context.Context, act match.DirectorAct) (deed, error) {
	if err := j.mayDirect(true); err != nil {
		return deed{}, err
	}
	entries, err := j.play.Played(ctx)
	if err != nil {
		return deed{}, err
	}
	n := act.Entry
	switch {
	case len(entries) < 2:
		return undirected("Nothing has happened yet that could be undone.")
	case n < 1 || n >= len(entries):
		return undirected("Entries from 1 to %d can be undone; there is no entry %d among them.", len(entries)-1, n)
	}
	final, err := record.Replay(match.RecordOf(j.turn.Game, j.turn.Match, entries[:n]), j.turn.Game, nil)
	if err != nil {
		return deed{}, fmt.Errorf("find the position before entry %d: %w", n, err)
	}
	if _, over := final.Position.Result(); over {
		return undirected("Before entry %d the match was over. Name an entry at which it was not.", n)
	}
	effect := fmt.Sprintf("The match stands again as it did before entry %d. %s What is kept for players is dropped, what was asked for is over, letters from before "+
		"cannot be answered any more, and dice and cards to come are new. Who plays, pauses and time that was given stay as they are, and what players have seen they know.", n, j.undone(entries, n))
	ended := j.turn.Match.State == Over
	if ended && !j.turn.Match.Tempo.None() {
		effect += " All clocks begin anew."
	}
	return deed{effect, func(ctx context.Context) (Change, error) {
		j.turn.Match.Takeback = nil
		for i := range j.turn.Match.Seats {
			if ended { // By a clock, or with clocks that nobody has looked at since.
				j.turn.Match.Seats[i].Clock = clock.New(j.turn.Match.Tempo)
			}
		}
		return j.enter(ctx, record.Entry{Takeback: n, Act: &record.Act{Kind: record.Undo, Why: act.Why, Until: entries[n-1].At}})
	}}, nil
}

// mostUndone is how many entries are named that an act would undo.
const mostUndone = 5

// undone names what an act would undo.
func (j *adjudication) undone(entries []record.Entry, n int) string {
	var lines []string
	for _, e := range entries[n:min(len(entries), n+mostUndone)] {
		lines = append(lines, fmt.Sprintf("%d (%s)", e.Seq, j.entryLine(entries, e.Public())))
	}
	said := "Undone: " + strings.Join(lines, "; ")
	if more := len(entries) - n - len(lines); more > 0 {
		said += fmt.Sprintf("; and %d more", more)
	}
	return said + "."
}
