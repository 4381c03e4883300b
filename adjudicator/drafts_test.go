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
	exchange.Post
	with func(rules.Seat) error
}

func (b breaking) Render(d exchange.OutgoingLetter) (exchange.Rendered, error) {
	text := fmt.Sprintf("to %d", d.Seat)
	if !strings.Contains(d.Body, "Stands "+text) {
		return exchange.Rendered{}, fmt.Errorf("its standing part is not in it:\n%s", d.Body)
	}
	return exchange.Rendered{Bytes: []byte(text)}, b.with(d.Seat)
}

// TestDraftsTogether: letters that are laid out at the same time come out in their order, and one that fails, or
// panics, wherever it is laid out, makes an error of all.
func TestDraftsTogether(t *testing.T) {
	t.Parallel()
	const seats = 7
	write := func(with func(rules.Seat) error) ([]exchange.OutgoingLetter, error) {
		turn := &match.Turn{Match: &match.Match{Seats: make([]match.Seat, seats)}}
		run := &letterRun{adjudicator: &Adjudicator{Config: Config{ReplyConfig: conversation.ReplyConfig{Post: breaking{with: with}}}}, turn: turn, play: &match.Play{Turn: turn}}
		drafts := make([]draft, seats)
		for i := range drafts {
			drafts[i].Seat, drafts[i].seat = rules.Seat(i), rules.Seat(i)
			drafts[i].addStandingParts = func(l *templates.Letter) {
				l.Sections = []rules.Section{{Title: "Map", Lines: []string{fmt.Sprintf("Stands to %d", i)}}}
			}
		}
		return writeDrafts(run, drafts)
	}
	letters, err := write(func(rules.Seat) error { return nil })
	if err != nil || len(letters) != seats {
		t.Fatalf("%d letters, %v", len(letters), err)
	}
	for i, d := range letters {
		if want := fmt.Sprintf("to %d", i); string(d.Raw.Bytes) != want {
			t.Errorf("letter %d is %q", i, d.Raw.Bytes)
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
