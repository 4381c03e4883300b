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

// LogWriter writes a story, or only one turn of the match, as lines for programs ("samizdat log").
type LogWriter struct {
	// Turn is the turn to write; 0 means all turns. A move that leads from one turn into the next belongs to both.
	Turn int
	// JSON writes objects in place of tab-separated fields.
	JSON bool
}

// LogLine is a line of a log. An entry of the history has several lines. New JSON keys may be added, but existing keys
// are never renamed.
type LogLine struct {
	Seq  int       `json:"seq"`
	At   time.Time `json:"at,omitzero"`
	Turn int       `json:"turn"`
	// Seat is the seat that moved; empty for a move of several seats or of none.
	Seat string `json:"seat"`
	Kind Kind   `json:"kind"`
	// To is the seat that may read the sentence, or that receives the drawn elements.
	To   string `json:"to,omitempty"`
	Text string `json:"text"`
	// Roll is the number on a die. Drawn are the visible elements of a draw, and Hidden counts the other elements. From
	// is the pile, FromHand is the seat that loses the elements, and For is the purpose.
	Roll     int    `json:"roll,omitempty"`
	Drawn    []any  `json:"drawn,omitempty"`
	Hidden   int    `json:"hidden,omitempty"`
	From     string `json:"from,omitempty"`
	FromHand string `json:"hand,omitempty"`
	For      string `json:"for,omitempty"`
	// Name and Value are the name and the value of a curve.
	Name  string `json:"name,omitempty"`
	Value *int   `json:"value,omitempty"`
}

// Kind is the kind of a log line.
type Kind string

const (
	KindOrder  Kind = "order"
	KindDie    Kind = "die"
	KindDraw   Kind = "draw"
	KindRemark Kind = "remark"
	// KindPublic is a sentence to all seats.
	KindPublic Kind = "told"
	// KindPrivate is a sentence only to the seat To.
	KindPrivate Kind = "alone"
	// KindCurve is the value of a curve after the entry, for example the victory points.
	KindCurve Kind = "curve"
)

func (m *Move) logLines() (out []LogLine) {
	add := func(l LogLine) {
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
			add(LogLine{Seat: o.Seat, Kind: KindOrder, Text: text})
		}
	}
	for _, d := range m.Dice {
		add(LogLine{Kind: KindDie, Text: d.String(), Roll: d.Roll, For: d.For})
	}
	for _, d := range m.Draws {
		add(LogLine{Kind: KindDraw, Text: d.String(), Drawn: d.Drawn, Hidden: d.Hidden, From: d.From, To: d.To, FromHand: d.Hand, For: d.For})
	}
	for _, r := range m.Remarks {
		add(LogLine{Kind: KindRemark, Text: r})
	}
	for _, s := range m.PublicSentences {
		add(LogLine{Kind: KindPublic, Text: s})
	}
	for _, a := range m.PrivateSentences {
		for _, s := range a.Lines {
			add(LogLine{Kind: KindPrivate, To: a.Seat, Text: s})
		}
	}
	for _, c := range m.Curves {
		add(LogLine{Kind: KindCurve, Text: fmt.Sprintf("%s: %d", c.Name, c.Value), Name: c.Name, Value: &c.Value})
	}
	return out
}

// Write writes the lines of a story, as JSON objects or as text (LogLine.String).
func (l LogWriter) Write(w io.Writer, s *Story) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, m := range s.Moves {
		if l.Turn > 0 && m.Turn != l.Turn && m.Next != l.Turn {
			continue
		}
		for _, line := range m.logLines() {
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

// String returns the fields with tabs between them: entry, time, turn, seat, kind and text. For example:
// "17<TAB>1989-11-09T18:00:00Z<TAB>3<TAB>democrat<TAB>die<TAB>4 (support check)". An empty field is "-".
func (l LogLine) String() string {
	at, seat, text := "-", cmp.Or(l.Seat, "-"), strings.Join(strings.Fields(l.Text), " ")
	if !l.At.IsZero() {
		at = l.At.UTC().Format(time.RFC3339)
	}
	if l.Kind == KindPrivate {
		text = l.To + ": " + text
	}
	return fmt.Sprintf("%d\t%s\t%d\t%s\t%s\t%s", l.Seq, at, l.Turn, seat, l.Kind, text)
}
