package message

import (
	"strings"
	"testing"
)

// introductions are forms in which mail programs introduce the letter that is answered, in
// languages that no list knows, broken, and without what makes them easy to tell.
var introductionForms = []string{
	"On Sat, Nov 21, 2026 at 10:02 AM Samizdat <judge@example.net> wrote:",
	"On Sat, Nov 21, 2026 at 10:02 AM Samizdat <judge+m1-0-7-abcdefghijklmnop@example.net>\nwrote:",
	"On Sat, Nov 21, 2026 at 10:02 AM Samizdat <\njudge@example.net> wrote:",
	"On Sat, Nov 21, 2026 at 10:02 AM Samizdat\n<judge@example.net> wrote:",
	"On Nov 21, 2026 10:02 AM, \"Samizdat\" <judge@example.net> wrote:",
	"On Saturday, November 21, 2026 at 10:02:33 AM GMT+1, Samizdat\n<judge@example.net> wrote:",
	"On Nov 21, Samizdat wrote:",
	"On Sat 21 Nov, 10.02 Samizdat <judge@example.net> wrote",
	"On 21 November Samizdat\n<\nmailto:judge@example.net\n> wrote:",
	"On 21 Nov 2026 Samizdat\n<mailto:judge@example.net> wrote:",
	"2026/11/21 Samizdat <judge@example.net>",
	"2026-11-21 10:02 GMT+01:00 Samizdat <judge@example.net>:",
	"2026-11-21 10:02:00 by judge@example.net",
	"21. Nov. 2026, 10:02 von judge@example.net:",
	"21 Kas 2026 Cmt 10:02 tarihinde Samizdat <judge@example.net> \u015funu yazd\u0131:",
	"21.11.2026, 10:02, Samizdat <judge@example.net>",
	"Samizdat <judge@example.net>, 21 Kas 2026 Cmt, 10:02 tarihinde:",
	"\u0641\u064a \u0627\u0644\u0633\u0628\u062a\u060c 21 \u0646\u0648\u0641\u0645\u0628\u0631 2026 \u0641\u064a 10:02 \u200f\u0635 \u062a\u0645\u062a \u0643\u062a\u0627\u0628\u0629 \u0645\u0627 \u064a\u0644\u064a \u0628\u0648\u0627\u0633\u0637\u0629 Samizdat \u200f<judge@example.net>:\u200f",
	"\u0628\u062a\u0627\u0631\u064a\u062e 21 \u0646\u0648\u0641\u0645\u0628\u0631 2026\u060c \u0643\u062a\u0628 Samizdat\n<judge@example.net>:",
	"\u05d1\u05ea\u05d0\u05e8\u05d9\u05da \u05e9\u05d1\u05ea, 21 \u05d1\u05e0\u05d5\u05d1\u05f3 2026 \u05d1-10:02 \u05de\u05d0\u05ea Samizdat <judge@example.net>:",
	"21 noy 2026, \u0219a, 10:02 tarixind\u0259 Samizdat <judge@example.net> yazd\u0131:",
	"l\u00f8r. 21. nov. 2026 kl. 10:02 skrev Samizdat <judge@example.net>:",
	"lau. 21. n\u00f3v. 2026 kl. 10:02 skrifa\u00f0i Samizdat <judge@example.net>:",
	"Ar Sad, 21 Tach 2026 am 10:02 ysgrifennodd Samizdat <judge@example.net>:",
	"Er. 2026(e)ko aza. 21(a) 10:02 Samizdat <judge@example.net> erabiltzaileak idatzi du:",
	"\u10e8\u10d0\u10d1, 21 \u10dc\u10dd\u10d4. 2026, 10:02-\u10d6\u10d4 Samizdat <judge@example.net> \u10d3\u10d0\u10ec\u10d4\u10e0\u10d0:",
	"2026\u5e7411\u670821\u65e5(\u571f) 10:02 Samizdat <judge@example.net>:",
	"2026\ub144 11\uc6d4 21\uc77c (\ud1a0) \uc624\uc804 10:02, Samizdat <judge@example.net>\ub2d8\uc774 \uc791\uc131:",
	"V\u00e0o Th 7, 21 thg 11, 2026 v\u00e0o l\u00fac 10:02 Samizdat <judge@example.net> \u0111\u00e3 vi\u1ebft:",
	"Pada Sab, 21 Nov 2026 10:02, Samizdat <judge@example.net> menulis:",
	"\u09b6\u09a8\u09bf, 21 \u09a8\u09ad\u09c7, 2026 \u098f 10:02 AM \u099f\u09be\u09af\u09bc Samizdat <judge@example.net> \u09b2\u09bf\u0996\u09c7\u099b\u09c7\u09a8:",
	"\u5728 2026\u5e7411\u670821\u65e5\uff0c10:02\uff0cSamizdat <judge@example.net> \u5199\u9053\uff1a",
	"Samizdat <judge@example.net> \u65bc 2026\u5e7411\u670821\u65e5 \u9031\u516d \u4e0a\u534810:02\u5beb\u9053\uff1a",
	"---- Samizdat wrote ----",
	"Wiadomo\u015b\u0107 napisana przez Samizdat <judge@example.net> w dniu 21 lis 2026, o godz. 10:02:",
	"---- On Sat, 21 Nov 2026 10:02:00 +0100 Samizdat <judge@example.net> wrote ----",
	"---- Vklopljeno Sat, 21 nov 2026 10:02:00 +0100 Samizdat <judge@example.net> pisal ----",
	"-------- Original message --------\nFrom: Samizdat <judge@example.net>\nDate: 21/11/2026 10:02 (GMT+01:00)\nTo: Ann <ann@example.org>\nSubject: Your move",
	"-------- Bunscr\u00edbhneoir --------\nSamizdat <judge@example.net>, 21/11/2026 10:02",
	"________________________________\nFrom: Samizdat <judge@example.net>\nSent: Saturday, November 21, 2026 10:02:00 AM\nTo: Ann <ann@example.org>\nSubject: Your move",
	"\u00d3: Samizdat <judge@example.net>\nSeolta: Sath 21 Samhain 2026 10:02\nChuig: Ann\n\u00c1bhar: Your move",
	"From: Samizdat\nSent: Saturday, 21 November 2026 10:02\nTo: Ann; Ben\n Cc: Eva\nSubject: Your move",
	"Samizdat <judge@example.net>\nSat, 21 Nov 2026, 10:02",
	"Le sam. 21 nov. 2026 \u00e0 10:02, Samizdat <judge@example.net> a\n\u00e9crit :",
	"Quoting Samizdat <judge@example.net>:",
	"Samizdat schreef op za 21-11-2026 om 10:02 [+0100]:",
	"In article <g7@example.net>, Samizdat <judge@example.net> says...",
	"Saturday 21 November 2026, 10:02, you wrote:",
	"Il giorno 21 nov 2026, alle ore 10:02, Il Giudice ha scritto:",
}

// copies stand below an introduction: a marked quote, and a copy that has no marks.
var copies = []string{
	"> It is your move.\n> PLAY 99 EVENT\n",
	"\n> It is your move.\n> PLAY 99 EVENT\n",
	Mark + "\n\nIt is your move.\nPLAY 99 EVENT\n",
	"\n\n*" + Mark + "*\n\nIt is your move.\nPLAY 99 EVENT\n",
	"\n=== Samizdat reads nothing\nbelow this line ===\nPLAY 99 EVENT\n",
}

// TestIntroductions: what names us directly above a copy of our letter is no line of the writer's,
// and what stands above it is, also without a blank line between.
func TestIntroductions(t *testing.T) {
	t.Parallel()
	for _, form := range introductionForms {
		for _, copied := range copies {
			for _, order := range []string{"PLAY 36 EVENT\n", "Hi Samizdat,\nPLACE Lodz 2, Gdansk\nThanks, Ann\n", "36 event\n"} {
				for _, gap := range []string{"\n", ""} {
					if read := ReadOrders(order+gap+form+"\n"+copied, testReferee); read.Text != order || len(read.Doubtful) > 0 {
						t.Errorf("%q%q above\n%s\n%s\nis read as %q, doubtful %q", order, gap, form, copied, read.Text, read.Doubtful)
					}
				}
			}
		}
	}
}

// TestIntroductionInRow splits a line that holds an order and an introduction.
func TestIntroductionInRow(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"PLACE Lodz 2, Gdansk", "PLAY 36 OPS", "36 event", "SEAT 1-2", "I play 36 for the event"} {
		for _, form := range []string{
			"On Sat, 21 Nov 2026 at 10:02, Samizdat <judge@example.net> wrote:",
			"On Sat, Nov 21, 2026 at 10:02 AM Samizdat\n<judge@example.net> wrote:",
			"On Saturday, 21 November 2026 at\n10:02, Samizdat <judge@example.net> wrote:",
			"Am 21.11.2026 um 10:02 schrieb Samizdat:",
			"Am Sa., 21. Nov. 2026 um 10:02 Uhr schrieb Samizdat <judge@example.net>:",
			"Le sam. 21 nov. 2026 \u00e0 10:02, Samizdat <judge@example.net> a \u00e9crit :",
			"El s\u00e1b, 21 nov 2026 a las 10:02, Samizdat (<judge@example.net>) escribi\u00f3:",
			"Op za 21 nov 2026 om 10:02 schreef Samizdat <judge@example.net>:",
			"W dniu 21.11.2026 o 10:02, Samizdat pisze:",
			"sob., 21 lis 2026 o 10:02 Samizdat <judge@example.net> napisa\u0142(a):",
			"2026-11-21 10:02 GMT+01:00 Samizdat <judge@example.net>:",
			"Samizdat <judge@example.net> schrieb am Sa., 21. Nov. 2026, 10:02:",
		} {
			for _, copied := range copies {
				if got := OrderText(order+" "+form+"\n"+copied, testReferee); got != order+"\n" {
					t.Errorf("%s %s: %q above %q", order, form, got, copied)
				}
			}
		}
	}
}

// TestNamesAreNoIntroduction keeps lines of the writer's that hold our name, or a date.
func TestNamesAreNoIntroduction(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Samizdat, please: 36 event\n",
		"Dear Samizdat,\nPLAY 36 EVENT\n",
		"PLAY 36 EVENT\nThanks, Samizdat!\n",
		"VACATION 2026-12-20 TO 2027-01-04\n",
		"GRACE 30 minutes\n",
		"IF Gdansk MINE: EVENT 24\nIF Lodz THEIRS: EVENT 25\n",
		"My orders of 21.11.2026\nPLAY 36 EVENT\n",
		"MESSAGE\nIt is 10:30 here, and 2026.\nEND MESSAGE\n",
		"36 event - Samizdat is a fine name\n",
		"ADDRESS judge@example.net\n",
		"PLAY 36 EVENT\nADDRESS judge@example.net\n",
	} {
		for _, copied := range copies[1:4] {
			if got := OrderText(text+"\n"+copied, testReferee); got != text {
				t.Errorf("%q above %q became %q", text, copied, got)
			}
		}
		if got := OrderText(text, testReferee); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestAddressOfUs finds our address with and without a token, and nobody else's.
func TestAddressOfUs(t *testing.T) {
	t.Parallel()
	us := Referee{Addresses: []string{"Judge+m1-0-7-abcdefghijklmnop@Example.net"}, Names: []string{" The  Referee "}}.normalized()
	for line, want := range map[string]bool{
		"<judge@example.net":                     true,
		"mailto:JUDGE@example.net":               true,
		"x judge+m2-1-9-aaaa@example.net wrote:": true,
		"judge@example.network":                  false,
		"ajudge@example.net":                     false,
		"judge@example.net.":                     true,
		"On Monday the referee wrote":            true,
		"the refereeing":                         false,
		"":                                       false,
	} {
		if got := us.isNamedIn(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	if strings.Contains(strings.Join(us.Addresses, ""), "+") {
		t.Errorf("addresses %q", us.Addresses)
	}
}
