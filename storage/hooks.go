package storage

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// maxQueuedNotices limits the queued notices of a hook, in case the hook cannot be reached. Further notices are dropped.
const maxQueuedNotices = 100

const selectHooks = `SELECT id, hook, kinds, match, state, failing, attempts FROM hooks `

func (k *key) hookTargets(h *club.Hook) []any {
	return []any{&h.ID, k.unsealInto(asJSON{h}, "hooks.hook", &h.ID), kindsColumn{&h.Kinds}, &h.Match, &h.State, micros{&h.FailingSince},
		&h.Attempts}
}

// kindsColumn scans kinds of notices, which are stored as words: "to-move over".
type kindsColumn struct{ v *[]club.NoticeKind }

func (c kindsColumn) Scan(src any) error {
	var words []string
	err := wordsList{&words}.Scan(src)
	*c.v = nil
	for _, w := range words {
		*c.v = append(*c.v, club.NoticeKind(w))
	}
	return err
}

// Hook reads the hook of a member, or returns nil.
func (db ClubMembers) Hook(ctx context.Context, member int64) (h *club.Hook, err error) {
	defer wrapError(&err, "read a web hook")
	return queryFirst(ctx, db.reader, db.key.hookTargets, selectHooks+`WHERE id = $1`, member)
}

// SetOperatorHooks replaces the hooks of the operator, which have the IDs -1, -2 and so on. Queued notices stay.
func (db ClubMembers) SetOperatorHooks(ctx context.Context, hooks []club.Hook) (err error) {
	defer wrapError(&err, "store the web hooks of the configuration")
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		tx.exec(ctx, `DELETE FROM hooks WHERE id < $1`, -len(hooks))
		writeHooks(ctx, tx, hooks)
		return nil
	})
}

func writeHooks(ctx context.Context, tx *transaction, hooks []club.Hook) {
	for _, h := range hooks {
		if h.URL == "" {
			tx.exec(ctx, `DELETE FROM hooks WHERE id = $1`, h.ID)
			continue
		}
		var kinds []string
		for _, k := range h.Kinds {
			kinds = append(kinds, string(k))
		}
		tx.enqueue(ctx, wrapResult("write a web hook"), `INSERT INTO hooks (id, hook, kinds, match, state) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (id) DO UPDATE SET hook = excluded.hook, kinds = excluded.kinds, match = excluded.match, state = excluded.state,
			failing = NULL, attempts = 0, due = 0`,
			h.ID, tx.seal(asJSON{h}, "hooks.hook", h.ID), strings.Join(kinds, " "), h.Match, string(h.State))
	}
}

// queueNotices queues each notice for the hooks of the operator and of the notice's players. m is the match of the
// seats in the notices, or nil.
func queueNotices(ctx context.Context, tx *transaction, m *match.Match, notices []club.Notice) {
	for _, n := range notices {
		players := slices.Clone(n.Members)
		for i := 0; m != nil && i < len(m.Seats); i++ {
			if n.Seats.Has(rules.Seat(i)) {
				players = append(players, m.Seats[i].Player.ID)
			}
		}
		hookCondition := `(id < 0 AND $4 = 1 AND match IN ('', $5) OR id = ANY ($6))` // This condition reads no rows of other members.
		if n.ToAllMembers {
			hookCondition = `(id < 0 AND $4 = 1 AND match IN ('', $5) OR id > 0 OR id = ANY ($6))`
		}
		tx.enqueue(ctx, wrapResult("queue a notice"), `INSERT INTO notices (hook, at, notice) SELECT id, $1, $2 FROM hooks
			WHERE state = 'confirmed' AND ' ' || kinds || ' ' LIKE $3 AND `+hookCondition+`
			AND (SELECT count(*) FROM notices n WHERE n.hook = hooks.id) < `+fmt.Sprint(maxQueuedNotices),
			n.At.UnixMicro(), asJSON{n}, "% "+string(n.Kind)+" %", n.ToOperator, n.Match, players)
	}
}

// Hooks is the queue of notices for web hooks.
type Hooks struct{ *connection }

// Due returns hooks with notices or a confirmation code to send, longest due first.
func (db Hooks) Due(ctx context.Context, now time.Time, limit int) (out []club.Hook, err error) {
	defer wrapError(&err, "read the web hooks")
	return queryAll(ctx, db.reader, db.key.hookTargets, selectHooks+`WHERE id IN (SELECT hook FROM notices UNION
		SELECT id FROM hooks WHERE state = 'asking') AND due <= $1 ORDER BY due, id LIMIT $2 + 0`, now.UnixMicro(), limit)
}

// QueuedNotice is a notice in the queue of a hook.
type QueuedNotice struct {
	ID int64
	club.Notice
}

// Notices returns the oldest queued notices of a hook.
func (db Hooks) Notices(ctx context.Context, hook int64, limit int) (out []QueuedNotice, err error) {
	defer wrapError(&err, "read the notices of a web hook")
	return queryAll(ctx, db.reader, func(n *QueuedNotice) []any { return []any{&n.ID, asJSON{&n.Notice}} },
		`SELECT id, notice FROM notices WHERE hook = $1 ORDER BY id LIMIT $2 + 0`, hook, limit)
}

// DeleteNotices deletes notices that are too old to be sent.
func (db Hooks) DeleteNotices(ctx context.Context, notices []int64) error {
	return db.writeStatement(ctx, `DELETE FROM notices WHERE id = ANY ($1)`, notices)
}

// MarkSent deletes notices that hooks have accepted, resets their failures, and marks the codes of new hooks as sent.
func (db Hooks) MarkSent(ctx context.Context, hooks, notices []int64) (err error) {
	defer wrapError(&err, "record the sent notices")
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		tx.exec(ctx, `DELETE FROM notices WHERE id = ANY ($1)`, notices)
		tx.exec(ctx, `UPDATE hooks SET failing = NULL, attempts = 0, due = 0, state = CASE state WHEN 'asking' THEN 'asked' ELSE state END
			WHERE id = ANY ($1) AND (failing IS NOT NULL OR state = 'asking')`, hooks)
		return nil
	})
}

// MarkFailed records a failure of a hook, and the time of its next try.
func (db Hooks) MarkFailed(ctx context.Context, hook int64, now, nextTry time.Time) (err error) {
	return db.writeStatement(ctx, `UPDATE hooks SET failing = coalesce(failing, $1), attempts = attempts + 1, due = $2 WHERE id = $3`,
		now.UnixMicro(), nextTry.UnixMicro(), hook)
}

// Drop deletes a hook that has failed for too long, and queues the letter raw for the address of its owner (to). If to
// is empty, no letter is queued.
func (db Hooks) Drop(ctx context.Context, hook int64, to string, raw []byte, now time.Time) (err error) {
	defer wrapError(&err, "drop a web hook")
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		tx.exec(ctx, `DELETE FROM hooks WHERE id = $1`, hook)
		var letters []exchange.OutgoingLetter
		if to != "" {
			letters = newNotice(to, raw, now)
		}
		return queueLetters(ctx, tx, letters)
	})
}
