package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/history"
	"samizdat/internal/report"
	"samizdat/internal/secretary"
	clubsite "samizdat/internal/site"
	"samizdat/rules"
	"samizdat/storage"
)

const (
	// siteEvery is how often it is looked for matches whose pages are to be written.
	siteEvery = time.Minute
	// sitePause is how long the writer of pages rests after each, for what is in more haste.
	sitePause = time.Second
	pageEnd   = ".html"
	// recordEnd ends the names of records, which stand beside the pages.
	recordEnd = ".jsonl"
	// clubEvery is how often the pages of the club are written at most: they take seconds where
	// it is large.
	clubEvery = 10 * time.Minute
	// pageDraft begins the names of pages that are being written.
	pageDraft = ".samizdat-page-"
)

// site writes the pages of the matches that are over, as soon as nothing of them is hidden
// any more. It only reads the database. What is written is found by what stands in the
// pages: after a restart nothing is written twice, and another build writes all again.
type site struct {
	dir, build  string
	games       rules.Games
	db          *storage.DB
	adjudicator *adjudicator.Adjudicator
	// club is nil where there is none; wrote is when its pages were written last.
	club  *secretary.Secretary
	wrote time.Time
	log   *slog.Logger
	// seen are the versions of matches whose pages are as they should be.
	seen    map[string]int64
	failing backoffs
}

// site is the writer of pages that the configuration wants; nil for none.
func (d *Daemon) site() *site {
	if d.Config.Site == "" {
		return nil
	}
	return d.siteAt(d.Config.Site)
}

func (d *Daemon) siteAt(dir string) *site {
	return &site{dir: dir, build: build(), games: d.games, db: d.DB, adjudicator: d.Adjudicator, club: d.Club, log: d.log, seen: map[string]int64{}}
}

// prepare makes the directory, and removes what was being written when the daemon ended.
func (s *site) prepare() error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return fmt.Errorf("make the directory: %w", err)
	}
	drafts, err := filepath.Glob(filepath.Join(s.dir, pageDraft+"*"))
	for _, d := range drafts {
		err = errors.Join(err, os.Remove(d))
	}
	return err
}

// siteHint is in the log where pages cannot be written.
const siteHint = "let the daemon write to the directory that site names: docs/operator.md, \"Pages of matches\""

// run writes pages until the context ends.
func (s *site) run(ctx context.Context) error {
	if s == nil {
		return nil
	}
	t := time.NewTicker(siteEvery)
	defer t.Stop()
	for {
		if now := time.Now(); !s.failing.waits("", now) {
			if err := s.look(ctx, now, sitePause); err != nil && ctx.Err() == nil {
				s.log.Error("pages of matches cannot be looked after", "site", s.dir, "error", err, "retry_in", s.failing.add("", now), "hint", siteHint)
			}
			if now.Sub(s.wrote).Abs() >= clubEvery {
				s.wrote = now
				if _, err := s.clubPages(ctx, now); err != nil && ctx.Err() == nil {
					s.log.Error("the pages of the club cannot be written", "site", s.dir, "error", err, "retry_in", clubEvery, "hint", siteHint)
				}
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

// look writes the pages that are missing or old, and rests after each.
func (s *site) look(ctx context.Context, now time.Time, pause time.Duration) error {
	if err := s.prepare(); err != nil {
		return err
	}
	over, err := s.db.Finished(ctx)
	if err != nil {
		return err
	}
	finished := map[string]bool{}
	for _, m := range over {
		finished[m.ID] = true
		if s.seen[m.ID] == m.Version || s.failing.waits(m.ID, now) {
			continue
		}
		wrote, err := s.page(ctx, m.ID)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			level, pause := slog.LevelDebug, s.failing.add(m.ID, now)
			if pause == firstPause {
				level = slog.LevelError // Once: a record that cannot be played again stays so.
			}
			s.log.Log(ctx, level, "the page of a match cannot be written", "match", m.ID, "error", err, "retry_in", pause)
			continue
		}
		s.seen[m.ID] = m.Version
		if !wrote {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
	maps.DeleteFunc(s.seen, func(id string, _ int64) bool { return !finished[id] })
	s.failing.keep(func(id string) bool { return finished[id] && s.seen[id] == 0 })
	return s.withdraw(ctx, finished)
}

// clubPages writes the pages of the club, where there is one.
func (s *site) clubPages(ctx context.Context, now time.Time) (clubsite.Written, error) {
	if s.club == nil {
		return clubsite.Written{}, nil
	}
	list, err := os.ReadDir(s.dir)
	if err != nil {
		return clubsite.Written{}, err
	}
	is := map[string]bool{}
	for _, f := range list {
		is[f.Name()] = true
	}
	c, err := s.club.Site(ctx, now, func(match string) (page, record string) {
		if is[match+pageEnd] {
			page = match + pageEnd
		}
		if is[match+recordEnd] {
			record = match + recordEnd
		}
		return page, record
	})
	if err != nil {
		return clubsite.Written{}, err
	}
	return c.Write(s.dir)
}

// WriteSite writes all pages into a directory: those of the matches that are over, and those of
// the club. It reports how many of the club's there are, and what of these has changed.
func (d *Daemon) WriteSite(ctx context.Context, dir string) (clubsite.Written, error) {
	s := d.siteAt(dir)
	now := time.Now()
	if err := s.look(ctx, now, 0); err != nil {
		return clubsite.Written{}, err
	}
	return s.clubPages(ctx, now)
}

// page writes the page of a match and its record, unless it is as it should be. What can be undone has none.
func (s *site) page(ctx context.Context, id string) (wrote bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	m, err := s.db.Match(ctx, id)
	if err != nil {
		return false, err
	}
	path, recordPath := filepath.Join(s.dir, id+pageEnd), filepath.Join(s.dir, id+recordEnd)
	if !m.Published() {
		return false, remove(path)
	}
	switch current, _, err := history.Current(path, s.build, m.Head); {
	case current && isFile(recordPath):
		return false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	rec, err := s.adjudicator.Export(ctx, id, false)
	if err != nil {
		return false, err
	}
	story, err := report.History(s.games, rec, "", time.Now())
	if err != nil {
		return false, err
	}
	story.Build = s.build
	if err := publish(recordPath, rec.Write); err != nil {
		return false, err
	}
	return true, publish(path, story.HTML)
}

func isFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// withdraw removes the pages of matches that go on: a backup was put back.
func (s *site) withdraw(ctx context.Context, finished map[string]bool) error {
	pages, err := filepath.Glob(filepath.Join(s.dir, "*"+pageEnd))
	if err != nil {
		return err
	}
	for _, path := range pages {
		id := strings.TrimSuffix(filepath.Base(path), pageEnd)
		if finished[id] {
			continue
		}
		if _, err := s.db.Match(ctx, id); errors.Is(err, adjudicator.ErrNoMatch) {
			continue // it is somebody else's
		} else if err != nil {
			return err
		}
		if err := remove(path); err != nil {
			return err
		}
	}
	return nil
}

// remove removes a page of ours and the record beside it, if there is one.
func remove(path string) error {
	_, ours, err := history.Current(path, "", "")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && ours {
		if err = os.Remove(strings.TrimSuffix(path, pageEnd) + recordEnd); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// publish writes a page that everybody may read, all of it or nothing.
func publish(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), pageDraft+"*")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	if err = errors.Join(write(b), b.Flush(), f.Chmod(0o644), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
