package consent_test

import (
	"testing"

	"samizdat/adjudicator/consent"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for want, lines := range map[consent.Answer][]string{
		consent.Yes: {"YES", "yes", "Yes.", "yes please, do it", "Yes!!", "ok", "OK, thanks", "Okay", "correct", "That is correct", "ja", "Ja bitte", "oui",
			"tak", "sí", "Sí, por favor", "👍", "👍🏽", ":+1:", "y", "I agree", "agreed", "go ahead", "do it", "That's what I meant.", "right", "fine", "fine by me", "YES YES"},
		consent.No: {"NO", "no", "No, thanks.", "nope", "no, drop it", "please don't", "do not do it", "nein", "non merci", "nie", "👎", "that's wrong", "not that"},
		consent.None: {"", "yes?", "yes or no?", "yes but only if it is legal", "yes no", "thanks", "please", "that is not right", "PLAY 40 EVENT", "ok PLAY 40 EVENT",
			"yes, unless Ben objects", "no problem", "no wait", "not sure yet", "what was it", "leave it", "okay then I shall think", "si c'est possible"},
	} {
		for _, l := range lines {
			if got := consent.Read(l); got != want {
				t.Errorf("Read(%q) = %v, want %v", l, got, want)
			}
		}
	}
}
