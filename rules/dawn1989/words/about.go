package words

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// About implements rules.Scribe. It reads nothing of a view that is hidden from
// the public: what has happened, the tracks and the open piles.
func (Words) About(rv rules.View, n rules.Name) []string {
	p, c := &rv.(*engine.View).Seen, engine.Card(n.Code)
	out := []string{printed(c), cardText(p, c)}
	if who := acts(c); who != "" {
		out = append(out, who)
	}
	out = append(out, scoring(p, c)...)
	out = append(out, conditions(p, c)...)
	if follow := followers(c); follow != "" {
		out = append(out, follow)
	}
	if where := whereabouts(p, c); where != "" {
		out = append(out, where)
	}
	return out
}

// printed is what the face of a card says, in a line.
func printed(c engine.Card) string {
	info := c.Info()
	out := []string{full(c) + ": "}
	if info.Scoring != engine.NoCountry {
		out[0] += "scoring card"
	} else {
		out[0] += fmt.Sprintf("%d Ops", info.Ops)
	}
	out = append(out, sideTitles[info.Side], engine.PeriodNames[info.Period]+" year")
	if info.Asterisk {
		out = append(out, "asterisk (leaves the game after its event)")
	}
	if info.Red {
		out = append(out, "red title")
	}
	return strings.Join(out, ", ") + "."
}

// checks are the words of a text for checks that are made with the card's Ops.
var checks = regexp.MustCompile(`\d (\w+ )?support check|check its`)

// acts says who carries an event out, and with whose Ops.
func acts(c engine.Card) string {
	who := "Who plays the event carries it out"
	switch s := c.Info().Side; {
	case c == engine.CommonEuropeanHome, c.Info().Scoring != engine.NoCountry:
		return ""
	case s != engine.Neutral:
		who = capital(s) + " carries it out, whoever plays it"
	}
	if checks.MatchString(cardTexts[c]) {
		who += "; checks are made with this card's Ops, as they count for him"
	}
	return who + "."
}

// scoring says of a scoring card what its text leaves out: until when it has to be
// played, what keeping Power gives, and when it leaves the game.
func scoring(p *engine.Position, c engine.Card) []string {
	country := c.Info().Scoring
	if country == engine.NoCountry {
		return nil
	}
	out := []string{"Who plays it attacks first. Who still has it in hand at the end of a turn loses the match; if both have a scoring card then, it is a draw."}
	if pw := p.Power[country]; pw.Held == engine.Communist {
		out = append(out, fmt.Sprintf("Power struggles in %v so far: %d. Keeping Power after the next gives %d VP.",
			country, pw.Times, -engine.CountryValues[country].Power*int(pw.Times+1)))
	}
	return append(out, fmt.Sprintf("It leaves the game when the Democrat has Power in %v after the struggle; if not, it is discarded and can come back.", country))
}

// conditions say what the event of a card needs, and how that stands.
func conditions(p *engine.Position, c engine.Card) []string {
	var out []string
	if n := engine.Needs[c]; n != 0 {
		stands := "has not happened yet"
		if p.Effects.Happened.Has(n) {
			stands = "has happened"
		}
		out = append(out, fmt.Sprintf("It needs the event of %s, which %s.", full(n), stands))
	}
	if n := engine.ForbiddenBy[c]; n != 0 {
		stands := "has not happened"
		if p.Effects.Happened.Has(n) {
			stands = "has happened"
		}
		out = append(out, fmt.Sprintf("It cannot happen after the event of %s, which %s.", full(n), stands))
	}
	if c == engine.CommonEuropeanHome || c.Info().Scoring != engine.NoCountry {
		return out
	}
	if s := c.Info().Side; s != engine.Neutral {
		if !p.Playable(c, s) {
			out = append(out, "Its event cannot happen now.")
		}
		return out
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		if !p.Playable(c, s) {
			out = append(out, fmt.Sprintf("Its event cannot happen now when %s plays it.", the(s)))
		}
	}
	return out
}

// followers are the events that wait for this one, and those that it ends.
func followers(c engine.Card) string {
	var allows, ends []string
	for n := engine.Card(1); n < engine.Cards; n++ {
		if engine.Needs[n] == c {
			allows = append(allows, full(n))
		}
		if engine.ForbiddenBy[n] == c {
			ends = append(ends, full(n))
		}
	}
	var out []string
	if len(allows) > 0 {
		out = append(out, "Waiting for it: "+join(allows, "and")+".")
	}
	if len(ends) > 0 {
		out = append(out, "No longer possible after it: "+join(ends, "and")+".")
	}
	return strings.Join(out, " ")
}

// whereabouts says where a card lies that everybody sees.
func whereabouts(p *engine.Position, c engine.Card) string {
	switch {
	case p.Piles[engine.PileTable].Has(c):
		return "It is being played now."
	case p.Piles[engine.PileInPlay].Has(c):
		return "It lies in play."
	case p.Piles[engine.PileDiscard].Has(c):
		return "It lies in the discard pile."
	case p.Piles[engine.PileRemoved].Has(c):
		return "It is out of the game."
	}
	return ""
}

// sourceText is the text of the card whose event asks, for a prompt; nothing
// where something else asks.
func sourceText(p *engine.Position, d rules.Decision) []string {
	n, err := strconv.Atoi(d.Source)
	if err != nil || n < 1 || n >= engine.Cards {
		return nil
	}
	return item(full(engine.Card(n)), cardText(p, engine.Card(n)))
}
