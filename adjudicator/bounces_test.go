package adjudicator_test

import (
	"bytes"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/internal/test/rulestest"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/storage"
)

// TestGivenUp: a letter that the mail server refuses at once brings no report. It is
// booked all the same, once.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, reason string
		book         string
	}{
		{"no such address", "RCPT refused: 550 5.1.1 no such user", "hard 5.1.1"},
		{"no such address, no code", "RCPT refused: 550 0.0.0 No such user here", "hard "},
		{"tried for too long", "given up after 35 tries: RCPT refused: 450 4.2.1 busy", "soft 4.2.1"},
		{"content", "final dot refused: 554 5.7.1 looks like spam", "soft 5.7.1"},
		{"our own account", "RCPT refused: 550 5.4.5 Daily user sending limit exceeded", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id := sampleClub(t)
			if _, err := c.try(c.letter("democrat", "STATUS")); err != nil {
				t.Fatal(err)
			}
			box := c.box()
			due, err := box.Due(t.Context(), c.now, 10)
			if err != nil || len(due) != 1 {
				t.Fatalf("%d letters, %v", len(due), err)
			}
			if err := box.MarkFailed(t.Context(), due[0].ID, c.now, c.now, true, tt.reason); err != nil {
				t.Fatal(err)
			}
			// What has happened is not lost with the process.
			c.reopen()
			c.now = c.now.Add(time.Minute)
			got := ""
			for _, b := range c.bounces(t, id, 0) {
				got = map[bool]string{true: "hard ", false: "soft "}[b.hard] + b.status
			}
			if got != tt.book {
				t.Errorf("the book says %q, want %q", got, tt.book)
			}
		})
	}
}

// returns is a mail server's report that a letter did not arrive.
func (c *club) returns(t *testing.T, l message.Letter, hard bool) {
	t.Helper()
	status, action := "4.4.1", "delayed"
	if hard {
		status, action = "5.1.1", "failed"
	}
	raw := strings.ReplaceAll("Return-Path: <>\nFrom: MAILER-DAEMON@mx.test\nTo: "+c.codec.Address+"\nAuto-Submitted: auto-replied\n"+
		"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nSorry.\n--b\nContent-Type: message/delivery-status\n\n"+
		"Reporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; x@players.test\nAction: "+action+"\nStatus: "+status+
		"\nDiagnostic-Code: smtp; the reason\n\n--b\nContent-Type: message/rfc822\n\nFrom: "+c.codec.Address+"\nReply-To: "+l.ReplyTo[0]+
		"\nMessage-ID: <"+l.MessageID+">\n\nx\n--b--\n", "\n", "\r\n")
	c.uid++
	c.now = c.now.Add(time.Minute)
	if f, err := c.handler().Handle(t.Context(), mail.Received{UIDValidity: 1, UID: c.uid, Raw: []byte(raw), Arrived: c.now}); f != mail.Ignored || err != nil {
		t.Fatalf("a report is filed in %s, %v", f, err)
	}
	c.deliver()
}

// TestLateReport: a report that comes when a match is over, archived or not, changes nothing in
// it; but that the player is not reached is booked, and the operator is told.
func TestLateReport(t *testing.T) {
	t.Parallel()
	for _, packed := range []bool{false, true} {
		c := newClub(t, rulestest.Game())
		id := ended(t, c)
		if packed && !c.archive(id) {
			t.Fatal("the match is not archived")
		}
		before := c.stored(id)
		const seat = 1
		l := c.last(orchards[seat])
		c.returns(t, l, true)
		if d := cmp.Diff(before, c.stored(id), cmp.Exporter(func(reflect.Type) bool { return true })); d != "" {
			t.Errorf("archived %v: the match is another:\n%s", packed, d)
		}
		if got, want := c.bounces(t, id, seat), []booked{{true, "5.1.1", "the reason"}}; !slices.Equal(got, want) {
			t.Errorf("archived %v: the book says %v, not %v", packed, got, want)
		}
		var told []storage.SeatFailures
		if _, err := c.db.Operator.ReportUndelivered(t.Context(), c.now, "director@club.test", func(all []storage.SeatFailures) ([]byte, error) {
			told = all
			return []byte("letter"), nil
		}); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]storage.SeatFailures{{Match: id, Seat: seat, Name: orchards[seat], Returned: 1,
			Reason: "5.1.1 the reason"}}, told); d != "" {
			t.Errorf("archived %v: the operator is told (-want +got):\n%s", packed, d)
		}
	}
}

// TestBounceLogNamesNoPlayer: what the log says of letters that came back holds no address,
// of a player or of ours, as a token may stand in that.
func TestBounceLogNamesNoPlayer(t *testing.T) {
	t.Parallel()
	c, id, seat, _ := inTurn(t, rulestest.Game())
	var log bytes.Buffer
	c.adj.Log = slog.New(slog.NewTextHandler(&log, nil))
	l := c.last(seat)
	for i, tt := range []struct{ to, status, returned string }{
		{address(seat), "5.1.1", "Message-ID: <" + l.MessageID + ">\n"},
		{l.ReplyTo[0], "5.1.1", "Message-ID: <1@elsewhere.test>\n"},
		{address(seat), "5.1.1", "Message-ID: <1@elsewhere.test>\n"},
		{address(seat), "5.4.5", "Message-ID: <" + l.MessageID + ">\n"},
	} {
		raw := "Return-Path: <>\nFrom: MAILER-DAEMON@mx.test\nTo: " + c.codec.Address + "\nMessage-ID: <" + string(rune('a'+i)) + "@mx.test>\n" +
			"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nSorry.\n--b\nContent-Type: message/delivery-status\n\n" +
			"Reporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; " + tt.to + "\nAction: failed\nStatus: " + tt.status +
			"\nDiagnostic-Code: smtp; 550 <" + tt.to + ">: unknown, see " + address(seat) + "\n\n--b\nContent-Type: message/rfc822\n\n" + tt.returned + "\nx\n--b--\n"
		if f, err := c.handler().Handle(t.Context(), mail.Received{Raw: []byte(strings.ReplaceAll(raw, "\n", "\r\n")), Arrived: c.now}); f != mail.Ignored || err != nil {
			t.Errorf("report %d is filed in %s, %v", i+1, f, err)
		}
	}
	got := log.String()
	for _, want := range []string{"a letter bounced", "match=" + id, "may not have arrived", "a letter is lost", "550 (address): unknown, see (address)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the log", want)
		}
	}
	if strings.Contains(got, address(seat)) || strings.Contains(got, strings.ToLower(l.ReplyTo[0])) || strings.Contains(got, c.codec.Address[:strings.Index(c.codec.Address, "@")]+"+") {
		t.Errorf("an address is in the log:\n%s", got)
	}
}
