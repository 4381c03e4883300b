package record

import (
	"errors"
	"fmt"
	"slices"

	"samizdat/rules"
)

func (r *replay) takeBack(e *Entry) error {
	_, over := r.pos.Result()
	switch {
	case over && e.Act == nil:
		return errEnded
	case e.HasOrders() || len(e.Chance) > 0:
		return errors.New("it takes back, and has orders or outcomes as well")
	case e.Takeback < 1 || e.Takeback >= e.Seq || r.beforeTakeback[e.Takeback] == nil:
		return fmt.Errorf("entry %d cannot be taken back here", e.Takeback)
	case e.Epoch <= r.epoch:
		return fmt.Errorf("it takes back, and its epoch is %d, not more than %d", e.Epoch, r.epoch)
	}
	if e.Act == nil {
		if err := r.checkTakeback(e); err != nil {
			return err
		}
	} else if r.verifiesStream && !e.Act.Until.Equal(r.entryTimes[e.Takeback-1]) {
		return fmt.Errorf("it names another time than that of entry %d, after which the match stands again", e.Takeback-1)
	}
	r.replayState = *r.beforeTakeback[e.Takeback].clone()
	r.standingEntries = slices.DeleteFunc(r.standingEntries, func(s standingEntry) bool { return s.entry.Seq >= e.Takeback })
	for seat, seq := range r.seated {
		if seq >= e.Takeback {
			r.resigned &^= rules.Only(seat) // Who had resigned plays no more.
		}
	}
	return nil
}

// checkTakeback checks a player's take-back: the player's last order, with no facts revealed since.
func (r *replay) checkTakeback(e *Entry) error {
	if _, err := r.seat(e.Seat); err != nil {
		return fmt.Errorf("who takes back: %w", err)
	}
	if !r.verifiesStream {
		return nil
	}
	last := -1
	for _, s := range r.standingEntries {
		if s.entry.Seat == e.Seat && s.entry.HasOrders() {
			last = s.entry.Seq
		}
	}
	if last != e.Takeback {
		return fmt.Errorf("entry %d is not the last order of %s", e.Takeback, e.Seat)
	}
	for _, s := range r.standingEntries {
		if s.entry.Seq >= e.Takeback && s.revealed != "" {
			return fmt.Errorf("entry %d cannot be taken back: with entry %d %s", e.Takeback, s.entry.Seq, s.revealed)
		}
	}
	return nil
}

// DescribeRevealed describes hidden facts that an entry revealed to a player, or returns "".
func DescribeRevealed(e *Entry, events []rules.Event) string {
	switch {
	case e.Player != "":
		return "another player has taken a seat"
	case e.Act != nil && e.Act.Kind.LeavesMatch():
		return "a player has left the match"
	case slices.ContainsFunc(e.Chance, func(o Outcome) bool { return o.Roll > 0 }):
		return "a die was rolled"
	case len(e.Chance) > 0:
		return "a card was drawn"
	case len(e.Answers) > 0, e.Tally != nil, e.Private, slices.ContainsFunc(events,
		func(ev rules.Event) bool { return ev.Audience != rules.Everyone }):
		// The text does not say which facts or to which player, because it is public.
		return "something was revealed"
	}
	return ""
}
