package rulestest

import "samizdat/rules"

// Inform answers queries about the hand and the fields; there are no open piles.
func (g game) Inform(rv rules.View, q rules.Query) []rules.Section {
	title := map[rules.Query]string{rules.QueryHand: "Your hand", rules.QueryMap: "Fields", rules.QueryBigMap: "Fields"}[q]
	for _, s := range g.Sections(rv) {
		if s.Title == title {
			return []rules.Section{s}
		}
	}
	return nil
}

// Turn returns the round.
func (game) Turn(rv rules.View) int {
	p := &rv.(*view).p
	return max(1, min(p.round, p.rounds))
}

// Topics returns two short help texts.
func (game) Topics() []rules.Topic {
	return []rules.Topic{
		{Name: "fields", Aliases: []string{"orchards"}, Text: "A field holds tokens of every seat."},
		{Name: "weather", Text: "At the end the weather is voted for.\nBallots are opened together."},
	}
}
