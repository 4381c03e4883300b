package naming

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FromMail derives a player's name from the display name in a letter. For example, "Ben Gurion (work)" becomes "Ben Gurion". The result is
// empty if the display name contains an "@", or if it is only the part of the address before "@", e.g. "ben.g" for ben.g@x.org.
func FromMail(name, address string) string {
	local, _, _ := strings.Cut(address, "@")
	if strings.Contains(name, "@") || name == local || strings.EqualFold(name, local) && !isWord(name) {
		return ""
	}
	name, _, _ = strings.Cut(name, "(")
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || strings.ContainsRune("'’-.", r) {
			return r
		}
		return ' '
	}, name)
	out := ""
	for _, w := range strings.Fields(strings.TrimLeft(strings.TrimRight(name, " '’-"), " '’-.")) {
		if utf8.RuneCountInString(out)+1+utf8.RuneCountInString(w) > MaxLength {
			break
		}
		out = strings.TrimSpace(out + " " + w)
	}
	return out
}

func isWord(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
}
