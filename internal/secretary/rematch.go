package secretary

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/rules"
)

// rematch challenges the writer's last opponent, or one whom he names, to their last match
// again, with the sides changed. If that one has asked for the same, the match begins.
func (a *answer) rematch(ctx context.Context, l letter.Line) error {
	m, err := a.lastMatch(ctx, l)
	if err != nil || m == nil {
		return err
	}
	g, err := rules.Games(a.s.Adjudicator.Games).Find(m.Game)
	if err != nil {
		return err
	}
	mine := slices.IndexFunc(m.Seats, func(s adjudicator.Seat) bool { return s.Player.ID == a.member.ID })
	if len(m.Seats) != 2 || mine < 0 {
		a.line(l.Text, refused, "REMATCH is for matches of two. For others, OFFER gathers players.")
		return nil
	}
	other := m.Seats[1-mine]
	to, err := a.s.Store.Member(ctx, other.Player.ID)
	if err != nil {
		return err
	}
	if to == nil || to.State != club.Active {
		a.line(l.Text, refused, "Whom you played match "+m.ID+" with is no member.")
		return nil
	}
	open, err := a.openOffers(ctx)
	if err != nil {
		return err
	}
	for _, o := range open {
		if o.By() == to.ID && slices.Contains(o.To, a.member.ID) && o.Terms.Game == m.Game {
			return a.accepts(ctx, l, o)
		}
	}
	w := club.Wanted{Terms: club.Terms{Game: m.Game, Seats: 2, Options: maps.Clone(m.Options), Tempo: m.Tempo.String(), Zero: string(m.Zero)}, As: other.Name}
	if g.Bidding != nil && bids(m.Options, g.Bidding) {
		w.Terms.Sides, w.As = club.Bid, ""
		maps.DeleteFunc(w.Terms.Options, func(k, _ string) bool { return g.Bidding[k] != "" })
	}
	if m.Tempo.None() {
		w.Terms.Tempo, w.Terms.Zero = "", ""
	}
	return a.challenges(ctx, l, w, to)
}

// bids reports whether the options of a match have those of bidding.
func bids(options, bidding map[string]string) bool {
	for name, value := range bidding {
		if options[name] != value {
			return false
		}
	}
	return len(bidding) > 0
}

// lastMatch finds the match that is to be played again; nil, and the line is refused, where
// there is none.
func (a *answer) lastMatch(ctx context.Context, l letter.Line) (*adjudicator.Match, error) {
	var other int64
	if name := l.Command.Text; name != "" {
		l.Command.As = name
		m, err := a.named(ctx, l)
		if err != nil || m == nil {
			return nil, err
		}
		other = m.ID
	}
	id, err := a.s.Store.LastMatch(ctx, a.member.ID, other)
	if err != nil {
		return nil, err
	}
	if id == "" {
		with := ""
		if other != 0 {
			with = " with " + l.Command.As
		}
		a.line(l.Text, refused, fmt.Sprintf("No match of yours%s is over yet.", with))
		return nil, nil
	}
	return a.s.Adjudicator.Store.Match(ctx, id)
}
