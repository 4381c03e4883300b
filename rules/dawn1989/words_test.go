package dawn1989_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/internal/test/goldentest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/testdata"
)

var (
	game   = dawn1989.Game()
	parser = order.New(game)
)

const columns = 78

// golden compares got with a file under testdata/words.
func golden(t *testing.T, name, got string) {
	t.Helper()
	goldentest.Compare(t, filepath.Join("words", name), got)
}

// sample plays the sample turn of the rulebook.
func sample(t *testing.T, visit func(record.Visit)) {
	t.Helper()
	rec, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := record.Replay(rec, game, func(v record.Visit) error { visit(v); return nil }); err != nil {
		t.Fatal(err)
	}
}

var seats = []rules.Seat{0, 1, rules.NoSeat}

var seatTitles = map[rules.Seat]string{0: "democrat", 1: "communist", rules.NoSeat: "spectator"}

// The sample turn told to both sides and to a spectator, who hear the same where
// nothing is hidden.
func TestSampleSentences(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	sample(t, func(v record.Visit) {
		fmt.Fprintf(&b, "[%d] %s %s\n", v.Entry.Seq, v.Entry.Seat, strings.Join(v.Entry.Orders, "; "))
		public := game.Sentences(v.Position.View(rules.NoSeat), v.Events)
		for _, s := range public {
			fmt.Fprintf(&b, "  %s\n", s)
		}
		for _, seat := range []rules.Seat{0, 1} {
			for _, s := range game.Sentences(v.Position.View(seat), v.Events) {
				if !slices.Contains(public, s) {
					fmt.Fprintf(&b, "  (%s) %s\n", seatTitles[seat], s)
				}
			}
		}
	})
	golden(t, "sample-sentences.txt", b.String())
}

// Every question of the sample turn as it is asked.
func TestSamplePrompts(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	sample(t, func(v record.Visit) {
		for _, d := range v.Position.OpenDecisions(nil) {
			view := v.Position.View(d.Seat)
			fmt.Fprintf(&b, "[%d] %s: %s\n%s", v.Entry.Seq, seatTitles[d.Seat], game.Status(view),
				promptText(game.Prompt(view, d, v.Position.Options(nil, d.ID))))
		}
	})
	golden(t, "sample-prompts.txt", b.String())
}

func promptText(p rules.Prompt) string {
	var b strings.Builder
	fmt.Fprintln(&b, p.Question)
	for _, f := range p.Forms {
		fmt.Fprintln(&b, "    "+f)
	}
	for _, n := range p.Notes {
		fmt.Fprintln(&b, "  "+n)
	}
	fmt.Fprintln(&b)
	return b.String()
}

// The standing parts of a letter in the middle of the sample turn, in its power
// struggle and at its end.
func TestSampleSections(t *testing.T) {
	t.Parallel()
	sample(t, func(v record.Visit) {
		if !slices.Contains([]int{5, 40, 55}, v.Entry.Seq) {
			return
		}
		for _, seat := range seats {
			var b strings.Builder
			view := v.Position.View(seat)
			fmt.Fprintf(&b, "%s\n\n", game.Status(view))
			for _, s := range game.Sections(view) {
				fmt.Fprintf(&b, "%s\n%s\n%s\n\n", s.Title, strings.Repeat("-", len(s.Title)), strings.Join(s.Lines, "\n"))
			}
			golden(t, fmt.Sprintf("sections-%02d-%s.txt", v.Entry.Seq, seatTitles[seat]), b.String())
		}
	})
}

// Wrong orders at every kind of question of the sample turn, and what is said to
// them. Each case names the entry after which it is tried.
func TestSampleRefusals(t *testing.T) {
	t.Parallel()
	cases := map[int][]string{
		0:  {"PLACE Krakow, Lodz", "PLAY 15 EVENT", "PASS"},
		5:  {"PLAY 45 EVENT", "PLAY 36 OPS PLACE Bydgoszcz 3", "PLAY 36 EVENT", "PLAY 15 OPS PLACE Warszawa, Gdansk 2 EVENT AFTER", "PLAY 22 OPS PLACE Gdansk", "PLAY 36 OPS PLACE Pecs, Bydgoszcz 2 EVENT AFTER", "PLAY 36 OPS PLACE Krakow 3 EVENT AFTER", "PLAY 36 OPS CHECK Praha EVENT AFTER", "PLAY 15 OPS PLACE Warszawa NO EVENT", "PLAY 36 OPS PLACE Warszawa 3 NO EVENT", "PLAY 15 BOTH PLACE Warszawa 3 EVENT AFTER", "PLAY 21 WITH 36 OPS PLACE Warszawa 3", "PLAY 15 STRIKE", "PASS", "CHECK Gdansk"},
		6:  {"PLAY 36 EVENT", "PLAY 9 EVENT", "PLAY 26 OPS CHECK Praha BONUS", "PLAY 10 OPS CHECK Praha", "PLAY 10 OPS TIANANMEN EVENT AFTER"},
		10: {"CHOOSE Warszawa", "CHOOSE Gyor", "PLACE Poznan 2", "CHECK Poznan"},
		11: {"CHECK Bydgoszcz", "CHECK Budapest", "OPS CHECK Gdansk", "PASS"},
		13: {"PLACE Brasov 3, Ploiesti", "PLACE Sofia 2, Brasov 2", "PASS"},
		14: {"OPS PLACE Sofia 3", "OPS PLACE Brasov, Poznan 2", "OPS PLACE Poznan 4", "OPS TIANANMEN", "OPS CHECK Krakow, Praha"},
		22: {"REMOVE Lublin, Krakow", "REMOVE Praha 2", "REMOVE Gdansk 2"},
		33: {"RAISE Rally, Rally, March-3", "RAISE Rally, March-3", "CONCEDE"},
		35: {"ATTACK Strike-5", "ATTACK Intellectual Leader AS Rally", "ATTACK Intellectual Leader", "ATTACK Strike-3 AS Rally", "DEFEND Rally", "PASS"},
		36: {"DEFEND Rally", "DEFEND Strike-5", "DEFEND Intellectual Leader", "PASS"},
		43: {"ATTACK Strike-3"},
		53: {"REMOVE Praha", "REMOVE Krakow"},
	}
	var b strings.Builder
	sample(t, func(v record.Visit) {
		for _, text := range cases[v.Entry.Seq] {
			for _, d := range v.Position.OpenDecisions(nil) {
				fmt.Fprintf(&b, "[%d] %s %s\n  %s\n", v.Entry.Seq, seatTitles[d.Seat], text, refused(t, v.Position, d, text))
			}
		}
	})
	golden(t, "sample-refusals.txt", b.String())
}

// refused gives an order that must fail and says how.
func refused(t *testing.T, pos rules.Position, d rules.Decision, text string) string {
	t.Helper()
	o, err := parser.ParseOrder(text)
	if err != nil {
		return "not read: " + err.Error()
	}
	answers, err := game.Answers(o, []rules.Decision{d})
	if err != nil {
		return "not answered: " + err.Error()
	}
	_, err = gate.Check(pos, d.Seat, answers[0])
	switch e := err.(type) {
	case nil:
		t.Errorf("%s is legal", text)
		return "legal"
	case *gate.IllegalError:
		return game.Refusal(e.Before.View(d.Seat), e.Decision, e.Atom, e.Options)
	case *gate.TooShortError:
		pr := game.Prompt(e.Before.View(d.Seat), e.Decision, e.Options)
		return err.Error() + " / " + pr.Question
	}
	return err.Error()
}

// after is the position of the sample turn after an entry.
func after(t *testing.T, seq int) (pos rules.Position) {
	t.Helper()
	sample(t, func(v record.Visit) {
		if v.Entry.Seq == seq {
			pos = v.Position
		}
	})
	return pos
}
