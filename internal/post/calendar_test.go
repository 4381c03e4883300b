package post_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/emersion/go-message/mail"

	"samizdat/adjudicator/exchange"
	"samizdat/mail/message"
)

// TestCalendar: the entry for a calendar is read back as it was meant, is the same one in
// each letter to the seat, newer in each, and spoils neither text, page nor picture.
func TestCalendar(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 11, 25, 10, 2, 0, 0, time.UTC)
	outgoing := exchange.OutgoingLetter{
		Addressee:       exchange.Addressee{Match: "mabc", Seat: 1, Number: 7, To: "ann@y.test"},
		Heading:         exchange.Heading{Subject: "Your move: 1989 v. Łucja, turn 1; set-up [mabc]", MessageID: "mabc-1-7@x.test"},
		Schedule:        exchange.Schedule{Date: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)},
		Content:         exchange.Content{Body: message.Mark + "\n\nIt is your move.\n"},
		LetterQuestions: exchange.LetterQuestions{Deadline: until},
	}
	for _, page := range []string{"", "<p>It is your move.</p>"} {
		for _, picture := range []string{"", "map@mabc"} {
			for number := int64(7); number < 9; number++ {
				outgoing.HTML, outgoing.PictureID, outgoing.Number = page, picture, number
				r, err := codec.Render(outgoing)
				if err != nil {
					t.Fatal(err)
				}
				raw := r.Bytes
				if picture != "" {
					raw = message.InsertData(raw, r.PictureAt, []byte("picture"))
				}
				got := parts(t, raw)
				want := map[string]string{"text/plain": outgoing.Body, "text/html": page, "image/png": map[bool]string{true: "picture"}[picture != ""]}
				for kind, text := range want {
					if is := strings.ReplaceAll(got[kind], "\r\n", "\n"); strings.TrimSpace(is) != strings.TrimSpace(text) {
						t.Errorf("%s is %q, want %q", kind, is, text)
					}
				}
				if l := message.Read(raw); l.Text != outgoing.Body || len(l.Problems) > 0 {
					t.Errorf("read: %q, %v", l.Text, l.Problems)
				}
				entry(t, got["text/calendar"], until, number)
			}
		}
	}
	outgoing.Deadline = time.Time{}
	if r, err := codec.Render(outgoing); err != nil || bytes.Contains(r.Bytes, []byte("text/calendar")) {
		t.Errorf("an entry without a time: %v", err)
	}
}

// parts are the parts of a message, by their types.
func parts(t *testing.T, raw []byte) map[string]string {
	t.Helper()
	r, err := mail.CreateReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for {
		p, err := r.NextPart()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(p.Body)
		if err != nil {
			t.Fatal(err)
		}
		kind, params, _ := strings.Cut(p.Header.Get("Content-Type"), ";")
		if kind == "text/calendar" && !strings.Contains(params, "method=PUBLISH") {
			t.Errorf("the calendar has %s", params)
		}
		out[kind] += string(body)
	}
}

// entry reads an entry for a calendar.
func entry(t *testing.T, text string, until time.Time, number int64) {
	t.Helper()
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		if len(line) > 75 || strings.Contains(line, "\n") {
			t.Errorf("a line of %d bytes: %q", len(line), line)
		}
	}
	if n := strings.Count(text, "PRODID:"); n != 1 {
		t.Errorf("%d programs made it", n)
	}
	calendar, err := ics.ParseCalendar(strings.NewReader(text))
	if err != nil || len(calendar.Events()) != 1 {
		t.Fatalf("%v\n%s", err, text)
	}
	e := calendar.Events()[0]
	start, err := e.GetStartAt()
	if err != nil || !start.Equal(until) {
		t.Errorf("it is at %v, %v", start, err)
	}
	for property, want := range map[ics.ComponentProperty]string{
		ics.ComponentPropertyUniqueId: "mabc-1@x.test", ics.ComponentPropertySequence: fmt.Sprint(number),
		ics.ComponentPropertySummary: "Your answer is due: 1989 v. Łucja, turn 1; set-up [mabc]",
	} {
		if p := e.GetProperty(property); p == nil || p.Value != want {
			t.Errorf("%s is %+v, want %q", property, p, want)
		}
	}
}
