package adjudicator

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/order"
	mailmessage "samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// corpusGame is 1989 with a question that the corpus states.
type corpusGame struct {
	dawn1989.Game
	forms []string
}

func (g corpusGame) Prompt(rules.View, rules.Decision, []rules.Atom) rules.Prompt {
	return rules.Prompt{Numbered: g.forms != nil, Forms: g.forms}
}

// corpusPosition owes one decision.
type corpusPosition struct {
	rules.Position
	owed rules.Decision
}

func (p corpusPosition) Owed(dst []rules.Decision) []rules.Decision              { return append(dst, p.owed) }
func (corpusPosition) View(rules.Seat) rules.View                                { return nil }
func (corpusPosition) Options(dst []rules.Atom, _ rules.DecisionID) []rules.Atom { return dst }
func (corpusPosition) Stalled() bool                                             { return false }

// corpusStore knows that the letter which is answered asked the decision.
type corpusStore struct {
	Store
	asked rules.DecisionID
}

func (s corpusStore) Sent(context.Context, string, rules.Seat, int64) (Sent, bool, error) {
	return Sent{Number: 1, Decisions: []rules.DecisionID{s.asked}}, true, nil
}

// reads reads a letter as it came by mail, and says line by line how it was
// understood. Asked is the kind of the question with its numbered answers.
func reads(t testing.TB, parser *order.Parser, raw, asked string) string {
	t.Helper()
	letter := mailmessage.Read([]byte(strings.ReplaceAll(raw, "\n", "\r\n")))
	text, doubtful := mailmessage.ReadOrders(letter.Text)
	parts := strings.Split(asked, " | ")
	g := corpusGame{forms: parts[1:]}
	if len(parts) == 1 {
		g.forms = nil
	}
	kind, source, _ := strings.Cut(parts[0], "/")
	d := rules.Decision{ID: 7, Kind: kind, Source: source, Min: 1, Max: 1}
	s := &session{
		progress: &progress{a: &Adjudicator{Config: Config{Store: corpusStore{asked: d.ID}}},
			account: account{m: &Match{Seats: make([]Seat, 2)}, game: g, pos: corpusPosition{owed: d}}},
		letter: Letter{Orders: text, Token: &Token{Number: 1}}, parser: parser,
	}
	tasks, err := s.readLines(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, line := range doubtful {
		fmt.Fprintf(&b, "%s\n  doubtful\n", line)
	}
	for _, task := range tasks {
		fmt.Fprintf(&b, "%s\n", task.text)
		if task.fate != "" {
			fmt.Fprintf(&b, "  %s: %s\n", task.fate, task.note)
			continue
		}
		if len(task.order.Clauses) == 0 {
			b.WriteString("  = no order of the game\n")
			continue
		}
		if word := task.order.Clauses[0].Word; word == verbStatus || word == verbHelp || word == verbDrop || word == verbCard || word == verbResign || word == verbResend {
			fmt.Fprintf(&b, "  = %s", word)
			for _, it := range task.order.Clauses[0].Items {
				fmt.Fprintf(&b, " %d", it.Name.Number)
			}
			b.WriteString("\n")
			continue
		}
		answers, err := g.Answers(task.order, []rules.Decision{d})
		if err != nil {
			fmt.Fprintf(&b, "  refused: %s\n", sentence(err))
			continue
		}
		for _, a := range answers {
			fmt.Fprintf(&b, "  = %s\n", g.Line(a.Atoms))
		}
	}
	return b.String()
}

// TestCorpus reads letters as people write them and as their mail programs send
// them. What each is read as was settled by hand: nothing rewrites it.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/corpus/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	parser := order.New(language{dawn1989.Game{}})
	for _, path := range files {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(a.Files); i += 2 {
			eml, want := a.Files[i], a.Files[i+1]
			name, asked, _ := strings.Cut(want.Name, " asked ")
			if eml.Name != name {
				t.Fatalf("%s: %q is followed by %q", path, eml.Name, want.Name)
			}
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+eml.Name, func(t *testing.T) {
				t.Parallel()
				got := reads(t, parser, string(eml.Data), asked)
				if d := cmp.Diff(string(want.Data), got); d != "" {
					t.Errorf("-want +got\n%s", d)
				}
				namesCandidates(t, got)
			})
		}
	}
}

// namesCandidates fails when a line is refused without a word of what could have
// been meant or is to be written.
func namesCandidates(t *testing.T, reading string) {
	t.Helper()
	for line := range strings.Lines(reading) {
		text, refused := strings.CutPrefix(line, "  refused: ")
		if !refused {
			continue
		}
		helps := false
		for _, sign := range []string{"did you mean", "can be more than one", "two ways: ", "rite ", "begin", "numbers go from", "numbered from",
			" it is a", " wants a", " or ", "; orders begin", "repeat the name", "belongs", "does not go with", "CONCEDE", "have not resigned",
			"leave", "one way only", "stands above"} {
			helps = helps || strings.Contains(text, sign)
		}
		if !helps {
			t.Errorf("refused without help: %s", text)
		}
	}
}
