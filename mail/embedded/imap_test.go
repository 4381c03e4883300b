package embedded

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/google/go-cmp/cmp"
)

func TestFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	c := login(t, s, nil)
	list := func(pattern string) []string {
		t.Helper()
		got, err := c.List("", pattern, nil).Collect()
		if err != nil {
			t.Fatal(err)
		}
		out := []string{}
		for _, d := range got {
			out = append(out, d.Mailbox)
		}
		return out
	}
	for _, name := range []string{"Samizdat/Done", "Old/Deep/Box", "Łódź"} {
		if err := c.Create(name, nil).Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(list("*"), []string{"INBOX", "Old", "Old/Deep", "Old/Deep/Box", "Samizdat", "Samizdat/Done", "Łódź"}); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
	if err := c.Rename("Old", "New", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	if err := c.Delete("Łódź").Wait(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(list("%"), []string{"INBOX", "New", "Samizdat"}); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
	for what, err := range map[string]error{
		"create again":    c.Create("New/Deep", nil).Wait(),
		"delete inbox":    c.Delete("INBOX").Wait(),
		"delete unknown":  c.Delete("Nothing").Wait(),
		"rename into own": c.Rename("New", "New/x", nil).Wait(),
		"rename to used":  c.Rename("New", "Samizdat", nil).Wait(),
	} {
		var e *imap.Error
		if !errors.As(err, &e) || e.Type != imap.StatusResponseTypeNo {
			t.Errorf("%s: got %v, want NO", what, err)
		}
	}
	if err := c.Subscribe("New/Deep/Box").Wait(); err != nil {
		t.Fatal(err)
	}
	first, err := c.Status("Samizdat/Done", &imap.StatusOptions{UIDValidity: true}).Wait()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Delete("Samizdat/Done").Wait(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = start(t, dir)
	c = login(t, s, nil)
	if d := cmp.Diff(list("New*"), []string{"New", "New/Deep", "New/Deep/Box"}); d != "" {
		t.Errorf("after restart (-got +want):\n%s", d)
	}
	// A folder made again gets a new UIDVALIDITY.
	if err := c.Create("Samizdat/Done", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	second, err := c.Status("Samizdat/Done", &imap.StatusOptions{UIDValidity: true}).Wait()
	if err != nil {
		t.Fatal(err)
	}
	if second.UIDValidity <= first.UIDValidity {
		t.Errorf("got UIDVALIDITY %d after %d", second.UIDValidity, first.UIDValidity)
	}
}

func TestCopyAppendSearch(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	c := login(t, s, nil)
	// The server counts days in its own time zone, as INTERNALDATE shows them.
	for i := range 5 {
		raw := letter(i)
		a := c.Append("INBOX", int64(len(raw)), &imap.AppendOptions{Flags: []imap.Flag{imap.FlagSeen}, Time: time.Date(2026, 1, i+1, 12, 0, 0, 0, time.Local)})
		if _, err := a.Write([]byte(raw)); err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		d, err := a.Wait()
		if err != nil || d.UID != imap.UID(i+1) {
			t.Fatalf("append: got %+v, %v", d, err)
		}
	}
	if err := c.Create("Copy", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	d, err := c.Copy(imap.SeqSetNum(2, 4), "Copy").Wait()
	if err != nil || d.SourceUIDs.String() != "2,4" || d.DestUIDs.String() != "1:2" {
		t.Errorf("copy: got %+v, %v", d, err)
	}
	if _, err := c.Copy(imap.UIDSetNum(77), "Copy").Wait(); err != nil {
		t.Errorf("copy of nothing: %v", err)
	}
	if _, err := c.Move(imap.UIDSetNum(77), "Copy").Wait(); err != nil {
		t.Errorf("move of nothing: %v", err)
	}
	var e *imap.Error
	if _, err := c.Copy(imap.UIDSetNum(1), "Nowhere").Wait(); !errors.As(err, &e) || e.Code != imap.ResponseCodeTryCreate {
		t.Errorf("copy to nowhere: got %v, want TRYCREATE", err)
	}
	last := imap.UIDSet{}
	last.AddRange(0, 0)
	tests := []struct {
		name string
		k    imap.SearchCriteria
		want string
	}{
		{"all", imap.SearchCriteria{}, "1:5"},
		{"subject", imap.SearchCriteria{Header: []imap.SearchCriteriaHeaderField{{Key: "Subject", Value: "LETTER 3"}}}, "4"},
		{"body", imap.SearchCriteria{Body: []string{"krakow 2"}}, "3"},
		{"text", imap.SearchCriteria{Text: []string{"<1@demo>"}}, "2"},
		{"since", imap.SearchCriteria{Since: time.Date(2026, 1, 4, 0, 0, 0, 0, time.UTC)}, "4:5"},
		{"seen", imap.SearchCriteria{Flag: []imap.Flag{imap.FlagSeen}}, "1:5"},
		{"not", imap.SearchCriteria{Not: []imap.SearchCriteria{{UID: []imap.UIDSet{imap.UIDSetNum(1, 2)}}}}, "3:5"},
		{"or", imap.SearchCriteria{Or: [][2]imap.SearchCriteria{{{UID: []imap.UIDSet{imap.UIDSetNum(1)}}, {Body: []string{"Krakow 4"}}}}}, "1,5"},
		{"last", imap.SearchCriteria{UID: []imap.UIDSet{last}}, "5"},
		{"larger", imap.SearchCriteria{Larger: 10000}, ""},
	}
	for _, tt := range tests {
		got, err := c.UIDSearch(&tt.k, nil).Wait()
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		uids := imap.UIDSetNum(got.AllUIDs()...)
		if uids.String() != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, uids.String(), tt.want)
		}
	}
}

func TestReadOnlyAndSeen(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	if err := send(t, s, "judge@demo", letter(1)); err != nil {
		t.Fatal(err)
	}
	c := login(t, s, nil)
	if _, err := c.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait(); err != nil {
		t.Fatal(err)
	}
	whole := &imap.FetchOptions{Flags: true, BodySection: []*imap.FetchItemBodySection{{}}}
	if _, err := c.Fetch(imap.SeqSetNum(1), whole).Collect(); err != nil {
		t.Fatal(err)
	}
	if err := c.Store(imap.SeqSetNum(1), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close(); err == nil {
		t.Error("a mailbox opened by EXAMINE was changed")
	}
	if got := contents(t, c, "INBOX"); got[0] != "1 [] letter 1" {
		t.Errorf("got %v", got)
	}
	if _, err := c.Fetch(imap.SeqSetNum(1), whole).Collect(); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, c, "INBOX"); got[0] != `1 [\Seen] letter 1` {
		t.Errorf("got %v", got)
	}
}

// Damaged mail must not end the connection of whoever looks at it.
func TestOddMessagesCanBeFetched(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	odd := []string{
		"no header at all",
		"Subject: x\r\nthis is no header line\r\n\r\nbody\r\n",
		"Content-Type: multipart/mixed\r\n\r\nno boundary\r\n",
		"Content-Type: multipart/mixed; boundary=b\r\n\r\nno part\r\n",
		"Content-Type: message/rfc822\r\n\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n\r\n",
		"Content-Type: ???\r\nSubject: =?x?y?z?=\r\n\r\n\xff\x00\r\n",
		"\r\n",
	}
	c := login(t, s, nil)
	for _, raw := range odd {
		a := c.Append("INBOX", int64(len(raw)), nil)
		_, _ = a.Write([]byte(raw))
		_ = a.Close()
		if _, err := a.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	text := &imap.FetchItemBodySection{Specifier: imap.PartSpecifierText, Peek: true}
	header := &imap.FetchItemBodySection{Specifier: imap.PartSpecifierHeader, HeaderFields: []string{"subject"}, Peek: true}
	all := &imap.FetchItemBodySection{Peek: true, Partial: &imap.SectionPartial{Offset: 2, Size: 5}}
	for i, raw := range odd {
		got, err := c.Fetch(imap.SeqSetNum(uint32(i+1)), &imap.FetchOptions{Envelope: true, RFC822Size: true, BodyStructure: &imap.FetchItemBodyStructure{Extended: true},
			BodySection: []*imap.FetchItemBodySection{text, header, all}}).Collect()
		if err != nil || len(got) != 1 {
			t.Fatalf("message %d: got %d messages, %v", i+1, len(got), err)
		}
		if got[0].RFC822Size != int64(len(raw)) {
			t.Errorf("message %d: got size %d, want %d", i+1, got[0].RFC822Size, len(raw))
		}
		if want := raw[min(2, len(raw)):min(7, len(raw))]; string(got[0].FindBodySection(all)) != want {
			t.Errorf("message %d: got %q, want %q", i+1, got[0].FindBodySection(all), want)
		}
	}
}

// Two sessions look at one mailbox: each is told what the other did.
func TestTwoSessions(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	for i := range 4 {
		if err := send(t, s, "judge@demo", letter(i)); err != nil {
			t.Fatal(err)
		}
	}
	expunged := make(chan uint32, 10)
	a := login(t, s, nil)
	b := login(t, s, &imapclient.Options{UnilateralDataHandler: &imapclient.UnilateralDataHandler{Expunge: func(n uint32) { expunged <- n }}})
	for _, c := range []*imapclient.Client{a, b} {
		if _, err := c.Select("INBOX", nil).Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Create("Done", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Move(imap.UIDSetNum(1, 3), "Done").Wait(); err != nil {
		t.Fatal(err)
	}
	// B does not know yet: its number 4 is still letter 3, and 1 is gone.
	got, err := b.Fetch(imap.SeqSetNum(1, 4), &imap.FetchOptions{UID: true}).Collect()
	if err != nil || len(got) != 1 || got[0].SeqNum != 4 || got[0].UID != 4 {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := b.Noop().Wait(); err != nil {
		t.Fatal(err)
	}
	if x, y := <-expunged, <-expunged; x != 3 || y != 1 {
		t.Errorf("got EXPUNGE %d, %d; want 3, 1", x, y)
	}
	got, err = b.Fetch(imap.SeqSetNum(2), &imap.FetchOptions{UID: true}).Collect()
	if err != nil || len(got) != 1 || got[0].UID != 4 {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := a.Delete("INBOX").Wait(); err == nil {
		t.Error("INBOX was deleted")
	}
}

// The words on the wire, for programs that read them less kindly than a library.
func TestMoveOnTheWire(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	for i := range 3 {
		if err := send(t, s, "judge@demo", letter(i)); err != nil {
			t.Fatal(err)
		}
	}
	conn, err := net.Dial("tcp", s.IMAPAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	if _, err := r.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	run := func(tag, cmd string) string {
		t.Helper()
		fmt.Fprintf(conn, "%s %s\r\n", tag, cmd)
		var out strings.Builder
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				t.Fatalf("%s: %v", cmd, err)
			}
			out.WriteString(line)
			if strings.HasPrefix(line, tag+" ") {
				return out.String()
			}
		}
	}
	run("a", "LOGIN judge@demo secret")
	run("b", "CREATE Done")
	run("c", "SELECT INBOX")
	got := run("d", "MOVE 1:2 Done")
	lines := strings.Split(strings.TrimSpace(got), "\r\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "* OK [COPYUID ") || !strings.Contains(lines[0], " 1:2 1:2]") || lines[1] != "* 2 EXPUNGE" || lines[2] != "* 1 EXPUNGE" || !strings.HasPrefix(lines[3], "d OK") {
		t.Errorf("got %q", lines)
	}
	if got := run("e", "FETCH 1 (UID BODY.PEEK[HEADER.FIELDS (SUBJECT)])"); !strings.HasPrefix(got, "* 1 FETCH (UID 3 BODY[HEADER.FIELDS (\"SUBJECT\")] {") && !strings.HasPrefix(got, "* 1 FETCH (UID 3 BODY[HEADER.FIELDS (SUBJECT)] {") {
		t.Errorf("got %q", got)
	}
	if got := run("f", "UNKNOWN"); !strings.Contains(got, "f BAD") {
		t.Errorf("got %q", got)
	}
}
