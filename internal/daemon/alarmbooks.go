package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"samizdat/storage"
)

// alarmBooks keep what the operator was told: in the database, for the next start and for other daemons.
// What cannot be written there is kept in memory and in a file until it can be.
type alarmBooks struct {
	db      *storage.DB
	dir     string
	unsaved map[string]storage.Alarm
	// known is what the database had when it could be read last.
	known map[string]storage.Alarm
}

// unsavedFile has what the database does not know yet.
func unsavedFile(dir string) string { return filepath.Join(dir, "operator-told") }

func newAlarmBooks(db *storage.DB, dir string) alarmBooks {
	b := alarmBooks{db: db, dir: dir, unsaved: map[string]storage.Alarm{}, known: map[string]storage.Alarm{}}
	if text, err := os.ReadFile(unsavedFile(dir)); err == nil {
		_ = json.Unmarshal(text, &b.unsaved) // A full disk may have cut it off: then he is told again.
	}
	return b
}

// read returns what he was told, by its cause.
func (b *alarmBooks) read(ctx context.Context) (map[string]storage.Alarm, error) {
	list, err := b.db.Alarms(ctx)
	if err == nil {
		clear(b.known)
		for _, a := range list {
			b.known[a.Cause] = a
		}
	}
	out := map[string]storage.Alarm{}
	for _, from := range []map[string]storage.Alarm{b.known, b.unsaved} {
		for cause, a := range from {
			out[cause] = a
		}
	}
	return out, err
}

// write notes one more, and what could not be noted before.
func (b *alarmBooks) write(ctx context.Context, a storage.Alarm, now time.Time) error {
	before := len(b.unsaved)
	b.unsaved[a.Cause] = a
	var failed error
	for cause, a := range b.unsaved {
		if err := b.db.NoteAlarm(ctx, a, now); err != nil {
			failed = err
			break
		}
		delete(b.unsaved, cause)
	}
	if before == 0 && len(b.unsaved) == 0 {
		return nil
	}
	text, err := json.Marshal(b.unsaved)
	if err == nil && len(b.unsaved) > 0 {
		err = os.WriteFile(unsavedFile(b.dir), text, 0o600)
	} else if err == nil {
		err = os.Remove(unsavedFile(b.dir))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(failed, fmt.Errorf("note what the operator was told: %w", err))
	}
	return failed
}
