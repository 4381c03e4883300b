//go:build integration

package desk_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/demo"
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
	browsertest.Do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page), chromedp.WaitVisible(chromedp.ID("start")))
}

// checks gives files to the page, and returns what it says of them.
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
	return browsertest.Ask[string](t, ctx, `new Promise((done) => {
		const wait = () => byFound() ? done(byFound()) : setTimeout(wait, 10);
		const byFound = () => document.getElementById("found").textContent;
		wait();
	})`)
}

// said is what the command says of a record and mailboxes.
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

// aDie is a die in a record.
var aDie = regexp.MustCompile(`"roll":([1-6])`)

// TestCheck: the page says of a record and of mailboxes what the command says, shows the match, and finds
// what is forged.
func TestCheck(t *testing.T) {
	t.Parallel()
	page, dir := serve(t), t.TempDir()
	if err := demo.Robots(t.Context(), &strings.Builder{}, dawn1989.Game(), 2, dir, 4, demo.Manner{}); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "letters", "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	var texts []string
	for _, name := range append(files, filepath.Join(dir, demo.RecordFile)) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	boxes, rec := texts[:2], texts[2]
	at := aDie.FindStringSubmatchIndex(rec)
	forged := rec[:at[2]] + string('1'+('7'-rec[at[2]])%6) + rec[at[3]:]
	ctx := browsertest.Tab(t, browsertest.Start(t), 1200, "light", page)
	start(t, ctx, page)
	for _, tt := range []struct {
		name, rec string
		boxes     []string
		good      bool
	}{{"record", rec, nil, true}, {"record and letters", rec, boxes, true}, {"a die", forged, boxes, false}} {
		began := time.Now()
		got, want := checks(t, ctx, append([]string{tt.rec}, tt.boxes...)...), said(t, tt.rec, tt.boxes...)
		t.Logf("%s: %v", tt.name, time.Since(began))
		if got != want {
			t.Errorf("%s: the page says\n%s\nand the command\n%s", tt.name, got, want)
		}
		if shown := browsertest.Ask[bool](t, ctx, `!document.getElementById("history").hidden`); shown != tt.good {
			t.Errorf("%s: the match is shown: %t", tt.name, shown)
		}
	}
}

// TestPractice: a match is played against a robot by clicks, kept by the browser, gone on with, and its
// record verifies.
func TestPractice(t *testing.T) {
	t.Parallel()
	page := serve(t)
	ctx := browsertest.Tab(t, browsertest.Start(t), 400, "dark", page)
	start(t, ctx, page)
	browsertest.Ask[bool](t, ctx, `byID = (id) => document.getElementById(id), byID("game").value = "liarsdice", byID("game").onchange(), byID("begin").click(), true`)
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
		if n == 3 { // The tab is closed, and opened again.
			start(t, ctx, page)
			browsertest.Ask[bool](t, ctx, `document.getElementById("resume").click(), true`)
			wait(`!document.getElementById("work").hidden`)
		}
		browsertest.Ask[bool](t, ctx, `(() => {
			const options = [...document.querySelectorAll("#questions button")];
			(options.find((o) => o.textContent === "DOUBT") || options[0]).click();
			document.getElementById("carry").click();
			return true;
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
}
