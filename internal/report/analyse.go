package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Analysis is the result of Analyse: how the chances to win a finished match changed, and why.
type Analysis struct {
	Seats []string
	// Curve holds the first seat's chance to win after each entry, in percent.
	Curve []CurvePoint
	// Mistakes are the decisions that lowered the chance of each seat, by seat, the most expensive first.
	Mistakes [][]Mistake
	// Luck lists the entries with dice or draws, those with the largest change of the chances first.
	Luck []Luck
}

// CurvePoint is the first seat's chance to win after the entry with the number Seq.
type CurvePoint struct {
	Seq    int
	Turn   string
	Chance float64
}

// Mistake is a decision that lowered the chance of its seat.
type Mistake struct {
	Seq    int
	Turn   string
	Orders string
	// Better is the order that the robot prefers.
	Better string
	// Cost is the lost chance, in percent.
	Cost float64
}

// Luck is an entry with dice or draws and the change of the chances that they made.
type Luck struct {
	Seq    int
	Turn   string
	Orders string
	// Outcomes lists the dice and the number of draws, for example "dice 3 and 5, 16 cards drawn".
	Outcomes string
	// Gain is the change of the first seat's chance, in percent.
	Gain float64
}

// maxListed is the largest number of mistakes of a seat, and of lucky entries, that Write prints.
const maxListed = 3

// Analyse replays a finished match and judges its decisions with simulated games: simulations is their number for
// each option. It calls progress after each entry.
func Analyse(ctx context.Context, games rules.Games, rec *record.Record, simulations int,
	progress func(done, total int)) (*Analysis, error) {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return nil, err
	}
	if g.Analyst == nil {
		return nil, fmt.Errorf("%s cannot be analysed: its robots do not play options out", g.Title())
	}
	entries := rec.Entries()
	if rec.Header.Secret == "" {
		return nil, errors.New("the match is not over: only a record with the published secret can be analysed")
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

// analyser is the state of Analyse during the replay: previous is the position before the current entry.
type analyser struct {
	game     *rules.Game
	analyst  rules.Analyst
	previous rules.Position
	turn     string
	analysis Analysis
}

func (a *analyser) visit(v *record.Visit) error {
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
		stalled, m, err := a.judgeAnswer(v.Answers[0])
		if err != nil {
			return err
		}
		m.Seq, m.Turn, m.Orders = v.Entry.Seq, turn, orders
		if m.Cost > 0 {
			seat := v.Answers[0].Seat
			a.analysis.Mistakes[seat] = append(a.analysis.Mistakes[seat], m)
		}
		if len(v.Entry.Chance) > 0 {
			gain := percent(a.chance(v.Position) - a.chance(stalled))
			a.analysis.Luck = append(a.analysis.Luck, Luck{Seq: v.Entry.Seq, Turn: turn, Orders: orders, Outcomes: formatOutcomes(v.Entry.Chance), Gain: gain})
		}
	}
	a.previous = v.Position.Clone()
	a.analysis.Curve = append(a.analysis.Curve, CurvePoint{Seq: v.Entry.Seq, Turn: a.turn, Chance: percent(a.chance(v.Position))})
	return nil
}

// chance returns the first seat's chance to win, out of rules.AnalystCertain.
func (a *analyser) chance(p rules.Position) int {
	if r, over := p.Result(); over {
		switch {
		case r.Winners.Has(0):
			return rules.AnalystCertain
		case r.Winners != 0 || r.Lost:
			return 0
		}
		return rules.AnalystCertain / 2
	}
	return a.analyst.Chance(p)
}

func percent(chance int) float64 { return 100 * float64(chance) / rules.AnalystCertain }

// judgeAnswer compares each atom of an answer with the best option. It returns the position where the answer waits
// for dice or cards, and the mistake; its Cost is 0 if there is none.
func (a *analyser) judgeAnswer(executed gate.ExecutedAnswer) (rules.Position, Mistake, error) {
	p, worst := a.previous.Clone(), 0.0
	var m Mistake
	for _, atom := range executed.Result.Atoms {
		decisions := p.OpenDecisions(nil)
		i := slices.IndexFunc(decisions, func(d rules.Decision) bool { return d.Seat == executed.Seat })
		if i < 0 {
			break
		}
		d := decisions[i]
		if options := p.Options(nil, d.ID); len(options) > 1 && !d.Sealed {
			c := a.analyst.Compare(p.View(executed.Seat), options, atom)
			cost := percent(c.BestChance - c.TakenChance)
			m.Cost += cost
			if cost > worst {
				worst, m.Better = cost, a.game.FormatOrder([]rules.Atom{c.Best})
			}
		}
		if _, err := p.Apply(d.ID, atom, gate.NoChance{}, nil); errors.Is(err, rules.ErrNoOutcome) {
			break
		} else if err != nil {
			return nil, m, err
		}
	}
	return p, m, nil
}

// finish sorts the mistakes and the lucky entries.
func (a *analyser) finish() *Analysis {
	for seat := range a.analysis.Mistakes {
		slices.SortStableFunc(a.analysis.Mistakes[seat], func(x, y Mistake) int { return cmp.Compare(y.Cost, x.Cost) })
	}
	slices.SortStableFunc(a.analysis.Luck, func(x, y Luck) int { return cmp.Compare(abs(y.Gain), abs(x.Gain)) })
	if p := a.previous; p != nil {
		a.analysis.Seats = a.game.SeatNames(rules.Setup{Seats: len(a.analysis.Mistakes)})
	}
	return &a.analysis
}

// formatOutcomes describes dice and draws, for example "dice 3 and 5, 16 cards drawn".
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

func abs(x float64) float64 { return max(x, -x) }

// Write writes the analysis as text: the curve by turn, the mistakes of each seat, and the lucky entries.
func (a *Analysis) Write(out io.Writer) error {
	if len(a.Seats) == 0 {
		_, err := fmt.Fprintln(out, "Nothing was decided in this match.")
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Chance of the %s to win, in percent, seen by one who knows all cards:\n\n", a.Seats[0])
	last := ""
	for _, p := range a.Curve {
		if p.Turn != last && p.Turn != "" {
			last = p.Turn
			fmt.Fprintf(&b, "  %-42s %3.0f %s\n", p.Turn, p.Chance, strings.Repeat("#", int(p.Chance/2+0.5)))
		}
	}
	for seat, mistakes := range a.Mistakes {
		fmt.Fprintf(&b, "\nThe decisions that cost the %s most, by what the %[1]s could see:\n\n", a.Seats[seat])
		for _, m := range mistakes[:min(maxListed, len(mistakes))] {
			fmt.Fprintf(&b, "  entry %d, %s: %s\n      cost %.0f %%; the robot: %s\n", m.Seq, m.Turn, m.Orders, m.Cost, m.Better)
		}
	}
	fmt.Fprint(&b, "\nWhere dice and draws decided most:\n\n")
	for _, l := range a.Luck[:min(maxListed, len(a.Luck))] {
		gainer := a.Seats[0]
		if l.Gain < 0 {
			gainer = a.Seats[1]
		}
		fmt.Fprintf(&b, "  entry %d, %s: %s\n      %s: worth %.0f %% to the %s\n", l.Seq, l.Turn, l.Orders, l.Outcomes, abs(l.Gain), gainer)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
