package dawn1989_test

import (
	"strings"
	"testing"
)

// declensions are names of places with the endings of Polish, Czech and Hungarian that follow "in",
// "to" and "from".
const declensions = `
Gdansk: Gdańska Gdańsku Gdańskiem Gdaňsku Danzigba
Szczecin: Szczecina Szczecinie
Poznan: Poznania Poznaniu Poznaně Poznańba
Warszawa: Warszawy Warszawie Warszawę Varšavy Varšavě Varšavu Varsóba Varsóban
Lodz: Łodzi Lodži Lodžba
Krakow: Krakowa Krakowie Krakova Krakově Krakkóba Krakkóban
Wroclaw: Wrocławia Wrocławiu Vratislavi
Katowice: Katowic Katowicach Katovicích
Bydgoszcz: Bydgoszczy
Praha: Prahy Praze Prahu Pragi Pradze Pragę Prágába Prágában
Bratislava: Bratislavy Bratislavě Bratislavu Bratysławy Bratysławie Pozsonyba Pozsonyban
Ostrava: Ostravy Ostravě Ostravu Ostrawy Ostrawie
Plzen: Plzně Plzni
Brno: Brna Brně Brnoba
Kosice: Košic Košicích Koszyc Koszycach Kassára Kassán
Presov: Prešova Prešově Eperjesre
Leipzig: Lipska Lipsku Lipcsébe Lipcsében
Berlin: Berlína Berlíně Berlina Berlinie Berlinben Berlinbe
Dresden: Drezna Dreźnie Drážďan Drážďanech Drezdába Drezdában
Budapest: Budapesztu Budapeszcie Budapešti Budapestre Budapesten
Miskolc: Miskolcra Miskolcon
Debrecen: Debrecenbe Debrecenben Debreczyna Debrecínu
Szeged: Szegedre Szegeden
Gyor: Győrbe Győrben
Pecs: Pécsre Pécsett
Timisoara: Temesvárra Temesváron
Cluj-Napoca: Kolozsvárra Kolozsváron
Brasov: Brassóba Brassóban
Bucuresti: Bukaresztu Bukaresztem Bukarestbe Bukurešti
Sofia: Sofii Sofię Szófiába Szófiában Sofie
Plovdiv: Plowdiwie Plovdivu
Rostock: Rostocku Rostockba
Erfurt: Erfurtu Erfurcie
`

// TestDeclensions: a place is known with the endings that those who live there give it.
func TestDeclensions(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(strings.TrimSpace(declensions)) {
		place, forms, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for form := range strings.FieldsSeq(forms) {
			if got, _ := parser.FindNames(form, "space"); len(got) != 1 || got[0].Text != place {
				t.Errorf("%s is read as %v, want %s", form, got, place)
			}
		}
	}
}
