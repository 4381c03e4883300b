package secretary

import (
	"context"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/record"
	"samizdat/rules"
	"samizdat/templates"
)

// letRest lets those wait no more to be paired who have lost a match on time: who does not answer
// would begin one match after another that nobody plays.
func (s *Secretary) letRest(ctx context.Context, m *adjudicator.Match) error {
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
		if len(waits) == 0 {
			continue
		}
		a := s.answer(member, adjudicator.Letter{})
		a.unqueue(member.ID, "")
		err = a.tell(ctx, member, "you are not paired any more", templates.Note{Says: []string{
			"You have lost match " + m.ID + " on time, so you do not wait to be paired any more. Your other matches go on.",
			"When you have time to play again, reply with PAIR ME and the name of the game."}}, string(club.PairMe)+" "+waits[0].Terms.Game)
		if err != nil {
			return err
		}
		if err := s.Adjudicator.Store.Apply(ctx, adjudicator.Change{Letters: a.letters, Club: &a.change}); err != nil {
			return err
		}
	}
	return nil
}

// outOfTime are the seats that have lost a match on time, while its end is not final yet.
func outOfTime(m *adjudicator.Match) (out []rules.Seat) {
	e := m.Acts.Ended
	if e == nil || m.State != adjudicator.Over || m.Published() {
		return nil
	}
	for i := range m.Seats {
		silent := e.Act.Kind == record.Forfeit && record.SeatName(m.Seats[i].Name) == e.Seat
		claimed := e.Act.Kind == record.Claim && m.Seats[i].Clock.Flagged && record.SeatName(m.Seats[i].Name) != e.Seat
		if silent || claimed {
			out = append(out, rules.Seat(i))
		}
	}
	return out
}
