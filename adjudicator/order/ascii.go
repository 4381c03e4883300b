package order

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// dashes and quotes that have an ASCII character of their own.
var punctuation = strings.NewReplacer("–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-", "“", `"`, "”", `"`, "„", `"`,
	"«", `"`, "»", `"`, "‘", "'", "’", "'", "‚", "'", "…", "...", "\u00a0", " ", "×", "x")

// ASCII writes a text without accents. A character that has no likeness in ASCII
// becomes a question mark.
func ASCII(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(punctuation.Replace(s)) {
		like, stroke := stroked[unicode.ToLower(r)]
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case stroke && unicode.IsUpper(r):
			b.WriteString(strings.ToUpper(like[:1]) + like[1:])
		case stroke:
			b.WriteString(like)
		case !unicode.Is(unicode.Mn, r):
			b.WriteByte('?')
		}
	}
	return b.String()
}
