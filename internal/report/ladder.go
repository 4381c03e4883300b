package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"samizdat/adjudicator/club"
)

// Ladder writes a ladder as a table. Names are what its players are called.
func Ladder(w io.Writer, l club.Ladder, names map[int64]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "PLACE\tPLAYER\tRATING\tDEVIATION\tWON\tDRAWN\tLOST\tLAST")
	for i, x := range l.Lines {
		place := fmt.Sprint(i + 1)
		if x.Provisional() {
			place = "?"
		}
		fmt.Fprintf(t, "%s\t%s\t%.0f\t%.0f\t%d\t%d\t%d\t%s\n", place, names[x.Player], x.Rating.Rating, x.Rating.Deviation, x.Won, x.Drawn, x.Lost, x.Last.Format("2006-01-02"))
	}
	return t.Flush()
}

// LadderJSON writes a ladder as one line of JSON.
func LadderJSON(w io.Writer, l club.Ladder) error {
	return json.NewEncoder(w).Encode(l.Ladder)
}

// LaddersSame says whether a ladder that is kept is, to the byte, the one that its results give.
func LaddersSame(w io.Writer, kept, again club.Ladder) (same bool, err error) {
	a, err := json.Marshal(kept.Ladder)
	if err != nil {
		return false, err
	}
	b, err := json.Marshal(again.Ladder)
	if err != nil {
		return false, err
	}
	if bytes.Equal(a, b) {
		_, err = fmt.Fprintf(w, "The ladder of %s is what its results give: %d players, %d bytes, the same.\n", kept.Game, len(kept.Lines), len(a))
		return true, err
	}
	fmt.Fprintf(w, "The ladder of %s is not what its results give.\n", kept.Game)
	for i, x := range again.Lines {
		if i >= len(kept.Lines) || kept.Lines[i].Player != x.Player || kept.Lines[i].Rating != x.Rating {
			_, err = fmt.Fprintf(w, "First at place %d: player %d with %.4f by the results.\n", i+1, x.Player, x.Rating.Rating)
			return false, err
		}
	}
	return false, nil
}
