package demo

import (
	"fmt"

	"samizdat/mail/message"
)

// Count holds the number and the sizes of the letters to a player. Sizes are in bytes as sent.
type Count struct {
	Letters, Bytes int
	// MoveRequests is the number of letters with a request for a move. LargestOther is the size of the largest
	// letter that neither asks for a move, nor invites, nor reports the end.
	MoveRequests, LargestOther int
}

func (c Count) String() string {
	asking := fmt.Sprintf("%d ask for a move", c.MoveRequests)
	if c.MoveRequests == 1 {
		asking = "one asks for a move"
	}
	others := "and between the invitation and the end there is no other"
	if c.LargestOther > 0 {
		others = fmt.Sprintf("and of the others between the invitation and the end the largest has %.1f kB", float64(c.LargestOther)/1e3)
	}
	return fmt.Sprintf("%d letters, %.1f MB: %s, %s", c.Letters, float64(c.Bytes)/1e6, asking, others)
}

func (p *Players) printCounts() error {
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
	letters, err := p.Clients[name].FetchAll()
	if err != nil {
		return c, fmt.Errorf("count the letters of %s: %w", name, err)
	}
	for _, raw := range letters {
		c.Letters, c.Bytes = c.Letters+1, c.Bytes+len(raw)
		switch l := message.Read(raw); {
		case IsMoveRequest(l):
			c.MoveRequests++
		case !isEnd(l) && !isInvitation(l):
			c.LargestOther = max(c.LargestOther, len(raw))
		}
	}
	return c, nil
}
