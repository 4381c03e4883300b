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

const (
	maxPainters = 4  // limits the pictures drawn at the same time, and the memory of the painters
	batchSize   = 16 // pictures; their letters can be sent when the whole batch is drawn
	// maxWaiting is the maximum number of drawings that wait. It is less than maxCached, so that a drawn picture is still
	// cached when its letter is read again.
	maxWaiting = 64
	maxCached  = 128 // the number of cached pictures of about 30 kB each
)

// hash is the SHA-256 of the shapes of a drawing.
type hash = [sha256.Size]byte

// pictureQueue draws pictures concurrently with sending, on half of the processor cores, so that the other half handles
// letters. It caches pictures until their letters are sent.
type pictureQueue struct {
	workAvailable chan struct{}
	painters      chan *picture.Painter

	mu                  sync.Mutex
	waiting, inProgress []*drawing
	// pictures is the cache; the picture of a failed drawing is nil. cacheOrder holds the keys of the cache, oldest
	// first.
	pictures   map[hash][]byte
	cacheOrder []hash
}

func newPictureQueue() *pictureQueue {
	n := max(1, min(maxPainters, runtime.GOMAXPROCS(0)/2))
	q := &pictureQueue{workAvailable: make(chan struct{}, 1), painters: make(chan *picture.Painter, n), pictures: map[hash][]byte{}}
	for range n {
		q.painters <- new(picture.Painter)
	}
	return q
}

// clearWaiting removes waiting requests. Outbox.Due then reads the letters again, and requests the pictures of the most
// urgent letters first.
func (q *pictureQueue) clearWaiting() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = nil
}

// request returns the picture of a drawing. If the picture is not drawn yet, request queues the drawing, unless
// maxWaiting are queued, and returns false. The picture of a failed drawing is nil.
func (q *pictureQueue) request(shapes []byte) (data []byte, ok bool) {
	hash := sha256.Sum256(shapes)
	q.mu.Lock()
	defer q.mu.Unlock()
	if data, ok = q.pictures[hash]; ok {
		return data, true
	}
	isSame := func(d *drawing) bool { return d.hash == hash }
	if len(q.waiting) < maxWaiting && !slices.ContainsFunc(q.inProgress, isSame) && !slices.ContainsFunc(q.waiting, isSame) {
		q.waiting = append(q.waiting, &drawing{hash: hash, shapes: shapes})
	}
	select {
	case q.workAvailable <- struct{}{}:
	default:
	}
	return nil, false
}

func (q *pictureQueue) hasWork() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)+len(q.inProgress) > 0
}

func (q *pictureQueue) drawBatch() []*drawing {
	q.mu.Lock()
	n := min(batchSize, len(q.waiting))
	q.inProgress, q.waiting = q.waiting[:n:n], q.waiting[n:]
	batch := q.inProgress
	q.mu.Unlock()
	var g errgroup.Group
	for _, d := range batch {
		p := <-q.painters
		g.Go(func() error {
			defer func() { q.painters <- p }()
			d.draw(p)
			return nil
		})
	}
	_ = g.Wait() // Each drawing keeps its own error.
	q.mu.Lock()
	defer q.mu.Unlock()
	q.inProgress = nil
	for _, d := range batch {
		q.pictures[d.hash] = d.data
		if q.cacheOrder = append(q.cacheOrder, d.hash); len(q.cacheOrder) > maxCached {
			delete(q.pictures, q.cacheOrder[0])
			q.cacheOrder = slices.Delete(q.cacheOrder, 0, 1)
		}
	}
	return batch
}

// drawing is a picture that is to be drawn: shapes describes it, and data is the PNG.
type drawing struct {
	hash         hash
	shapes, data []byte
	err          error
}

// draw draws the picture. A panic is recovered, because letters can be sent without their picture.
func (d *drawing) draw(painter *picture.Painter) {
	defer func() {
		if r := recover(); r != nil {
			d.err = errors.Join(d.err, fmt.Errorf("panic: %v", r))
			*painter = picture.Painter{}
		}
	}()
	var p *picture.Picture
	if p, d.err = picture.Unpack(d.shapes); d.err == nil {
		d.data, d.err = painter.LetterPNG(p)
	}
}
