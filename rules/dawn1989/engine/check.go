package engine

import "samizdat/rules"

// CheckTargets returns the spaces where a side may make a support check (rule 6.2): the spaces with enemy support,
// except spaces where a card in force forbids Communist checks.
func (p *Position) CheckTargets(side Side) SpaceSet {
	t := p.Occupied[side.Enemy()].And(p.ExistingSpaces())
	if side == Communist {
		if p.Effects.Cards.Has(SolidarityLegalized) {
			t.remove(Gdansk)
		}
		if p.Effects.Cards.Has(WeAreThePeople) {
			t.remove(Leipzig)
		}
		if p.Effects.DebtCountry != NoCountry {
			t = t.Minus(InCountry[p.Effects.DebtCountry])
		}
	}
	return t
}

// The spaces that card texts name.
var (
	Gdansk, Leipzig       = FindSpace("Gdansk"), FindSpace("Leipzig")
	clujNapoca, bucuresti = FindSpace("Cluj-Napoca"), FindSpace("Bucuresti")
)

// CheckBonus has the parts of the sum that is added to the die of a support check (rule 6.2.2).
type CheckBonus struct {
	Ops, OwnNeighbours, EnemyNeighbours, Modifiers int
	// cardBits has bit i set if the card CheckCards[i] has an effect on this check.
	cardBits int
}

// CheckCards are the cards that can have an effect on support checks while they are in force, with the number that
// each adds. The Wall adds 0: it makes EnemyNeighbours 0.
var CheckCards = [...]struct {
	Card Card
	Adds int
}{{FRGEmbassies, +1}, {Grenztruppen, -1}, {Elena, -1}, {TearGas, +1}, {StandFast, -1}, {TheWall, 0}}

func (c *CheckBonus) addCard(card Card) {
	for i, k := range CheckCards {
		if k.Card == card {
			c.Modifiers += k.Adds
			c.cardBits |= 1 << i
		}
	}
}

// Total returns the sum added to the die.
func (c CheckBonus) Total() int { return c.Ops + c.OwnNeighbours - c.EnemyNeighbours + c.Modifiers }

// CheckBonus returns the parts of the sum that is added to the die of a support check: the Ops value, the neighbours
// that each side controls, and the modifiers of events in force. printed is the printed Ops value, extra the modifier
// of the event that makes the check, and inEastGermany the argument for OpsValue.
func (p *Position) CheckBonus(side Side, s Space, printed, extra int, inEastGermany bool) CheckBonus {
	neighbours := p.Neighbours(s)
	info := s.Info()
	c := CheckBonus{
		Ops:             p.OpsValue(side, printed, inEastGermany),
		OwnNeighbours:   neighbours.And(p.Controlled[side]).Len(),
		EnemyNeighbours: neighbours.And(p.Controlled[side.Enemy()]).Len(),
		Modifiers:       extra,
	}
	effects := p.Effects.Cards
	if side == Democrat {
		if effects.Has(FRGEmbassies) && !info.Country.isBalkan() {
			c.addCard(FRGEmbassies)
		}
		if effects.Has(Grenztruppen) && info.Country == EastGermany {
			c.addCard(Grenztruppen)
		}
		if effects.Has(Elena) && info.Country == Romania {
			c.addCard(Elena)
		}
	} else {
		if effects.Has(TearGas) && info.Type == Student {
			c.addCard(TearGas)
		}
		if effects.Has(TheWall) && info.Country == EastGermany {
			c.EnemyNeighbours = 0
			c.addCard(TheWall)
		}
	}
	if p.Effects.StandFast == int8(side.Enemy())+1 && p.Controlled[side.Enemy()].Has(s) {
		c.addCard(StandFast)
	}
	return c
}

// checkSupport makes a support check (rule 6.2). The total minus twice the stability is a number of points. They
// first remove enemy support; points that are left become own support. For example, a total of 9 in a space with
// stability 3 and one enemy point removes this point and adds two own points.
func (r *Run) checkSupport(side Side, s Space, printed, extra int, inEastGermany bool) error {
	die, err := r.roll(ReasonCheck, int(s))
	if err != nil {
		return err
	}
	p := r.p
	c := p.CheckBonus(side, s, printed, extra, inEastGermany)
	total, need := die+c.Total(), 2*s.Info().Stability
	margin := max(0, total-need)
	removed := min(margin, int(p.Support[side.Enemy()][s]))
	r.emit(EvCheck, int(side), int(s), die, c.Ops, c.OwnNeighbours, c.EnemyNeighbours, c.Modifiers, total, need, removed, margin-removed,
		c.cardBits)
	r.remove(side.Enemy(), s, removed)
	r.place(side, s, margin-removed)
	if side == Communist {
		r.finishCommunistCheck(s)
	}
	return nil
}

// finishCommunistCheck runs after every Communist check. It ends the effects that last until the next check, and
// gives the Democrat the VP of VPChecks.
func (r *Run) finishCommunistCheck(s Space) {
	p := r.p
	info := s.Info()
	if info.Country == EastGermany && p.Effects.Cards.Has(TheWall) {
		r.expire(TheWall)
	}
	if info.Type == Student && p.Effects.Cards.Has(TearGas) {
		r.expire(TearGas)
	}
	for _, paid := range &VPChecks {
		if p.Effects.Cards.Has(paid.Card) && paid.In.Has(s) {
			r.addVP(1, VPFromEvent, int(paid.Card))
		}
	}
}

// VPChecks are the cards that, while in force, give the Democrat 1 VP for each Communist check in certain spaces.
var VPChecks = [...]struct {
	Card Card
	In   SpaceSet
}{{HelsinkiFinalAct, ofType[Student].Or(ofType[Intellectual])}, {EcoGlasnost, findSpaces("Ruse")}}

// expire ends the effect of a card in force: the card goes to the discard pile, or leaves the game if it has an
// asterisk.
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

// OpsTrial tries out Operations on a copy of a position, to find legal example orders for letters. For example,
// ExamplePlacement may return the atoms of "PLACE Lodz 2, Krakow".
type OpsTrial struct {
	pos   Position
	frame Frame
}

// NewOpsTrial returns a trial that begins the Operations of a card.
func NewOpsTrial(p *Position, c Card, side Side) OpsTrial {
	d := OpsTrial{pos: *p, frame: Frame{Proc: ProcOps, Card: c, Side: side, OnlyEastGermany: true}}
	d.pos.Reach = d.pos.PlaceableSpaces(side)
	d.pos.Question = Question{Kind: AskOps, Side: side}
	return d
}

// ResumeOpsTrial returns a trial that continues the Operations of a frame.
func ResumeOpsTrial(p *Position, f *Frame) OpsTrial { return OpsTrial{pos: *p, frame: *f} }

// PlaceableSpaces returns the spaces where these Operations may place points.
func (t OpsTrial) PlaceableSpaces() SpaceSet { return t.pos.Reach }

// MaxOpsChecks is the largest number of support checks of one use of Operations.
const MaxOpsChecks = 2

// ExamplePlacement returns an example of placing all points, in two spaces if possible. It prefers battlegrounds that
// neither side controls, and after them other spaces that neither side controls.
func (t OpsTrial) ExamplePlacement() []rules.Atom {
	var out []rules.Atom
	firstSpacePoints := (t.pos.OpsValue(t.frame.Side, t.frame.Card.Info().Ops, false) + 1) / 2
	var last Space
	for t.frame.Step != opsDone && t.pos.Ending == NotOver && !t.pos.mayStopPlacing(&t.frame) {
		set := t.pos.nextPlacements(&t.frame, t.frame.N)
		s := last
		if !set.Has(s) || len(out) == firstSpacePoints {
			s = t.pickSpace(set, last)
		}
		if s == 0 {
			break
		}
		a := SpaceAtom(VerbOpsPlace, s)
		out, last = append(out, a), s
		answerOps(&Run{p: &t.pos}, &t.frame, a)
	}
	return out
}

// pickSpace chooses a space of a set for a point of the example, if possible not the space last.
func (t *OpsTrial) pickSpace(set SpaceSet, last Space) Space {
	uncontrolled := set.Minus(t.pos.Controlled[Democrat]).Minus(t.pos.Controlled[Communist])
	for _, s := range [...]SpaceSet{uncontrolled.And(Battlegrounds), uncontrolled, set} {
		s.remove(last)
		if !s.IsEmpty() {
			return s.Next()
		}
	}
	return set.Next()
}

// ExampleChecks returns the two support checks with the best expected results. They are the answers to two decisions,
// but a single order may give both.
func (t OpsTrial) ExampleChecks() []rules.Atom {
	if t.frame.Step != opsAsk {
		return nil
	}
	var out []rules.Atom
	targets := t.pos.checkTargetsFor(&t.frame)
	for range min(MaxOpsChecks, targets.Len()) {
		best := BestCheckTarget(targets, func(s Space) int {
			return t.pos.CheckBonus(t.frame.Side, s, t.frame.Card.Info().Ops, 0, false).Total()
		})
		out = append(out, SpaceAtom(VerbOpsCheck, best))
		targets.remove(best)
	}
	return out
}

// BestCheckTarget returns the space of a set with the best expected support check. sum returns the number that is
// added to the die (CheckBonus.Total).
func BestCheckTarget(set SpaceSet, sum func(Space) int) Space {
	var best Space
	for s := set.Next(); s != 0; s = set.Next() {
		if best == 0 || sum(s)-2*s.Info().Stability > sum(best)-2*best.Info().Stability {
			best = s
		}
	}
	return best
}
