package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/rules"
	"samizdat/testdata"
)

// SampleTimeout limits the time of the demonstration of the sample turn.
const SampleTimeout = 55 * time.Second

// PlaySample plays the sample turn of the 1989 rulebook through the daemon, and returns the number of differences from
// the final position in the book.
func PlaySample(ctx context.Context, out io.Writer, games rules.Games, dir string) (differences int, err error) {
	rec, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		return 0, fmt.Errorf("read sample record: %w", err)
	}
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return 0, err
	}
	seats := g.SeatNames(rec.Header.Setup(g))
	err = WithPlayers(ctx, config.Local(dir, seats), games, seats, func(d *daemon.Daemon, p *Players) error {
		p.Out = out
		m, err := d.Adjudicator.CreateMatch(ctx, adjudicator.Invitation{Game: g.Name(), Players: p.NamedAddresses(), Recorded: rec.Outcomes()})
		if err != nil {
			return err
		}
		rounds, err := p.PlaySample(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintln(out)
		if m, err = d.DB.Match(ctx, m.ID); err != nil {
			return err
		}
		if differences, err = compareSample(out, g, m.Position, rec, rounds); err != nil {
			return err
		}
		return p.printCounts()
	})
	return differences, err
}

// PlaySample sends the letters of the sample turn, one for each decision. After each letter it waits for the letters of
// the referee to all players. It returns the number of action rounds.
func (p *Players) PlaySample(ctx context.Context) (rounds int, err error) {
	if err := p.Join(ctx, ""); err != nil {
		return 0, err
	}
	fmt.Fprintln(p.Out, "Both have joined; the sample turn begins.")
	for _, f := range txtar.Parse(testdata.SampleLetters).Files {
		_, seat, _ := strings.Cut(f.Name, " ")
		c, ok := p.Clients[seat]
		if !ok {
			return 0, fmt.Errorf("sample letter %q: unknown seat", f.Name)
		}
		orders := string(f.Data)
		if strings.HasPrefix(orders, "PLAY ") {
			rounds++
		}
		if err := p.Send(seat, orders); err != nil {
			return 0, err
		}
		// The letter to the writer is read first, because only the writer gets a refusal.
		others := slices.DeleteFunc(slices.Clone(p.Seats), func(s string) bool { return s == seat })
		if err := p.Read(ctx, append([]string{seat}, others...)...); err != nil {
			return 0, err
		}
		fmt.Fprintf(p.Out, "\n%-9s > %s\n", seat, strings.TrimSpace(orders))
		for _, l := range eventLines(c.Last.Text) {
			fmt.Fprintf(p.Out, "          | %s\n", l)
		}
	}
	return rounds, nil
}

func compareSample(out io.Writer, g *rules.Game, position []byte, rec *record.Record, rounds int) (differences int, err error) {
	pos, err := g.Decode(position)
	if err != nil {
		return 0, err
	}
	var expected json.RawMessage
	for _, s := range rec.Steps {
		if s.Expect != nil {
			expected = s.Expect
		}
	}
	diffs, err := g.Compare(pos, expected)
	if err != nil {
		return 0, err
	}
	for _, x := range diffs {
		fmt.Fprintln(out, "differs:", x)
	}
	var p struct {
		VP int `json:"vp"`
	}
	if err := json.Unmarshal(position, &p); err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "sample turn: %d action rounds, VP %+d, %d differences from the rulebook\n", rounds, p.VP, len(diffs))
	return len(diffs), nil
}
