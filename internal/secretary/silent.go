package secretary

import (
	"context"
	"slices"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// letRest lets those wait no more to be paired who have lost a match on time: who does not answer
// would begin one match after another that nobody plays.
func (s *Secretary) letRest(ctx context.Context, m *adjudicator.Match) error {
	lost := "You have lost match " + m.ID + " on time"
	if m.State == adjudicator.Playing {
		lost = "You have run out of time in match " + m.ID + ", which goes on without you"
	}
	for _, seat := range outOfTime(m) {
		member, err := s.Store.Member(ctx, m.Seats[seat].Player.ID)
		if err != nil {
			return err
		}
		if member == nil {
			continue
		}
		waits, err := s.Store.QueuedOf(ctx, member.ID)
		if err != nil {
			return err
		}
		over := m.Seats[seat].Clock.Over
		if len(waits) == 0 || m.State == adjudicator.Playing && slices.ContainsFunc(waits, func(q club.Queued) bool { return q.Since.After(over) }) {
			continue // He has no wish to be paired, or has had it since.
		}
		a := s.answer(member, adjudicator.Letter{})
		a.unqueue(member.ID, "")
		err = a.tell(ctx, member, "you are not paired any more", templates.Note{Says: []string{
			lost + ", so you do not wait to be paired any more. Your other matches go on.",
			"When you have time to play again, reply with PAIR ME and the name of the game."}}, string(letter.PairMe)+" "+waits[0].Terms.Game)
		if err != nil {
			return err
		}
		if err := s.Adjudicator.Store.Apply(ctx, adjudicator.Change{Letters: a.letters, Club: &a.change}); err != nil {
			return err
		}
	}
	return nil
}

// outOfTime are the seats that have lost a match on time while its end is not final yet, or while
// the others play on.
func outOfTime(m *adjudicator.Match) (out []rules.Seat) {
	e := m.Acts.Ended
	if m.State == adjudicator.Over && (e == nil || m.Published()) {
		return nil
	}
	for i := range m.Seats {
		resigned, is := m.Acts.Resigned.Has(rules.Seat(i)), false
		switch {
		case m.State == adjudicator.Playing:
			is = m.Zero == clock.Forfeit && resigned && !m.Seats[i].Clock.Over.IsZero()
		case m.State == adjudicator.Over && (e.Act.Kind == record.Forfeit || e.Act.Kind == record.Claim):
			is = !resigned && !slices.Contains(e.Act.End.Winners, record.SeatName(m.Seats[i].Name))
		}
		if is {
			out = append(out, rules.Seat(i))
		}
	}
	return out
}
