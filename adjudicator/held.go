package adjudicator

import (
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// settle carries out what was kept for the questions that are open now, whoever
// kept it, and lets lapse what will not be asked for any more. Whoever kept an
// order is told what became of it.
func (s *session) settle() error {
	for {
		if err := s.lapse(); err != nil {
			return err
		}
		if s.m.State != Playing {
			return nil
		}
		if done, err := s.settleOne(); err != nil || !done {
			return err
		}
	}
}

// settleOne takes one kept order that fits an open question off the list, and
// carries it out if it is still legal.
func (s *session) settleOne() (bool, error) {
	for _, d := range s.pos.Owed(nil) {
		i := slices.IndexFunc(s.m.Held, func(h Held) bool { return h.Decision == 0 && h.Seat == d.Seat && fits(h.Answer, d) })
		if i < 0 || d.Sealed {
			continue
		}
		h := s.m.Held[i]
		s.m.Held = slices.Delete(s.m.Held, i, i+1)
		_, err := s.carry(h.Seat, h.Answer, h.Letter, nil)
		if why, ours := s.refusal(h.Seat, err); !ours {
			s.tellHeld(h, fateRefused, "It was kept for you and is no longer legal, so you are asked. "+why)
			return true, nil
		}
		if err != nil {
			return false, fmt.Errorf("carry out an order that was kept for seat %d: %w", h.Seat, err)
		}
		s.tellHeld(h, fateDone, "")
		return true, nil
	}
	return false, nil
}

// lapse drops what was kept for plays that are over, and sealed answers that
// have become illegal before they were opened.
func (s *session) lapse() error {
	if s.pos.Stalled() {
		return nil // What is asked next is not known yet.
	}
	plays := map[uint32]bool{}
	for _, d := range s.pos.Owed(nil) {
		plays[d.Play] = true
	}
	var keep []Held
	for _, h := range s.m.Held {
		switch {
		case h.Decision == 0 && plays[h.Play]:
			keep = append(keep, h)
		case h.Decision == 0:
			s.tellHeld(h, fateLapsed, "It was kept for you, and was not asked for in this play.")
		case s.open(h.Decision):
			_, err := gate.Check(s.pos, h.Seat, h.Answer)
			why, ours := s.refusal(h.Seat, err)
			if ours && err != nil {
				return fmt.Errorf("check a sealed answer of seat %d: %w", h.Seat, err)
			}
			if ours {
				keep = append(keep, h)
				break
			}
			s.tellHeld(h, fateRefused, "It was sealed, and is no longer legal, so you are asked again. "+why)
		}
	}
	s.m.Held = keep
	return nil
}

// tellHeld tells the owner of a kept answer what became of it.
func (s *session) tellHeld(h Held, fate, text string) {
	s.tell(h.Seat, s.game.Line(h.Answer.Atoms), fate, text)
}

// fits reports whether a kept answer is meant for a decision.
func fits(a rules.Answer, d rules.Decision) bool {
	return (len(a.Kinds) == 0 || slices.Contains(a.Kinds, d.Kind)) && (a.Source == "" || a.Source == d.Source)
}
