package adjudicator

import (
	"slices"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// restoresTold tell a reader of restores since his last letter, unless what else he is told does.
// Observers hear of them with what happens next, and not in an answer to one of them.
func restoresTold(c *match.Turn, reader rules.Seat) (out []string) {
	if reader == rules.Nobody && !c.Changed() {
		return nil
	}
	for _, r := range c.Match.Acts.Restores {
		said := actTold(c, &record.Entry{Act: &r.Act}, reader)
		if r.Untold.Has(reader) && !slices.Contains(c.Untold[reader].Remarks, said) {
			out = append(out, said)
		}
	}
	return out
}
