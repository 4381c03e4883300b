package letter

import (
	"context"
	"strconv"
	"strings"
	"time"

	"samizdat/rules"
)

// Behind these orders may stand YES, NO or OFF: they answer what another has asked for, or
// withdraw what the writer has.
var (
	// draw offers a draw.
	draw = &Entry{
		Word: Draw, Class: Acting, Alone: true, In: drawable, Line: row(`DRAW(?:\s*[,:]?\s*(YES|NO|OFF))?`, choice),
		Help: []Form{{Order: "DRAW", Does: "offers the others a draw; DRAW YES and DRAW NO answer that"}},
		Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.Draw(ctx, c.Choice) },
	}
	// abort breaks the match off. Without the name of the match its writer is asked whether he
	// means it, where nobody else is.
	abort = &Entry{
		Word: Abort, Class: Acting, Alone: true, Line: row(`ABORT(?:\s*[,:]?\s*(YES|NO|OFF)|\s+`+matchName+`)?`, func(m []string) (Command, string) {
			return Command{Choice: strings.ToUpper(m[1]), Text: strings.ToLower(m[2])}, ""
		}),
		Help: []Form{{Order: "ABORT", Does: "ends the match: all agree, or alone at first (no tournament)"}},
		Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.Abort(ctx, c) },
	}
	// pause stops the clocks for a while.
	pause = &Entry{
		Word: Pause, Class: Acting, Line: row(`PAUSE(?:\s*[,:]?\s*(YES|NO|OFF)|\s*[:=]?\s*(?:FOR\s+)?(\d{1,3})\s*(DAYS?|D|WEEKS?|W))?`, func(m []string) (Command, string) {
			n, _ := strconv.Atoi(m[2]) // Three digits at most.
			unit := 24 * time.Hour
			if m[3] != "" && strings.EqualFold(m[3][:1], "W") {
				unit *= 7
			}
			return Command{Choice: strings.ToUpper(m[1]), Time: time.Duration(n) * unit}, ""
		}),
		Help: []Form{{Order: "PAUSE 5 days", Does: "stops the clocks if all agree; PAUSE OFF lets them run"}},
		Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.Pause(ctx, c) },
	}
)

// drawable reports whether a game may know agreed draws.
func drawable(g rules.Game) bool {
	e, ok := g.(rules.Ender)
	return ok && e.Draws(rules.Setup{Revision: g.Revision()})
}
