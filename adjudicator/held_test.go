package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
)

// entriesOf lists the orders of a match's history.
func entriesOf(t *testing.T, c *club, id string) []string {
	t.Helper()
	rec, err := record.Read(bytes.NewReader(c.export(id, true)))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, entry := range rec.Entries() {
		for _, o := range entry.Orders {
			out = append(out, string(entry.Seat)+" "+o)
		}
	}
	return out
}

// TestOperationBehindEventFirst: an operation given with EVENT FIRST is kept, is
// told to nobody, and is carried out when the event is over, as an entry of its
// own.
func TestOperationBehindEventFirst(t *testing.T) {
	t.Parallel()
	// Letter 13 is the Democrat's PLAY 10 OPS EVENT FIRST.
	c, id := sampleAfter(t, 12)
	plain, _ := sampleAfter(t, 12)
	answer := c.sends("democrat", "PLAY 10 OPS PLACE Poznan 2, Lodz EVENT FIRST")
	plain.sends("democrat", "PLAY 10 OPS EVENT FIRST")
	if !strings.Contains(answer.Text, "OPS PLACE Poznan 2, Lodz: saved") {
		t.Errorf("the answer does not say that the operation is kept:\n%s", answer.Text)
	}
	if a, b := unhashed(c.last("communist")), unhashed(plain.last("communist")); a.Text != b.Text {
		t.Errorf("the Communist is told of the operation:\n%s", a.Text)
	}
	c.reopen()
	c.sends("communist", "PLACE Brasov 2, Ploiesti 2")
	got := entriesOf(t, c, id)
	want := []string{"democrat PLAY 10 OPS EVENT FIRST", "communist PLACE Brasov 2, Ploiesti 2", "democrat OPS PLACE Poznan 2, Lodz"}
	if tail := got[len(got)-3:]; strings.Join(tail, "|") != strings.Join(want, "|") {
		t.Errorf("the history ends with %q, want %q", tail, want)
	}
	if l := c.last("democrat"); !strings.Contains(l.Text, "Poznan") {
		t.Errorf("the Democrat is not told of his operation:\n%s", l.Text)
	}
}

// TestKeptOrderNoLongerLegal: a kept operation that is no longer wholly legal is
// dropped as a whole, its owner is told, and is asked again.
func TestKeptOrderNoLongerLegal(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 12)
	// Sliven is out of reach, which shows only when the operation is tried.
	c.sends("democrat", "PLAY 10 OPS PLACE Poznan 2, Sliven EVENT FIRST")
	c.sends("communist", "PLACE Brasov 2, Ploiesti 2")
	l := c.last("democrat")
	if !strings.Contains(l.Text, "It is your move.") || !strings.Contains(l.Text, "saved order is not legal") {
		t.Errorf("the Democrat is not asked again, or not told why:\n%s", l.Text)
	}
	if got := entriesOf(t, c, id); got[len(got)-1] != "communist PLACE Brasov 2, Ploiesti 2" {
		t.Errorf("the history ends with %q", got[len(got)-1])
	}
	if strings.Contains(c.last("communist").Text, "Sliven") && strings.Contains(c.last("communist").Text, "saved order is not legal") {
		t.Error("the Communist is told of the operation")
	}
	c.sends("democrat", "OPS PLACE Poznan 2, Lodz")
	if got := entriesOf(t, c, id); got[len(got)-1] != "democrat OPS PLACE Poznan 2, Lodz" {
		t.Errorf("the history ends with %q", got[len(got)-1])
	}
}

// TestSecondCheck: both checks of one line are carried out, each as an entry.
func TestSecondCheck(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 5)
	c.sends("communist", "PLAY 14 OPS CHECK Gdansk, Krakow")
	got := entriesOf(t, c, id)
	// The sample's chance has one die here and then a draw, so that the second
	// check waits: its order is on record, its die is not.
	want := []string{"communist PLAY 14 OPS CHECK Gdansk", "communist OPS CHECK Krakow"}
	if tail := got[len(got)-2:]; strings.Join(tail, "|") != strings.Join(want, "|") {
		t.Errorf("the history ends with %q, want %q", tail, want)
	}
}

// TestLettersLines: the answer says of each line what became of it.
func TestLettersLines(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 9)
	a := c.sends("communist", "Good evening! // nice weather here\nplay 1 event; choose pozn\ncheck gda")
	for _, want := range []string{"play 1 event: done", "choose pozn: done", "CHOOSE Poznan", "check gda: done", "CHECK Gdansk"} {
		if !strings.Contains(a.Text, want) {
			t.Errorf("the answer lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log(a.Text)
	}
}

// TestAnd: a line that begins with AND continues a list, unless it is talk.
func TestAnd(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	a := c.sends("communist", "PLACE Miskolc\nand Debrecen\nAnd thanks!")
	if got := entriesOf(t, c, id); len(got) != 1 || got[0] != "communist PLACE Miskolc, Debrecen" {
		t.Errorf("the history is %q\n%s", got, a.Text)
	}
}

// TestLetterThatAskedNothing: a reply to a letter that asked nothing is no answer
// to a question that opened later.
func TestLetterThatAskedNothing(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	blind := c.letter("democrat", "PLACE Poznan, Wroclaw, Szeged")
	sampleLetters(t, c, 1)
	before := c.export(id, true)
	c.receive(blind)
	if a := c.last("democrat").Text; !strings.Contains(a, "did not ask you anything") || !bytes.Equal(before, c.export(id, true)) {
		t.Errorf("the order was carried out:\n%s", a)
	}
}

// TestInterrupted: lines behind one that lets another seat's kept order be
// carried out are not carried out, since their writer has not seen it.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 12)
	c.sends("democrat", "PLAY 10 OPS PLACE Poznan 2, Lodz EVENT FIRST")
	a := c.sends("communist", "PLACE Brasov 2, Ploiesti 2\nPLAY 19 OPS EVENT FIRST")
	if !strings.Contains(a.Text, "PLAY 19 OPS EVENT FIRST: not reached") {
		t.Errorf("the second line was carried out:\n%s", a.Text)
	}
	if got := entriesOf(t, c, id); got[len(got)-1] != "democrat OPS PLACE Poznan 2, Lodz" {
		t.Errorf("the history ends with %q", got[len(got)-1])
	}
}

// TestAskedBesideRefused: what asks is answered below an order that is refused. A word alone asks
// only where it is no end of a sentence that a mail program has broken.
func TestAskedBesideRefused(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 6)
	for text, want := range map[string]string{
		"PLAY 999 EVENT\n\nSTATUS":                          "STATUS: done",
		"PLAY 999 EVENT\n\npoints":                          "points: done",
		"PLAY 999 EVENT\nCARD 40":                           "CARD 40: done",
		"Hello!\nscore":                                     "score: done",
		"Dear old robot of mine,\nscore":                    "score: done",
		"Long day, and my head is full of that last\nscore": "score: done",
		"Tell me, for I have no idea about the\nturn":       "turn: done",
	} {
		if a := c.sends("democrat", text); !strings.Contains(a.Text, want) {
			t.Errorf("%q gets no %q:\n%s", text, want, a.Text)
		}
	}
}

// TestReplaceAndDrop: what is kept can be replaced and dropped until it is
// carried out.
func TestReplaceAndDrop(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 12)
	c.sends("democrat", "PLAY 10 OPS PLACE Poznan 2, Lodz EVENT FIRST")
	if a := c.sends("democrat", "OPS PLACE Lodz 2, Krakow"); !strings.Contains(a.Text, "It replaces") || strings.Contains(a.Text, "Poznan 2") {
		t.Errorf("the order was not replaced:\n%s", a.Text)
	}
	if a := c.sends("democrat", "DROP"); !strings.Contains(a.Text, "Your saved orders are dropped.") {
		t.Errorf("the order was not dropped:\n%s", a.Text)
	}
	if a := c.sends("democrat", "OPS PLACE Lodz 2, Krakow"); !strings.Contains(a.Text, ": refused") {
		t.Errorf("an order was kept out of nothing:\n%s", a.Text)
	}
	c.sends("communist", "PLACE Brasov 2, Ploiesti 2")
	if got := entriesOf(t, c, id); got[len(got)-1] != "communist PLACE Brasov 2, Ploiesti 2" {
		t.Errorf("the history ends with %q", got[len(got)-1])
	}
}

// TestListSkips: of a list of attacks, what is not legal when it is reached is
// passed over for the next.
func TestListSkips(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 35)
	// After Petition-6 the sample's die keeps the initiative. Support Surges he
	// does not hold.
	c.sends("communist", "ATTACK Petition-6, Support Surges, Strike-6")
	c.sends("democrat", "DEFEND Petition-6")
	l := c.last("communist")
	if !strings.Contains(l.Text, "ATTACK Petition-6, Support Surges, Strike-6: done") || !strings.Contains(l.Text, "Carried out: ATTACK Strike-6") {
		t.Errorf("the list was not carried on:\n%s", l.Text)
	}
	if got := entriesOf(t, c, id); got[len(got)-1] != "communist ATTACK Strike-6" {
		t.Errorf("the history ends with %q", got[len(got)-1])
	}
}
