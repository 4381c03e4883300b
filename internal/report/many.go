package report

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"

	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// verdict is what is said of one record among many.
type verdict struct {
	said string
	good bool
}

// VerifyFiles checks the records in files, on all processors, and prints a line about each in
// their order. Only so many records are in memory as are being checked. It returns false
// if one of them is not good.
func VerifyFiles(ctx context.Context, out io.Writer, games rules.Games, paths []string, letters Letters, partial bool) (good bool, err error) {
	results := make(chan chan verdict, 2*runtime.GOMAXPROCS(0))
	// More at a time than there are processors would take turns, and take them from each other.
	busy := make(chan struct{}, runtime.GOMAXPROCS(0))
	go func() {
		defer close(results)
		for _, p := range paths {
			result := make(chan verdict, 1)
			select {
			case <-ctx.Done():
				return
			case results <- result:
			}
			busy <- struct{}{}
			go func() {
				result <- verifyFile(games, p, letters, partial)
				<-busy
			}()
		}
	}()
	n, bad := 0, 0
	for result := range results {
		v := <-result
		if n++; !v.good {
			bad++
		}
		if _, e := fmt.Fprintln(out, v.said); err == nil {
			err = e
		}
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	fmt.Fprintf(out, "%d records: %d good, %d wrong.\n", n, n-bad, bad)
	return bad == 0, err
}

// verifyFile checks the record in a file, in one line.
func verifyFile(games rules.Games, path string, letters Letters, partial bool) verdict {
	rec, err := record.ReadFile(path)
	if err != nil {
		return verdict{said: fmt.Sprintf("%s: WRONG: %v", path, err)}
	}
	match := rec.Header.Match
	n := len(letters.of[match])
	if n == 0 {
		letters = Letters{}
	}
	var all strings.Builder
	good, err := Verify(&all, games, rec, Evidence{Letters: letters}, partial)
	lines := strings.Split(strings.TrimSpace(all.String()), "\n")
	last := lines[len(lines)-1]
	switch {
	case err != nil:
		return verdict{said: fmt.Sprintf("%s: WRONG: match %s: %v", path, match, err)}
	case !good:
		return verdict{said: fmt.Sprintf("%s: WRONG: match %s: %s", path, match, last)}
	}
	said := fmt.Sprintf("%s: good: match %s, %d entries", path, match, len(rec.Entries()))
	if letters.given {
		said += fmt.Sprintf(", letters: %d", n)
	}
	return verdict{said + ". " + last, true}
}
