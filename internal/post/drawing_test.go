package post_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/templates/picture"
)

// queue has letters that wait for pictures, and keeps what it is given.
type queue struct {
	post.Queue
	mu      sync.Mutex
	undrawn []mail.Outgoing
	kept    []mail.Outgoing
	fails   int
}

func (q *queue) Undrawn(context.Context, int) ([]mail.Outgoing, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]mail.Outgoing(nil), q.undrawn...), nil
}

func (q *queue) Keep(_ context.Context, final []mail.Outgoing) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fails > 0 {
		q.fails--
		return errors.New("the disk is full")
	}
	q.kept, q.undrawn = append(q.kept, final...), nil
	return nil
}

// with is a letter with a drawing whose picture goes to its end.
func with(drawing []byte) mail.Outgoing {
	return mail.Outgoing{Raw: []byte("text\r\n"), Drawing: drawing, PictureAt: 6}
}

// TestDraw: letters with the same map get the same picture; one whose picture cannot be
// drawn goes without it.
func TestDraw(t *testing.T) {
	t.Parallel()
	one, other := &picture.Picture{Width: 40, Height: 20}, &picture.Picture{Width: 40, Height: 20, Back: picture.RGB(0x123456)}
	q := &queue{undrawn: []mail.Outgoing{with(one.Pack()), with(other.Pack()), with(one.Pack()), with([]byte("damaged")), with((&picture.Picture{Width: -1}).Pack())}}
	o := post.NewOutbox(q, slog.New(slog.DiscardHandler), nil)
	if n, err := o.Draw(t.Context()); n != 5 || err != nil || len(q.kept) != 5 {
		t.Fatalf("%d letters, %v; %d kept", n, err, len(q.kept))
	}
	for i, l := range q.kept {
		if pictured := bytes.Contains(l.Raw, []byte("iVBOR")); !l.Final || l.Drawing != nil || l.PictureAt != 0 || pictured != (i < 3) {
			t.Errorf("letter %d: %+v", i, l)
		}
	}
	if !bytes.Equal(q.kept[0].Raw, q.kept[2].Raw) || bytes.Equal(q.kept[0].Raw, q.kept[1].Raw) {
		t.Error("pictures are taken for each other")
	}
}

// TestDrawingRuns: pictures are drawn when somebody asks what is due, also after trouble,
// and drawing ends with its context.
func TestDrawingRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := &queue{undrawn: []mail.Outgoing{with((&picture.Picture{Width: 40, Height: 20}).Pack())}, fails: 2}
		q.Queue = nothingDue{}
		o := post.NewOutbox(q, slog.New(slog.DiscardHandler), nil)
		ctx, stop := context.WithCancel(t.Context())
		ready, ended := make(chan struct{}), make(chan error)
		go func() { ended <- o.Run(ctx, func() { ready <- struct{}{} }) }()
		synctest.Wait()
		if len(q.kept) > 0 {
			t.Error("nobody has asked, and pictures are drawn")
		}
		if _, err := o.Due(ctx, noon, 1); err != nil {
			t.Fatal(err)
		}
		<-ready
		if len(q.kept) != 1 {
			t.Errorf("%d letters are kept", len(q.kept))
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

var noon = time.Date(1989, 11, 9, 12, 0, 0, 0, time.UTC)

// nothingDue is a queue without letters that are due.
type nothingDue struct{ post.Queue }

func (nothingDue) Due(context.Context, time.Time, int, ...int64) ([]mail.Outgoing, error) {
	return nil, nil
}
