//go:build integration

package desk_test

import (
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/report"
	"samizdat/internal/test/browsertest"
	"samizdat/mail/mailbox"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/liarsdice"
)

// start opens the page without a link.
func start(t *testing.T, ctx context.Context, page string) {
	t.Helper()
	browsertest.Do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page), chromedp.WaitVisible(chromedp.ID("rules")))
}

// checks drops files on the page, and returns the text of the check.
func checks(t *testing.T, ctx context.Context, files ...string) string {
	t.Helper()
	browsertest.Ask[bool](t, ctx, `document.getElementById("found").textContent = "", true`)
	var list strings.Builder
	for _, f := range files {
		fmt.Fprintf(&list, "%q,", f)
	}
	// The files come as if a person had dropped them.
	browsertest.Ask[bool](t, ctx, `(() => {
		const drop = new DragEvent("drop", {dataTransfer: new DataTransfer(), bubbles: true});
		for (const text of [`+list.String()+`]) drop.dataTransfer.items.add(new File([text], "file"));
		document.body.dispatchEvent(drop);
		return true;
	})()`)
	return found(t, ctx)
}

// found waits for the text of a check.
func found(t *testing.T, ctx context.Context) string {
	t.Helper()
	return browsertest.Ask[string](t, ctx, `new Promise((done) => {
		const wait = () => byFound() ? done(byFound()) : setTimeout(wait, 10);
		const byFound = () => document.getElementById("found").textContent;
		wait();
	})`)
}

// said returns the output of "samizdat verify" for a record and mailboxes.
func said(t *testing.T, rec string, boxes ...string) string {
	t.Helper()
	r, err := record.Read(strings.NewReader(rec))
	if err != nil {
		t.Fatal(err)
	}
	var open []iter.Seq2[mailbox.Message, error]
	for _, b := range boxes {
		open = append(open, mailbox.Read(strings.NewReader(b), time.Now()))
	}
	letters, err := report.FindLetters(open...)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := report.Verify(&out, rules.Games{dawn1989.Game()}, r, report.Evidence{Letters: letters}, false); err != nil {
		out.WriteString(err.Error() + "\n")
	}
	return out.String()
}

// forged reads a file of testdata/forged: a true record, records forged from it, and letters that tell of the forgery.
func forged(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "forged", name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// aDie is a die in a record.
var aDie = regexp.MustCompile(`"roll":([1-6])`)

// TestCheck: the page says the same of records and mailboxes as "samizdat verify". It shows a match whose letters agree, and
// refuses each forged record.
func TestCheck(t *testing.T) {
	t.Parallel()
	whole := forged(t, "true.jsonl")
	at := aDie.FindStringSubmatchIndex(whole)
	die := whole[:at[2]] + string('1'+('7'-whole[at[2]])%6) + whole[at[3]:]
	page := serve(t, []byte(whole))
	ctx := browsertest.Tab(t, browsertest.Start(t), 1200, "light", page)
	start(t, ctx, page+"#check.record") // The link of a club's page to the check of a record.
	if got, want := found(t, ctx), said(t, whole); got != want {
		t.Errorf("of the record of the link the page says\n%s\nand the command\n%s", got, want)
	}
	for _, tt := range []struct {
		name, rec string
		boxes     []string
		good      bool
	}{
		{"the letters for the record of the link", "", []string{"democrat.mbox", "communist.mbox"}, true},
		{"another die", die, nil, false},
		{"an entry behind the end", forged(t, "rule-forged.jsonl"), []string{"ada.mbox", "ben.mbox"}, false},
		{"the same match", forged(t, "rule-true.jsonl"), []string{"ada.mbox", "ben.mbox"}, true},
		{"a restore, and another end", forged(t, "forged-restore.jsonl"), []string{"democrat.mbox", "communist.mbox"}, false},
		{"no chain", forged(t, "forged-recorded.jsonl"), []string{"democrat.mbox", "communist.mbox"}, false},
	} {
		var boxes []string
		for _, b := range tt.boxes {
			boxes = append(boxes, forged(t, b))
		}
		files := boxes
		if tt.rec != "" {
			files = append([]string{tt.rec}, boxes...)
		}
		began := time.Now()
		got, want := checks(t, ctx, files...), said(t, cmp.Or(tt.rec, whole), boxes...)
		t.Logf("%s: %v", tt.name, time.Since(began))
		if got != want {
			t.Errorf("%s: the page says\n%s\nand the command\n%s", tt.name, got, want)
		}
		// The history comes behind the text.
		shown := browsertest.Ask[bool](t, ctx, `window.deskChecked.then(() => !document.getElementById("history").hidden)`)
		if bad := browsertest.Ask[bool](t, ctx, `document.getElementById("status").classList.contains("bad")`); shown != tt.good || bad == tt.good {
			t.Errorf("%s: the match is shown: %t, and called wrong: %t", tt.name, shown, bad)
		}
	}
}

// TestPractice: the link of an invitation shows rules of thumb. A match is played against a robot by clicks, kept by the browser, gone on with, and its
// record verifies.
func TestPractice(t *testing.T) {
	t.Parallel()
	page := serve(t, nil)
	ctx := browsertest.Tab(t, browsertest.Start(t), 400, "dark", page)
	start(t, ctx, page+"#practice.liarsdice") // The link of an invitation.
	browsertest.Check(t, ctx, 400)
	if tips := browsertest.Ask[string](t, ctx, `document.getElementById("rules").innerText`); !strings.Contains(tips, "Of the dice that you cannot see a third") {
		t.Errorf("the page has no rules of thumb:\n%s", tips)
	}
	browsertest.Ask[bool](t, ctx, `document.getElementById("begin").click(), true`)
	wait := func(what string) {
		t.Helper()
		browsertest.Ask[bool](t, ctx, `new Promise((done) => { const wait = () => `+what+` ? done(true) : setTimeout(wait, 10); wait(); })`)
	}
	const over = `document.getElementById("told").textContent.includes("The match is over: ")`
	wait(`!document.getElementById("work").hidden`)
	browsertest.Check(t, ctx, 400)
	for n := range 60 {
		if browsertest.Ask[bool](t, ctx, over) {
			break
		}
		if n == 3 {
			browsertest.Do(t, ctx, chromedp.Reload(), chromedp.WaitVisible(chromedp.ID("resume")))
			browsertest.Ask[bool](t, ctx, `document.getElementById("resume").click(), true`)
			wait(`!document.getElementById("work").hidden`)
		}
		browsertest.Ask[bool](t, ctx, `(() => {
			const options = [...document.querySelectorAll("#questions button")];
			(options.find((o) => o.textContent === "DOUBT") || options[0]).click();
			document.getElementById("carry").click();
			return window.deskPlayed.then(() => true);
		})()`)
	}
	if !browsertest.Ask[bool](t, ctx, over) {
		t.Error("the match does not end: " + browsertest.Ask[string](t, ctx, `document.body.innerText`))
	}
	kept := browsertest.Ask[string](t, ctx, `localStorage.getItem("practice")`)
	rec, err := record.Read(strings.NewReader(kept))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if same, err := report.Verify(&out, rules.Games{liarsdice.Game()}, rec, report.Evidence{}, false); err != nil || !same {
		t.Errorf("the record does not verify: %v\n%s", err, out.String())
	}
	// People at one screen take turns: the page turns to the next of them.
	browsertest.Do(t, ctx, chromedp.Navigate(page+"#practice.liarsdice"), chromedp.WaitVisible(chromedp.ID("start")))
	browsertest.Ask[bool](t, ctx, `document.getElementById("robot").value = "", document.getElementById("begin").click(), true`)
	wait(`!document.getElementById("work").hidden`)
	var seats []string
	for range 3 {
		seats = append(seats, browsertest.Ask[string](t, ctx, `document.getElementById("you").textContent`))
		browsertest.Ask[bool](t, ctx, `[...document.querySelectorAll("#questions button")].find((b) => b.textContent !== "DOUBT").click(), document.getElementById("carry").click(), true`)
		wait(fmt.Sprintf(`document.getElementById("you").textContent !== %q`, seats[len(seats)-1]))
		if browsertest.Ask[bool](t, ctx, `["work", "news"].some((id) => document.getElementById(id).checkVisibility())`) {
			t.Error("the board is shown before the next player has the screen")
		}
		browsertest.Ask[bool](t, ctx, `document.getElementById("uncover").click(), true`)
	}
	if seats[0] == seats[1] || seats[0] != seats[2] {
		t.Errorf("the page asks %q", seats)
	}
	// The page says that a robot thinks, and can be used; when it has answered, the page shows the match.
	browsertest.Do(t, ctx, chromedp.Navigate(page+"#practice.1989"), chromedp.WaitVisible(chromedp.ID("start")))
	browsertest.Ask[bool](t, ctx, `document.getElementById("robot").value = "level2", document.getElementById("begin").click(), window.deskPlayed.then(() => true)`)
	thinking := browsertest.Ask[string](t, ctx, `(async () => {
		const byID = (id) => document.getElementById(id);
		for (let b; (b = document.querySelector("#questions button"));) b.click();
		byID("carry").focus();
		byID("carry").click();
		byID("carry").click(); // It counts once.
		await new Promise((done) => setTimeout(done));
		const rules = document.querySelector("#topics summary"), open = rules.parentElement.open;
		rules.click();
		const used = rules.parentElement.open !== open;
		return [byID("status").textContent, byID("work").ariaBusy, byID("carry").ariaDisabled, byID("ask").inert, used].join(", ");
	})()`)
	if thinking != "The match goes on. A robot may think for 2 seconds., true, true, true, true" {
		t.Errorf("while a robot thinks the page has: %s", thinking)
	}
	for _, fault := range browsertest.Faults(t, ctx) {
		t.Error(fault)
	}
	if focused := browsertest.Ask[string](t, ctx, `window.deskPlayed.then(() => document.activeElement.id)`); focused != "told" {
		t.Errorf("the focus is on %q and not on what happened", focused)
	}
	if n := browsertest.Ask[int](t, ctx, `document.querySelectorAll("[aria-busy=true], [aria-disabled=true], [inert]").length`); n > 0 {
		t.Errorf("when the robot has answered, %d parts of the page still wait", n)
	}
}
