package post

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"samizdat/templates/picture"
)

// Pictures are drawn beside the sending of letters, by a few painters: half of the
// processor's cores are left to those who take letters in and send them.

const (
	// mostPainters bounds how many pictures are drawn at a time, and with it what painters
	// remember.
	mostPainters = 4
	// atOnce is how many pictures are drawn before letters with them can go.
	atOnce = 16
	// mostWanted is how many pictures may wait to be drawn. It is less than mostDrawn, so that those that a letter waits for
	// are still there when it is read again.
	mostWanted = 64
	// mostDrawn is how many pictures are remembered: some 30 kB each.
	mostDrawn = 128
)

// hash is the SHA-256 of a drawing's shapes.
type hash = [sha256.Size]byte

// studio is where pictures are drawn, and kept until their letters have gone.
type studio struct {
	// asked tells that there may be something to draw.
	asked    chan struct{}
	painters chan *picture.Painter

	mu sync.Mutex
	// wanted are to be drawn, in this order, and inWork are being drawn.
	wanted, inWork []*drawn
	// pictures are the last that were drawn, in the order of done. One that cannot be drawn is nil.
	pictures map[hash][]byte
	done     []hash
}

func newStudio() *studio {
	n := max(1, min(mostPainters, runtime.GOMAXPROCS(0)/2))
	s := &studio{asked: make(chan struct{}, 1), painters: make(chan *picture.Painter, n), pictures: map[hash][]byte{}}
	for range n {
		s.painters <- new(picture.Painter)
	}
	return s
}

// askAnew forgets what was asked for and is not in work: the letters are read again, and the urgent ones among them first.
func (s *studio) askAnew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted = nil
}

// picture is that of a drawing, if it was drawn; otherwise it is asked for. One that cannot be drawn is nil.
func (s *studio) picture(shapes []byte) (data []byte, is bool) {
	sum := sha256.Sum256(shapes)
	s.mu.Lock()
	defer s.mu.Unlock()
	if data, is = s.pictures[sum]; is {
		return data, true
	}
	same := func(d *drawn) bool { return d.sum == sum }
	if len(s.wanted) < mostWanted && !slices.ContainsFunc(s.inWork, same) && !slices.ContainsFunc(s.wanted, same) {
		s.wanted = append(s.wanted, &drawn{sum: sum, shapes: shapes})
	}
	select {
	case s.asked <- struct{}{}:
	default:
	}
	return nil, false
}

// busy reports whether pictures are still to be drawn.
func (s *studio) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.wanted)+len(s.inWork) > 0
}

// draw draws some of the pictures that are wanted.
func (s *studio) draw() []*drawn {
	s.mu.Lock()
	n := min(atOnce, len(s.wanted))
	s.inWork, s.wanted = s.wanted[:n:n], s.wanted[n:]
	now := s.inWork
	s.mu.Unlock()
	var g errgroup.Group
	for _, d := range now {
		p := <-s.painters
		g.Go(func() error {
			defer func() { s.painters <- p }()
			d.draw(p)
			return nil
		})
	}
	_ = g.Wait() // Each has its own error.
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inWork = nil
	for _, d := range now {
		s.pictures[d.sum] = d.data
		if s.done = append(s.done, d.sum); len(s.done) > mostDrawn {
			delete(s.pictures, s.done[0])
			s.done = slices.Delete(s.done, 0, 1)
		}
	}
	return now
}

// drawn is a picture under way.
type drawn struct {
	sum          hash
	shapes, data []byte
	err          error
}

// draw draws it. What cannot be drawn must not stop the daemon: letters go without it.
func (d *drawn) draw(by *picture.Painter) {
	defer func() {
		if r := recover(); r != nil {
			d.err = errors.Join(d.err, fmt.Errorf("panic: %v", r))
			*by = picture.Painter{}
		}
	}()
	var p *picture.Picture
	if p, d.err = picture.Unpack(d.shapes); d.err == nil {
		d.data, d.err = by.LetterPNG(p)
	}
}
