package storage

import (
	"context"
	"fmt"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match"
)

const offerColumns = `id, state, terms, parties, invited, secret, match, created, expires, version`

func (k *key) offerTargets(o *club.Offer) []any {
	return []any{&o.ID, &o.State, asJSON{&o.Terms}, asJSON{&o.Parties}, asJSON{&o.Challenged}, k.unsealInto(&o.Secret, "offers.secret", &o.ID),
		&o.Match, micros{&o.Created}, micros{&o.Expires}, &o.Version}
}

// Offer reads an offer, or returns nil.
func (db ClubOffers) Offer(ctx context.Context, id int64) (o *club.Offer, err error) {
	defer wrapError(&err, "read offer %d", id)
	return queryFirst(ctx, db.reader, db.key.offerTargets, `SELECT `+offerColumns+` FROM offers WHERE id = $1`, id)
}

// OfferOf reads the offer from which a match was made, or returns nil.
func (db ClubOffers) OfferOf(ctx context.Context, match string) (o *club.Offer, err error) {
	defer wrapError(&err, "read the offer of match %s", match)
	return queryFirst(ctx, db.reader, db.key.offerTargets, `SELECT `+offerColumns+` FROM offers WHERE match = $1 AND match <> ''`, match)
}

// OpenOffers lists open offers, by expiry.
func (db ClubOffers) OpenOffers(ctx context.Context) (out []club.Offer, err error) {
	defer wrapError(&err, "list the offers")
	return queryAll(ctx, db.reader, db.key.offerTargets, `SELECT `+offerColumns+` FROM offers WHERE state = 'open' ORDER BY expires, id`)
}

// DueOffers lists open offers that expire before a time.
func (db ClubOffers) DueOffers(ctx context.Context, until time.Time, limit int) (out []club.Offer, err error) {
	defer wrapError(&err, "list expiring offers")
	return queryAll(ctx, db.reader, db.key.offerTargets, `SELECT `+offerColumns+` FROM offers WHERE state = 'open' AND expires <= $1
		ORDER BY expires, id LIMIT $2 + 0`, until.UnixMicro(), limit)
}

// OffersSince lists a member's offers since a time, including offers made by the queue, tournaments and robots.
func (db ClubOffers) OffersSince(ctx context.Context, member int64, since time.Time) (out []club.Offer, err error) {
	defer wrapError(&err, "list the offers of member %d", member)
	return queryAll(ctx, db.reader, db.key.offerTargets, `SELECT `+offerColumns+` FROM offers WHERE member = $1 AND created >= $2 ORDER BY id`,
		member, since.UnixMicro())
}

// NextOfferID returns the number of the next offer.
func (db ClubOffers) NextOfferID(ctx context.Context) (id int64, err error) {
	defer wrapError(&err, "number an offer")
	return queryValue[int64](ctx, db.reader, `SELECT coalesce(max(id), 0) + 1 FROM offers`)
}

// Queue lists the members waiting to be paired, longest wait first, with the numbers of matches that they play or are
// invited to.
func (db ClubOffers) Queue(ctx context.Context) (out []club.QueueEntry, err error) {
	defer wrapError(&err, "list the queue for pairing")
	return queryAll(ctx, db.reader, func(q *club.QueueEntry) []any {
		return []any{&q.Member, asJSON{&q.Terms}, &q.MaxMatches, micros{&q.Since}, &q.Words, &q.RunningMatches}
	}, `SELECT member, terms, most, since, words, (SELECT count(DISTINCT s.match) FROM seats s JOIN matches m ON m.id = s.match
		WHERE s.player = q.member AND m.state IN ('inviting', 'playing')) FROM queue q ORDER BY since, member`)
}

// QueueEntriesOf lists a member's entries in the queue.
func (db ClubOffers) QueueEntriesOf(ctx context.Context, member int64) (out []club.QueueEntry, err error) {
	defer wrapError(&err, "list the queue entries of member %d", member)
	return queryAll(ctx, db.reader, func(q *club.QueueEntry) []any {
		return []any{&q.Member, asJSON{&q.Terms}, &q.MaxMatches, micros{&q.Since}, &q.Words}
	}, `SELECT member, terms, most, since, words FROM queue WHERE member = $1 ORDER BY game`, member)
}

// HasQueuedSince reports whether the queue has an entry that was added after a time.
func (db ClubOffers) HasQueuedSince(ctx context.Context, since time.Time) (ok bool, err error) {
	defer wrapError(&err, "check the queue for pairing")
	return queryValue[bool](ctx, db.reader, `SELECT EXISTS (SELECT 1 FROM queue WHERE since > $1)`, since.UnixMicro())
}

// SeatCounts counts how often a player had each seat of a game, in matches that have begun.
func (db ClubOffers) SeatCounts(ctx context.Context, player int64, game string) (counts map[string]int, err error) {
	defer wrapError(&err, "count the seats of player %d", player)
	return queryMap[string, int](ctx, db.reader,
		`SELECT s.name, count(*) FROM seats s JOIN matches m ON m.id = s.match WHERE s.player = $1 AND m.game = $2
		AND m.state IN ('playing', 'over') GROUP BY s.name`, player, game)
}

// CountRunning counts the matches that a player plays or is invited to.
func (db ClubOffers) CountRunning(ctx context.Context, player int64) (n int, err error) {
	defer wrapError(&err, "count the matches of player %d", player)
	return queryValue[int](ctx, db.reader, `SELECT count(DISTINCT s.match) FROM seats s JOIN matches m ON m.id = s.match WHERE s.player = $1
		AND m.state IN ('inviting', 'playing')`, player)
}

// LastMatch returns the ID of the newest finished match of two players, or of a player with any opponent if other is 0.
// It returns "" if there is no match.
func (db ClubOffers) LastMatch(ctx context.Context, player, other int64) (id string, err error) {
	defer wrapError(&err, "find the last match of player %d", player)
	return queryValue[string](ctx, db.reader,
		`SELECT m.id FROM seats s JOIN matches m ON m.id = s.match WHERE s.player = $1 AND m.state = 'over'
		AND ($2 = 0 OR EXISTS (SELECT 1 FROM seats WHERE match = m.id AND player = $2)) ORDER BY m.created DESC, m.id LIMIT 1`,
		player, other)
}

// Opponents returns the current opponents of a player.
func (db ClubOffers) Opponents(ctx context.Context, player int64) (out []int64, err error) {
	defer wrapError(&err, "list the opponents of player %d", player)
	return queryColumn[int64](ctx, db.reader, `SELECT DISTINCT o.player FROM seats s JOIN matches m ON m.id = s.match
		JOIN seats o ON o.match = s.match AND o.player <> s.player WHERE s.player = $1 AND m.state IN ('inviting', 'playing')`, player)
}

func applyOffers(ctx context.Context, tx *transaction, c *club.Change) {
	for _, o := range c.Offers {
		writeOffer(ctx, tx, o)
	}
	for _, q := range c.RemovedFromQueue {
		tx.enqueue(ctx, wrapResult("remove member %d from the queue", q.Member),
			`DELETE FROM queue WHERE member = $1 AND (game = $2 OR $2 = '')`, q.Member, q.Terms.Game)
	}
	for _, q := range c.QueueEntries {
		tx.enqueue(ctx, wrapResult("queue member %d", q.Member),
			`INSERT INTO queue (member, game, terms, most, since, words) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (member, game) DO UPDATE SET terms = excluded.terms, most = excluded.most, since = excluded.since, words = excluded.words`,
			q.Member, q.Terms.Game, asJSON{q.Terms}, q.MaxMatches, q.Since.UnixMicro(), q.Words)
	}
}

// writeOffer inserts or updates an offer. It fails with match.ErrConflict if the row has changed since it was read. The
// secret of a closed offer is deleted, because a match made from the offer has a secret of its own.
func writeOffer(ctx context.Context, tx *transaction, o *club.Offer) {
	secret := o.Secret
	if o.State != club.OfferOpen {
		secret = []byte{}
	}
	challenged, checkWritten := append([]int64{}, o.Challenged...), requireUnique("write offer %d", o.ID)
	if o.Version == 0 {
		tx.enqueue(ctx, checkWritten, `INSERT INTO offers (id, member, state, terms, parties, invited, secret, match, created, expires, version)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1)`,
			o.ID, o.Author(), string(o.State), asJSON{o.Terms}, asJSON{o.Parties}, asJSON{challenged},
			tx.seal(secret, "offers.secret", o.ID), o.Match, o.Created.UnixMicro(), o.Expires.UnixMicro())
		return
	}
	tx.enqueue(ctx, checkWritten, `UPDATE offers SET state = $1, parties = $2, invited = $3, secret = $4, match = $5,
		version = version + 1
		WHERE id = $6 AND version = $7`, string(o.State), asJSON{o.Parties}, asJSON{challenged},
		tx.seal(secret, "offers.secret", o.ID), o.Match, o.ID, o.Version)
}

// AllMembers lists all current and former members, by player ID.
func (db ClubMembers) AllMembers(ctx context.Context) (out []club.Member, err error) {
	defer wrapError(&err, "list all current and former members of the club")
	return queryAll(ctx, db.reader, memberTargets, selectMembers+`ORDER BY m.player`)
}

// ClubMatches lists running matches with members in all seats, by ID. The state of a match is omitted if observers
// may not see it now.
func (db ClubOffers) ClubMatches(ctx context.Context) (out []club.RunningMatch, err error) {
	defer wrapError(&err, "list the matches of the club")
	index := map[string]int{}
	err = eachRow(ctx, db.reader, func(scan func(...any) error) error {
		var r club.RunningMatch
		var observe string
		var s *match.Summary
		if err := scan(&r.Match, &r.Game, &r.Version, micros{&r.Since}, &observe,
			db.key.unsealInto(asJSON{&s}, "matches.summary", &r.Match)); err != nil {
			return err
		}
		policy, err := match.ParseObserverPolicy(observe)
		if err != nil {
			return fmt.Errorf("match %s: %w", r.Match, err)
		}
		if s != nil {
			if r.Since = s.Began; policy.Allowed && policy.Delay == 0 {
				r.Public, r.StateText = true, s.Phase
			}
		}
		index[r.Match] = len(out)
		out = append(out, r)
		return nil
	}, `SELECT id, game, version, created, observe, summary FROM matches m WHERE state = 'playing' AND NOT EXISTS
		(SELECT 1 FROM seats s WHERE s.match = m.id AND NOT EXISTS (SELECT 1 FROM members WHERE player = s.player)) ORDER BY id`)
	if err != nil {
		return nil, err
	}
	err = eachRow(ctx, db.reader, func(scan func(...any) error) error {
		var match string
		var s club.ResultSeat
		if err := scan(&match, &s.Player, &s.Name); err != nil {
			return err
		}
		if i, ok := index[match]; ok {
			out[i].Seats = append(out[i].Seats, s)
		}
		return nil
	}, `SELECT s.match, s.player, s.name FROM seats s JOIN matches m ON m.id = s.match WHERE m.state = 'playing' ORDER BY s.match, s.seat`)
	return out, err
}

// TournamentsOfMatches returns the tournament of each match in a tournament, by match ID.
func (db ClubOffers) TournamentsOfMatches(ctx context.Context) (out map[string]club.MatchOfTournament, err error) {
	defer wrapError(&err, "list the matches of tournaments")
	out = map[string]club.MatchOfTournament{}
	return out, eachRow(ctx, db.reader, func(scan func(...any) error) error {
		var id string
		var m club.MatchOfTournament
		err := scan(&id, &m.Tournament, micros{&m.CreatedAt})
		out[id] = m
		return err
	}, `SELECT t.match, t.tournament, m.created FROM tournamentmatches t JOIN matches m ON m.id = t.match`)
}

// DueDigests returns the IDs of members who must get a digest letter now.
func (db ClubMembers) DueDigests(ctx context.Context, now time.Time, limit int) (ids []int64, err error) {
	defer wrapError(&err, "list due digests")
	return queryColumn[int64](ctx, db.reader, `SELECT player FROM members WHERE digest <= $1 ORDER BY digest, player LIMIT $2 + 0`,
		now.UnixMicro(), limit)
}

// Announcements lists the director's announcements since a time, newest first.
func (db ClubMembers) Announcements(ctx context.Context, since time.Time, limit int) (out []club.Announcement, err error) {
	defer wrapError(&err, "read the announcements")
	return queryAll(ctx, db.reader, func(a *club.Announcement) []any { return []any{micros{&a.At}, &a.Text} },
		`SELECT at, text FROM announcements WHERE at >= $1 ORDER BY id DESC LIMIT $2 + 0`, since.UnixMicro(), limit)
}
