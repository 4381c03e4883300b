package adjudicator_test

import (
	"context"
	"testing"
	"time"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules/dawn1989"
)

// BenchmarkReceive measures a letter from its bytes to the commit: parsed,
// carried out, both players' letters composed, everything stored in a real
// database. Each letter is of a match of its own, as in a club.
func BenchmarkReceive(b *testing.B) {
	c := newClub(b, dawn1989.Game())
	letters := make([]mail.Received, b.N)
	for i := range letters {
		c.mailbox = map[string][]message.Letter{}
		c.match("1989", nil, dawnSeats...)
		raw, err := c.letter("communist", "PLACE Miskolc, Debrecen").Render()
		if err != nil {
			b.Fatal(err)
		}
		letters[i] = mail.Received{UIDValidity: 1, UID: uint32(i), Arrived: c.now, Size: int64(len(raw)), Raw: raw}
	}
	handler := c.handler()
	b.ResetTimer()
	for _, l := range letters {
		if f, err := handler.Handle(b.Context(), l); err != nil || f != mail.Done {
			b.Fatalf("filed in %s, %v", f, err)
		}
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "letters/s")
}

// BenchmarkCompose measures a letter from its bytes to finished letters for both
// players, text and page, without a database. compose-ns is the part in which both
// letters are composed and rendered, at its shortest: other programs disturb it less
// than the mean.
func BenchmarkCompose(b *testing.B) {
	for _, bb := range []struct {
		name    string
		letters conversation.LetterOptions
	}{{"text", conversation.LetterOptions{}}, {"html", conversation.LetterOptions{HTML: true}}, {"picture", conversation.LetterOptions{HTML: true, Pictures: true}}} {
		b.Run(bb.name, func(b *testing.B) {
			c, _ := sampleAfter(b, 5)
			w := &stopwatch{Codec: c.codec}
			c.adj.LetterOptions, c.adj.Store, c.adj.Codec = bb.letters, dry{c.adj.Store}, w
			raw, err := c.letter("communist", "PLAY 36 OPS PLACE Bydgoszcz 2, Warszawa EVENT AFTER").Render()
			if err != nil {
				b.Fatal(err)
			}
			handler := c.handler()
			for b.Loop() {
				w.took = 0
				if f, err := handler.Handle(b.Context(), mail.Received{Raw: raw}); err != nil || f != mail.Done {
					b.Fatalf("filed in %s, %v", f, err)
				}
				if w.best == 0 || w.took < w.best {
					w.best = w.took
				}
			}
			b.ReportMetric(float64(w.best.Nanoseconds()), "compose-ns")
		})
	}
}

// stopwatch measures how long letters take from their first line to their bytes.
type stopwatch struct {
	post.Codec
	began      time.Time
	took, best time.Duration
}

func (w *stopwatch) MarkerLine() string {
	w.began = time.Now()
	return w.Codec.MarkerLine()
}

func (w *stopwatch) Render(outgoing exchange.OutgoingLetter) (exchange.RenderedMessage, error) {
	defer func() { w.took += time.Since(w.began) }()
	return w.Codec.Render(outgoing)
}

// dry is a store that keeps nothing.
type dry struct{ exchange.Store }

func (dry) Apply(context.Context, exchange.Change) error { return nil }

// BenchmarkPicture measures the drawing of a letter's picture at sending, from its
// shapes to the complete message.
func BenchmarkPicture(b *testing.B) {
	c, _ := sampleClub(b)
	a := pages(c)
	sampleLetters(b, c, 30)
	outgoing := a.last("democrat")
	for b.Loop() {
		b.ReportMetric(float64(len(filled(b, outgoing))), "bytes")
	}
}
