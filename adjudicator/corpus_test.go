package adjudicator

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// reads reads a letter as it came by mail, and says line by line how it was
// understood. Asked is the kind of the question with its numbered answers.
func reads(t testing.TB, reader *letter.Reader, raw, asked string) string {
	t.Helper()
	mail := message.Read([]byte(strings.ReplaceAll(raw, "\n", "\r\n")))
	orders := message.ReadOrders(mail.Text, message.Referee{Addresses: mail.To, Names: []string{"Samizdat"}})
	parts := strings.Split(asked, " | ")
	kind, source, _ := strings.Cut(parts[0], "/")
	g, d := dawn1989.Game(), rules.Decision{ID: 7, Kind: kind, Source: source, Min: 1, Max: 1}
	question := letter.AnsweredQuestion{Decision: &d}
	if len(parts) > 1 {
		question.NumberedAnswers = parts[1:]
	}
	lines, err := reader.Read(letter.Letter{Text: orders.Text, PossibleQuoteEnds: orders.PossibleQuoteEnds, Seats: []string{"", ""}, LoadAnsweredQuestion: func() (letter.AnsweredQuestion, error) { return question, nil }})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, line := range orders.Doubtful {
		fmt.Fprintf(&b, "%s\n  doubtful\n", line)
	}
	for _, line := range lines {
		fmt.Fprintf(&b, "%s\n", line.Text)
		switch class := line.Class(); {
		case line.Kind == letter.KindDoubt && len(letter.Doubts(lines)) > 0:
			fmt.Fprintf(&b, "  speaks against the orders: %s\n", line.Why)
		case line.Kind == letter.KindTalk, line.Kind == letter.KindDoubt:
			fmt.Fprintf(&b, "  ignored: %s\n", line.Why)
		case line.Kind == letter.KindUnreadable:
			fmt.Fprintf(&b, "  refused: %s\n", line.Why)
		case class == letter.ClassQueryInSequence, class == letter.ClassAction:
			fmt.Fprintf(&b, "  = %s", line.Command.Word)
			if n := line.Command.Name.Number; n > 0 {
				fmt.Fprintf(&b, " %d", n)
			}
			b.WriteString("\n")
		case line.Kind != letter.KindGameOrder:
			b.WriteString("  = no order of the game\n")
		default:
			if line.Doubt != "" {
				fmt.Fprintf(&b, "  asks back: %s\n", line.Doubt)
			}
			answers, err := g.Answers(line.Order, []rules.Decision{d})
			if err != nil {
				fmt.Fprintf(&b, "  refused: %s\n", match.ErrorSentence(err))
				continue
			}
			for _, a := range answers {
				fmt.Fprintf(&b, "  = %s\n", g.FormatOrder(a.Atoms))
			}
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
	reader := letter.New(dawn1989.Game())
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
				got := reads(t, reader, string(eml.Data), asked)
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
			" it is a", " wants a", "needs a", " or ", "; orders begin", "repeat the name", "belongs", "does not go with", "CONCEDE", "have not resigned",
			"leave", "one way only", "answered it already", "; say what "} {
			helps = helps || strings.Contains(text, sign)
		}
		if !helps {
			t.Errorf("refused without help: %s", text)
		}
	}
}
