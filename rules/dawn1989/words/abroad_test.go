package words

import (
	"slices"
	"testing"
)

// TestAbroad: when an event happens is understood in other languages, and no word for it in one says
// something else in another.
func TestAbroad(t *testing.T) {
	t.Parallel()
	of := map[string]string{}
	for _, k := range (Words{}).Keywords() {
		for _, a := range append(slices.Clone(k.Also), k.Short...) {
			if was, ok := of[a]; ok && was != k.Word {
				t.Errorf("%s is %s as well as %s", a, was, k.Word)
			}
			of[a] = k.Word
		}
	}
	for text, want := range map[string]string{"EREIGNIS DANACH": wordAfter, "NAJPIERW WYDARZENIE": wordFirst, "WYDARZENIE PO": wordAfter, "NAPRED UDALOST": wordFirst,
		"BEZ UDALOSTI": wordNoEvent, "ESEMENY UTANA": wordAfter, "EVENEMENT DABORD": wordFirst, "SENZA EVENTO": wordNoEvent, "GEBEURTENIS": wordEvent} {
		if of[text] != want {
			t.Errorf("%s is %q, want %s", text, of[text], want)
		}
	}
}
