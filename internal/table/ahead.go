package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"samizdat/adjudicator"
)

// ahead is what is kept for later moves when a match is left. It stands in a file beside the
// record, which has only what was carried out.
type ahead struct {
	// Head is the hash of the record's last entry: what was kept belongs to no other moment.
	Head string             `json:"head"`
	Held []adjudicator.Held `json:"held"`
}

// aheadOf is the file beside a record.
func aheadOf(path string) string { return path + ".ahead" }

// keepAhead writes what is kept for later beside the record, or takes away what stood there.
func (m *Match) keepAhead(path string) error {
	if len(m.store.match.Held) == 0 || m.Over() {
		if err := os.Remove(aheadOf(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove what was kept for later: %w", err)
		}
		return nil
	}
	data, err := json.Marshal(ahead{m.store.match.Head, m.store.match.Held})
	if err != nil {
		return fmt.Errorf("keep what is meant for later: %w", err)
	}
	return os.WriteFile(aheadOf(path), data, 0o600)
}

// readAhead takes up what was kept for later.
func (m *Match) readAhead(path string) error {
	data, err := os.ReadFile(aheadOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var a ahead
	if err == nil {
		err = json.Unmarshal(data, &a)
	}
	if err != nil {
		return fmt.Errorf("read what was kept for later: %w", err)
	}
	if a.Head == m.store.match.Head {
		m.store.match.Held = a.Held
	}
	return nil
}
