package message

import (
	"strings"
	"unicode/utf8"
)

// tidyText gives lines that end with \n and drops what nobody typed: control
// characters, zero-width characters, no-break spaces.
func tidyText(s string) string {
	tidy := 0
	for tidy < len(s) && (s[tidy] >= ' ' && s[tidy] < 0x7f || s[tidy] == '\n' || s[tidy] == '\t') {
		tidy++
	}
	if tidy == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:tidy]...)
	s = strings.ToValidUTF8(s[tidy:], "?")
	for i, r := range s {
		switch {
		case r >= ' ' && r < 0x7f, r == '\n', r == '\t':
			b = append(b, byte(r))
			continue
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
			continue
		case r == '\r', r == '\v', r == '\f', r == '\u2028', r == '\u2029', r == '\u0085':
			r = '\n'
		default:
			r = tidyRune(r)
		}
		if r >= 0 {
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

// OneLine makes a header value, or the words of a server, safe to show and to log: one line, no controls.
func OneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return ' '
		}
		return tidyRune(r)
	}, strings.ToValidUTF8(s, "?"))
	return strings.TrimSpace(s)
}

func tidyRune(r rune) rune {
	switch {
	case r < ' ', r == 0x7f, r >= 0x80 && r < 0xa0:
		return -1
	case r == '\u00a0', r >= '\u2000' && r <= '\u200a', r == '\u202f', r == '\u205f', r == '\u3000':
		return ' '
	case r == '\u00ad', r >= '\u200b' && r <= '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u2060' && r <= '\u206f', r == '\ufeff':
		return -1
	}
	return r
}
