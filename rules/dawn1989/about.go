package dawn1989

import (
	"fmt"
	"strconv"
	"strings"

	"samizdat/rules"
)

// About implements rules.Scribe. It reads nothing of a view that is hidden from
// the public: what has happened, the tracks and the open piles.
func (Game) About(rv rules.View, n rules.Name) []string {
	p, c := &rv.(*View).p, Card(n.Code)
	out := []string{c.printed(), c.Info().Text}
	if who := c.acts(); who != "" {
		out = append(out, who)
	}
	out = append(out, p.conditions(c)...)
	if follow := followers(c); follow != "" {
		out = append(out, follow)
	}
	if where := p.whereabouts(c); where != "" {
		out = append(out, where)
	}
	return out
}

// printed is what the face of a card says, in a line.
func (c Card) printed() string {
	info := c.Info()
	out := []string{c.full() + ": "}
	if info.Scoring != NoCountry {
		out[0] += "scoring card"
	} else {
		out[0] += fmt.Sprintf("%d Ops", info.Ops)
	}
	out = append(out, sideTitles[info.Side], periodNames[info.Period]+" year")
	if info.Asterisk {
		out = append(out, "asterisk (leaves the game after its event)")
	}
	if info.Red {
		out = append(out, "red title")
	}
	return strings.Join(out, ", ") + "."
}

// acts says how a text is read: whose points and whose Ops it means.
func (c Card) acts() string {
	switch s := c.Info().Side; {
	case c == CommonEuropeanHome, c.Info().Scoring != NoCountry:
		return ""
	case s == Neutral:
		return "Who plays the event carries it out: he places his own points, removes the enemy's, and checks with this card's Ops."
	default:
		return fmt.Sprintf("%s carries it out, whoever plays it: he places his own points, removes the enemy's, and checks with this card's Ops.", s.capital())
	}
}

// conditions say what the event of a card needs, and how that stands.
func (p *Position) conditions(c Card) []string {
	var out []string
	if n := needs[c]; n != 0 {
		stands := "has not happened yet"
		if p.force.happened.has(n) {
			stands = "has happened"
		}
		out = append(out, fmt.Sprintf("It needs the event of %s, which %s.", n.full(), stands))
	}
	if n := forbiddenBy[c]; n != 0 {
		stands := "has not happened"
		if p.force.happened.has(n) {
			stands = "has happened"
		}
		out = append(out, fmt.Sprintf("It cannot happen after the event of %s, which %s.", n.full(), stands))
	}
	if c == CommonEuropeanHome || c.Info().Scoring != NoCountry {
		return out
	}
	if s := c.Info().Side; s != Neutral {
		if !p.playable(c, s) {
			out = append(out, "Its event cannot happen now.")
		}
		return out
	}
	for s := Democrat; s <= Communist; s++ {
		if !p.playable(c, s) {
			out = append(out, fmt.Sprintf("Its event cannot happen now when %s plays it.", s.the()))
		}
	}
	return out
}

// followers are the events that wait for this one, and those that it ends.
func followers(c Card) string {
	var allows, ends []string
	for n := Card(1); n < cards; n++ {
		if needs[n] == c {
			allows = append(allows, n.full())
		}
		if forbiddenBy[n] == c {
			ends = append(ends, n.full())
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
func (p *Position) whereabouts(c Card) string {
	switch {
	case p.piles[PileTable].has(c):
		return "It is being played now."
	case p.piles[PileInPlay].has(c):
		return "It lies in play."
	case p.piles[PileDiscard].has(c):
		return "It lies in the discard pile."
	case p.piles[PileRemoved].has(c):
		return "It is out of the game."
	}
	return ""
}

// sourceText is the text of the card whose event asks, for a prompt; nothing
// where something else asks.
func sourceText(d rules.Decision) []string {
	n, err := strconv.Atoi(d.Source)
	if err != nil || n < 1 || n >= cards {
		return nil
	}
	return item(Card(n).full(), Card(n).Info().Text)
}
