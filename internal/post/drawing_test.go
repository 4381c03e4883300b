package post_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/templates/picture"
)

// queue has letters that are due.
type queue struct {
	mail.Queue
	letters []mail.Outgoing
}

func (q *queue) Due(_ context.Context, _ time.Time, limit int, except ...int64) ([]mail.Outgoing, error) {
	due := slices.DeleteFunc(slices.Clone(q.letters), func(l mail.Outgoing) bool { return slices.Contains(except, l.ID) })
	return due[:min(limit, len(due))], nil
}

func (q *queue) NextDue(context.Context) (time.Time, bool, error) { return noon, true, nil }

// to is a letter to a reader; with a drawing its picture goes to its end.
func to(id int64, reader string, drawing []byte) mail.Outgoing {
	return mail.Outgoing{ID: id, Reader: reader, Raw: []byte("text\r\n"), Drawing: drawing, PictureAt: 6}
}

var noon = time.Date(1989, 11, 9, 12, 0, 0, 0, time.UTC)

// map1 and map2 are two maps.
func map1() []byte { return (&picture.Picture{Width: 40, Height: 20}).Pack() }
func map2() []byte {
	return (&picture.Picture{Width: 40, Height: 20, Back: picture.RGB(0x123456)}).Pack()
}

// due are the letters that an outbox gives, with a "+" for a picture.
func due(t *testing.T, o *post.Outbox, limit int, except ...int64) (out []string) {
	t.Helper()
	letters, err := o.Due(t.Context(), noon, limit, except...)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range letters {
		what := fmt.Sprint(l.ID)
		if bytes.Contains(l.Raw, []byte("iVBOR")) {
			what += "+"
		}
		if l.Drawing != nil {
			t.Errorf("letter %d still has its drawing", l.ID)
		}
		out = append(out, what)
	}
	return out
}

// TestDraw: letters with the same map get the same picture; one whose picture cannot be
// drawn goes without it.
func TestDraw(t *testing.T) {
	t.Parallel()
	q := &queue{letters: []mail.Outgoing{to(1, "", map1()), to(2, "", map2()), to(3, "", map1()), to(4, "", []byte("damaged")), to(5, "", (&picture.Picture{Width: -1}).Pack())}}
	o := post.NewOutbox(q, slog.New(slog.DiscardHandler), nil)
	if got := due(t, o, 10); len(got) > 0 {
		t.Fatalf("before anything is drawn: %v", got)
	}
	if n := o.DrawPictures(t.Context()); n != 4 {
		t.Errorf("%d pictures were drawn", n)
	}
	if got := fmt.Sprint(due(t, o, 10)); got != "[1+ 2+ 3+ 4 5]" {
		t.Errorf("afterwards: %s", got)
	}
	letters, err := o.Due(t.Context(), noon, 10)
	if err != nil || !bytes.Equal(letters[0].Raw, letters[2].Raw) || bytes.Equal(letters[0].Raw, letters[1].Raw) {
		t.Errorf("pictures are taken for each other, %v", err)
	}
}

// TestDrawingHoldsUp: a letter that waits for its picture holds up newer ones to the same reader, and nobody else's, nor those
// behind the limit.
func TestDrawingHoldsUp(t *testing.T) {
	t.Parallel()
	q := &queue{letters: []mail.Outgoing{to(1, "m/0", map1()), to(2, "m/1", nil), to(3, "m/0", nil), to(4, "", nil), to(5, "m/2", nil)}}
	o := post.NewOutbox(q, slog.New(slog.DiscardHandler), nil)
	for i, want := range []string{"[2]", "[2 4]", "[2 4]"} {
		if got := fmt.Sprint(due(t, o, 3-min(i, 1))); got != want {
			t.Errorf("reading %d gives %s, want %s", i, got, want)
		}
	}
	if at, waits, err := o.NextDue(t.Context()); waits || err != nil {
		t.Errorf("while pictures are drawn: the next letter is due at %v, %v", at, err)
	}
	o.DrawPictures(t.Context())
	if _, waits, err := o.NextDue(t.Context()); !waits || err != nil {
		t.Errorf("when they are drawn no letter is due, %v", err)
	}
	if got := fmt.Sprint(due(t, o, 10, 2)); got != "[1+ 3 4 5]" {
		t.Errorf("afterwards: %s", got)
	}
}

// TestManyPictures: of more pictures than are remembered each letter gets its own, in the end.
func TestManyPictures(t *testing.T) {
	t.Parallel()
	q := &queue{}
	for i := range int64(300) {
		q.letters = append(q.letters, to(i, "", (&picture.Picture{Width: 4, Height: 2, Back: picture.RGB(uint32(i))}).Pack()))
	}
	o := post.NewOutbox(q, slog.New(slog.DiscardHandler), nil)
	for n := 0; len(q.letters) > 0; n++ {
		if n > 1000 {
			t.Fatalf("%d letters never get their pictures", len(q.letters))
		}
		o.DrawPictures(t.Context())
		letters, err := o.Due(t.Context(), noon, 32)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range letters {
			q.letters = slices.DeleteFunc(q.letters, func(is mail.Outgoing) bool { return is.ID == l.ID })
		}
	}
}

// TestDrawingRuns: pictures are drawn when somebody asks what is due, and drawing ends with its context.
func TestDrawingRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := post.NewOutbox(&queue{letters: []mail.Outgoing{to(1, "", map1())}}, slog.New(slog.DiscardHandler), nil)
		ctx, stop := context.WithCancel(t.Context())
		ready, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			o.Run(ctx, func() { ready <- struct{}{} })
		}()
		if got := due(t, o, 1); len(got) > 0 {
			t.Errorf("not drawn yet: %v", got)
		}
		<-ready
		if got := fmt.Sprint(due(t, o, 1)); got != "[1+]" {
			t.Errorf("drawn: %s", got)
		}
		stop()
		<-ended
	})
}
