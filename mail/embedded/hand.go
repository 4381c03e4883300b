package embedded

import (
	"fmt"
	"strings"
	"time"
)

// Deliver puts a message into an account's inbox, as SMTP would.
func (s *Server) Deliver(address string, raw []byte) error {
	return s.DeliverTo(address, inbox, raw)
}

// DeliverTo puts a message into a folder of an account.
func (s *Server) DeliverTo(address, folder string, raw []byte) error {
	a := s.lookup(address)
	if a == nil {
		return fmt.Errorf("delivering a message: no account %q", address)
	}
	if _, _, err := a.deliver(folder, crlf(raw), time.Now(), nil); err != nil {
		return fmt.Errorf("delivering a message to %s: %w", address, err)
	}
	return nil
}

// Folder gives the messages in a folder of an account, oldest first; a folder
// that is not there holds none.
func (s *Server) Folder(address, folder string) ([][]byte, error) {
	a := s.lookup(address)
	if a == nil {
		return nil, fmt.Errorf("reading a folder: no account %q", address)
	}
	a.state.RLock()
	var here []message
	if b := a.boxes[boxName(folder)]; b != nil {
		for _, m := range b.messages {
			here = append(here, *m)
		}
	}
	a.state.RUnlock()
	out := make([][]byte, 0, len(here))
	for _, m := range here {
		raw, err := a.body(m, 0, m.size)
		if err != nil {
			return nil, fmt.Errorf("reading %s of %s: %w", folder, address, err)
		}
		out = append(out, raw)
	}
	return out, nil
}

// MakeFolder makes a folder of an account.
func (s *Server) MakeFolder(address, folder string) error {
	a := s.lookup(address)
	if a == nil {
		return fmt.Errorf("making a folder: no account %q", address)
	}
	return a.create(folder)
}

// RemoveFolder deletes a folder of an account with all that is in it. Whoever
// has it open is not told, as with many servers.
func (s *Server) RemoveFolder(address, folder string) error {
	return s.change(address, folder, func(b *mailbox) record { return record{Op: "delete", Box: b.name} })
}

// RenameFolder renames a folder of an account.
func (s *Server) RenameFolder(address, folder, to string) error {
	return s.change(address, folder, func(b *mailbox) record { return record{Op: "rename", Box: b.name, To: boxName(to)} })
}

// Renumber gives a folder a new UIDVALIDITY and its messages new numbers, as a
// server does that was restored from a backup. The folder cannot be the inbox.
func (s *Server) Renumber(address, folder string) error {
	if strings.EqualFold(folder, inbox) {
		return fmt.Errorf("renumbering a folder: not the inbox")
	}
	a := s.lookup(address)
	if a == nil {
		return fmt.Errorf("renumbering a folder: no account %q", address)
	}
	raws, err := s.Folder(address, folder)
	if err != nil {
		return err
	}
	if err := s.RemoveFolder(address, folder); err != nil {
		return err
	}
	if err := a.create(folder); err != nil {
		return err
	}
	for _, raw := range raws {
		if err := s.DeliverTo(address, folder, raw); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) change(address, folder string, how func(*mailbox) record) error {
	a := s.lookup(address)
	if a == nil {
		return fmt.Errorf("changing a folder: no account %q", address)
	}
	_, err := a.commit(nil, func() (record, []byte, error) {
		b, err := a.box(folder)
		if err != nil {
			return record{}, nil, err
		}
		return how(b), nil, nil
	})
	if err != nil {
		return fmt.Errorf("changing folder %s of %s: %w", folder, address, err)
	}
	return nil
}
