package compose

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"samizdat/adjudicator/order"
)

// SeatView is the view of a seat as JSON, the answer to POSITION, e.g.
// {"format":"samizdat-position","game":"1989",...}. A player can try out orders with it on another machine (samizdat
// check). It contains no information that is hidden from the seat.
type SeatView struct {
	Format   string            `json:"format"`
	Game     string            `json:"game"`
	Revision int               `json:"rules"`
	Match    string            `json:"match"`
	Seats    []string          `json:"seats"`
	Seat     string            `json:"seat"`
	Options  map[string]string `json:"options,omitempty"`
	View     json.RawMessage   `json:"view"`
}

// SeatViewFormat is the value of SeatView.Format.
const SeatViewFormat = "samizdat-position"

// WrapJSON breaks JSON into lines, only after commas outside strings. The lines have at most width bytes if there
// are enough commas.
func WrapJSON(data []byte, width int) []string {
	var out []string
	start, breakAt, inString := 0, 0, false
	for i, c := range data {
		switch {
		case c == '"' && (i == 0 || data[i-1] != '\\'):
			inString = !inString
		case c == ',' && !inString:
			if i+1-start > width && breakAt > start {
				out, start = append(out, string(data[start:breakAt])), breakAt
			}
			breakAt = i + 1
		}
	}
	if len(data)-start > width && breakAt > start {
		out, start = append(out, string(data[start:breakAt])), breakAt
	}
	return append(out, string(data[start:]))
}

// ErrNoSeatView is the error of FindSeatView for a text that contains no view.
var ErrNoSeatView = errors.New("the text contains no position")

// FindSeatView finds the first view of a seat in a text. The text may be a quoted letter (its lines begin with "> ").
// Accents in names are removed.
func FindSeatView(text string) (*SeatView, error) {
	lines := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	for i, l := range lines {
		start := strings.Index(l, `{"format":"`+SeatViewFormat+`"`)
		if start < 0 {
			continue
		}
		prefix := l[:start]
		var b strings.Builder
		for _, l := range lines[i:] {
			b.WriteString(strings.TrimPrefix(strings.TrimRight(l, " "), strings.TrimRight(prefix, " ")) + "\n")
		}
		var seatView SeatView
		if err := json.NewDecoder(bytes.NewReader([]byte(order.ASCII(b.String())))).Decode(&seatView); err != nil {
			return nil, fmt.Errorf("read the position in the text: %w", err)
		}
		return &seatView, nil
	}
	return nil, ErrNoSeatView
}
