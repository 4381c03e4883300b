package words

import (
	"slices"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// The kinds of names in orders.
const (
	nameSpace    rules.NameKind = "space"
	nameCard     rules.NameKind = "card"
	nameStruggle rules.NameKind = "struggle card"
	nameCountry  rules.NameKind = "country"
	nameSuit     rules.NameKind = "suit"
	nameOption   rules.NameKind = "option"
	nameBox      rules.NameKind = "box"
	nameSide     rules.NameKind = "side"
	// nameEnd is PASS or CONCEDE as the last entry of a list.
	nameEnd rules.NameKind = "closing PASS"
)

// The words of orders.
const (
	wordPlay       = "PLAY"
	wordWith       = "WITH"
	wordOps        = "OPS"
	wordBoth       = "BOTH"
	wordEvent      = "EVENT"
	wordFirst      = "EVENT FIRST"
	wordAfter      = "EVENT AFTER"
	wordNoEvent    = "NO EVENT"
	wordStrike     = "STRIKE"
	wordTiananmen  = "TIANANMEN"
	wordBonus      = "BONUS"
	wordPlace      = "PLACE"
	wordRemove     = "REMOVE"
	wordCheck      = "CHECK"
	wordChoose     = "CHOOSE"
	wordTake       = "TAKE"
	wordDiscard    = "DISCARD"
	wordRaise      = "RAISE"
	wordAttack     = "ATTACK"
	wordAs         = "AS"
	wordIn         = "IN"
	wordDefend     = "DEFEND"
	wordConcede    = "CONCEDE"
	wordPass       = "PASS"
	wordKeep       = "KEEP POWER"
	wordSurrender  = "SURRENDER POWER"
	wordBid        = "BID"
	wordGive       = "GIVE"
	optionClear    = "CLEAR"
	optionDeclare  = "DECLARE"
	stakesDiscards = 3
)

// Keywords implements rules.Language.
func (Words) Keywords() []rules.Keyword {
	kinds := func(k ...rules.NameKind) []rules.NameKind { return k }
	points := append([]string{"SP", "SPs", "support", "support point", "support points", "point", "points", "influence"}, foreignPoints...)
	out := []rules.Keyword{
		{Word: wordPlay, Verb: true, Takes: kinds(nameCard), Implied: true, Synonyms: []string{"USE", "PLAYING", "USING", "SCORE"}},
		{Word: wordOps, Verb: true, CountKeyword: wordPlace, Synonyms: []string{"OP", "OPERATION", "OPERATIONS", "OPS POINTS", "OPERATIONEN", "OPERACIONES", "OPERAZIONI", "OPERACJE", "OPERATIES", "OPERATIONER", "OPERACE"}},
		{Word: wordPlace, Verb: true, Takes: kinds(nameSpace), List: true, Counts: true, Units: points,
			Synonyms: []string{"PUT", "ADD", "PLACING", "PUTTING", "ADDING", "PLACEMENT"}},
		{Word: wordRemove, Verb: true, Takes: kinds(nameSpace), List: true, Counts: true, RemovesPoints: true,
			Units:    append([]string{"from", "off", "away", "out of", "aus", "von", "weg", "z", "ze", "od"}, points...),
			Synonyms: []string{"REMOVING", "TAKE AWAY", "TAKE OFF", "TAKES OFF", "TAKING OFF", "MINUS"}},
		{Word: wordCheck, Verb: true, Takes: kinds(nameSpace, nameEnd), List: true,
			Synonyms: []string{"CHECKS", "CHECKING", "SUPPORT CHECK", "SUPPORT CHECKS", "CHECK SUPPORT", "KNOCK OUT", "ROLL IN", "ROLL AGAINST", "ROLLING IN", "ROLLING AGAINST"}},
		{Word: wordTiananmen, Verb: true, Synonyms: []string{"TIANANMEN SQUARE", "TIANANMEN ATTEMPT", "TIANANMEN SQUARE TRACK", "TIANANMEN SQUARE ATTEMPT", "TIANANMEN TRACK"}},
		{Word: wordChoose, Verb: true, Takes: kinds(nameSpace, nameCountry, nameCard, nameOption, nameSide),
			Synonyms: []string{"CHOOSING", "PICK", "SELECT", "SWAP"}},
		{Word: wordTake, Verb: true, Takes: kinds(nameCard, nameEnd), List: true, Synonyms: []string{"TAKING"}},
		{Word: wordDiscard, Verb: true, Takes: kinds(nameCard, nameEnd), List: true, Synonyms: []string{"DISCARDING"}},
		{Word: wordRaise, Verb: true, Takes: kinds(nameStruggle), List: true,
			Synonyms: []string{"RAISE WITH", "RAISE STAKES WITH", "RAISE THE STAKES WITH", "RAISING WITH",
				"RAISE STAKES", "RAISE THE STAKES", "RAISING", "RAISING THE STAKES", "FOR RAISING THE STAKES"}},
		{Word: wordAttack, Verb: true, Takes: kinds(nameStruggle), List: true, Synonyms: []string{"ATTACK WITH", "ATTACKING WITH", "ATTACKS"}},
		{Word: wordDefend, Verb: true, Takes: kinds(nameStruggle, nameEnd), List: true, Synonyms: []string{"DEFEND WITH", "DEFENDING WITH", "DEFENDS", "DEFENCE", "DEFENSE", "DEF", "BLOCK WITH", "COUNTER WITH", "PARRY WITH", "ANSWER WITH", "RESPOND WITH"}},
		{Word: wordConcede, Verb: true, Exact: true},
		{Word: wordKeep, Verb: true, Synonyms: []string{"KEEP THE POWER"}},
		{Word: wordSurrender, Verb: true, Exact: true},
		{Word: wordPass, Verb: true, Synonyms: []string{"DECLINE"}, ShortAnswers: []string{"NO", "NOPE", "NO THANKS", "NO THANK YOU", "NOT THIS TIME", "NOTHING", "I DECLINE",
			"NO RAISE", "NO RAISE FROM ME", "DONT WANT TO RAISE", "DO NOT WANT TO RAISE", "NONE", "NOTHING FROM ME", "DONT RAISE", "DO NOT RAISE", "WONT RAISE", "WILL NOT RAISE", "NOT RAISE", "NOT RAISING", "DECLINES", "DECLINES TO RAISE", "DECLINE TO RAISE", "SKIP",
			"NO RAISE FROM MY SIDE", "NO RAISE ON MY SIDE", "NO STAKES FROM ME", "NO RAISING", "NO RAISING FROM ME", "KEEP MY CARDS", "KEEP ALL MY CARDS", "STAKES ARE HIGH ENOUGH", "STAKES STAY AS THEY ARE", "LEAVE THE STAKES", "LEAVE THE STAKES ALONE", "LEAVE THE STAKES AS THEY ARE", "STAKES ARE FINE", "STAKES ARE FINE FOR ME", "STAKES ARE FINE AS THEY ARE"}},
		{Word: wordBid, Verb: true, Final: true, Takes: kinds(nameSide)},
		{Word: wordGive, Number: true, Units: points, Synonyms: []string{"GIVING"}},
		{Word: wordWith, Takes: kinds(nameCard)},
		{Word: wordBoth, CountKeyword: wordPlace},
		{Word: wordEvent, Synonyms: append([]string{"EV", "EVT", "TRIGGER"}, foreignEventPhrases(nil)...)},
		{Word: wordFirst, Synonyms: append([]string{"EVENT 1ST", "EVENT BEFORE", "FIRST EVENT", "FIRST THE EVENT", "EVENT GOES FIRST", "EVENT HAPPENS FIRST", "EVENT HAPPEN FIRST", "EVENT COME FIRST",
			"EVENT COMES FIRST", "EVENT TAKE PLACE FIRST", "EVENT TAKES PLACE FIRST", "EVENT TO TAKE PLACE FIRST", "EVENT MAY TAKE PLACE FIRST",
			"EV FIRST", "HE GOES FIRST", "HE MAY GO FIRST", "LET HIM GO FIRST", "HIM FIRST", "HE FIRST", "HIS FIRST", "HIS VISIT FIRST",
			"EVENT BEFORE THAT", "EVENT BEFORE MY OPS", "EVENT BEFORE THE OPS", "EVENT BEFORE I PLACE", "EVENT BEFORE I SPEND", "EVENT BEFORE I CHECK", "EVENT BEFOREHAND",
			"EVENT UP FRONT", "EVENT UPFRONT", "EVENT TAKE PLACE BEFORE", "EVENT TAKES PLACE BEFORE", "EVENT TAKE PLACE BEFORE I SPEND THEM", "EVENT TAKE PLACE BEFORE I SPEND"}, foreignEventPhrases(func(s foreignWords) []string { return s.first })...)},
		{Word: wordAfter, Synonyms: append([]string{"EVENT AFTERWARDS", "EVENT LAST", "EVENT SECOND", "EVENT LATER", "EVENT GOES AFTER",
			"EVENT HAPPENS AFTER", "EVENT COMES AFTER", "THEN EVENT", "AFTERWARDS EVENT", "EVENT TAKES PLACE AFTER", "EVENT TAKES PLACE AFTERWARDS",
			"EVENT AFTER THAT", "EVENT AFTER THIS", "EVENT AFTER IT", "EVENT AFTER ME", "EVENT AFTER MINE", "EVENT AFTER OPS", "EVENT AFTER MY OPS", "EVENT AFTER THE OPS", "EVENT AFTER MY OPERATIONS",
			"EVENT THEREAFTER", "EVENT AT THE END", "EVENT WHEN IM DONE", "EVENT WHEN I AM DONE", "AFTER THAT EVENT", "EV AFTER", "EV LAST",
			"THEN HE GETS HIS EVENT", "AFTERWARDS HE GETS HIS EVENT", "AFTER THAT HE GETS HIS EVENT", "AFTER THOSE HE GETS HIS EVENT", "HIS POINTS COME AFTER", "HIS POINTS COME AFTER THAT"}, foreignEventPhrases(func(s foreignWords) []string { return s.after })...)},
		{Word: wordNoEvent, Synonyms: append([]string{"WITHOUT EVENT", "WITHOUT THE EVENT"}, foreignEventPhrases(func(s foreignWords) []string { return s.without })...)},
		{Word: wordStrike},
		{Word: wordBonus, Synonyms: []string{"WITH BONUS", "WITH THE BONUS"}},
		{Word: wordAs, Takes: kinds(nameSuit), Modifies: true, Synonyms: []string{"COUNTING AS", "COUNTED AS", "USED AS", "LEADS A", "LEADING A"}},
		{Word: wordIn, Takes: kinds(nameSpace), Modifies: true},
	}
	for i := range out {
		if out[i].Synonyms = append(out[i].Synonyms, foreign[out[i].Word]...); out[i].Word == wordPass {
			out[i].ShortAnswers = append(out[i].ShortAnswers, foreignShort...)
		}
	}
	return out
}

// Names implements rules.Language: spaces, cards, power struggle cards,
// countries, suits, options, boxes, and the words that end a list.
func (Words) Names() []rules.Name {
	var out []rules.Name
	for s := engine.Space(1); s < engine.Spaces; s++ {
		out = append(out, rules.Name{Kind: nameSpace, Code: int(s), Text: s.String(), Aliases: spaceAliases(s)})
	}
	for c := engine.Card(1); c < engine.Cards; c++ {
		out = append(out, rules.Name{Kind: nameCard, Code: int(c), Text: c.String(), Number: int(c), Aliases: cardAliases(c)})
	}
	for k := range engine.StruggleCard(engine.StruggleKinds) {
		n := rules.Name{Kind: nameStruggle, Code: int(k), Text: k.String()}
		if k == engine.Rally {
			n.Aliases = []string{"Rally-1", "Rally in the Square"}
		}
		n.Aliases = append(n.Aliases, leaders[n.Text]...)
		suit, number, _ := strings.Cut(n.Text, "-")
		for _, word := range foreignSuits[suit] {
			n.Aliases = append(n.Aliases, strings.TrimSuffix(word+"-"+number, "-"))
		}
		out = append(out, n)
	}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		n := rules.Name{Kind: nameCountry, Code: int(c), Text: c.String()}
		if c == engine.EastGermany {
			n.Aliases = []string{"GDR", "DDR"}
		}
		n.Aliases = append(n.Aliases, foreignCountries[n.Text]...)
		out = append(out, n)
	}
	for s := engine.RallySuit; s < engine.Suits; s++ {
		out = append(out, rules.Name{Kind: nameSuit, Code: int(s), Text: s.String()})
	}
	for o := engine.OptionKeepPower; o <= engine.OptionDeclare; o++ {
		out = append(out, rules.Name{Kind: nameOption, Code: o, Text: optionNames[o], NoAbbreviation: true})
	}
	for s := engine.Democrat; s <= engine.Communist; s++ {
		out = append(out, rules.Name{Kind: nameSide, Code: int(s), Text: strings.ToUpper(s.String())})
	}
	for s := engine.SourceBox3; s <= engine.SourceBox6; s++ {
		out = append(out, rules.Name{Kind: nameBox, Code: int(s), Text: s.String(), NoAbbreviation: true})
	}
	return append(out, rules.Name{Kind: nameEnd, Code: int(engine.VerbPass), Text: wordPass, NoAbbreviation: true},
		rules.Name{Kind: nameEnd, Code: int(engine.VerbConcede), Text: wordConcede, NoAbbreviation: true})
}

var optionNames = [...]string{
	engine.OptionKeepPower: wordKeep, engine.OptionSurrenderPower: wordSurrender, engine.OptionClear: optionClear, engine.OptionDeclare: optionDeclare,
}

// spaceAliases are other names of a space: local and foreign spellings and, for spaces that exist
// in several countries, the name with and without the country.
func spaceAliases(s engine.Space) []string {
	var out []string
	info := s.Info()
	if info.Display != info.Name {
		out = append(out, info.Display)
	}
	if info.Type == engine.Church {
		out = append(out, info.Country.String()+" "+info.Display)
	}
	return append(out, exonyms[info.Name]...)
}

// cardAliases are other names of a card. Scoring cards had another title in the first edition.
func cardAliases(c engine.Card) []string {
	if country := c.Info().Scoring; country != engine.NoCountry {
		out := []string{"Power Struggle - " + country.String()}
		for _, word := range foreignCountries[country.String()] {
			out = append(out, word+"-Wertung", "Wertung "+word, word+" werten")
		}
		return out
	}
	return slices.Concat(nicknames[int(c)], foreignTitles[int(c)])
}

// foreignWords has the words of a foreign language for when an event happens.
type foreignWords struct {
	// events are words for "event"; first, after and without are words before or behind them.
	events, first, after, without []string
}

// foreignLanguages are German, Polish, Czech, Hungarian, French, Spanish, Italian, Dutch, Swedish and
// Romanian, without accents.
var foreignLanguages = []foreignWords{
	{[]string{"EREIGNIS"}, []string{"ZUERST", "VORHER", "ZUVOR"}, []string{"DANACH", "NACHHER", "HINTERHER", "DANN", "ZULETZT"}, []string{"OHNE", "KEIN"}},
	{[]string{"WYDARZENIE", "WYDARZENIA", "ZDARZENIE", "ZDARZENIA"}, []string{"NAJPIERW", "PRZED", "PRZEDTEM"}, []string{"PO", "POTEM", "NASTEPNIE", "NA KONIEC"}, []string{"BEZ"}},
	{[]string{"UDALOST", "UDALOSTI"}, []string{"NEJPRVE", "NEJPRV", "NEJDRIV", "NEJDRIVE", "NAPRED", "PREDTIM"}, []string{"PO", "POTOM", "PAK", "NAKONEC"}, []string{"BEZ"}},
	{[]string{"ESEMENY", "ESEMENYE", "ESEMENYT", "ESEMENYKENT"}, []string{"ELOBB", "ELOSZOR", "ELOTTE"}, []string{"UTANA", "AZUTAN", "KESOBB", "VEGUL"}, []string{"NELKUL"}},
	{[]string{"EVENEMENT"}, []string{"DABORD", "AVANT", "EN PREMIER"}, []string{"APRES", "ENSUITE"}, []string{"SANS"}},
	{[]string{"EVENTO"}, []string{"PRIMERO", "ANTES", "PRIMA"}, []string{"DESPUES", "LUEGO", "DOPO", "POI"}, []string{"SIN", "SENZA"}},
	{[]string{"GEBEURTENIS"}, []string{"EERST"}, []string{"DAARNA", "ACHTERAF"}, []string{"ZONDER"}},
	{[]string{"HANDELSE"}, []string{"FORST"}, []string{"SEDAN", "EFTERAT"}, []string{"UTAN"}},
	{[]string{"EVENIMENT", "EVENIMENTUL"}, []string{"INTAI", "INAINTE"}, []string{"DUPA", "APOI"}, []string{"FARA"}},
}

// foreignEventPhrases returns the phrases of all languages for one time of the event; nil is the event alone.
func foreignEventPhrases(when func(foreignWords) []string) []string {
	var out []string
	for _, s := range foreignLanguages {
		for _, e := range s.events {
			if when == nil {
				out = append(out, e)
				continue
			}
			for _, w := range when(s) {
				out = append(out, e+" "+w, w+" "+e)
			}
		}
	}
	return out
}

// exonyms are foreign, former and short names of spaces: English, German, Hungarian, Polish, Czech
// and Romanian.
var exonyms = map[string][]string{
	"Berlin": {"Berlino", "East Berlin", "Berlin East", "Ost-Berlin", "Ostberlin"}, "Leipzig": {"Lipsia", "Lipcse", "Leipsic", "Lipsk", "Lipsko"},
	"Dresden": {"Dresda", "Dresde", "Drezda", "Drezno", "Drazdany"}, "Karl-Marx-Stadt": {"Chemnitz", "KMS", "Karl Marx City"}, "Magdeburg": {"Magdeburk"},
	"East German Lutheran Church": {"Lutherans", "Lutheran"},
	"Polish Catholic Church":      {"Polish Catholics", "Polnische Katholische Kirche", "Polnische Kirche", "Polská katolická církev", "Polská církev", "Kościół polski", "Polski Kościół Katolicki", "Lengyel Katolikus Egyház", "Église catholique polonaise"},
	"Czech Catholic Church":       {"Czech Catholics", "Tschechische Katholische Kirche", "Tschechische Kirche", "Česká katolická církev", "Česká církev", "Kościół czeski", "Czeski Kościół Katolicki", "Cseh Katolikus Egyház", "Église catholique tchèque", "Bohemian Catholics", "Bohemian Catholic Church"},
	"Hungarian Catholic Church":   {"Hungarian Catholics", "Ungarische Katholische Kirche", "Ungarische Kirche", "Maďarská katolická církev", "Maďarská církev", "Kościół węgierski", "Węgierski Kościół Katolicki", "Magyar Katolikus Egyház", "Église catholique hongroise"},
	"Szczecin":                    {"Stettin", "Stetin"}, "Gdansk": {"Danzica", "Dancka", "Danzig", "Dantzig"}, "Bydgoszcz": {"Bromberg"}, "Poznan": {"Posen"},
	"Warszawa": {"Varsavia", "Warsaw", "Warschau", "Varsovie", "Varso", "Varsava", "Varsovia"}, "Bialystok": {"Belostok", "Bjelostock"},
	"Wroclaw": {"Breslavia", "Breslau", "Vratislav", "Boroszlo"}, "Lodz": {"Lodsch", "Litzmannstadt"}, "Katowice": {"Kattowitz", "Katovice"},
	"Krakow": {"Cracow", "Krakau", "Cracovie", "Krakov", "Krakko", "Cracovia"}, "Jagiellonian University": {"Krakow University", "Cracow University"},
	"Plzen": {"Pilsen", "Pilzno", "Plzni"}, "Ceske Budejovice": {"Budweis", "Bohemian Budweis", "Budejovice"}, "Praha": {"Prague", "Prag", "Praga", "Pradze", "Praze"},
	"Charles University": {"Prague University", "Karlsuniversität", "Univerzita Karlova"}, "Brno": {"Brünn", "Bruenn", "Brunn", "Brnie", "Berno"},
	"Ostrava": {"Ostrau", "Mährisch Ostrau", "Ostrawa"}, "Bratislava": {"Pressburg", "Pozsony", "Prešporok", "Bratyslawa", "Bratislawa"},
	"Presov": {"Eperies", "Eperjes", "Preschau"}, "Kosice": {"Kaschau", "Kassa", "Koszyce"},
	"Gyor": {"Raab"}, "Miskolc": {"Mischkolz", "Miskolcz", "Miszkolc", "Miskovec", "Miskolcz"}, "Debrecen": {"Debrezin", "Debreczin", "Debreczen"},
	"Szombathely": {"Steinamanger"}, "Szekesfehervar": {"Stuhlweissenburg", "Alba Regia"}, "Budapest": {"Budapeste", "Ofenpest", "Budapeszt", "Budapeszcie"},
	"Eotvos Lorand University": {"Budapest University", "ELTE"}, "Szeged": {"Szegedin", "Segedin"}, "Pecs": {"Fünfkirchen", "Fuenfkirchen"},
	"Timisoara": {"Temeswar", "Temesvar", "Temeschwar", "Temeschburg", "Temesvár"}, "Cluj-Napoca": {"Klausenburg", "Kolozsvar", "Clausenburg"},
	"Targu Mures": {"Neumarkt", "Neumarkt am Mieresch", "Marosvasarhely", "Tirgu Mures"}, "Iasi": {"Jassy", "Jaszvasar", "Yassy"},
	"Brasov": {"Kronstadt", "Brasso", "Orasul Stalin"}, "Ploiesti": {"Ploesti", "Ployest"}, "Bucuresti": {"Bukurest", "Bucharest", "Bukarest", "Bucarest", "Bukareszt"},
	"Galati": {"Galatz", "Galacz", "Galac"}, "Constanta": {"Konstanza", "Constantza", "Kustendje"}, "Craiova": {"Krajowa", "Krajova"},
	"Harghita/Covasna": {"Romanian minority", "Hungarian minority", "Szekely", "Szekler"}, "Razgrad": {"Bulgarian minority", "Turkish minority"},
	"Pleven": {"Plewen", "Plevna"}, "Ruse": {"Rousse", "Rustschuk", "Russe"}, "Erfurt": {"Erfurcie"}, "Sofia": {"Sofija", "Sofiya", "Szofia"}, "Stara Zagora": {"Eski Zagra"},
	"Burgas": {"Bourgas"}, "Varna": {"Warna"}, "Plovdiv": {"Plowdiw", "Philippopolis", "Plovdif"}, "Sliven": {"Sliwen"},
}

var nicknames = map[int][]string{
	3: {"Lech Walesa"}, 10: {"Personality Cult"}, 12: {"Apparatchik", "Aparatchiks"}, 13: {"Staatssicherheit"}, 14: {"Gorby", "Gorbi"},
	15: {"Erich Honecker", "Honni"}, 17: {"Round Table", "Round Table Talks"}, 19: {"Pope's Visit", "Visit of the Pope", "Visit by the Pope", "Holy Father"},
	20: {"D-Mark", "D-Marks", "Deutschmarks", "Deutsche Mark"}, 25: {"Perestrojka"}, 34: {"Young Democrats"}, 36: {"Dash West"}, 39: {"Ecologists", "Eco", "Öko-Glasnost", "Ekoglasnost", "Éco-Glasnost"},
	40: {"MDF", "HDF"}, 41: {"Conducator"}, 52: {"Normalisation"}, 59: {"Border Troops", "Border Guards"}, 66: {"Neues Forum"}, 69: {"Systematisation"},
	74: {"German Embassies"}, 87: {"Kohl"}, 90: {"Obcanske Forum"}, 99: {"Ligatschow"},
}

// leaders are German names of the leaders of power struggles.
var leaders = map[string][]string{
	"Church Leader": {"Kirchenführer"}, "Worker Leader": {"Arbeiterführer"}, "Student Leader": {"Studentenführer"},
	"Elite Leader": {"Elitenführer"}, "Intellectual Leader": {"Intellektuellenführer"},
}

// foreign are keywords in German, Polish, Czech, Hungarian, French, Spanish and Italian. Verbs of
// removing are never skipped as polite words, because orders that place must not contain them.
var foreign = map[string][]string{
	wordOps:    {"MUVELETEK", "MUVELET", "MUVELETRE", "MUVELETEKRE", "OPERACI", "OPERACJA", "OPERATION EN", "OPERATIONSPUNKTE"},
	wordPlace:  {"SETZE", "LEGE", "PLATZIERE", "SETZEN", "STAWIAM", "KLADE", "UMIESZCZAM", "DAVAM", "UMISTUJI", "TESZEK", "HELYEZEK", "METS", "COLOCO", "PONGO", "METTO", "GIB", "GIB MIR", "SETZ", "SETZ MIR", "LEG", "DAJ", "DAJ MI", "DAJCIE", "DEJ", "DEJ MI", "DEJTE", "DEJTE MI", "TEGYEL", "TEGYEN", "TEGYUNK", "METTEZ", "PLACEZ", "PON", "METTI"},
	wordRemove: {"ENTFERNE", "ENTFERNEN", "NEHME WEG", "USUWAM", "ZABIERAM", "ODEBIRAM", "ODEBERU", "LEVESZEK", "ELVESZEK", "ENLEVE", "JENLEVE", "RETIRE", "ENLEVEZ", "RETIREZ", "QUITO", "TOLGO", "LEVO"},
	wordCheck: {"PRUFUNG", "PRUFUNGEN", "PRUFE", "PRUFEN", "UNTERSTUTZUNGSPRUFUNG", "SPRAWDZAM", "SPRAWDZENIE", "SPRAWDZENIE POPARCIA", "KONTROLA", "KONTROLA PODPORY", "ELLENORZES", "ELLENORZOK",
		"TEST DE SOUTIEN", "TESTS DE SOUTIEN", "RZUT", "RZUCAM", "DOBOK", "WURFLE", "WURF"},
	wordAttack: {"ANGRIFF", "GREIFT AN", "ANGRIFF MIT", "ATTAQUE", "JATTAQUE", "ATAK", "ATAKUJE", "UTOK", "UTOCIM", "UTOCI", "TAMADAS", "TAMADOK", "ATAC", "ATACO", "ATAQUE", "ATTACCO"},
	wordDefend: {"VERTEIDIGE", "VERTEIDIGT", "VERTEIDIGUNG", "BRONI", "BRONIE", "OBRONA", "BRANIM", "OBRANA", "VEDEKEZEM", "VEDEKEZES", "DEFENSE", "MA APAR", "ME DEFIENDO", "MI DIFENDO"},
	wordEvent:  {"LEVENEMENT", "EVENEMENTS"},
	wordFirst:  {"EREIGNIS ALS ERSTES", "ERST EREIGNIS", "WYDARZENIE PIERWSZE", "ZDARZENIE PIERWSZE", "UDALOST PRVNI", "LEVENEMENT DABORD", "DABORD LEVENEMENT", "LEVENEMENT EN PREMIER"},
	wordAfter:  {"LEVENEMENT APRES", "ENSUITE LEVENEMENT", "LEVENEMENT ENSUITE"},
}

// foreignShort are answers in the same languages that decline.
var foreignShort = []string{"NEIN", "NEIN DANKE", "ICH PASSE", "PASSE", "NIE", "NE", "NEM", "NON", "NIE DZIEKUJE", "PASUJE", "NE DEKUJI", "PASUJI", "NEM KOSZONOM", "PASSZ", "PASSZOLOK", "NON MERCI", "JE PASSE", "NIE PODNOSZE", "NIE PODBIJAM", "NEZVYSUJI", "NEZVYSUJU", "NEM EMELEK", "JE NE RELANCE PAS", "ICH ERHOHE NICHT", "KEINE ERHOHUNG",
	"NO GRACIAS", "PASO", "NO GRAZIE", "PASSO"}

var foreignPoints = []string{"Punkt", "Punkte", "Punkten", "Unterstützung", "punkty", "punktów", "bod", "body", "bodů", "pont", "pontot", "punto", "puntos", "punti"}

var foreignCountries = map[string][]string{
	"East Germany": {"Ostdeutschland", "NRD", "NDR", "NDK", "RDA"}, "Poland": {"Polen", "Polska", "Polski", "Polsko", "Polska", "Lengyelország", "Pologne", "Polonia"},
	"Czechoslovakia": {"Tschechoslowakei", "Czechosłowacja", "Československo", "Csehszlovákia", "Tchécoslovaquie"}, "Hungary": {"Ungarn", "Węgry", "Maďarsko", "Magyarország", "Hongrie", "Ungheria", "Hungría"},
	"Romania": {"Rumänien", "Rumunia", "Rumunsko", "Roumanie"}, "Bulgaria": {"Bulgarien", "Bulharsko", "Bulgarie"},
}

var foreignSuits = map[string][]string{
	"Rally": {"Kundgebung", "Wiec", "Wiecem", "Shromazdeni", "Nagygyules", "Rassemblement"}, "March": {"Marsch", "Marsz", "Marszem", "Pochod", "Pochodem", "Menettel", "Menet", "Marche", "Marcha", "Marcia"},
	"Strike": {"Streik", "Strajk", "Strajkiem", "Stavka", "Stavkou", "Sztrajk", "Greve", "Huelga", "Sciopero"}, "Petition": {"Petycja", "Petice", "Petici", "Peticioval", "Peticio", "Peticion", "Petizione"},
}

// foreignTitles are foreign names that players use for cards: German, Polish, Czech, Hungarian and
// French.
var foreignTitles = map[int][]string{
	1:  {"Kriegsrecht", "Erbe des Kriegsrechts", "Vyjimecny stav", "Hadiallapot"},
	2:  {"Solidarnosc", "Solidarnosc zalegalizowana", "Solidarita", "Szolidaritas", "Solidarnosc legalisee"},
	5:  {"Generalstreik", "Strajk generalny", "Altalanos sztrajk"},
	8:  {"Klugheit", "Umsicht", "Rozwaga", "Opatrnost", "Ovatossag"},
	9:  {"Mauer"},
	10: {"Personenkult", "Kult jednostki", "Kult osobnosti", "Szemelyi kultusz", "Culte de la personnalite"},
	12: {"Apparatschiks", "Apparatschik", "Aparatczycy", "Aparatcici", "Apparatcsikok", "Apparatcsik"},
	14: {"Gorbatschow", "Gorbatschow bezaubert den Westen", "Gorbaczow", "Gorbacov", "Gorbacsov"},
	16: {"Nomenklatur"},
	19: {"Papstbesuch", "Papalatogatas"},
	20: {"Marki niemieckie", "Nemecke marky", "Nemet markak"},
	24: {"Nikolaikirche"},
	25: {"Pierestrojka", "Peresztrojka"},
	26: {"Schlussakte von Helsinki", "Helsinki Zaroenyilatkozat"},
	27: {"Konsum", "Konsumismus", "Konsumpcjonizm", "Konzumerismus", "Fogyasztoi tarsadalom"},
	29: {"Palach-Woche"},
	30: {"Tranengas", "Traenengas", "Konnygaz"},
	31: {"Intelligenz", "Inteligencja", "Inteligence", "Ertelmiseg"},
	32: {"Bauernparteien", "Parasztpartok"},
	40: {"Ungarisches Demokratisches Forum", "Magyar Demokrata Forum"},
	50: {"Sinatra-Doktrin", "Doktryna Sinatry", "Sinatrova doktrina", "Sinatra-doktrina"},
	56: {"Westfernsehen"},

	61: {"Montagsdemos", "Montagsdemonstrationen", "Montagsdemo", "Poniedzialkowe demonstracje"},
	71: {"Todeskuss", "Pocalunek smierci", "Polibek smrti"},
	87: {"Wiedervereinigung"},
	90: {"Burgerforum"},
	91: {"Erste Banane"},
	92: {"Verrat", "Zdrada", "Zrada", "Arulas"},
	93: {"Schocktherapie", "Terapia szokowa", "Sokova terapie", "Sokkterapia"},
	99: {"Ligaczow", "Ligacov", "Ligacsov"},
}
