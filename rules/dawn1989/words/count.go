package words

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Count implements rules.Counter.
func (Words) Count(rv rules.View, events []rules.Event) []rules.Count {
	p := &rv.(*engine.View).Seen
	var out []rules.Count
	add := func(name string, side engine.Side, won bool) {
		n := 0
		if won {
			n = 1
		}
		out = append(out, rules.Count{Name: name, Seat: p.Sits[side], N: n, Of: 1})
	}
	for _, e := range events {
		side := engine.Side(e.Args[0])
		switch e.Kind {
		case engine.EvStruggleWon:
			add("power struggles won", side, true)
			add("power struggles won", side.Enemy(), false)
		case engine.EvCounter:
			if die := e.Args[1]; die > 0 {
				add("counterattacks that came off", side, e.Args[3] == 1)
			}
		case engine.EvCheck:
			const removed, added = 9, 10
			add("support checks that came off", side, e.Args[removed]+e.Args[added] > 0)
		case engine.EvAttempt:
			const success = 7
			add("Tiananmen attempts that came off", side, e.Args[success] == 1)
		case engine.EvRoll:
			const success = 5
			add("dice of events that came off", side, e.Args[success] == 1)
		}
	}
	return out
}

// whose are the dice of events: the arguments that hold whose it was and what it showed.
var whose = map[rules.EventKind][2]int{
	engine.EvRoll: {0, 1}, engine.EvTable: {0, 1}, engine.EvCheck: {0, 2}, engine.EvAttempt: {0, 2}, engine.EvCounter: {0, 1},
	engine.EvLoss: {0, 1}, engine.EvVictory: {0, 1},
}

// Dice implements rules.Counter.
func (Words) Dice(rv rules.View, events []rules.Event) []rules.Die {
	p := &rv.(*engine.View).Seen
	var out []rules.Die
	add := func(seat rules.Seat, die int16) {
		if die > 0 {
			out = append(out, rules.Die{Seat: seat, N: int(die)})
		}
	}
	for _, e := range events {
		if at, one := whose[e.Kind]; one {
			add(p.Sits[e.Args[at[0]]], e.Args[at[1]])
		}
		switch e.Kind {
		case engine.EvStrike: // It is the Communist who is struck.
			add(p.Sits[engine.Communist], e.Args[0])
		case engine.EvContest:
			add(p.Sits[e.Args[0]], e.Args[1])
			add(p.Sits[engine.Side(e.Args[0]).Enemy()], e.Args[3])
		case engine.EvBidRoll:
			add(0, e.Args[0])
			add(1, e.Args[1])
		}
	}
	return out
}

// Worth implements rules.Counter: what is printed on a strategy card.
func (Words) Worth(pile string, element any) (n int, of string, ok bool) {
	c, ok := element.(int)
	if pile != "strategy" || !ok || c < 1 || c >= int(engine.Cards) {
		return 0, "", false
	}
	return engine.Card(c).Info().Ops, "Ops", true
}
