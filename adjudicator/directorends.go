package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
)

// provisional says for how long an end by the director can be undone.
const provisional = "For a week you can undo this, or rule otherwise; then it is final, and what is hidden is published."

// mayDirect says why nothing can be done to a match: it has not begun, or its end is final.
// The director may still change an end that is not.
func (j *adjudication) mayDirect(ended bool) error {
	switch m := j.turn.Match; {
	case m.State == Inviting:
		return &Undirected{"The match has not begun. CANCEL takes the invitation back."}
	case m.State == CalledOff:
		return &Undirected{"The match was called off before it began."}
	case m.State == Playing, ended && m.Acts.Ended != nil && j.a.Now().Before(m.Acts.Ended.Final):
		return nil
	case ended && m.Acts.Ended != nil && !m.Acts.Ended.Act.Kind.FinalAt(m.Acts.Ended.At).IsZero():
		return &Undirected{fmt.Sprintf("The match is over since %s. Its end could be changed until %s, and is final since.", zone.Write(m.Acts.Ended.At, zone.UTC),
			zone.Write(m.Acts.Ended.Act.Kind.FinalAt(m.Acts.Ended.At), zone.UTC))}
	case ended:
		return &Undirected{"The match is over, and its end is final: what was hidden is published."}
	}
	return &Undirected{"The match is over."}
}

// annulling ends the match without a result.
func (j *adjudication) annulling(_ context.Context, act match.DirectorAct) (deed, error) {
	if err := j.mayDirect(true); err != nil {
		return deed{}, err
	}
	return j.entering("The match ends without a result: it counts for nobody. What is kept for players is dropped. "+provisional,
		record.Entry{Act: &record.Act{Kind: record.Annul, Why: act.Why, End: &record.End{}}})
}

// ruling ends the match with a result.
func (j *adjudication) ruling(_ context.Context, act match.DirectorAct) (deed, error) {
	if err := j.mayDirect(true); err != nil {
		return deed{}, err
	}
	end := &record.End{Draw: act.Draw}
	var winners rules.Seats
	for _, w := range act.Winners {
		seat, err := seatNamed(j.turn.Match, w)
		if err != nil {
			return deed{}, err
		}
		if winners.Has(seat) {
			return undirected("The seat %s is named twice.", j.turn.Match.Seats[seat].Name)
		}
		winners |= rules.Only(seat)
	}
	for i, s := range j.turn.Match.Seats {
		if winners.Has(rules.Seat(i)) {
			end.Winners = append(end.Winners, record.SeatName(s.Name))
		}
	}
	how := "nobody wins"
	switch {
	case act.Draw:
		how = "it is a draw"
	case winners != 0:
		how = winnersTold(j.turn, rules.Result{Winners: winners})
	}
	return j.entering("The match ends: "+how+". What is kept for players is dropped. "+provisional,
		record.Entry{Act: &record.Act{Kind: record.Rule, Why: act.Why, End: end}})
}

// cancelling takes back the invitation to a match that has not begun.
func (j *adjudication) cancelling(_ context.Context, act match.DirectorAct) (deed, error) {
	switch j.turn.Match.State {
	case Inviting:
	case CalledOff:
		return undirected("The match was called off already.")
	default:
		return undirected("The match has begun, so there is no invitation to take back. ANNUL ends the match.")
	}
	return deed{"The invitation is taken back, and there is no match. All who were invited are told.", func(ctx context.Context) (Change, error) {
		j.callOff(ctx, CallOff{How: Cancelled, Seat: rules.Nobody, Why: act.Why})
		return j.change(ctx, rules.Nobody)
	}}, nil
}
