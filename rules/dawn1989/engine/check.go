package engine

import "samizdat/rules"

// CheckTargets lists the spaces that a side may check (rule 6.2): those with enemy
// support, less those where cards forbid the Communist's checks.
func (p *Position) CheckTargets(side Side) SpaceSet {
	t := p.Occupied[side.Enemy()].And(p.ExistingSpaces())
	if side == Communist {
		if p.Effects.Cards.Has(SolidarityLegalized) {
			t.remove(Gdansk)
		}
		if p.Effects.Cards.Has(WeAreThePeople) {
			t.remove(Leipzig)
		}
		if p.Effects.Debt != NoCountry {
			t = t.Minus(InCountry[p.Effects.Debt])
		}
	}
	return t
}

// The spaces that rules name.
var (
	Gdansk, Leipzig       = FindSpace("Gdansk"), FindSpace("Leipzig")
	clujNapoca, bucuresti = FindSpace("Cluj-Napoca"), FindSpace("Bucuresti")
)

// CheckBonus is the sum that a support check adds to its die (rule 6.2.2).
type CheckBonus struct {
	Ops, Own, Enemy, Mods int
	// cards holds a bit for each entry of CheckCards that changed the sum.
	cards int
}

// CheckCards are the cards in force that can change a support check, with what
// they add. The Wall only leaves out the enemy's neighbours.
var CheckCards = [...]struct {
	Card Card
	Adds int
}{{FRGEmbassies, +1}, {Grenztruppen, -1}, {Elena, -1}, {TearGas, +1}, {StandFast, -1}, {TheWall, 0}}

func (c *CheckBonus) addCard(card Card) {
	for i, k := range CheckCards {
		if k.Card == card {
			c.Mods += k.Adds
			c.cards |= 1 << i
		}
	}
}

// Total returns the sum added to the die.
func (c CheckBonus) Total() int { return c.Ops + c.Own - c.Enemy + c.Mods }

// CheckBonus adds up a support check (rule 6.2.2): the Ops value, the neighbours that
// each side controls, and the modifiers of events in force.
func (p *Position) CheckBonus(side Side, s Space, printed, extra int, inEastGermany bool) CheckBonus {
	near := p.Neighbours(s)
	info := s.Info()
	c := CheckBonus{
		Ops:   p.OpsValue(side, printed, inEastGermany),
		Own:   near.And(p.Controlled[side]).Len(),
		Enemy: near.And(p.Controlled[side.Enemy()]).Len(),
		Mods:  extra,
	}
	in := p.Effects.Cards
	if side == Democrat {
		if in.Has(FRGEmbassies) && !info.Country.isBalkan() {
			c.addCard(FRGEmbassies)
		}
		if in.Has(Grenztruppen) && info.Country == EastGermany {
			c.addCard(Grenztruppen)
		}
		if in.Has(Elena) && info.Country == Romania {
			c.addCard(Elena)
		}
	} else {
		if in.Has(TearGas) && info.Type == Student {
			c.addCard(TearGas)
		}
		if in.Has(TheWall) && info.Country == EastGermany {
			c.Enemy = 0
			c.addCard(TheWall)
		}
	}
	if p.Effects.StandFast == int8(side.Enemy())+1 && p.Controlled[side.Enemy()].Has(s) {
		c.addCard(StandFast)
	}
	return c
}

// check makes a support check (rule 6.2). The total minus twice the stability is the number of
// points: first it removes enemy support, and the rest becomes own support. For example, total 9
// against stability 3 and one enemy point removes that point and adds two.
func (r *Run) check(side Side, s Space, printed, extra int, inEastGermany bool) error {
	die, err := r.roll(ReasonCheck, int(s))
	if err != nil {
		return err
	}
	p := r.p
	c := p.CheckBonus(side, s, printed, extra, inEastGermany)
	total, need := die+c.Total(), 2*s.Info().Stability
	margin := max(0, total-need)
	removed := min(margin, int(p.Support[side.Enemy()][s]))
	r.emit(EvCheck, int(side), int(s), die, c.Ops, c.Own, c.Enemy, c.Mods, total, need, removed, margin-removed, c.cards)
	r.remove(side.Enemy(), s, removed)
	r.place(side, s, margin-removed)
	if side == Communist {
		r.recordCheck(s)
	}
	return nil
}

// recordCheck runs after every Communist check: it expires the cards that wait for a check and scores
// PaidChecks.
func (r *Run) recordCheck(s Space) {
	p := r.p
	info := s.Info()
	if info.Country == EastGermany && p.Effects.Cards.Has(TheWall) {
		r.expire(TheWall)
	}
	if info.Type == Student && p.Effects.Cards.Has(TearGas) {
		r.expire(TearGas)
	}
	for _, paid := range &PaidChecks {
		if p.Effects.Cards.Has(paid.Card) && paid.In.Has(s) {
			r.addVP(1, VPFromEvent, int(paid.Card))
		}
	}
}

// PaidChecks are the cards in force that give the Democrat 1 VP for each Communist check in certain spaces.
var PaidChecks = [...]struct {
	Card Card
	In   SpaceSet
}{{HelsinkiFinalAct, ofKind[Student].Or(ofKind[Intellectual])}, {EcoGlasnost, findSpaces("Ruse")}}

// expire ends a card's effect: the card leaves play, for good when it has an asterisk.
func (r *Run) expire(c Card) {
	p := r.p
	p.Effects.Cards.remove(c)
	if !p.Piles[PileInPlay].Has(c) {
		return
	}
	to := PileDiscard
	if c.Info().Asterisk {
		to = PileRemoved
	}
	p.Move(c, PileInPlay, to)
	r.emit(EvCardMoved, int(c), int(to))
}

// OpsTrial executes Operations on a copy of a view, to find legal examples for letters.
type OpsTrial struct {
	p Position
	f Frame
}

// NewOpsTrial begins the Operations of a card.
func NewOpsTrial(p *Position, c Card, side Side) OpsTrial {
	d := OpsTrial{p: *p, f: Frame{Proc: ProcOps, Card: c, Side: side, Border: true}}
	d.p.Reach = d.p.PlaceableSpaces(side)
	d.p.Question = Question{Kind: AskOps, Side: side}
	return d
}

// ResumeOpsTrial continues with Operations that a procedure has begun.
func ResumeOpsTrial(p *Position, f *Frame) OpsTrial { return OpsTrial{p: *p, f: *f} }

// PlaceableSpaces returns where points may be placed.
func (d OpsTrial) PlaceableSpaces() SpaceSet { return d.p.Reach }

// MaxOpsChecks is the largest number of support checks of one use of Operations.
const MaxOpsChecks = 2

// ExamplePlacement spends all points, in two spaces if possible. It prefers battlegrounds without
// control, then other spaces without control.
func (d OpsTrial) ExamplePlacement() []rules.Atom {
	var out []rules.Atom
	half := (d.p.OpsValue(d.f.Side, d.f.Card.Info().Ops, false) + 1) / 2
	var last Space
	for d.f.Step != opsDone && d.p.Ending == NotOver && !d.p.mayStop(&d.f) {
		set := d.p.placeable(&d.f, d.f.N)
		s := last
		if !set.Has(s) || len(out) == half {
			s = d.pickSpace(set, last)
		}
		if s == 0 {
			break
		}
		a := SpaceAtom(VerbOpsPlace, s)
		out, last = append(out, a), s
		answerOps(&Run{p: &d.p}, &d.f, a)
	}
	return out
}

// pickSpace chooses a space to place in, another than the last if there is one.
func (d *OpsTrial) pickSpace(set SpaceSet, last Space) Space {
	free := set.Minus(d.p.Controlled[Democrat]).Minus(d.p.Controlled[Communist])
	for _, s := range [...]SpaceSet{free.And(Battlegrounds), free, set} {
		s.remove(last)
		if !s.IsEmpty() {
			return s.Next()
		}
	}
	return set.Next()
}

// ExampleChecks returns the two support checks with the best expected results. The second check is
// a decision of its own, but one order may answer both.
func (d OpsTrial) ExampleChecks() []rules.Atom {
	if d.f.Step != opsAsk {
		return nil
	}
	var out []rules.Atom
	targets := d.p.targetsOf(&d.f)
	for range min(MaxOpsChecks, targets.Len()) {
		best := BestCheckTarget(targets, func(s Space) int {
			return d.p.CheckBonus(d.f.Side, s, d.f.Card.Info().Ops, 0, false).Total()
		})
		out = append(out, SpaceAtom(VerbOpsCheck, best))
		targets.remove(best)
	}
	return out
}

// BestCheckTarget returns the space of a set with the best expected support check.
func BestCheckTarget(set SpaceSet, sum func(Space) int) Space {
	var best Space
	for s := set.Next(); s != 0; s = set.Next() {
		if best == 0 || sum(s)-2*s.Info().Stability > sum(best)-2*best.Info().Stability {
			best = s
		}
	}
	return best
}
