package message

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/internal/test/climb"
	"samizdat/internal/test/long"
)

// TestSlowLetters: no letter, however it is made, takes more than 20 ms for each 100 kB;
// it would if the time grew with the square of the length. On a slow machine it may take
// six times what an ordinary one of the same length does.
func TestSlowLetters(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	climb.NotRaced(t)
	t.Parallel()
	n := long.N(32<<10, 64<<10) // enough to tell a square from a line
	rep := func(s string) string { return strings.Repeat(s, n/len(s)) }
	var recips, tokens strings.Builder
	for i := 0; recips.Len() < 4*n; i++ {
		fmt.Fprintf(&recips, " a%d@b.c,\n", i)
	}
	for i := 0; tokens.Len() < 4*n; i++ {
		fmt.Fprintf(&tokens, " r+m-0-%d-aaaaaaaaaaaaaaaa@x.y,\n", i)
	}
	plain := "From: a@b.c\nTo: r@x.y\n\n"
	html := "From: a@b.c\nTo: r@x.y\nContent-Type: text/html\n\n"
	cases := map[string]string{
		"100k lines":      plain + rep("PLAY 36 EVENT\n"),
		"one line":        plain + rep("a"),
		"one line spaces": plain + rep(" "),
		"gt":              plain + rep(">"),
		"gt lines":        plain + rep("> > > > > > > >\n"),
		"wrote":           plain + rep("On Monday wrote:\n"),
		"wrote2":          plain + rep("On Monday\n"),
		"on long":         plain + "On " + rep("a ") + "wrote:",
		"headers in body": plain + rep("From: x@y\n"),
		"from/sent":       plain + rep("From: x\nSent: y\n"),
		"empty lines":     plain + rep("\n"),
		"dashes":          plain + rep("-"),
		"dash lines":      plain + rep("-- \n"),
		"underscores":     plain + rep("____\n"),
		"html open":       html + rep("<div>"),
		"html lt":         html + rep("<"),
		"html nested bq":  html + rep("<blockquote>"),
		"html style":      html + rep("<p style=\"display:none\">"),
		"html attrs":      html + "<p " + rep("a=b "),
		"html table":      html + rep("<table><tr><td>"),
		"html comment":    html + rep("<!--"),
		"html ent":        html + rep("&amp"),
		"html amp":        html + rep("&"),
		"html b i nest":   html + rep("<b><i><p>"),
		"html closing":    html + rep("</p>"),
		"html formatting": html + rep("<a><b><font>"),
		"html select":     html + rep("<select><option>"),
		"html script":     html + rep("<script>"),
		"html svg":        html + rep("<svg><math>"),
		"recips":          "From: a@b.c\nTo: x@y.z,\n" + recips.String() + " r@x.y\n\nhi",
		"tokens":          "From: a@b.c\nTo: x@y.z,\n" + tokens.String() + " r@x.y\n\nhi",
		"to comments":     "From: a@b.c\nTo: " + strings.Repeat("(", 4*n) + "\n\nhi",
		"from comments":   "From: " + strings.Repeat("(a", 120<<10) + "\n\nhi",
		"from lt":         "From: " + strings.Repeat("<", 4*n) + "\n\nhi",
		"from words":      "From: " + strings.Repeat("a ", 120<<10) + "<a@b>\n\nhi",
		"from encoded":    "From: " + strings.Repeat("=?utf-8?q?a?= ", 18<<10) + "<a@b>\n\nhi",
		"from commas":     "From: " + strings.Repeat(",", 4*n) + "\n\nhi",
		"from quoted":     "From: " + strings.Repeat("\"a\" ", 60<<10) + "<a@b>\n\nhi",
		"many from":       strings.Repeat("From: a@b\n", 2000) + "\nhi",
		"subject enc":     "Subject: " + strings.Repeat("=?utf-8?b?YQ==?= ", 15<<10) + "\n\nhi",
		"subject eq":      "Subject: " + strings.Repeat("=?", 120<<10) + "\n\nhi",
		"subject tags":    "Subject: " + strings.Repeat("[samizdat ", 25<<10) + "\n\nhi",
		"refs":            "References: " + strings.Repeat("<a@b> ", 40<<10) + "\n\nhi",
		"refs lt":         "References: " + strings.Repeat("<", 4*n) + "\n\nhi",
		"fold":            "Subject: a\n" + strings.Repeat(" a\n", 80<<10) + "\n\nhi",
		"authres":         "From: a@b.c\nAuthentication-Results: x;" + strings.Repeat("dkim=pass;", 25<<10) + "\n\nhi",
		"authres comm":    "From: a@b.c\nAuthentication-Results: x" + strings.Repeat("(", 4*n) + "\n\nhi",
		"multipart deep": func() string {
			var b strings.Builder
			b.WriteString("From: a@b.c\n")
			for i := 0; i < 8000; i++ {
				fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
			}
			return b.String()
		}(),
		"multipart many": "Content-Type: multipart/mixed; boundary=b\n\n" + rep("--b\n\nx\n"),
		"multipart alt":  "Content-Type: multipart/alternative; boundary=b\n\n" + rep("--b\nContent-Type: text/html\n\n<p>x\n"),
		"multipart nob":  "Content-Type: multipart/mixed; boundary=b\n\n" + rep("--bx\n"),
		"boundary long":  "Content-Type: multipart/mixed; boundary=\"" + strings.Repeat("-", 900) + "\"\n\n" + rep("-"),
		"rfc822 deep":    rep("Content-Type: message/rfc822\n\n"),
		"ct params":      "Content-Type: text/plain" + strings.Repeat("; a*0=b", 30<<10) + "\n\nhi",
		"base64":         "Content-Transfer-Encoding: base64\n\n" + rep("YWFh\n"),
		"base64 bad":     "Content-Transfer-Encoding: base64\n\n" + rep("Y=\n"),
		"qp":             "Content-Transfer-Encoding: quoted-printable\n\n" + rep("="),
		"qp2":            "Content-Transfer-Encoding: quoted-printable\n\n" + rep("=41=\n"),
		"iso2022":        "Content-Type: text/plain; charset=iso-2022-jp\n\n" + rep("\x1b$B!!\x1b(B"),
		"flowed":         "Content-Type: text/plain; format=flowed\n\n" + rep("a \n"),
		"report":         "From: mailer-daemon@x\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\n" + rep("smtp 5"),
		"report2":        "From: mailer-daemon@x\n\n" + rep("error said smtp status code "),
		"report3":        "From: mailer-daemon@x\n\n" + rep("<a@b.c>:\n"),
		"report4":        "From: mailer-daemon@x\n\n" + rep("Received: x\n\n"),
		"report5":        "From: mailer-daemon@x\n\n" + rep("> Received: x\n"),
		"status":         "From: mailer-daemon@x\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n" + rep("a: b\n\n"),
		"mark":           plain + rep(Mark+"\n"),
		"mark quoted":    plain + rep("> "+Mark+"\n"),
		"indent":         plain + rep("    a\n"),
		"tabs":           plain + rep("\t"),
		"zwsp":           plain + rep("\u200b"),
		"combining":      plain + "a" + rep("\u0301"),
		"wrapped quote":  plain + rep("> aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nbb\n"),
		"semicolons":     plain + rep(";"),
		"copies": "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n" + strings.Repeat("> PLAY 14 EVENT\n", 8<<10) +
			"--b\nContent-Type: text/html\n\n" + strings.Repeat("PLAY 14 EVENT<br>\n", 7<<10) + "\n--b--\n",
		"copies of copies": "Content-Type: multipart/alternative; boundary=b\n\n" + strings.Repeat("--b\n\n> "+strings.Repeat("a ", 600)+"\n", 190) + "--b--\n",
	}
	for name, raw := range cases {
		notSlow(t, name, []byte(raw))
	}
}

// readAll does all that is done with a letter before its orders are read.
func readAll(raw []byte) {
	l := Read(raw)
	ReadOrders(l.Text, testReferee)
	NewestToken(FindTokens(AddSubjectTokens(l, "r@x.y"), "r@x.y", Seat))
	FindTokens(l, "r@x.y", Observer)
	l.Report("r@x.y")
	confirmsDomain(l.AuthResults, "x", "b.c")
	hasDuplicateField(raw)
	coversTokens(nil, l)
}

// notSlow reads a letter, and an ordinary one of its length.
func notSlow(t *testing.T, name string, raw []byte) {
	t.Helper()
	const line = "PLAY 36 EVENT, and then we shall see what comes of it.\n"
	length := max(len(raw), 100_000)
	duration := climb.Spent(3, func() { readAll(raw) })
	maximum := time.Duration(length) * 20 * time.Millisecond / 100_000
	if duration <= maximum {
		return
	}
	ordinary := []byte("From: a@b.c\nTo: r@x.y\n\n" + strings.Repeat(line, length/len(line)))
	if unit := climb.Spent(3, func() { readAll(ordinary) }); duration > 6*unit {
		t.Errorf("%s: %v for %d bytes, and an ordinary letter takes %v", name, duration, len(raw), unit)
	}
}
