package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/playout"
	"samizdat/rules"
)

// Options describes a match to play at one terminal.
type Options struct {
	Game *rules.Game
	// Seats is the number of seats; 0 means the maximum of the game.
	Seats int
	// Seed determines dice, cards and robots.
	Seed uint64
	// Robot is the name of the robot that plays all seats except Seat; empty if people play all seats.
	Robot string
	// Seat is the name of the person's seat in a match against robots; empty for the first seat.
	Seat string
}

// Match is a match at one terminal.
type Match struct {
	table
	seed        uint64
	isResumed   bool
	hasTerminal bool
	robotName   string
	// robots holds the robots by seat. Each robot has its own memory.
	robots map[rules.Seat]rules.Robot
	// personSeat is the seat of the only person in a match against robots.
	personSeat rules.Seat
}

// Begin begins a match.
func Begin(ctx context.Context, p Options) (*Match, error) {
	m := &Match{table: newTable(p.Game, p.Seed), seed: p.Seed, robots: map[rules.Seat]rules.Robot{}}
	m.adj.AtTable = true
	setup, err := rules.NewSetup(p.Game, p.Seats)
	if err != nil {
		return nil, err
	}
	invitation := adjudicator.Invitation{Game: p.Game.Name()}
	for _, name := range p.Game.SeatNames(setup) {
		invitation.Players = append(invitation.Players, seatAddress(name))
	}
	if _, err := m.adj.CreateMatch(ctx, invitation); err != nil {
		return nil, err
	}
	if p.Seat != "" && p.Robot == "" {
		return nil, errors.New("--seat needs --robot")
	}
	if p.Seat != "" {
		seat, err := m.findSeat(p.Seat)
		if err != nil {
			return nil, err
		}
		m.personSeat = seat
	}
	if p.Robot != "" {
		if err := m.seatRobots(p.Robot); err != nil {
			return nil, err
		}
	}
	for i := range invitation.Players {
		if _, err := m.writeLetter(ctx, rules.Seat(i), "JOIN at one table"); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *Match) seatRobots(name string) error {
	for i := range m.store.match.Seats {
		if rules.Seat(i) == m.personSeat {
			continue
		}
		if err := m.seatRobot(rules.Seat(i), name); err != nil {
			return err
		}
	}
	return nil
}

func (m *Match) seatRobot(seat rules.Seat, name string) error {
	r, err := m.game.Robot(name, m.seed+uint64(len(m.robots)))
	if err != nil {
		return err
	}
	m.robotName, m.robots[seat] = name, r
	return nil
}

// Play asks for orders until the match is over, the player quits, or ctx ends.
func (m *Match) Play(ctx context.Context, in io.Reader, out io.Writer) error {
	s := m.newScreen(in, out)
	m.hasTerminal = isTerminal(in) && isTerminal(out)
	description := fmt.Sprintf("seed %d", m.seed)
	if m.isResumed {
		description = "resumed"
	}
	fmt.Fprintf(out, "%s, %s. \"help\" explains orders, \"quit\" ends play.\n", m.game.Title(), description)
	for {
		if ctx.Err() != nil {
			return s.printGoodbye()
		}
		decisions, pos, err := m.openDecisions()
		switch {
		case err != nil:
			return err
		case len(decisions) == 0:
			s.showEnd(pos)
			return nil
		case m.robots[decisions[0].Seat] != nil:
			err = m.playRobot(ctx, pos, decisions[0])
		default:
			if err = m.readOrder(ctx, s, pos, decisions[0].Seat); errors.Is(err, errQuit) {
				return s.printGoodbye()
			}
		}
		if err != nil {
			return err
		}
	}
}

func (m *Match) readOrder(ctx context.Context, s *screen, pos rules.Position, seat rules.Seat) error {
	if err := s.switchSeat(ctx, seat); err != nil {
		return err
	}
	s.show(seat, pos.View(seat))
	text, err := s.read(ctx, seat)
	if err != nil || text == "" {
		return err
	}
	s.showAll = strings.EqualFold(strings.Trim(text, "."), "status")
	// Ctrl-C does not interrupt the execution of orders.
	ctx = context.WithoutCancel(ctx)
	if _, err := m.writeLetter(ctx, seat, text); err != nil {
		return err
	}
	if err := m.acceptTakebacks(ctx); err != nil {
		return err
	}
	decisions, _, err := m.openDecisions()
	if err != nil {
		return err
	}
	next := rules.NoSeat
	if len(decisions) > 0 {
		next = decisions[0].Seat
	}
	if next != seat {
		s.showResults(seat, next)
	}
	return nil
}

// acceptTakebacks lets robots accept a take-back of a person.
func (m *Match) acceptTakebacks(ctx context.Context) error {
	for seat := range m.store.match.Seats {
		t := m.store.match.Takeback
		if t == nil || m.robots[rules.Seat(seat)] == nil || m.robots[t.Seat] != nil {
			continue
		}
		if _, err := m.writeLetter(ctx, rules.Seat(seat), "TAKEBACK YES"); err != nil {
			return err
		}
	}
	return nil
}

func (m *Match) playRobot(ctx context.Context, pos rules.Position, d rules.Decision) error {
	atoms, err := playout.Answer(pos, d, m.robots[d.Seat])
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // Ctrl-C does not interrupt an order.
	line := m.game.FormatOrder(atoms)
	entries := m.store.match.EntryCount
	// FOR SURE confirms an order that loses the match.
	for _, text := range []string{line, line + " FOR SURE"} {
		if _, err := m.writeLetter(ctx, d.Seat, text); err != nil {
			return err
		}
		decisions, _, err := m.openDecisions()
		if err != nil {
			return err
		}
		if m.store.match.EntryCount > entries || len(decisions) == 0 || decisions[0].ID != d.ID {
			return nil
		}
	}
	return fmt.Errorf("order %q of the robot was refused", line)
}

// robotPlayerPrefix is the start of the player's name of a seat that a robot plays, in the header of a record: "robot
// sensible".
const robotPlayerPrefix = "robot "

// Record returns the record of the match. Its header contains the robots at the seats.
func (m *Match) Record(ctx context.Context) (*record.Record, error) {
	rec, err := m.adj.Export(ctx, m.store.match.ID, true)
	if err != nil {
		return nil, err
	}
	for i, s := range m.store.match.Seats {
		if m.robots[rules.Seat(i)] != nil {
			rec.Header.Seats[s.Name] = robotPlayerPrefix + m.robotName
		}
	}
	return rec, nil
}

// SaveRecord writes the record of the match to a file for Resume. An existing file is replaced only when the new file
// is complete. Pending answers are saved beside it.
func (m *Match) SaveRecord(ctx context.Context, path string) error {
	rec, err := m.Record(ctx)
	if err != nil {
		return err
	}
	temp := path + ".new"
	if err := rec.WriteFile(temp); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return errors.Join(os.Rename(temp, path), m.savePending(path))
}

// CheckCanCreate checks that a record can be written to a new file, and leaves no file behind.
func CheckCanCreate(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists; choose another file, or continue that match with --resume", path)
	}
	if err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	return errors.Join(f.Close(), os.Remove(path))
}

// Save writes the match to path and returns the path. Without a path, an unfinished match at a terminal is written, if
// a person has given an order, to $XDG_STATE_HOME/samizdat, by default ~/.local/state/samizdat.
func (m *Match) Save(ctx context.Context, path string) (string, error) {
	if path == "" && (!m.hasTerminal || m.IsOver() || !m.hasBegun()) {
		return "", nil
	}
	if path == "" {
		dir := os.Getenv("XDG_STATE_HOME")
		if dir == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return "", fmt.Errorf("save match: %w", err)
			}
			dir = filepath.Join(home, ".local", "state")
		}
		dir = filepath.Join(dir, "samizdat")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", fmt.Errorf("save match: %w", err)
		}
		path = filepath.Join(dir, m.store.match.ID+".jsonl")
		// Matches with the same seed have the same name.
		for n := 2; CheckCanCreate(path) != nil && n < 1000; n++ {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", m.store.match.ID, n))
		}
	}
	if err := m.SaveRecord(ctx, path); err != nil {
		return "", fmt.Errorf("save match: %w", err)
	}
	return path, nil
}

// IsOver reports whether the match is over.
func (m *Match) IsOver() bool { return m.store.match.State == match.Over }

// hasBegun reports whether a person has given an order.
func (m *Match) hasBegun() bool {
	return slices.ContainsFunc(m.store.entries, func(e record.Entry) bool {
		seat, err := m.findSeat(string(e.Seat))
		return e.Seat != "" && err == nil && e.HasOrders() && m.robots[seat] == nil
	})
}

// Resume continues a match from a file that Save wrote. The seed is used for the robots only.
func Resume(ctx context.Context, games rules.Games, path string, seed uint64) (*Match, error) {
	rec, err := record.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := newResumedMatch(games, rec, seed)
	if err == nil {
		err = m.restoreSeats(ctx, path)
	}
	if err != nil {
		return nil, fmt.Errorf("resume %s: %w", path, err)
	}
	return m, nil
}

// newResumedMatch returns a match that continues after the last entry of a record, with the robots that the header
// names.
func newResumedMatch(games rules.Games, rec *record.Record, seed uint64) (*Match, error) {
	h := rec.Header
	secret, err := record.ParseSecret(h.Secret)
	if err != nil || h.Chance != "" || len(rec.Entries()) == 0 {
		return nil, errors.New(`not a record that "samizdat play" has saved`)
	}
	g, err := games.Find(h.Game)
	if err != nil {
		return nil, err
	}
	final, err := record.Replay(rec, g, nil)
	if err != nil {
		return nil, err
	}
	t, err := newPositionTable(g, h.Setup(g), final.Position)
	if err != nil {
		return nil, err
	}
	m := &Match{table: t, seed: seed, isResumed: true, robots: map[rules.Seat]rules.Robot{}}
	m.adj.AtTable = true
	stored := m.store.match
	stored.ID, stored.Secret = h.Match, secret
	for _, e := range rec.Entries() {
		m.store.entries = append(m.store.entries, *e)
		stored.EntryCount++
		if e.HasOrders() {
			stored.OrderEntryCount++
		}
		stored.Head, stored.Epoch = e.Hash, e.Epoch
	}
	if b := h.Beacon; b != nil {
		stored.Beacon = &match.Beacon{Chain: b.Chain, Round: b.Round, Signature: b.Signature}
	}
	people := 0
	for i := range stored.Seats {
		s := &stored.Seats[i]
		if i < len(h.Words) {
			s.SeedWords = h.Words[i]
		}
		if i < len(h.Seals) {
			s.Seal = h.Seals[i]
		}
		name, isRobot := strings.CutPrefix(h.Seats[s.Name], robotPlayerPrefix)
		if isRobot {
			if err := m.seatRobot(rules.Seat(i), name); err != nil {
				return nil, err
			}
			continue
		}
		if people++; people == 1 {
			m.personSeat = rules.Seat(i)
		}
	}
	return m, nil
}

// restoreSeats reads the pending answers, and writes a letter with the position to each seat.
func (m *Match) restoreSeats(ctx context.Context, path string) error {
	if m.IsOver() {
		return nil
	}
	if err := m.readPending(path); err != nil {
		return err
	}
	return m.writeStatusLetters(ctx)
}

func (m *Match) writeStatusLetters(ctx context.Context) error {
	for i := range m.store.match.Seats {
		if _, err := m.writeLetter(ctx, rules.Seat(i), "STATUS"); err != nil {
			return err
		}
	}
	return nil
}

// savedPending holds the pending answers of an unfinished match, e.g. orders ahead. They have a file of their own
// beside the record, because the record contains only executed orders.
type savedPending struct {
	// HistoryHash is the hash of the last entry of the record when the answers were saved. If the record ends with another
	// entry, they are ignored. The JSON keys must not change, because older files contain them.
	HistoryHash string                `json:"head"`
	Answers     []match.PendingAnswer `json:"held"`
}

func pendingPath(path string) string { return path + ".ahead" }

func (m *Match) savePending(path string) error {
	if len(m.store.match.Pending) == 0 || m.IsOver() {
		if err := os.Remove(pendingPath(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove pending answers: %w", err)
		}
		return nil
	}
	data, err := json.Marshal(savedPending{m.store.match.Head, m.store.match.Pending})
	if err != nil {
		return fmt.Errorf("save pending answers: %w", err)
	}
	return os.WriteFile(pendingPath(path), data, 0o600)
}

func (m *Match) readPending(path string) error {
	data, err := os.ReadFile(pendingPath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var saved savedPending
	if err == nil {
		err = json.Unmarshal(data, &saved)
	}
	if err != nil {
		return fmt.Errorf("read pending answers: %w", err)
	}
	if saved.HistoryHash == m.store.match.Head {
		m.store.match.Pending = saved.Answers
	}
	return nil
}
