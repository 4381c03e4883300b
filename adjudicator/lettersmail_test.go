package adjudicator_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"image/png"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/mail/message"
)

// leaf is a part of a message that has no parts: its type with those around it, its
// content id, and its decoded content.
type leaf struct {
	kind, id string
	data     []byte
}

// leaves takes a message apart with the standard library, as a mail program would.
func leaves(t testing.TB, raw []byte) (netmail.Header, []leaf) {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(around, kind, id, encoding string, body io.Reader) []leaf
	walk = func(around, kind, id, encoding string, body io.Reader) []leaf {
		media, params, err := mime.ParseMediaType(kind)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if !strings.HasPrefix(media, "multipart/") {
			data, err := io.ReadAll(body)
			if err != nil {
				t.Fatal(err)
			}
			return []leaf{{around + media, strings.Trim(id, "<>"), plainBytes(t, encoding, data)}}
		}
		if media == "multipart/related" && params["type"] == "" {
			t.Error("a multipart/related does not say what its first part is (RFC 2387)")
		}
		var out []leaf
		r := multipart.NewReader(body, params["boundary"])
		for {
			p, err := r.NextRawPart()
			if err == io.EOF {
				return out
			}
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, walk(around+strings.TrimPrefix(media, "multipart/")+" ", p.Header.Get("Content-Type"), p.Header.Get("Content-Id"),
				p.Header.Get("Content-Transfer-Encoding"), p)...)
		}
	}
	return m.Header, walk("", m.Header.Get("Content-Type"), "", m.Header.Get("Content-Transfer-Encoding"), m.Body)
}

// plainBytes undoes a transfer encoding.
func plainBytes(t testing.TB, encoding string, data []byte) []byte {
	t.Helper()
	var r io.Reader
	switch encoding {
	case "7bit":
		return data
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data))
	case "quoted-printable":
		r = quotedprintable.NewReader(bytes.NewReader(data))
	default:
		t.Fatalf("the transfer encoding %q", encoding)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// remote is whatever would make a mail program fetch something or run a program. In
// lower case, since a search that folds case takes longer than to write the letters.
var (
	remote = []string{"<script", "<link", "<iframe", "<object", "<embed", "<form", "<base", "http:", "https:", "url(", "@import", "javascript:", "srcset", "background="}
	// more are those that are no fixed words: addresses without a scheme, pictures from
	// elsewhere. Each begins with letters that can be looked for.
	more     = []*regexp.Regexp{regexp.MustCompile(`//[a-z]`), regexp.MustCompile(`src="[^c]`)}
	handlers = regexp.MustCompile(`on[a-z]+=`)
)

// fetches gives the first thing in a page that would fetch or run something.
func fetches(page string) string {
	page = strings.ToLower(page)
	for _, s := range remote {
		if strings.Contains(page, s) {
			return s
		}
	}
	for _, r := range more {
		if s := r.FindString(page); s != "" {
			return s
		}
	}
	for _, m := range handlers.FindAllStringIndex(page, -1) {
		if m[0] > 0 && strings.ContainsRune(" \t\n\f\r", rune(page[m[0]-1])) {
			return page[m[0]:m[1]]
		}
	}
	return ""
}

// TestFetches: each of them is found, in capitals as well.
func TestFetches(t *testing.T) {
	t.Parallel()
	for _, bad := range append([]string{"<a href=\"//x.test\"", "<p onClick=", "<img src=\"x.png", "<p\tonload=", "<p version= onload="}, remote...) {
		for _, page := range []string{bad, strings.ToUpper(bad)} {
			if fetches("<p>one</p>"+page+">") == "" {
				t.Errorf("%s is not found", page)
			}
		}
	}
	if bad := fetches(`<p version="1">on = 1 // 2</p><img src="cid:1">`); bad != "" {
		t.Errorf("%s is found", bad)
	}
}

// checkMessage takes a letter apart as it goes to the mail server: two bodies and a
// picture that is in the letter itself, nothing from elsewhere, and not too big.
func checkMessage(t *testing.T, outgoing exchange.OutgoingLetter) {
	t.Helper()
	raw := filled(t, outgoing)
	if len(raw) >= maxLetter {
		t.Errorf("letter %d to seat %d has %d bytes", outgoing.Number, outgoing.Seat, len(raw))
	}
	for line := range bytes.Lines(raw) {
		if len(line) > 1000 || !bytes.HasSuffix(line, []byte("\r\n")) {
			t.Errorf("letter %d to seat %d: a line of %d bytes that ends with %q", outgoing.Number, outgoing.Seat, len(line), line[max(0, len(line)-2):])
		}
	}
	_, parts := leaves(t, raw)
	var kinds []string
	for _, p := range parts {
		kinds = append(kinds, p.kind)
	}
	want := []string{"related alternative text/plain", "related alternative text/html", "related image/png"}
	if outgoing.Drawing == nil {
		want = []string{"alternative text/plain", "alternative text/html"}
	}
	if outgoing.FileName != "" {
		for i := range want {
			want[i] = "mixed " + want[i]
		}
		want = append(want, "mixed application/jsonl")
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Fatalf("the parts of letter %d to seat %d:\n%s", outgoing.Number, outgoing.Seat, diff)
	}
	if got := strings.ReplaceAll(string(parts[0].data), "\r\n", "\n"); got != outgoing.Body {
		t.Errorf("the text is not what was written:\n%s", cmp.Diff(outgoing.Body, got))
	}
	page := strings.ReplaceAll(string(parts[1].data), "\r\n", "\n")
	if page != outgoing.HTML {
		t.Errorf("the page is not what was written:\n%s", cmp.Diff(outgoing.HTML, page))
	}
	if bad := fetches(page); bad != "" {
		t.Errorf("the page of letter %d to seat %d has %q", outgoing.Number, outgoing.Seat, bad)
	}
	if outgoing.Drawing == nil {
		return
	}
	var cids []string
	for _, m := range regexp.MustCompile(`src="cid:([^"]*)"`).FindAllStringSubmatch(page, -1) {
		cids = append(cids, m[1])
	}
	if !slices.Equal(cids, []string{parts[2].id}) || !strings.HasSuffix(parts[2].id, outgoing.MessageID) {
		t.Errorf("the page shows %q, and the picture is %q", cids, parts[2].id)
	}
	if len(parts[2].data) > maxPicture {
		t.Errorf("the picture of letter %d to seat %d has %d bytes", outgoing.Number, outgoing.Seat, len(parts[2].data))
	}
	img, err := png.Decode(bytes.NewReader(parts[2].data))
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := img.(*image.Paletted); !ok || len(p.Palette) > 64 || p.Rect.Dx() < 500 {
		t.Errorf("the picture is a %T of %v", img, img.Bounds())
	}
}

// TestThread: the letters of a match to a seat are one thread, each answer refers to
// the letter that it answers, and subjects tell where the match stands.
func TestThread(t *testing.T) {
	t.Parallel()
	c, a, id := pageClub(t)
	sampleLetters(t, c, 8)
	seen := map[string]bool{}
	for _, s := range dawnSeats {
		for _, outgoing := range a.letters[address(s)] {
			h, _ := leaves(t, outgoing.Raw.Bytes)
			refs, key := "", c.seat(id, s).Key
			if outgoing.Number > 2 {
				refs = "<" + c.codec.LetterID(key, exchange.Token{Match: id, Seat: outgoing.Seat, Number: outgoing.Number - 1}) + "> "
			}
			if outgoing.Number > 1 {
				refs += "<" + c.codec.LetterID(key, exchange.Token{Match: id, Seat: outgoing.Seat, Number: 1}) + ">"
			}
			want := map[string]string{
				"Message-Id": "<" + c.codec.LetterID(key, exchange.Token{Match: id, Seat: outgoing.Seat, Number: outgoing.Number}) + ">", "References": refs,
				"List-Id": "<" + id + ".club.test>", "Auto-Submitted": "auto-generated", "In-Reply-To": "", "Mime-Version": "1.0",
			}
			if outgoing.IsReply {
				want["Auto-Submitted"], want["In-Reply-To"] = "auto-replied", "<"+outgoing.InReplyTo+">"
				if !strings.HasSuffix(outgoing.InReplyTo, "."+address(s)) {
					t.Errorf("letter %d to the %s answers %q, which he did not write", outgoing.Number, s, outgoing.InReplyTo)
				}
			}
			for k, v := range want {
				if got := h.Get(k); got != v {
					t.Errorf("letter %d to the %s: %s is %q, want %q", outgoing.Number, s, k, got, v)
				}
			}
			if seen[outgoing.MessageID] || outgoing.MessageID == "" {
				t.Errorf("the Message-ID %q has come before", outgoing.MessageID)
			}
			seen[outgoing.MessageID] = true
		}
	}
	if got, want := a.last("democrat").Subject, "Your move: 1989 v. the Communist, turn 1 round 2 ["+id+"]"; got != want {
		t.Errorf("subject %q, want %q", got, want)
	}
}

// TestReplyToPage: a reply that quotes the page is read to the page's first line, however
// its writer's program marks the quote, and whether it writes the links of a page out.
func TestReplyToPage(t *testing.T) {
	t.Parallel()
	c, a, _ := pageClub(t)
	sampleLetters(t, c, 6)
	page := a.last("democrat").HTML
	written := pageText(t, anchor.ReplaceAllString(page, "$2 &lt;$1&gt;"))
	if !strings.Contains(written, " EVENT <mailto:") {
		t.Fatalf("no link is written out:\n%s", written)
	}
	const order, said = "PLAY 26 EVENT", "On Sun, 4 Jun 1989 at 09:00, Samizdat <referee@club.test> wrote:"
	for name, text := range map[string]string{
		"no mark":           pageText(t, strings.Replace(page, "<p ", "<div>"+order+"</div><div><br></div><p ", 1)),
		"Gmail":             pageText(t, "<div>"+order+`</div><div class="gmail_quote"><div class="gmail_attr">`+said+"</div><blockquote>"+page+"</blockquote></div>"),
		"Outlook":           pageText(t, "<div>"+order+`</div><div id="divRplyFwdMsg">From: Samizdat</div>`+page),
		"text, marked":      order + "\n\n" + said + "\n> " + strings.ReplaceAll(written, "\n", "\n> "),
		"text, not marked":  order + "\n\n-----Original Message-----\nFrom: Samizdat\n\n" + written,
		"text, nothing but": order + "\n\n" + written,
	} {
		if got := strings.TrimSpace(message.OrderText(text, message.Referee{Addresses: []string{"referee@club.test"}, Names: []string{"Samizdat"}})); got != order {
			t.Errorf("%s: the orders of a reply are %q", name, got)
		}
	}
}

// undrawn is a store that looks at what a transaction is given.
type undrawn struct {
	exchange.Store
	t     *testing.T
	count int
}

func (u *undrawn) Apply(ctx context.Context, c exchange.Change) error {
	for _, outgoing := range c.Letters {
		u.count++
		if asks := len(outgoing.Decisions) > 0; asks != (len(outgoing.Drawing) > 0) || len(outgoing.Drawing) > 30_000 {
			u.t.Errorf("letter %d has a drawing of %d bytes", outgoing.Number, len(outgoing.Drawing))
		}
		if bytes.Contains(outgoing.Raw.Bytes, []byte("iVBOR")) || bytes.Contains(outgoing.Drawing, []byte("PNG")) {
			u.t.Errorf("letter %d is drawn before it is stored", outgoing.Number)
		}
		if (outgoing.Raw.PictureAt == 0) != (len(outgoing.Drawing) == 0) {
			u.t.Errorf("letter %d waits for no picture", outgoing.Number)
		}
	}
	return u.Store.Apply(ctx, c)
}

// finished are the letters of an outbox that are due, as they will be sent.
func finished(t *testing.T, o *post.Outbox, now time.Time) (due []mail.Outgoing) {
	t.Helper()
	for drawn := 1; drawn > 0; drawn = o.DrawPictures(t.Context()) {
		var err error
		if due, err = o.Due(t.Context(), now, 100); err != nil {
			t.Fatal(err)
		}
	}
	return due
}

// TestNoDrawingInTransactions: the transaction of a letter stores shapes, no
// picture; and while pictures are still to be drawn other letters are taken up, and go.
func TestNoDrawingInTransactions(t *testing.T) {
	t.Parallel()
	c, _, _ := pageClub(t)
	u := &undrawn{t: t}
	c.store = func(s exchange.Store) exchange.Store { u.Store = s; return u }
	c.reopen()
	c.adj.LetterOptions = conversation.LetterOptions{HTML: true, Pictures: true}
	handle(t, c, c.letter("communist", "PLACE Miskolc, Debrecen"))
	o := post.NewOutbox(c.db.Outbox("x@club.test"), slog.New(slog.DiscardHandler), nil)
	due := func(want int) {
		t.Helper()
		if due, err := o.Due(t.Context(), c.now.Add(time.Hour), 100); err != nil || len(due) != want {
			t.Errorf("%d letters are due, want %d; %v", len(due), want, err)
		}
	}
	due(1)
	handle(t, c, c.letter("communist", "HAND"))
	due(2)
	if n := o.DrawPictures(t.Context()); n != 1 {
		t.Errorf("%d pictures were drawn", n)
	}
	if due(3); u.count != 3 {
		t.Errorf("%d letters were stored", u.count)
	}
}

// handle takes a message in, and leaves what it leads to in the outbox.
func handle(t *testing.T, c *club, m message.Draft) {
	t.Helper()
	raw, err := m.Render()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.handler().Handle(t.Context(), mail.Received{UIDValidity: 1, UID: c.uid, Arrived: c.now, Size: int64(len(raw)), Raw: raw}); err != nil {
		t.Fatal(err)
	}
}

// TestDrawnAgain: a picture that was drawn and did not go, as before a crash, is drawn again, and every try
// sends the same bytes.
func TestDrawnAgain(t *testing.T) {
	t.Parallel()
	c, _, _ := pageClub(t)
	handle(t, c, c.letter("communist", "PLACE Miskolc, Debrecen"))
	var tries [2][]mail.Outgoing
	for i := range tries {
		tries[i] = finished(t, post.NewOutbox(c.db.Outbox("x@club.test"), slog.New(slog.DiscardHandler), nil), c.now.Add(time.Hour))
	}
	if d := cmp.Diff(tries[0], tries[1]); d != "" || len(tries[0]) != 2 {
		t.Errorf("%d letters, and the second try differs:\n%s", len(tries[0]), d)
	}
	plain := 0
	for _, o := range tries[0] {
		_, parts := leaves(t, o.Raw)
		if len(parts) == 2 {
			plain++
			continue // It asks nothing, and has none.
		}
		if len(parts) != 3 {
			t.Fatalf("no picture in\n%.3000s", o.Raw)
		}
		if _, err := png.DecodeConfig(bytes.NewReader(parts[2].data)); err != nil {
			t.Errorf("the picture cannot be read: %v", err)
		}
		l := message.Read(o.Raw)
		if !strings.HasPrefix(l.Text, message.Mark) || len(l.Problems) > 0 {
			t.Errorf("our own letter reads\n%.200s\n%v", l.Text, l.Problems)
		}
	}
	if plain != 1 {
		t.Errorf("%d letters have no picture", plain)
	}
}
