package analysis_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/analysis"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
)

// TestAnalyse: a match is judged from its record: the curve ends with the result, mistakes come
// dearest first, and the same record gives the same text.
func TestAnalyse(t *testing.T) {
	t.Parallel()
	games := rules.Games{dawn1989.Game(), revolution1789.Game()}
	rec, err := record.ReadFile(filepath.Join("..", "..", "testdata", "records", "1989-rules2-sensible-100.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	a, err := analysis.Analyse(t.Context(), games, rec, 1, func(done, total int) { told = 100 * done / total })
	if err != nil {
		t.Fatal(err)
	}
	if told != 100 {
		t.Errorf("progress ends at %d %%", told)
	}
	if last := a.Curve[len(a.Curve)-1]; last.Chance != 100 || len(a.Curve) != len(rec.Entries()) {
		t.Errorf("the curve has %d points of %d entries and ends with %.0f %%; the Democrat has won", len(a.Curve), len(rec.Entries()), last.Chance)
	}
	for seat, mistakes := range a.Mistakes {
		if len(mistakes) < 3 {
			t.Fatalf("seat %d has %d mistakes", seat, len(mistakes))
		}
		for i, m := range mistakes {
			if m.Cost <= 0 || m.Better == "" || i > 0 && m.Cost > mistakes[i-1].Cost {
				t.Fatalf("mistake %d of seat %d is %+v", i, seat, m)
			}
		}
	}
	var b strings.Builder
	if err := a.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Chance of the Democrat to win", "turn 9 round 7", "The decisions that cost the Communist most", "Where dice and draws decided most", "worth "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
	rec.Header.Secret = ""
	if _, err := analysis.Analyse(t.Context(), games, rec, 1, nil); err == nil || !strings.Contains(err.Error(), "not over") {
		t.Errorf("a match that goes on is analysed: %v", err)
	}
	rec.Header.Game = "1789"
	if _, err := analysis.Analyse(t.Context(), games, rec, 1, nil); err == nil || !strings.Contains(err.Error(), "cannot be analysed") {
		t.Errorf("1789 is analysed: %v", err)
	}
}

// TestAnalyseTakenBack: what was taken back is not judged. After an undo of the director the same
// orders are judged as in a match without the undo.
func TestAnalyseTakenBack(t *testing.T) {
	t.Parallel()
	games := rules.Games{dawn1989.Game()}
	const entries, first = 14, 4
	read := func() *record.Record {
		rec, err := record.ReadFile(filepath.Join("..", "..", "testdata", "records", "1989-rules2-sensible-100.jsonl.gz"))
		if err != nil {
			t.Fatal(err)
		}
		rec.Steps = rec.Steps[:entries]
		return rec
	}
	analyse := func(rec *record.Record) *analysis.Analysis {
		a, err := analysis.Analyse(t.Context(), games, rec, 1, func(int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	want, rec := analyse(read()), read()
	rec.Steps = append(rec.Steps, record.Step{Entry: &record.Entry{Seq: entries, At: rec.Steps[entries-1].Entry.At, FirstTakenBack: first, Epoch: 1,
		Act: &record.Act{Kind: record.Undo, By: record.ByDirector, Until: rec.Steps[first-1].Entry.At}}})
	for _, s := range read().Steps[first:] {
		s.Entry.Seq, s.Entry.Epoch = s.Entry.Seq+entries-first+1, 1
		rec.Steps = append(rec.Steps, s)
	}
	got := analyse(rec)
	shift := func(seq *int) {
		if *seq > entries {
			*seq -= entries - first + 1
		}
	}
	got.Curve = slices.DeleteFunc(got.Curve, func(p analysis.CurvePoint) bool { return p.Seq == entries })
	for i := range got.Curve {
		shift(&got.Curve[i].Seq)
	}
	for i := range got.Luck {
		shift(&got.Luck[i].Seq)
	}
	for _, mistakes := range got.Mistakes {
		for i := range mistakes {
			shift(&mistakes[i].Seq)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("with an undo the analysis is\n%+v\nwant\n%+v", got, want)
	}
}
