package history

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Log is what of a story is written for programs.
type Log struct {
	// Turn is the turn that is written, 0 for all. A move that leads from one into the next
	// belongs to both.
	Turn int
	// JSON writes objects in place of tab-separated fields.
	JSON bool
}

// Line is a line of a log: an entry has several. Fields are added, and none is ever renamed.
type Line struct {
	Seq  int       `json:"seq"`
	At   time.Time `json:"at,omitzero"`
	Turn int       `json:"turn"`
	// Seat is who moved; empty for several and for nobody.
	Seat string `json:"seat"`
	// Kind is order, die, draw, told, alone (told to the seat To and no other), remark, or
	// curve.
	Kind string `json:"kind"`
	// To is the seat that was told, or that receives what is drawn.
	To string `json:"to,omitempty"`
	// Text is the line in words.
	Text string `json:"text"`
	// Roll is a die. Drawn are the elements of a draw that the reader may know, Hidden is
	// how many he may not. From is their pile, Hand the seat that loses them, For the purpose.
	Roll   int    `json:"roll,omitempty"`
	Drawn  []any  `json:"drawn,omitempty"`
	Hidden int    `json:"hidden,omitempty"`
	From   string `json:"from,omitempty"`
	Hand   string `json:"hand,omitempty"`
	For    string `json:"for,omitempty"`
	// Name and Value are those of a curve.
	Name  string `json:"name,omitempty"`
	Value *int   `json:"value,omitempty"`
}

// lines are those of a move.
func (m *Move) lines() (out []Line) {
	add := func(l Line) {
		l.Seq, l.At, l.Turn = m.Seq, m.At, m.Turn
		if l.Seat == "" {
			l.Seat = m.Seat
		}
		out = append(out, l)
	}
	for _, o := range m.Orders {
		lines := o.Lines
		if o.Hidden {
			lines = []string{"hidden"}
		}
		for _, text := range lines {
			add(Line{Seat: o.Seat, Kind: "order", Text: text})
		}
	}
	for _, d := range m.Dice {
		add(Line{Kind: "die", Text: d.String(), Roll: d.Roll, For: d.For})
	}
	for _, d := range m.Draws {
		add(Line{Kind: "draw", Text: d.String(), Drawn: d.Drawn, Hidden: d.Hidden, From: d.From, To: d.To, Hand: d.Hand, For: d.For})
	}
	for _, r := range m.Remarks {
		add(Line{Kind: "remark", Text: r})
	}
	for _, s := range m.Told {
		add(Line{Kind: "told", Text: s})
	}
	for _, a := range m.Alone {
		for _, s := range a.Lines {
			add(Line{Kind: "alone", To: a.Seat, Text: s})
		}
	}
	for _, c := range m.Curves {
		add(Line{Kind: "curve", Text: fmt.Sprintf("%s: %d", c.Name, c.Value), Name: c.Name, Value: &c.Value})
	}
	return out
}

// Write writes the lines of a story.
func (l Log) Write(w io.Writer, s *Story) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, m := range s.Moves {
		if l.Turn > 0 && m.Turn != l.Turn && m.Next != l.Turn {
			continue
		}
		for _, line := range m.lines() {
			if !l.JSON {
				fmt.Fprintln(b, line)
				continue
			}
			if err := enc.Encode(line); err != nil {
				return fmt.Errorf("write entry %d: %w", m.Seq, err)
			}
		}
	}
	return b.Flush()
}

// String is the line as fields between tabs: entry, time, turn, seat, kind and text.
func (l Line) String() string {
	at, seat, text := "-", cmp.Or(l.Seat, "-"), strings.Join(strings.Fields(l.Text), " ")
	if !l.At.IsZero() {
		at = l.At.UTC().Format(time.RFC3339)
	}
	if l.Kind == "alone" {
		text = l.To + ": " + text
	}
	return fmt.Sprintf("%d\t%s\t%d\t%s\t%s\t%s", l.Seq, at, l.Turn, seat, l.Kind, text)
}
