package demo

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"samizdat/mail/mailbox"
)

// LettersDir is the directory of the players' mailboxes, beside the record.
const LettersDir = "letters"

// saveLetters writes the mailbox of each player to a file in the mbox format (RFC 4155).
func (p *Players) saveLetters(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, s := range p.Seats {
		letters, err := p.Clients[s].FetchAll()
		if err == nil {
			err = writeMbox(filepath.Join(dir, s+".mbox"), letters)
		}
		if err != nil {
			return fmt.Errorf("save letters of %s: %w", s, err)
		}
	}
	return nil
}

func writeMbox(path string, letters [][]byte) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	defer func() { err = errors.Join(err, w.Flush(), f.Close()) }()
	for _, raw := range letters {
		if err := mailbox.Write(w, time.Now(), raw); err != nil {
			return err
		}
	}
	return nil
}
