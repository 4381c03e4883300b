package adjudicator

import (
	"strings"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
)

// actsTold tell a reader of the acts among what has happened.
func actsTold(c *match.Turn, reader rules.Seat) (out []string) {
	for _, e := range c.Entries {
		if e.Act != nil {
			out = append(out, actTold(c, &e, reader))
		}
	}
	return out
}

// clockTimeOf writes a time as it is where a reader is.
func clockTimeOf(c *match.Turn, reader rules.Seat, at time.Time) string {
	if reader == rules.Nobody {
		return zone.Write(at, "")
	}
	return clockTime(c.Match.Seats[reader].Player, at)
}

// actTold tells a reader of an entry with an act.
func actTold(c *match.Turn, e *record.Entry, reader rules.Seat) string {
	a, seat := e.Act, c.RoleOf(e.Seat)
	who, more := seat, "more time"
	if a.By == record.ByDirector {
		who, more = "the director", seat+" more time"
	}
	until, limit := clockTimeOf(c, reader, a.Until), ""
	if !a.Until.IsZero() {
		limit = " until " + until
	}
	said := map[record.ActKind]string{
		record.Resign:  seat + " has resigned.",
		record.Forfeit: seat + " has run out of time.",
		record.Draw:    "all have agreed on the draw that " + seat + " has offered.",
		record.Abort:   "the match is broken off, as " + who + " wanted.",
		record.Claim:   who + " has claimed the win, since time has run out.",
		record.Pause:   "the match is paused" + limit + ", as " + who + " wanted. Clocks stand still.",
		record.Resume:  who + " ends the pause. Clocks run again from " + until + " on.",
		record.Extend:  who + " gives " + more + strings.Replace(limit, " ", ", ", 1) + ".",
		record.Undo:    "the director has undone what has happened since " + until + ". The match stands again as it did then; dice and cards to come are new.",
		record.Annul:   "the director has annulled the match.",
		record.Rule:    "the director has ruled" + ruled(c, a) + ".",
		record.Replace: "the director has put another player into the seat of " + seat + ".",
		record.Tell:    "the director writes to all: " + a.Why,
		record.Restore: "whoever runs this referee has put a backup back. The match stands again as it did after " + until + "; what came later is lost. Dice and cards to come are new.",
	}[a.Kind]
	if a.Kind == record.Witness {
		said = witnessed(a, seat, reader)
	}
	if said == "" {
		said = "something was done to the match: " + string(a.Kind) + "."
	}
	if a.End == nil && a.Kind.Leaves() {
		said += " The match goes on, and the rule for silence answers for that seat."
	}
	said += lateToo(c, e)
	if a.Why != "" && a.Kind != record.Tell {
		said += " The reason: " + strings.TrimSuffix(a.Why, ".") + "."
	}
	said = match.Capital(said)
	if is := c.Match.Acts.Ended; is != nil && a.End != nil && is.At.Equal(e.At) && !is.Final.IsZero() && c.Match.Recorded == nil {
		said += " Until " + clockTimeOf(c, reader, is.Final) + " the director may take the match up again, and what is hidden stays hidden."
	}
	return said
}

// lateToo says who does not win by a forfeit, since his time was over as well.
func lateToo(c *match.Turn, e *record.Entry) string {
	if e.Act.Kind != record.Forfeit || e.Act.End == nil || e.Act.End.Draw {
		return ""
	}
	names := c.Roles(^(c.Match.SeatsOf(append([]record.SeatName{e.Seat}, e.Act.End.Winners...)) | c.Match.Acts.Resigned))
	switch len(names) {
	case 0:
		return ""
	case 1:
		return " " + match.Capital(names[0]) + " has run out of time as well, and does not win."
	}
	return " " + match.Capital(match.List(names)) + " have run out of time as well, and do not win."
}

// ruled says in a few words how an act ends the match.
func ruled(c *match.Turn, a *record.Act) string {
	if a.End == nil {
		return ""
	}
	return ": " + fewWords(c, a.Result(c.Match.SeatNames()), rules.Nobody)
}
