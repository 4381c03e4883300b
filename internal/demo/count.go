package demo

import (
	"fmt"

	"samizdat/mail/message"
)

// Count is how many letters a player has got, and how many bytes they have as they were
// sent.
type Count struct {
	Letters, Bytes int
	// Asking are those that ask for a move, and Largest is the largest of the letters
	// between the invitation and the end that do not.
	Asking, Largest int
}

func (c Count) String() string {
	return fmt.Sprintf("%d letters, %.1f MB: %d ask for a move, and no other between the invitation and the end has more than %.1f kB",
		c.Letters, float64(c.Bytes)/1e6, c.Asking, float64(c.Largest)/1e3)
}

// tellCounts tells what each player has got.
func (p *Players) tellCounts() error {
	for _, name := range p.Seats {
		c, err := p.Count(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.Out, "%-9s got %s\n", name, c)
	}
	return nil
}

// Count counts the letters in a player's mailbox.
func (p *Players) Count(name string) (c Count, err error) {
	all, err := p.Clients[name].All()
	if err != nil {
		return c, fmt.Errorf("count the letters of %s: %w", name, err)
	}
	for _, raw := range all {
		c.Letters, c.Bytes = c.Letters+1, c.Bytes+len(raw)
		switch l := message.Read(raw); {
		case IsMove(l):
			c.Asking++
		case !isEnd(l) && !invites(l):
			c.Largest = max(c.Largest, len(raw))
		}
	}
	return c, nil
}
