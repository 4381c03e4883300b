package message

import (
	"strings"
	"testing"
)

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
		if l := Read([]byte(strings.ReplaceAll(raw+"\nPLAY 36 EVENT\n", "\n", "\r\n"))); l.Auto != "" {
			t.Errorf("%+v: taken for a machine: %s", tt, l.Auto)
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
		if Read([]byte(strings.ReplaceAll(raw, "\n", "\r\n"))).Auto == "" {
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
			if _, ok := l.Report("judge@club.example"); (l.Auto != "") != auto || ok && !auto {
				t.Errorf("%s attached, to %s: %q, a report: %v", kind, to, l.Auto, ok)
			}
			if OrderText(l.Text, referee) != "PLAY 36 EVENT\n" {
				t.Errorf("%s attached: orders %q", kind, l.Text)
			}
		}
	}
}
