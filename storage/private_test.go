package storage

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"samizdat/internal/test/pgtest"
)

// TestPrivate: whatever permissions the files of a database had, nobody but their owner
// may read them once it is open.
func TestPrivate(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it is about the modes of files")
	dir := t.TempDir()
	db, _ := playing(t, dir)
	files, err := os.ReadDir(dir)
	must(t, err)
	if len(files) < 4 {
		t.Fatalf("there are only %v", files)
	}
	modes := func() map[string]fs.FileMode {
		out := map[string]fs.FileMode{}
		for _, f := range files {
			info, err := os.Stat(filepath.Join(dir, f.Name()))
			must(t, err)
			out[f.Name()] = info.Mode().Perm()
		}
		return out
	}
	for name, mode := range modes() {
		if mode&0o077 != 0 {
			t.Errorf("%s is made with %v", name, mode)
		}
		must(t, os.Chmod(filepath.Join(dir, name), 0o666))
	}
	again := open(t, dir)
	for name, mode := range modes() {
		if mode&0o077 != 0 {
			t.Errorf("%s is left with %v", name, mode)
		}
	}
	must(t, again.Close())
	must(t, db.Close())

	must(t, os.Chmod(dir, 0o755))
	must(t, Private(dir, filepath.Join(dir, "missing")))
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has %v, %v", info.Mode(), err)
	}
	must(t, os.Chmod(dir, 0o777|fs.ModeSticky))
	if err := Private(dir); err == nil {
		t.Error("a directory that everybody uses is taken")
	}
}
