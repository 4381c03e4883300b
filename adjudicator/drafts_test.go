package adjudicator

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// breaking is a mail side on which the letters to some seats break.
type breaking struct {
	exchange.Codec
	with func(rules.Seat) error
}

func (b breaking) Render(outgoing exchange.OutgoingLetter) (exchange.RenderedMessage, error) {
	text := fmt.Sprintf("to %d", outgoing.Seat)
	if !strings.Contains(outgoing.Body, "Stands "+text) {
		return exchange.RenderedMessage{}, fmt.Errorf("its standing part is not in it:\n%s", outgoing.Body)
	}
	return exchange.RenderedMessage{Bytes: []byte(text)}, b.with(outgoing.Seat)
}

// TestDraftsTogether: letters that are laid out at the same time come out in their order, and one that fails, or
// panics, wherever it is laid out, makes an error of all.
func TestDraftsTogether(t *testing.T) {
	t.Parallel()
	const seats = 7
	write := func(with func(rules.Seat) error) ([]exchange.OutgoingLetter, error) {
		turn := &match.Turn{Match: &match.Match{Seats: make([]match.Seat, seats)}}
		run := &letterRun{adjudicator: &Adjudicator{Config: Config{ReplyConfig: conversation.ReplyConfig{Codec: breaking{with: with}}}}, turn: turn, execution: &match.Execution{Turn: turn}}
		drafts := make([]draft, seats)
		for i := range drafts {
			drafts[i].Seat, drafts[i].seat = rules.Seat(i), rules.Seat(i)
			drafts[i].addStandingSections = func(content *templates.Letter) {
				content.Sections = []rules.Section{{Title: "Map", Lines: []string{fmt.Sprintf("Stands to %d", i)}}}
			}
		}
		return writeDrafts(run, drafts)
	}
	letters, err := write(func(rules.Seat) error { return nil })
	if err != nil || len(letters) != seats {
		t.Fatalf("%d letters, %v", len(letters), err)
	}
	for i, outgoing := range letters {
		if want := fmt.Sprintf("to %d", i); string(outgoing.Raw.Bytes) != want {
			t.Errorf("letter %d is %q", i, outgoing.Raw.Bytes)
		}
	}
	errBroken := errors.New("broken")
	for bad := range rules.Seat(seats) {
		letters, err := write(func(s rules.Seat) error {
			if s == bad {
				return errBroken
			}
			return nil
		})
		if !errors.Is(err, errBroken) || letters != nil {
			t.Errorf("letter %d breaks: %d letters, %v", bad, len(letters), err)
		}
		_, err = write(func(s rules.Seat) error {
			if s == bad {
				panic("broken")
			}
			return nil
		})
		if p := (*PanicError)(nil); !errors.As(err, &p) {
			t.Errorf("letter %d panics: %v", bad, err)
		}
	}
}
