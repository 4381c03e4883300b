package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Analyse replays a finished match and judges its decisions. simulations is the number of games that are simulated for each
// option of a decision. Analyse calls progress after each entry.
func Analyse(ctx context.Context, games rules.Games, rec *record.Record, simulations int,
	progress func(done, total int)) (*Analysis, error) {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return nil, err
	}
	if g.Analyst == nil {
		return nil, fmt.Errorf("%s cannot be analysed: the game has no rules.Analyst", g.Title())
	}
	entries := rec.Entries()
	if rec.Header.Secret == "" {
		return nil, errors.New("the match is not over: the record has no published secret")
	}
	a := &analyser{game: g, analyst: g.Analyst(simulations)}
	n := 0
	_, err = record.ReplayVerified(rec, g, func(v record.Visit) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.visit(&v); err != nil {
			return fmt.Errorf("entry %d: %w", v.Entry.Seq, err)
		}
		n++
		progress(n, len(entries))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("analyse match %s: %w", rec.Header.Match, err)
	}
	return a.finish(), nil
}

type analyser struct {
	game     *rules.Game
	analyst  rules.Analyst
	previous rules.Position // before the current entry
	turn     string
	analysis Analysis
}

func (a *analyser) visit(v *record.Visit) error {
	if v.Entry.FirstTakenBack > 0 {
		a.dropTakenBack(v.Entry.FirstTakenBack)
	}
	turn := a.turn
	if a.game.Headline != nil {
		a.turn = a.game.Headline(v.Position.View(rules.NoSeat))
	}
	for _, answer := range v.Answers {
		for len(a.analysis.Mistakes) <= int(answer.Seat) {
			a.analysis.Mistakes = append(a.analysis.Mistakes, nil)
		}
	}
	orders := strings.Join(v.Entry.Orders, "; ")
	if a.previous != nil && len(v.Answers) == 1 {
		beforeDice, m, err := a.judgeAnswer(v.Answers[0])
		if err != nil {
			return err
		}
		m.Seq, m.Turn, m.Orders = v.Entry.Seq, turn, orders
		if m.Cost > 0 {
			seat := v.Answers[0].Seat
			a.analysis.Mistakes[seat] = append(a.analysis.Mistakes[seat], m)
		}
		if len(v.Entry.Chance) > 0 {
			gain := percent(a.winChance(v.Position) - a.winChance(beforeDice))
			a.analysis.Luck = append(a.analysis.Luck, LuckyEntry{Seq: v.Entry.Seq, Turn: turn, Orders: orders,
				Outcomes: formatOutcomes(v.Entry.Chance), Gain: gain})
		}
	}
	a.previous = v.Position.Clone()
	a.analysis.Curve = append(a.analysis.Curve, CurvePoint{Seq: v.Entry.Seq, Turn: a.turn, Chance: percent(a.winChance(v.Position))})
	return nil
}

// dropTakenBack drops the judgements of entry seq and all later entries, because they were taken back.
func (a *analyser) dropTakenBack(seq int) {
	x := &a.analysis
	x.Curve = slices.DeleteFunc(x.Curve, func(p CurvePoint) bool { return p.Seq >= seq })
	x.Luck = slices.DeleteFunc(x.Luck, func(l LuckyEntry) bool { return l.Seq >= seq })
	for seat := range x.Mistakes {
		x.Mistakes[seat] = slices.DeleteFunc(x.Mistakes[seat], func(m Mistake) bool { return m.Seq >= seq })
	}
}

// winChance returns the first seat's chance to win, from 0 to rules.AnalystCertain.
func (a *analyser) winChance(p rules.Position) int {
	if r, over := p.Result(); over {
		switch {
		case r.Winners.Has(0):
			return rules.AnalystCertain
		case r.Winners != 0 || r.AllLost:
			return 0
		}
		return rules.AnalystCertain / 2
	}
	return a.analyst.WinChance(p)
}

func percent(chance int) float64 { return 100 * float64(chance) / rules.AnalystCertain }

// judgeAnswer compares each atom of an answer with the best option. It returns the position after the answer but
// before its dice and draws, and the mistake; the mistake's Cost is 0 for the best answer.
func (a *analyser) judgeAnswer(executed gate.ExecutedAnswer) (rules.Position, Mistake, error) {
	position, worstCost := a.previous.Clone(), 0.0
	var mistake Mistake
	for _, atom := range executed.Result.Atoms {
		decisions := position.OpenDecisions(nil)
		i := slices.IndexFunc(decisions, func(d rules.Decision) bool { return d.Seat == executed.Seat })
		if i < 0 {
			break
		}
		d := decisions[i]
		if options := position.Options(nil, d.ID); len(options) > 1 && !d.Sealed {
			comparison := a.analyst.Compare(position.View(executed.Seat), options, atom)
			cost := percent(comparison.BestChance - comparison.TakenChance)
			mistake.Cost += cost
			if cost > worstCost {
				worstCost, mistake.Better = cost, a.game.FormatOrder([]rules.Atom{comparison.Best})
			}
		}
		if _, err := position.Apply(d.ID, atom, gate.NoChance{}, nil); errors.Is(err, rules.ErrNoOutcome) {
			break
		} else if err != nil {
			return nil, mistake, err
		}
	}
	return position, mistake, nil
}

// maxItems is the maximum number of mistakes of each seat, and of lucky entries.
const maxItems = 3

// finish keeps only the most expensive mistakes and the luckiest entries, and adds the names of the seats.
func (a *analyser) finish() *Analysis {
	for seat := range a.analysis.Mistakes {
		a.analysis.Mistakes[seat] = largest(a.analysis.Mistakes[seat], func(m Mistake) float64 { return m.Cost })
	}
	a.analysis.Luck = largest(a.analysis.Luck, func(l LuckyEntry) float64 { return max(l.Gain, -l.Gain) })
	if p := a.previous; p != nil {
		for _, name := range a.game.SeatNames(rules.Setup{Seats: len(a.analysis.Mistakes)}) {
			a.analysis.Seats = append(a.analysis.Seats, strings.ToUpper(name[:1])+name[1:])
		}
	}
	return &a.analysis
}

func largest[T any](list []T, size func(T) float64) []T {
	slices.SortStableFunc(list, func(x, y T) int { return cmp.Compare(size(y), size(x)) })
	return list[:min(maxItems, len(list))]
}

func formatOutcomes(chance []record.Outcome) string {
	var dice, parts []string
	drawn := 0
	for _, o := range chance {
		if o.Roll > 0 {
			dice = append(dice, fmt.Sprint(o.Roll))
		} else {
			drawn++
		}
	}
	switch len(dice) {
	case 0:
	case 1:
		parts = append(parts, "die "+dice[0])
	default:
		parts = append(parts, "dice "+strings.Join(dice[:len(dice)-1], ", ")+" and "+dice[len(dice)-1])
	}
	switch drawn {
	case 0:
	case 1:
		parts = append(parts, "1 card drawn")
	default:
		parts = append(parts, fmt.Sprintf("%d cards drawn", drawn))
	}
	return strings.Join(parts, ", ")
}
