package rulestest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
)

// view is a copy of the position for a seat. Its methods must call sees before they read a hand, a
// kept card or a ballot.
type view struct {
	p    position
	seat rules.Seat
}

func (p *position) View(s rules.Seat) rules.View { return &view{p: *p, seat: s} }

func (v *view) Seat() rules.Seat { return v.seat }

// sees reports whether the view shows a seat's hidden cards; at the end it shows all.
func (v *view) sees(s int) bool { return rules.Seat(s) == v.seat || v.p.phase == phaseOver }

// MarshalJSON returns the view in the layout of the position.
func (v *view) MarshalJSON() ([]byte, error) { return json.Marshal(v.p.wire(v.sees)) }

// Status returns the round and the phase, or the result.
func (game) Status(rv rules.View) string {
	p := &rv.(*view).p
	if r, over := p.Result(); over {
		return "The match was decided by " + r.Reason + "."
	}
	return fmt.Sprintf("Round %d of %d: %s.", min(p.round, p.rounds), p.rounds, phaseTexts[p.phase])
}

// Sentences returns a sentence for each event that the seat may see.
func (game) Sentences(rv rules.View, events []rules.Event) []string {
	var out []string
	n := 1
	for i, e := range events {
		if i+1 < len(events) && e.Kind == EventSown && events[i+1] == e {
			n++
			continue
		}
		if e.Audience.Has(rv.Seat()) {
			out = append(out, sentence(e, n))
		}
		n = 1
	}
	return out
}

var questions = map[string]string{
	kindPlay:  "Which card do you play, and where do you sow?",
	kindSow:   "Where do you sow?",
	kindWater: "You may sow one or two more tokens. For two, name both places in one order.",
	kindClear: "Blight: clear one of your tokens.",
	kindKeep:  "Which card do you keep? The others will not know before the end.",
	kindVote:  "Which weather do you vote for? The ballots are opened together.",
}

// Prompt returns the question of a decision.
func (g game) Prompt(rv rules.View, d rules.Decision, options []rules.Atom) rules.Prompt {
	pr := rules.Prompt{Question: questions[d.Kind]}
	for _, a := range options {
		answer := []rules.Atom{a}
		if verbOf(a) == verbPlay {
			p := rv.(*view).p
			for len(answer) < 1+worth(valueOf(a)) {
				open := p.listFields(nil, verbSow, func(n int) bool { return n < most }, int(d.Seat))
				if len(open) == 0 {
					break
				}
				answer = append(answer, open[0])
				p.tokens[valueOf(open[0])][d.Seat]++
			}
		}
		if a != stop {
			pr.Forms = append(pr.Forms, g.FormatOrder(answer))
		}
	}
	if d.Kind == kindPlay {
		pr.Notes = []string{fmt.Sprintf("You may have up to %d tokens in a field.", most)}
	}
	return pr
}

// Refusal explains why an atom is not an option.
func (g game) Refusal(rv rules.View, d rules.Decision, a rules.Atom, options []rules.Atom) string {
	v, x := rv.(*view), valueOf(a)
	legal := ""
	if len(options) > 0 {
		legal = fmt.Sprintf(" %s would be legal.", g.FormatOrder(options[:1]))
	}
	switch verbOf(a) {
	case verbPlay, verbKeep:
		if v.sees(int(d.Seat)) && !v.p.hands[d.Seat].has(x) {
			return fmt.Sprintf("%s is not in your hand.%s", cardText(x), legal)
		}
	case verbSow, verbWater:
		if v.p.tokens[x][d.Seat] >= most {
			return fmt.Sprintf("You have %d tokens in %s, which is the limit.%s", most, fieldNames[x], legal)
		}
	case verbClear:
		if v.p.tokens[x][d.Seat] == 0 {
			return fmt.Sprintf("You have no token in %s.%s", fieldNames[x], legal)
		}
	}
	return "That does not answer the question." + legal
}

// Sections returns the hand and the fields.
func (game) Sections(rv rules.View) []rules.Section {
	v := rv.(*view)
	var hand []string
	if v.seat != rules.NoSeat {
		for _, c := range v.p.hands[v.seat].list() {
			hand = append(hand, fmt.Sprintf("%-22s sows %d, %s", cardText(c), worth(c), strings.ToLower(weatherNames[weather(c)])))
		}
	}
	board := []string{fmt.Sprintf("%-14s %6s %6s %6s", "", seatNames[0], seatNames[1], seatNames[2])}
	for f := 1; f <= fields; f++ {
		t := v.p.tokens[f]
		board = append(board, fmt.Sprintf("%-14s %6d %6d %6d", fieldNames[f], t[0], t[1], t[2]))
	}
	board = append(board, fmt.Sprintf("%-14s %6d %6d %6d", "points", v.p.points[0], v.p.points[1], v.p.points[2]))
	return slices.DeleteFunc([]rules.Section{{Title: "Your hand", Lines: hand}, {Title: "Fields", Lines: board}},
		func(s rules.Section) bool { return len(s.Lines) == 0 })
}

// About describes a card: its worth and its weather.
func (game) About(_ rules.View, n rules.Name) []string {
	return []string{fmt.Sprintf("%s: sows %d, %s.", cardText(n.Code), worth(n.Code), strings.ToLower(weatherNames[weather(n.Code)]))}
}
