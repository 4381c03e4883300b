package clubmail

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/usage"
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/statistics"
	"samizdat/rules"
	"samizdat/templates"
)

// usageService keeps statistics of how finished matches were played, and answers STATS.
type usageService struct {
	store   Store
	replies conversation.Replies
	games   rules.Games
}

const (
	// maxUsageCounted is the maximum number of matches that are replayed and counted before other tasks run.
	maxUsageCounted = 20
	// maxOpenings is the maximum number of set-ups of each seat in the answer to STATS.
	maxOpenings = 5
)

// countUsage adds finished matches to the statistics. A match that cannot be replayed gets empty counts, and is not
// tried again.
func (s *usageService) countUsage(ctx context.Context, _ time.Time) error {
	uncounted, err := s.store.UncountedUsage(ctx, maxUsageCounted)
	if err != nil || len(uncounted) == 0 {
		return err
	}
	for i := range uncounted {
		u := &uncounted[i]
		m, err := s.replies.Store.Match(ctx, u.Match)
		if err == nil {
			u.Usage, err = s.replay(ctx, m)
		}
		if _, fault := s.store.Fault(err); fault || ctx.Err() != nil {
			return err
		}
		if err != nil {
			s.replies.Log.WarnContext(ctx, "cannot count a match for the statistics of the club", "match", u.Match, "error", err)
		}
	}
	return s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{Usage: uncounted}})
}

func (s *usageService) replay(ctx context.Context, m *match.Match) (usage.Match, error) {
	g, err := s.games.Find(m.Game)
	if err != nil {
		return usage.Match{}, err
	}
	entries, err := s.replies.Store.History(ctx, m.ID)
	if err != nil {
		return usage.Match{}, err
	}
	rec := match.RecordOf(g, m, entries)
	rec.Header.Secret = m.Secret.Hex()
	return CountUsage(g, rec, func(pos rules.Position) []string { return resultSeatNames(g, m, pos) })
}

// CountUsage counts the public events of the match in a record. The function seatNames returns the names of the seats
// in the final position.
func CountUsage(game *rules.Game, rec *record.Record, seatNames func(rules.Position) []string) (usage.Match, error) {
	counter := usage.NewCounter(game)
	final, err := record.ReplayVerified(rec, game, func(v record.Visit) error {
		events := slices.DeleteFunc(slices.Clone(v.Events), func(e rules.Event) bool { return !e.Audience.Has(rules.NoSeat) })
		counter.Add(v.Position.View(rules.NoSeat), events)
		return nil
	})
	if err != nil {
		return usage.Match{}, fmt.Errorf("count match %s: %w", rec.Header.Match, err)
	}
	return counter.Match(seatNames(final.Position)), nil
}

func (s *usageService) showStats(ctx context.Context, ans *answer, line letter.Line) error {
	g := s.games[0]
	if line.Command.Text != "" {
		var err error
		if g, err = s.games.Find(line.Command.Text); err != nil {
			return err
		}
	}
	totals, err := s.store.UsageTotals(ctx, g.Name())
	if err != nil {
		return err
	}
	card := line.Command.Number
	switch {
	case totals.Matches == 0:
		return ans.informLine(line, fmt.Sprintf("No match of %s has been counted yet. A match is counted soon after its end.", g.Name()))
	case card > 0:
		return s.showCard(ans, line, g, totals, card)
	}
	p := templates.PlainSection{Title: "Statistics of " + g.Name(), Paragraphs: []string{countedText(totals) + lengthText(totals)}}
	rows := [][]string{{"seat", "matches", "won", "drawn", "dice rolled", "average roll"}}
	for _, seat := range totals.SeatNames() {
		score, dice := totals.Seats[seat], statistics.Dice(totals.Dice[seat])
		rows = append(rows, []string{match.Capitalize(seat), fmt.Sprint(score.N), formatShare(score.Won, score.N),
			fmt.Sprint(score.Drawn), fmt.Sprint(dice.N()), formatMean(dice)})
	}
	p.Table, p.HasHeader = rows, true
	ans.addSection(p)
	setups := templates.PlainSection{Title: "Most frequent set-ups"}
	for _, o := range totals.FrequentOpenings(maxOpenings) {
		setups.List = append(setups.List, compose.Wrap(fmt.Sprintf("%s: %s. In %s, won %s.", match.Capitalize(o.Seat), o.Place,
			formatMatches(o.N),
			formatShare(o.Won, o.N)), "- ", "  ")...)
	}
	if len(setups.List) > 0 {
		ans.addSection(setups)
	}
	return nil
}

func (s *usageService) showCard(ans *answer, line letter.Line, g *rules.Game, totals *usage.Totals, card int) error {
	counted := countedText(totals)
	p := templates.PlainSection{Title: fmt.Sprintf("Card %d of %s", card, g.Name()), Paragraphs: []string{counted}}
	for _, u := range totals.Uses() {
		if u.Card == card {
			p.List = append(p.List, compose.Wrap(fmt.Sprintf("%s, %s: played %s in %s, won %s. By turn: %s.",
				match.Capitalize(u.Seat), u.How, formatTimes(u.Plays()), formatMatches(u.N), formatShare(u.Won, u.N), joinCounts(u.Turns,
					formatTimes)), "- ", "  ")...)
		}
	}
	if len(p.List) == 0 {
		return ans.informLine(line, fmt.Sprintf("Card %d of %s was played in no match. %s", card, g.Name(), counted))
	}
	ans.addSection(p)
	return nil
}

// countedText says how many matches the statistics count.
func countedText(totals *usage.Totals) string {
	if totals.Matches == 1 {
		return "The statistics count 1 match. Unrated matches count too."
	}
	return fmt.Sprintf("The statistics count %d matches. Unrated matches count too.", totals.Matches)
}

// lengthText says in which turns the matches ended, e.g. " They ended: 3 in turn 7, 2 in turn 10."
func lengthText(totals *usage.Totals) string {
	var out []string
	for _, turn := range usage.SortedTurns(totals.Lengths) {
		switch totals.Lengths[turn] {
		case 1:
			if totals.Matches == 1 {
				return fmt.Sprintf(" It ended in turn %d.", turn)
			}
		case totals.Matches:
			return fmt.Sprintf(" All ended in turn %d.", turn)
		}
		out = append(out, fmt.Sprintf("%d in turn %d", totals.Lengths[turn], turn))
	}
	if len(out) == 0 {
		return ""
	}
	return " They ended: " + strings.Join(out, ", ") + "."
}

// formatShare writes a number and its share of a total, e.g. "7 (58%)".
func formatShare(part, of int) string {
	return fmt.Sprintf("%d (%.0f%%)", part, 100*float64(part)/float64(max(1, of)))
}

func formatTimes(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// formatMean writes the average of dice, e.g. "3.52"; "none" without dice.
func formatMean(dice statistics.Dice) string {
	if dice.N() == 0 {
		return "none"
	}
	return fmt.Sprintf("%.2f", dice.Mean())
}

// joinCounts writes counts by turn, e.g. "turn 1, 3 times; turn 2, once".
func joinCounts(counts map[int]int, format func(int) string) string {
	var out []string
	for _, turn := range usage.SortedTurns(counts) {
		out = append(out, fmt.Sprintf("turn %d, %s", turn, format(counts[turn])))
	}
	return strings.Join(out, "; ")
}
