package engine

// The steps that only one card has.

// destroy: choose a space, which is destroyed for the rest of the match. The
// support of both sides leaves it; the Communist's goes to Bucuresti (card 69).
func destroy(label string, w where) Step { return Step{Label: label, Act: &ActDestroy, where: w} }

// ActDestroy destroys a space.
var ActDestroy = oneSpace(all, func(x *Run, f *Frame, s *Step, at Space) {
	p := x.p
	x.say(EvDestroyed, int(at))
	moved := int(p.Support[Communist][at])
	for side := Democrat; side <= Communist; side++ {
		x.remove(side, at, Everything)
	}
	p.Destroyed = at
	if at != bucuresti {
		x.place(Communist, bucuresti, moved)
	}
})

// afterCrowd: the event waits in play until The Crowd Turns Against Ceausescu
// has taken effect; then the Tyrant is gone (rule 7.6.3, card 97).
func afterCrowd() Step { return Step{Label: "wait", Act: &afterCrowdVerb} }

var afterCrowdVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	if !x.p.Effects.CrowdStruck {
		x.lasts(f)
		f.end()
		return
	}
	x.p.Effects.TyrantGone = true
})

// hide: choose a space where the Tyrant's marker is put; when there is none he is
// captured at once (card 97).
func hide(label string, w where) Step { return Step{Label: label, Act: &ActHide, where: w} }

const captureVP = 2

// ActHide chooses the Tyrant's refuge.
var ActHide = oneSpaceOr(all, func(x *Run, f *Frame, s *Step, at Space) {
	x.p.Effects.Refuge = at
	x.say(EvRefuge, int(at))
}, func(x *Run, f *Frame) {
	f.next()
	x.vp(captureVP, WhyCapture, int(f.Card))
})

// coup: in every country where the side has Power, sufficient points for control
// of its Elite space, then a check against its Bureaucrat space, with or without
// enemy support there (card 109). N counts the countries.
func coup(label string) Step { return Step{Label: label, Act: &coupVerb} }

var coupVerb = Act{run: func(x *Run, f *Frame, s *Step) error {
	p := x.p
	if f.Space != 0 {
		if err := x.check(f.Side, f.Space, f.Card.Info().Ops, s.Extra, false); err != nil {
			return err
		}
		f.Space = 0
		return nil
	}
	f.N++
	c := Country(f.N)
	switch {
	case c >= Countries:
		f.next()
		return nil
	case p.Power[c].Held != f.Side:
		return nil
	}
	here := InCountry[c].And(p.OnMap())
	elite, capital := here.And(ofKind[Elite]), here.And(ofKind[Bureaucrat])
	if at := elite.Next(); at != 0 {
		x.control(f.Side, at)
	}
	if p.Effects.Debt != c {
		f.Space = capital.Next()
	}
	return nil
}}
