package storage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/mail"
)

// ripe is a letter whose time has come. What was queued or has failed at a time that
// is still to come is ripe as well: the clock ran ahead then, and was set back.
const ripe = `(due <= ?1 OR at > ?1 AND watched IS NULL)`

// outgoing are the columns that a letter is sent by; fields are where they go.
const outgoing = `o.id, o.recipient, o.letter, o.raw, o.final, o.drawing, o.picture_at, o.file, o.file_at, o.attempts`

func (k *key) fields(l *mail.Outgoing) []any {
	open := func(to any, column string) unsealed { return k.unsealed(to, column, &l.ID) }
	return []any{&l.ID, &l.To, open(&l.LetterID, "outbox.letter"), open(&l.Raw, "outbox.raw"), &l.Final,
		open(&l.Drawing, "outbox.drawing"), &l.PictureAt, open(&l.File, "outbox.file"), &l.FileAt, &l.Attempts}
}

// reader is whose letter one is; a negative seat is nobody's.
type reader struct {
	match string
	seat  int
}

// queued is a ripe letter, with what its turn goes by.
type queued struct {
	id int64
	reader
	// among is what it takes turns for: its match, else who is told of it.
	among string
	// urgent is set where this letter or a newer one to its reader has to be answered;
	// first is when the first of them was due.
	urgent bool
	first  int64
	turn   int
	// undrawn is set where the letter's picture is not drawn yet.
	undrawn bool
}

const ripeLetters = `SELECT id, coalesce(match, ''), coalesce(seat, -1), coalesce(match, watched, recipient), urgent, due, ` + undrawn + `
	FROM outbox WHERE state = 'waiting' AND ` + ripe

// inTurn puts ripe letters in order. Those that somebody has to answer go first, and with
// each its older ones to the same player. Then matches take turns, so that a busy one
// leaves others their part of a day's limit; within a match it goes by time.
func inTurn(ripe []queued) {
	slices.SortFunc(ripe, func(a, b queued) int { return cmp.Compare(b.id, a.id) })
	newer := map[reader]queued{}
	for i := range ripe {
		q := &ripe[i]
		if q.seat < 0 {
			continue
		}
		if n, ok := newer[q.reader]; ok {
			q.urgent, q.first = q.urgent || n.urgent, min(q.first, n.first)
		}
		newer[q.reader] = *q
	}
	byTime := func(a, b queued) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.id, b.id)) }
	slices.SortFunc(ripe, byTime)
	type line struct {
		among  string
		urgent bool
	}
	turns := map[line]int{}
	for i := range ripe {
		l := line{ripe[i].among, ripe[i].urgent}
		turns[l]++
		ripe[i].turn = turns[l]
	}
	slices.SortFunc(ripe, func(a, b queued) int {
		if a.urgent != b.urgent {
			return map[bool]int{true: -1, false: 1}[a.urgent]
		}
		return cmp.Or(cmp.Compare(a.turn, b.turn), byTime(a, b))
	})
}

// drawn leaves out letters whose pictures are not drawn yet, and newer ones to the same players.
func drawn(order []queued) []queued {
	first := map[reader]int64{}
	for _, q := range order {
		if n, ok := first[q.reader]; q.undrawn && (!ok || q.id < n) {
			first[q.reader] = q.id
		}
	}
	return slices.DeleteFunc(order, func(q queued) bool {
		n, ok := first[q.reader]
		return ok && q.id >= n
	})
}

// due reads what is to be sent now, in order.
func (o *Outbox) due(ctx context.Context, now time.Time, limit int) ([]mail.Outgoing, error) {
	order, err := list(ctx, o.db.reader, func(q *queued) []any {
		return []any{&q.id, &q.match, &q.seat, &q.among, &q.urgent, &q.first, &q.undrawn}
	}, ripeLetters, now.UnixMicro())
	if err != nil {
		return nil, fmt.Errorf("read the outbox: %w", err)
	}
	inTurn(order)
	order = drawn(order)
	var ripe []mail.Outgoing
	var readers []reader
	for _, q := range order[:min(limit, len(order))] {
		// It may have been dropped meanwhile.
		found, err := list(ctx, o.db.reader, func(l *mail.Outgoing) []any {
			*l = mail.Outgoing{EnvelopeFrom: o.from, Urgent: q.urgent}
			return o.db.key.fields(l)
		}, `SELECT `+outgoing+` FROM outbox o WHERE id = ? AND state = 'waiting'`, q.id)
		if err != nil {
			return nil, fmt.Errorf("read letter %d: %w", q.id, err)
		}
		for _, l := range found {
			ripe, readers = append(ripe, l), append(readers, q.reader)
		}
	}
	if len(ripe) == 0 {
		return nil, nil
	}
	waiting, err := o.waiting(ctx, now)
	if err != nil || len(waiting) == 0 {
		return ripe, err
	}
	// A letter that failed does not let newer ones overtake it. All older ones that wait
	// for another try go before each letter that is ripe. They count against the
	// limit, but it never cuts between them and that letter: only its own try puts it off.
	var out []mail.Outgoing
	upTo := map[reader]int64{}
	// One whose picture is not drawn yet holds up what is newer.
	held := map[reader]bool{}
	for i, l := range ripe {
		if len(out) >= limit {
			break
		}
		if r := readers[i]; waiting[r] && !held[r] {
			older, err := o.older(ctx, now, r, upTo[r], l)
			if err != nil {
				return nil, err
			}
			n := slices.IndexFunc(older, func(l mail.Outgoing) bool { return l.PictureAt > 0 })
			if held[r] = n >= 0; held[r] {
				older = older[:n]
			}
			out = append(out, older...)
			upTo[r] = l.ID
		}
		if !held[readers[i]] {
			out = append(out, l)
		}
	}
	return out, nil
}

const waitingReaders = `SELECT DISTINCT match, seat FROM outbox WHERE state = 'waiting' AND match IS NOT NULL AND seat IS NOT NULL AND NOT ` + ripe

// waiting lists the players to whom a letter waits for another try.
func (o *Outbox) waiting(ctx context.Context, now time.Time) (out map[reader]bool, err error) {
	defer wrap(&err, "look for letters that are tried again")
	out = map[reader]bool{}
	return out, each(ctx, o.db.reader, func(scan func(...any) error) error {
		var r reader
		err := scan(&r.match, &r.seat)
		out[r] = true
		return err
	}, waitingReaders, now.UnixMicro())
}

// older gives the letters between two to a player that wait for another try.
func (o *Outbox) older(ctx context.Context, now time.Time, r reader, after int64, than mail.Outgoing) (out []mail.Outgoing, err error) {
	defer wrap(&err, "look for letters that are tried again")
	return list(ctx, o.db.reader, func(l *mail.Outgoing) []any {
		*l = mail.Outgoing{EnvelopeFrom: o.from, Urgent: than.Urgent, Early: true}
		return o.db.key.fields(l)
	}, `SELECT `+outgoing+` FROM outbox o WHERE state = 'waiting' AND match = ?2 AND seat = ?3
		AND match IS NOT NULL AND id > ?4 AND id < ?5 AND NOT `+ripe+` ORDER BY id`,
		now.UnixMicro(), r.match, r.seat, after, than.ID)
}
