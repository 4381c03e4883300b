package engine

// The events of the Early Year as lists of steps; eventsMiddle and eventsLate have those of the other periods. Each
// function, defined in step*.go, returns a step. For example, place("place", 4, in(Poland)) lets the acting side
// place 4 points in Poland. The acting side is the side that carries the event out, and the other side is the enemy
// (rule 5.2). An argument like "place" is the label of the step in stored positions.
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
	Michnik:       {placeInOne("place", 3, these("Polish Writers"))},
	GeneralStrike: {lasts()},
	BroughtIn:     {discardAtRandom("discard", Communist)},
	StateRunMedia: {remove("remove", 4, anywhere()).atMost(2)},
	Prudence:      {lowerEnemyOps()},
	TheWall: {
		unless(isWallFallen),
		lasts(),
	},
	CultOfPersonality: {
		unless(isTyrantGone),
		place("place", 4, in(Romania).of(Worker, Farmer)).atMost(2),
	},
	DissidentArrested: {removeOne("remove", 2, of(Intellectual))},
	Apparatchiks:      {place("place", 3, of(Bureaucrat))},
	Stasi: {
		fromNextRound(),
		lasts(),
	},
	GorbachevCharmsTheWest: {
		remove("remove", 2, anywhere()),
		check("check", 1, anywhere()),
	},
	Honecker: {
		mayTakeDiscarded("take", nonScoringDiscards),
		extraRound(),
	},
	Nomenklatura:    {placeOrClear("place or clear", 3, of(Elite))},
	RoundtableTalks: {lasts()},
	Pozsgay:         {place("place", 4, in(Hungary).notEnemyControlled()).atMost(1)},
	PapalVisit: {
		placeInOne("place", 3, these("Polish Catholic Church", "Czech Catholic Church", "Hungarian Catholic Church")),
	},
	DeutscheMarks:    {handOver("hand over")},
	PolandScoring:    {struggle(Poland)},
	HungaryScoring:   {struggle(Hungary)},
	StNicholasChurch: {control("control", these("East German Lutheran Church"))},
	Perestroika:      {lasts()},
	HelsinkiFinalAct: {lasts()},
	Consumerism: {
		removeOne("remove", 1, of(Worker)),
		check("check", 1, of(Worker).inChosenCountry()),
	},
	FactoryPartyCells: {remove("remove", 3, of(Worker)).atMost(2)},
	JanPalachWeek:     {placeInOne("place", 6, these("Charles University"))},
	TearGas:           {lasts()},
	Intelligentsia:    {place("place", 4, of(Intellectual)).atMost(2)},
	PeasantParties:    {place("place", 4, of(Farmer)).atMost(2)},
	Sajudis: {
		vp(+1),
		ussr(1),
		control("control", of(Minority)),
		lasts(),
	},
	Fidesz:               {placeInOne("place", 5, these("Eotvos Lorand University"))},
	HealOurBleedingWound: {vpByPeriod(-3, -1, +3)},
	DashForTheWest: {
		rollAbove(countControlledBy(Communist, in(EastGermany))),
		vp(+1),
		resolveDiscarded("take", ownAsteriskDiscards),
	},
	NagyReburied: {
		withdraw("withdraw", these("Szombathely")),
		place("place", 4, in(Hungary)).atMost(2),
	},
	JulyConcept: {place("place", 3, in(Bulgaria))},
	EcoGlasnost: {
		placeInOne("place", 4, these("Ruse")),
		lasts(),
	},
	HungarianDemocraticForum: {
		place("place", 3, in(Hungary)),
		check("check", 1, in(Hungary)),
	},
}

var eventsMiddle = map[Card][]Step{
	Ceausescu: {
		unless(isTyrantGone),
		atRoundsEnd(),
		remove("remove", 3, in(Romania)),
		check("check", 1, in(Romania)),
	},
	EastGermanyScoring: {struggle(EastGermany)},
	BulgariaScoring:    {struggle(Bulgaria)},
	InflationaryCurrency: {
		country("country", enemyPower),
		remove("remove", 2, anywhere().inChosenCountry()),
		mayCancel("cancel", 3),
		check("check", 1, anywhere().inChosenCountry()),
	},
	SovietWithdrawals: {remove("remove", 5, inEasternEurope()).atMost(2)},
	GoodbyeLenin:      {takeOrOps("take or ops")},
	TurksExpelled: {
		vp(-2),
		clearOut("clear", these("Razgrad")),
	},
	WeAreThePeople: {
		move("move", 4, "East German Lutheran Church", in(EastGermany)).atMost(2),
		lasts(),
	},
	DebtBurden: {
		vp(+1),
		country("country", notRomania),
		noChecks(),
		lasts(),
	},
	SinatraDoctrine: {lasts()},
	Anniversary: {
		placeSome("place", fourIfAhead, in(EastGermany)),
		vp(-1),
	},
	Normalization:         {clearOut("clear", these("Plzen", "Praha"))},
	LiPeng:                {lasts()},
	CrowdTurns:            {lasts()},
	CzechoslovakiaScoring: {struggle(Czechoslovakia)},
	ForeignTelevision:     {remove("remove", 4, anywhere().except("Dresden")).atMost(2)},
	CentralCommittee: {
		country("country", ownPower),
		place("place", 3, anywhere().inChosenCountry()),
	},
	AustriaHungaryBorder: {lasts()},
	Grenztruppen:         {lasts()},
	ToxicWaste:           {place("place", 3, of(Worker))},
	MondayDemonstrations: {
		control("church", these("East German Lutheran Church")),
		control("leipzig", these("Leipzig")),
		check("check", 5, in(EastGermany)).optional(),
	},
	Yakovlev:     {lasts()},
	Genscher:     {lasts()},
	LegacyOf1968: {oneEach("place", in(Czechoslovakia).notEnemyControlled())},
	PresidentialVisit: {
		onlyIf(hasNextTurn),
		lasts(),
	},
	NewForum:              {place("place", 3, in(EastGermany)).atMost(1)},
	ReformerRehabilitated: {resolveDiscarded("take", playableDiscards).optionalBy((*Position).mayDeclineReformer)},
	KlausAndKomarek: {
		removeOne("remove", 2, these("Praha")),
		placeInOne("place", 2, these("Praha")),
	},
	Systematization: {
		unless(isTyrantGone),
		destroy("destroy", in(Romania)),
	},
	Securitate: {
		unless(isArmyBacking),
		lasts(),
	},
	KissOfDeath:          {discardAtRandom("discard", Democrat, Neutral)},
	PeasantPartiesRevolt: {lasts()},
	LaszloTokes: {
		placeInOne("timisoara", 1, these("Timisoara")),
		placeInOne("harghita", 1, these("Harghita/Covasna")),
		useOps("ops", Romania),
	},
	FRGEmbassies: {lasts()},
	ExitVisas: {
		exchange("discard"),
		draw("draw"),
	},
	WarsawPactSummit: {checksOrPlace("checks or place", 2, 4, of(Student, Intellectual)).plus(2)},
	Samizdat: {
		setAside("aside"),
		draw("draw"),
	},
	WorkersRevolt: {
		target("target", of(Worker).underEnemyPower()),
		rollFor(4, enemyNeighboursModifier),
		turnAround("turn around"),
	},
	ThirdWay: {
		vp(-2),
		placeInOne("place", 3, these("German Writers")),
	},
	Nepotism: {
		rollTable(4, 4, 3, 3, 1, 1),
		placeSome("place", tableResult, inBalkans().of(Worker)),
	},
	BalticWay: {
		vp(+3),
		ussr(2),
		control("control", of(Minority)),
		lasts(),
	},
}

var eventsLate = map[Card][]Step{
	Spitzel: {remove("remove", 2, in(EastGermany))},
	Modrow: {
		lasts(),
		rollAbove(countControlledBy(Democrat, in(EastGermany))),
		place("place", 4, in(EastGermany)).atMost(2),
	},
	BreakawayRepublics: {
		vp(+5),
		ussr(3),
		control("control", of(Minority)),
		check("check", 1, anywhere()),
		lasts(),
	},
	TankColumn: {advanceMarker()},
	WallMustGo: {
		contest(in(EastGermany)),
		recordWallFallen(),
		lasts(),
		cancels(TheWall),
		vp(+3),
		enemyLoses("loses", 3, in(EastGermany)),
	},
	KohlProposes: {
		vp(+2),
		onlyIf(isWallFallen),
		useOps("ops", NoCountry),
	},
	Adamec: {
		rollFor(3, subtractCount(countControlledBy(Democrat, in(Czechoslovakia).of(Worker)))),
		place("place", 4, in(Czechoslovakia)).atMost(2),
	},
	DominoTheory: {resolveDiscarded("take", scoringDiscards).optional()},
	CivicForum: {
		vp(+1),
		place("place", 4, in(Czechoslovakia)),
		onlyIf(controlsCzechWriters),
		check("check", 2, in(Czechoslovakia)).optional(),
	},
	FirstBanana: {
		remove("remove", 2, in(EastGermany)),
		check("check", 2, in(EastGermany)),
	},
	Betrayal: {replace("replace", AllPoints, these("Romanian Orthodox Church", "Bulgarian Orthodox Church"))},
	ShockTherapy: {
		country("country", ownPower),
		rollFor(3, enemyLabourModifier),
		vp(+3),
		place("place", 3, anywhere().inChosenCountry()),
	},
	UnionOfDemocraticForces: {
		remove("remove", 4, in(Bulgaria)).atMost(2),
		check("check", 2, in(Bulgaria)),
	},
	RomaniaScoring: {struggle(Romania)},
	ChineseSolution: {
		country("country", ownPower).optional(),
		vp(+3),
		check("check", 5, anywhere().inChosenCountry()).plus(3),
	},
	TyrantIsGone: {
		afterCrowd(),
		removeOne("remove", 4, these("Cluj-Napoca")),
		placeRefuge("hide", in(Romania).withoutOwnSupport()),
	},
	PolitburoIntrigue: {
		remove("remove", 3, in(Bulgaria)).atMost(2),
		check("check", 1, in(Bulgaria)),
	},
	Ligachev: {lasts()},
	StandFast: {
		standFast(),
		lasts(),
	},
	Elena: {
		unless(isTyrantGone),
		placeInOne("place", 2, these("Cluj-Napoca")),
		lasts(),
	},
	NationalSalvationFront: {lasts()},
	GovernmentResigns:      {removeOne("remove", AllPoints, of(Elite).uncontrolled())},
	NewYearsEveParty:       {declare("declare")},
	PublicAgainstViolence: {
		placeInOne("kosice", 2, these("Kosice")),
		placeInOne("presov", 2, these("Presov")),
		check("check", 1, these("Bratislava")).plus(2),
	},
	SocialDemocraticPlatform: {
		country("country", enemyPower),
		place("place", 2, anywhere().inChosenCountry()),
		check("check", 1, anywhere().inChosenCountry()),
	},
	MassacreInTimisoara: {
		unless(isTyrantGone),
		check("check", 2, in(Romania)).plus(2),
	},
	ArmyBacksRevolution: {
		cancels(Securitate),
		lasts(),
	},
	KremlinCoup: {
		vp(-3),
		ussr(4),
		coup("coup").plus(1),
	},
	MaltaSummit: {
		rollFor(4, countBalticEvents),
		vp(+3),
		remove("remove", 5, of(Elite)),
	},
}
