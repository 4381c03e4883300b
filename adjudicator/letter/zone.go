package letter

import (
	"context"
	"fmt"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/adjudicator/zone"
)

// timeZone says or changes in which time zone a player's letters write times.
var timeZone = &Entry{
	Word: "TIMEZONE", Class: Setting, Line: readZone,
	Help: []Form{{Order: "TIMEZONE ...", Does: "writes times as they are where you live: TIMEZONE Warsaw"}},
	Do: func(_ context.Context, h Host, c Command) (Outcome, error) {
		p := h.Preferences()
		if c.Text != "" {
			p.Zone = c.Text
			h.Prefer(p)
		}
		name := p.Zone
		if name == "" {
			name = zone.UTC
		}
		return Done(fmt.Sprintf("The times in your letters are those of %s. It is %s. Other players are not told.", name, zone.Write(h.Facts().Now, p.Zone)))
	},
}

// zoneRow is a line that says a zone, or asks for it.
var zoneRow = row(`(?:TIME[ -]?ZONE|TZ)(?:(\s*[:=]\s*|\s+)(\S.{0,60}?))?`, func(m []string) (Command, string) {
	return Command{Choice: strings.TrimSpace(m[1]), Text: order.ASCII(m[2])}, ""
})

// readZone finds the zone that is meant. A longer line with these words that names none
// is talk.
func readZone(r *Reader, l said) (Command, string, bool) {
	c, _, ok := zoneRow(r, l)
	if !ok || c.Text == "" {
		return c, "", ok
	}
	name, err := zone.Find(c.Text)
	if err != nil {
		return c, Sentence(err), c.Choice != "" || strings.Contains(c.Text, "/") || len(strings.Fields(c.Text)) < 3
	}
	return Command{Text: name}, "", true
}
