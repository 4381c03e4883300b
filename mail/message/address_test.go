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
		if got := strings.Join(l.To, " "); got != want || l.Unread != (want == "") {
			t.Errorf("%q: got %q, unread %v; want %q", to, got, l.Unread, want)
		}
	}
}
