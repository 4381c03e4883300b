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

// minFreeSpace is the number of free bytes below which a note is printed.
const minFreeSpace = 1 << 30

// checkDirectory checks the data directory, and reports the results. It returns whether the directory exists.
func (d *doctor) checkDirectory(dir string) bool {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.checkCreatable(dir)
		return false
	case err != nil:
		d.reportProblem("set data to a directory that this user may use", "data directory: %s", plainError(err))
		return false
	case !info.IsDir():
		d.reportProblem("set data to a directory", "data directory: %s is a file", dir)
		return false
	}
	isGood := true
	if p := info.Mode().Perm(); p&0o077 != 0 {
		d.reportProblem("chmod 700 "+dir, "data directory: %s has the permissions %04o: others on this machine may look into it", dir, p)
		isGood = false
	}
	if owner, isOther := findOtherOwner(info); isOther {
		d.reportNote("data directory: %s belongs to %s; run samizdat, and the doctor, as that user", dir, owner)
	}
	if err := tryWrite(dir); err != nil {
		d.reportProblem("let this user write there, or set data to another directory", "data directory: nothing can be written to %s: %s",
			dir, errorCause(err))
		isGood = false
	}
	if isGood {
		d.reportOK("data directory: this user can write to %s, and no other user can read it", dir)
	}
	d.checkSpace(dir)
	return true
}

func (d *doctor) checkSite(dir string) {
	switch err := tryWrite(dir); {
	case errors.Is(err, fs.ErrNotExist):
		d.reportNote("site: %s is not there; samizdat serve makes it if it can", dir)
	case err != nil:
		d.reportProblem("let this user write there, or leave site empty", "site: nothing can be written to %s: %s", dir, errorCause(err))
	default:
		d.reportOK("site: %s can be written", dir)
	}
}

func (d *doctor) checkCreatable(dir string) {
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
		d.reportProblem("create it for this user (install -d -m 0700 -o USER "+dir+"), or set data to another directory",
			"data directory: %s does not exist and cannot be created: %s: %s", dir, parent, errorCause(err))
		return
	}
	d.reportNote("data directory: %s is not there yet; \"%s\" makes it", dir, d.serveCommand)
	d.checkSpace(parent)
}

// tryWrite writes a file to a directory and removes it again, because permissions do not show that a disk is mounted
// read-only.
func tryWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-")
	if err != nil {
		return err
	}
	_, err = f.WriteString("x")
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

// errorCause returns the text of an error without the name of the file that tryWrite wrote.
func errorCause(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// findOtherOwner returns the name of the user who owns a file. It returns false if that is the user of this program.
func findOtherOwner(info os.FileInfo) (string, bool) {
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

func (d *doctor) checkSpace(dir string) {
	switch disk, err := daemon.MeasureDisk(dir, time.Now()); {
	case err != nil:
		d.reportNote("disk: the free space is unknown: %v", err)
	case disk.IsLow():
		d.reportProblem("make room", "disk: only %s at %s", disk, dir)
	case disk.Free < minFreeSpace:
		d.reportNote("disk: only %s at %s", disk, dir)
	default:
		d.reportOK("disk: %s at %s", disk, dir)
	}
}

func (d *doctor) checkAlarms(ctx context.Context, db *storage.Inspection) {
	list, err := db.CurrentAlarms(ctx)
	if err != nil {
		d.reportProblem("try again", "daemon: %v", err)
	}
	for _, a := range list {
		notice := "the operator could not be notified"
		if !a.ReportedAt.Before(a.Since) {
			notice = "the operator was notified"
		}
		d.reportProblem(a.Hint, "daemon: since %s %s (%s)", a.Since.UTC().Format("2 January 2006, 15:04 UTC"), a.Fault, notice)
	}
}

func (d *doctor) checkKey(ctx context.Context, cfg config.Config) {
	text, err := os.ReadFile(cfg.KeyFile())
	exists, existsErr := storage.Exists(ctx, cfg.DSN())
	switch {
	case errors.Is(err, fs.ErrNotExist) && existsErr == nil && !exists:
		d.reportNote("key file: there is no key yet; it is made together with the database")
		return
	case errors.Is(err, fs.ErrNotExist):
		d.reportProblem("restore it from its copy: without it the database cannot be used", "key file: %s does not exist", cfg.KeyFile())
		return
	case err != nil:
		d.reportProblem("let this user read it", "key file: %s", plainError(err))
		return
	}
	if raw, err := hex.DecodeString(strings.TrimSpace(string(text))); err != nil || len(raw) != 32 {
		d.reportProblem("restore it from its copy", "key file: %s does not contain a key", cfg.KeyFile())
		return
	}
	if d.checkPrivate("key file", cfg.KeyFile()) {
		d.reportOK("key file: only its owner can read %s", cfg.KeyFile())
	}
}

// checkDatabase checks the schema and the key of the database, and looks for damage. It only reads, and does not migrate
// the schema.
func (d *doctor) checkDatabase(ctx context.Context, cfg config.Config) {
	path := cfg.RedactedDSN()
	if exists, err := storage.Exists(ctx, cfg.DSN()); err == nil && !exists {
		d.reportNote("database: there is no database yet; \"%s\" makes it", d.serveCommand)
		return
	}
	if !d.checkWritable(cfg.Data) {
		return
	}
	db, err := storage.Inspect(ctx, cfg.DSN())
	if err != nil {
		d.reportProblem(repairHint(cfg), "database: %s", strings.Join(strings.Fields(err.Error()), " "))
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
		d.reportProblem("install the newer program, or restore a backup of the older one", "database: %s: %s", path, text)
		return
	case errors.Is(err, storage.ErrOlder):
		d.reportProblem("back the database up first", "database: %s: %s", path, text)
		return
	case err != nil:
		d.reportProblem(repairHint(cfg), "database: %s: %s", path, text)
		return
	}
	if isUnfinished, err := db.IsUnfinished(ctx); err == nil && isUnfinished {
		d.reportProblem("call \"samizdat copy\" again, to the end", "database: a copy into %s was not finished", path)
	}
	d.checkServer(ctx, cfg, db)
	if cfg.UsesPostgres() {
		d.reportOK("database: %s answers, and this program knows its schema", path)
	} else {
		d.reportOK("database: %s is not damaged", path)
	}
	d.checkStopped(ctx, db)
	d.checkAlarms(ctx, db)
	if err := db.CheckKey(ctx, cfg.KeyFile()); errors.Is(err, storage.ErrOtherKey) {
		d.reportProblem("restore the key that belongs to this database",
			"key file: %s belongs to another database and cannot decrypt this one", cfg.KeyFile())
	}
}

func repairHint(cfg config.Config) string {
	if cfg.UsesPostgres() {
		return "check that the server runs, and that user and password in the URL are right"
	}
	return "stop the daemon, keep the file, and restore a backup"
}

const maxNamedMatches = 5

// checkStopped prints the matches that this program replays to another position than the stored position.
func (d *doctor) checkStopped(ctx context.Context, db *storage.Inspection) {
	list, err := db.Stopped(ctx)
	if err != nil {
		d.reportProblem("try again", "matches: %v", err)
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
	d.reportProblem("install the program that stored them, or a corrected one; docs/operator.md, \"A match that is stopped\", "+
		"has the commands",
		"matches: %d stopped, because the program %s replays them to other positions than the program that stored them: %s",
		len(list), list[0].ThisBuild,
		strings.Join(names, ", "))
}

// checkWritable checks that this user can write the files in the data directory, because a command of another user may
// have created them.
func (d *doctor) checkWritable(dir string) bool {
	files, err := os.ReadDir(dir)
	if err != nil {
		d.reportProblem("let this user read it", "data directory: %s", plainError(err))
		return false
	}
	isWritable := true
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
		isWritable = false
		owner := "this user"
		if info, err := e.Info(); err == nil {
			if name, isOther := findOtherOwner(info); isOther {
				owner = name
			}
		}
		d.reportProblem("give it to the daemon's user (chown, chmod 600), and run every command as that user",
			"data directory: %s cannot be written, and belongs to %s: %s", filepath.Join(dir, name), owner, errorCause(err))
	}
	return isWritable
}

func (d *doctor) checkDaemon(dir string) bool {
	// Each daemon leaves its lock file behind.
	if _, err := os.Stat(filepath.Join(dir, "serve.lock")); errors.Is(err, fs.ErrNotExist) {
		d.reportNote("daemon: no daemon has served this directory yet")
		return false
	}
	isServed, err := daemon.IsServed(dir)
	switch {
	case err != nil:
		d.reportProblem("run the doctor as the user of the daemon", "daemon: %s", plainError(err))
	case isServed:
		d.reportOK("daemon: a daemon is serving")
	default:
		d.reportNote("daemon: no daemon is serving now")
	}
	return isServed
}
