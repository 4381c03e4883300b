//go:build integration

package desk_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"samizdat/internal/test/browsertest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
)

// speed is the directory of a match for TestSpeed, as "samizdat demo --data DIR" writes it.
var speed = flag.String("speed", "", "directory of a match to measure the page with")

// clickAll clicks n random options, with Undo between the orders, and returns the milliseconds that each click took until
// the page was free for the next one.
const clickAll = `(async (n) => {
	const times = [];
	while (times.length < n) {
		const buttons = [...document.querySelectorAll("#questions button")];
		const b = buttons.length ? buttons[Math.floor(Math.random() * buttons.length)] : document.getElementById("undo");
		const from = performance.now();
		b.click();
		await new Promise((done) => setTimeout(done)); // The map is drawn behind the click.
		times.push(performance.now() - from);
		if (document.getElementById("lines").children.length > 2) for (let i = 0; i < 9; i++) document.getElementById("undo").click();
	}
	return times;
})`

// browserTime returns the processor time of all chromium processes. On a busy machine it tells more than the clock.
func browserTime(t *testing.T) (sum time.Duration) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		data, _ := os.ReadFile(path) // A process may have ended.
		name, rest, _ := strings.Cut(string(data), ") ")
		f := strings.Fields(rest)
		if !strings.HasSuffix(name, "(chromium") || len(f) < 13 {
			continue
		}
		for _, ticks := range f[11:13] { // utime and stime, in hundredths of a second: proc(5).
			n, err := strconv.ParseInt(ticks, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return sum
}

// measure logs how long an action of the page takes.
func measure(t *testing.T, what string, do func()) {
	t.Helper()
	began, used := time.Now(), browserTime(t)
	do()
	t.Logf("%s: %v, %v of the processor", what, time.Since(began).Round(time.Millisecond), browserTime(t)-used)
}

// practise answers twelve questions of a match against a robot, and returns the milliseconds that each answer of the robot
// took.
const practise = `(async (robot) => {
	const byID = (id) => document.getElementById(id), times = [];
	byID("robot").value = robot;
	byID("begin").click();
	await window.deskPlayed;
	while (times.length < 12) {
		for (let b; (b = document.querySelector("#questions button"));) b.click();
		const from = performance.now();
		byID("carry").click();
		await window.deskPlayed;
		times.push(performance.now() - from);
	}
	return times;
})`

// TestSpeed measures the page: how long it takes to be ready, to take a click, and to check a match with all letters.
func TestSpeed(t *testing.T) {
	if *speed == "" {
		t.Skip("measures the page: -speed DIR, a match that samizdat demo --data DIR has played")
	}
	match, err := os.ReadFile(filepath.Join(*speed, "record.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	page := serve(t, match)
	ctx := browsertest.Tab(t, browsertest.StartFor(t, 9*time.Minute), 1200, "light", page)
	dawn := link(t, page, dawn1989.Game(), 2, 30)
	for range 3 {
		measure(t, "ready", func() { open(t, ctx, dawn) })
	}
	for _, slower := range []float64{1, 4} {
		browsertest.Do(t, ctx, chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
			_, err := cdp.Call(ctx, tab, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower})
			return err
		}))
		var times []float64
		measure(t, "clicks", func() { times = browsertest.Ask[[]float64](t, ctx, clickAll+"(300)") })
		slices.Sort(times)
		t.Logf("throttled %gx: %d clicks, the median took %.1f ms, the 99th percentile %.1f ms, all at most %.1f ms", slower, len(times),
			times[len(times)/2], times[len(times)*99/100], times[len(times)-1])
		open(t, ctx, dawn)
	}
	for _, g := range []*rules.Game{dawn1989.Game(), revolution1789.Game()} {
		for _, robot := range g.RobotNames() {
			start(t, ctx, page+"#practice."+g.Name())
			var times []float64
			measure(t, g.Name()+", practice against "+robot, func() { times = browsertest.Ask[[]float64](t, ctx, fmt.Sprintf("%s(%q)", practise, robot)) })
			slices.Sort(times)
			t.Logf("the median answer took %.0f ms, the longest %.0f ms", times[len(times)/2], times[len(times)-1])
		}
	}
	boxes, err := filepath.Glob(filepath.Join(*speed, "letters", "*"))
	if err != nil {
		t.Fatal(err)
	}
	ctx = browsertest.Tab(t, ctx, 1200, "light", page)
	// The history is shown behind the result; the next check must not wait for it.
	shown := func() {
		measure(t, "the history shown", func() {
			browsertest.Ask[bool](t, ctx, `window.deskChecked.then(() => new Promise((done) => setTimeout(() => requestIdleCallback(() => done(true)))))`)
		})
	}
	measure(t, "opened, and the record checked", func() {
		start(t, ctx, page+"#check.record")
		found(t, ctx)
	})
	shown()
	browsertest.Do(t, ctx, chromedp.SetUploadFiles(chromedp.ID("files"), boxes))
	for range 2 {
		said := ""
		measure(t, "the record and its mailboxes checked", func() {
			browsertest.Ask[bool](t, ctx, `document.getElementById("found").textContent = "", document.getElementById("files").onchange(), true`)
			said = found(t, ctx)
		})
		if !strings.Contains(said, "Letters: ") {
			t.Errorf("the page says %s", said)
		}
		shown()
	}
}
