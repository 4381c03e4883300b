package engine

// The events of the Late Year.
var eventsLate = map[Card][]Step{
	Spitzel: {
		remove("remove", 2, in(EastGermany)),
	},
	Modrow: {
		lasts(),
		rollAbove(controlled(Democrat, in(EastGermany))),
		place("place", 4, in(EastGermany)).most(2),
	},
	BreakawayRepublics: {
		vp(+5),
		ussr(3),
		control("control", of(Minority)),
		check("check", 1, anywhere()),
		lasts(),
	},
	TankColumn: {
		forward(),
	},
	WallMustGo: {
		contest(in(EastGermany)),
		succeeds(),
		lasts(),
		cancels(TheWall),
		vp(+3),
		enemyLoses("loses", 3, in(EastGermany)),
	},
	KohlProposes: {
		vp(+2),
		onlyIf(wallFallen),
		useOps("ops", NoCountry),
	},
	Adamec: {
		rollFor(3, less(controlled(Democrat, in(Czechoslovakia).of(Worker)))),
		place("place", 4, in(Czechoslovakia)).most(2),
	},
	DominoTheory: {
		resolveDiscarded("take", discardedScoring).optional(),
	},
	CivicForum: {
		vp(+1),
		place("place", 4, in(Czechoslovakia)),
		onlyIf(czechWriters),
		check("check", 2, in(Czechoslovakia)).optional(),
	},
	FirstBanana: {
		remove("remove", 2, in(EastGermany)),
		check("check", 2, in(EastGermany)),
	},
	Betrayal: {
		replace("replace", Everything, these("Romanian Orthodox Church", "Bulgarian Orthodox Church")),
	},
	ShockTherapy: {
		country("country", ownPower),
		rollFor(3, lessEnemyLabour),
		vp(+3),
		place("place", 3, anywhere().there()),
	},
	UnionOfDemocraticForces: {
		remove("remove", 4, in(Bulgaria)).most(2),
		check("check", 2, in(Bulgaria)),
	},
	RomaniaScoring: {struggle(Romania)},
	ChineseSolution: {
		country("country", ownPower).optional(),
		vp(+3),
		check("check", 5, anywhere().there()).plus(3),
	},
	TyrantIsGone: {
		afterCrowd(),
		removeOne("remove", 4, these("Cluj-Napoca")),
		hide("hide", in(Romania).unheld()),
	},
	PolitburoIntrigue: {
		remove("remove", 3, in(Bulgaria)).most(2),
		check("check", 1, in(Bulgaria)),
	},
	Ligachev: {
		lasts(),
	},
	StandFast: {
		standFast(),
		lasts(),
	},
	Elena: {
		unless(tyrantGone),
		stack("place", 2, these("Cluj-Napoca")),
		lasts(),
	},
	NationalSalvationFront: {
		lasts(),
	},
	GovernmentResigns: {
		removeOne("remove", Everything, of(Elite).uncontrolled()),
	},
	NewYearsEveParty: {
		declare("declare"),
	},
	PublicAgainstViolence: {
		stack("kosice", 2, these("Kosice")),
		stack("presov", 2, these("Presov")),
		check("check", 1, these("Bratislava")).plus(2),
	},
	SocialDemocraticPlatform: {
		country("country", enemyPower),
		place("place", 2, anywhere().there()),
		check("check", 1, anywhere().there()),
	},
	MassacreInTimisoara: {
		unless(tyrantGone),
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
		rollFor(4, balticEvents),
		vp(+3),
		remove("remove", 5, of(Elite)),
	},
}
