package message

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"samizdat/internal/test/goldentest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestLetters reads letters as mail programs write them. Each file holds a
// letter, what Read makes of it, and the orders in it.
func TestLetters(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/letters/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no letters: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			eml := a.Files[0]
			raw := strings.ReplaceAll(string(eml.Data), "\n", "\r\n")
			l := Read([]byte(raw))
			text := l.Text
			read := ReadOrders(text, testReferee)
			orders, doubtful := read.Text, read.Doubtful
			l.Text = ""
			fields := told(t, l)
			if len(doubtful) > 0 {
				fields += "Doubtful: " + strings.Join(doubtful, "\n Doubtful: ") + "\n"
			}
			got := txtar.Format(&txtar.Archive{Comment: a.Comment, Files: []txtar.File{
				eml, {Name: "fields", Data: []byte(fields)}, {Name: "text", Data: []byte(text)}, {Name: "orders", Data: []byte(orders)},
			}})
			goldentest.Compare(t, strings.TrimPrefix(path, "testdata/"), string(got))
		})
	}
}

// told lists the fields of a letter that say something, in JSON, one a line.
func told(t *testing.T, l Letter) string {
	t.Helper()
	var b strings.Builder
	v := reflect.ValueOf(l)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() || name == "Text" || name == "AuthorName" {
			continue
		}
		j, err := json.Marshal(v.Field(i).Interface())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s: %s\n", v.Type().Field(i).Name, j)
	}
	return b.String()
}

// Bytes that are no UTF-8 cannot stand in a text file.
func TestParseEightBit(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, raw, text, subject string }{
		{"undeclared latin-1", "Subject: K\xf6ln\r\n\r\nPLACE K\xf6ln 2\r\n", "PLACE Köln 2\n", "Köln"},
		{"wrongly declared utf-8", "Content-Type: text/plain; charset=utf-8\r\n\r\nPLACE K\xf6ln 2\r\n", "PLACE Köln 2\n", ""},
		{"windows-1250", "Content-Type: text/plain; charset=windows-1250\r\n\r\nPLACE \xa3\xf3d\x9f 2\r\n", "PLACE Łódź 2\n", ""},
		{"no-break and zero-width", "\r\nPLACE\u00a0Lodz\u200b 2\x00\r\n", "PLACE Lodz 2\n", ""},
		{"lone carriage returns", "Subject: x\r\n\r\nPLACE Lodz 2\rEVENT 24\r", "PLACE Lodz 2\nEVENT 24\n", "x"},
		{"empty", "", "", ""},
	}
	for _, tt := range tests {
		l := Read([]byte(tt.raw))
		if l.Text != tt.text || l.Subject != tt.subject {
			t.Errorf("%s: got %q %q, want %q %q", tt.name, l.Text, l.Subject, tt.text, tt.subject)
		}
	}
}

// TestAuthorName: the name beside the only address of the only From field.
func TestAuthorName(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"ann@x.org": "", "Ann <ann@x.org>": "Ann", `"Example, Ann" <ann@x.org>`: "Example, Ann", "=?utf-8?q?=C5=81ukasz?= <l@x.org>": "Łukasz",
		"ann@x.org (Ann)": "Ann", "Ann <ann@x.org>, Ben <ben@x.org>": "", "Friends: Ann <ann@x.org>;": "", "Ann\r\n Example <ann@x.org>": "Ann Example",
		"=?utf-8?q?Ann=0D=0ABcc:_x?= <ann@x.org>": "", // Nobody is called so.
	} {
		if l := Read([]byte("From: " + from + "\r\n\r\nPASS\r\n")); l.AuthorName != want {
			t.Errorf("%s: %q, want %q", from, l.AuthorName, want)
		}
	}
}

func TestParseDeepAndWide(t *testing.T) {
	t.Parallel()
	var deep strings.Builder
	for i := range 5000 {
		deep.WriteString("Content-Type: multipart/mixed; boundary=b" + strings.Repeat("x", i%7) + "\r\n\r\n--b" + strings.Repeat("x", i%7) + "\r\n")
	}
	deep.WriteString("Content-Type: text/plain\r\n\r\nPLACE Lodz 2\r\n")
	if l := Read([]byte(deep.String())); len(l.Problems) == 0 {
		t.Error("nesting without end was read without a word")
	}
	wide := "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\n\r\nEVENT 1\r\n", 5000) + "--b--\r\n"
	if l := Read([]byte(wide)); len(l.Problems) == 0 {
		t.Error("parts without end were read without a word")
	}
	html := "Content-Type: text/html\r\n\r\n" + strings.Repeat("<div><blockquote>", 5000) + "x" + strings.Repeat("</blockquote></div>", 5000) + "PLACE Lodz 2"
	if l := Read([]byte(html)); !strings.HasSuffix(OrderText(l.Text, testReferee), "PLACE Lodz 2\n") {
		t.Errorf("deep HTML: got %.80q", OrderText(l.Text, testReferee))
	}
}

func TestMachineMail(t *testing.T) {
	t.Parallel()
	tests := []struct{ header, want string }{
		{"Auto-Submitted: no", ""},
		{"Auto-Submitted: auto-replied; owner=x", "Auto-Submitted: auto-replied"},
		{"Precedence: Bulk", "Precedence: bulk"},
		{"Precedence: first-class", ""},
		{"Return-Path: <>", "Return-Path: <>"},
		{"Return-Path: <ann@x>", ""},
		{"X-Autoreply: yes", "X-Autoreply"},
		{"List-Id: club <club.x>", "List-Id"},
		{"From: MAILER-DAEMON@x", "From: mailer-daemon"},
		{"From: no-reply@x", "From: no-reply"},
		{"From: club-bounces@x", "From: club-bounces"},
		{"From: owner-club@x", "From: owner-club"},
		{"From: noreply.anderson@x", ""},
		{"Auto-Submitted: no (a person)", ""},
		{"Precedence: auto_reply", "Precedence: auto_reply"},
		{"X-Auto-Response-Suppress: All", "X-Auto-Response-Suppress: all"},
		{"X-Auto-Response-Suppress: DR, RN, NRN", ""},
		{"Return-Path: < >", "Return-Path: <>"},
		{"Return-Path: <MAILER-DAEMON>", "Return-Path: <mailer-daemon>"},
		{"List-Unsubscribe: <mailto:x@y>", "List-Unsubscribe"},
		{"X-Failed-Recipients: a@b", "X-Failed-Recipients"},
		{"Subject: Automatic reply: your move", "Subject of an automatic reply"},
		{"Subject: =?utf-8?q?R=C3=A9ponse_automatique_=3A_x?=", "Subject of an automatic reply"},
		{"Subject: Odpowiedź automatyczna: x", "Subject of an automatic reply"},
		{"Subject: Out of office", "Subject of an automatic reply"},
		{"Subject: Re: automatic reply: x", ""},
		{"Subject: Automatic weapons", ""},
		{"Content-Type: message/disposition-notification", "a read receipt"},
		{"Content-Type: multipart/report; boundary=b", "multipart/report"},
	}
	for _, tt := range tests {
		if got := Read([]byte(tt.header + "\r\n\r\n--b\r\n\r\nhi\r\n--b--\r\n")).AutoReason; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.header, got, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/letters/*.txtar")
	for _, path := range files {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(strings.ReplaceAll(string(a.Files[0].Data), "\n", "\r\n")))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := Read(raw)
		if strings.ContainsAny(l.Text, "\r\x00") || strings.ToValidUTF8(l.Text, "") != l.Text {
			t.Errorf("text is not clean: %q", l.Text)
		}
		if strings.ContainsAny(l.Subject+l.Date, "\r\n") {
			t.Errorf("header values hold line breaks: %q %q", l.Subject, l.Date)
		}
		if d := cmp.Diff(Read(raw), l); d != "" {
			t.Errorf("read twice: %s", d)
		}
	})
}

func FuzzOrderText(f *testing.F) {
	files, _ := filepath.Glob("testdata/letters/*.txtar")
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := OrderText(text, testReferee)
		for line := range strings.SplitSeq(got, "\n") {
			if isQuoted(line) {
				t.Errorf("a quoted line is an order: %q", line)
			}
			if strings.Contains(foldSpaceAndCase(line), markTexts[0]) {
				t.Errorf("the mark is an order: %q", line)
			}
		}
		if len(got) > 2*len(text)+1 {
			t.Errorf("the orders are longer than the letter")
		}
	})
}

// TestReadPage: the page beside a text is read, and nothing where there is none.
func TestReadPage(t *testing.T) {
	t.Parallel()
	const both = "Content-Type: multipart/mixed; boundary=m\n\n--m\nContent-Type: multipart/alternative; boundary=a\n\n" +
		"--a\nContent-Type: text/plain\n\nVP 3\n--a\nContent-Type: text/html\n\n<p>VP <b>4</b></p>\n--a--\n--m--\n"
	for raw, want := range map[string]string{both: "VP 4", "Subject: x\n\nVP 3\n": "", "Content-Type: text/html\n\n<p>VP 4</p>": ""} {
		l, page := ReadSent([]byte(raw))
		if strings.TrimSpace(page) != want || strings.TrimSpace(l.Text) == "" {
			t.Errorf("%q: the page is %q, want %q; the text is %q", raw, page, want, l.Text)
		}
	}
	if l, _ := ReadSent([]byte(both)); strings.TrimSpace(l.Text) != "VP 3" {
		t.Errorf("the text is %q", l.Text)
	}
}

// TestPeopleAreNoMachines: what services, lists and programs add to the letters of
// people, and what people write themselves, silences no letter that bears a token.
func TestPeopleAreNoMachines(t *testing.T) {
	t.Parallel()
	const token = "judge+m1-0-7-abcdefghijklmnop@club.example"
	tests := []struct{ from, to, subject, fields string }{
		{fields: "Feedback-ID: i56a14606:Fastmail"},
		{fields: "Feedback-ID: 27367763:user:proton"},
		{fields: "Feedback-ID: i56a14606:Fastmail", to: "judge@club.example"},
		{fields: "List-Unsubscribe: <mailto:unsubscribe@mail.example.org>"},
		{fields: "List-Id: <family.example.org>\nPrecedence: list"},
		{fields: "Precedence: bulk"},
		{fields: "Disposition-Notification-To: ann@example.org"},
		{fields: "X-Auto-Response-Suppress: All"},
		{fields: "Return-Path: <>"},
		{from: "postmaster@joe.example"},
		{from: "owner-joe@joe.example"},
		{from: "dog-owner@joe.example"},
		{from: "info-request@joe.example"},
		{from: "noreply@joe.example"},
		{subject: "Out of the office on Monday, my move now"},
		{subject: "Out of office"},
		{to: "judge+m1-o2-7-abcdefghijklmnop@club.example", fields: "List-Id: <family.example.org>"},
		{to: "judge@club.example", subject: "Re: [samizdat m1-0-7-abcdefghijklmnop] your move", fields: "Precedence: bulk"},
		{to: "club@list.example\nCc: " + token, fields: "List-Id: <family.example.org>"},
	}
	for _, tt := range tests {
		from, to, subject := "ann@example.org", token, "Re: [samizdat m1]"
		if tt.from != "" {
			from = tt.from
		}
		if tt.to != "" {
			to = tt.to
		}
		if tt.subject != "" {
			subject = tt.subject
		}
		raw := "From: " + from + "\nTo: " + to + "\nSubject: " + subject + "\n"
		if tt.fields != "" {
			raw += tt.fields + "\n"
		}
		if l := Read([]byte(strings.ReplaceAll(raw+"\nPLAY 36 EVENT\n", "\n", "\r\n"))); l.AutoReason != "" {
			t.Errorf("%+v: taken for a machine: %s", tt, l.AutoReason)
		}
	}
}

// TestMachinesWithToken: a robot that answers to the address with the token is known
// by what only robots write.
func TestMachinesWithToken(t *testing.T) {
	t.Parallel()
	for _, fields := range []string{
		"Auto-Submitted: auto-replied",
		"Precedence: auto_reply",
		"X-Autoreply: yes",
		"X-Autorespond: away",
		"X-Auto-Reply: yes",
		"X-Vacation: yes",
		"X-Failed-Recipients: a@b",
		"Return-Path: <>\nX-Auto-Response-Suppress: All",
		"Return-Path: <>\nList-Id: <a.b>",
		"Return-Path: <>\nFrom: postmaster@x",
		"Return-Path: <>\nSubject: Out of office",
		"X-Auto-Response-Suppress: All\nSubject: Out of office: your move",
		"From: MAILER-DAEMON@x",
		"Subject: Automatic reply: your move",
		"Subject: Out of Office AutoReply: your move",
		"Subject: Réponse automatique : x",
		"Content-Type: multipart/report; boundary=b",
		"Content-Type: message/disposition-notification",
	} {
		raw := "To: judge+m1-0-7-abcdefghijklmnop@club.example\n" + fields + "\n\n--b\n\nPLAY 36 EVENT\n--b--\n"
		if Read([]byte(strings.ReplaceAll(raw, "\n", "\r\n"))).AutoReason == "" {
			t.Errorf("%s: taken for a person", fields)
		}
	}
}

// TestAttachedReport: who shows us a receipt or a report that he got is a person.
func TestAttachedReport(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"message/disposition-notification", "message/delivery-status"} {
		for to, auto := range map[string]bool{"judge+m1-0-7-abcdefghijklmnop@club.example": false, "judge@club.example": true} {
			raw := "From: joe@x.org\nTo: " + to + "\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nPLAY 36 EVENT\n" +
				"--b\nContent-Type: " + kind + "\n\nReporting-MTA: dns; x\n\nFinal-Recipient: rfc822; joe@x.org\nAction: failed\nStatus: 5.1.1\n--b--\n"
			l := Read([]byte(strings.ReplaceAll(raw, "\n", "\r\n")))
			if _, ok := l.Report("judge@club.example"); (l.AutoReason != "") != auto || ok && !auto {
				t.Errorf("%s attached, to %s: %q, a report: %v", kind, to, l.AutoReason, ok)
			}
			if OrderText(l.Text, testReferee) != "PLAY 36 EVENT\n" {
				t.Errorf("%s attached: orders %q", kind, l.Text)
			}
		}
	}
}
