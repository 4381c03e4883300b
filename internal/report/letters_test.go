package report

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
)

// sent is a letter of the referee of match m1 to a seat, with a foot as given.
func sent(seat, number int, at time.Time, footer string) string {
	return arrived(at, seat, number, at, footer)
}

// arrived is such a letter with the time at which the reader's own server took it in.
func arrived(in time.Time, seat, number int, at time.Time, footer string) string {
	return fmt.Sprintf("Received: from mx.club.test by mail.home.test with ESMTP; %s\nReceived: from club.test by mx.club.test; Sun, 4 Jun 1989 09:00:00 +0000\nFrom: Samizdat <referee@club.test>\nReply-To: referee+m1-%d-%d-aaaaaaaaaaaaaaaa@club.test\n"+
		"Message-ID: <m1-%d-%d-abcdefghijklmnop@club.test>\nSubject: Letter %d\nDate: %s\n\nGood day.\n\n%s\n", in.Format(time.RFC1123Z), seat, number, seat, number, number, at.Format(time.RFC1123Z), footer)
}

// footOf is the foot of a letter, of one from before the epoch stood there if that is negative.
func footOf(number, epoch int, head string) string {
	text := ""
	if epoch >= 0 {
		text = fmt.Sprintf(", epoch %d", epoch)
	}
	return fmt.Sprintf("Match m1, letter %d to you%s. The hash of its history so far:\n%s", number, text, head)
}

// invites is what an invitation says of the secret.
func invites(commitment string) string {
	return "The dice are fixed by a secret that this number commits us to:\n\n    " + commitment + "\n"
}

// sealsOf is the section with the seals of two seats.
func sealsOf(one string) string {
	return "THE SEALS\n---------\nThe democrat:\n    " + one + "\nThe communist:\n    " + one + "\nEach is the SHA-256 of the words that a player\nmixes into the dice.\n\n"
}

// mbox is a mailbox with mails.
func mbox(t *testing.T, mails ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mbox")
	text := ""
	for _, m := range mails {
		text += "From somebody Sun Jun  4 09:00:00 1989\n" + m + "\n"
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLetters: each letter in a mailbox must show a hash of the record, in its order and
// with its epoch; what does not is named.
func TestLetters(t *testing.T) {
	t.Parallel()
	day := func(d int) time.Time { return time.Date(1989, 6, d, 9, 0, 0, 0, time.UTC) }
	order := record.Entry{At: day(4).Add(time.Second), Seat: "communist", Orders: []string{"PLACE Gyor, Debrecen"}}
	back := record.Entry{At: day(5), Seat: "communist", FirstTakenBack: 1, Epoch: 1}
	restore := record.Entry{At: day(9), Epoch: 2, Act: &record.Act{Kind: record.Restore, By: record.ByOperator, Until: day(5)}}
	again := order
	again.Epoch = 2
	again.At = day(10)
	rec := chained(t, record.Entry{At: day(4)}, order, back, restore, again)
	var hash []string
	for _, e := range rec.Entries() {
		hash = append(hash, e.Hash)
	}
	unknown := strings.Repeat("ab", 32)
	letter := func(number, epoch int, head string) string {
		return sent(0, number, day(min(number, 9)), footOf(number, epoch, head))
	}
	page := base64.StdEncoding.EncodeToString([]byte("<html><body><p>Good day.</p><p>HELP explains orders.<br>\nMatch m1, letter 3 to you, epoch 1. The hash of its history so\n far:<br>\n<span>" +
		hash[2] + "</span></p></body></html>"))
	onlyPage := strings.Replace(strings.TrimSuffix(letter(3, 1, ""), "\n"), "\n\n", "\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n", 1)
	onlyPage = onlyPage[:strings.Index(onlyPage, "\n\n")] + "\n\n" + page + "\n"
	quotedPrintable := strings.Replace(letter(2, -1, hash[1][:40]+"=\n"+hash[1][40:]), "\n\n", "\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n", 1)
	invited := letter(1, 0, rec.Header.Commitment)
	answer := "From: ann@players.test\nTo: referee+m1-0-2-aaaaaaaaaaaaaaaa@club.test\nMessage-ID: <9@players.test>\nSubject: Re: Letter 2\n\nPLACE Gyor\n\n> " + footOf(2, 0, unknown) + "\n"
	for name, tt := range map[string]struct {
		mails []string
		says  []string
		fails string
	}{
		"good": {[]string{invited, answer, quotedPrintable, quotedPrintable, onlyPage, letter(4, 2, hash[4])}, []string{
			"Letters: 4 of match m1, from referee@club.test. Other mails, and copies: 2.\n", "They agree with this history", "The newest shows entry 4; the last entry of the record is 4."}, ""},
		"another seat's are in another order": {[]string{letter(5, 2, hash[4]), sent(1, 6, day(4), footOf(6, 0, hash[1]))}, []string{
			"Missing letters to communist: 1-5.\n  Missing letters to democrat: 1-4.\n  A confirmation is not sent if"}, ""},
		"a foot in a message":   {[]string{sent(0, 1, day(1), "| hello\n"+footOf(1, 0, unknown)+"\n\n"+footOf(1, 0, hash[1]))}, []string{"They agree"}, ""},
		"by the answer address": {[]string{strings.Replace(letter(1, 0, unknown), "<m1-0-1-abcdefghijklmnop@club.test>", "<1@mailer.test>", 1)}, nil, "1 of 1 do not belong"},
		"cut off": {[]string{invited, letter(2, 0, hash[1]), letter(3, 1, unknown)}, []string{
			`letter 3 to democrat of 1989-06-03 09:00 UTC, "Letter 3": no entry has its hash ` + unknown + ": the record ends before it, or belongs to another history.\n"}, "1 of 3 do not belong"},
		"two histories": {[]string{invited, letter(2, 0, unknown), letter(3, 1, hash[2])}, []string{
			`letter 2 to democrat of 1989-06-02 09:00 UTC, "Letter 2": no entry has its hash ` + unknown + ", but later letters belong to this history: the referee showed two histories.\n"}, "1 of 3 do not belong"},
		"out of order": {[]string{letter(2, 1, hash[2]), letter(3, 0, hash[1])}, []string{"it shows entry 1, but an earlier letter shows entry 2.\n"}, "1 of 2 do not"},
		"wrong epoch":  {[]string{letter(1, 1, hash[1])}, []string{"it says epoch 1, but entry 1 is of epoch 0.\n"}, "1 of 1 do not"},
		"restored":     {[]string{letter(7, 1, unknown), letter(100_008, 2, hash[3])}, []string{"its history was discarded when a backup was restored (entry 3).\n", "They agree", "Missing letters to democrat: 1-6.\n"}, ""},
		"restored, and nobody was told": {[]string{letter(1, 0, hash[0]), letter(7, 1, unknown)}, []string{
			"no entry has its hash " + unknown + ": a restore (entry 3) may have discarded it, but the reader got no later letter of epoch 2.\n"}, "1 of 2 do not belong"},
		"restored, and told another": {[]string{letter(7, 1, unknown), sent(1, 1, day(9).Add(time.Hour), footOf(1, 2, hash[3]))}, []string{"the reader got no later letter of epoch 2.\n"}, "1 of 2 do not belong"},
		"restored, with the secret": {[]string{sent(0, 7, day(7), rec.Header.Secret+"\n"+footOf(7, 1, unknown)), letter(100_008, 2, hash[3])}, []string{
			"but it publishes the secret, so the restore of entry 3 does not explain it.\n"}, "1 of 2 do not belong"},
		"arrived after the restore": {[]string{arrived(day(10), 0, 7, day(7), footOf(7, 1, unknown)), letter(100_008, 2, hash[3])}, []string{
			"Arrived more than five minutes before or after their Date: 1. The greatest difference: letter 7 to democrat of 1989-06-07 09:00 UTC, \"Letter 7\", arrived 1989-06-10 09:00 UTC.\n", "the referee showed two histories"}, "1 of 2 do not belong"},
		"the secret before the end": {[]string{sent(0, 2, day(2), rec.Header.Secret+"\n"+footOf(2, 0, hash[1]))}, []string{
			"it publishes the secret and shows entry 1, but the record continues with entry 2, which any reader of the secret could have forged.\n"}, "1 of 1 do not belong"},
		"the secret at the end": {[]string{sent(0, 2, day(10), rec.Header.Secret+"\n"+footOf(2, 2, hash[4]))}, []string{"They agree", "Missing letters"}, ""},
		"written after an entry": {[]string{sent(0, 6, day(6), footOf(6, 0, hash[1]))}, []string{
			"it shows entry 1, and was written after entry 2, of 1989-06-05 09:00:00 UTC.\n"}, "1 of 1 do not belong"},
		"nothing behind it": {[]string{letter(4, 0, hash[1])}, []string{"Entries after the newest one that a letter shows: 3.\n"}, ""},
		"after the restore": {[]string{letter(7, 2, unknown), letter(100_008, 2, hash[3])}, []string{"the referee showed two histories"}, "1 of 2 do not"},
		"without a hash":    {[]string{invited, sent(0, 2, day(2), "Match m1, letter 2 to you.")}, []string{"Without a hash: 1.\n", "They agree"}, ""},
		"invited":           {[]string{sent(0, 1, day(1), invites(rec.Header.Commitment)), letter(2, 0, hash[1])}, []string{"They agree"}, ""},
		"invited to another": {[]string{sent(0, 1, day(1), invites(unknown)), letter(2, 0, hash[1])}, []string{
			`"Letter 1": it shows the commitment ` + unknown + ", but the record has another commitment.\n"}, "1 of 2 do not belong"},
		"seals of others": {[]string{sent(0, 2, day(2), sealsOf(unknown)+footOf(2, 0, rec.Header.Commitment)), letter(3, 0, hash[1])}, []string{
			"the seals that it shows are not those of the record.\n"}, "1 of 2 do not belong"},
		"seals anew": {[]string{sent(0, 2, day(2), sealsOf(unknown)+footOf(2, 0, rec.Header.Commitment)), sent(0, 3, day(3), sealsOf(hash[0])+footOf(3, 0, rec.Header.Commitment))}, []string{
			"letter 3 to democrat", "the seals that it shows are not those of the record.\n"}, "1 of 2 do not belong"},
		"seals without a foot": {[]string{sent(0, 2, day(2), sealsOf(unknown)), letter(3, 0, hash[1])}, []string{
			"the seals that it shows are not those of the record.\n"}, "1 of 2 do not belong"},
		"seals in a message":   {[]string{sent(0, 3, day(3), sealsOf(unknown)+footOf(3, 0, hash[1]))}, []string{"They agree"}, ""},
		"another's foot":       {[]string{sent(0, 2, day(2), footOf(3, 0, hash[1]))}, []string{"the hash at its end is that of letter 3 of match m1.\n"}, "1 of 1 do not belong"},
		"another match's foot": {[]string{sent(0, 2, day(2), strings.Replace(footOf(2, 0, hash[1]), "m1", "m2", 1))}, []string{"that of letter 2 of match m2.\n"}, "1 of 1 do not belong"},
		"none":                 {[]string{answer}, nil, "found no letter of match m1 in 1 mails"},
	} {
		letters, err := ReadLetters([]string{mbox(t, tt.mails...)})
		if err != nil {
			t.Fatal(err)
		}
		for form, r := range map[string]*record.Record{"full": rec, "public": rec.Public()} {
			var out strings.Builder
			isGood, err := Verify(&out, games, r, Evidence{Letters: letters}, true)
			if isGood != (tt.fails == "") || isGood != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("%s, %s: %t, %v,\n%s", name, form, isGood, err, &out)
			}
			for _, s := range tt.says {
				if !strings.Contains(out.String(), s) {
					t.Errorf("%s, %s: it does not say %q:\n%s", name, form, s, &out)
				}
			}
		}
	}
}

// TestLettersSeals: a second list of seals, in which another player's is another one, is told
// of, and so is that no letter shows the seals or names the round before it could be known.
func TestLettersSeals(t *testing.T) {
	t.Parallel()
	seals := func(one, two string) string { return record.SealWords(one) + " " + record.SealWords(two) }
	const opened = "letter 1 to democrat of 2023-08-23 08:00 UTC, \"Letter 1\": it shows other seals than letter 2. If that reader revealed the words between these two letters, other players could choose theirs accordingly.\n"
	const replaced = "it shows other seals than letter 2. That happens only if a player was replaced before the match began.\n"
	const unshown = "No letter shows the seals of the record before the match began"
	const unnamed = "No letter names round 1000 before it was published"
	at := time.Date(2023, 8, 23, 8, 0, 0, 0, time.UTC) // A while before round 1000.
	names := "The match has not begun: it waits for the public beacon. Its round 1000 is\npublished on 22 August 2023, 16:05:24 UTC, and the match begins then.\n\n"
	for name, tt := range map[string]struct {
		beacon bool
		at     time.Time
		texts  []string
		says   string
	}{
		"good":            {false, at, []string{seals("solid", "ark"), seals("solid", "ark")}, ""},
		"after mine":      {false, at, []string{seals("solid", "tried"), seals("solid", "ark")}, opened},
		"mine is another": {false, at, []string{seals("mine", "ark"), seals("solid", "ark")}, replaced},
		"no seals":        {false, at, nil, unshown},
		"round":           {true, at, []string{names + seals("solid", "ark")}, ""},
		"no round":        {true, at, []string{seals("solid", "ark")}, unnamed},
		"late round":      {true, at.AddDate(0, 0, 1), []string{names + seals("solid", "ark")}, unnamed},
		"dated back":      {true, at, []string{names + seals("solid", "ark")}, unnamed},
	} {
		rec := chainedBy(t, func(h *record.Header) {
			h.Seals = strings.Fields(seals("solid", "ark"))
			if tt.beacon {
				h.Beacon = &record.Beacon{Chain: "quicknet", Round: 1000, Signature: quicknet1000}
			}
		}, record.Entry{At: at.AddDate(0, 0, 2)})
		mails := []string{sent(0, 9, at.AddDate(0, 0, 2), footOf(9, 0, rec.Entries()[0].Hash))}
		for i, text := range tt.texts {
			cut := len(text) - 2*64 - 1
			section := strings.Replace(sealsOf(text[cut:cut+64]), text[cut:cut+64]+"\nEach", text[cut+65:]+"\nEach", 1)
			in := tt.at
			if name == "dated back" {
				in = in.AddDate(0, 0, 1)
			}
			mails = append(mails, strings.Replace(arrived(in, 0, i+1, tt.at, section+footOf(i+1, 0, rec.Header.Commitment)), "Good day.\n", text[:cut]+"\n", 1))
		}
		letters, err := ReadLetters([]string{mbox(t, mails...)})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if _, err := Verify(&out, games, rec, Evidence{Letters: letters}, true); err != nil {
			t.Errorf("%s: %v,\n%s", name, err, &out)
		}
		for _, text := range []string{opened, replaced, unshown, unnamed} {
			if strings.Contains(out.String(), text) != (text == tt.says) {
				t.Errorf("%s: %q is told, or not:\n%s", name, text, &out)
			}
		}
	}
}

// TestLettersWords: the words of each seat are those that its player's letter confirmed; they
// cannot be exchanged between seats.
func TestLettersWords(t *testing.T) {
	t.Parallel()
	at := time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC)
	rec := chainedBy(t, func(h *record.Header) { h.Words = []string{"the words of the one", "those of the other"} }, record.Entry{})
	joins := func(words string) string {
		return "YOUR ORDERS\n-----------\n- JOIN: done\n  You have joined as St. Ann. Your\n  words for the dice: " + words + "\n- \"See you!\": ignored\n  The match has not begun."
	}
	begun := sent(0, 9, at, footOf(9, 0, rec.Entries()[0].Hash))
	for name, tt := range map[string]struct {
		texts []string
		begun string
		fails bool
	}{
		"good":          {[]string{joins("the words\n  of the one")}, begun, false},
		"exchanged":     {[]string{joins("those of\n  the other")}, begun, true},
		"replaced":      {[]string{joins("those of the other")}, "", false},
		"joined anew":   {[]string{joins("older words"), joins("the words of the one")}, begun, false},
		"other's words": {[]string{"| " + strings.ReplaceAll(joins("those of the other"), "\n", "\n| ")}, begun, false},
	} {
		var mails []string
		for i, text := range tt.texts {
			mails = append(mails, strings.Replace(sent(0, i+1, at, footOf(i+1, 0, rec.Header.Commitment)), "Good day.", text, 1))
		}
		letters, err := ReadLetters([]string{mbox(t, append(mails, tt.begun)...)})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if _, err := Verify(&out, games, rec, Evidence{Letters: letters}, true); (err != nil) != tt.fails || tt.fails != strings.Contains(out.String(), "the letter confirms other words than the record has for the seat.") {
			t.Errorf("%s: %v,\n%s", name, err, &out)
		}
	}
}

// TestVerifyFiles: of many records each gets a line, in their order.
func TestVerifyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ended := record.Entry{Seat: "communist", Act: &record.Act{Kind: record.Resign, End: &record.End{Winners: []record.SeatName{"democrat"}}}}
	whole := chained(t, record.Entry{}, ended)
	cut := &record.Record{Header: whole.Header, Steps: whole.Steps[:1]}
	paths := []string{filepath.Join(dir, "none.jsonl")}
	for i := range 30 {
		path := filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))
		rec := whole
		if i == 7 {
			rec = cut
		}
		if err := rec.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	elsewhere := filepath.Join(dir, "elsewhere.jsonl")
	if err := os.WriteFile(elsewhere, []byte(`{"format":"samizdat-record","version":1,"game":"1989","rules":2,"match":"m2","options":{},"seats":{"communist":"player 2","democrat":"player 1"},"chance":"recorded"}`+"\n"+
		`{"seq":0,"at":"1989-06-04T09:00:00Z","seat":null}`+"\n"+`{"seq":1,"at":"1989-06-04T09:00:00Z","seat":"communist","act":{"kind":"resign","end":{"winners":["democrat"]}}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	paths = append(paths, elsewhere)
	letters, err := ReadLetters([]string{mbox(t, sent(0, 1, time.Time{}, footOf(1, 0, whole.Entries()[0].Hash)))})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	isGood, err := VerifyFiles(t.Context(), &out, games, paths, letters, false)
	lines := strings.Split(out.String(), "\n")
	if isGood || err != nil || len(lines) != 34 || lines[32] != "32 records: 29 good, 2 wrong, 1 not checked." {
		t.Fatalf("%t, %v,\n%s", isGood, err, &out)
	}
	for i, want := range map[int]string{0: "no such file",
		1: "0.jsonl: good: match m1, 2 entries, letters: 1, of entries that a restore discarded: 0, entries that no letter shows: 1. End: the match is over with entry 1: democrat has won (resignation).", 8: "7.jsonl: WRONG: match m1: the record ends", 30: "29.jsonl: good", 31: "elsewhere.jsonl: not checked: recorded elsewhere: match m2, 2 entries, letters: 0. End: the match is over with entry 1: democrat has won (resignation)."} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("%q, want %q", lines[i], want)
		}
	}
}
