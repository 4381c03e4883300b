package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/statistics"
	"samizdat/rules"
)

// mostStats is how many lines the answer to STATS has at most.
const mostStats = 10

// Stats implements letter.Host. Dice are public; of draws only the writer's own are
// counted, and of the rest only what his letters have told.
func (s host) Stats(ctx context.Context) (letter.Outcome, error) {
	chapters, err := s.j.pastChapters(ctx)
	if err != nil {
		return letter.Outcome{}, err
	}
	entries, err := s.j.play.played(ctx)
	if err != nil {
		return letter.Outcome{}, err
	}
	if s.j.play.seat == rules.Nobody {
		entries = entries[:s.j.known(entries)]
	}
	var sum statistics.Sum
	for _, seat := range s.j.play.words.Seats {
		sum.Seat(seat)
	}
	g, counts := s.j.turn.game.(rules.Counter)
	for _, e := range entries {
		for _, o := range e.Chance {
			switch {
			case o.Roll > 0 && !counts:
				sum.Roll(string(e.Seat), o.Roll)
			case o.Roll == 0 && o.From != rules.KindLot && s.j.play.seat != rules.Nobody && o.To == s.j.play.words.Seats[s.j.play.seat]:
				sum.Draw(s.j.turn.game, o.To, record.Outcome{Draw: o.Draw, From: o.From})
			}
		}
	}
	for _, c := range chapters {
		if counts {
			sum.Events(g, s.j.play.words.Seats, c.pos.View(s.j.play.seat), c.events)
		}
	}
	s.j.add(rules.Query(letter.Stats), "Dice and cards in numbers", s.statsLines(&sum), nil)
	return letter.Done("It stands below.")
}

// statsLines are the lines of the answer, the most telling first.
func (s host) statsLines(sum *statistics.Sum) []string {
	names := make([]string, len(sum.Seats))
	for i := range sum.Seats {
		switch {
		case i == len(s.j.play.words.Seats):
			names[i] = "Of all together" // Several have answered at once.
		case rules.Seat(i) == s.j.play.seat:
			names[i] = "You"
		default:
			names[i] = capital(s.j.turn.role(rules.Seat(i)))
		}
	}
	all := sum.Dice()
	lines := []string{"Dice:"}
	if _, counts := s.j.turn.game.(rules.Counter); !counts {
		lines[0] = "Dice, by who gave the order that they followed:"
	}
	most := 3
	for i, seat := range sum.Seats {
		if len(sum.Seats) > most && rules.Seat(i) != s.j.play.seat {
			continue
		}
		lines = append(lines, diceLine(names[i], seat.Dice))
	}
	if len(sum.Seats) > most {
		lines = append(lines, diceLine("All", all))
	}
	if fair, ok := all.Fair(); ok {
		lines = append(lines, fmt.Sprintf("Fair dice are as uneven, or more, in %s cases (chi-square %.1f).", statistics.InHundred(fair.P), fair.ChiSquare))
	} else {
		lines = append(lines, fmt.Sprintf("Fewer than %d dice are too few to judge them.", statistics.Enough))
	}
	for i, seat := range sum.Seats {
		for _, d := range seat.Drawn {
			lines = append(lines, fmt.Sprintf("%s have drawn %s.", names[i], d))
		}
	}
	for _, name := range sum.CountNames() {
		text := ""
		for i, seat := range sum.Seats {
			if c, ok := seat.Counted(name); ok {
				text += fmt.Sprintf(", %s %d of %d", names[i], c.N, c.Of)
			}
		}
		lines = append(lines, capital(name)+": "+text[2:]+".")
	}
	var rows []string
	for _, l := range lines {
		if more := wrapped(l, "", "  "); len(rows)+len(more) <= mostStats {
			rows = append(rows, more...)
		}
	}
	return rows
}

func diceLine(name string, d statistics.Dice) string {
	if d.N() == 0 {
		return name + ": none yet."
	}
	return fmt.Sprintf("%s: %d, mean %.2f (%s).", name, d.N(), d.Mean(), d)
}
