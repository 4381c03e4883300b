package storage

import (
	"cmp"
	"context"
	"slices"
	"time"

	"samizdat/mail"
)

// Letters that can go now stand in line: they have a turn, and an index on it is the order
// in which they are sent. Those that somebody has to answer go first. Within each half
// matches take turns, so that a busy one leaves others their part of a day's limit. All other
// letters rest: one that waits for another try, or that is held back for observers.

// behind is the turn of a letter o behind those of its match, or beside the first of all if it is
// the only one.
const behind = `(SELECT 1 + max(t) FROM (
		SELECT coalesce((SELECT max(turn) FROM outbox WHERE state = 'waiting' AND match = o.match AND urgent = o.urgent),
			(SELECT max(turn) FROM outbox WHERE state = 'waiting' AND watched = o.watched AND urgent = o.urgent), 0) AS t
		UNION ALL SELECT coalesce((SELECT min(turn) FROM outbox WHERE state = 'waiting' AND turn IS NOT NULL AND urgent = o.urgent) - 1, 0)) AS ends)`

// lineUp puts a letter that rests into the line.
const lineUp = `UPDATE outbox AS o SET turn = ` + behind + ` WHERE id = $1`

// ripe are letters that rest and whose time has come.
const ripe = `SELECT id FROM outbox WHERE state = 'waiting' AND turn IS NULL AND due <= $1 ORDER BY due, id`

// ahead are letters that rest since a time that is still to come: the clock ran ahead then,
// and was set back.
const ahead = `state = 'waiting' AND turn IS NULL AND at > $1`

// fromNow is when those are due by the clock as it is.
const fromNow = `CASE WHEN watched IS NULL THEN $1 ELSE $1 + due - at END`

// ripen puts letters into the line whose time has come. What has failed at a time that is
// still to come is due as well; only letters to observers never go before their time: they
// wait for that long from now.
func (o *Outbox) ripen(ctx context.Context, now time.Time) (err error) {
	defer wrap(&err, "look for letters whose time has come")
	var is bool
	err = o.db.reader.QueryRowContext(o.db.reader.brief(ctx), `SELECT EXISTS (`+ripe+`) OR EXISTS (SELECT 1 FROM outbox WHERE `+ahead+`)`, now.UnixMicro()).Scan(&is)
	if err != nil || !is {
		return err
	}
	return o.db.write(ctx, func(ctx context.Context, tx *transaction) error {
		if err := tx.pool.engine.one(ctx, tx, lining); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE outbox SET due = `+fromNow+`, since = CASE WHEN since > $1 THEN `+fromNow+` ELSE since END, at = $1 WHERE `+ahead, now.UnixMicro()); err != nil {
			return err
		}
		ids, err := list(ctx, tx, func(id *int64) []any { return []any{id} }, ripe+` FOR UPDATE SKIP LOCKED`, now.UnixMicro())
		for _, id := range ids {
			if _, e := tx.ExecContext(ctx, lineUp, id); e != nil {
				return e
			}
		}
		return err
	})
}

// waitingLetters reads what letters are sent by; which of those that wait, follows.
const waitingLetters = `SELECT o.id, o.recipient, o.letter, b.raw, b.drawing, o.picture_at, b.file, o.file_at, o.attempts,
	o.turn IS NULL, coalesce(o.match || '/' || o.seat, '') FROM outbox o JOIN bodies b ON b.id = o.id WHERE o.state = 'waiting' AND `

// fields are where the first of its columns go, which are the letter's own.

func (k *key) fields(l *mail.Outgoing) []any {
	open := func(to any, column string) unsealed { return k.unsealed(to, column, &l.ID) }
	return []any{&l.ID, &l.To, open(&l.LetterID, "outbox.letter"), open(inBody{&l.Raw}, "bodies.raw"),
		open(&l.Drawing, "bodies.drawing"), &l.PictureAt, open(&l.File, "bodies.file"), &l.FileAt, &l.Attempts}
}

// inLine are letters that can go. What is held back for observers stays so where the clock was set back since its time had come.
const (
	inLine = `SELECT o.id, o.urgent, EXISTS (SELECT 1 FROM outbox e WHERE ` + earlier + `)
	FROM outbox o WHERE state = 'waiting' AND turn IS NOT NULL`
	// turns is who goes next, also of those that are on their way, and freeTurns is so where there are other daemons: without those
	// that another has, or that are behind one that another has.
	turns     = inLine + ` AND (watched IS NULL OR due <= at OR due <= $1) ORDER BY urgent DESC, turn, due, id LIMIT $2 + 0`
	freeTurns = inLine + ` AND coalesce(claim, $1) = $1 AND NOT EXISTS (SELECT 1 FROM outbox e WHERE ` + earlier + ` AND e.claim <> $1)
	AND (watched IS NULL OR due <= at OR due <= $2) ORDER BY urgent DESC, turn, due, id LIMIT $3 + 0`
)

// olderOf are all older letters to the readers of letters, the oldest first.
const olderOf = `SELECT o.id, e.id FROM outbox e, outbox o WHERE o.id = ANY ($1) AND ` + earlier + ` ORDER BY e.id`

// earlier are the older letters e to the reader of a letter o.
const earlier = `e.state = 'waiting' AND e.match IS NOT NULL AND e.match = o.match AND e.seat = o.seat AND e.id < o.id`

// due reads what is to be sent now, in order. All older letters to the same player go before
// each: those that wait for another try are only put off by tries of their own. They count
// against the limit, but it never cuts between them and that letter.
func (o *Outbox) due(ctx context.Context, now time.Time, limit int, except []int64) (out []mail.Outgoing, err error) {
	defer wrap(&err, "read the outbox")
	given := map[int64]bool{}
	for _, id := range except {
		given[id] = true
	}
	order, err := o.line(ctx, now, limit+len(except))
	if err != nil {
		return nil, err
	}
	older, err := o.older(ctx, order, given)
	var these []int64
	urgent := map[int64]bool{}
	for _, n := range order {
		if len(these) >= limit {
			break
		}
		if given[n.id] {
			continue
		}
		for _, id := range append(older[n.id], n.id) {
			if !given[id] {
				given[id], urgent[id] = true, n.urgent
				these = append(these, id)
			}
		}
	}
	if err != nil || len(these) == 0 {
		return nil, err
	}
	out, err = o.read(ctx, waitingLetters+`o.id = ANY ($1)`, these)
	for i := range out {
		out[i].Urgent = urgent[out[i].ID]
	}
	slices.SortFunc(out, func(a, b mail.Outgoing) int { return cmp.Compare(slices.Index(these, a.ID), slices.Index(these, b.ID)) })
	return out, err
}

// next is a letter that can go. Older: there are older ones to its reader.
type next struct {
	id            int64
	urgent, older bool
}

// line reads which letters can go.
func (o *Outbox) line(ctx context.Context, now time.Time, limit int) ([]next, error) {
	query, args := turns, []any{now.UnixMicro(), limit}
	if session := o.current(); session != 0 {
		query, args = freeTurns, append([]any{session}, args...)
	}
	return list(o.db.reader.brief(ctx), o.db.reader, func(n *next) []any { return []any{&n.id, &n.urgent, &n.older} }, query, args...)
}

// older reads which letters go before those that can go, but for those before what is given.
func (o *Outbox) older(ctx context.Context, order []next, given map[int64]bool) (map[int64][]int64, error) {
	var ids []int64
	for _, n := range order {
		if n.older && !given[n.id] {
			ids = append(ids, n.id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	out := map[int64][]int64{}
	return out, each(ctx, o.db.reader, func(scan func(...any) error) error {
		var id, before int64
		err := scan(&id, &before)
		out[id] = append(out[id], before)
		return err
	}, olderOf, ids)
}

// read reads letters that wait. One may have been dropped meanwhile.
func (o *Outbox) read(ctx context.Context, query string, args ...any) ([]mail.Outgoing, error) {
	return list(o.db.reader.brief(ctx), o.db.reader, func(l *mail.Outgoing) []any {
		l.EnvelopeFrom = o.from
		return append(o.db.key.fields(l), &l.Early, &l.Reader)
	}, query, args...)
}
