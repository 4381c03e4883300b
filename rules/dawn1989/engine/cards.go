package engine

// Card is a strategy card, given by its printed number (1 to 110); 0 is no card.
type Card uint8

// Cards is one more than the highest number of a card.
const Cards = 111

// Period is a third of the year 1989. Each period adds strategy cards to the deck (rules 2.2, 4.4).
type Period uint8

// The periods.
const (
	Early Period = iota
	Middle
	Late
)

// PeriodNames are the names of the periods, indexed by Period.
var PeriodNames = [...]string{"early", "middle", "late"}

// periodOf returns the period that a turn belongs to (rule 4.1).
func periodOf(turn int) Period {
	switch {
	case turn <= 3:
		return Early
	case turn <= 7:
		return Middle
	}
	return Late
}

// CardInfo is a strategy card as printed.
type CardInfo struct {
	Name   string
	Ops    int
	Period Period
	Side   Side
	// Scoring is the country of a scoring card, or NoCountry.
	Scoring Country
	// Asterisk is set for cards that leave the game after their event (rule 2.2.4).
	Asterisk bool
	// Red is set if the title is printed in red: other events need this event (rule 2.2.6).
	Red      bool
	Duration Duration
}

// Duration says how long the effect of an event is in force (rule 7.2).
type Duration uint8

// The durations.
const (
	Instant Duration = iota
	ForTurn
	ForGame
	UntilUsed
	UntilCancelled
)

var durationNames = [...]string{"instant", "turn", "game", "until_used", "until_cancelled"}

// Info returns the printed facts of the card.
func (c Card) Info() *CardInfo { return &cardInfos[c] }

func (c Card) String() string { return cardInfos[c].Name }

var scoringCountries = map[Card]Country{
	PolandScoring: Poland, HungaryScoring: Hungary, EastGermanyScoring: EastGermany,
	BulgariaScoring: Bulgaria, CzechoslovakiaScoring: Czechoslovakia, RomaniaScoring: Romania,
}

// The cards. Like the map (see spaceInfos), they are read by an initializer and not by an init function. ScoringCards
// are all scoring cards, and ScoringCardOf has the scoring card of each country. redTitles are the cards with a red
// title, cardsOfSide has the cards of each Side (index Neutral: cards of both sides), and turnEffectCards are the
// cards with an effect that ends with the turn.
var cardInfos, InPeriod, ScoringCards, ScoringCardOf, redTitles, cardsOfSide, turnEffectCards = readCards()

func readCards() (deck [Cards]CardInfo, inPeriod [3]CardSet, scoring CardSet, scoringCard [Countries]Card, red CardSet,
	starOf [3]CardSet, forTurn CardSet) {
	for _, r := range readTable("data/cards.csv") {
		n := Card(parseNumber(r["number"]))
		c := CardInfo{
			Name: r["name"], Period: Period(indexOf(PeriodNames[:], r["period"])),
			Side: Side(indexOf(sideNames[:], r["side"])), Scoring: scoringCountries[n],
			Asterisk: r["asterisk"] == "yes", Red: r["red"] == "yes",
			Duration: Duration(indexOf(durationNames[:], r["duration"])),
		}
		if c.Scoring != NoCountry {
			scoring.Add(n)
			scoringCard[c.Scoring] = n
		} else {
			c.Ops = parseNumber(r["ops"])
		}
		if c.Red {
			red.Add(n)
		}
		deck[n] = c
		starOf[c.Side].Add(n)
		inPeriod[c.Period].Add(n)
		if c.Duration == ForTurn {
			forTurn.Add(n)
		}
	}
	return deck, inPeriod, scoring, scoringCard, red, starOf, forTurn
}

// The strategy cards.
const (
	LegacyOfMartialLaw       Card = 1
	SolidarityLegalized      Card = 2
	Walesa                   Card = 3
	Michnik                  Card = 4
	GeneralStrike            Card = 5
	BroughtIn                Card = 6
	StateRunMedia            Card = 7
	Prudence                 Card = 8
	TheWall                  Card = 9
	CultOfPersonality        Card = 10
	DissidentArrested        Card = 11
	Apparatchiks             Card = 12
	Stasi                    Card = 13
	GorbachevCharmsTheWest   Card = 14
	Honecker                 Card = 15
	Nomenklatura             Card = 16
	RoundtableTalks          Card = 17
	Pozsgay                  Card = 18
	PapalVisit               Card = 19
	DeutscheMarks            Card = 20
	CommonEuropeanHome       Card = 21
	PolandScoring            Card = 22
	HungaryScoring           Card = 23
	StNicholasChurch         Card = 24
	Perestroika              Card = 25
	HelsinkiFinalAct         Card = 26
	Consumerism              Card = 27
	FactoryPartyCells        Card = 28
	JanPalachWeek            Card = 29
	TearGas                  Card = 30
	Intelligentsia           Card = 31
	PeasantParties           Card = 32
	Sajudis                  Card = 33
	Fidesz                   Card = 34
	HealOurBleedingWound     Card = 35
	DashForTheWest           Card = 36
	NagyReburied             Card = 37
	JulyConcept              Card = 38
	EcoGlasnost              Card = 39
	HungarianDemocraticForum Card = 40
	Ceausescu                Card = 41
	EastGermanyScoring       Card = 42
	BulgariaScoring          Card = 43
	InflationaryCurrency     Card = 44
	SovietWithdrawals        Card = 45
	GoodbyeLenin             Card = 46
	TurksExpelled            Card = 47
	WeAreThePeople           Card = 48
	DebtBurden               Card = 49
	SinatraDoctrine          Card = 50
	Anniversary              Card = 51
	Normalization            Card = 52
	LiPeng                   Card = 53
	CrowdTurns               Card = 54
	CzechoslovakiaScoring    Card = 55
	ForeignTelevision        Card = 56
	CentralCommittee         Card = 57
	AustriaHungaryBorder     Card = 58
	Grenztruppen             Card = 59
	ToxicWaste               Card = 60
	MondayDemonstrations     Card = 61
	Yakovlev                 Card = 62
	Genscher                 Card = 63
	LegacyOf1968             Card = 64
	PresidentialVisit        Card = 65
	NewForum                 Card = 66
	ReformerRehabilitated    Card = 67
	KlausAndKomarek          Card = 68
	Systematization          Card = 69
	Securitate               Card = 70
	KissOfDeath              Card = 71
	PeasantPartiesRevolt     Card = 72
	LaszloTokes              Card = 73
	FRGEmbassies             Card = 74
	ExitVisas                Card = 75
	WarsawPactSummit         Card = 76
	Samizdat                 Card = 77
	WorkersRevolt            Card = 78
	ThirdWay                 Card = 79
	Nepotism                 Card = 80
	BalticWay                Card = 81
	Spitzel                  Card = 82
	Modrow                   Card = 83
	BreakawayRepublics       Card = 84
	TankColumn               Card = 85
	WallMustGo               Card = 86
	KohlProposes             Card = 87
	Adamec                   Card = 88
	DominoTheory             Card = 89
	CivicForum               Card = 90
	FirstBanana              Card = 91
	Betrayal                 Card = 92
	ShockTherapy             Card = 93
	UnionOfDemocraticForces  Card = 94
	RomaniaScoring           Card = 95
	ChineseSolution          Card = 96
	TyrantIsGone             Card = 97
	PolitburoIntrigue        Card = 98
	Ligachev                 Card = 99
	StandFast                Card = 100
	Elena                    Card = 101
	NationalSalvationFront   Card = 102
	GovernmentResigns        Card = 103
	NewYearsEveParty         Card = 104
	PublicAgainstViolence    Card = 105
	SocialDemocraticPlatform Card = 106
	MassacreInTimisoara      Card = 107
	ArmyBacksRevolution      Card = 108
	KremlinCoup              Card = 109
	MaltaSummit              Card = 110
)
