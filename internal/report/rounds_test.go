package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
)

// TestReadRound: what letters show of a beacon is read, as the adjudicator writes them, and
// nothing else.
func TestReadRound(t *testing.T) {
	t.Parallel()
	text := map[string]string{}
	for _, name := range []string{"beacon-named", "beacon-away", "beacon-mixed"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "adjudicator", "testdata", "begin", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		text[name] = string(data)
	}
	text["what another player writes"] = "| " + strings.ReplaceAll(text["beacon-named"], "\n", "\n| ")
	for name, want := range map[string]shownRound{
		"beacon-named": {number: 4446361}, "beacon-away": {without: true}, "beacon-mixed": {}, "what another player writes": {},
	} {
		if got := readRound(text[name]); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// TestLettersRound: the newest letter to each reader that names a round has to name that of the
// record.
func TestLettersRound(t *testing.T) {
	t.Parallel()
	at := time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC)
	none := func(*record.Header) {}
	with := func(h *record.Header) {
		h.Beacon = &record.Beacon{Chain: "quicknet", Round: 1000, Signature: quicknet1000}
	}
	names := func(round int) string {
		return fmt.Sprintf("The match has not begun: it waits for the public beacon. Its round %d is\npublished on 4 June 1989, 09:18:00 UTC, and the match begins then.", round)
	}
	const anew = "named anew"
	away := "- Round 1000 of the public beacon quicknet could not be had in time. The match\n  begins without it, as was agreed."
	for name, tt := range map[string]struct {
		header func(*record.Header)
		texts  []string
		fails  string
	}{
		"good":             {with, []string{names(1000), names(1000)}, ""},
		anew:               {with, []string{names(999), names(1000)}, ""},
		"another round":    {with, []string{names(1000), names(1001)}, "1 of 2 do not belong"},
		"without a beacon": {none, []string{names(1000)}, "1 of 1 do not belong"},
		"it was away":      {none, []string{names(1000), away}, ""},
	} {
		rec := chainedBy(t, tt.header, record.Entry{})
		var mails []string
		for i, text := range tt.texts {
			mails = append(mails, strings.Replace(sent(0, i+1, at, footOf(i+1, 0, rec.Header.Commitment)), "Good day.", text, 1))
		}
		letters, err := ReadLetters([]string{mbox(t, mails...)})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if _, err := Verify(&out, games, rec, Evidence{Letters: letters}, true); (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%s: %v,\n%s", name, err, &out)
		}
		if told := strings.Contains(out.String(), "it names round 999 of a beacon, and a later letter another"); told != (name == anew) {
			t.Errorf("%s: that another round was named is told: %t", name, told)
		}
	}
}
