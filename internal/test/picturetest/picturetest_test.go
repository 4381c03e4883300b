package picturetest

import "testing"

// TestMissing: the fonts have the letters of Europe, and say what they lack.
func TestMissing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"ńłźÓŁŇčĕéőáâşţŢŞ": "", "a漢": "漢"} {
		if m, err := Missing(text); err != nil || string(m) != want {
			t.Errorf("missing in %s: %q, %v", text, m, err)
		}
	}
}
