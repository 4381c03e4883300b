package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/history"
	"samizdat/rules"
)

// TestPrintMatches: what waits longest comes first, what is over last.
func TestPrintMatches(t *testing.T) {
	t.Parallel()
	at := func(day int) time.Time { return time.Date(1989, 6, day, 12, 0, 0, 0, time.UTC) }
	stalled, ended := &match.Summary{Stalled: true}, &match.Summary{Over: true, Winners: rules.Only(1), Reason: "automatic victory"}
	seats := []match.ListedSeat{{Name: "democrat", Address: "ada@x.test"}, {Name: "communist", Address: "ben@x.test"}}
	invited := func(id string, day int) match.ListedMatch {
		return match.ListedMatch{ID: id, Game: "1989", State: match.Inviting, Since: at(day), Seats: seats}
	}
	var out strings.Builder
	err := PrintMatches(&out, []match.ListedMatch{
		invited("mnewer22", 5), invited("molder22", 3),
		{ID: "mstalled", Game: "1989", State: match.Playing, Since: at(6), Seats: seats, Summary: stalled},
		{ID: "mstopped", Game: "1989", State: match.Playing, Diverged: true, Since: at(7), Seats: seats},
		{ID: "movrold2", Game: "1989", State: match.Over, Since: at(1), Seats: seats, Summary: ended},
		{ID: "movrnew2", Game: "1989", State: match.Over, Since: at(2), Seats: seats, Summary: ended},
	}, true, true)
	if err != nil {
		t.Fatal(err)
	}
	const want = `MATCH     GAME  STATE     SINCE             TO MOVE              ASKED             RESULT                                ADDRESSES
mstalled  1989  running   1989-06-06 12:00  chance               -                 -                                     ADDR
mstopped  1989  stopped   1989-06-07 12:00  ?                    -                 -                                     ADDR
molder22  1989  inviting  1989-06-03 12:00  democrat, communist  1989-06-03 12:00  -                                     ADDR
mnewer22  1989  inviting  1989-06-05 12:00  democrat, communist  1989-06-05 12:00  -                                     ADDR
movrnew2  1989  over      1989-06-02 12:00  -                    -                 won by communist (automatic victory)  ADDR
movrold2  1989  over      1989-06-01 12:00  -                    -                 won by communist (automatic victory)  ADDR
`
	const shown = "democrat=ada@x.test communist=ben@x.test\n"
	if got := strings.ReplaceAll(out.String(), shown, "ADDR\n"); got != want {
		t.Errorf("the list:\n%s\nwant:\n%s", got, want)
	}
	for all, want := range map[bool]string{false: "--all also lists", true: "no match yet"} {
		out.Reset()
		if err := PrintMatches(&out, nil, all, false); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("no match: %q, %v", out.String(), err)
		}
	}
}

// TestMatchesJSON: a line has what the list has, and where the game stands beside it;
// addresses only where they are wanted.
func TestMatchesJSON(t *testing.T) {
	t.Parallel()
	at := time.Date(1989, 6, 4, 12, 0, 0, 0, time.UTC)
	seats := []match.ListedSeat{{Name: "democrat", Address: "ada@x.test", Joined: true, HasClock: true, TimeLeft: 90 * time.Minute, Until: at.Add(time.Hour), ToMoveSince: at, Bounces: 2},
		{Name: "communist", Address: "ben@x.test", Joined: true}}
	list := []match.ListedMatch{
		{ID: "mrunning", Game: "1989", State: match.Playing, Since: at, Seats: seats,
			Summary: &match.Summary{ToMove: rules.Only(0), Turn: 3, Phase: "turn 3 round 5", Score: []match.CurveValue{{Name: "Victory points", Value: -4}}}},
		{ID: "mover222", Game: "1989", State: match.Over, Since: at, Seats: seats[1:], Summary: &match.Summary{Over: true, Winners: rules.Only(0), Reason: "by points"}},
	}
	for addresses, want := range map[bool]string{
		true: `{"match":"mrunning","game":"1989","state":"running","since":"1989-06-04T12:00:00Z","turn":3,"phase":"turn 3 round 5","score":[{"name":"Victory points","value":-4}],` +
			`"seats":[{"seat":"democrat","address":"ada@x.test","joined":true,"to_move":true,"asked":"1989-06-04T12:00:00Z","left":5400,"until":"1989-06-04T13:00:00Z","bounces":2},` +
			`{"seat":"communist","address":"ben@x.test","joined":true,"to_move":false}]}` + "\n",
		false: `{"match":"mover222","game":"1989","state":"over","since":"1989-06-04T12:00:00Z","result":"won by communist (by points)","winners":["communist"],` +
			`"seats":[{"seat":"communist","joined":true,"to_move":false}]}` + "\n",
	} {
		var out strings.Builder
		if err := WriteMatchesJSON(&out, list, addresses); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("written (%v):\n%s\nwant:\n%s", err, out.String(), want)
		}
	}
}

// TestResultWords: who has won, and how.
func TestResultWords(t *testing.T) {
	t.Parallel()
	seats := []match.ListedSeat{{Name: "north"}, {Name: "east"}, {Name: "west"}}
	for want, r := range map[string]rules.Result{
		"won by east":                   {Winners: rules.Only(1)},
		"won by north, west (most sun)": {Winners: rules.Only(0) | rules.Only(2), Reason: "most sun"},
		"a draw (no rain)":              {Reason: "no rain"},
	} {
		if got := formatResult(r, seats); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}

// TestTimeLeft: where clocks run, the list has what each seat has left, and until when.
func TestTimeLeft(t *testing.T) {
	t.Parallel()
	until := time.Date(1989, 6, 7, 9, 2, 0, 0, time.UTC)
	timed := []match.ListedSeat{{Name: "democrat", HasClock: true, TimeLeft: 72 * time.Hour}, {Name: "communist", HasClock: true, TimeLeft: 59*time.Hour + 5*time.Minute, Until: until}}
	list := []match.ListedMatch{
		{ID: "mtimed22", Game: "1989", State: match.Playing, Since: until, Seats: timed, Summary: &match.Summary{Stalled: true}},
		{ID: "muntimed", Game: "1989", State: match.Playing, Since: until, Seats: []match.ListedSeat{{Name: "democrat"}, {Name: "communist"}}, Summary: &match.Summary{Stalled: true}},
	}
	var out strings.Builder
	if err := PrintMatches(&out, list, false, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  TIME LEFT\n", "  democrat=72h00m communist=59h05m (1989-06-07 09:02)\n", "  -\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

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
	for name, want := range map[string]roundInLetter{
		"beacon-named": {number: 4446361}, "beacon-away": {isUnavailable: true}, "beacon-mixed": {}, "what another player writes": {},
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
		return fmt.Sprintf("The match has not begun: it is waiting for a public random number, round\n%d of quicknet. It is published on 4 June 1989, 09:18:00 UTC, and the match begins\nthen.", round)
	}
	older := func(round int) string {
		return fmt.Sprintf("The match has not begun: it waits for the public beacon. Its round %d is\npublished on 4 June 1989, 09:18:00 UTC, and the match begins then.", round)
	}
	const anew = "named anew"
	away := "- The public random number (round 1000 of quicknet) did not reach us in time. The\n  match begins without it, as agreed."
	olderAway := "- Round 1000 of the public beacon quicknet could not be had in time. The match\n  begins without it, as was agreed."
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
		"older words":      {with, []string{older(1000), older(1001)}, "1 of 2 do not belong"},
		"it was away then": {none, []string{older(1000), olderAway}, ""},
		"quoted":           {with, []string{"> " + names(1001)}, ""},
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
		if wasNotified := strings.Contains(out.String(), "it names round 999 of a beacon, but a later letter names another"); wasNotified != (name == anew) {
			t.Errorf("%s: that another round was named is told: %t", name, wasNotified)
		}
	}
}

// TestHistoryReader: everything is told when the match is over and its end is final, and
// before that no more than everybody may see, or the seat that is named.
func TestHistoryReader(t *testing.T) {
	t.Parallel()
	at := time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC)
	soon, late := at.Add(time.Hour), at.Add(record.CorrectionPeriod)
	act := func(kind record.ActKind) record.Entry {
		return record.Entry{Seat: "communist", At: at, Act: &record.Act{Kind: kind, End: &record.End{Winners: []record.SeatName{"democrat"}}}}
	}
	order := record.Entry{Seat: "communist", Orders: []string{"PLACE Gyor, Debrecen"}, At: at}
	undo := record.Entry{FirstTakenBack: 2, Epoch: 1, At: at, Act: &record.Act{Kind: record.Undo, By: record.ByDirector, Until: at}}
	again := act(record.Resign)
	again.Epoch = 1
	for name, tt := range map[string]struct {
		entries []record.Entry
		now     time.Time
		seat    string
		all     bool
	}{
		"goes on":                      {[]record.Entry{{At: at}, order}, late, "", false},
		"resigned":                     {[]record.Entry{{At: at}, order, act(record.Resign)}, soon, "", true},
		"a seat of one resigned":       {[]record.Entry{{At: at}, order, act(record.Resign)}, soon, "communist", false},
		"out of time":                  {[]record.Entry{{At: at}, order, act(record.Forfeit)}, soon, "", false},
		"out of time, a week ago":      {[]record.Entry{{At: at}, order, act(record.Forfeit)}, late, "", true},
		"undone, and then resigned":    {[]record.Entry{{At: at}, order, act(record.Forfeit), undo, again}, soon, "", true},
		"undone, and goes on for ever": {[]record.Entry{{At: at}, order, act(record.Forfeit), undo}, late, "", false},
	} {
		s, err := NewHistory(games, chained(t, tt.entries...), tt.seat, tt.now)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Reader.All != tt.all || len(s.Checks) == 0 {
			t.Errorf("%s: everything is told: %t; checked: %q", name, s.Reader.All, s.Checks)
		}
		if hidden := slices.ContainsFunc(s.Moves[0].Draws, func(d history.Draw) bool { return d.Hidden > 0 }); hidden == tt.all {
			t.Errorf("%s: the deal is hidden: %t", name, hidden)
		}
	}
	if _, err := NewHistory(games, chained(t, record.Entry{At: at}).Public(), "", late); !errors.Is(err, ErrPublic) {
		t.Errorf("a record with public fields only: %v", err)
	}
}
