package storage

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/mattn/go-sqlite3"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
)

// selectMembers selects members (m) with their players (p). A WHERE clause is appended.
const selectMembers = `SELECT m.player, m.name, coalesce(m.skeleton, ''), m.state, m.since, m.settings, m.proposed, m.serial, m.letters,
	m.version, m.digest,
	p.address, p.zone FROM members m JOIN players p ON p.id = m.player `

func memberTargets(m *club.Member) []any {
	return []any{&m.ID, &m.Name, &m.Skeleton, &m.State, micros{&m.Since}, asJSON{&m.Settings}, asJSON{&m.Proposal}, &m.TokenSerial,
		&m.LettersSent, &m.Version, micros{&m.DigestDue}, &m.Address, &m.Zone}
}

func (db ClubMembers) readMember(ctx context.Context, query string, args ...any) (m *club.Member, err error) {
	defer wrapError(&err, "read a member of the club")
	return queryFirst(ctx, db.reader, memberTargets, query, args...)
}

// Member reads the member with a player ID, or returns nil.
func (db ClubMembers) Member(ctx context.Context, id int64) (*club.Member, error) {
	return db.readMember(ctx, selectMembers+`WHERE m.player = $1`, id)
}

// MemberByAddress reads the member with an address, or returns nil.
func (db ClubMembers) MemberByAddress(ctx context.Context, address string) (*club.Member, error) {
	return db.readMember(ctx, selectMembers+`WHERE p.address = $1 AND p.address <> '' ORDER BY m.player LIMIT 1`, address)
}

// MemberByMailbox reads the member with an address of a mailbox, e.g. ada+games@x.org for ada@x.org (contact.MailboxOf),
// or returns nil.
func (db ClubMembers) MemberByMailbox(ctx context.Context, mailbox string) (*club.Member, error) {
	local := strings.ReplaceAll(mailbox[:max(0, strings.LastIndexByte(mailbox, '@'))], ".", "") // Some providers ignore dots.
	found, err := queryAll(ctx, db.reader, memberTargets, selectMembers+`WHERE substr(replace(p.address, '.', ''), 1, length($1)) = $1
		ORDER BY m.player`, local)
	if err != nil {
		return nil, fmt.Errorf("list the members of a mailbox: %w", err)
	}
	for i := range found {
		if found[i].Address != "" && contact.MailboxOf(found[i].Address) == mailbox {
			return &found[i], nil
		}
	}
	return nil, nil
}

// MemberBySkeleton reads the member with a name of this skeleton (package naming), or returns nil.
func (db ClubMembers) MemberBySkeleton(ctx context.Context, skeleton string) (*club.Member, error) {
	return db.readMember(ctx, selectMembers+`WHERE m.skeleton = $1`, skeleton)
}

// Members lists the members in a state, by name.
func (db ClubMembers) Members(ctx context.Context, state club.MemberState) (out []club.Member, err error) {
	defer wrapError(&err, "list the members of the club")
	return queryAll(ctx, db.reader, memberTargets, selectMembers+`WHERE m.state = $1 ORDER BY m.name, m.player`, string(state))
}

// PlayerIDByAddress returns the lowest ID of the players with an address. If there is none, it returns the ID that the
// next new player will get.
func (db ClubMembers) PlayerIDByAddress(ctx context.Context, address string) (id int64, err error) {
	defer wrapError(&err, "number a player")
	return queryValue[int64](ctx, db.reader, `SELECT coalesce((SELECT min(id) FROM players WHERE address = $1
		AND address <> ''), (SELECT coalesce(max(id), 0) + 1 FROM players))`, address)
}

// AnswerTimes returns how long the newest answers of a player took, in all matches, newest first.
func (db ClubMembers) AnswerTimes(ctx context.Context, player int64, limit int) (out []time.Duration, err error) {
	defer wrapError(&err, "read how soon player %d answers", player)
	var all [][2]int64 // the time of an answer, and the minutes that it took
	err = eachRow(ctx, db.reader, func(scan func(...any) error) error {
		var id string
		var seat int
		var timing match.PrivateState
		if err := scan(&id, &seat, db.key.unsealInto(asJSON{&timing}, "seats.thoughts", &id, &seat)); err != nil {
			return err
		}
		for pair := range slices.Chunk(timing.AnswerTimes, 2) {
			all = append(all, [2]int64(pair))
		}
		return nil
	}, `SELECT match, seat, thoughts FROM seats WHERE player = $1`, player)
	slices.SortFunc(all, func(a, b [2]int64) int { return cmp.Or(cmp.Compare(b[0], a[0]), cmp.Compare(b[1], a[1])) })
	for _, pair := range all[:min(limit, len(all))] {
		out = append(out, time.Duration(pair[1])*time.Minute)
	}
	return out, err
}

// Applicant reads the application from an address, or returns nil.
func (db ClubMembers) Applicant(ctx context.Context, address string) (a *club.Applicant, err error) {
	defer wrapError(&err, "find an applicant")
	return queryFirst(ctx, db.reader, func(a *club.Applicant) []any { return []any{&a.Address, &a.Name, micros{&a.AskedAt}} },
		`SELECT address, name, asked FROM applicants WHERE address = $1`, address)
}

// CountAskedSince counts the addresses that have been asked to confirm their application since a time.
func (db ClubMembers) CountAskedSince(ctx context.Context, since time.Time) (n int, err error) {
	defer wrapError(&err, "count applicants")
	return queryValue[int](ctx, db.reader, `SELECT count(*) FROM applicants WHERE asked >= $1`, since.UnixMicro())
}

// DeleteApplicants deletes applications from before a time.
func (db ClubMembers) DeleteApplicants(ctx context.Context, before time.Time) (err error) {
	defer wrapError(&err, "forget applicants")
	var hasOld bool
	err = db.reader.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM applicants WHERE asked < $1)`, before.UnixMicro()).Scan(&hasOld)
	if err != nil || !hasOld {
		return err
	}
	return db.writeStatement(ctx, `DELETE FROM applicants WHERE asked < $1`, before.UnixMicro())
}

// applyClub writes the club's part of a change. memberLetters are the letters to c.ForgottenMember.
func applyClub(ctx context.Context, tx *transaction, c *club.Change, memberLetters addressLetters) error {
	if c == nil {
		return nil
	}
	for _, m := range c.Members {
		writeMember(ctx, tx, m)
	}
	if c.ForgottenMember != nil {
		if err := forgetMember(ctx, tx, c.ForgottenMember, memberLetters); err != nil {
			return err
		}
	}
	applyOffers(ctx, tx, c)
	if a := c.NewApplicant; a != nil {
		tx.enqueue(ctx, wrapResult("store an applicant"), `INSERT INTO applicants (address, name, asked) VALUES ($1, $2, $3)
			ON CONFLICT (address) DO UPDATE SET name = CASE WHEN $4 = 1 THEN excluded.name
			WHEN excluded.name IN ('', applicants.name) THEN applicants.name ELSE '' END, asked = excluded.asked`,
			a.Address, a.Name, a.AskedAt.UnixMicro(), a.Authenticated)
	}
	if c.AnsweredAddress != "" {
		tx.enqueue(ctx, wrapResult("forget an applicant"), `DELETE FROM applicants WHERE address = $1`, c.AnsweredAddress)
	}
	for _, a := range c.Announcements {
		tx.enqueue(ctx, wrapResult("store an announcement"), `INSERT INTO announcements (at, text) VALUES ($1, $2)`, a.At.UnixMicro(), a.Text)
	}
	if err := applyResults(ctx, tx, c); err != nil {
		return err
	}
	applyTournaments(ctx, tx, c)
	writeHooks(ctx, tx, c.Hooks)
	if c.DirectorState != nil {
		writeDirectorState(ctx, tx, c.DirectorState)
	}
	for _, e := range c.Log {
		tx.enqueue(ctx, wrapResult("write the log of the club"), `INSERT INTO clublog (at, member, by, act, why) VALUES ($1, $2, $3, $4, $5)`,
			e.At.UnixMicro(), nullUnless(e.Member != 0, e.Member), e.By, e.Act, e.Reason)
	}
	return nil
}

// writeMember inserts or updates a member. It fails with match.ErrConflict if the row has changed since it was read.
func writeMember(ctx context.Context, tx *transaction, m *club.Member) {
	skeleton, proposed := nullUnless(m.Skeleton != "", m.Skeleton), nullUnless(m.Proposal != nil, asJSON{m.Proposal})
	checkWritten := requireUnique("write member %d of the club", m.ID)
	if m.State != club.MemberActive {
		tx.exec(ctx, `DELETE FROM hooks WHERE id = $1`, m.ID)
	}
	if m.Version > 0 {
		tx.enqueue(ctx, checkWritten, `UPDATE members SET name = $1, skeleton = $2, state = $3, settings = $4, proposed = $5, serial = $6,
			letters = $7, digest = $8, version = version + 1 WHERE player = $9 AND version = $10`, m.Name, skeleton, string(m.State),
			asJSON{m.Settings}, proposed, m.TokenSerial, m.LettersSent, nullTime(m.DigestDue), m.ID, m.Version)
		return
	}
	// m.ID is from PlayerIDByAddress. If another player has got this ID since, the update changes no row: a conflict.
	tx.pool.engine.acquireLock(ctx, tx, playersLock)
	tx.exec(ctx, `INSERT INTO players (id, address) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, m.ID, m.Address)
	tx.enqueue(ctx, checkWritten, `UPDATE players SET version = version + 1 WHERE id = $1 AND address = $2`, m.ID, m.Address)
	tx.enqueue(ctx, checkWritten, `INSERT INTO members (player, name, skeleton, state, since, settings, proposed, serial,
		letters, digest, version)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1)`, m.ID, m.Name, skeleton, string(m.State), m.Since.UnixMicro(),
		asJSON{m.Settings}, proposed, m.TokenSerial, m.LettersSent, nullTime(m.DigestDue))
}

// requireUnique is like requireVersion, but also returns a conflict if a unique number or name, e.g. the name of a
// member, is already in use.
func requireUnique(action string, args ...any) func(sql.Result, error) error {
	return func(res sql.Result, err error) error {
		var e sqlite3.Error
		var pgErr *pgconn.PgError
		if errors.As(err, &e) && e.Code == sqlite3.ErrConstraint || errors.As(err, &pgErr) && strings.HasPrefix(pgErr.Code, "23") {
			return match.ErrConflict
		}
		return requireVersion(action, args...)(res, err)
	}
}

// receivedFrom selects the letters that player $1 sent: to the club, and to matches while the player had the seat.
const receivedFrom = `match IN (SELECT 'club-' || CAST($1 AS bigint) UNION SELECT match FROM seats WHERE player = $1
	UNION SELECT match FROM former WHERE player = $1)
	AND (match = 'club-' || CAST($1 AS bigint) OR $1 = coalesce((SELECT f.player FROM former f WHERE f.match = received.match
	AND f.seat = received.seat AND f.until >= received.at ORDER BY f.until LIMIT 1),
		(SELECT s.player FROM seats s WHERE s.match = received.match AND s.seat = received.seat)))`

// personalDataQueries select the data about player $1, without the keys of reply tokens and the hidden data of matches.
var personalDataQueries = []personalDataQuery{
	{table: "players", query: `SELECT id, address, contact, zone, calendar, away FROM players WHERE id = $1`, identity: []string{"id"}},
	{table: "members", query: `SELECT player, name, state, since, settings, proposed, letters FROM members WHERE player = $1`},
	{table: "applicants", query: `SELECT address, name, asked FROM applicants WHERE address = (SELECT address FROM players WHERE id = $1
		AND address <> '')`},
	{table: "seats", query: `SELECT match, seat, name, called, joined, words, seal, letters, format, script, clock, addresses, thoughts
		FROM seats WHERE player = $1 ORDER BY match, seat`, identity: []string{"match", "seat"}},
	{table: "observers", query: `SELECT match, number, address, letters, since, spoken FROM observers WHERE address = (SELECT address
		FROM players WHERE id = $1 AND address <> '')`},
	{table: "offers", query: `SELECT id, state, terms, match, created, expires, parties, invited FROM offers ORDER BY id`,
		filter: isPartyToOffer, omit: []string{"parties", "invited"}},
	{table: "hooks", query: `SELECT id, hook, kinds, state FROM hooks WHERE id = $1`, identity: []string{"id"}},
	{table: "queue", query: `SELECT game, terms, most, since FROM queue WHERE member = $1`},
	{table: "clublog", query: `SELECT at, by, act, why FROM clublog WHERE member = $1 ORDER BY id`},
	{table: "bounces", query: `SELECT b.match, b.seat, b.number, b.hard, b.recipient, b.status, b.reason, b.at FROM bounces b
		JOIN seats s ON s.match = b.match AND s.seat = b.seat
		WHERE s.player = $1 AND b.recipient = (SELECT address FROM players WHERE id = $1 AND address <> '')`},
	{table: "outbox", query: `SELECT match, seat, number, recipient, state, at FROM outbox WHERE recipient = (SELECT address FROM players
		WHERE id = $1 AND address <> '') ORDER BY id`},
	{table: "received", query: `SELECT match, seat, digest, message_id, disposition, at, raw FROM received WHERE ` +
		receivedFrom + ` ORDER BY at`, identity: []string{"match", "seat", "digest"}, omit: []string{"seat", "digest"}},
}

type personalDataQuery struct {
	table, query string
	// identity are the columns that are needed to decrypt the sealed columns of a row.
	identity []string
	// filter reports whether a row belongs to the player. It is nil if the query selects only the player's rows. The
	// columns in omit are not shown.
	filter func(row map[string]any, player int64) (bool, error)
	omit   []string
}

func isPartyToOffer(row map[string]any, player int64) (bool, error) {
	var parties []club.Party
	var invited []int64
	err := errors.Join(asJSON{&parties}.Scan(row["parties"]), asJSON{&invited}.Scan(row["invited"]))
	return slices.Contains(invited, player) || slices.ContainsFunc(parties, func(p club.Party) bool { return p.Member == player }), err
}

// PersonalData returns all data about a player (GDPR, article 15), by table.
func (db ClubMembers) PersonalData(ctx context.Context, player int64) (map[string][]map[string]any, error) {
	out := map[string][]map[string]any{}
	for _, c := range personalDataQueries {
		var err error
		if out[c.table], err = db.readPersonalData(ctx, c, player); err != nil {
			return nil, fmt.Errorf("read the data about player %[2]d in %[1]s: %[3]w", c.table, player, err)
		}
	}
	return out, nil
}

func (db ClubMembers) readPersonalData(ctx context.Context, dataQuery personalDataQuery, player int64) (out []map[string]any, err error) {
	var args []any
	if dataQuery.filter == nil {
		args = append(args, player)
	}
	rows, err := db.reader.QueryContext(ctx, dataQuery.query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		values, targets := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		row := map[string]any{}
		for i, column := range columns {
			row[column] = values[i]
		}
		if dataQuery.filter != nil {
			if ok, err := dataQuery.filter(row, player); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
		}
		if err := db.key.unsealRow(row, dataQuery); err != nil {
			return nil, err
		}
		for _, column := range dataQuery.omit {
			delete(row, column)
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

func (k *key) unsealRow(row map[string]any, dataQuery personalDataQuery) error {
	for column, v := range row {
		if _, ok := v.([]byte); !ok {
			continue
		}
		identity := []any{dataQuery.table + "." + column}
		for _, name := range dataQuery.identity {
			identity = append(identity, row[name])
		}
		plain, err := k.unseal(v, identity...)
		if err == nil && column == "raw" {
			plain, err = letterCodec.unpack(plain)
		}
		if err != nil {
			return err
		}
		row[column] = string(plain)
	}
	return nil
}

// ClubLog returns the newest entries of the club's log, newest first.
func (db ClubMembers) ClubLog(ctx context.Context, limit int) (out []club.LogEntry, err error) {
	defer wrapError(&err, "read the log of the club")
	return queryAll(ctx, db.reader, func(e *club.LogEntry) []any {
		return []any{micros{&e.At}, &e.Member, &e.By, &e.Act, &e.Reason}
	}, `SELECT at, coalesce(member, 0), by, act, why FROM clublog ORDER BY id DESC LIMIT $1 + 0`, limit)
}

// DirectorState returns the state of the director's letters about the club.
func (db ClubMembers) DirectorState(ctx context.Context) (d club.DirectorState, err error) {
	defer wrapError(&err, "read the state of the director's letters")
	err = db.reader.QueryRowContext(ctx, `SELECT letters, proposed, asked, version FROM clubdesk WHERE id = 1`).Scan(&d.LastLetter,
		asJSON{&d.Proposed}, micros{&d.AskedAt}, &d.Version)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return d, err
}

// writeDirectorState inserts or updates the only row of clubdesk. It fails with match.ErrConflict if the row has changed
// since it was read.
func writeDirectorState(ctx context.Context, tx *transaction, d *club.DirectorState) {
	proposed, checkWritten := nullUnless(d.Proposed != nil, asJSON{d.Proposed}), requireUnique("write the state of the director's letters")
	if d.Version == 0 {
		tx.enqueue(ctx, checkWritten, `INSERT INTO clubdesk (id, letters, proposed, asked, version) VALUES (1, $1, $2, $3, 1)`, d.LastLetter,
			proposed, d.AskedAt.UnixMicro())
		return
	}
	tx.enqueue(ctx, checkWritten, `UPDATE clubdesk SET letters = $1, proposed = $2, asked = $3, version = version + 1 WHERE id = 1
		AND version = $4`, d.LastLetter, proposed, d.AskedAt.UnixMicro(), d.Version)
}
