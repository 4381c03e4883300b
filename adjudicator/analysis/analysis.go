// Package analysis judges the decisions of a finished match with a game's rules.Analyst. Letters and history pages
// then show which decisions cost most, and which dice and draws changed the chances most.
package analysis

import (
	"fmt"
	"io"
	"strings"

	"samizdat/rules"
)

// Analysis is an analyst's judgement of a finished match.
type Analysis struct {
	// Seats are the capitalized names of the seats.
	Seats []string
	Curve []CurvePoint
	// Mistakes lists for each seat the three decisions that lowered its chance most, the most expensive first.
	Mistakes [][]Mistake
	// Luck lists the three entries with dice and draws that changed the chances most, the largest change first.
	Luck []LuckyEntry
}

// CurvePoint is the first seat's chance after an entry, in percent.
type CurvePoint struct {
	// Seq is the number of the entry. Turn is the turn of the game after the entry, e.g. "turn 3 round 2".
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

// LuckyEntry is an entry with dice or draws that changed the chances.
type LuckyEntry struct {
	Seq    int
	Turn   string
	Orders string
	// Outcomes lists the dice and the number of draws, for example "dice 3 and 5, 16 cards drawn".
	Outcomes string
	// Gain is the change of the first seat's chance, in percent.
	Gain float64
}

// Gainer returns the seat that gained by luck, and its gain in percent.
func (l LuckyEntry) Gainer() (rules.Seat, float64) {
	if l.Gain < 0 {
		return 1, -l.Gain
	}
	return 0, l.Gain
}

// Finding is a list of remarkable entries with a title, e.g. "Where dice and draws decided most".
type Finding struct {
	Title string
	Items []Item
}

// Item is a remarkable entry. For example, its two texts are "turn 3 round 2: PLAY Walesa EVENT" and "cost 7 %; the
// robot: PLAY Walesa OPS".
type Item struct {
	Seq             int
	Heading, Detail string
}

// Findings lists the most expensive decisions of each seat and the luckiest entries.
func (a *Analysis) Findings() (out []Finding) {
	for seat, mistakes := range a.Mistakes {
		f := Finding{Title: fmt.Sprintf("The decisions that cost the %s most, by what the %[1]s could see", a.Seats[seat])}
		for _, m := range mistakes {
			f.Items = append(f.Items, Item{m.Seq, m.Turn + ": " + m.Orders, fmt.Sprintf("cost %.0f %%; the robot: %s", m.Cost, m.Better)})
		}
		out = append(out, f)
	}
	f := Finding{Title: "Where dice and draws decided most"}
	for _, l := range a.Luck {
		gainer, gain := l.Gainer()
		f.Items = append(f.Items, Item{l.Seq, l.Turn + ": " + l.Orders,
			fmt.Sprintf("%s: worth %.0f %% to the %s", l.Outcomes, gain, a.Seats[gainer])})
	}
	return append(out, f)
}

func (a *Analysis) CurveTitle() string {
	return fmt.Sprintf("Chance of the %s to win, in percent, seen by a robot that knows all cards", a.Seats[0])
}

func (a *Analysis) Write(out io.Writer) error {
	if len(a.Seats) == 0 {
		_, err := fmt.Fprintln(out, "Nothing was decided in this match.")
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n\n", a.CurveTitle())
	last := ""
	for _, p := range a.Curve {
		if p.Turn != last && p.Turn != "" {
			last = p.Turn
			fmt.Fprintf(&b, "  %-42s %3.0f %s\n", p.Turn, p.Chance, strings.Repeat("#", int(p.Chance/2+0.5)))
		}
	}
	for _, f := range a.Findings() {
		fmt.Fprintf(&b, "\n%s:\n\n", f.Title)
		for _, r := range f.Items {
			fmt.Fprintf(&b, "  entry %d, %s\n      %s\n", r.Seq, r.Heading, r.Detail)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
