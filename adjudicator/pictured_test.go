package adjudicator_test

import (
	"fmt"
	"strings"
	"testing"

	"samizdat/adjudicator"
)

// TestPictureOnce: a map that is as the last picture shows it is not sent again; the page says
// which letter shows it. Whoever asks for it gets it, and so does who takes a seat.
func TestPictureOnce(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 35)
	a := pages(c)
	var last adjudicator.Dispatch // the last that had a picture
	said := 0
	for n := 35; n < 45; n++ {
		sampleLetter(t, c, n)
		d := a.last("democrat")
		_, again, _ := strings.Cut(d.HTML, "The map is as the picture in your letter ")
		switch {
		case again == "":
		case d.Drawing != nil || !strings.HasPrefix(again, fmt.Sprint(last.Number, " ")):
			t.Errorf("letter %d, with a drawing of %d bytes, says that the map is in letter %.4s; the last with one was %d", d.Number, len(d.Drawing), again, last.Number)
		default:
			said++
		}
		if d.Drawing != nil {
			last = d
		}
	}
	if said == 0 {
		t.Fatal("each letter of a power struggle has its picture")
	}
	for _, order := range []string{"STATUS", "MAP", "FORMAT PICTURE"} {
		c.sends("democrat", order)
		if d := a.last("democrat"); d.Drawing == nil || strings.Contains(d.HTML, "The map is as") {
			t.Errorf("%s gets no picture", order)
		}
	}
	if err := c.adj.Replace(t.Context(), id, 0, "new@players.test"); err != nil {
		t.Fatal(err)
	}
	if list := a.letters["new@players.test"]; len(list) == 0 || list[len(list)-1].Drawing == nil {
		t.Errorf("who takes the seat gets no picture in %d letters", len(list))
	}
}
