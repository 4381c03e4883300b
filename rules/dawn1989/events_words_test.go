package dawn1989_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Every kind of event in words, as everybody may read it.
func TestEventSentences(t *testing.T) {
	t.Parallel()
	pos, err := game.Begin(rules.Setup{Seats: 2, Revision: 1})
	if err != nil {
		t.Fatal(err)
	}
	view := pos.View(rules.NoSeat)
	cases := []struct {
		kind rules.EventKind
		args [][]int16
	}{
		{engine.EvDealt, [][]int16{{0, 0}, {0, 1}}},
		{engine.EvReshuffled, [][]int16{{14}, {1}}},
		{engine.EvTurn, [][]int16{{4}}},
		{engine.EvPlayed, [][]int16{{22, 1, 0}, {26, 1, 0}, {40, 2, 0}, {10, 3, 0}, {10, 4, 0}, {10, 5, 0}, {40, 6, 0}, {40, 7, 0},
			{27, 8, 1, 21}, {27, 9, 1}, {27, 10, 1}}},
		{engine.EvForfeited, [][]int16{{1}}},
		{engine.EvEvent, [][]int16{{27, 0}}},
		{engine.EvNoEvent, [][]int16{{3}}},
		{engine.EvNoEffect, [][]int16{{9}}},
		{engine.EvCardMoved, [][]int16{{27, 8}, {10, 9}, {77, 7}}},
		{engine.EvPlaced, [][]int16{{0, 21, 3, 3, 0}}},
		{engine.EvRemoved, [][]int16{{1, 21, 1, 0, 2}}},
		{engine.EvCheck, [][]int16{{1, 14, 3, 2, 2, 0, 0, 7, 6, 1, 0}, {0, 9, 3, 2, 2, 0, -1, 6, 6, 0, 0, 19}, {1, 9, 3, 2, 0, 0, 2, 7, 6, 1, 0, 32}, {0, 14, 1, 2, 0, 2, -1, 0, 6, 0, 0}, {0, 14, 6, 4, 1, 0, 1, 12, 6, 2, 4}}},
		{engine.EvNoTarget, [][]int16{{0, 27}}},
		{engine.EvVP, [][]int16{{3, 3, 1, 110}, {-2, 1, 2, 2}, {-3, -2, 3, 2}, {4, 5, 4, 2}, {1, 1, 5, 21}, {-4, 0, 6, 1}, {-8, -8, 6, 2},
			{-2, -3, 7, 9}, {2, 2, 8, 97}, {-3, -3, 9, 99}}},
		{engine.EvRoll, [][]int16{{0, 2, 0, 2, 1, 1, 36}, {0, 3, -1, 2, 4, 0, 110}}},
		{engine.EvAttempt, [][]int16{{1, 3, 4, 3, 1, 8, 7, 1, 27}, {0, 1, 1, 2, 0, 3, 5, 0, 27}}},
		{engine.EvBox, [][]int16{{1, 3, 1}, {0, 3, 0}}},
		{engine.EvDiscarded, [][]int16{{0, 12, 203}, {1, 12, 75}}},
		{engine.EvKept, [][]int16{{1, 0}, {1, 40}}},
		{engine.EvTaken, [][]int16{{1, 8, 0}, {0, 3, 1}}},
		{engine.EvUSSR, [][]int16{{2}}},
		{engine.EvInForce, [][]int16{{25, 1}, {26, 0}, {9, 1}, {5, 0}}},
		{engine.EvExtraRound, [][]int16{{}}},
		{engine.EvPassed, [][]int16{{1, 3, 209}, {0, 4, 73}, {0, 5, 73}, {0, 6, 48}, {1, 8, 204}, {0, 10, 15}, {0, 11, 203}, {1, 12, 205}, {0, 16, 104}}},
		{engine.EvStruggle, [][]int16{{2, 1, 4, 3, 12, 10}}},
		{engine.EvStruggleCard, [][]int16{{0, 255}, {1, 255}}},
		{engine.EvRaised, [][]int16{{0, 0}, {0, 0}, {0, 5}}},
		{engine.EvAttack, [][]int16{{0, 8, 3, 0}, {0, 12, 1, 0}, {1, 18, 0, 23}, {1, 18, 0, 0}}},
		{engine.EvDefend, [][]int16{{1, 19}}},
		{engine.EvConcede, [][]int16{{1, 1}, {0, 0}}},
		{engine.EvNoAttack, [][]int16{{1, 1}}},
		{engine.EvCounter, [][]int16{{0, 5, 6, 0}, {1, 6, 6, 1}, {1, 0, 1, 1}}},
		{engine.EvBanned, [][]int16{{2}}},
		{engine.EvStruggleDiscard, [][]int16{{0, 5}, {0, 14}}},
		{engine.EvStruggleWon, [][]int16{{0, 2, 0}, {1, 2, 3}}},
		{engine.EvLoss, [][]int16{{1, 2, 1, 3, 1}, {1, 1, -2, 0, 0}}},
		{engine.EvVictory, [][]int16{{0, 4, 1, 5, 2, 1}, {1, 6, 3, 7, 4, 0}}},
		{engine.EvPower, [][]int16{{2, 0, 1}, {2, 1, 1}, {2, 2, 2}}},
		{engine.EvScored, [][]int16{{2, 2, 6, 3, 1, 3, 2}, {1, 0, 0, 0, 3, 9, 5}}},
		{engine.EvStruggleMoved, [][]int16{{17, 0, 2}, {72, 0, 1}}},
		{engine.EvOver, [][]int16{{1}}},
		{engine.EvSpent, [][]int16{{0, 27}}},
		{engine.EvCaptured, [][]int16{{61}}},
		{engine.EvStrike, [][]int16{{3, 3, 1}, {1, 3, 0}}},
		{engine.EvCrowd, [][]int16{{4, 12}, {1, 3}, {0, 0}}},
		{engine.EvAnnounced, [][]int16{{27}}},
		{engine.EvTurnEffectsEnd, [][]int16{{}}},
		{engine.EvHandedOver, [][]int16{{0, 27}}},
		{engine.EvShown, [][]int16{{1, 33}, {1, 73}}},
		{engine.EvAside, [][]int16{{0, 41}, {0, 0}}},
		{engine.EvTable, [][]int16{{1, 2, 4, 80}, {1, 6, 1, 80}}},
		{engine.EvContest, [][]int16{{0, 3, 4, 2, 5, 0, 0}, {0, 6, 4, 2, 5, 1, 0}}},
		{engine.EvCountry, [][]int16{{0, 6, 49}}},
		{engine.EvDebt, [][]int16{{6}}},
		{engine.EvPrudence, [][]int16{{1, 1}, {0, 2}}},
		{engine.EvDestroyed, [][]int16{{61}}},
		{engine.EvRefuge, [][]int16{{61}}},
		{engine.EvDeclared, [][]int16{{}}},
		{engine.EvCrowdCard, [][]int16{{0}, {0}, {5}}},
		{engine.EvBid, [][]int16{{0, 1, 2}, {1, 0, 0}}},
		{engine.EvBidRoll, [][]int16{{3, 5}, {2, 2}}},
		{engine.EvSides, [][]int16{{0, 0, 0}, {1, 3, 1}}},
	}
	var b strings.Builder
	for i, c := range cases {
		if int(c.kind) != i+1 {
			t.Errorf("case %d is of kind %d: a kind is missing", i, c.kind)
		}
		gather := c.kind == engine.EvDealt || c.kind == engine.EvStruggleCard || c.kind == engine.EvRaised ||
			c.kind == engine.EvStruggleDiscard || c.kind == engine.EvShown || c.kind == engine.EvCrowdCard
		var events []rules.Event
		for _, a := range c.args {
			e := rules.Event{Kind: c.kind, Seat: rules.NoSeat, Audience: rules.Everyone}
			copy(e.Args[:], a)
			events = append(events, e)
			if !gather {
				fmt.Fprintf(&b, "%2d  %s\n", c.kind, strings.Join(game.Sentences(view, []rules.Event{e}), " / "))
			}
		}
		if gather {
			fmt.Fprintf(&b, "%2d  %s\n", c.kind, strings.Join(game.Sentences(view, events), " / "))
		}
	}
	if s := game.Sentences(view, []rules.Event{{Kind: rules.EventKind(len(cases) + 1), Audience: rules.Everyone}}); len(s) != 0 {
		t.Errorf("a kind of event without a case here has a sentence: %q", s)
	}
	golden(t, "events.txt", b.String())
}

// An event that a seat is no audience of is never told, whoever passes it in.
func TestSecretSentences(t *testing.T) {
	t.Parallel()
	pos, err := game.Begin(rules.Setup{Seats: 2, Revision: 1})
	if err != nil {
		t.Fatal(err)
	}
	e := rules.Event{Kind: engine.EvDealt, Audience: rules.Only(1)}
	e.Args[0], e.Args[1] = 27, 1
	for _, seat := range []rules.Seat{0, rules.NoSeat} {
		if s := game.Sentences(pos.View(seat), []rules.Event{e}); len(s) != 0 {
			t.Errorf("told %q", s)
		}
	}
}

// Positions that the sample turn does not come to, with their questions and with
// wrong answers.
func TestSpecialPositions(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, c := range []struct {
		name string
		// after is the entry of the sample turn that the position follows.
		after  int
		change func(doc map[string]any)
		wrong  []string
	}{
		{"general strike", 5, func(doc map[string]any) { force(doc, 5) },
			[]string{"PLAY 15 EVENT", "PLAY 22 STRIKE", "PASS"}},
		{"box 7 and box 8", 5, func(doc map[string]any) { doc["tiananmen"] = map[string]any{"democrat": 0, "communist": 8} },
			[]string{"PLAY 15 OPS TIANANMEN", "PLAY 36 BOTH PLACE Warszawa 3 EVENT AFTER", "PLAY 15 OPS PLACE Warszawa 3 NO EVENT"}},
		{"box 7 and box 8 used", 5, func(doc map[string]any) {
			doc["tiananmen"] = map[string]any{"democrat": 0, "communist": 8}
			doc["attempts"] = map[string]any{"communist": map[string]any{"attempted": true, "seventh": true, "eighth": true}}
		}, []string{"PLAY 36 OPS PLACE Warszawa 3 NO EVENT", "PLAY 15 BOTH PLACE Warszawa 3 EVENT AFTER"}},
		{"attempt made", 5, func(doc map[string]any) {
			doc["attempts"] = map[string]any{"communist": map[string]any{"attempted": true}}
		}, []string{"PLAY 15 OPS TIANANMEN"}},
		{"enemy events and card 21", 5, func(doc map[string]any) { deal(doc, "communist", 3, 6, 7, 20, 21, 22, 27, 17) },
			[]string{"PLAY 3 OPS CHECK Krakow EVENT AFTER", "PLAY 3 EVENT", "PLAY 17 EVENT", "PLAY 17 OPS PLACE Warszawa 3",
				"PLAY 21 EVENT", "PLAY 21 WITH 20 OPS PLACE Warszawa", "PLAY 21 WITH 22 OPS PLACE Warszawa"}},
		{"forbidden checks", 5, func(doc map[string]any) {
			force(doc, 2)
			doc["effects"].(map[string]any)["debt"] = "Czechoslovakia"
			doc["effects"].(map[string]any)["prudence"] = map[string]any{"democrat": 0, "communist": 1}
			doc["destroyed"] = "Iasi"
		}, []string{"PLAY 15 OPS CHECK Gdansk", "PLAY 15 OPS CHECK Czech Writers", "PLAY 15 OPS CHECK Iasi", "PLAY 15 OPS PLACE Iasi"}},
		{"the border open", 14, func(doc map[string]any) { force(doc, 58) },
			[]string{"OPS CHECK Praha, Berlin BONUS", "OPS PLACE Berlin, Sofia", "OPS PLACE Krakow 3, Leipzig"}},
	} {
		pos := changed(t, c.after, c.change)
		for _, d := range pos.OpenDecisions(nil) {
			view := pos.View(d.Seat)
			fmt.Fprintf(&b, "== %s\n%s\n%s", c.name, game.Status(view), promptText(game.Prompt(view, d, pos.Options(nil, d.ID))))
			for _, text := range c.wrong {
				fmt.Fprintf(&b, "%s\n  %s\n", text, refused(t, pos, d, text))
			}
			for _, sec := range game.Sections(view) {
				for _, l := range sec.Lines {
					if sec.Title == "In force" || strings.HasPrefix(l, "Tiananmen") {
						fmt.Fprintln(&b, l)
					}
				}
			}
		}
		b.WriteString("\n")
	}
	golden(t, "special.txt", b.String())
}

// changed is the position after an entry of the sample turn with a part of it
// changed.
func changed(t *testing.T, seq int, change func(doc map[string]any)) rules.Position {
	t.Helper()
	var doc map[string]any
	data, err := json.Marshal(after(t, seq))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	change(doc)
	if data, err = json.Marshal(doc); err != nil {
		t.Fatal(err)
	}
	pos, err := game.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

// force puts a card of the draw deck, or of a later one, into play. A strike is asked for as such.
func force(doc map[string]any, card float64) {
	doc["deck"] = without(doc["deck"].([]any), card)
	doc["future"] = without(doc["future"].([]any), card)
	doc["in_play"] = append(doc["in_play"].([]any), card)
	effects := doc["effects"].(map[string]any)
	effects["cards"] = append(effects["cards"].([]any), card)
	if card == 5 {
		q := doc["pending"].([]any)[0].(map[string]any)
		q["kind"], q["source"] = "strike", "5"
	}
}

// deal gives a side other cards; its hand goes to the draw deck.
func deal(doc map[string]any, side string, cards ...float64) {
	hands := doc["hands"].(map[string]any)
	deck := append(doc["deck"].([]any), hands[side].([]any)...)
	var hand []any
	for _, c := range cards {
		deck = without(deck, c)
		hand = append(hand, c)
	}
	hands[side], doc["deck"] = hand, deck
}

func without(list []any, card float64) []any {
	var out []any
	for _, c := range list {
		if c != card {
			out = append(out, c)
		}
	}
	return out
}
