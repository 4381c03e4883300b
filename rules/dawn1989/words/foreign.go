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
