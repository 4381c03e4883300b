package record_test

import (
	"encoding/json"
	"testing"

	"samizdat/adjudicator/record"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want string }{
		{"order and space", ` { "b" : 1 , "a" : [ true , null , -3 ] } `, `{"a":[true,null,-3],"b":1}`},
		{"empty", `{"a":{},"b":[]}`, `{"a":{},"b":[]}`},
		{"no escapes but the needed", `"\u003c\u0026\u00e9\u20ac\/\u2028é"`, "\"<&é€/\u2028é\""},
		{"needed escapes", `"\u0000\u0008\t\n\u000c\r\u001f\"\\\u007f"`, `"\u0000\b\t\n\f\r\u001f\"\\` + "\x7f\""},
		// RFC 8785, 3.2.3: the names are sorted by UTF-16 code units.
		{"sorting of RFC 8785", `{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
			"{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}"},
		{"largest", `[9007199254740991,-9007199254740991]`, `[9007199254740991,-9007199254740991]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := record.CanonicalJSON([]byte(test.in))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestNotCanonical(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in string }{
		{"fraction", `1.5`}, {"whole fraction", `1.0`}, {"exponent", `1e3`}, {"minus nought", `-0`},
		{"too large", `9007199254740992`}, {"too small", `-9007199254740992`}, {"member twice", `{"a":1,"a":1}`},
		{"two values", `1 2`}, {"nothing", ``}, {"broken off", `{"a":`}, {"not UTF-8", "\"\xff\""}, {"bare words", `{a:1}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got, err := record.CanonicalJSON([]byte(test.in)); err == nil {
				t.Errorf("got %s, want an error", got)
			}
		})
	}
}

// Canonical form is a fixed point and keeps the value.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"b":1,"a":[{"é":"\u0001"}]}`, `"\ud800"`, `[[[]]]`, `-0`, `{"a":{"a":1},"a":2}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, err := record.CanonicalJSON([]byte(s))
		if err != nil {
			return
		}
		twice, err := record.CanonicalJSON(once)
		if err != nil || string(twice) != string(once) {
			t.Fatalf("%s becomes %s (%v)", once, twice, err)
		}
		var a, b any
		if json.Unmarshal([]byte(s), &a) != nil || json.Unmarshal(once, &b) != nil {
			t.Fatalf("%q or %q is not JSON", s, once)
		}
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if string(x) != string(y) {
			t.Fatalf("%s became %s", x, y)
		}
	})
}
