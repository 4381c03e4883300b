package words

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Count implements rules.Counter.
func (Words) Count(rv rules.View, events []rules.Event) []rules.Count {
	p := &rv.(*engine.View).Visible
	var out []rules.Count
	add := func(name string, side engine.Side, hasWon bool) {
		n := 0
		if hasWon {
			n = 1
		}
		out = append(out, rules.Count{Name: name, Seat: p.SeatOfSide[side], Successes: n, Attempts: 1})
	}
	for _, e := range events {
		side := engine.Side(e.Args[0])
		switch e.Kind {
		case engine.EvStruggleWon:
			add("power struggles won", side, true)
			add("power struggles won", side.Enemy(), false)
		case engine.EvCounter:
			if die := e.Args[1]; die > 0 {
				add("counterattacks that succeeded", side, e.Args[3] == 1)
			}
		case engine.EvCheck:
			const removed, added = 9, 10
			add("support checks that succeeded", side, e.Args[removed]+e.Args[added] > 0)
		case engine.EvAttempt:
			const success = 7
			add("Tiananmen attempts that succeeded", side, e.Args[success] == 1)
		case engine.EvRoll:
			const success = 5
			add("event rolls that succeeded", side, e.Args[success] == 1)
		}
	}
	return out
}

// diceArgs has the kinds of events that name a side and its only die, with the indexes of these two arguments.
var diceArgs = map[rules.EventKind][2]int{
	engine.EvRoll: {0, 1}, engine.EvTable: {0, 1}, engine.EvCheck: {0, 2}, engine.EvAttempt: {0, 2}, engine.EvCounter: {0, 1},
	engine.EvLoss: {0, 1}, engine.EvVictory: {0, 1},
}

// Dice implements rules.Counter.
func (Words) Dice(rv rules.View, events []rules.Event) []rules.Die {
	p := &rv.(*engine.View).Visible
	var out []rules.Die
	add := func(seat rules.Seat, die int16) {
		if die > 0 {
			out = append(out, rules.Die{Seat: seat, N: int(die)})
		}
	}
	for _, e := range events {
		if at, hasDie := diceArgs[e.Kind]; hasDie {
			add(p.SeatOfSide[e.Args[at[0]]], e.Args[at[1]])
		}
		switch e.Kind {
		case engine.EvStrike: // A strike always makes the Communist roll.
			add(p.SeatOfSide[engine.Communist], e.Args[0])
		case engine.EvContest:
			add(p.SeatOfSide[e.Args[0]], e.Args[1])
			add(p.SeatOfSide[engine.Side(e.Args[0]).Enemy()], e.Args[3])
		case engine.EvBidRoll:
			add(0, e.Args[0])
			add(1, e.Args[1])
		}
	}
	return out
}

// modeWords name the modes of play in statistics.
var modeWords = map[engine.Mode]string{engine.PlayEvent: "event", engine.PlayOps: "Ops", engine.PlayEventFirst: "event, then Ops",
	engine.PlayEventAfter: "Ops, then event", engine.PlayNoEvent: "Ops", engine.PlayBothFirst: "event, then Ops",
	engine.PlayBothAfter: "Ops, then event", engine.PlayWithHome: "Ops", engine.PlayTiananmen: "Tiananmen", engine.PlayStrike: "strike"}

// Uses implements rules.Game.Uses: the strategy cards that were played and the support points that were placed.
func (Words) Uses(rv rules.View, events []rules.Event) (out []rules.Use) {
	p := &rv.(*engine.View).Visible
	for _, e := range events {
		switch e.Kind {
		case engine.EvPlayed:
			seat := p.SeatOfSide[e.Args[2]]
			out = append(out, rules.Use{Seat: seat, Card: int(e.Args[0]), How: modeWords[engine.Mode(e.Args[1])]})
			if home := int(e.Args[3]); home > 0 {
				out = append(out, rules.Use{Seat: seat, Card: home, How: "event"})
			}
		case engine.EvPlaced:
			out = append(out, rules.Use{Seat: p.SeatOfSide[e.Args[0]], Place: engine.Space(e.Args[1]).Info().Name, N: int(e.Args[2])})
		}
	}
	return out
}

// ElementValue implements rules.Counter: the printed Ops value of a strategy card.
func (Words) ElementValue(pile string, element any) (n int, unit string, ok bool) {
	c, ok := element.(int)
	if pile != "strategy" || !ok || c < 1 || c >= int(engine.Cards) {
		return 0, "", false
	}
	return engine.Card(c).Info().Ops, "Ops", true
}

// Episode implements rules.Chronicler: each power struggle is an episode.
func (Words) Episode(rv rules.View) string {
	c := rv.(*engine.View).Visible.Struggle.Country
	if c == engine.NoCountry {
		return ""
	}
	return struggleTitle(c)
}

// Curves implements rules.Chronicler.
func (Words) Curves(rv rules.View) []rules.CurvePoint {
	return []rules.CurvePoint{{Name: "Victory points", Value: int(rv.(*engine.View).Visible.VP), High: sideTitles[engine.Democrat],
		Low: sideTitles[engine.Communist]}}
}

// KeyPhrases implements rules.Chronicler: these phrases occur in sentences about decisive events.
func (Words) KeyPhrases() []string {
	return []string{"A power struggle begins", "wins the power struggle", "takes Power", "surrenders Power", "keeps Power",
		" is scored:", " VP, now ",
		"declares the end"}
}
