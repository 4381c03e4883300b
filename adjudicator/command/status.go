package command

import (
	"context"

	"samizdat/rules"
)

// status and resend send the letter as it stands, again tells an older one again.
var (
	status = &Entry{
		Word: Status, Class: Asking, Keyword: &rules.Keyword{}, Do: resend.Do,
		Help: []Form{{Order: "STATUS", Does: "sends the letter as it stands now"}},
	}
	resend = &Entry{Word: Resend, Class: Asking, Keyword: &rules.Keyword{}, Do: always(Done("Here is the letter as it stands now."))}
	again  = &Entry{
		Word: Again, Class: Question, Line: numbered("resend", "letter"),
		Help: []Form{{Order: "RESEND 3", Does: "tells again what letter 3 told"}},
		Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.Again(ctx, c.Number) },
	}
)
