package report

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"samizdat/adjudicator/statistics"
	"samizdat/templates/picture"
)

// Statistics writes what was counted as tables, with what fair chance would do.
func Statistics(out io.Writer, sum *statistics.Sum) error {
	all := sum.Dice()
	matches := "one match"
	if sum.Matches != 1 {
		matches = fmt.Sprintf("%d matches", sum.Matches)
	}
	fmt.Fprintf(out, "%d dice in %s.\n\n", all.N(), matches)
	if all.N() > 0 {
		if err := diceTable(out, sum, all); err != nil {
			return err
		}
	}
	if fair, ok := sum.Places.Fair(); ok {
		fmt.Fprintf(out, "Draws, %d places in their piles: %s.\n", sum.Places.N, uneven(fair))
	}
	fmt.Fprintln(out)
	for _, s := range sum.Seats {
		for _, d := range s.Drawn {
			fmt.Fprintf(out, "%s drew %s.\n", s.Name, d)
		}
	}
	for _, name := range sum.CountNames() {
		var parts []string
		for _, s := range sum.Seats {
			if c, ok := s.Counted(name); ok {
				parts = append(parts, fmt.Sprintf("%s %d of %d", s.Name, c.N, c.Of))
			}
		}
		fmt.Fprintf(out, "%s: %s.\n", name, strings.Join(parts, ", "))
	}
	return nil
}

// diceTable writes how often each face came, and how often fair dice do so.
func diceTable(out io.Writer, sum *statistics.Sum, all statistics.Dice) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\t1\t2\t3\t4\t5\t6\tdice\tmean\t")
	for _, s := range sum.Seats {
		diceRow(w, s.Name, s.Dice)
	}
	diceRow(w, "all", all)
	fmt.Fprintln(w)
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range sum.Seats {
		fmt.Fprint(out, judged(s.Name, s.Dice))
	}
	fmt.Fprint(out, judged("all", all))
	return nil
}

func diceRow(w io.Writer, name string, d statistics.Dice) {
	fmt.Fprintf(w, "%s\t", name)
	for _, n := range d {
		fmt.Fprintf(w, "%d\t", n)
	}
	fmt.Fprintf(w, "%d\t%.2f\t\n", d.N(), d.Mean())
}

// judged says how often fair dice do as some do; nothing where there are too few.
func judged(name string, d statistics.Dice) string {
	fair, ok := d.Fair()
	if !ok {
		return fmt.Sprintf("%s: fewer than %d dice are too few to judge them.\n", name, statistics.Enough)
	}
	return fmt.Sprintf("%s: %s; as low a mean, or a lower one, in %s.\n", name, uneven(fair), statistics.InHundred(d.Lower()))
}

func uneven(f statistics.Fair) string {
	return fmt.Sprintf("chi-square %.2f with %d degrees of freedom; fair chance is as uneven, or more, in %s cases", f.ChiSquare, f.Freedom, statistics.InHundred(f.P))
}

var errNoDice = errors.New("there are no dice to draw")

// The plot: a row of bars a seat.
const (
	plotWidth, plotRow, plotLeft, plotTop = 640, 170, 150, 40
	barWidth, barHeight                   = 56, 100
)

// Plot draws how often each face came, a row for each seat, with a line where fair dice are.
func Plot(out io.Writer, sum *statistics.Sum) error {
	ink, line := picture.RGB(0x222222), picture.RGB(0x9a3324)
	p := &picture.Picture{Width: plotWidth, Back: picture.RGB(0xffffff), Title: "Dice",
		Words: "How often each face came, in parts of the dice of each seat; the line is a sixth."}
	y := float64(plotTop)
	for _, s := range sum.Seats {
		n := s.Dice.N()
		if n == 0 {
			continue
		}
		most := 1.0 / 3
		for _, k := range s.Dice {
			most = max(most, float64(k)/float64(n))
		}
		foot := y + barHeight
		p.Add(picture.Text{At: picture.Point{X: 12, Y: y + 40}, Words: s.Name, Size: 16, Bold: true, Colour: ink},
			picture.Text{At: picture.Point{X: 12, Y: y + 62}, Words: fmt.Sprintf("%d dice", n), Size: 13, Colour: ink},
			picture.Text{At: picture.Point{X: 12, Y: y + 80}, Words: fmt.Sprintf("mean %.2f", s.Dice.Mean()), Size: 13, Colour: ink})
		for face, k := range s.Dice {
			x := float64(plotLeft + face*80)
			h := barHeight * float64(k) / float64(n) / most
			p.Add(picture.Rect(picture.Box{X: x, Y: foot - h, W: barWidth, H: h}, 0, picture.Style{Fill: picture.RGB(0x7a9cc6)}),
				picture.Text{At: picture.Point{X: x + barWidth/2, Y: foot + 18}, Words: fmt.Sprint(face + 1), Size: 14, Bold: true, Anchor: picture.Middle, Colour: ink},
				picture.Text{At: picture.Point{X: x + barWidth/2, Y: foot - 6}, Words: fmt.Sprint(k), Size: 12, Anchor: picture.Middle, Colour: ink})
		}
		fair := foot - barHeight/6/most
		p.Add(picture.Line(2, line, picture.Point{X: plotLeft - 8, Y: fair}, picture.Point{X: plotWidth - 20, Y: fair}))
		y += plotRow
	}
	if y == plotTop {
		return errNoDice
	}
	p.Height = int(y) - 20
	return p.SVG(out)
}
