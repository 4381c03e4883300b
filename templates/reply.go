package templates

import (
	"net/url"
	"strings"
)

// Reply is where an answer to a letter goes. In a page each order that is offered is a
// link which begins that answer; without an address there are no links.
type Reply struct{ To, Subject string }

// link is a link that begins an answer with an order, as RFC 6068 has it: the order
// stands on a line of its own, for its writer to change before he sends it.
func (r Reply) link(order string) string {
	at := strings.LastIndexByte(r.To, '@')
	if at < 0 || order == "" {
		return ""
	}
	return "mailto:" + escaped(r.To[:at]) + "@" + escaped(r.To[at+1:]) + "?subject=" + escaped(r.Subject) + "&body=" + escaped(order) + "%0D%0A"
}

// escaped is a text with all that has a meaning in a link percent-encoded. Some mail
// programs read a plus as a space, and others do not, so there is none.
func escaped(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
