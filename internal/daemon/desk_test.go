package daemon

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"samizdat/mail"
	"samizdat/storage"
)

// TestFolderOfAnotherVersion: a letter that a daemon of another version has handled is filed, although
// its folder is not known here; what is no folder is handed in again.
func TestFolderOfAnotherVersion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what   string
		folder mail.Folder
		err    error
		warns  bool
	}{
		{"Samizdat/Questions", mail.Questions, nil, false},
		{"Samizdat/Sorted", mail.Done, nil, true},
		{outcomeCrashed, "", mail.ErrCrashed, false},
		{"sorted", "", errElsewhere, false},
	} {
		var said bytes.Buffer
		d := newDesk(nil, (*storage.Session)(nil), nil, NewLog(&said, 0))
		r := mail.Received{UIDValidity: 7, UID: 8}
		d.lay(r, nil)
		d.came(inboxName{7, 8}, result{what: tt.what})
		f, err := d.Handle(t.Context(), r)
		if f != tt.folder || !errors.Is(err, tt.err) {
			t.Errorf("%s: filed in %q, %v", tt.what, f, err)
		}
		if warned := strings.Contains(said.String(), tt.what); warned != tt.warns {
			t.Errorf("%s: the log says %q", tt.what, said.String())
		}
	}
}
