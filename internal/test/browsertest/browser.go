//go:build integration

package browsertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Start starts Debian's chromium with a time limit of three minutes.
func Start(t *testing.T) context.Context {
	t.Helper()
	return StartFor(t, 3*time.Minute)
}

// StartFor starts Debian's chromium with a time limit.
func StartFor(t *testing.T, most time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), most, errors.New("the browser took too long"))
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("chromium"), chromedp.NoSandbox)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatalf("%v: chromium is in Debian's package of that name", err)
	}
	return ctx
}

// Tab opens a tab of a width and a colour scheme, "light" or "dark". The test fails if the page
// writes to the console, throws, or requests a URL outside the origins (prefixes; by default
// file://).
func Tab(t *testing.T, ctx context.Context, width int, scheme string, origins ...string) context.Context {
	t.Helper()
	if len(origins) == 0 {
		origins = []string{"file://"}
	}
	ctx, cancel := chromedp.NewContext(ctx)
	var mu sync.Mutex
	var said []string
	err := chromedp.Listen(ctx, func(e any) {
		mu.Lock()
		defer mu.Unlock()
		if s := complaint(e, append(origins, "data:")); s != "" {
			said = append(said, s)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		mu.Lock()
		defer mu.Unlock()
		if len(said) > 0 {
			t.Errorf("the page is not silent: %q", said)
		}
	})
	Do(t, ctx, chromedp.EmulateViewport(int64(width), 860), chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, requests := cdp.Call(ctx, tab, network.Enable, network.EnableParams{})
		_, lines := cdp.Call(ctx, tab, log.Enable, cdp.Empty{})
		_, media := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return errors.Join(requests, lines, media)
	}))
	return ctx
}

// complaint describes a forbidden event of a tab; it is empty for an allowed event.
func complaint(e any, origins []string) string {
	switch e := e.(type) {
	case *runtime.EventConsoleAPICalled:
		return fmt.Sprintf("console: %v %v", e.Type, e.Args)
	case *runtime.EventExceptionThrown:
		return fmt.Sprint("exception: ", e.ExceptionDetails.Text, e.ExceptionDetails.Exception.Description)
	case *log.EventEntryAdded:
		return "log: " + e.Entry.Text
	case *network.EventRequestWillBeSent:
		for _, o := range origins {
			if strings.HasPrefix(e.Request.URL, o) {
				return ""
			}
		}
		return "asked for " + e.Request.URL
	}
	return ""
}

// Do runs actions in a tab.
func Do(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// Ask evaluates an expression in the page.
func Ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	answer, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.200s: %v", expression, err)
	}
	return answer
}
