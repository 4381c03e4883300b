package record

import (
	"errors"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// Values of Entry.Silence.
const (
	// SilenceDefault is the first of the legal answers.
	SilenceDefault = "default"
	// SilenceLot is a lot; its outcomes are the first of the entry.
	SilenceLot = "lot"
)

// SilenceOf returns the Entry.Silence of a decision.
func SilenceOf(d rules.Decision) string {
	if d.Silence == rules.SilenceLot {
		return SilenceLot
	}
	return SilenceDefault
}

// forSilence is the purpose (Outcome.For) of the lots of silent seats.
const forSilence = "silence"

// Lot draws an answer for a silent seat.
func (s *Stream) Lot(l gate.Lot) (int, error) {
	i, err := s.sample(rules.KindLot, len(l.Options))
	if err != nil {
		return 0, fmt.Errorf("lot: %w", err)
	}
	n := len(l.Options)
	s.taken = append(s.taken, Outcome{Draw: l.Options[i], I: &i, N: &n, From: rules.KindLot, To: s.words.seat(l.Seat), Hidden: l.Hidden,
		For: forSilence})
	return i, nil
}

// Lot returns the index of the next recorded answer.
func (r *Recorded) Lot(l gate.Lot) (int, error) {
	o, err := r.take(rules.KindLot, forSilence)
	if err != nil {
		return 0, err
	}
	i := -1
	switch to := r.words.seat(l.Seat); {
	case o.Draw == nil:
		return 0, r.mismatch("the record does not show this hidden lot: only a full record can be played again")
	case o.To != to:
		return 0, r.mismatch("a lot for %s, but %s is silent", seatOrNone(o.To), seatOrNone(to))
	case r.exact && (o.Hand != "" || o.Hidden != l.Hidden):
		return 0, r.mismatch("a lot for %s, hidden: %t; the record says otherwise", seatOrNone(to), l.Hidden)
	case o.N != nil && *o.N != len(l.Options):
		return 0, r.mismatch("a lot among %d, but there are %d answers", *o.N, len(l.Options))
	case o.I == nil:
		i = slices.IndexFunc(l.Options, func(s string) bool { return s == o.Draw })
	case *o.I >= 0 && *o.I < len(l.Options) && l.Options[*o.I] == o.Draw:
		i = *o.I
	}
	if i < 0 {
		return 0, r.mismatch("%v is not an answer that the lot can fall on", o.Draw)
	}
	r.next++
	return i, nil
}

// readOrder parses an order of a seat. For a silent seat, it must be the default answer.
func (r *replay) readOrder(silence, text string, seat rules.Seat, chance *Recorded) ([]rules.Answer, error) {
	answers, err := r.answers(text, seat)
	if err != nil || silence == "" {
		return answers, err
	}
	res, err := gate.Check(r.pos, seat, answers[0])
	if err != nil {
		return nil, r.refusal(seat, err)
	}
	if silence != SilenceOf(res.Decision) {
		return nil, fmt.Errorf("silence to this question is no %s", silence)
	}
	a, err := gate.SilentAnswer(r.pos, res.Decision, r.game.FormatOrder, chance)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(a.Atoms, res.Atoms) {
		return nil, errors.New("silence means " + r.game.FormatOrder(a.Atoms))
	}
	return []rules.Answer{a}, nil
}
