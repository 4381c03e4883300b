package attack

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"samizdat/internal/report"
)

// TestForms: the same bytes may not mean two things to two readers. A record in a form that
// one reader takes and another does not, or takes for something else, is refused; one that
// any reader of JSON takes for the same is good.
func TestForms(t *testing.T) {
	t.Parallel()
	m := dawn(t, 1).steps(7).resign()
	text := string(m.text())
	held := report.Evidence{Hashes: []string{m.head()}}
	bad := func(name, changed string) {
		t.Helper()
		if changed == text {
			t.Errorf("%s: nothing was changed", name)
		}
		if v := verify([]byte(changed), held); v.good {
			t.Errorf("%s: it is approved", name)
		}
	}
	good := func(name, changed string) {
		t.Helper()
		if v := verify([]byte(changed), held); !v.good {
			t.Errorf("%s: %s", name, v.said)
		}
	}
	once := func(from, to string) string { return strings.Replace(text, from, to, 1) }
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")

	for _, n := range []string{"1.0", "1e0", "10e-1", "01", "+1", "-1", "1.5", "9007199254740993", "18446744073709551617", "4294967297", `"1"`, "null", "true", "[1]", "NaN", "1_0", "0x1"} {
		bad("entry "+n, once(`"seq":1,`, `"seq":`+n+`,`))
		bad("version "+n, once(`"version":1`, `"version":`+strings.Replace(n, "null", "nul", 1)))
	}
	bad("-0", once(`"seq":0,`, `"seq":-0,`))
	bad("0e5", once(`"seq":0,`, `"seq":0e5,`))
	bad("a size of 40.0", once(`"n":40,`, `"n":40.0,`))
	bad("a size of 4e1", once(`"n":40,`, `"n":4e1,`))

	// Members twice, and members that some readers take for others.
	for _, name := range []string{"match", "words", "secret", "commitment", "rules", "format"} {
		value := string(canonical(m.header[name]))
		bad(name+" twice", once(`"`+name+`":`+value, `"`+name+`":`+value+`,"`+name+`":`+value))
	}
	bad("orders twice", once(`"orders":`, `"orders":["PLACE Praha"],"orders":`))
	bad("a die twice", once(`"roll":`, `"roll":6,"roll":`))
	bad("a die twice, escaped", once(`"roll":`, `"\u0072oll":6,"roll":`))
	bad("an act twice", once(`"kind":`, `"kind":"abort","kind":`))
	bad("a winner twice", once(`"winners":`, `"winners":[],"winners":`))
	bad("capitals", once(`"orders":`, `"Orders":`))
	bad("capitals beside", once(`"orders":`, `"ORDERS":["PLACE Praha"],"orders":`))
	bad("capitals behind", once(`"state":`, `"STATE":"x","state":`))
	bad("a long s", once(`"seat":"communist"`, `"ſeat":"communist"`))
	bad("a long s beside", once(`"seq":1,`, `"seq":1,"ſeq":1,`))
	bad("capitals in an outcome", once(`"roll":`, `"Roll":`))
	bad("capitals in an act", once(`"kind":`, `"Kind":`))
	bad("capitals in the header", once(`"words":`, `"Words":`))
	bad("capitals beside the header's", once(`"words":`, `"WORDS":["a","b"],"words":`))
	bad("capitals beside the secret", once(`"secret":`, `"Secret":"","secret":`))
	bad("capitals behind the secret", once(`,"version":`, `,"SECRET":"","version":`))

	// What has no value is left out.
	bad("an empty silence", once(`"seq":1,`, `"seq":1,"silence":"",`))
	bad("not private", once(`"seq":1,`, `"seq":1,"private":false,`))
	bad("not hidden", once(`"roll":`, `"hidden":false,"roll":`))
	bad("an act of null", once(`"seq":1,`, `"seq":1,"act":null,`))
	bad("no chance", once(`"seq":1,`, `"seq":1,"chance":[],`))
	bad("a chance of null", once(`"seq":1,`, `"seq":1,"chance":null,`))
	bad("an epoch of 0", once(`"seq":1,`, `"seq":1,"epoch":0,`))
	bad("no seat", once(`"seat":null,`, ``))
	bad("an empty seat", once(`"seat":null,`, `"seat":"",`))

	// Texts that are written otherwise.
	bad("a lone surrogate", once(`the lamp is lit`, `the lamp is \ud800 lit`))
	bad("surrogates the wrong way round", once(`the lamp is lit`, `the lamp is \udc00\ud800 lit`))
	bad("no UTF-8", once(`the lamp is lit`, "the lamp is \xff lit"))
	bad("a surrogate in UTF-8", once(`the lamp is lit`, "the lamp is \xed\xa0\x80 lit"))
	bad("an overlong slash", once(`the lamp is lit`, "the lamp is \xc0\xaf lit"))
	bad("a control character", once(`the lamp is lit`, "the lamp\tis lit"))
	bad("a space that does not break", once(`the lamp is lit`, "the lamp\u00a0is lit"))
	bad("a space at the end", once(`the lamp is lit`, "the lamp is lit "))
	bad("letters of another script", once(`communist`, "cоmmunist"))
	bad("an order in other letters", once(`PLACE `, `Place `))
	bad("an order with a space more", once(`PLACE `, `PLACE  `))

	// The file.
	bad("a mark of byte order", "\ufeff"+text)
	bad("UTF-16", string(wide(text)))
	bad("garbage behind", text+"garbage\n")
	bad("a list behind", text+"[]\n")
	bad("null behind", text+"null\n")
	bad("an object behind", text+"{}\n")
	bad("a number behind", text+"7\n")
	bad("a 0 byte behind", text+"\x00")
	bad("garbage on a line", strings.Replace(text, "}\n", "} x\n", 1))
	bad("two values on a line", strings.Replace(text, "}\n", "} ", 1))
	bad("two entries on a line", strings.Join(lines[:2], "")+strings.TrimSuffix(lines[2], "\n")+" "+strings.Join(lines[3:], ""))
	bad("two records", text+text)
	bad("two headers", lines[0]+text)
	bad("a line cut", text[:len(text)-10])
	bad("an entry over two lines", once(`,"seq":1,`, ",\n\"seq\":1,"))
	bad("line ends of old", strings.ReplaceAll(text, "\n", "\r"))
	bad("nothing", "")
	bad("a false expectation", text+`{"expect":{"vp":99}}`+"\n")
	bad("an expectation beside an entry", once(`"seq":1,`, `"seq":1,"expect":{},`))
	bad("two in an expectation", text+`{"expect":{},"more":1}`+"\n")

	// What every reader takes for the same.
	good("as it is", text)
	good("line ends of Windows", strings.ReplaceAll(text, "\n", "\r\n"))
	good("no line end at the end", strings.TrimSuffix(text, "\n"))
	good("space", strings.ReplaceAll(strings.ReplaceAll(text, `,"seq":`, ` , "seq" : `), "{", "{\t"))
	good("letters escaped", once("PLACE ", `\u0050LACE `))
	good("a slash escaped", once(`"deal"`, `"d\u0065al"`))
	good("an unknown member of the header", once(`"match":`, `"club":"ours","match":`))
	var turned bytes.Buffer
	for _, line := range lines {
		turned.WriteString(backwards(line) + "\n")
	}
	good("members in another order", turned.String())
}

// wide is a text in UTF-16.
func wide(s string) (out []byte) {
	out = []byte{0xfe, 0xff}
	for _, r := range s {
		out = append(out, byte(r>>8), byte(r))
	}
	return out
}

// backwards is a line with its members in the other order.
func backwards(line string) string {
	o := read([]byte(line)).header
	var members []string
	for name, v := range o {
		members = append(members, fmt.Sprintf("%s:%s", quoted(name), canonical(v)))
	}
	return "{" + strings.Join(members, ",") + "}"
}
