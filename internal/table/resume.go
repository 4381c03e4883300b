package table

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// robotPlayer is what a record's header says of a seat that a robot plays, before its name.
const robotPlayer = "robot "

// Keep writes the record of the match to a file, from which it can be resumed. A file that
// is there is replaced when the new one is whole.
func (m *Match) Keep(ctx context.Context, path string) error {
	rec, err := m.adj.Export(ctx, m.store.match.ID, true)
	if err != nil {
		return err
	}
	for i, s := range m.store.match.Seats {
		if m.robots[rules.Seat(i)] != nil {
			rec.Header.Seats[s.Name] = robotPlayer + m.robot
		}
	}
	fresh := path + ".new"
	if err := rec.WriteFile(fresh); err != nil {
		return errors.Join(err, os.Remove(fresh))
	}
	return errors.Join(os.Rename(fresh, path), m.keepAhead(path))
}

// TryRecord says whether a record can be written to a file that is not there yet. It
// leaves none.
func TryRecord(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: name another file for the record, or go on with that match by --resume", path)
	}
	if err != nil {
		return fmt.Errorf("the record could not be written: %w", err)
	}
	return errors.Join(f.Close(), os.Remove(path))
}

// Save keeps the match in a file, and returns its name. Without a path it keeps a match
// that somebody at a terminal has left in the middle, where programs keep such things.
func (m *Match) Save(ctx context.Context, path string) (string, error) {
	if path == "" && (!m.watched || m.Over() || !m.begun()) {
		return "", nil
	}
	if path == "" {
		dir := os.Getenv("XDG_STATE_HOME")
		if dir == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return "", fmt.Errorf("keep the match: %w", err)
			}
			dir = filepath.Join(home, ".local", "state")
		}
		dir = filepath.Join(dir, "samizdat")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", fmt.Errorf("keep the match: %w", err)
		}
		path = filepath.Join(dir, m.store.match.ID+".jsonl")
		// The same seed makes the same name.
		for n := 2; TryRecord(path) != nil && n < 1000; n++ {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", m.store.match.ID, n))
		}
	}
	if err := m.Keep(ctx, path); err != nil {
		return "", fmt.Errorf("keep the match: %w", err)
	}
	return path, nil
}

// Over tells whether the match is over.
func (m *Match) Over() bool { return m.store.match.State == adjudicator.Over }

// begun tells whether a person has ordered anything.
func (m *Match) begun() bool {
	return slices.ContainsFunc(m.store.entries, func(e record.Entry) bool {
		seat, err := m.seat(string(e.Seat))
		return e.Seat != "" && err == nil && e.HasOrders() && m.robots[seat] == nil
	})
}

// Resume goes on with a match that Keep has kept. The seed is for its robots; dice and
// cards come as they would have come.
func Resume(ctx context.Context, games rules.Games, path string, seed uint64) (*Match, error) {
	rec, err := record.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := resume(games, rec, seed)
	if err == nil {
		err = m.goOn(ctx, path)
	}
	if err != nil {
		return nil, fmt.Errorf("go on with %s: %w", path, err)
	}
	return m, nil
}

func resume(games rules.Games, rec *record.Record, seed uint64) (*Match, error) {
	h := rec.Header
	secret, err := record.ParseSecret(h.Secret)
	if err != nil || h.Chance != "" || len(rec.Entries()) == 0 {
		return nil, errors.New(`only a match that "samizdat play" has kept can be gone on with`)
	}
	g, err := games.Find(h.Game)
	if err != nil {
		return nil, err
	}
	final, err := record.Replay(rec, g, nil)
	if err != nil {
		return nil, err
	}
	t, err := layOut(g, h.Setup(g), final.Position)
	if err != nil {
		return nil, err
	}
	m := &Match{table: t, seed: seed, resumed: true, robots: map[rules.Seat]rules.Robot{}}
	m.adj.AtTable = true
	match := m.store.match
	match.ID, match.Secret = h.Match, secret
	for _, e := range rec.Entries() {
		m.store.entries = append(m.store.entries, *e)
		match.Entries++
		if e.HasOrders() {
			match.Ordered++
		}
		match.Head, match.Epoch = e.Hash, e.Epoch
	}
	if b := h.Beacon; b != nil {
		match.Beacon = &adjudicator.Beacon{Chain: b.Chain, Round: b.Round, Signature: b.Signature}
	}
	people := 0
	for i := range match.Seats {
		s := &match.Seats[i]
		if i < len(h.Words) {
			s.Words = h.Words[i]
		}
		if i < len(h.Seals) {
			s.Seal = h.Seals[i]
		}
		name, robot := strings.CutPrefix(h.Seats[s.Name], robotPlayer)
		if robot {
			if err := m.seatRobot(rules.Seat(i), name); err != nil {
				return nil, err
			}
			continue
		}
		if people++; people == 1 {
			m.you = rules.Seat(i)
		}
	}
	return m, nil
}

// goOn takes up what was kept for later, and tells each player how things stand.
func (m *Match) goOn(ctx context.Context, path string) error {
	if m.Over() {
		return nil
	}
	if err := m.readAhead(path); err != nil {
		return err
	}
	for i := range m.store.match.Seats {
		if _, err := m.write(ctx, rules.Seat(i), "STATUS"); err != nil {
			return err
		}
	}
	return nil
}
