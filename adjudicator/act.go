package adjudicator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
)

// act writes the entry of an act, and does what the act says: it ends the match, or, with
// Takeback, goes back to where the match stood before that entry. All are told.
func (p *progress) act(ctx context.Context, e record.Entry) error {
	pos, a := p.turn.pos, e.Act
	at := p.turn.now.Truncate(time.Second)
	p.turn.m.Halt(a, at)
	switch {
	case a.Kind == record.Undo:
		var err error
		if pos, err = p.goBack(ctx, e.Takeback); err != nil {
			return err
		}
	case a.End != nil:
		p.turn.m.Held, p.turn.m.Acts.Requests, p.turn.m.Takeback = nil, nil, nil // Nothing is asked for any more.
		p.turn.m.Acts.Ended = &Ended{Seat: e.Seat, Act: *a, At: at, Final: a.Kind.FinalAt(at)}
		var err error
		if pos, err = p.unended(); err != nil {
			return err
		}
		pos = record.Ended(pos, a.Result(p.words.Seats))
	}
	return p.moved(ctx, pos, nil, e, p.chance(p.turn.m.Ordered))
}

// unended is the position under the end that an act has made.
func (p *progress) unended() (rules.Position, error) {
	if _, over := p.turn.pos.Result(); !over {
		return p.turn.pos, nil
	}
	return p.turn.game.Decode(p.turn.m.Position)
}

// goBack lets the match stand as it did before an entry, whatever was revealed since, and
// returns the position.
func (p *progress) goBack(ctx context.Context, seq int) (pos rules.Position, err error) {
	entries, err := p.played(ctx)
	if err != nil {
		return nil, err
	}
	if seq < 1 || seq >= len(entries) {
		return nil, fmt.Errorf("there is no entry %d to go back before", seq)
	}
	final, err := record.Replay(recordOf(p.turn.game, p.turn.m, entries[:seq]), p.turn.game, func(v record.Visit) error {
		p.turn.m.Acts.Resigned = v.Resigned
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("go back before entry %d of %s: %w", seq, p.turn.m.ID, err)
	}
	for _, e := range entries[seq:] {
		if e.Player != "" { // Who plays stays as it is.
			p.turn.m.Acts.Resigned &^= p.turn.m.SeatsOf([]record.SeatName{e.Seat})
		}
	}
	pos = final.Position
	if _, over := pos.Result(); over {
		return nil, fmt.Errorf("before entry %d the match was over", seq)
	}
	p.forget()
	p.turn.m.Acts.Requests = nil
	p.turn.m.Epoch++
	p.turn.m.State, p.turn.m.Acts.Ended = Playing, nil
	return pos, nil
}

// acts tell a reader of the acts among what has happened.
func (c *account) acts(reader rules.Seat) (out []string) {
	for _, e := range c.entries {
		if e.Act != nil {
			out = append(out, c.acted(&e, reader))
		}
	}
	return out
}

// clockTime writes a time as it is where a reader is.
func (c *account) clockTime(reader rules.Seat, at time.Time) string {
	if reader == rules.Nobody {
		return zone.Write(at, "")
	}
	return clockTime(c.m.Seats[reader].Player, at)
}

// acted tells a reader of an entry with an act.
func (c *account) acted(e *record.Entry, reader rules.Seat) string {
	a, seat := e.Act, c.roleOf(e.Seat)
	who, more := seat, "more time"
	if a.By == record.ByDirector {
		who, more = "the director", seat+" more time"
	}
	until, limit := c.clockTime(reader, a.Until), ""
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
		record.Rule:    "the director has ruled" + c.ruled(a) + ".",
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
	said += c.lateToo(e)
	if a.Why != "" && a.Kind != record.Tell {
		said += " The reason: " + strings.TrimSuffix(a.Why, ".") + "."
	}
	said = capital(said)
	if is := c.m.Acts.Ended; is != nil && a.End != nil && is.At.Equal(e.At) && !is.Final.IsZero() && c.m.Recorded == nil {
		said += " Until " + c.clockTime(reader, is.Final) + " the director may take the match up again, and what is hidden stays hidden."
	}
	return said
}

// lateToo says who does not win by a forfeit, since his time was over as well.
func (c *account) lateToo(e *record.Entry) string {
	if e.Act.Kind != record.Forfeit || e.Act.End == nil || e.Act.End.Draw {
		return ""
	}
	names := c.roles(^(c.m.SeatsOf(append([]record.SeatName{e.Seat}, e.Act.End.Winners...)) | c.m.Acts.Resigned))
	switch len(names) {
	case 0:
		return ""
	case 1:
		return " " + capital(names[0]) + " has run out of time as well, and does not win."
	}
	return " " + capital(list(names)) + " have run out of time as well, and do not win."
}

// ruled says in a few words how an act ends the match.
func (c *account) ruled(a *record.Act) string {
	if a.End == nil {
		return ""
	}
	return ": " + c.fewWords(a.Result(c.m.SeatNames()), rules.Nobody)
}
