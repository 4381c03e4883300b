package storage

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/klauspost/compress/zstd"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Archiver packs matches, each in a transaction. It is not safe for concurrent use.
type Archiver struct {
	db         *connection
	compressor *zstd.Encoder
}

// Archiver returns an archiver. It uses some megabytes of memory.
func (db Upkeep) Archiver() (*Archiver, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("create an archiver: %w", err)
	}
	return &Archiver{db.connection, encoder}, nil
}

// unarchivedCondition selects finished matches that are not packed, or have changed since they were packed.
const unarchivedCondition = `state = 'over' AND archived = 0`

// Unarchived returns the first limit IDs, greater than after, of finished matches that must be archived.
func (db Upkeep) Unarchived(ctx context.Context, after string, limit int) (ids []string, err error) {
	defer wrapError(&err, "list unarchived matches")
	return queryColumn[string](ctx, db.reader, `SELECT id FROM matches WHERE `+unarchivedCondition+` AND id > $1 ORDER BY id LIMIT $2 + 0`,
		after, limit)
}

// CountUnarchived counts the matches that Unarchived lists.
func (db Upkeep) CountUnarchived(ctx context.Context) (n int, err error) {
	defer wrapError(&err, "count unarchived matches")
	return queryValue[int](ctx, db.reader, `SELECT count(*) FROM matches WHERE `+unarchivedCondition)
}

// Archive packs a finished match into one row. isDone is false if the match may be resumed, has waiting letters, or
// changes during packing. Reading an archived match gives the same result as before.
func (a *Archiver) Archive(ctx context.Context, id string, now time.Time) (isDone bool, err error) {
	defer wrapError(&err, "archive match %s", id)
	return a.packMatch(ctx, id, now, a.db.key.readFinishedMatch, func(ctx context.Context, tx *transaction, m *match.Match) {
		tx.enqueue(ctx, checkVersion, `UPDATE matches SET position = $1, held = $1, archived = 1 WHERE id = $2 AND version = $3`,
			emptyValue, id, m.Version)
		tx.exec(ctx, `DELETE FROM sent WHERE match = $1`, id)
	})
}

// packMatch packs the archive that read returns. If read returns nil, or the match changes during packing, the match
// stays unpacked. drop deletes the rows that are now packed, except the entries, which packMatch deletes.
func (a *Archiver) packMatch(ctx context.Context, id string, now time.Time,
	read func(context.Context, querier, *match.Match) (*archive, error),
	drop func(context.Context, *transaction, *match.Match)) (isDone bool, err error) {
	m, packed, err := a.db.readSnapshot(ctx, id, read)
	if packed == nil || err != nil {
		return false, err
	}
	data, err := packed.pack(a.compressor, m)
	if err != nil {
		return false, err
	}
	err = a.db.writeSoon(ctx, func(ctx context.Context, tx *transaction) error {
		drop(ctx, tx, m)
		tx.exec(ctx, `DELETE FROM entries WHERE match = $1`, id)
		tx.exec(ctx, `INSERT INTO archives (match, at, record) VALUES ($1, $2, $3)
			ON CONFLICT (match) DO UPDATE SET at = excluded.at, cleared = 0, record = excluded.record`, id, now.UnixMicro(),
			tx.seal(data, "archives.record", id))
		return nil
	})
	if errors.Is(err, match.ErrConflict) {
		return false, nil
	}
	return err == nil, err
}

func (db *connection) readSnapshot(ctx context.Context, id string,
	read func(context.Context, querier, *match.Match) (*archive, error)) (*match.Match, *archive, error) {
	tx, err := db.reader.beginSnapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = tx.Rollback() }() // read only
	m, err := db.key.readMatch(ctx, tx, id)
	if err != nil {
		return nil, nil, err
	}
	packed, err := read(ctx, tx, m)
	return m, packed, err
}

// hasWaitingQuery checks for waiting letters, or a pending change of a player's address.
const hasWaitingQuery = `SELECT EXISTS (SELECT 1 FROM outbox WHERE state = 'waiting' AND match = $1)
	OR EXISTS (SELECT 1 FROM outbox WHERE state = 'waiting' AND watched = $1)
	OR EXISTS (SELECT 1 FROM seats s JOIN players p ON p.id = s.player WHERE s.match = $1 AND p.due IS NOT NULL)`

// readFinishedMatch reads the data to archive, or returns nil if the match must not be archived.
func (k *key) readFinishedMatch(ctx context.Context, tx querier, m *match.Match) (*archive, error) {
	var isBusy bool
	if err := tx.QueryRowContext(ctx, hasWaitingQuery, m.ID).Scan(&isBusy); err != nil {
		return nil, err
	}
	if isBusy || !m.IsPublished() || m.DivergedBuild != "" || m.Takeback != nil || !m.NextDue().IsZero() {
		return nil, nil
	}
	packed, err := k.readWholeHistory(ctx, tx, m)
	if err != nil {
		return nil, err
	}
	packed.position = m.Position
	if len(m.Pending) > 0 {
		packed.Pending = m.Pending
	}
	return packed, nil
}

// readWholeHistory returns all entries and sent letters of a match, from its archive and from rows.
func (k *key) readWholeHistory(ctx context.Context, tx querier, m *match.Match) (*archive, error) {
	old, err := k.readArchive(ctx, tx, m, true)
	if err != nil {
		return nil, err
	}
	if old == nil {
		old = &archive{}
	}
	entryRows, err := k.readEntries(ctx, tx, m.ID)
	if err != nil {
		return nil, err
	}
	packed := &archive{}
	if packed.entries, err = old.appendRows(entryRows); err != nil {
		return nil, err
	}
	if len(packed.entries) != m.EntryCount {
		return nil, fmt.Errorf("expected %d entries, found %d", m.EntryCount, len(packed.entries))
	}
	for i := range m.Seats {
		sentRows, err := k.readSent(ctx, tx, m.ID, rules.Seat(i), sentLettersQuery+`ORDER BY number`)
		if err != nil {
			return nil, err
		}
		packed.Sent = append(packed.Sent, packLetters(mergeLetters(old.letters(rules.Seat(i)), sentRows)))
	}
	return packed, nil
}

// readArchive reads the archive of a match, or returns nil if there is none.
func (db *connection) readArchive(ctx context.Context, matchID string, withEntries bool) (*archive, error) {
	m := &match.Match{ID: matchID}
	var secret []byte
	err := db.reader.QueryRowContext(ctx, `SELECT secret FROM matches WHERE id = $1`, matchID).
		Scan(db.key.unsealInto(&secret, "secret", matchID))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err == nil {
		m.Secret, err = record.SecretFromBytes(secret)
	}
	if err != nil {
		return nil, err
	}
	return db.key.readArchive(ctx, db.reader, m, withEntries)
}

func (k *key) readArchive(ctx context.Context, db querier, m *match.Match, withEntries bool) (*archive, error) {
	var data []byte
	err := db.QueryRowContext(ctx, `SELECT record FROM archives WHERE match = $1`, m.ID).Scan(k.unsealInto(&data, "archives.record", m.ID))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return unpack(data, m, withEntries)
}

// In a running match the newest entries are rows. Older entries are packed with the sent letters, because rows need five
// times as much space.

const (
	// longHistoryCondition selects entries 63, 127 and so on, by a partial index. A match is packed again when it has
	// rows for these entries, i.e. once in 64 entries.
	longHistoryCondition = `seq % 64 = 63`
	// keptLettersPerSeat letters to each seat stay in rows, so that answers to them need no unpacking.
	keptLettersPerSeat = 32
)

// LongHistories returns the first limit IDs, greater than after, of running matches that must be packed again.
func (db Upkeep) LongHistories(ctx context.Context, after string, limit int) (ids []string, err error) {
	defer wrapError(&err, "list matches with long histories")
	return queryColumn[string](ctx, db.reader,
		`SELECT DISTINCT match FROM entries WHERE `+longHistoryCondition+` AND match > $1 ORDER BY match LIMIT $2 + 0`,
		after, limit)
}

// PackHistory packs the entries of a running match. isDone is false if the match has ended, a letter may still be
// replaced, or the match changes during packing. Reading a packed match gives the same result as before.
func (a *Archiver) PackHistory(ctx context.Context, id string, now time.Time) (isDone bool, err error) {
	defer wrapError(&err, "pack the entries of match %s", id)
	return a.packMatch(ctx, id, now, a.db.key.readRunningMatch, func(ctx context.Context, tx *transaction, m *match.Match) {
		tx.enqueue(ctx, checkVersion, `UPDATE matches SET archived = 0 WHERE id = $1 AND version = $2`, id, m.Version)
		for i := range m.Seats {
			for _, statement := range []string{
				`DELETE FROM sent WHERE match = $1 AND seat = $2 AND number <= $3`,
				`DELETE FROM outbox WHERE state = 'dropped' AND spare = 1 AND match = $1 AND seat = $2 AND number <= $3`,
			} {
				tx.exec(ctx, statement, id, i, m.Seats[i].LastLetter-keptLettersPerSeat)
			}
		}
	})
}

// hasReplaceableQuery finds a queued letter that the next letter may replace. Packing would make that letter permanent.
const hasReplaceableQuery = `SELECT EXISTS (SELECT 1 FROM outbox WHERE state = 'waiting' AND match = $1 AND spare = 1)`

// readRunningMatch reads the data to pack, or returns nil if the match must not be packed.
func (k *key) readRunningMatch(ctx context.Context, tx querier, m *match.Match) (*archive, error) {
	if m.State != match.Playing {
		return nil, nil
	}
	var isReplaceable bool
	if err := tx.QueryRowContext(ctx, hasReplaceableQuery, m.ID).Scan(&isReplaceable); err != nil || isReplaceable {
		return nil, err
	}
	packed, err := k.readWholeHistory(ctx, tx, m)
	if err != nil {
		return nil, err
	}
	// The position stays in the row of the match.
	packed.position = []byte{}
	return packed, nil
}

// archive is the packed content of a match, stored as compressed lines: this struct as JSON, the position, and the
// entries. The seals and hashes of an entry are omitted if they can be computed from the match's secret, because
// hashes do not compress.
type archive struct {
	Pending []match.PendingAnswer `json:"held,omitempty"`
	// Sent is indexed by seat.
	Sent []packedLetters `json:"sent,omitempty"`

	position []byte
	entries  []record.Entry
}

const headerLines = 2

var errInexact = errors.New("the packed data does not unpack to the same data")

// pack returns the compressed archive, after a check that unpacking gives the same archive.
func (a *archive) pack(encoder *zstd.Encoder, m *match.Match) ([]byte, error) {
	header, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	lines := [][]byte{header, a.position}
	previousHash := m.Secret.Commitment()
	for _, e := range a.entries {
		compact := e
		compact.Sealed, compact.Prev, compact.Hash = "", "", ""
		restored := compact
		if err := m.Secret.Seal(m.ID, previousHash, &restored); err != nil || restored.Sealed != e.Sealed || restored.Prev != e.Prev ||
			restored.Hash != e.Hash {
			compact = e
		}
		line, err := json.Marshal(compact)
		if err != nil {
			return nil, fmt.Errorf("pack entry %d: %w", e.Seq, err)
		}
		lines = append(lines, line)
		previousHash = e.Hash
	}
	compressed := compressArchive(encoder, bytes.Join(lines, []byte("\n")))
	switch restored, err := unpack(compressed, m, true); {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errInexact, err)
	case !reflect.DeepEqual(a, restored):
		return nil, errInexact
	}
	return compressed, nil
}

func unpack(data []byte, m *match.Match, withEntries bool) (*archive, error) {
	uncompressed, err := decompressArchive(data)
	if err != nil {
		return nil, fmt.Errorf("unpack an archive: %w", err)
	}
	lines := bytes.Split(uncompressed, []byte("\n"))
	if len(lines) < headerLines {
		return nil, fmt.Errorf("unpack an archive: it has %d lines", len(lines))
	}
	packed := &archive{position: bytes.Clone(lines[1])}
	if err := json.Unmarshal(lines[0], packed); err != nil || !withEntries {
		return packed, err
	}
	previousHash := m.Secret.Commitment()
	for _, line := range lines[headerLines:] {
		var e record.Entry
		err := json.Unmarshal(line, &e)
		if err == nil && e.Hash == "" {
			err = m.Secret.Seal(m.ID, previousHash, &e)
		}
		if err != nil {
			return nil, fmt.Errorf("unpack an entry: %w", err)
		}
		packed.entries, previousHash = append(packed.entries, e), e.Hash
	}
	return packed, nil
}

// appendRows returns all entries: the packed entries and then the entries in rows. An entry may be in both. A gap is
// an error, because the history would look complete without the missing entries.
func (a *archive) appendRows(rows []record.Entry) (entries []record.Entry, err error) {
	if a != nil {
		entries = a.entries
	}
	for _, e := range rows {
		if e.Seq > len(entries) {
			return nil, fmt.Errorf("%w: entries %d to %d", errEntriesMissing, len(entries), e.Seq-1)
		}
		if e.Seq == len(entries) {
			entries = append(entries, e)
		}
	}
	return fillPrevHashes(entries), nil
}

var errEntriesMissing = errors.New("entries are missing")

// packedLetters are the fields of exchange.SentLetter, for the letters to a seat. All numbers are differences to the
// previous ones, because small and equal numbers compress well: letters 7, 8, 9 become [7,1,1].
type packedLetters struct {
	Numbers   []int64   `json:"n,omitempty"`
	Entries   []int     `json:"e,omitempty"`
	Decisions [][]int64 `json:"d,omitempty"`
}

func packLetters(letters []exchange.SentLetter) (packed packedLetters) {
	var number, decision int64
	entries := 0
	for _, l := range letters {
		decisions := []int64{}
		for _, d := range l.Decisions {
			decisions = append(decisions, int64(d)-decision)
			decision = int64(d)
		}
		packed.Numbers, packed.Entries, packed.Decisions = append(packed.Numbers, l.Number-number), append(packed.Entries, l.EntryCount-entries),
			append(packed.Decisions, decisions)
		number, entries = l.Number, l.EntryCount
	}
	return packed
}

func (a *archive) letters(seat rules.Seat) (out []exchange.SentLetter) {
	if int(seat) >= len(a.Sent) {
		return nil
	}
	var l exchange.SentLetter
	var decision int64
	packed := a.Sent[seat]
	for i := range packed.Numbers {
		l.Number += packed.Numbers[i]
		l.EntryCount += packed.Entries[i]
		l.Decisions = nil
		for _, d := range packed.Decisions[i] {
			decision += d
			l.Decisions = append(l.Decisions, rules.DecisionID(decision))
		}
		out = append(out, l)
	}
	return out
}

// DeleteReceived deletes the received letters of a single match that was archived before a time and has not changed
// since it was archived. found is false if there is no such match.
func (db Upkeep) DeleteReceived(ctx context.Context, before time.Time) (found bool, err error) {
	defer wrapError(&err, "delete the received letters of an archived match")
	var id string
	err = db.reader.QueryRowContext(ctx, `SELECT match FROM archives JOIN matches ON id = match WHERE cleared = 0 AND at < $1 AND archived = 1
		ORDER BY at LIMIT 1`, before.UnixMicro()).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, db.write(ctx, func(ctx context.Context, tx *transaction) error {
		// If a letter has arrived since the query, all letters are kept until the match is archived again.
		if ok, err := lockMatch(ctx, tx, id, `archived = 1`); err != nil || !ok {
			return err
		}
		tx.exec(ctx, `UPDATE archives SET cleared = 1 WHERE match = $1`, id)
		tx.exec(ctx, `DELETE FROM received WHERE match = $1`, id)
		return nil
	})
}

// DeleteSent deletes at most limit letters that were sent before a time. hasMore reports whether there may be more.
func (db Upkeep) DeleteSent(ctx context.Context, before time.Time, limit int) (hasMore bool, err error) {
	defer wrapError(&err, "delete old sent letters")
	var hasOld bool
	if err := db.reader.QueryRowContext(ctx, `SELECT coalesce((SELECT min(at) FROM outbox WHERE state = 'sent') < $1, FALSE)`,
		before.UnixMicro()).Scan(&hasOld); err != nil || !hasOld {
		return false, err
	}
	err = db.write(ctx, func(ctx context.Context, tx *transaction) error {
		ids, err := queryColumn[int64](ctx, tx, `SELECT id FROM outbox WHERE state = 'sent' AND at < $1 ORDER BY at LIMIT $2 + 0`,
			before.UnixMicro(), limit)
		for _, id := range ids {
			tx.exec(ctx, `DELETE FROM outbox WHERE id = $1`, id)
		}
		hasMore = len(ids) == limit
		return err
	})
	return hasMore, err
}
