// Package mailto creates links that start a letter in the reader's mail program (RFC 6068).
package mailto

import (
	"net/url"
	"strings"
)

// Link returns a link that starts a letter with lines of text, or "" without a valid address.
func Link(to, subject string, lines ...string) string {
	at := strings.LastIndexByte(to, '@')
	if at < 0 {
		return ""
	}
	var body strings.Builder
	for _, l := range lines {
		body.WriteString(escape(l) + "%0D%0A")
	}
	return "mailto:" + escape(to[:at]) + "@" + escape(to[at+1:]) + "?subject=" + escape(subject) + "&body=" + body.String()
}

// escape percent-encodes spaces too, because some mail programs do not read a plus as a space.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
