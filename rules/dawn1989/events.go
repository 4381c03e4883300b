package dawn1989

// events is every event, in the words of step.go. Sides are not named: the side
// that carries an event out acts, the other is the enemy (rule 5.2).
var events = map[Card][]Step{
	LegacyOfMartialLaw: {
		replace("replace", 1, in(Poland)),
		check("check", 1, in(Poland)),
	},
	TheWall: {
		unless(wallFallen),
		lasts(),
	},
	CultOfPersonality: {
		unless(tyrantGone),
		place("place", 4, in(Romania).of(Worker, Farmer)).most(2),
	},
	Apparatchiks: {
		place("place", 3, of(Bureaucrat)),
	},
	GorbachevCharmsTheWest: {
		remove("remove", 2, anywhere()),
		check("check", 1, anywhere()),
	},
	Honecker: {
		mayTakeDiscarded("take", notScoring),
		extraRound(),
	},
	PapalVisit: {
		stack("place", 3, these("Polish Catholic Church", "Czech Catholic Church", "Hungarian Catholic Church")),
	},
	HelsinkiFinalAct: {
		lasts(),
	},
	Consumerism: {
		removeOne("remove", 1, of(Worker)),
		check("check", 1, of(Worker).there()),
	},
	Sajudis: {
		vp(+1),
		ussr(1),
		control("control", of(Minority)),
		lasts(),
	},
	Fidesz: {
		stack("place", 5, these("Eotvos Lorand University")),
	},
	HealOurBleedingWound: {
		vpByPeriod(-3, -1, +3),
	},
	DashForTheWest: {
		rollAbove(controlled(Communist, in(EastGermany))),
		vp(+1),
		resolveDiscarded("take", ownAsterisks),
	},
	EcoGlasnost: {
		stack("place", 4, these("Ruse")),
		lasts(),
	},
	HungarianDemocraticForum: {
		place("place", 3, in(Hungary)),
		check("check", 1, in(Hungary)),
	},

	PolandScoring:         {struggle(Poland)},
	HungaryScoring:        {struggle(Hungary)},
	EastGermanyScoring:    {struggle(EastGermany)},
	BulgariaScoring:       {struggle(Bulgaria)},
	CzechoslovakiaScoring: {struggle(Czechoslovakia)},
	RomaniaScoring:        {struggle(Romania)},
}

// wallFallen: "The Wall Must Go!" (card 86) was won by the Democrat.
func wallFallen(p *Position) bool { return p.force.wallFallen }

// tyrantGone: The Tyrant is Gone (card 97) has been resolved; waiting is not
// enough (rule 7.6.4).
func tyrantGone(p *Position) bool { return p.force.tyrantGone }

// notScoring are the cards of the discard pile that are not scoring cards.
func notScoring(p *Position, _ Side) CardSet { return p.piles[PileDiscard].minus(scoringCards) }

// ownAsterisks are the side's own cards with an asterisk in the discard pile
// whose event can take place now.
func ownAsterisks(p *Position, side Side) CardSet {
	var out CardSet
	set := p.piles[PileDiscard]
	for c := set.next(); c != 0; c = set.next() {
		if c.Info().Asterisk && c.Info().Side == side && p.playable(c, side) {
			out.add(c)
		}
	}
	return out
}
