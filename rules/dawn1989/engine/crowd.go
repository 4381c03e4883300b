package engine

import "samizdat/rules"

// The Crowd Turns Against Ceausescu (card 54) and The Tyrant is Gone (card 97):
// what waits for a power struggle in Romania (rule 7.6).

const (
	// crowdCards are drawn face up; each Rally among them is worth crowdOps Ops.
	crowdCards = 15
	crowdOps   = 3
)

// crowd draws the cards of the Crowd one by one and grants the Democrat the
// Operations. In the frame N counts the cards and Result the rallies.
func (x *Run) crowd(f *Frame) error {
	p := x.p
	st := &p.Struggle
	if f.Country != Romania || !p.Effects.Cards.Has(CrowdTurns) {
		f.Step, f.N, f.Result = struggleStakes, 0, 0
		return nil
	}
	if f.N < crowdCards && st.Deck.Len() > 0 {
		k, err := x.drawStruggle(&st.Deck, rules.Draw{To: rules.Nobody, Hand: rules.Nobody, For: Reason(ReasonEvent, int(CrowdTurns))})
		if err != nil {
			return err
		}
		st.Deck[k]--
		f.N++
		if k == Rally {
			f.Result++
		}
		x.say(EvCrowdCard, int(k))
		return nil
	}
	ops := crowdOps * int(f.Result)
	x.say(EvCrowd, int(f.Result), ops)
	x.expire(CrowdTurns)
	p.Effects.CrowdStruck = true
	if ops > 0 {
		x.push(Frame{Proc: ProcOps, Card: CrowdTurns, Side: Democrat, Country: Romania, Source: Source(CrowdTurns), Result: int8(ops)})
	}
	return nil
}

// tyrant resolves The Tyrant is Gone when it has waited for the Crowd and a
// power struggle in Romania is over. The last struggle of the New Year's Eve
// Party does not count (rule 10.3).
func (x *Run) tyrant(where Country, last bool) {
	p := x.p
	if last || where != Romania || !p.Effects.CrowdStruck || !p.Effects.Cards.Has(TyrantIsGone) || p.Ending != NotOver {
		return
	}
	x.expire(TyrantIsGone)
	x.push(Frame{Proc: ProcEvent, Card: TyrantIsGone, Side: Democrat, Source: Source(TyrantIsGone)})
}
