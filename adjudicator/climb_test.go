package adjudicator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/order"
	"samizdat/adjudicator/trial"
	"samizdat/internal/test/climb"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// asking are adjudications of matches of Dawn of Freedom, one for each sort of question.
func asking(t *testing.T) (out []*letterRun) {
	t.Helper()
	g := dawn1989.Game()
	rnd := rand.New(rand.NewPCG(1989, 2))
	reader, seen := letter.New(g), map[string]bool{}
	for n := range 3 {
		pos, err := g.Begin(rules.Setup{Seats: 2, Revision: g.Revision()})
		if err != nil {
			t.Fatal(err)
		}
		dice := rulestest.NewDice(uint64(n + 1))
		for _, err = pos.Resume(dice, nil); err == nil; {
			if _, over := pos.Result(); over {
				break
			}
			d := pos.OpenDecisions(nil)[0]
			var verbs []string
			for _, a := range pos.Options(nil, d.ID) {
				verb, _, _ := strings.Cut(g.FormatOrder([]rules.Atom{a}), " ")
				verbs = append(verbs, verb)
			}
			slices.Sort(verbs)
			if kind := fmt.Sprint(slices.Compact(verbs)); !seen[kind] {
				seen[kind] = true
				m := &match.Match{ID: "m", Game: g.Name(), State: match.Playing, Seats: []match.Seat{{Name: "democrat", Occupant: match.Occupant{Joined: true}}, {Name: "communist", Occupant: match.Occupant{Joined: true}}}}
				turn := &match.Turn{Match: m, Game: g, After: pos.Clone()}
				play := &match.Execution{Turn: turn, Seat: d.Seat, Environment: match.Environment{Conditional: reader.Conditional}}
				out = append(out, &letterRun{reader: reader, letter: exchange.Letter{Sender: exchange.Sender{Token: &exchange.Token{Match: "m", Seat: d.Seat, Number: 1}}}, turn: turn, execution: play,
					tester: &trial.Tester{Execution: play, Reader: reader, LetterNumber: 1, AskedDecisions: []rules.DecisionID{d.ID}}})
			}
			a := rulestest.Pick(pos, d, rnd.IntN)
			for _, atom := range a {
				if open := pos.OpenDecisions(nil); len(open) > 0 {
					i := max(0, slices.IndexFunc(open, func(o rules.Decision) bool { return o.Seat == d.Seat }))
					if _, err = pos.Apply(open[i].ID, atom, dice, nil); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestClimb: a letter that is read as an answer takes 20 ms at most, or thirteen times an ordinary one
// that is as long as any may be, whatever is asked and whatever it says.
func TestClimb(t *testing.T) {
	t.Parallel()
	js := asking(t)
	const asked = "abcdefghijklmno"
	if len(js) != len(asked) {
		t.Fatalf("%d sorts of questions", len(js))
	}
	var heads, words []string
	for i := range js {
		for _, h := range []string{"", "PLAY 36 OPS ", "I would like to ", "3 in "} {
			heads = append(heads, asked[i:i+1]+h) // which question is open
		}
	}
	for _, k := range dawn1989.Game().Keywords() {
		words = append(words, k.Word)
	}
	c := climb.Climber{Heads: heads, Pieces: climb.Orders(words...), Length: 16 << 10, Lines: maxLines, Words: 790, Shorter: true,
		Ordinary: strings.Repeat("PLAY 36 OPS PLACE Lodz 2, Krakow, Gdansk\n", 95), Most: 20 * time.Millisecond, Times: 13,
		Read: func(text string) {
			at := strings.IndexByte(asked, text[0])
			j := *js[max(at, 0)]
			if j.letter.Text = strings.TrimSpace(text[min(at+1, 1):]); len(order.Split(j.letter.Text)) > maxLines {
				return // It is refused unread.
			}
			_, _ = readLetter(&j)
		}}
	c.Run(t)
}

// TestWork: what a letter says as an answer is put together with bounded work, however many ways there
// are to read it: line by line, together, without a line, and with words that may be names.
func TestWork(t *testing.T) {
	t.Parallel()
	const most, slack = 40000, 5000 // It is looked at between steps, of which one may take some work.
	worst := 0
	for i, run := range asking(t) {
		for _, text := range []string{
			strings.Repeat("CONCEDE Krakwo no ", 24), strings.Repeat("Lodz East Germany ", 20), "3 in " + strings.Repeat("Plzen!\n", 20),
			strings.Repeat("event PASS 36 DISCARD\n", 6), strings.Repeat("Prague Plzen Krakwo ", 40), "3 in " + strings.Repeat("1 BOTH CHECK THEN ", 9),
			strings.Repeat("EVENT hi ", 60), strings.Repeat("36 ops 2 in Lodz, 1 in Krakow ", 3), strings.Repeat("I ", 300), strings.Repeat("Bratiselva, Lodz 1 or 2\n", 30),
			"36 or 9 ops, event first, 2 in Lodz and 1 in Krakow, no, Gdansk, check 33 Plzen and 40, (Berlin)\nor 12", strings.Repeat("2 1 Lodz, ", 10),
		} {
			var asked *order.Question
			_, err := run.reader.Read(letter.Letter{Text: text, Seat: run.execution.Seat, Seats: run.turn.Match.SeatNames(),
				LoadAnsweredQuestion: func() (letter.AnsweredQuestion, error) { return run.tester.Question(), nil },
				Trials:               func() (func(rules.Order) *order.Trial, error) { return run.tester.TrialFunc(), nil },
				LoadFullQuestion: func() (q *order.Question, err error) {
					asked, err = run.tester.FullQuestion()
					return asked, err
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if asked == nil {
				continue
			}
			if worst = max(worst, asked.Work()); asked.Work() > most+slack {
				t.Errorf("question %d: %q makes work of %d", i, text, asked.Work())
			}
		}
	}
	if worst <= most {
		t.Errorf("the worst of these letters makes work of %d, and is no trial of the bound", worst)
	}
}
