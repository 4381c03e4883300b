package message

import (
	"strings"
	"testing"
	"time"

	"samizdat/internal/test/climb"
)

// pieces are what letters that may take long are made of.
var pieces = []string{
	"-", "--", "----", "-----", "_", "=", "*", ">", "> ", "|", "<", "(", "[", "\"", ":", ",", ";", ".", "@", "#", "&", "\\", "=?", "?=",
	" ", "  ", "\t", "\n", "\n\n", "\r\n", "\u00a0", "\u200b", "\u0301", "\u034f", "é", "日", "👍", "\xff", "\x00",
	"a", "aa", "word ", "1", "12 ", "10:00", "2026-11-21", "2026", "a@b.cc", "<a@b.cc>", "<a@b.cc>:", "https://a.b/c",
	"On ", "Am ", "Le ", "wrote", " wrote:", " schrieb:", " a écrit:", "From: ", "Sent: ", "Subject: ", "To: ", "de: ", "quoting ",
	"----- Original Message -----", "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP MESSAGE-----", "begin forwarded message:",
	"Sent from my ", "sent with ", "phone", "outlook", "get outlook for ", "external", "caution: this email ", "=== Samizdat", Mark,
	"PLAY 36 OPS ", "PLACE Lodz 3", "EVENT", "EUR: ",
	"<p>", "</p>", "<div style=\"display:none\">", "<blockquote>", "</blockquote>", "<br>", "<td>", "<table>", "<b>", "<!--", "-->", "&amp;", "&#1", "<style>", "<a href=\"",
	"=41", "=\n", "YWFh", "--b\n", "--b--\n", "Content-Type: text/html\n\n", "Content-Type: multipart/mixed; boundary=b\n\n",
	"=?utf-8?q?a?= ", "a b ", "[samizdat mabc-0-1-aaaaaaaaaaaaaaaa]", "<x@y>, ", "r+m-0-1-aaaaaaaaaaaaaaaa@x.y, ", "dkim=pass; ",
}

// heads begin letters of different kinds; what is repeated follows.
var heads = []string{
	"\n", "Content-Type: text/html\n\n", "Content-Type: text/plain; format=flowed; delsp=yes\n\n", "Content-Transfer-Encoding: base64\n\n",
	"Content-Transfer-Encoding: quoted-printable\n\n", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n",
	"Content-Type: text/plain; charset=iso-2022-jp\n\n", "Content-Type: text/plain; charset=utf-7\n\n",
	"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n", "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n",
	"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\n", "Content-Type: message/rfc822\n\n",
	"Subject: ", "From: ", "To: ", "References: ", "Authentication-Results: x; ", "Content-Type: ", "X: ",
}

// TestClimb: a letter takes at most 20 ms for each 100 kB, whatever it is made of.
func TestClimb(t *testing.T) {
	t.Parallel()
	const line = "PLAY 36 EVENT, and then we shall see what comes of it.\n"
	c := climb.Climber{Heads: heads, Pieces: pieces, Length: 100_000, Read: func(text string) { readAll([]byte(text)) },
		Ordinary: strings.Repeat(line, 100_000/len(line)), Most: 20 * time.Millisecond, Times: 6}
	for i, h := range c.Heads {
		c.Heads[i] = "From: a@b.c\nTo: r@x.y\n" + h
	}
	c.Run(t)
}
