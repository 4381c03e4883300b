package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

func (r *replay) replayAnswer(e *Entry, chance *RecordedChance, v *Visit) error {
	seat, err := r.findSeat(e.Seat)
	if err != nil {
		return err
	}
	for _, text := range e.Orders {
		answers, err := r.readOrder(e.Silence, text, seat, chance)
		if err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
		if r.isStrict && len(answers) > 1 {
			return fmt.Errorf("%q: expected one answer in an entry, got %d", text, len(answers))
		}
		for _, a := range answers {
			if r.pos.Stalled() {
				return fmt.Errorf("%q: outcomes are missing", text)
			}
			res, err := gate.Execute(r.pos, seat, r.restrictToSource(a, e, seat), chance)
			if err != nil {
				return fmt.Errorf("%q: %w", text, r.explainRefusal(seat, err))
			}
			if err := r.checkDecision(res, e.Private, false, e.Letter, e.Silence); err != nil {
				return fmt.Errorf("%q: %w", text, err)
			}
			r.pos = res.Position
			v.Events = append(v.Events, res.Events...)
			v.Answers = append(v.Answers, gate.ExecutedAnswer{Seat: seat, Result: res})
		}
	}
	return nil
}

func (r *replay) replaySealedGroup(e *Entry, chance *RecordedChance, v *Visit) error {
	var sealed []gate.SealedAnswer
	for _, a := range e.Answers {
		seat, err := r.findSeat(a.Seat)
		if err != nil {
			return err
		}
		if len(a.Orders) != 1 {
			return fmt.Errorf("expected one sealed order of %s, got %d", a.Seat, len(a.Orders))
		}
		answers, err := r.readOrder(a.Silence, a.Orders[0], seat, chance)
		if err != nil {
			return fmt.Errorf("%q: %w", a.Orders[0], err)
		}
		sealed = append(sealed, gate.SealedAnswer{Seat: seat, Answer: answers[0]})
	}
	if r.isStrict && !slices.IsSortedFunc(sealed, func(a, b gate.SealedAnswer) int { return cmp.Compare(a.Seat, b.Seat) }) {
		return errors.New("sealed answers must be in the order of seats")
	}
	executed, err := gate.ExecuteSealed(r.pos, sealed, chance)
	if err != nil {
		return err
	}
	for i, answer := range executed.Answers {
		if a := e.Answers[i]; r.isStrict {
			if err := r.checkDecision(answer.Result, a.Private, true, a.Letter, a.Silence); err != nil {
				return fmt.Errorf("%q: %w", a.Orders[0], err)
			}
		}
	}
	r.pos, v.Answers, v.Events = executed.Position, executed.Answers, executed.Events
	return nil
}

func (r *replay) replayTally(e *Entry, chance *RecordedChance, v *Visit) error {
	if e.Seat != "" || len(e.Orders) > 0 || e.Letter != "" || e.Private {
		return errors.New("an entry with a tally must have no seat, no orders and no letter")
	}
	outcome, err := CanonicalJSON(e.Tally.Outcome)
	if err != nil {
		return err
	}
	counted, err := gate.ApplyBallots(r.game, r.pos, e.Tally.Group, outcome, chance)
	if err != nil {
		return err
	}
	r.pos, v.Events = counted.Position, counted.Events
	return nil
}

// checkDecision checks that the JSON members "private", "letter" and "silence" of an answer fit the decision. sealed is set if the
// answer is in the member "answers".
func (r *replay) checkDecision(res gate.Result, private, sealed bool, letter, silence string) error {
	d := res.Decision
	switch {
	case !r.isStrict:
		return nil
	case res.Private != private:
		return fmt.Errorf("private must be %t for this question", res.Private)
	case d.Ballot || d.Sealed != sealed:
		return errors.New("a sealed answer must be in \"answers\", and any other answer in \"orders\"")
	case d.Repeats && (letter != "" || silence == SilenceDefault):
		return errors.New("an answer to a repeated question must have no \"letter\" and no \"silence\"")
	}
	return nil
}

func (r *replay) findSeat(name SeatName) (rules.Seat, error) {
	i := slices.Index(r.outcomeNames.Seats, string(name))
	if i < 0 {
		return rules.NoSeat, fmt.Errorf("unknown seat %q", name)
	}
	return rules.Seat(i), nil
}

func (r *replay) parseAnswers(text string, seat rules.Seat) ([]rules.Answer, error) {
	o, err := r.parser.ParsePlain(text)
	if err != nil {
		return nil, err
	}
	answers, err := r.game.Answers(o, rules.OpenDecisionsOf(r.pos, seat))
	if err == nil && len(answers) == 0 {
		err = errors.New("the order answers no open question")
	}
	return answers, err
}

// restrictToSource lets an answer answer only questions with the source of the entry, i.e. the card or rule that asks. If no
// such question is open, only a forced entry is restricted.
func (r *replay) restrictToSource(a rules.Answer, e *Entry, seat rules.Seat) rules.Answer {
	if e.Source == nil || a.Source != "" {
		return a
	}
	source := fmt.Sprint(e.Source)
	isOpen := slices.ContainsFunc(rules.OpenDecisionsOf(r.pos, seat), func(d rules.Decision) bool { return d.Source == source })
	if isOpen || e.Forced {
		a.Source = source
	}
	return a
}

func (r *replay) explainRefusal(seat rules.Seat, err error) error {
	var illegal *gate.IllegalError
	if !errors.As(err, &illegal) {
		return err
	}
	text := r.game.Refusal(illegal.Before.View(seat), illegal.Decision, illegal.Atom, illegal.Options)
	return fmt.Errorf("%w: %s", err, text)
}

func (r *replay) takeBack(e *Entry) error {
	_, over := r.pos.Result()
	switch {
	case over && e.Act == nil:
		return errMatchOver
	case e.HasOrders() || len(e.Chance) > 0:
		return errors.New("a take-back must have no orders and no outcomes")
	case e.FirstTakenBack < 1 || e.FirstTakenBack >= e.Seq || r.beforeTakeback[e.FirstTakenBack] == nil:
		return fmt.Errorf("entry %d cannot be taken back here", e.FirstTakenBack)
	case e.Epoch <= r.epoch:
		return fmt.Errorf("the epoch of a take-back must be greater than %d, got %d", r.epoch, e.Epoch)
	}
	if e.Act == nil {
		if err := r.checkTakeback(e); err != nil {
			return err
		}
	} else if r.isStrict && !e.Act.Until.Equal(r.entryTimes[e.FirstTakenBack-1]) {
		return fmt.Errorf("the time of an undo must be the time of entry %d, the last that stays", e.FirstTakenBack-1)
	}
	r.replayState = *r.beforeTakeback[e.FirstTakenBack].clone()
	r.standingEntries = slices.DeleteFunc(r.standingEntries, func(s standingEntry) bool { return s.entry.Seq >= e.FirstTakenBack })
	for seat, seq := range r.lastReplacements {
		if seq >= e.FirstTakenBack {
			r.resigned &^= rules.Only(seat) // the seat has a new player, who has not resigned
		}
	}
	return nil
}

// checkTakeback checks that a take-back is of the player's last order, and that no hidden facts were revealed after
// that order.
func (r *replay) checkTakeback(e *Entry) error {
	if _, err := r.findSeat(e.Seat); err != nil {
		return fmt.Errorf("take-back: %w", err)
	}
	if !r.isStrict {
		return nil
	}
	last := -1
	for _, s := range r.standingEntries {
		if s.entry.Seat == e.Seat && s.entry.HasOrders() {
			last = s.entry.Seq
		}
	}
	if last != e.FirstTakenBack {
		return fmt.Errorf("take-back: entry %d is not the last order of %s", e.FirstTakenBack, e.Seat)
	}
	for _, s := range r.standingEntries {
		if s.entry.Seq >= e.FirstTakenBack && s.revealed != "" {
			return fmt.Errorf("entry %d cannot be taken back: in entry %d %s", e.FirstTakenBack, s.entry.Seq, s.revealed)
		}
	}
	return nil
}

// TakebackObstacle describes why an entry cannot be taken back: it revealed hidden facts to a player, or changed the players. It
// returns "" if the entry can be taken back.
func TakebackObstacle(e *Entry, events []rules.Event) string {
	switch {
	case e.Player != "":
		return "another player has taken a seat"
	case e.Act != nil && e.Act.Kind.MayRemovePlayer():
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
