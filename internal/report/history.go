package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/history"
	"samizdat/rules"
)

// ErrPublic is returned for a record without hidden fields, which cannot be replayed.
var ErrPublic = errors.New("the record contains public fields only and cannot be replayed; " +
	"the operator of the referee can write the pages")

// findSeat returns the seat with a name, or NoSeat for an empty name. It fails if the game has no such seat.
func findSeat(g *rules.Game, rec *record.Record, name string) (rules.Seat, error) {
	if name == "" {
		return rules.NoSeat, nil
	}
	names := g.SeatNames(rec.Header.Setup(g))
	i := slices.Index(names, strings.ToLower(name))
	if i < 0 {
		return rules.NoSeat, fmt.Errorf("unknown seat %q; the seats are %s", name, strings.Join(names, ", "))
	}
	return rules.Seat(i), nil
}

// NewHistory returns the story of a record as a seat saw the match. If seat is "", the story shows everything if
// mayShowAll allows it at the time now, and otherwise only public information. Story.Checks contains the output of
// Verify.
func NewHistory(games rules.Games, rec *record.Record, seat string, now time.Time) (*history.Story, error) {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return nil, err
	}
	if rec.Header.Secret == "" && rec.Header.Chance != record.ChanceRecorded {
		return nil, ErrPublic
	}
	r := history.Reader{}
	if r.Seat, err = findSeat(g, rec, seat); err != nil {
		return nil, err
	}
	if seat == "" {
		if r.All, err = mayShowAll(g, rec, now); err != nil {
			return nil, err
		}
	}
	s, err := history.NewStory(g, rec, r)
	if err != nil {
		return nil, err
	}
	if !r.All {
		rec = rec.Public()
	}
	s.Checks = verificationLines(games, rec)
	return s, nil
}

// NewOutline returns a story of a record that has public fields only.
func NewOutline(games rules.Games, rec *record.Record) (*history.Story, error) {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return nil, err
	}
	return history.NewOutline(g, rec), nil
}

// mayShowAll reports whether hidden information may be shown: the match has ended and its end can no longer be undone,
// or the match was played face to face and written down.
func mayShowAll(g *rules.Game, rec *record.Record, now time.Time) (bool, error) {
	if rec.Header.Chance == record.ChanceRecorded {
		return true, nil
	}
	final, err := record.Replay(rec, g, nil)
	if err != nil {
		return false, fmt.Errorf("replay the record: %w", err)
	}
	if _, isOver := final.Position.Result(); !isOver {
		return false, nil
	}
	undoneStep := len(rec.Steps)
	for _, e := range slices.Backward(rec.Entries()) {
		switch {
		case e.Seq >= undoneStep:
		case e.FirstTakenBack > 0:
			undoneStep = e.FirstTakenBack
		case e.Act != nil && e.Act.End != nil:
			return !e.Act.Kind.FinalAt(e.At).After(now), nil
		}
	}
	return true, nil
}

func verificationLines(games rules.Games, rec *record.Record) []string {
	var out strings.Builder
	isCorrect, err := Verify(&out, games, rec, Evidence{}, true)
	lines := strings.FieldsFunc(out.String(), func(r rune) bool { return r == '\n' })
	switch {
	case err != nil:
		lines = append(lines, "The record is wrong: "+err.Error()+".")
	case !isCorrect:
		lines = append(lines, "The record is wrong.")
	}
	return lines
}

// MapOptions are the options of "samizdat map": which position of a record to draw, for which seat, and the output
// file.
type MapOptions struct {
	// Path is the output file. Its extension selects the format; "-" means standard output.
	Path string
	// Seat is the name of the seat whose view is drawn; empty for the view of observers.
	Seat string
	// Entry is the last entry to replay; if Entry is negative, all entries are replayed. The map marks the changes after
	// the entry Since; if Since is negative, it marks the changes of the last entry.
	Entry, Since int
	// Scale is the scale factor of a PNG.
	Scale float64
}

var errStop = errors.New("the requested entry is reached")

// Write draws the map. It writes to the file Path, or text to out if Path is "-".
func (m MapOptions) Write(out io.Writer, games rules.Games, rec *record.Record) error {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return err
	}
	if g.Map == nil {
		return fmt.Errorf("%s has no map", g.Title())
	}
	seat, err := findSeat(g, rec, m.Seat)
	if err != nil {
		return err
	}
	p, since, err := m.replay(g, rec, seat)
	if err != nil {
		return err
	}
	view := p.View(seat)
	switch ext := strings.ToLower(filepath.Ext(m.Path)); {
	case m.Path == "-":
		return writeLines(out, g.Map.TextMap(view, since))
	case ext == ".txt":
		return WriteFile(m.Path, func(w io.Writer) error { return writeLines(w, g.Map.TextMap(view, since)) })
	case ext == ".svg":
		return WriteFile(m.Path, g.Map.Draw(view, since).SVG)
	case ext == ".png":
		return WriteFile(m.Path, func(w io.Writer) error { return g.Map.Draw(view, since).PNG(w, m.Scale) })
	}
	return fmt.Errorf("%s: unknown map format; the file must end in .txt, .svg or .png", m.Path)
}

// replay replays the record up to the requested entry. It collects the events after Since that the seat
// may see; the map marks their changes.
func (m MapOptions) replay(g *rules.Game, rec *record.Record, seat rules.Seat) (rules.Position, []rules.Event, error) {
	var since []rules.Event
	final, err := record.Replay(rec, g, func(v record.Visit) error {
		if m.Since < 0 || v.Entry.Seq <= m.Since {
			since = since[:0]
		}
		if m.Since < 0 || v.Entry.Seq > m.Since {
			for _, e := range v.Events {
				if e.Audience.Has(seat) {
					since = append(since, e)
				}
			}
		}
		if m.Entry >= 0 && v.Entry.Seq >= m.Entry {
			return errStop
		}
		return nil
	})
	var diffs record.DifferencesError
	switch {
	case errors.Is(err, errStop):
		return final.Position, since, nil
	case errors.As(err, &diffs):
		// Only the replay command reports positions that differ from the record. A map ignores them. But an entry that cannot
		// be replayed is an error here too.
		var failure *record.ReplayError
		if !errors.As(err, &failure) {
			err = nil
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("replay the record: %w", err)
	}
	if m.Entry >= 0 {
		return nil, nil, fmt.Errorf("the record has no entry %d; %d entries were replayed", m.Entry, final.EntryCount)
	}
	return final.Position, since, nil
}

func writeLines(w io.Writer, lines []string) error {
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

// WriteFile creates a file and calls write for its content.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	b := bufio.NewWriter(f)
	return errors.Join(write(b), b.Flush())
}

// PrintLadder writes a ladder as a table. names are the names of the players by ID.
func PrintLadder(w io.Writer, l club.Ladder, names map[int64]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "PLACE\tPLAYER\tRATING\tDEVIATION\tWON\tDRAWN\tLOST\tLAST")
	for i, line := range l.Lines {
		place := fmt.Sprint(i + 1)
		if line.IsProvisional() {
			place = "?"
		}
		fmt.Fprintf(t, "%s\t%s\t%.0f\t%.0f\t%d\t%d\t%d\t%s\n", place, names[line.Player], line.Rating.Rating, line.Rating.Deviation, line.Won,
			line.Drawn, line.Lost, line.LastResult.Format("2006-01-02"))
	}
	return t.Flush()
}

// WriteLadderJSON writes a ladder as JSON.
func WriteLadderJSON(w io.Writer, l club.Ladder) error {
	return json.NewEncoder(w).Encode(l.Ladder)
}

// CompareLadders compares the stored ladder with the ladder computed from the results, byte for byte, and prints the
// result.
func CompareLadders(w io.Writer, stored, computed club.Ladder) (isSame bool, err error) {
	a, err := json.Marshal(stored.Ladder)
	if err != nil {
		return false, err
	}
	b, err := json.Marshal(computed.Ladder)
	if err != nil {
		return false, err
	}
	if bytes.Equal(a, b) {
		_, err = fmt.Fprintf(w, "The ladder of %s equals the ladder computed from its results: %d players, %d bytes.\n", stored.Game,
			len(stored.Lines), len(a))
		return true, err
	}
	fmt.Fprintf(w, "The ladder of %s differs from the ladder computed from its results.\n", stored.Game)
	for i, line := range computed.Lines {
		if i >= len(stored.Lines) || stored.Lines[i].Player != line.Player || stored.Lines[i].Rating != line.Rating {
			_, err = fmt.Fprintf(w, "The first difference is at place %d: "+
				"according to the results, player %d with the rating %.4f has this place.\n",
				i+1, line.Player, line.Rating.Rating)
			return false, err
		}
	}
	return false, nil
}
