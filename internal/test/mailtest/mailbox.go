package mailtest

import (
	"context"
	"fmt"
	"math"
	"net"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// inbox is the folder of new letters.
const inbox = "INBOX"

// Mailbox reads and changes an account over IMAP, as its owner or another mail client may do while
// the program under test runs. Each call opens its own connection.
type Mailbox struct {
	// Server is the IMAP address, without encryption. Dial connects to it; the default is TCP.
	Server         string
	Dial           func(ctx context.Context, network, address string) (net.Conn, error)
	User, Password string
}

// Deliver puts messages into the inbox.
func (m Mailbox) Deliver(raws ...[]byte) error { return m.DeliverTo(inbox, raws...) }

// DeliverTo puts messages into a folder.
func (m Mailbox) DeliverTo(folder string, raws ...[]byte) error {
	return m.do(func(c *imapclient.Client) error {
		for _, raw := range raws {
			if err := put(c, folder, raw); err != nil {
				return err
			}
		}
		return nil
	})
}

// Folder returns the messages in a folder, oldest first; none if the folder does not exist.
func (m Mailbox) Folder(folder string) (out [][]byte, err error) {
	err = m.do(func(c *imapclient.Client) error {
		out, err = read(c, folder)
		return err
	})
	return out, err
}

// Make makes a folder.
func (m Mailbox) Make(folder string) error {
	return m.do(func(c *imapclient.Client) error { return c.Create(folder, nil).Wait() })
}

// Remove deletes a folder with all that is in it.
func (m Mailbox) Remove(folder string) error {
	return m.do(func(c *imapclient.Client) error { return c.Delete(folder).Wait() })
}

// Rename renames a folder.
func (m Mailbox) Rename(folder, to string) error {
	return m.do(func(c *imapclient.Client) error { return c.Rename(folder, to, nil).Wait() })
}

// Renumber gives a folder a new UIDVALIDITY and its messages new UIDs, as after a restore from a
// backup. It fails for the inbox.
func (m Mailbox) Renumber(folder string) error {
	return m.do(func(c *imapclient.Client) error {
		raws, err := read(c, folder)
		if err != nil {
			return err
		}
		if err := c.Delete(folder).Wait(); err != nil {
			return err
		}
		if err := c.Create(folder, nil).Wait(); err != nil {
			return err
		}
		for _, raw := range raws {
			if err := put(c, folder, raw); err != nil {
				return err
			}
		}
		return nil
	})
}

// Fill puts n copies of a message with flags into the inbox. The server makes most copies: separate
// uploads of a large mailbox would take minutes.
func (m Mailbox) Fill(n int, raw []byte, flags ...imap.Flag) error {
	const seed = "Seed"
	return m.do(func(c *imapclient.Client) error {
		if err := c.Create(seed, nil).Wait(); err != nil {
			return err
		}
		most := int(math.Ceil(math.Sqrt(float64(n))))
		for range most {
			if err := put(c, seed, raw, flags...); err != nil {
				return err
			}
		}
		if _, err := c.Select(seed, nil).Wait(); err != nil {
			return err
		}
		for left := n; left > 0; left -= most {
			var some imap.SeqSet
			some.AddRange(1, uint32(min(most, left)))
			if _, err := c.Copy(some, inbox).Wait(); err != nil {
				return err
			}
		}
		if err := c.Unselect().Wait(); err != nil {
			return err
		}
		return c.Delete(seed).Wait()
	})
}

// do runs a function on a new connection that is logged in.
func (m Mailbox) do(what func(*imapclient.Client) error) error {
	dial := m.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	conn, err := dial(context.Background(), "tcp", m.Server)
	if err != nil {
		return fmt.Errorf("connect to the mailbox of %s: %w", m.User, err)
	}
	c := imapclient.New(conn, nil)
	defer c.Close()
	if err := c.Login(m.User, m.Password).Wait(); err != nil {
		return fmt.Errorf("log in to the mailbox of %s: %w", m.User, err)
	}
	if err := what(c); err != nil {
		return fmt.Errorf("in the mailbox of %s: %w", m.User, err)
	}
	return c.Logout().Wait()
}

// put appends a message with CRLF line ends, which IMAP requires.
func put(c *imapclient.Client, folder string, raw []byte, flags ...imap.Flag) error {
	text := strings.ReplaceAll(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n", "\r\n")
	a := c.Append(folder, int64(len(text)), &imap.AppendOptions{Flags: flags})
	if _, err := a.Write([]byte(text)); err != nil {
		return err
	}
	if err := a.Close(); err != nil {
		return err
	}
	_, err := a.Wait()
	return err
}

// read returns the messages in a folder without setting flags.
func read(c *imapclient.Client, folder string) ([][]byte, error) {
	there, err := c.List("", folder, nil).Collect()
	if err != nil || len(there) == 0 {
		return nil, err
	}
	box, err := c.Select(folder, &imap.SelectOptions{ReadOnly: true}).Wait()
	if err != nil || box.NumMessages == 0 {
		return nil, err
	}
	var all imap.SeqSet
	all.AddRange(1, 0)
	body := &imap.FetchItemBodySection{Peek: true}
	found, err := c.Fetch(all, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}}).Collect()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b *imapclient.FetchMessageBuffer) int { return int(a.SeqNum) - int(b.SeqNum) })
	var out [][]byte
	for _, f := range found {
		out = append(out, f.FindBodySection(body))
	}
	return out, c.Unselect().Wait()
}
