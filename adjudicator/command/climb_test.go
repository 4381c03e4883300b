package command_test

import (
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/command"
	"samizdat/adjudicator/order"
	"samizdat/internal/climb"
	"samizdat/rules/dawn1989"
)

// TestClimb: the longest letter that is read takes 40 ms at most, whatever it says.
func TestClimb(t *testing.T) {
	t.Parallel()
	g := dawn1989.Game{}
	r := command.New(g)
	pieces := []string{" ", "\n", ",", ", ", ";", ":", "(", ")", "\"", "'", "-", "- ", "//", "?", "!", ".", "1", "2 ", "36 ", "x", "é", "\u00df", "👍", "E36", "x2", "3x",
		"one ", "twenty ", "hundred ", "and ", "or ", "then ", "not ", "if ", "else ", "but ", "only ", "with ", "for ", "in ", "the ", "card ", "number ", "ops ", "event ",
		"I ", "would ", "like ", "to ", "play ", "sorry ", "please ", "thanks ", "hi ", "cancel ", "yes ", "no ", "Ada ", "never mind ", "don't ", "maybe ", "should ", "what does "}
	for _, k := range g.Keywords() {
		pieces = append(pieces, k.Word+" ")
	}
	pieces = append(pieces, "Lodz ", "Krakow, ", "Krakwo ", "Prague ", "Plzen ", "Stefan Cardinal Wyszynski ", "Honecker ", "East Germany ", "St. Nicholas Church ", "PREVIEW ", "MESSAGE ", "END MESSAGE\n",
		"HAND ", "STATUS ", "THEN ", "IF ", "GRACE 3h ", "TIMEZONE ", "Europe/Warsaw ", "VACATION ", "2026-12-20 ", "TO ", "DELAY ", "RULES ", "CARD ", "HISTORY ", "RESEND ", "FORMAT TEXT ", "ADDRESS ada@x.test ", "ASK ", "TAKEBACK ")
	c := climb.Climber{Heads: []string{"", "PLAY 36 OPS ", "36 ops: ", "I would like to ", "ANSWER 45 ", "IF ", "MESSAGE ", "PREVIEW "}, Pieces: pieces, Length: 16 << 10, Lines: 400,
		Ordinary: "PLAY 36 OPS PLACE Lodz 2, Krakow\n", Most: 40 * time.Millisecond, Times: 6,
		Read: func(text string) {
			if len(order.Split(text)) > 400 {
				return // It is refused unread.
			}
			_, _ = r.Read(command.Letter{Text: strings.TrimSpace(text), Seats: []string{"democrat", "communist"}})
		}}
	c.Run(t)
}
