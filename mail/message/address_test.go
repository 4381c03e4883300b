package message

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAuthor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ from, want string }{
		{"ann@example.org", "ann@example.org"},
		{"Ann <Ann@Example.ORG>", "ann@example.org"},
		{`"Example, Ann" <ann@example.org>`, "ann@example.org"},
		{"Example, Ann <ann@example.org>", "ann@example.org"},
		{"=?utf-8?q?=C5=81ucja?= <ann@example.org>", "ann@example.org"},
		{"K\xf6ln <ann@example.org>", "ann@example.org"},
		{"<ann@example.org>", "ann@example.org"},
		{"ann@example.org (Ann)", "ann@example.org"},
		{`"Ann: the best" <ann@example.org>`, "ann@example.org"},
		{"Ann (at work: never) <ann@example.org>", "ann@example.org"},
		{"Łucja <łucja@example.org>", "łucja@example.org"},
		{"ann@example.org <ann@example.org>", "ann@example.org"},
		{"Ann@Example.org <ann@example.org>", "ann@example.org"},
		{"'ann@example.org' <ann@example.org>", "ann@example.org"},
		{"Ann@Work <ann@example.org>", "ann@example.org"},
		{"Ann @ Work <ann@example.org>", "ann@example.org"},
		{"Ann: the best <ann@example.org>", "ann@example.org"},
		{"Ann; the best <ann@example.org>", "ann@example.org"},
		{"Ann <ann@example.org>;", "ann@example.org"},
		{`"Ann" ann@example.org`, "ann@example.org"},
		{`"Ann" ann@example.org bob@example.org`, ""},
		{`Ann "the best <ann@example.org>`, "ann@example.org"},
		{"Ann [the] (best @ all <ann@example.org>", "ann@example.org"},
		{"bob@example.org <ann@example.org>", ""},
		{"bob@work.org <ann@example.org>", ""},
		{"ann@example.org@work.org <ann@example.org>", ""},
		{"bob@EXAMPLE.org@x <ann@example.org>", ""},
		{"bob@work <ann@work>", ""},
		{"Friends: Ann <ann@example.org>;", ""},
		{"Friends:; Ann <ann@example.org>", ""},
		{"Ann <ann@example.org> <ann@example.org>", ""},
		{"Ann <Ann <ann@example.org>>", ""},
		{"<ann@example.org> ann@example.org", ""},
		{"ann@example.org, bob@example.org", ""},
		{"ann@example.org, ann@example.org", ""},
		{"Friends: ann@example.org;", ""},
		{"<@a.example,@b.example:ann@example.org>", ""},
		{"Ann", ""},
		{"", ""},
		{"ann@", ""},
		{`"\\"@example.org`, ""},
		{"ann@[192.0.2.1]", ""},
		{`"ann"@example.org`, "ann@example.org"},
		{"@example.org", ""},
		{"ann@example.org\u200b", ""},
		{"ann\x00@example.org", ""},
		{strings.Repeat("a", 300) + "@example.org", ""},
	} {
		if got := Read([]byte("From: " + tt.from + "\r\n\r\nx\r\n")).Author; got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.from, got, tt.want)
		}
	}
}

func FuzzAuthor(f *testing.F) {
	for _, s := range []string{
		"Ann <ann@example.org>", `"a, b" <ann@example.org>`, "Friends: ann@example.org, bob@x;", "=?utf-8?q?ann=40x?= <bob@x>", "a@b (c <d@e>)", `"a@b"@c`, "<a@b> <c@d>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, from string) {
		from = strings.NewReplacer("\n", " ", "\r", " ").Replace(from)
		l := Read([]byte("From: " + from + "\r\n\r\nx\r\n"))
		if l.Author == "" {
			return
		}
		if !addressPattern.MatchString(l.Author) || !utf8.ValidString(l.Author) || OneLine(l.Author) != l.Author {
			t.Errorf("%q gives %q", from, l.Author)
		}
		// The author stands in the field as it is, and not within words or quotes
		// that only a program puts together.
		if folded := lowerASCII(from); !strings.Contains(folded, l.Author) {
			local, domain, _ := SplitAddress(l.Author)
			if !strings.Contains(folded, domain) || !strings.Contains(strings.ReplaceAll(folded, `\`, ""), local) {
				t.Errorf("%q gives %q", from, l.Author)
			}
		}
		if two := Read([]byte("From: " + from + "\r\nFrom: bob@x\r\n\r\n")).Author; two != "" {
			t.Errorf("two senders give %q", two)
		}
	})
}

func TestWithoutAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"RCPT refused: 550 5.1.1 <ann@example.org>: no such user":        "RCPT refused: 550 5.1.1 (address): no such user",
		"ann.o'neil+x@mail.example.org, ben@b.test unknown":              "(address), (address) unknown",
		"(referee+mabc-0-7-aaaaaaaaaaaaaaaa@club.example) relay denied":  "((address)) relay denied",
		`"ann b"@example.org is full; bounce+ben=b.test@x.test`:          "(address) is full; (address)",
		"<j\u00fcrgen@ex\u00e4mple.test> 5.6.7":                          "(address) 5.6.7",
		"to=ann@example.org":                                             "(address)",
		"smtp;550-5.7.26 see https://support.example/answer?p=x a @ b @": "smtp;550-5.7.26 see https://support.example/answer?p=x a @ b @",
		"": "",
	} {
		if got := WithoutAddresses(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// TestRecipients: addresses of a To line that programs write against the rules are found all the same.
func TestRecipients(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"referee@club.test <ann@example.org>":  "ann@example.org referee@club.test",
		"Samizdat: ann@example.org;":           "ann@example.org",
		"ann@example.org;":                     "ann@example.org",
		"<mailto:ann@example.org>":             "ann@example.org",
		"ann@example.org; Bob <bob@other.org>": "ann@example.org bob@other.org",
		"ann@example.org, bob@":                "",
	} {
		l := Read([]byte("From: x@y.test\r\nTo: " + to + "\r\n\r\nx\r\n"))
		if got := strings.Join(l.To, " "); got != want || l.HasUnreadRecipients != (want == "") {
			t.Errorf("%q: got %q, unread %v; want %q", to, got, l.HasUnreadRecipients, want)
		}
	}
}

// TestLetterID: an id comes back from wherever it is read, fits into a local part, and
// is no token.
func TestLetterID(t *testing.T) {
	t.Parallel()
	const base = "abcdefghijklmnopqrst@club.example"
	key := []byte("a key")
	for name, id := range map[string]LetterID{
		"seat": NewLetterID(key, LetterName{"mabcdefg", Seat, 1, 12345}), "observer": NewLetterID(key, LetterName{"mabcdefg", Observer, 12, 12345}),
	} {
		raw, err := Draft{From: base, To: "ann@x.example", Subject: "x", MessageID: id.String() + "@club.example", Text: "x\n"}.Render()
		if err != nil {
			t.Fatal(err)
		}
		report := ReportAddress(base, id.String())
		if local, _, _ := strings.Cut(report, "@"); len(local) > maxLocalPart || !strings.HasPrefix(local, "abcdefghijklmnopqrst+b-mabcdefg-") {
			t.Errorf("%s: reports go to %s", name, report)
		}
		for where, text := range map[string]string{
			"Message-ID": string(raw), "address": "To: " + strings.ToUpper(report), "picture": "<map." + id.String() + "@club.example>",
			"newest": "<mabcdefg-" + strings.Split(id.String(), "-")[1] + "-7-abcdefghijklmnop@club.example> <" + id.String() + "@club.example>",
		} {
			got, ok := findLetterID(text, base)
			if !ok || got.Number != 12345 || !got.IsValid(key) || got.IsValid([]byte("another")) {
				t.Errorf("%s, %s: found %+v, %v", name, where, got, ok)
			}
		}
		if _, ok := findLetterID(string(raw), "judge@another.example"); ok {
			t.Errorf("%s: found for another referee", name)
		}
		if got, ok := NewestToken(FindTokens(Letter{To: []string{report, strings.Replace(report, "+b-", "+", 1)}}, base, Seat)); ok && got.IsValid(key) {
			t.Errorf("%s: an id is good as a token", name)
		}
		if got, ok := NewestToken(FindTokens(Letter{To: []string{report, strings.Replace(report, "+b-", "+", 1)}}, base, Observer)); ok && got.IsValid(key) {
			t.Errorf("%s: an id is good as an observer's token", name)
		}
	}
	// The token for answers shows as much.
	seat, observer := TokenAddress(base, NewToken(key, LetterName{"m1", Seat, 1, 7}).String()), TokenAddress(base, NewToken(key, LetterName{"m1", Observer, 3, 7}).String())
	for _, text := range []string{"Reply-To: " + seat, "<mailto:" + strings.Replace(observer, "+", "%2B", 1) + "?subject=x>", "[samizdat m1-1-7-" + NewToken(key, LetterName{"m1", Seat, 1, 7}).MAC + "] 1989"} {
		if got, ok := findLetterID(text, base); !ok || !got.IsValid(key) {
			t.Errorf("%s: found %+v, %v", text, got, ok)
		}
	}
	if got, ok := findLetterID(seat+" "+observer, base); ok {
		t.Errorf("two readers: %+v", got)
	}
	// One that anybody could guess is none.
	if id, ok := findLetterID("Message-ID: <m1-1-7@club.example>", base); ok {
		t.Errorf("got %+v", id)
	}
	// Without an id, and without room for it, reports go to the plain address.
	for _, id := range []string{"", NewLetterID(key, LetterName{strings.Repeat("m", 30), Seat, 1, 7}).String()} {
		if got := ReportAddress(base, id); got != base {
			t.Errorf("reports go to %s", got)
		}
	}
}
