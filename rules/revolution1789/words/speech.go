package words

import (
	"fmt"
	"strings"

	"samizdat/internal/lazyregexp"
	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// SpeakSection implements rules.Speaker.
func (Words) SpeakSection(rv rules.View, _ []rules.Event, title string) []string {
	v := rv.(*engine.View)
	switch title {
	case boardTitle:
		return speakBoard(v)
	case crisesTitle:
		return speakCrises(v)
	case playersTitle:
		return speakPlayers(v)
	case shownTitle:
		return speakShown(v)
	}
	return nil
}

// SpeakText implements rules.Speaker: seat 1-2 is read as "1 to 2".
func (Words) SpeakText(text string) string { return spokenSeats.ReplaceAllString(text, "$1 to $2") }

var spokenSeats = lazyregexp.New(`\b(\d+)-(\d+)\b`)

// speakBoard lists the seats by holder. For example: "Grape sits on 2-8, between War with Austria and Bastille."
func speakBoard(v *engine.View) (out []string) {
	var free, closed []string
	for _, r := range unitRows(v) {
		unit, crises, holder := r.Cells[0], r.Cells[1], r.Cells[2]
		switch place := unit + ", between " + strings.ReplaceAll(crises, ", ", " and "); {
		case holder == holderFree:
			free = append(free, place)
		case holder == holderClosed:
			closed = append(closed, unit)
		case r.Strong:
			out = append(out, "You sit on "+place+".")
		default:
			out = append(out, holder+" sits on "+place+".")
		}
	}
	if len(free) > 0 {
		out = append(out, "Free seats: "+strings.Join(free, "; ")+".")
	}
	if len(closed) > 0 {
		out = append(out, "Closed seats: "+strings.Join(closed, ", ")+".")
	}
	return out
}

// speakCrises describes each crisis. For example: "Space 2, War with Austria: Monarchy gives a minister for Economical
// reforms, the Republic for Political reforms. Voting now: Croissant, Cheese and Grape."
func speakCrises(v *engine.View) (out []string) {
	for s := engine.Space(1); s < engine.Spaces; s++ {
		c := v.Cards[s]
		if c == 0 {
			continue
		}
		var sitting []string
		for _, u := range engine.UnitsAround(s) {
			if h := v.Holders[u]; h != rules.NoSeat {
				sitting = append(sitting, seatText(v, h))
			}
		}
		state := "It is " + verdicts[v.Verdicts[s]] + "."
		switch {
		case v.Verdicts[s] == engine.VotedMonarchist, v.Verdicts[s] == engine.VotedRepublican:
			state = "It is decided: " + verdicts[v.Verdicts[s]] + "."
		case v.Verdicts[s] != engine.CrisisOpen:
		case v.VoteSpace == s:
			state = "Voting now: " + joinNames(sitting) + "."
		case len(sitting) == 0:
			state = "Nobody sits there."
		default:
			state = "At it: " + joinNames(sitting) + "."
		}
		out = append(out, fmt.Sprintf("Space %d, %s: Monarchy gives a minister for %s reforms, the Republic for %s reforms. %s", s, c.Name(),
			reforms[c.Reform(engine.Monarchist)], reforms[c.Reform(engine.Republican)], state))
	}
	return out
}

func speakPlayers(v *engine.View) (out []string) {
	for _, r := range playersSection(v).Blocks[0].Rows {
		out = append(out, r.Cells[1]+": "+r.Cells[2]+".")
	}
	return out
}

func speakShown(v *engine.View) (out []string) {
	for _, r := range shownSection(v).Blocks[0].Rows {
		out = append(out, r.Cells[1]+", who wants "+r.Cells[2]+".")
	}
	return out
}
