package report

import (
	"fmt"
	"io"

	"samizdat/adjudicator/match/record"
)

// epochs lists and counts every rise of the epoch that an entry explains. The error names every
// other.
func epochs(out io.Writer, rec *record.Record) (rises int, err error) {
	explained, err := record.VerifyEpochs(rec)
	switch n := len(explained); {
	case n == 1:
		fmt.Fprintln(out, "Epochs: 1 new one, whose entry says why:")
	case n > 1:
		fmt.Fprintf(out, "Epochs: %d new ones, each with an entry that says why:\n", n)
	case err == nil:
		fmt.Fprintln(out, "Epochs: one for the whole record. Nothing was taken back.")
	}
	for _, r := range explained {
		fmt.Fprintf(out, "  entry %d, epoch %d: %s\n", r.Entry.Seq, r.Entry.Epoch, because(r.Entry))
	}
	if err != nil {
		err = fmt.Errorf("epochs: %w", err)
	}
	return len(explained), err
}

// because says why an entry raises the epoch.
func because(e *record.Entry) string {
	var said string
	switch a := e.Act; {
	case a == nil:
		return fmt.Sprintf("%s took back entry %d and what followed.", e.Seat, e.Takeback)
	case a.Kind == record.Restore:
		said = "the operator put a backup back, of a match that stood as after " + listTime(a.Until) + " UTC."
	default:
		said = fmt.Sprintf("the director undid entry %d and what followed.", e.Takeback)
	}
	if e.Act.Why != "" {
		said += " The reason: " + e.Act.Why
	}
	return said
}
