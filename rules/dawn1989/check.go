package dawn1989

// targets lists the spaces that a side may check (rule 6.2): those with enemy
// support, less those where cards forbid the Communist's checks.
func (p *Position) targets(side Side) SpaceSet {
	t := p.holds[side.Enemy()].and(p.onMap())
	if side == Communist {
		if p.force.cards.has(SolidarityLegalized) {
			t.drop(gdansk)
		}
		if p.force.cards.has(WeAreThePeople) {
			t.drop(leipzig)
		}
		if p.force.debt != NoCountry {
			t = t.minus(inCountry[p.force.debt])
		}
	}
	return t
}

var gdansk, leipzig, ruse, clujNapoca, bucuresti Space

func init() {
	gdansk, leipzig, ruse = space("Gdansk"), space("Leipzig"), space("Ruse")
	clujNapoca, bucuresti = space("Cluj-Napoca"), space("Bucuresti")
}

// checkSum is what a support check adds to its die.
type checkSum struct {
	ops, own, enemy, mods int
	// cards are those of checkCards whose effect is in the sum, as bits.
	cards int
}

// checkCards are the cards in force that can change a support check, with what
// they add. The Wall adds nothing: it leaves out the enemy's neighbours.
var checkCards = [...]struct {
	card Card
	adds int
}{{FRGEmbassies, +1}, {Grenztruppen, -1}, {Elena, -1}, {TearGas, +1}, {StandFast, -1}, {TheWall, 0}}

// with adds a card's effect to the sum.
func (c *checkSum) with(card Card) {
	for i, k := range checkCards {
		if k.card == card {
			c.mods += k.adds
			c.cards |= 1 << i
		}
	}
}

func (c checkSum) total() int { return c.ops + c.own - c.enemy + c.mods }

// sum adds up a support check (rule 6.2.2): the Ops value, the neighbours that
// each side controls, and the modifiers of events in force.
func (p *Position) sum(side Side, s Space, printed, extra int, all bool) checkSum {
	near := p.neighbours(s)
	info := s.Info()
	c := checkSum{
		ops:   p.opsValue(side, printed, all),
		own:   near.and(p.controls[side]).len(),
		enemy: near.and(p.controls[side.Enemy()]).len(),
		mods:  extra,
	}
	in := p.force.cards
	if side == Democrat {
		if in.has(FRGEmbassies) && !info.Country.balkan() {
			c.with(FRGEmbassies)
		}
		if in.has(Grenztruppen) && info.Country == EastGermany {
			c.with(Grenztruppen)
		}
		if in.has(Elena) && info.Country == Romania {
			c.with(Elena)
		}
	} else {
		if in.has(TearGas) && info.Kind == Student {
			c.with(TearGas)
		}
		if in.has(TheWall) && info.Country == EastGermany {
			c.enemy = 0
			c.with(TheWall)
		}
	}
	if p.force.standFast == int8(side.Enemy())+1 && p.controls[side.Enemy()].has(s) {
		c.with(StandFast)
	}
	return c
}

// check makes one support check (rule 6.2): what the total has above twice the
// stability removes enemy support, and what remains becomes own support.
func (x *Run) check(side Side, s Space, printed, extra int, all bool) error {
	die, err := x.roll(reasonCheck, int(s))
	if err != nil {
		return err
	}
	p := x.p
	c := p.sum(side, s, printed, extra, all)
	total, need := die+c.total(), 2*s.Info().Stability
	margin := max(0, total-need)
	removed := min(margin, int(p.support[side.Enemy()][s]))
	x.say(EvCheck, int(side), int(s), die, c.ops, c.own, c.enemy, c.mods, total, need, removed, margin-removed, c.cards)
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
	if info.Country == EastGermany && p.force.cards.has(TheWall) {
		x.expire(TheWall)
	}
	if info.Kind == Student && p.force.cards.has(TearGas) {
		x.expire(TearGas)
	}
	if (info.Kind == Student || info.Kind == Intellectual) && p.force.cards.has(HelsinkiFinalAct) {
		x.vp(1, WhyEvent, int(HelsinkiFinalAct))
	}
	if s == ruse && p.force.cards.has(EcoGlasnost) {
		x.vp(1, WhyEvent, int(EcoGlasnost))
	}
}

// expire ends a card's effect: the card leaves play, for good when it has an
// asterisk.
func (x *Run) expire(c Card) {
	p := x.p
	p.force.cards.drop(c)
	if !p.piles[PileInPlay].has(c) {
		return
	}
	to := PileDiscard
	if c.Info().Asterisk {
		to = PileRemoved
	}
	p.move(c, PileInPlay, to)
	x.say(EvCardTo, int(c), int(to))
}
