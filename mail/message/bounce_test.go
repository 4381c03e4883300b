package message

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

func TestFailure(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		action, status, reason string
		want                   FailureKind
	}{
		{"failed", "5.1.1", "", HardFailure},
		{"failed", "5.1.10", "null MX", HardFailure},
		{"failed", "5.2.1", "mailbox disabled", HardFailure},
		{"failed", "5.4.4", "", HardFailure},
		{"failed", "5.1.8", "bad sender address", OwnFailure},
		{"failed", "5.4.5", "daily limit", OwnFailure},
		{"failed", "5.2.0", "STOREDRV.Submission.Exception:OutboundSpamException", OwnFailure},
		{"failed", "5.2.2", "mailbox full", SoftFailure},
		{"failed", "5.3.4", "too big", SoftFailure},
		{"failed", "5.7.1", "policy", SoftFailure},
		{"failed", "4.4.7", "given up", SoftFailure},
		{"failed", "5.0.0", "550 user unknown", HardFailure},
		{"failed", "5.0.0", "554 rejected", SoftFailure},
		{"failed", "5.2.1", "550 5.2.1 This account has been disabled", HardFailure},
		{"failed", "5.0.0", "554 delivery error: dd This account has been disabled or discontinued [#102].", HardFailure},
		{"failed", "", "No such user here", HardFailure},
		{"failed", "", "", SoftFailure},
		{"delayed", "4.4.1", "", SoftFailure},
		{"delayed", "5.1.1", "", SoftFailure},
		{"delivered", "2.0.0", "", NoFailure},
		{"relayed", "5.1.1", "", NoFailure},
		{"", "2.1.5", "", NoFailure},
		{"", "5.1.1", "", HardFailure},
	} {
		if got := (Bounce{Action: tt.action, Status: tt.status, Reason: tt.reason}).Failure(); got != tt.want {
			t.Errorf("%s %s %s: got %q, want %q", tt.action, tt.status, tt.reason, got, tt.want)
		}
	}
}

func readLetter(t testing.TB, name string) Letter {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", "letters", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return Read([]byte(strings.ReplaceAll(string(a.Files[0].Data), "\n", "\r\n")))
}

// TestReports: each kind of report finds the letter that it is about, be it by its
// token, by its Message-ID in the letter or beside it, or by the address for reports.
func TestReports(t *testing.T) {
	t.Parallel()
	want := LetterID{LetterName: LetterName{Match: "m1", Number: 7}, MACs: []string{"abcdefghijklmnop"}}
	for name, failure := range map[string]FailureKind{
		"bounce-postfix": HardFailure, "bounce-gmail": HardFailure, "bounce-exim": HardFailure, "bounce-qmail": HardFailure,
		"bounce-delayed": SoftFailure, "bounce-full": SoftFailure, "bounce-exchange": SoftFailure, "bounce-old": SoftFailure,
		"bounce-headers-only": HardFailure, "bounce-no-original": HardFailure, "bounce-exchange-html": HardFailure, "bounce-qmail-short": HardFailure,
		"bounce-exim-warning": SoftFailure, "bounce-exim-headers": HardFailure, "bounce-yahoo": HardFailure, "bounce-gmail-delay": SoftFailure,
		"bounce-exchange-old": HardFailure, "bounce-sendmail": HardFailure, "bounce-limit": OwnFailure, "bounce-envelope": HardFailure,
	} {
		r, ok := readLetter(t, name).Report("judge@demo.example")
		if !ok || r.Failure != failure || r.MessageID != "" && !strings.HasPrefix(r.MessageID, "m1-0-7") || r.Recipient != "ann@example.org" {
			t.Errorf("%s: got %+v %v", name, r, ok)
		}
		if name == "bounce-sendmail" && r.Letter != nil && len(r.Letter.MACs) == 2 {
			r.Letter.MACs = r.Letter.MACs[:1] // It has the Message-ID as well.
		}
		if r.Letter == nil || !cmp.Equal(*r.Letter, want) {
			t.Errorf("%s: the letter is %v", name, r.Letter)
		}
		if r, _ := readLetter(t, name).Report("judge@another.example"); r.Letter != nil {
			t.Errorf("%s: another referee's letter is %v", name, r.Letter)
		}
	}
	for _, name := range []string{"bounce-success", "read-receipt", "vacation", "vacation-outlook", "postmaster-writes", "plain", "attached-letter", "gmail-en"} {
		if r, ok := readLetter(t, name).Report("judge@demo.example"); ok {
			t.Errorf("%s: got %+v", name, r)
		}
	}
	// The subject carries the token where addresses cannot.
	l := readLetter(t, "bounce-postfix")
	l.Returned.ReportText = "Subject: [samizdat m1-0-7-abcdefghijklmnop] 1989"
	if r, ok := l.Report("judge@demo.example"); !ok || r.Letter == nil || !cmp.Equal(*r.Letter, want) {
		t.Errorf("by the subject: got %+v", r)
	}
	// The worst of several counts.
	l.Bounces = append([]Bounce{{Recipient: "a@x", Action: "delayed"}, {Recipient: "b@x", Action: "delivered"}}, l.Bounces...)
	if r, _ := l.Report("judge@demo.example"); r.Failure != HardFailure || r.Recipient != "ann@example.org" {
		t.Errorf("of several: got %+v", r)
	}
}

// TestNoReports: what a person's program answers by itself, and what a person at a
// postmaster's address writes, is no report, whatever numbers and words stand in it.
func TestNoReports(t *testing.T) {
	t.Parallel()
	const base, answers = "judge@club.example", "In-Reply-To: <m1-0-7-abcdefghijklmnop@club.example>\r\n"
	texts := []string{"Ich bin vom 4.12.26 bis 5.1.27 nicht da.", "Urlaub bis 5.1.27", "Version 4.2.1 of my mail program",
		"I have left. My account does not exist after May.", "Your letter got a 5.1.1 once; user unknown, it said."}
	for name, head := range map[string]string{
		"notice":               "Return-Path: <>\r\nFrom: joe@joe.example\r\nAuto-Submitted: auto-replied\r\n" + answers,
		"notice, no id":        "Return-Path: <>\r\nFrom: joe@joe.example\r\nAuto-Submitted: auto-replied\r\n",
		"notice, no words":     "Return-Path: <>\r\nFrom: joe@joe.example\r\n" + answers,
		"notice of postmaster": "Return-Path: <>\r\nFrom: postmaster@joe.example\r\nAuto-Submitted: auto-replied (vacation)\r\n" + answers,
		"postmaster writes":    "Return-Path: <postmaster@joe.example>\r\nFrom: postmaster@joe.example\r\n" + answers,
	} {
		for _, text := range texts {
			l := Read([]byte(head + "To: " + base + "\r\nSubject: Re: your move\r\n\r\n" + text + "\r\n"))
			if r, ok := l.Report(base); ok || len(l.Bounces) > 0 || l.Returned.MessageID != "" {
				t.Errorf("%s: %q is booked as %+v", name, text, r)
			}
		}
	}
	// Postfix calls its reports answers, too.
	raw := "Return-Path: <>\r\nFrom: MAILER-DAEMON@joe.example\r\nTo: " + base + "\r\nAuto-Submitted: auto-replied\r\n" + answers +
		"MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nsorry\r\n--b\r\n" +
		"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; a@x\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
	if r, ok := Read([]byte(raw)).Report(base); !ok || r.Failure != HardFailure || r.Letter == nil {
		t.Errorf("a report: got %+v, %v", r, ok)
	}
}

func FuzzReport(f *testing.F) {
	files, _ := filepath.Glob("testdata/letters/bounce*.txtar")
	for _, path := range files {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(strings.ReplaceAll(string(a.Files[0].Data), "\n", "\r\n")))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := Read(raw)
		r, ok := l.Report("judge@demo.example")
		if ok != (r.Failure != NoFailure) {
			t.Errorf("a report of no failure: %+v", r)
		}
		if ok && l.AutoReason == "" {
			t.Error("a report, and no machine wrote it")
		}
		if strings.ContainsAny(r.Reason+r.Status+r.Recipient, "\r\n\x00") {
			t.Errorf("not fit for a log: %+v", r)
		}
		if len(l.Bounces) > 100 || len([]rune(r.Reason)) > 310 {
			t.Errorf("%d recipients, a reason of %d bytes", len(l.Bounces), len(r.Reason))
		}
	})
}
