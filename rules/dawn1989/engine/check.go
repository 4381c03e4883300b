package engine

// Targets lists the spaces that a side may check (rule 6.2): those with enemy
// support, less those where cards forbid the Communist's checks.
func (p *Position) Targets(side Side) SpaceSet {
	t := p.Holds[side.Enemy()].And(p.OnMap())
	if side == Communist {
		if p.Effects.Cards.Has(SolidarityLegalized) {
			t.drop(Gdansk)
		}
		if p.Effects.Cards.Has(WeAreThePeople) {
			t.drop(Leipzig)
		}
		if p.Effects.Debt != NoCountry {
			t = t.Minus(InCountry[p.Effects.Debt])
		}
	}
	return t
}

// The spaces that rules name.
var (
	Gdansk, Leipzig       = SpaceNamed("Gdansk"), SpaceNamed("Leipzig")
	clujNapoca, bucuresti = SpaceNamed("Cluj-Napoca"), SpaceNamed("Bucuresti")
)

// CheckSum is what a support check adds to its die.
type CheckSum struct {
	Ops, Own, Enemy, Mods int
	// cards are those of CheckCards whose effect is in the sum, as bits.
	cards int
}

// CheckCards are the cards in force that can change a support check, with what
// they add. The Wall adds nothing: it leaves out the enemy's neighbours.
var CheckCards = [...]struct {
	Card Card
	Adds int
}{{FRGEmbassies, +1}, {Grenztruppen, -1}, {Elena, -1}, {TearGas, +1}, {StandFast, -1}, {TheWall, 0}}

// with adds a card's effect to the sum.
func (c *CheckSum) with(card Card) {
	for i, k := range CheckCards {
		if k.Card == card {
			c.Mods += k.Adds
			c.cards |= 1 << i
		}
	}
}

// Total is what is added to the die.
func (c CheckSum) Total() int { return c.Ops + c.Own - c.Enemy + c.Mods }

// CheckSum adds up a support check (rule 6.2.2): the Ops value, the neighbours that
// each side controls, and the modifiers of events in force.
func (p *Position) CheckSum(side Side, s Space, printed, extra int, all bool) CheckSum {
	near := p.Neighbours(s)
	info := s.Info()
	c := CheckSum{
		Ops:   p.OpsValue(side, printed, all),
		Own:   near.And(p.Controls[side]).Len(),
		Enemy: near.And(p.Controls[side.Enemy()]).Len(),
		Mods:  extra,
	}
	in := p.Effects.Cards
	if side == Democrat {
		if in.Has(FRGEmbassies) && !info.Country.balkan() {
			c.with(FRGEmbassies)
		}
		if in.Has(Grenztruppen) && info.Country == EastGermany {
			c.with(Grenztruppen)
		}
		if in.Has(Elena) && info.Country == Romania {
			c.with(Elena)
		}
	} else {
		if in.Has(TearGas) && info.Kind == Student {
			c.with(TearGas)
		}
		if in.Has(TheWall) && info.Country == EastGermany {
			c.Enemy = 0
			c.with(TheWall)
		}
	}
	if p.Effects.StandFast == int8(side.Enemy())+1 && p.Controls[side.Enemy()].Has(s) {
		c.with(StandFast)
	}
	return c
}

// check makes one support check (rule 6.2): what the total has above twice the
// stability removes enemy support, and what remains becomes own support.
func (x *Run) check(side Side, s Space, printed, extra int, all bool) error {
	die, err := x.roll(ReasonCheck, int(s))
	if err != nil {
		return err
	}
	p := x.p
	c := p.CheckSum(side, s, printed, extra, all)
	total, need := die+c.Total(), 2*s.Info().Stability
	margin := max(0, total-need)
	removed := min(margin, int(p.Support[side.Enemy()][s]))
	x.say(EvCheck, int(side), int(s), die, c.Ops, c.Own, c.Enemy, c.Mods, total, need, removed, margin-removed, c.cards)
	x.remove(side.Enemy(), s, removed)
	x.place(side, s, margin-removed)
	if side == Communist {
		x.checked(s)
	}
	return nil
}

// checked does what follows every Communist check: cards that wait for one are
// used up, and those that pay for one pay.
func (x *Run) checked(s Space) {
	p := x.p
	info := s.Info()
	if info.Country == EastGermany && p.Effects.Cards.Has(TheWall) {
		x.expire(TheWall)
	}
	if info.Kind == Student && p.Effects.Cards.Has(TearGas) {
		x.expire(TearGas)
	}
	for _, paid := range &PaidChecks {
		if p.Effects.Cards.Has(paid.Card) && paid.In.Has(s) {
			x.vp(1, WhyEvent, int(paid.Card))
		}
	}
}

// PaidChecks are the cards in force that pay the Democrat 1 VP for each check of the
// Communist in some spaces, whatever its result.
var PaidChecks = [...]struct {
	Card Card
	In   SpaceSet
}{{HelsinkiFinalAct, ofKind[Student].Or(ofKind[Intellectual])}, {EcoGlasnost, spacesNamed("Ruse")}}

// expire ends a card's effect: the card leaves play, for good when it has an
// asterisk.
func (x *Run) expire(c Card) {
	p := x.p
	p.Effects.Cards.drop(c)
	if !p.Piles[PileInPlay].Has(c) {
		return
	}
	to := PileDiscard
	if c.Info().Asterisk {
		to = PileRemoved
	}
	p.Move(c, PileInPlay, to)
	x.say(EvCardTo, int(c), int(to))
}
