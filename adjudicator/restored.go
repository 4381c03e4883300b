package adjudicator

import (
	"slices"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// restores tell a reader of restores since his last letter, unless what else he is told does.
// Observers hear of them with what happens next, and not in an answer to one of them.
func (c *account) restores(reader rules.Seat) (out []string) {
	if reader == rules.Nobody && !c.changed() {
		return nil
	}
	for _, r := range c.m.Acts.Restores {
		said := c.acted(&record.Entry{Act: &r.Act}, reader)
		if r.Untold.Has(reader) && !slices.Contains(c.untold[reader].remarks, said) {
			out = append(out, said)
		}
	}
	return out
}
