package report

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// verdict is what is said of one record among many.
type verdict struct {
	said string
	// good means that all was checked and is right. What was recorded elsewhere is neither good
	// nor wrong: nothing shows whose dice those are.
	good, elsewhere bool
}

// VerifyFiles checks the records in files, on all processors, and prints a line about each in
// their order. Only so many records are in memory as are being checked. It returns false
// if one of them is wrong, or was not checked.
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
	n, right, elsewhere := 0, 0, 0
	for result := range results {
		v := <-result
		switch n++; {
		case v.good:
			right++
		case v.elsewhere:
			elsewhere++
		}
		if _, e := fmt.Fprintln(out, v.said); err == nil {
			err = e
		}
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	fmt.Fprintf(out, "%d records: %d good, %d wrong", n, right, n-right-elsewhere)
	if elsewhere > 0 {
		fmt.Fprintf(out, ", %d not checked", elsewhere)
	}
	fmt.Fprintln(out, ".")
	return right == n, err
}

// verifyFile checks the record in a file, in one line.
func verifyFile(games rules.Games, path string, letters Letters, partial bool) verdict {
	rec, err := record.ReadFile(path)
	if err != nil {
		return verdict{said: fmt.Sprintf("%s: WRONG: %v", path, err)}
	}
	match := rec.Header.Match
	n := len(letters.of[match])
	given := letters.given
	if n == 0 {
		letters = Letters{}
	}
	var all strings.Builder
	f, err := verify(&all, games, rec, Evidence{Letters: letters}, partial)
	lines := strings.Split(strings.TrimSpace(all.String()), "\n")
	switch {
	case err != nil:
		return verdict{said: fmt.Sprintf("%s: WRONG: match %s: %v", path, match, err)}
	case !f.same:
		return verdict{said: fmt.Sprintf("%s: WRONG: match %s: %s", path, match, lines[len(lines)-1])}
	}
	v := verdict{good: rec.Header.Chance != record.ChanceRecorded}
	v.elsewhere = !v.good
	judged := "good"
	if v.elsewhere {
		judged = "not checked: recorded elsewhere"
	}
	v.said = fmt.Sprintf("%s: %s: match %s, %d entries", path, judged, match, len(rec.Entries()))
	if f.epochs > 0 {
		v.said += fmt.Sprintf(", new epochs: %d", f.epochs)
	}
	if letters.given {
		v.said += fmt.Sprintf(", letters: %d, put aside by a restore: %d, entries that no letter shows: %d", n, f.excused, f.unshown)
	} else if given {
		v.said += ", letters: 0"
	}
	v.said += ". " + f.end
	return v
}
