package daemon

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/rules"
)

// siteTest is a daemon that writes pages, and what is in its directory.
type siteTest struct {
	*testing.T
	*Daemon
	*site
	// policy is the policy for observers of new matches.
	policy match.ObserverPolicy
}

func newSiteTest(t *testing.T, registration club.Registration) *siteTest {
	t.Helper()
	cfg := config.Default()
	cfg.Data, cfg.Site = t.TempDir(), filepath.Join(t.TempDir(), "pages")
	cfg.Club.Registration = registration
	cfg = housed(t, cfg)
	d, err := Open(t.Context(), cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &siteTest{T: t, Daemon: d}
	s.restart()
	return s
}

// restart begins with another writer of pages.
func (s *siteTest) restart() { s.site = s.Daemon.newSite() }

// look writes pages, and lists what there is: the files, and which of them are new.
func (s *siteTest) look() (files, written []string) {
	s.Helper()
	before := s.files()
	if err := s.site.writeMatchPages(s.Context(), time.Now(), 0); err != nil {
		s.Fatal(err)
	}
	now := s.files()
	for name, id := range now {
		match, isPage := strings.CutSuffix(name, pageExt)
		if _, isRecorded := now[match+recordExt]; isPage && !isRecorded && strings.HasPrefix(name, "m") {
			s.Errorf("%s has no record beside it", name)
		}
		if match, isRecord := strings.CutSuffix(name, recordExt); isRecord {
			if _, ok := now[match+pageExt]; !ok {
				s.Errorf("%s stands without a page", name)
			}
			continue
		}
		if ext := filepath.Ext(name); ext == dataExt || ext == pictureExt {
			continue
		}
		files = append(files, name)
		if !os.SameFile(before[name], id) {
			written = append(written, name)
		}
	}
	slices.Sort(files)
	slices.Sort(written)
	return files, written
}

func (s *siteTest) files() map[string]fs.FileInfo {
	out := map[string]fs.FileInfo{}
	list, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.Fatal(err)
	}
	for _, f := range list {
		if f.Name() == config.DeskDir {
			continue // TestDeskPage looks at it.
		}
		if out[f.Name()], err = f.Info(); err != nil {
			s.Fatal(err)
		}
	}
	return out
}

// match stores a match that a resignation, or a forfeit, has ended; one that may still be
// undone has a time until then.
func (s *siteTest) match(id string, kind record.ActKind, final time.Time) *match.Match {
	s.Helper()
	secret, err := record.NewSecret(strings.NewReader("0123456789abcdef0123456789abcdef"))
	if err != nil {
		s.Fatal(err)
	}
	g := games[0]
	m := &match.Match{ID: id, Game: g.Name(), Revision: g.Revision(), State: match.Playing, Created: time.Now(), Chance: match.Chance{Secret: secret}, Progress: match.Progress{Head: secret.Commitment()}, Observing: match.Observing{ObserverPolicy: s.policy}}
	for _, name := range g.SeatNames(rules.Setup{Seats: 2}) {
		m.Seats = append(m.Seats, match.Seat{
			Name:           name,
			Occupant:       match.Occupant{Joined: true, SeedWords: "word", Player: &match.Player{Contact: contact.Contact{Address: name + "@x.test"}}},
			Correspondence: match.Correspondence{Key: []byte("k")},
		})
	}
	if err := s.DB.Create(s.Context(), m, nil); err != nil {
		s.Fatal(err)
	}
	rec, err := s.Adjudicator.Export(s.Context(), id, true)
	if err != nil {
		s.Fatal(err)
	}
	setup := rec.Header.Setup(g)
	pos, err := g.Begin(setup)
	if err != nil {
		s.Fatal(err)
	}
	key, err := secret.Key(id, rec.Header.Words)
	if err != nil {
		s.Fatal(err)
	}
	stream := record.NewStream(key, 0, 0, record.NewOutcomeNames(g, setup))
	if _, err := pos.Resume(stream, nil); err != nil {
		s.Fatal(err)
	}
	digest, err := rec.Header.Digest()
	if err != nil {
		s.Fatal(err)
	}
	at := time.Now().Add(-record.CorrectionPeriod - time.Hour).Truncate(time.Second).UTC()
	act := record.Act{Kind: kind, End: &record.End{Winners: []record.SeatName{"democrat"}}}
	entries := []record.Entry{{At: at, Setup: digest, Chance: stream.Outcomes()}, {Seq: 1, At: at, Seat: "communist", Act: &act}}
	for i := range entries {
		if entries[i].State, err = record.HashPosition(g, pos); err != nil {
			s.Fatal(err)
		}
		if err := secret.Seal(id, m.Head, &entries[i]); err != nil {
			s.Fatal(err)
		}
		m.Head = entries[i].Hash
	}
	m.State, m.EntryCount, m.Ended = match.Over, len(entries), &match.EndingAct{Seat: "communist", Act: act, At: at, Final: final}
	if m.Position, err = pos.MarshalJSON(); err != nil {
		s.Fatal(err)
	}
	summary := match.Summarize(g, pos)
	summary.Over, summary.Reason = true, "resigned"
	m.Summary = &summary
	s.apply(m, entries...)
	return m
}

func (s *siteTest) apply(m *match.Match, entries ...record.Entry) {
	s.Helper()
	if err := s.DB.Apply(s.Context(), exchange.Change{Match: m, Entries: entries}); err != nil {
		s.Fatal(err)
	}
	m.Version++
}

// TestSite: a match has a page when it is over and nothing of it is hidden any more, and it
// is written again by another build alone. One that goes on loses it, and what is not ours is
// left alone.
func TestSite(t *testing.T) {
	t.Parallel()
	s := newSiteTest(t, club.RegistrationNone)
	check := func(when string, files, written []string) {
		t.Helper()
		if f, w := s.look(); !slices.Equal(f, files) || !slices.Equal(w, written) {
			t.Errorf("%s: there are %q, of which %q were written; want %q, %q", when, f, w, files, written)
		}
	}
	check("no match", nil, nil)
	resigned := s.match("mresign2", record.Resign, time.Time{})
	late := s.match("mforfeit", record.Forfeit, time.Now().Add(time.Hour))
	check("one may be undone", []string{"mresign2.html"}, []string{"mresign2.html"})
	check("nothing is new", []string{"mresign2.html"}, nil)
	page, err := os.ReadFile(filepath.Join(s.dir, "mresign2.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"The Communist resigned.", "What the Communist holds", "End: the match is over with entry "} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(page), "x.test") {
		t.Error("the page has an address")
	}
	if info := s.files()["mresign2.html"]; info.Mode().Perm() != 0o644 {
		t.Errorf("the page has the mode %v", info.Mode())
	}

	if files := s.files(); files["mresign2.json"] == nil || files["mresign2.png"] == nil || files["mforfeit.json"] != nil || files["mforfeit.png"] != nil {
		t.Errorf("a match whose end is final has a position and a picture, the other has neither: %v", files)
	}
	if data, err := os.ReadFile(filepath.Join(s.dir, "mresign2.json")); err != nil || !strings.Contains(string(data), `"kind":"match","data":{"match":"mresign2"`) ||
		strings.Contains(string(data), `"hand":[`) {
		t.Errorf("%v: %s", err, data)
	}
	found := []byte(`{"Seats":["democrat","communist"],"Curve":[{"Chance":40},{"Chance":100}],"Mistakes":[[{"Better":"OPS"}]]}`)
	if err := s.DB.Apply(t.Context(), exchange.Change{Match: resigned, Analysis: found}); err != nil {
		t.Fatal(err)
	}
	check("analysed", []string{"mresign2.html"}, []string{"mresign2.html"})
	page, err = os.ReadFile(filepath.Join(s.dir, "mresign2.html"))
	if err != nil || !strings.Contains(string(page), "the robot: OPS") {
		t.Errorf("the page lacks the analysis: %v", err)
	}
	s.restart()
	check("analysed long ago", []string{"mresign2.html"}, nil)

	late.Ended.Final = time.Time{}
	s.apply(late)
	both := []string{"mforfeit.html", "mresign2.html"}
	check("published", both, both[:1])
	s.restart()
	check("after a restart", both, nil)
	s.build = "another"
	s.writtenVersions = map[string]int64{}
	check("another build", both, both)

	for _, name := range []string{pageDraftPrefix + "1", "mforfeit.txt", "index.html"} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	late.State, late.Ended = match.Playing, nil
	s.apply(late)
	s.restart()
	s.build = "another"
	check("one goes on", []string{"index.html", "mforfeit.txt", "mresign2.html"}, nil)
	if files := s.files(); files["mforfeit.json"] != nil || files["mforfeit.png"] != nil {
		t.Error("a match that goes on keeps the position of its end")
	}
}

// TestPublicPositions: a running match of the club has its position as data and as a picture, as observers see it, if they may see it at
// once. A match with a delay or without observers has neither, and neither has a match of players who are no members.
func TestPublicPositions(t *testing.T) {
	t.Parallel()
	s := newSiteTest(t, club.RegistrationOpen)
	var open *match.Match
	for id, policy := range map[string]match.ObserverPolicy{"mopen": {Allowed: true}, "mlate": {Allowed: true, Delay: time.Hour}, "mclosed": {}} {
		s.policy = policy
		m := s.match(id, record.Resign, time.Time{})
		m.State, m.Ended, m.Summary.Over = match.Playing, nil, false
		s.apply(m)
		if id == "mopen" {
			open = m
		}
	}
	s.look()
	if files := s.files(); files["mopen.json"] != nil {
		t.Error("a match of players who are no members has a position")
	}
	c := club.Change{}
	for _, seat := range open.Seats {
		c.Members = append(c.Members, &club.Member{ID: seat.Player.ID, Name: seat.Name, Skeleton: seat.Name, State: club.MemberActive, Since: time.Now(),
			Address: seat.Player.Address})
	}
	if err := s.DB.Apply(t.Context(), exchange.Change{Club: &c}); err != nil {
		t.Fatal(err)
	}
	s.look()
	for name, want := range map[string]bool{"mopen.json": true, "mopen.png": true, "mopen.html": false, "mlate.json": false, "mlate.png": false, "mclosed.json": false,
		"mclosed.png": false} {
		if got := s.files()[name] != nil; got != want {
			t.Errorf("%s is written: %v, want %v", name, got, want)
		}
	}
	pos, err := games[0].Decode(open.Position)
	if err != nil {
		t.Fatal(err)
	}
	public, err := pos.View(rules.NoSeat).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(s.dir, "mopen.json")); err != nil || !strings.HasSuffix(string(data), `"position":`+string(public)+"}}\n") {
		t.Errorf("%v: %s", err, data)
	}
}

// TestClubPause: the pages of a small club follow a change at the next look, those of a large one rarely.
func TestClubPause(t *testing.T) {
	t.Parallel()
	for duration, want := range map[time.Duration]time.Duration{0: 0, 100 * time.Millisecond: 3 * time.Second, 4 * time.Second: 2 * time.Minute,
		time.Hour: maxClubPause} {
		if got := pauseAfterClubPages(duration); got != want {
			t.Errorf("after pages that took %v: a pause of %v, want %v", duration, got, want)
		}
	}
}
