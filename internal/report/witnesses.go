package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"samizdat/adjudicator/match/record"
)

// witnesses checks what players have signed off, and counts it.
func witnesses(out io.Writer, rec *record.Record) error {
	signed, err := record.VerifyWitnesses(rec)
	if err != nil {
		return fmt.Errorf("witnesses: %w", err)
	}
	var newest []string
	seen := map[record.SeatName]bool{}
	for _, e := range slices.Backward(signed) {
		if !seen[e.Seat] {
			seen[e.Seat] = true
			newest = append(newest, fmt.Sprintf("%s has signed off all up to entry %d", e.Seat, *e.Act.Entry))
		}
	}
	if len(signed) > 0 {
		fmt.Fprintf(out, "Witnesses: %d; %s.\n", len(signed), strings.Join(newest, ", "))
	}
	return nil
}
