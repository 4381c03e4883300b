package engine

// The events of the Early Year. Sides are not named: the side that carries an
// event out acts, the other is the enemy (rule 5.2).
var eventsEarly = map[Card][]Step{
	LegacyOfMartialLaw: {
		replace("replace", 1, in(Poland)),
		check("check", 1, in(Poland)),
	},
	SolidarityLegalized: {
		oneEach("place", in(Poland).of(Worker, Farmer).uncontrolled()),
		lasts(),
	},
	Walesa: {
		place("place", 4, in(Poland)),
		check("check", 2, in(Poland)).optional(),
	},
	Michnik: {
		stack("place", 3, these("Polish Writers")),
	},
	GeneralStrike: {
		lasts(),
	},
	BroughtIn: {
		discardAtRandom("discard", Communist),
	},
	StateRunMedia: {
		remove("remove", 4, anywhere()).most(2),
	},
	Prudence: {
		fewerOps(),
	},
	TheWall: {
		unless(wallFallen),
		lasts(),
	},
	CultOfPersonality: {
		unless(tyrantGone),
		place("place", 4, in(Romania).of(Worker, Farmer)).most(2),
	},
	DissidentArrested: {
		removeOne("remove", 2, of(Intellectual)),
	},
	Apparatchiks: {
		place("place", 3, of(Bureaucrat)),
	},
	Stasi: {
		fromNextRound(),
		lasts(),
	},
	GorbachevCharmsTheWest: {
		remove("remove", 2, anywhere()),
		check("check", 1, anywhere()),
	},
	Honecker: {
		mayTakeDiscarded("take", notScoring),
		extraRound(),
	},
	Nomenklatura: {
		placeOrClear("place or clear", 3, of(Elite)),
	},
	RoundtableTalks: {
		lasts(),
	},
	Pozsgay: {
		place("place", 4, in(Hungary).notEnemys()).most(1),
	},
	PapalVisit: {
		stack("place", 3, these("Polish Catholic Church", "Czech Catholic Church", "Hungarian Catholic Church")),
	},
	DeutscheMarks: {
		handOver("hand over"),
	},
	PolandScoring:  {struggle(Poland)},
	HungaryScoring: {struggle(Hungary)},
	StNicholasChurch: {
		control("control", these("East German Lutheran Church")),
	},
	Perestroika: {
		lasts(),
	},
	HelsinkiFinalAct: {
		lasts(),
	},
	Consumerism: {
		removeOne("remove", 1, of(Worker)),
		check("check", 1, of(Worker).there()),
	},
	FactoryPartyCells: {
		remove("remove", 3, of(Worker)).most(2),
	},
	JanPalachWeek: {
		stack("place", 6, these("Charles University")),
	},
	TearGas: {
		lasts(),
	},
	Intelligentsia: {
		place("place", 4, of(Intellectual)).most(2),
	},
	PeasantParties: {
		place("place", 4, of(Farmer)).most(2),
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
	NagyReburied: {
		withdraw("withdraw", these("Szombathely")),
		place("place", 4, in(Hungary)).most(2),
	},
	JulyConcept: {
		place("place", 3, in(Bulgaria)),
	},
	EcoGlasnost: {
		stack("place", 4, these("Ruse")),
		lasts(),
	},
	HungarianDemocraticForum: {
		place("place", 3, in(Hungary)),
		check("check", 1, in(Hungary)),
	},
}
