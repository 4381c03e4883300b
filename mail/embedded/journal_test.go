package embedded

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/google/go-cmp/cmp"
)

func TestTornEndIsCutOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	for i := range 3 {
		if err := send(t, s, "judge@demo", letter(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "judge@demo.mail")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{1, 13, 100} {
		if err := os.WriteFile(path, whole[:len(whole)-cut], 0o600); err != nil {
			t.Fatal(err)
		}
		s := start(t, dir)
		if got := contents(t, login(t, s, nil), "INBOX"); len(got) != 2 {
			t.Errorf("cut of %d: got %v, want the first two letters", cut, got)
		}
		if err := send(t, s, "judge@demo", letter(7)); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// Damage in the middle is no torn write: nothing may be thrown away.
	bad := bytes.Clone(whole)
	bad[len(bad)/2] ^= 1
	if err := os.WriteFile(path, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Start(t.Context(), Config{Dir: dir, Accounts: accounts}); err == nil {
		_ = s.Close()
		t.Error("a damaged journal was opened")
	}
}

func TestCompaction(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	body := strings.Repeat(strings.Repeat("y", 76)+"\r\n", 1<<20/78)
	for i := range 6 {
		if err := send(t, s, "judge@demo", letter(i)+body); err != nil {
			t.Fatal(err)
		}
	}
	c := login(t, s, nil)
	sel, err := c.Select("INBOX", nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Store(imap.UIDSetNum(1, 2, 4, 5, 6), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Expunge().Close(); err != nil {
		t.Fatal(err)
	}
	want := contents(t, c, "INBOX")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = start(t, dir)
	c = login(t, s, nil)
	if d := cmp.Diff(contents(t, c, "INBOX"), want); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
	again, err := c.Select("INBOX", nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	if again.UIDValidity != sel.UIDValidity || again.UIDNext != 7 {
		t.Errorf("got validity %d next %d, want %d 7", again.UIDValidity, again.UIDNext, sel.UIDValidity)
	}
	st, err := os.Stat(filepath.Join(dir, "judge@demo.mail"))
	if err != nil {
		t.Fatal(err)
	}
	if st.Size() > 2<<20 {
		t.Errorf("the journal still has %d bytes", st.Size())
	}
}
