package doctor

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/storage"
)

// goodFree is the free space in bytes below which a note is printed.
const goodFree = 1 << 30

// directory checks the data directory, and reports whether it exists.
func (d *doctor) directory(dir string) bool {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.missing(dir)
		return false
	case err != nil:
		d.wrong("set data to a directory that this user may use", "data directory: %s", plainError(err))
		return false
	case !info.IsDir():
		d.wrong("set data to a directory", "data directory: %s is a file", dir)
		return false
	}
	good := true
	if p := info.Mode().Perm(); p&0o077 != 0 {
		d.wrong("chmod 700 "+dir, "data directory: %s has the permissions %04o: others on this machine may look into it", dir, p)
		good = false
	}
	if owner, other := otherOwner(info); other {
		d.note("data directory: %s belongs to %s; run samizdat, and the doctor, as that user", dir, owner)
	}
	if err := tryWrite(dir); err != nil {
		d.wrong("let this user write there, or set data to another directory", "data directory: nothing can be written to %s: %s",
			dir, cause(err))
		good = false
	}
	if good {
		d.ok("data directory: this user can write to %s, and no other user can read it", dir)
	}
	d.space(dir)
	return true
}

func (d *doctor) site(dir string) {
	switch err := tryWrite(dir); {
	case errors.Is(err, fs.ErrNotExist):
		d.note("site: %s is not there; samizdat serve makes it if it can", dir)
	case err != nil:
		d.wrong("let this user write there, or leave site empty", "site: nothing can be written to %s: %s", dir, cause(err))
	default:
		d.ok("site: %s can be written", dir)
	}
}

// missing checks whether the data directory can be made.
func (d *doctor) missing(dir string) {
	parent, err := filepath.Abs(dir)
	for err == nil && parent != filepath.Dir(parent) {
		parent = filepath.Dir(parent)
		info, statErr := os.Stat(parent)
		if errors.Is(statErr, fs.ErrNotExist) {
			continue
		}
		if err = statErr; err == nil && !info.IsDir() {
			err = &os.PathError{Path: parent, Err: syscall.ENOTDIR}
		}
		break
	}
	if err == nil {
		err = tryWrite(parent)
	}
	if err != nil {
		d.wrong("make it for this user (install -d -m 0700 -o USER "+dir+"), or set data to another directory",
			"data directory: %s is not there and cannot be made: %s: %s", dir, parent, cause(err))
		return
	}
	d.note("data directory: %s is not there yet; \"%s\" makes it", dir, d.create)
	d.space(parent)
}

// tryWrite writes a file to a directory and removes it again. The permissions alone do not show a disk that is mounted
// read-only.
func tryWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-")
	if err != nil {
		return err
	}
	_, err = f.WriteString("x")
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

// cause is the text of an error without the name of the file that tryWrite wrote.
func cause(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// otherOwner returns the owner of a file, if it is another user than that of this program.
func otherOwner(info os.FileInfo) (string, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(s.Uid) == os.Geteuid() {
		return "", false
	}
	id := strconv.FormatUint(uint64(s.Uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return u.Username, true
	}
	return "user " + id, true
}

func (d *doctor) space(dir string) {
	switch disk, err := daemon.MeasureDisk(dir, time.Now()); {
	case err != nil:
		d.note("disk: the free space is unknown: %v", err)
	case disk.Low():
		d.wrong("make room", "disk: only %s at %s", disk, dir)
	case disk.Free < goodFree:
		d.note("disk: only %s at %s", disk, dir)
	default:
		d.ok("disk: %s at %s", disk, dir)
	}
}

// alarms prints the faults that the daemon has stored.
func (d *doctor) alarms(ctx context.Context, db *storage.Inspection) {
	list, err := db.Alarms(ctx)
	if err != nil {
		d.wrong("try again", "daemon: %v", err)
	}
	for _, a := range list {
		told := "the operator could not be told"
		if !a.Told.Before(a.Since) {
			told = "the operator was told"
		}
		d.wrong(a.Hint, "daemon: since %s %s (%s)", a.Since.UTC().Format("2 January 2006, 15:04 UTC"), a.What, told)
	}
}

// key checks the key file, without which the database cannot be used.
func (d *doctor) key(ctx context.Context, cfg config.Config) {
	text, err := os.ReadFile(cfg.KeyFile())
	found, unknown := storage.Exists(ctx, cfg.Database())
	switch {
	case errors.Is(err, fs.ErrNotExist) && unknown == nil && !found:
		d.note("key file: there is no key yet; it is made together with the database")
		return
	case errors.Is(err, fs.ErrNotExist):
		d.wrong("put its copy back: without it the database cannot be used", "key file: %s is not there", cfg.KeyFile())
		return
	case err != nil:
		d.wrong("let this user read it", "key file: %s", plainError(err))
		return
	}
	if raw, err := hex.DecodeString(strings.TrimSpace(string(text))); err != nil || len(raw) != 32 {
		d.wrong("put its copy back", "key file: %s does not hold a key", cfg.KeyFile())
		return
	}
	if d.private("key file", cfg.KeyFile()) {
		d.ok("key file: only its owner can read %s", cfg.KeyFile())
	}
}

// database checks the database for damage, its schema and its key. It changes nothing, and does not upgrade an older
// schema.
func (d *doctor) database(ctx context.Context, cfg config.Config) {
	path := cfg.ShownDatabase()
	if found, err := storage.Exists(ctx, cfg.Database()); err == nil && !found {
		d.note("database: there is no database yet; \"%s\" makes it", d.create)
		return
	}
	if !d.ours(cfg.Data) {
		return
	}
	db, err := storage.Inspect(ctx, cfg.Database())
	if err != nil {
		d.unopened(cfg, err)
		return
	}
	defer func() { _ = db.Close() }() // nothing was written
	err = db.Check(ctx)
	text := ""
	if err != nil {
		text = strings.Join(strings.Fields(err.Error()), " ")
	}
	switch {
	case errors.Is(err, storage.ErrNewer):
		d.wrong("install the newer program, or restore a backup of the older one", "database: %s: %s", path, text)
		return
	case errors.Is(err, storage.ErrOlder):
		d.wrong("back the database up first", "database: %s: %s", path, text)
		return
	case err != nil:
		d.wrong(mendDamage(cfg), "database: %s: %s", path, text)
		return
	}
	if unfinished, err := db.Unfinished(ctx); err == nil && unfinished {
		d.wrong("call \"samizdat copy\" again, to the end", "database: a copy into %s was not finished", path)
	}
	d.server(ctx, cfg, db)
	// The data directory's permissions were checked before.
	if cfg.OnServer() {
		d.ok("database: %s answers, and this program knows its schema", path)
	} else {
		d.ok("database: %s is sound", path)
	}
	d.stopped(ctx, db)
	d.alarms(ctx, db)
	if err := db.CheckKey(ctx, cfg.KeyFile()); errors.Is(err, storage.ErrOtherKey) {
		d.wrong("put back the copy of the key that belongs to this database",
			"key file: %s was not made with this database, and opens nothing in it", cfg.KeyFile())
	}
}

func (d *doctor) unopened(cfg config.Config, err error) {
	d.wrong(mendDamage(cfg), "database: %s", strings.Join(strings.Fields(err.Error()), " "))
}

func mendDamage(cfg config.Config) string {
	if cfg.OnServer() {
		return "look whether the server runs, and whether name and password of the URL are right"
	}
	return "stop the daemon, keep the file, and restore a backup"
}

// maxNamedMatches bounds the names of stopped matches in a finding.
const maxNamedMatches = 5

// stopped prints the matches whose replay by this program gives another position than the stored one.
func (d *doctor) stopped(ctx context.Context, db *storage.Inspection) {
	list, err := db.Stopped(ctx)
	if err != nil {
		d.wrong("try again", "matches: %v", err)
		return
	}
	if len(list) == 0 {
		return
	}
	var names []string
	for i, s := range list {
		if i == maxNamedMatches {
			names = append(names, "...")
			break
		}
		names = append(names, s.Match)
	}
	d.wrong("install the program that stored them, or a corrected one; docs/operator.md, \"A match that is stopped\", "+
		"has the commands",
		"matches: %d stopped, since the program %s replays them to other positions than the program that stored them: %s", len(list), list[0].Is,
		strings.Join(names, ", "))
}

// ours checks that this user can write the files in the data directory: a command of another user may have made them.
func (d *doctor) ours(dir string) bool {
	files, err := os.ReadDir(dir)
	if err != nil {
		d.wrong("let this user read it", "data directory: %s", plainError(err))
		return false
	}
	good := true
	for _, e := range files {
		name := e.Name()
		if !e.Type().IsRegular() || !slices.Contains([]string{"serve.lock", "samizdat.db", "samizdat.db-wal", "samizdat.db-shm"}, name) {
			continue
		}
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
		if err == nil {
			err = f.Close()
		}
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		good = false
		owner := "this user"
		if info, err := e.Info(); err == nil {
			if name, other := otherOwner(info); other {
				owner = name
			}
		}
		d.wrong("give it to the daemon's user (chown, chmod 600), and run every command as that user",
			"data directory: %s cannot be written, and belongs to %s: %s", filepath.Join(dir, name), owner, cause(err))
	}
	return good
}

// daemon reports whether a daemon serves the data directory.
func (d *doctor) daemon(dir string) bool {
	// Do not make a lock file here: it might belong to the wrong user.
	if _, err := os.Stat(filepath.Join(dir, "serve.lock")); errors.Is(err, fs.ErrNotExist) {
		d.note("daemon: no daemon has served this directory yet")
		return false
	}
	served, err := daemon.IsServed(dir)
	switch {
	case err != nil:
		d.wrong("run the doctor as the user of the daemon", "daemon: %s", plainError(err))
	case served:
		d.ok("daemon: a daemon is serving")
	default:
		d.note("daemon: no daemon is serving now")
	}
	return served
}
