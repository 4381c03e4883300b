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
	asking := fmt.Sprintf("%d ask for a move", c.Asking)
	if c.Asking == 1 {
		asking = "one asks for a move"
	}
	others := "and between the invitation and the end there is no other"
	if c.Largest > 0 {
		others = fmt.Sprintf("and of the others between the invitation and the end the largest has %.1f kB", float64(c.Largest)/1e3)
	}
	return fmt.Sprintf("%d letters, %.1f MB: %s, %s", c.Letters, float64(c.Bytes)/1e6, asking, others)
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
	all, err := p.Clients[name].FetchAll()
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
