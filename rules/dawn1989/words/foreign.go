package words

// foreign are words for keywords as German, Polish, Czech, Hungarian, French, Spanish and
// Italian players write them. Those that remove are no words of courtesy: where points are
// placed they have to be in the way.
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

// foreignShort are answers that decline, in the same languages.
var foreignShort = []string{"NEIN", "NEIN DANKE", "ICH PASSE", "PASSE", "NIE", "NE", "NEM", "NON", "NIE DZIEKUJE", "PASUJE", "NE DEKUJI", "PASUJI", "NEM KOSZONOM", "PASSZ", "PASSZOLOK", "NON MERCI", "JE PASSE", "NIE PODNOSZE", "NIE PODBIJAM", "NEZVYSUJI", "NEZVYSUJU", "NEM EMELEK", "JE NE RELANCE PAS", "ICH ERHOHE NICHT", "KEINE ERHOHUNG",
	"NO GRACIAS", "PASO", "NO GRAZIE", "PASSO"}

// foreignPoints are words for support points.
var foreignPoints = []string{"Punkt", "Punkte", "Punkten", "Unterstützung", "punkty", "punktów", "bod", "body", "bodů", "pont", "pontot", "punto", "puntos", "punti"}

// foreignCountries are what the countries are called there.
var foreignCountries = map[string][]string{
	"East Germany": {"Ostdeutschland", "NRD", "NDR", "NDK", "RDA"}, "Poland": {"Polen", "Polska", "Polski", "Polsko", "Polska", "Lengyelország", "Pologne", "Polonia"},
	"Czechoslovakia": {"Tschechoslowakei", "Czechosłowacja", "Československo", "Csehszlovákia", "Tchécoslovaquie"}, "Hungary": {"Ungarn", "Węgry", "Maďarsko", "Magyarország", "Hongrie", "Ungheria", "Hungría"},
	"Romania": {"Rumänien", "Rumunia", "Rumunsko", "Roumanie"}, "Bulgaria": {"Bulgarien", "Bulharsko", "Bulgarie"},
}

// foreignSuits are what the suits of power struggle cards are called there.
var foreignSuits = map[string][]string{
	"Rally": {"Kundgebung", "Wiec", "Wiecem", "Shromazdeni", "Nagygyules", "Rassemblement"}, "March": {"Marsch", "Marsz", "Marszem", "Pochod", "Pochodem", "Menettel", "Menet", "Marche", "Marcha", "Marcia"},
	"Strike": {"Streik", "Strajk", "Strajkiem", "Stavka", "Stavkou", "Sztrajk", "Greve", "Huelga", "Sciopero"}, "Petition": {"Petycja", "Petice", "Petici", "Peticioval", "Peticio", "Peticion", "Petizione"},
}

// foreignTitles are what players call cards in German, Polish, Czech, Hungarian and French.
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
