package daemon

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/config"
	deskpage "samizdat/internal/desk"
	"samizdat/internal/history"
	"samizdat/internal/report"
	clubsite "samizdat/internal/site"
	"samizdat/rules"
	"samizdat/storage"
)

const (
	// siteInterval is the time between two checks for outdated pages, and sitePause the pause after writing a page.
	siteInterval = time.Minute
	sitePause    = time.Second
	pageExt      = ".html"
	dataExt      = ".json"
	pictureExt   = ".png"
	recordExt    = ".jsonl"
	// The pages of the club are written every minute. In a large club the pause before the next writing is
	// clubPauseFactor times the duration of the last writing, at most maxClubPause.
	clubPauseFactor = 30
	maxClubPause    = 10 * time.Minute
	// pageDraftPrefix begins the names of unfinished files.
	pageDraftPrefix = ".samizdat-page-"
)

// site writes the web pages of finished matches and of the club, and the public positions of the club's running matches
// as data and pictures. They show no hidden information. site only reads the database. The page of a match contains the
// build and the last hash of its history. So a restart does not write current pages again, and another build writes all
// pages again.
type site struct {
	dir, build string
	// url is the address of the directory on the web, or "". If dataOnly is set, no pages are written.
	url         string
	dataOnly    bool
	games       rules.Games
	db          *storage.DB
	adjudicator *adjudicator.Adjudicator
	// club is nil without a club. Its pages were last written at clubWrittenAt, which took clubDuration.
	club          *clubsite.Source
	clubWrittenAt time.Time
	clubDuration  time.Duration
	log           *slog.Logger
	isDeskWritten bool
	// writtenVersions maps the ID of each match with current pages to the version of the match on them.
	writtenVersions map[string]int64
	matchBackoffs   backoffs
}

func (d *Daemon) newSite() *site {
	if d.Config.Site == "" {
		return nil
	}
	return d.newSiteAt(d.Config.Site)
}

func (d *Daemon) newSiteAt(dir string) *site {
	url := d.Config.SiteURL
	s := &site{dir: dir, url: url, build: strings.TrimSpace(buildID() + " " + url), games: d.games, db: d.DB,
		adjudicator: d.Adjudicator, log: d.log, writtenVersions: map[string]int64{}}
	if d.Club != nil {
		s.club = &clubsite.Source{Store: d.DB.Club, Club: d.Config.Club, Games: d.games, Referee: d.Adjudicator.Codec.Referee()}
	}
	return s
}

func (s *site) prepare() error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return fmt.Errorf("make the directory: %w", err)
	}
	drafts, err := filepath.Glob(filepath.Join(s.dir, pageDraftPrefix+"*"))
	for _, d := range drafts {
		err = errors.Join(err, os.Remove(d))
	}
	return err
}

const siteHint = "let the daemon write to the directory that site names: docs/operator.md, \"Pages of matches\""

func (s *site) runSite(ctx context.Context) error {
	if s == nil {
		return nil
	}
	writeAll := func() {
		now := time.Now()
		if s.matchBackoffs.isWaiting("", now) {
			return
		}
		if err := s.writeMatchPages(ctx, now, sitePause); err != nil && ctx.Err() == nil {
			s.log.Error("pages of matches cannot be written", "site", s.dir, "error", err,
				"retry_in", s.matchBackoffs.add("", now), "hint", siteHint)
		}
		if pause := pauseAfterClubPages(s.clubDuration); now.Sub(s.clubWrittenAt).Abs() < pause {
			return
		}
		startTime := time.Now()
		_, err := s.writeClubPages(ctx, now)
		s.clubWrittenAt, s.clubDuration = now, time.Since(startTime)
		if err != nil && ctx.Err() == nil {
			s.log.Error("the pages of the club cannot be written", "site", s.dir, "error", err, "retry_in", siteInterval, "hint", siteHint)
		}
	}
	writeAll()
	return runEvery(ctx, siteInterval, writeAll)
}

// pauseAfterClubPages returns the pause after writing the club's pages. It depends on the duration of the writing. For
// example, pages that take 0.1 s are written every minute, pages that take 4 s every two minutes.
func pauseAfterClubPages(duration time.Duration) time.Duration {
	return min(clubPauseFactor*duration, maxClubPause)
}

func (s *site) writeMatchPages(ctx context.Context, now time.Time, pause time.Duration) error {
	if err := s.prepare(); err != nil {
		return err
	}
	if !s.isDeskWritten && !s.dataOnly {
		if err := s.writeDesk(); err != nil {
			return err
		}
		s.isDeskWritten = true
	}
	finishedMatches, err := s.db.Finished(ctx)
	if err != nil {
		return err
	}
	publicMatches, err := s.publicMatches(ctx)
	if err != nil {
		return err
	}
	finished := map[string]bool{}
	for _, m := range finishedMatches {
		finished[m.ID] = true
	}
	isShown := maps.Clone(finished)
	for _, m := range slices.Concat(finishedMatches, publicMatches) {
		isShown[m.ID] = true
		if s.writtenVersions[m.ID] == m.Version || s.matchBackoffs.isWaiting(m.ID, now) {
			continue
		}
		wasWritten, err := s.writeMatchPage(ctx, m.ID)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			s.matchBackoffs.logFailure(s.log, "the page of a match cannot be written", m.ID, err, now)
			continue
		}
		s.writtenVersions[m.ID] = m.Version
		if !wasWritten || pause == 0 {
			continue
		}
		if !sleep(ctx, pause) {
			return nil
		}
	}
	maps.DeleteFunc(s.writtenVersions, func(id string, _ int64) bool { return !isShown[id] })
	s.matchBackoffs.dropFinished(func(id string) bool { return isShown[id] && s.writtenVersions[id] == 0 })
	return s.removeUnfinished(ctx, finished)
}

func (s *site) publicMatches(ctx context.Context) (out []storage.FinishedMatch, err error) {
	if s.club == nil {
		return nil, nil
	}
	running, err := s.club.Store.ClubMatches(ctx)
	for _, r := range running {
		if r.Public {
			out = append(out, storage.FinishedMatch{ID: r.Match, Version: r.Version})
		}
	}
	return out, err
}

// deskURL returns the address of the desk's page for the links in letters, or "". A program that was built without the
// page cannot have it in its own site, so only cfg.Desk counts.
func deskURL(cfg config.Config) string {
	if _, err := deskpage.Page(); err != nil && cfg.Desk == "" {
		return ""
	}
	return cfg.DeskURL()
}

// writeDesk writes the page of the desk. A program that was built without the page does not change the directory.
func (s *site) writeDesk() error {
	files, err := deskpage.Page()
	if errors.Is(err, deskpage.ErrMissing) {
		s.log.Debug("the page of the desk is not written", "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	dir := filepath.Join(s.dir, config.DeskDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the directory of the desk: %w", err)
	}
	list, err := fs.ReadDir(files, ".")
	if err != nil {
		return fmt.Errorf("read the page of the desk: %w", err)
	}
	for _, f := range list {
		data, err := fs.ReadFile(files, f.Name())
		if err != nil {
			return fmt.Errorf("read the page of the desk: %w", err)
		}
		path := filepath.Join(dir, f.Name())
		if current, err := os.ReadFile(path); err == nil && bytes.Equal(current, data) {
			continue
		}
		err = publishFile(path, func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
		if err != nil {
			return fmt.Errorf("write the page of the desk: %w", err)
		}
	}
	return nil
}

func (s *site) writeClubPages(ctx context.Context, now time.Time) (clubsite.WriteResult, error) {
	if s.club == nil {
		return clubsite.WriteResult{}, nil
	}
	list, err := os.ReadDir(s.dir)
	if err != nil {
		return clubsite.WriteResult{}, err
	}
	hasFile := map[string]bool{}
	for _, f := range list {
		hasFile[f.Name()] = true
	}
	pages, err := s.club.Load(ctx, now, func(match string) (files clubsite.Files) {
		if hasFile[match+pageExt] {
			files.History = match + pageExt
		}
		if hasFile[match+recordExt] {
			files.Record = match + recordExt
			if hasFile[config.DeskDir] {
				files.Check = deskpage.CheckURL(config.DeskDir+"/", match)
			}
		}
		return files
	})
	if err != nil {
		return clubsite.WriteResult{}, err
	}
	return pages.Write(s.dir, s.dataOnly)
}

// WriteSite writes the pages of finished matches and of the club into a directory. It returns the number of the club's
// pages and how many of them have changed.
func (d *Daemon) WriteSite(ctx context.Context, dir string, dataOnly bool) (clubsite.WriteResult, error) {
	s := d.newSiteAt(dir)
	s.dataOnly = dataOnly
	now := time.Now()
	if err := s.writeMatchPages(ctx, now, 0); err != nil {
		return clubsite.WriteResult{}, err
	}
	return s.writeClubPages(ctx, now)
}

// writeMatchPage writes the page, the record and the position of a finished match, unless page and record are current. Of
// a running match it writes only the position. While the director can still undo the end of a match, the match has no
// page.
func (s *site) writeMatchPage(ctx context.Context, id string) (wasWritten bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	m, err := s.db.Match(ctx, id)
	if err != nil {
		return false, err
	}
	stored, err := s.db.Analysis(ctx, id)
	if err != nil {
		return false, err
	}
	historyHash := m.Head
	if stored != nil {
		historyHash += history.Analysed
	}
	path, recordPath := filepath.Join(s.dir, id+pageExt), filepath.Join(s.dir, id+recordExt)
	switch {
	case m.State == match.Playing:
		return true, s.writePosition(m)
	case !m.IsPublished():
		return false, removePage(path)
	}
	switch isCurrent, _, err := history.IsCurrent(path, s.build, historyHash); {
	case isCurrent && isFile(recordPath):
		return false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	rec, err := s.adjudicator.Export(ctx, id, false)
	if err != nil {
		return false, err
	}
	page, err := report.NewHistory(s.games, rec, "", time.Now())
	if err != nil {
		return false, err
	}
	page.Build = s.build
	if stored != nil {
		if err := json.Unmarshal(stored, &page.Analysis); err != nil {
			return false, fmt.Errorf("read the analysis of match %s: %w", id, err)
		}
	}
	if err := errors.Join(publishFile(recordPath, rec.Write), s.writePosition(m)); err != nil || s.dataOnly {
		return true, err
	}
	if s.url != "" && isFile(filepath.Join(s.dir, id+pictureExt)) {
		page.PictureURL = s.url + id + pictureExt
	}
	return true, publishFile(path, page.HTML)
}

func (s *site) writePosition(m *match.Match) error {
	g, err := s.games.Find(m.Game)
	if err != nil {
		return err
	}
	pos, err := m.CurrentPosition(g)
	if err != nil || pos == nil || m.Summary == nil {
		return err
	}
	view := pos.View(rules.NoSeat)
	result, isOver := m.Summary.Result()
	data, err := clubsite.Document("match", clubsite.Position{Match: m.ID, Game: m.Game, Revision: m.Revision, Over: isOver,
		State: m.Summary.Phase, Result: result.Reason, Position: view})
	if err != nil {
		return err
	}
	path := filepath.Join(s.dir, m.ID)
	if g.Map != nil {
		err = publishFile(path+pictureExt, func(w io.Writer) error { return g.Map.Draw(view, nil).PNG(w, 1) })
	}
	return errors.Join(err, publishFile(path+dataExt, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}))
}

func isFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// removeUnfinished removes the pages of matches that are running again after a backup was restored.
func (s *site) removeUnfinished(ctx context.Context, finished map[string]bool) error {
	pages, err := filepath.Glob(filepath.Join(s.dir, "*"+pageExt))
	if err != nil {
		return err
	}
	for _, path := range pages {
		id := strings.TrimSuffix(filepath.Base(path), pageExt)
		if finished[id] {
			continue
		}
		if _, err := s.db.Match(ctx, id); errors.Is(err, exchange.ErrNoMatch) {
			continue // not the page of a match
		} else if err != nil {
			return err
		}
		if err := removePage(path); err != nil {
			return err
		}
	}
	return nil
}

// removePage removes the page of a match, and the record, data and picture of the match. It removes no page that another
// program has written.
func removePage(path string) error {
	_, isOurs, err := history.IsCurrent(path, "", "")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && isOurs {
		for _, ext := range []string{recordExt, dataExt, pictureExt} {
			if removeErr := os.Remove(strings.TrimSuffix(path, pageExt) + ext); !errors.Is(removeErr, fs.ErrNotExist) {
				err = errors.Join(err, removeErr)
			}
		}
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// publishFile writes a file that all users of the machine may read. The file appears whole or not at all.
func publishFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), pageDraftPrefix+"*")
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
