package command

import (
	"context"

	"samizdat/rules"
)

// Status and Resend send the letter as it stands, Again tells an older one again.
const (
	Status Word = "STATUS"
	Resend Word = "RESEND"
	Again  Word = "RESEND LETTER"
)

var (
	status = &Entry{
		Word: Status, Class: Asking, Keyword: &rules.Keyword{},
		Help: []Form{{Order: "STATUS", Does: "sends the letter as it stands now"}},
		Do:   says(asItStands),
	}
	resend = &Entry{Word: Resend, Class: Asking, Keyword: &rules.Keyword{}, Do: says(asItStands)}
)

const asItStands = "Here is the letter as it stands now."

var again = &Entry{
	Word: Again, Class: Question,
	Line: numbered("resend", "letter"),
	Help: []Form{{Order: "RESEND 3", Does: "tells again what letter 3 told"}},
	Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.Again(ctx, c.Number) },
}
