package compose

import (
	"fmt"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/statistics"
	"samizdat/rules"
)

const maxStatsLines = 10

// StatisticsLines describes dice and draws in numbers, the most important first. It counts the dice of all players,
// but only the reader's own draws. entries are the entries that the reader may know, seats the names of the seats.
func (h *History) StatisticsLines(entries []record.Entry, seats []string) []string {
	var totals statistics.Totals
	for _, seat := range seats {
		totals.FindSeat(seat)
	}
	counts := h.turn.Game.Counts
	for _, entry := range entries {
		for _, o := range entry.Chance {
			switch {
			case o.Roll > 0 && counts == nil:
				totals.AddRoll(string(entry.Seat), o.Roll)
			case o.Roll == 0 && o.From != rules.KindLot && h.reader != rules.NoSeat && o.To == seats[h.reader]:
				totals.AddDraw(h.turn.Game, o.To, record.Outcome{Draw: o.Draw, From: o.From})
			}
		}
	}
	if counts != nil {
		for _, c := range h.chapters {
			totals.AddEvents(counts, seats, c.position.View(h.reader), c.events)
		}
	}
	return h.formatTotals(&totals, len(seats))
}

// formatTotals formats the numbers of each seat. seats is the number of seats. totals.Seats may have one more element, for
// answers that several seats gave at once.
func (h *History) formatTotals(totals *statistics.Totals, seats int) []string {
	names := make([]string, len(totals.Seats))
	for i := range totals.Seats {
		switch {
		case i == seats:
			names[i] = "All together"
		case rules.Seat(i) == h.reader:
			names[i] = "You"
		default:
			names[i] = match.Capitalize(h.turn.Role(rules.Seat(i)))
		}
	}
	totalDice := totals.Dice()
	lines := []string{"Dice: how many, their average, and how often each number came up."}
	if h.turn.Game.Counts == nil {
		lines[0] = "Dice of each player's orders: how many, their average, and how often each number came up."
	}
	maxSeats := 3
	for i, seat := range totals.Seats {
		if len(totals.Seats) > maxSeats && rules.Seat(i) != h.reader {
			continue
		}
		lines = append(lines, diceLine(names[i], seat.Dice))
	}
	if len(totals.Seats) > maxSeats {
		lines = append(lines, diceLine("All", totalDice))
	}
	if test, ok := totalDice.TestFairness(); ok {
		lines = append(lines, fmt.Sprintf("Fair dice are at least this uneven in %s of cases (chi-square "+
			"%.1f).", statistics.FormatProbability(test.P), test.ChiSquare))
	} else {
		lines = append(lines, fmt.Sprintf("Fewer than %d dice are too few to tell whether they are fair.", statistics.MinSample))
	}
	for i, seat := range totals.Seats {
		for _, d := range seat.Draws {
			lines = append(lines, fmt.Sprintf("%s have drawn %s.", names[i], d))
		}
	}
	for _, name := range totals.CountNames() {
		text := ""
		for i, seat := range totals.Seats {
			if c, ok := seat.FindCount(name); ok {
				text += fmt.Sprintf(", %s %d of %d", names[i], c.Successes, c.Attempts)
			}
		}
		lines = append(lines, match.Capitalize(name)+": "+text[2:]+".")
	}
	var rows []string
	for _, l := range lines {
		if wrapped := Wrap(l, "", "  "); len(rows)+len(wrapped) <= maxStatsLines {
			rows = append(rows, wrapped...)
		}
	}
	return rows
}

func diceLine(name string, d statistics.Dice) string {
	if d.N() == 0 {
		return name + ": none yet."
	}
	unit := "dice"
	if d.N() == 1 {
		unit = "die"
	}
	return fmt.Sprintf("%s: %d %s, average %.2f (%s).", name, d.N(), unit, d.Mean(), d)
}
