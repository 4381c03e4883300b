package letter_test

import (
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/order"
	"samizdat/internal/test/climb"
	"samizdat/rules/dawn1989"
)

// TestClimb: the longest letter that is read takes 20 ms at most, whatever it says.
func TestClimb(t *testing.T) {
	t.Parallel()
	g := dawn1989.Game()
	r := letter.New(g)
	var words []string
	for _, k := range g.Keywords() {
		words = append(words, k.Word)
	}
	c := climb.Climber{Heads: []string{"", "PLAY 36 OPS ", "36 ops: ", "I would like to ", "ANSWER 45 ", "IF ", "MESSAGE ", "PREVIEW "}, Pieces: climb.Orders(words...), Length: 16 << 10, Lines: 400, Words: 790,
		Ordinary: strings.Repeat("PLAY 36 OPS PLACE Lodz 2, Krakow, Gdansk\n", 95), Most: 20 * time.Millisecond, Times: 20, Shorter: true,
		Read: func(text string) {
			if len(order.Split(text)) > 400 {
				return // It is refused unread.
			}
			_, _ = r.Read(letter.Letter{Text: strings.TrimSpace(text), Seats: []string{"democrat", "communist"}})
		}}
	c.Run(t)
}
