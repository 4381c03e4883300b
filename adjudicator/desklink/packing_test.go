package desklink

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"samizdat/rules"
	"samizdat/rules/liarsdice"
)

// TestPacking: JSON comes back as it was, whichever words are known.
func TestPacking(t *testing.T) {
	t.Parallel()
	words := []string{"turn", "discard"}
	for i := range 400 {
		words = append(words, strings.Repeat("w", i))
	}
	for _, text := range []string{
		`null`, `{"turn":3,"discard":[5,9]}`, `[1,2,3,3]`, `[0,111,112,4096,-1]`, `[-5,-4]`, `[1.5,1e3,-0,12345678901234567890]`, `{}`, `[]`, `[7]`,
		`{"x":{"turn":[true,false,null,"turn"]},"":""}`, `"` + strings.Repeat("w", 399) + `"`, `"\u00e9\n\"<"`,
	} {
		packed, err := pack(words, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpack(words, packed)
		var a, b any
		if err != nil || json.Unmarshal([]byte(text), &a) != nil || json.Unmarshal(got, &b) != nil {
			t.Errorf("%s comes back as %s: %v", text, got, err)
			continue
		}
		one, _ := json.Marshal(a)
		if other, _ := json.Marshal(b); !bytes.Equal(one, other) {
			t.Errorf("%s comes back as %s", text, got)
		}
	}
}

// TestReadDamaged: a link that is cut off, changed or of another version is refused in words.
func TestReadDamaged(t *testing.T) {
	t.Parallel()
	games := rules.Games{liarsdice.Game()}
	const good = `{"round":1,"turn":0,"left":[5,5],"cups":[[1,2,3,4,6],null],"bid":{"dice":0,"face":0},"bidder":0,"asked":1}`
	url, err := Link{Setup: rules.Setup{Seats: 2, Revision: 1}, View: []byte(good)}.URL("", games[0])
	if err != nil {
		t.Fatal(err)
	}
	text := url[1:]
	if _, _, _, err := Read(games, text); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		if _, _, _, err := Read(games, text[:i]); err == nil {
			t.Fatalf("%q is read", text[:i])
		}
	}
	for _, bad := range []string{"", "x", "2" + text[1:], "1.chess.AAAA", text + "!", strings.Repeat("A", 10000), "1.liarsdice." + strings.Repeat("A", 9000)} {
		if _, _, _, err := Read(games, bad); err == nil || len(err.Error()) < 10 {
			t.Errorf("%.40q is read: %v", bad, err)
		}
	}
	for _, view := range []string{`{}`, strings.Replace(good, "[5,5]", "[5,5,5]", 1), strings.Replace(good, "null", "[1]", 1), strings.Replace(good, "[1,2,3,4,6]", "[7]", 1)} {
		url, err := Link{Setup: rules.Setup{Seats: 2, Revision: 1}, View: []byte(view)}.URL("", games[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := Read(games, url[1:]); err == nil {
			t.Errorf("the view %s is read", view)
		}
	}
}
