package engine

// The events of the Middle Year.
var eventsMiddle = map[Card][]Step{
	Ceausescu: {
		unless(tyrantGone),
		atRoundsEnd(),
		remove("remove", 3, in(Romania)),
		check("check", 1, in(Romania)),
	},
	EastGermanyScoring: {struggle(EastGermany)},
	BulgariaScoring:    {struggle(Bulgaria)},
	InflationaryCurrency: {
		country("country", enemyPower),
		remove("remove", 2, anywhere().there()),
		mayCancel("cancel", 3),
		check("check", 1, anywhere().there()),
	},
	SovietWithdrawals: {
		remove("remove", 5, inEasternEurope()).most(2),
	},
	GoodbyeLenin: {
		takeOrOps("take or ops"),
	},
	TurksExpelled: {
		vp(-2),
		clearOut("clear", these("Razgrad")),
	},
	WeAreThePeople: {
		move("move", 4, "East German Lutheran Church", in(EastGermany)).most(2),
		lasts(),
	},
	DebtBurden: {
		vp(+1),
		country("country", notRomania),
		noChecks(),
		lasts(),
	},
	SinatraDoctrine: {
		lasts(),
	},
	Anniversary: {
		placeSome("place", fourWhenAhead, in(EastGermany)),
		vp(-1),
	},
	Normalization: {
		clearOut("clear", these("Plzen", "Praha")),
	},
	LiPeng: {
		lasts(),
	},
	CrowdTurns: {
		lasts(),
	},
	CzechoslovakiaScoring: {struggle(Czechoslovakia)},
	ForeignTelevision: {
		remove("remove", 4, anywhere().except("Dresden")).most(2),
	},
	CentralCommittee: {
		country("country", ownPower),
		place("place", 3, anywhere().there()),
	},
	AustriaHungaryBorder: {
		lasts(),
	},
	Grenztruppen: {
		lasts(),
	},
	ToxicWaste: {
		place("place", 3, of(Worker)),
	},
	MondayDemonstrations: {
		control("church", these("East German Lutheran Church")),
		control("leipzig", these("Leipzig")),
		check("check", 5, in(EastGermany)).optional(),
	},
	Yakovlev: {
		lasts(),
	},
	Genscher: {
		lasts(),
	},
	LegacyOf1968: {
		oneEach("place", in(Czechoslovakia).notEnemys()),
	},
	PresidentialVisit: {
		onlyIf(anotherTurn),
		lasts(),
	},
	NewForum: {
		place("place", 3, in(EastGermany)).most(1),
	},
	ReformerRehabilitated: {
		resolveDiscarded("take", playableDiscards).optionalBy((*Position).reformerDeclines),
	},
	KlausAndKomarek: {
		removeOne("remove", 2, these("Praha")),
		stack("place", 2, these("Praha")),
	},
	Systematization: {
		unless(tyrantGone),
		destroy("destroy", in(Romania)),
	},
	Securitate: {
		unless(armyBacked),
		lasts(),
	},
	KissOfDeath: {
		discardAtRandom("discard", Democrat, Neutral),
	},
	PeasantPartiesRevolt: {
		lasts(),
	},
	LaszloTokes: {
		stack("timisoara", 1, these("Timisoara")),
		stack("harghita", 1, these("Harghita/Covasna")),
		useOps("ops", Romania),
	},
	FRGEmbassies: {
		lasts(),
	},
	ExitVisas: {
		exchange("discard"),
		draw("draw"),
	},
	WarsawPactSummit: {
		checksOrPlace("checks or place", 2, 4, of(Student, Intellectual)).plus(2),
	},
	Samizdat: {
		setAside("aside"),
		draw("draw"),
	},
	WorkersRevolt: {
		target("target", of(Worker).underEnemyPower()),
		rollFor(4, lessEnemyNeighbours),
		turnAround("turn around"),
	},
	ThirdWay: {
		vp(-2),
		stack("place", 3, these("German Writers")),
	},
	Nepotism: {
		rollTable(4, 4, 3, 3, 1, 1),
		placeSome("place", rolled, inBalkans().of(Worker)),
	},
	BalticWay: {
		vp(+3),
		ussr(2),
		control("control", of(Minority)),
		lasts(),
	},
}
