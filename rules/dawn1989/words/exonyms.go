package words

// exonyms are the names that others give a space: what it is called in English, German,
// Hungarian, Polish, Czech and Romanian, what it was called before, and what people say for
// short.
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

// nicknames are what players call cards.
var nicknames = map[int][]string{
	3: {"Lech Walesa"}, 10: {"Personality Cult"}, 12: {"Apparatchik", "Aparatchiks"}, 13: {"Staatssicherheit"}, 14: {"Gorby", "Gorbi"},
	15: {"Erich Honecker", "Honni"}, 17: {"Round Table", "Round Table Talks"}, 19: {"Pope's Visit", "Visit of the Pope", "Visit by the Pope", "Holy Father"},
	20: {"D-Mark", "D-Marks", "Deutschmarks", "Deutsche Mark"}, 25: {"Perestrojka"}, 34: {"Young Democrats"}, 36: {"Dash West"}, 39: {"Ecologists", "Eco", "Öko-Glasnost", "Ekoglasnost", "Éco-Glasnost"},
	40: {"MDF", "HDF"}, 41: {"Conducator"}, 52: {"Normalisation"}, 59: {"Border Troops", "Border Guards"}, 66: {"Neues Forum"}, 69: {"Systematisation"},
	74: {"German Embassies"}, 87: {"Kohl"}, 90: {"Obcanske Forum"}, 99: {"Ligatschow"},
}

// leaders are what the leaders of power struggles are called in German.
var leaders = map[string][]string{
	"Church Leader": {"Kirchenführer"}, "Worker Leader": {"Arbeiterführer"}, "Student Leader": {"Studentenführer"},
	"Elite Leader": {"Elitenführer"}, "Intellectual Leader": {"Intellektuellenführer"},
}
