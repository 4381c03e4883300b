package message

import (
	"strings"
	"testing"
	"time"

	"samizdat/internal/test/climb"
)

func TestCharsets(t *testing.T) {
	t.Parallel()
	const lodz = "PLACE Łódź 2, Gdańsk\n"
	tests := []struct {
		name, charset, raw, want string
		known                    bool
	}{
		{"UTF-8 called Latin-1", "iso-8859-1", lodz, lodz, true},
		{"UTF-8 called Latin-2", "ISO-8859-2", lodz, lodz, true},
		{"UTF-8 called Windows-1252", "windows-1252", lodz, lodz, true},
		{"UTF-8 called ASCII", "us-ascii", lodz, lodz, true},
		{"UTF-8 called what nobody knows", "unknown-8bit", lodz, lodz, true},
		{"quotes of Windows called Latin-1", "iso-8859-1", "\x93now\x94 \x96 K\xf6ln", "“now” – Köln", true},
		{"a name with a comment", "utf-8 (Unicode)", lodz, lodz, true},
		{"one broken byte in UTF-8", "utf-8", lodz + "\xc5", lodz + "Å", true},
		{"a blank of Latin-1 in UTF-8", "utf-8", lodz + "Lodz\xa01", lodz + "Lodz\u00a01", true},
		{"Latin-1 called UTF-8", "utf-8", "K\xf6ln 2\n", "Köln 2\n", true},
		{"Windows-1250", "windows-1250", "PLACE \xa3\xf3d\x9f 2, Gda\xf1sk\n", lodz, true},
		{"Latin-2 by the name of its code page", "cp1250", "PLACE \xa3\xf3d\x9f 2, Gda\xf1sk\n", lodz, true},
		{"DOS", "cp852", "PLACE \x9d\xa2d\xab 2, Gda\xe4sk\n", lodz, true},
		{"two Russian letters are no UTF-8", "windows-1251", "\xd1\xbb", "С»", true},
		{"UTF-16 without its mark", "utf-16", "P\x00A\x00S\x00S\x00", "PASS", true},
		{"UTF-16 without its mark, the other way", "utf-16", "\x00P\x00A\x00S\x00S", "PASS", true},
		{"UTF-16 called UTF-8", "utf-8", "\xff\xfeP\x00A\x00S\x00S\x00", "PASS", true},
		{"UTF-16 called nothing", "", "\xfe\xff\x00P\x00A\x00S\x00S", "PASS", true},
		{"Korean of old", "iso-2022-kr", "PASS\n\x1b$)C\x0e0(;g\x0f", "PASS\n\x1b$)C\x0e0(;g\x0f", false},
		{"nobody knows", "x-odd", "\xc5\x28", "Å(", false},
		{"nobody knows, but ASCII", "x-odd", "PASS", "PASS", true},
	}
	for _, tt := range tests {
		text, isKnown := decodeCharset([]byte(tt.raw), tt.charset)
		if text != tt.want || isKnown != tt.known {
			t.Errorf("%s: got %q %v, want %q %v", tt.name, text, isKnown, tt.want, tt.known)
		}
	}
}

func TestTransferEncodings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, encoding, raw, want string
		whole, known              bool
	}{
		{"plain text called base64", "base64", "PLAY 14 EVENT\nPASS\n", "PLAY 14 EVENT\nPASS\n", false, true},
		{"base64 in one line", "base64", "UExBWSAxNCBFVkVOVA==", "PLAY 14 EVENT", true, true},
		{"base64 with a blank within", "base64", "UExBWSAxNCBFVkVOVApQTEFZ IDE0IEVWRU5U", "PLAY 14 EVENT\nPLAY 14 EVENT", true, true},
		{"quoted", `"7bit"`, "PASS", "PASS", true, true},
		{"misspelt", "quoted/printable", "PLACE =C5=81=C3=B3d=C5=BA", "PLACE Łódź", true, true},
		{"eight", "8-bit", "PASS", "PASS", true, true},
		{"no uuencode", "x-uuencode", "PASS", "PASS", true, false},
		{"unknown", "x-gzip64", "PASS", "PASS", true, false},
	}
	for _, tt := range tests {
		got, whole, isKnown := decodeTransfer([]byte(tt.raw), tt.encoding)
		// A byte more may come of the filling of the last line.
		if s := string(got); s != tt.want && s != tt.want+"\x00" || whole != tt.whole || isKnown != tt.known {
			t.Errorf("%s: got %q %v %v, want %q %v %v", tt.name, got, whole, isKnown, tt.want, tt.whole, tt.known)
		}
	}
}

// TestEscapedText: a page shows text with one level of escapes removed.
func TestEscapedText(t *testing.T) {
	t.Parallel()
	if got, want := htmlText("<p>A &amp;lt; B &lt; C</p>"), "A &lt; B < C\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHiddenText: what a page hides was not written by whoever sends it on.
func TestHiddenText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		html   string
		hidden bool
	}{
		{`<div style="display:none">X</div>`, true},
		{`<div style="color: red; DISPLAY : NONE !important">X</div>`, true},
		{`<div style="dis/* */play:no/*;*/ne">X</div>`, true},
		{`<span style="visibility: hidden">X</span>`, true},
		{`<p style="mso-hide:all">X</p>`, true},
		{`<p style="font-size:0">X</p>`, true},
		{`<p style="font-size:0.0px;">X</p>`, true},
		{`<p style="opacity:0">X</p>`, true},
		{`<div style="max-height:0px;overflow:hidden">X</div>`, true},
		{`<p hidden>X</p>`, true},
		{`<div hidden="hidden"><div><b>X</b></div></div>`, true},
		{`<template>X</template>`, true},
		{`<title>X</title>`, true},
		{`<style>X</style>`, true},
		{`<script>X</script>`, true},
		{`<!-- X -->`, true},
		{`<del>X</del>`, true},
		{`<div class="gmail_signature">X</div>`, true},
		{`<p style="font-size:0.9em">X</p>`, false},
		{`<p style="opacity:0.5">X</p>`, false},
		{`<p style="line-height:0">X</p>`, false},
		{`<p style="/* display:none */">X</p>`, false},
		{`<p style="background:url(x?display:none)">X</p>`, false},
		{`<p hidden>Y<p>X</p>`, false},
		{`<div style="display:none">Y</div>X`, false},
		{`<div style="display:none"><p>Y</div>X`, false},
		{`<font color="white">X</font>`, false},
	} {
		got := htmlText("<html><body>" + tt.html + "</body></html>")
		if strings.Contains(got, "X") == tt.hidden || strings.Contains(got, "Y") {
			t.Errorf("%s gives %q", tt.html, got)
		}
	}
}

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
