package consent_test

import (
	"testing"

	"samizdat/adjudicator/consent"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for want, lines := range map[consent.Answer][]string{
		consent.Yes: {"YES", "yes", "Yes.", "yes please, do it", "Yes!!", "ok", "OK, thanks", "Okay", "correct", "That is correct", "ja", "Ja bitte", "oui",
			"tak", "sí", "Sí, por favor", "👍", "👍🏽", ":+1:", "y", "I agree", "agreed", "go ahead", "do it", "That's what I meant.", "right", "fine", "fine by me", "YES YES",
			"okay then", "sure thing", "Yes please, that one", "Jo", "oui s'il te plaît", "Tak, poproszę", "tak jest", "✔", "yes, carry it out", "+1", "Ok, bitte ausführen", "go for it",
			"Please go ahead and do it", "affirmative", "Absolutely", "of course", "definitely", "Ano, prosím", "Igen, köszönöm", "Sorry, yes.", "k", "aye",
			"sounds good", "Perfect", "Yes, I'm sure", "jasne", "passt", "claro", "d'accord", "ok thx", "Ja, mach das", "oui, c'est ça", "Tak, o to chodziło"},
		consent.No: {"NO", "no", "No, thanks.", "nope", "no, drop it", "please don't", "do not do it", "nein", "non merci", "nie", "👎", "that's wrong", "not that",
			"nah", "no way", "cancel that", "leave it", "drop it", "forget it", "never mind", "No, I didn't mean that", "Nem, köszönöm", "no, sorry", "Sorry, no",
			"No, not that one", "Nein, das war nicht gemeint", "Ne, děkuji"},
		consent.None: {"", "yes?", "yes or no?", "yes but only if it is legal", "yes no", "thanks", "please", "that is not right", "PLAY 40 EVENT", "ok PLAY 40 EVENT",
			"yes, unless Ben objects", "no problem", "no wait", "not sure yet", "what was it", "correct me if that is not it", "correct me", "okay then I shall think", "si c'est possible",
			"yes, 36", "no, Lodz", "of course, if it is legal", "go", "not yet?", "cheers", "no hurry", "cancel 36", "yes, another one"},
	} {
		for _, l := range lines {
			if got := consent.Read(l); got != want {
				t.Errorf("Read(%q) = %v, want %v", l, got, want)
			}
		}
	}
}
