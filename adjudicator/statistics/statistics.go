// Package statistics sums up the dice and draws of matches, and what each game counts (rules.Counter), e.g. for the order
// STATS. The caller passes only outcomes that the reader of the sums may know.
package statistics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Totals are the sums over several matches.
type Totals struct {
	Matches int
	Seats   []*SeatTotals
	Places  Places
}

// SeatTotals holds the sums of a seat or a player.
type SeatTotals struct {
	Name   string
	Dice   Dice
	Draws  []*PileDraws
	Counts []*Count
}

// PileDraws are the draws of a seat from a pile.
type PileDraws struct {
	Pile  string
	Count int
	// ValueCount is the number of draws with a known value. ValueSum is the sum of the values. ValueUnit is their unit,
	// e.g. Ops.
	ValueCount, ValueSum int
	ValueUnit            string
}

// Count is a statistic of the game, e.g. 3 successes in 5 attempts.
type Count struct {
	Name                string
	Successes, Attempts int
}

// FindSeat returns the sums for the seat or player with a name. The first call for a name creates them.
func (t *Totals) FindSeat(name string) *SeatTotals {
	for _, seat := range t.Seats {
		if seat.Name == name {
			return seat
		}
	}
	seat := &SeatTotals{Name: name}
	t.Seats = append(t.Seats, seat)
	return seat
}

// AddRoll counts a die with n pips for the seat or player with a name.
func (t *Totals) AddRoll(name string, n int) { t.FindSeat(name).Dice[n-1]++ }

// AddDraw counts a draw for its receiver. The value and the place in the pile are counted only if the record shows them.
func (t *Totals) AddDraw(g *rules.Game, name string, o record.Outcome) {
	seat := t.FindSeat(name)
	i := slices.IndexFunc(seat.Draws, func(d *PileDraws) bool { return d.Pile == o.From })
	if i < 0 {
		i = len(seat.Draws)
		seat.Draws = append(seat.Draws, &PileDraws{Pile: o.From})
	}
	d := seat.Draws[i]
	d.Count++
	if g.Counts != nil && o.Draw != nil {
		if value, unit, ok := g.Counts.ElementValue(o.From, o.Draw); ok {
			d.ValueCount, d.ValueSum, d.ValueUnit = d.ValueCount+1, d.ValueSum+value, unit
		}
	}
	if o.I != nil && o.N != nil {
		t.Places.add(*o.I, *o.N)
	}
}

// AddCount adds a count of the game for the seat or player with a name.
func (t *Totals) AddCount(name string, c rules.Count) {
	seat := t.FindSeat(name)
	i := slices.IndexFunc(seat.Counts, func(count *Count) bool { return count.Name == c.Name })
	if i < 0 {
		i = len(seat.Counts)
		seat.Counts = append(seat.Counts, &Count{Name: c.Name})
	}
	seat.Counts[i].Successes += c.Successes
	seat.Counts[i].Attempts += c.Attempts
}

// AddEvents adds the dice in events, and what the game counts in them. seats has the name for each seat.
func (t *Totals) AddEvents(g rules.Counter, seats []string, v rules.View, events []rules.Event) {
	for _, d := range g.Dice(v, events) {
		t.AddRoll(seats[d.Seat], d.N)
	}
	for _, c := range g.Count(v, events) {
		t.AddCount(seats[c.Seat], c)
	}
}

// CountNames returns the names of all counts in the order of their first use.
func (t *Totals) CountNames() []string {
	var out []string
	for _, seat := range t.Seats {
		for _, c := range seat.Counts {
			if !slices.Contains(out, c.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

// FindCount returns the count with a name. It returns false if there is none.
func (s *SeatTotals) FindCount(name string) (Count, bool) {
	for _, c := range s.Counts {
		if c.Name == name {
			return *c, true
		}
	}
	return Count{}, false
}

// Dice returns all dice of all seats.
func (t *Totals) Dice() Dice {
	var totalDice Dice
	for _, seat := range t.Seats {
		for face, n := range seat.Dice {
			totalDice[face] += n
		}
	}
	return totalDice
}

// String returns the sum in words: "24 cards from the strategy pile, 2.38 Ops on average".
func (d PileDraws) String() string {
	unit := "cards"
	if d.Count == 1 {
		unit = "card"
	}
	text := fmt.Sprintf("%d %s from the %s pile", d.Count, unit, d.Pile)
	if d.ValueCount > 0 {
		text += fmt.Sprintf(", %.2f %s on average", float64(d.ValueSum)/float64(d.ValueCount), d.ValueUnit)
	}
	return text
}

// Dice counts the dice by face, from 1 to 6.
type Dice [6]int

// N returns the number of dice.
func (d Dice) N() int {
	n := 0
	for _, k := range d {
		n += k
	}
	return n
}

// Mean returns the mean of the dice. It returns 0 if there are no dice.
func (d Dice) Mean() float64 {
	if d.N() == 0 {
		return 0
	}
	sum := 0
	for face, k := range d {
		sum += (face + 1) * k
	}
	return float64(sum) / float64(d.N())
}

// String lists the faces: "1:3 2:0 3:4 4:1 5:2 6:2".
func (d Dice) String() string {
	text := ""
	for face, k := range d {
		text += fmt.Sprintf(" %d:%d", face+1, k)
	}
	return text[1:]
}

// Places counts draws by their place in the pile, in tenths of the pile from the top: the observed counts, and the
// counts that fair chance would give on average.
type Places struct {
	Observed [10]int
	Expected [10]float64
	N        int
}

func (p *Places) add(i, n int) {
	if i < 0 || i >= n {
		return
	}
	p.N++
	p.Observed[i*len(p.Observed)/n]++
	for k := range n {
		p.Expected[k*len(p.Expected)/n] += 1 / float64(n)
	}
}

// MinSample is the minimum number of dice for a chi-square test: five for each face.
const MinSample = 30

// FairnessTest is the result of a chi-square test.
type FairnessTest struct {
	ChiSquare        float64
	DegreesOfFreedom int
	// P is the probability that fair chance would be at least as uneven as the counted dice or places.
	P float64
}

// TestFairness tests the dice; ok is false for fewer than MinSample dice.
func (d Dice) TestFairness() (result FairnessTest, ok bool) {
	if d.N() < MinSample {
		return FairnessTest{}, false
	}
	expected := make([]float64, len(d))
	for i := range expected {
		expected[i] = float64(d.N()) / float64(len(d))
	}
	return chiSquare(d[:], expected), true
}

// TestFairness tests the places; ok is false if there are too few draws.
func (p Places) TestFairness() (result FairnessTest, ok bool) {
	if p.N < 5*len(p.Observed) {
		return FairnessTest{}, false
	}
	return chiSquare(p.Observed[:], p.Expected[:]), true
}

func chiSquare(observed []int, expected []float64) FairnessTest {
	sum, cells := 0.0, 0
	for i, n := range observed {
		if expected[i] > 0 {
			sum += (float64(n) - expected[i]) * (float64(n) - expected[i]) / expected[i]
			cells++
		}
	}
	return FairnessTest{ChiSquare: sum, DegreesOfFreedom: cells - 1, P: tailProbability(sum, cells-1)}
}

// tailProbability returns the probability that a chi-square value is at least x: the regularised gamma function Q(k/2, x/2), where k is
// degreesOfFreedom. For integers k it is a finite sum (https://dlmf.nist.gov/8.4).
func tailProbability(x float64, degreesOfFreedom int) float64 {
	halfX := x / 2
	sum, term := 0.0, math.Exp(-halfX)
	a := 1.0
	if degreesOfFreedom%2 == 1 {
		sum, term, a = math.Erfc(math.Sqrt(halfX)), math.Exp(-halfX)*math.Sqrt(halfX/math.Pi)*2, 1.5
	}
	for ; a <= float64(degreesOfFreedom)/2; a++ {
		sum += term
		term *= halfX / a
	}
	return min(sum, 1)
}

// ProbabilityBelow returns the probability that the same number of fair dice has at most the mean of these dice.
func (d Dice) ProbabilityBelow() float64 {
	n := float64(d.N())
	const variance = 35.0 / 12
	// Continuity correction: the sum of dice is an integer.
	z := (d.Mean()*n + 0.5 - 3.5*n) / math.Sqrt(variance*n)
	return math.Erfc(-z/math.Sqrt2) / 2
}

// FormatProbability writes a probability in words: "43 of 100", "fewer than 1 of 100".
func FormatProbability(p float64) string {
	switch n := math.Round(100 * p); {
	case p < 0.005:
		return "fewer than 1 of 100"
	case p > 0.995:
		return "more than 99 of 100"
	default:
		return fmt.Sprintf("%.0f of 100", n)
	}
}

// AddRecord adds the outcomes of a match, without hidden outcomes. nameOf returns the name under which a seat is counted.
// A die counts for the seat that g.Counts names. Without g.Counts, or if the record lacks the secret, it counts for the
// seat of its entry.
func (t *Totals) AddRecord(g *rules.Game, rec *record.Record, nameOf func(seat string) string) error {
	t.Matches++
	isComplete := rec.Header.Secret != "" || rec.Header.Chance == record.ChanceRecorded
	seats := record.NewOutcomeNames(g, rec.Header.Setup(g)).Seats
	for i, seat := range seats {
		seats[i] = nameOf(seat)
	}
	for _, entry := range rec.Entries() {
		for _, o := range entry.Chance {
			switch {
			case o.Roll > 0 && (g.Counts == nil || !isComplete):
				t.AddRoll(nameOf(string(entry.Seat)), o.Roll)
			case o.Roll == 0 && o.To != "" && o.From != rules.KindLot:
				t.AddDraw(g, nameOf(o.To), o)
			}
		}
	}
	if g.Counts == nil || !isComplete {
		return nil
	}
	_, err := record.Replay(rec, g, func(v record.Visit) error {
		public := slices.DeleteFunc(slices.Clone(v.Events), func(e rules.Event) bool { return !e.Audience.Has(rules.NoSeat) })
		t.AddEvents(g.Counts, seats, v.Position.View(rules.NoSeat), public)
		return nil
	})
	if errors.As(err, new(record.DifferencesError)) && !errors.As(err, new(*record.ReplayError)) {
		return nil // The totals do not depend on the expected results in the record.
	}
	return err
}
