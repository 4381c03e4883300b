package record_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"samizdat/adjudicator/match/record"
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
		{"names that others begin with", `{"ab":1,"a!":2,"a":3,"a b":4,"":5}`, `{"":5,"a":3,"a b":4,"a!":2,"ab":1}`},
		{"deep", strings.Repeat("[", 300) + strings.Repeat("] ", 300), strings.Repeat("[", 300) + strings.Repeat("]", 300)},
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
		{"too large", `9007199254740992`}, {"too small", `-9007199254740992`}, {"member twice", `{"a":1,"b":1,"a":1}`},
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

// byLibrary is what RFC 8785 makes of JSON text whose numbers are integers.
func byLibrary(data string) (string, bool) {
	v := jsontext.Value(data)
	err := v.Canonicalize()
	return string(v), err == nil
}

// integers reports whether all numbers of JSON text are written as integers.
func integers(data string) bool {
	for d := jsontext.NewDecoder(strings.NewReader(data)); ; {
		t, err := d.ReadToken()
		if err != nil {
			return true
		}
		if n := t.String(); t.Kind() == '0' && (strings.ContainsAny(n, ".eE") || n == "-0") {
			return false
		}
	}
}

// jsonText draws JSON text with all that may stand in it, or nearly JSON.
func jsonText() *rapid.Generator[string] {
	space := rapid.SampledFrom([]string{"", "", "", " ", "\n", "\t \r"})
	piece := rapid.SampledFrom([]string{"a", "b", "A", " ", "!", "#", "é", "€", "\U0001f600", "\ufb33", "<", `\"`, `\\`, `\/`, `\n`, `\b`, `\u0001`, `\u00e9`,
		`\ud83d\ude00`, "\x7f", `\ud800`, "\xff", "\n", `\x`, "zig"})
	text := rapid.Custom(func(t *rapid.T) string {
		return `"` + strings.Join(rapid.SliceOfN(piece, 0, 4).Draw(t, "text"), "") + `"`
	})
	name := rapid.OneOf(rapid.SampledFrom([]string{`"a"`, `"ab"`, `"a b"`, `"a!"`, `"b"`, `""`, `"B"`}), text)
	plain := rapid.OneOf(text, rapid.SampledFrom([]string{"0", "-0", "1", "-7", "01", "-", "999999999999999", "9007199254740991", "9007199254740992", "1.0", "1e3",
		"true", "false", "null", "nul", "truer", ""}))
	var value func(depth int) *rapid.Generator[string]
	value = func(depth int) *rapid.Generator[string] {
		if depth == 0 {
			return plain
		}
		list := func(open, closing string, item func(*rapid.T) string) *rapid.Generator[string] {
			return rapid.Custom(func(t *rapid.T) string {
				items := make([]string, rapid.IntRange(0, 5).Draw(t, "items"))
				for i := range items {
					items[i] = space.Draw(t, "space") + item(t) + space.Draw(t, "space")
				}
				return open + strings.Join(items, ",") + rapid.SampledFrom([]string{"", "", "", "", "", "", " ", ","}).Draw(t, "end") + closing
			})
		}
		inner := value(depth - 1)
		return rapid.OneOf(plain, list("[", "]", func(t *rapid.T) string { return inner.Draw(t, "item") }),
			list("{", "}", func(t *rapid.T) string {
				return name.Draw(t, "name") + ":" + space.Draw(t, "space") + inner.Draw(t, "value")
			}))
	}
	return value(4)
}

func TestCanonicalAsRFC8785(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := jsonText().Draw(t, "JSON")
		want, ok := byLibrary(text)
		got, err := record.CanonicalJSON([]byte(text))
		switch {
		case !ok && err == nil:
			t.Fatalf("%q is no JSON and becomes %s", text, got)
		case ok && integers(text) && !strings.Contains(text, "9007199254740992") && err != nil:
			t.Fatalf("%q is refused: %v", text, err)
		case err == nil && string(got) != want:
			t.Fatalf("%q\nbecomes %s\nand not %s", text, got, want)
		}
	})
}

// The lines of a whole match, and what is sealed and hashed of it.
func TestCanonicalRecord(t *testing.T) {
	t.Parallel()
	for line := range bytes.Lines(whole(t)) {
		want, ok := byLibrary(string(line))
		if got, err := record.CanonicalJSON(line); err != nil || !ok || string(got) != want {
			t.Fatalf("%s\nbecomes %s (%v)\nand not %s", line, got, err, want)
		}
	}
}

// sample is a value for a field of a record.
func sample(t *rapid.T, typ reflect.Type) any {
	switch reflect.Zero(typ).Interface().(type) {
	case int:
		return rapid.IntRange(-3, 1<<40).Draw(t, "int")
	case *int:
		return new(rapid.IntRange(0, 9).Draw(t, "int"))
	case bool:
		return true
	case string, record.SeatName:
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 4), func(b []byte) string { return string(b) })).Draw(t, "string")
		return reflect.ValueOf(s).Convert(typ).Interface()
	case []string:
		return rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "strings")
	case time.Time:
		return time.Unix(rapid.Int64Range(-1, 4e9).Draw(t, "time"), 0).UTC()
	case *record.Act:
		return &record.Act{Kind: record.Resign}
	case *record.Tally:
		return &record.Tally{Group: 3, Outcome: json.RawMessage(`{"yes": 2, "no": 1}`)}
	case []record.Answer:
		return []record.Answer{filled[record.Answer](t), filled[record.Answer](t)}
	case []record.Outcome:
		return []record.Outcome{filled[record.Outcome](t), filled[record.Outcome](t)}
	}
	if typ.Kind() == reflect.Interface {
		return rapid.SampledFrom([]any{7, "a label", nil}).Draw(t, "any")
	}
	t.Fatalf("a field of the type %v, of which the test knows no value", typ)
	return nil
}

// filled has some of its fields.
func filled[T any](t *rapid.T) (out T) {
	v := reflect.ValueOf(&out).Elem()
	for i := range v.NumField() {
		if rapid.Bool().Draw(t, "has") {
			if x := sample(t, v.Field(i).Type()); x != nil {
				v.Field(i).Set(reflect.ValueOf(x))
			}
		}
	}
	return out
}

// Entries are written in canonical form as they would be by way of encoding/json, whatever
// fields they have.
func TestCanonicalEntries(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := filled[record.Entry](t)
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		want, err := record.CanonicalJSON(data)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := record.Canonical(&e); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s (%v)\nand not %s", got, err, want)
		}
	})
}

// Lists are written without a detour, and as they would be with one.
func TestCanonicalLists(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := []any{rapid.String().Draw(t, "string"), rapid.Int().Draw(t, "int"), []string{rapid.StringMatching(`[<>&a-z"\\\x00-\x1f]*`).Draw(t, "string")}, []any{}, []any(nil), nil, true,
			string(rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "bytes"))}
		data, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		want, err1 := record.CanonicalJSON(data)
		got, err2 := record.Canonical(list)
		if (err1 == nil) != (err2 == nil) || err1 == nil && !bytes.Equal(got, want) {
			t.Fatalf("%s (%v)\nand not %s (%v)", got, err2, want, err1)
		}
	})
}

// Canonical form is a fixed point, keeps the value, and is what RFC 8785 says.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"b":1,"a":[{"é":"\u0001"}]}`, `"\ud800"`, `[[[]]]`, `-0`, `{"a":{"a":1},"a":2}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, err := record.CanonicalJSON([]byte(s))
		if err != nil {
			return
		}
		if want, _ := byLibrary(s); string(once) != want {
			t.Fatalf("%q becomes %s and not %s", s, once, want)
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
