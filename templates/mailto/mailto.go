// Package mailto writes links that begin a letter in the reader's mail program (RFC 6068).
package mailto

import (
	"net/url"
	"strings"
)

// Link returns a link that begins a letter with lines, each on its own, for its writer to change before he sends
// it. It is empty where the address is none.
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

// escape returns a text with all that has a meaning in a link percent-encoded. Some mail programs read a plus as a
// space, and others do not, so there is none.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
