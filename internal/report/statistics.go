package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/statistics"
	"samizdat/internal/lazyregexp"
	"samizdat/rules"
	"samizdat/templates/picture"
)

// PrintStatistics writes tables of the counted dice and compares them with fair dice.
func PrintStatistics(out io.Writer, sum *statistics.Totals) error {
	totalDice := sum.Dice()
	matches := "one match"
	if sum.Matches != 1 {
		matches = fmt.Sprintf("%d matches", sum.Matches)
	}
	fmt.Fprintf(out, "%d dice in %s.\n\n", totalDice.N(), matches)
	if totalDice.N() > 0 {
		if err := printDiceTable(out, sum, totalDice); err != nil {
			return err
		}
	}
	if fair, ok := sum.Places.TestFairness(); ok {
		fmt.Fprintf(out, "Draws, %d places in their piles: %s.\n", sum.Places.N, describeUniformity(fair))
	}
	fmt.Fprintln(out)
	for _, s := range sum.Seats {
		for _, d := range s.Draws {
			fmt.Fprintf(out, "%s drew %s.\n", s.Name, d)
		}
	}
	for _, name := range sum.CountNames() {
		var parts []string
		for _, s := range sum.Seats {
			if c, ok := s.FindCount(name); ok {
				parts = append(parts, fmt.Sprintf("%s %d of %d", s.Name, c.Successes, c.Attempts))
			}
		}
		fmt.Fprintf(out, "%s: %s.\n", name, strings.Join(parts, ", "))
	}
	return nil
}

func printDiceTable(out io.Writer, sum *statistics.Totals, totalDice statistics.Dice) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\t1\t2\t3\t4\t5\t6\tdice\tmean\t")
	for _, s := range sum.Seats {
		printDiceRow(w, s.Name, s.Dice)
	}
	printDiceRow(w, "all", totalDice)
	fmt.Fprintln(w)
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range sum.Seats {
		fmt.Fprint(out, describeFairness(s.Name, s.Dice))
	}
	fmt.Fprint(out, describeFairness("all", totalDice))
	return nil
}

func printDiceRow(w io.Writer, name string, d statistics.Dice) {
	fmt.Fprintf(w, "%s\t", name)
	for _, n := range d {
		fmt.Fprintf(w, "%d\t", n)
	}
	fmt.Fprintf(w, "%d\t%.2f\t\n", d.N(), d.Mean())
}

// describeFairness describes how likely it is that fair dice deviate from the expected counts as much as these dice or
// more, for example "all: chi-square 4.20 with 5 degrees of freedom; ...".
func describeFairness(name string, d statistics.Dice) string {
	fair, ok := d.TestFairness()
	if !ok {
		return fmt.Sprintf("%s: fewer than %d dice are too few to judge them.\n", name, statistics.MinSample)
	}
	return fmt.Sprintf("%s: %s; a mean at least as low in %s.\n", name, describeUniformity(fair),
		statistics.FormatProbability(d.ProbabilityBelow()))
}

func describeUniformity(f statistics.FairnessTest) string {
	return fmt.Sprintf("chi-square %.2f with %d degrees of freedom; fair chance is at least as uneven in %s cases", f.ChiSquare,
		f.DegreesOfFreedom, statistics.FormatProbability(f.P))
}

var errNoDice = errors.New("no dice to draw")

// Sizes of the plot in pixels. Each seat has a row of bars.
const (
	plotWidth, plotRow, plotLeft, plotTop = 640, 170, 150, 40
	barWidth, barHeight                   = 56, 100
)

// DrawDice draws bars for the frequency of each face, in one row of bars for each seat. A line marks the frequency of a
// fair die, one sixth.
func DrawDice(out io.Writer, sum *statistics.Totals) error {
	ink, lineColour := picture.RGB(0x222222), picture.RGB(0x9a3324)
	p := &picture.Picture{Width: plotWidth, Back: picture.RGB(0xffffff), Title: "Dice",
		Words: "The share of each face in the dice of each seat; the line marks one sixth."}
	y := float64(plotTop)
	for _, s := range sum.Seats {
		n := s.Dice.N()
		if n == 0 {
			continue
		}
		maximum := 1.0 / 3
		for _, k := range s.Dice {
			maximum = max(maximum, float64(k)/float64(n))
		}
		bottom := y + barHeight
		p.Add(picture.Text{At: picture.Point{X: 12, Y: y + 40}, Words: s.Name, Size: 16, Bold: true, Colour: ink},
			picture.Text{At: picture.Point{X: 12, Y: y + 62}, Words: fmt.Sprintf("%d dice", n), Size: 13, Colour: ink},
			picture.Text{At: picture.Point{X: 12, Y: y + 80}, Words: fmt.Sprintf("mean %.2f", s.Dice.Mean()), Size: 13, Colour: ink})
		for face, k := range s.Dice {
			x := float64(plotLeft + face*80)
			h := barHeight * float64(k) / float64(n) / maximum
			p.Add(picture.Rect(picture.Box{X: x, Y: bottom - h, W: barWidth, H: h}, 0, picture.Style{Fill: picture.RGB(0x7a9cc6)}),
				picture.Text{At: picture.Point{X: x + barWidth/2, Y: bottom + 18}, Words: fmt.Sprint(face + 1), Size: 14, Bold: true,
					Anchor: picture.Middle, Colour: ink},
				picture.Text{At: picture.Point{X: x + barWidth/2, Y: bottom - 6}, Words: fmt.Sprint(k), Size: 12, Anchor: picture.Middle, Colour: ink})
		}
		fair := bottom - barHeight/6/maximum
		p.Add(picture.Line(2, lineColour, picture.Point{X: plotLeft - 8, Y: fair}, picture.Point{X: plotWidth - 20, Y: fair}))
		y += plotRow
	}
	if y == plotTop {
		return errNoDice
	}
	p.Height = int(y) - 20
	return p.SVG(out)
}

type verdict struct {
	text string
	// isGood means that everything was verified. isUnverifiable marks the record of a match that was played elsewhere: its
	// dice cannot be verified, so the record is neither good nor wrong.
	isGood, isUnverifiable bool
}

// VerifyFiles checks the records in files, in parallel, and prints a line about each, in the order of the files. It
// returns false if a record is wrong or could not be verified.
func VerifyFiles(ctx context.Context, out io.Writer, games rules.Games, paths []string, letters Letters,
	partial bool) (isGood bool, err error) {
	results := make(chan chan verdict, 2*runtime.GOMAXPROCS(0))
	// At most one record for each processor is in memory.
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	go func() {
		defer close(results)
		for _, p := range paths {
			result := make(chan verdict, 1)
			select {
			case <-ctx.Done():
				return
			case results <- result:
			}
			slots <- struct{}{}
			go func() {
				result <- verifyFile(games, p, letters, partial)
				<-slots
			}()
		}
	}()
	total, goodCount, unverifiable := 0, 0, 0
	for result := range results {
		v := <-result
		switch total++; {
		case v.isGood:
			goodCount++
		case v.isUnverifiable:
			unverifiable++
		}
		if _, e := fmt.Fprintln(out, v.text); err == nil {
			err = e
		}
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	fmt.Fprintf(out, "%d records: %d good, %d wrong", total, goodCount, total-goodCount-unverifiable)
	if unverifiable > 0 {
		fmt.Fprintf(out, ", %d not checked", unverifiable)
	}
	fmt.Fprintln(out, ".")
	return goodCount == total, err
}

func verifyFile(games rules.Games, path string, letters Letters, partial bool) verdict {
	rec, err := record.ReadFile(path)
	if err != nil {
		return verdict{text: fmt.Sprintf("%s: WRONG: %v", path, err)}
	}
	match := rec.Header.Match
	n := len(letters.byMatch[match])
	hasMailboxes := letters.hasMailboxes
	if n == 0 { // Mailboxes without a letter of this match are no fault of its record.
		letters = Letters{}
	}
	var output strings.Builder
	f, err := verify(&output, games, rec, Evidence{Letters: letters}, partial)
	lines := strings.Split(strings.TrimSpace(output.String()), "\n")
	switch {
	case err != nil:
		return verdict{text: fmt.Sprintf("%s: WRONG: match %s: %v", path, match, err)}
	case !f.isCorrect:
		return verdict{text: fmt.Sprintf("%s: WRONG: match %s: %s", path, match, lines[len(lines)-1])}
	}
	v := verdict{isGood: rec.Header.Chance != record.ChanceRecorded}
	v.isUnverifiable = !v.isGood
	judgement := "good"
	if v.isUnverifiable {
		judgement = "not checked: recorded elsewhere"
	}
	v.text = fmt.Sprintf("%s: %s: match %s, %d entries", path, judgement, match, len(rec.Entries()))
	if f.epochRises > 0 {
		v.text += fmt.Sprintf(", new epochs: %d", f.epochRises)
	}
	if letters.hasMailboxes {
		v.text += fmt.Sprintf(", letters: %d, of entries that a restore discarded: %d, entries that no letter shows: %d", n, f.excusedLetters,
			f.unshownEntries)
	} else if hasMailboxes {
		v.text += ", letters: 0"
	}
	v.text += ". " + f.end
	return v
}

// roundInLetter is the beacon round that a letter shows before the match begins.
type roundInLetter struct {
	// number is the round, or 0. isUnavailable means that the match begins without a beacon round.
	number        int64
	isUnavailable bool
}

// Patterns for the sentences about the round. They do not match a text of another player, because letters show it with
// "| " before each line.
var (
	roundPattern = lazyregexp.New(`(?m)^The\s+match\s+has\s+not\s+begun:\s+it\s+(?:waits|is\s+waiting)\s+for\s+` +
		`(?:the\s+public\s+beacon\.\s+Its\s+round\s+(\d+)\s+is\s+published|a\s+public\s+random\s+number,\s+round\s+(\d+)\s+of\s)`)
	noRoundPattern = lazyregexp.New(`(?m)^(?:- )?(?:Round\s+\d+\s+of\s+the\s+public\s+beacon\s+\S+|` +
		`The\s+public\s+random\s+number\s+\(round\s+\d+\s+of\s+\S+\))\s+(?:could\s+not\s+be\s+had|did\s+not\s+reach\s+us)\s+in\s+time`)
)

// readRound finds the beacon round in the text of a letter. For example, "it is waiting for a public random number, round
// 4711 of quicknet" yields 4711.
func readRound(text string) (r roundInLetter) {
	if !strings.Contains(text, "beacon") && !strings.Contains(text, "random") {
		return r
	}
	if named := roundPattern.FindStringSubmatch(text); named != nil {
		r.number, _ = strconv.ParseInt(named[1]+named[2], 10, 64)
	}
	r.isUnavailable = noRoundPattern.MatchString(text)
	return r
}

// For each reader, checkRounds compares the round in the record with the newest letter that names a round. Older
// letters may name another round if a player was replaced. It returns the number of letters with a wrong round.
func (c letterCheck) checkRounds(out io.Writer) (wrongCount int) {
	isUnavailable := false
	for _, letter := range c.letters {
		isUnavailable = isUnavailable || letter.round.isUnavailable
	}
	isNamed, newest := false, int64(0) // of the current reader
	for i := len(c.letters) - 1; i >= 0; i-- {
		letter := c.letters[i]
		if i == len(c.letters)-1 || !isSameReader(letter.name, c.letters[i+1].name) {
			isNamed = false
		}
		if letter.round.number == 0 {
			continue
		}
		if isNamed {
			if letter.round.number != newest {
				fmt.Fprintf(out, "  %s: it names round %d of a beacon, but a later letter names another round. "+
					"That happens only if a player was replaced before the match began.\n", c.describeLetter(letter), letter.round.number)
			}
			continue
		}
		isNamed, newest = true, letter.round.number
		switch b := c.rec.Header.Beacon; {
		case b == nil && !isUnavailable:
			wrongCount++
			fmt.Fprintf(out, "  %s: it names round %d of a beacon, but the record has none.\n", c.describeLetter(letter), letter.round.number)
		case b != nil && b.Round != letter.round.number:
			wrongCount++
			fmt.Fprintf(out, "  %s: it names round %d of the beacon, but the record has round %d.\n", c.describeLetter(letter),
				letter.round.number, b.Round)
		}
	}
	return wrongCount
}
