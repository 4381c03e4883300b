package storage

import (
	"context"
	"fmt"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
)

// AllMembers lists all members of the club that there ever were, in the order of their numbers.
func (db *DB) AllMembers(ctx context.Context) (out []club.Member, err error) {
	defer wrap(&err, "list everybody who was a member of the club")
	return list(ctx, db.reader, memberInto, members+`ORDER BY m.player`)
}

// ClubMatches lists the matches that run and in which all seats are members', in the order of
// their names. Of one that may not be observed, or only later, it does not say how it stands.
func (db *DB) ClubMatches(ctx context.Context) (out []club.Running, err error) {
	defer wrap(&err, "list the matches of the club")
	at := map[string]int{}
	err = each(ctx, db.reader, func(scan func(...any) error) error {
		var r club.Running
		var observe string
		var s *adjudicator.Summary
		if err := scan(&r.Match, &r.Game, micros{&r.Since}, &observe, db.key.unsealed(inJSON{&s}, "matches.summary", &r.Match)); err != nil {
			return err
		}
		policy, err := adjudicator.ParseObserverPolicy(observe)
		if err != nil {
			return fmt.Errorf("match %s: %w", r.Match, err)
		}
		if s != nil {
			if r.Since = s.Began; policy.Allowed && policy.Delay == 0 {
				r.Stands = s.Phase
			}
		}
		at[r.Match] = len(out)
		out = append(out, r)
		return nil
	}, `SELECT id, game, created, observe, summary FROM matches m WHERE state = 'playing' AND NOT EXISTS
		(SELECT 1 FROM seats s WHERE s.match = m.id AND NOT EXISTS (SELECT 1 FROM members WHERE player = s.player)) ORDER BY id`)
	if err != nil {
		return nil, err
	}
	err = each(ctx, db.reader, func(scan func(...any) error) error {
		var match string
		var s club.ResultSeat
		if err := scan(&match, &s.Player, &s.Name); err != nil {
			return err
		}
		if i, ok := at[match]; ok {
			out[i].Seats = append(out[i].Seats, s)
		}
		return nil
	}, `SELECT s.match, s.player, s.name FROM seats s JOIN matches m ON m.id = s.match WHERE m.state = 'playing' ORDER BY s.match, s.seat`)
	return out, err
}

// InTournaments says to which tournaments matches belong.
func (db *DB) InTournaments(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	err := each(ctx, db.reader, func(scan func(...any) error) error {
		var match, name string
		err := scan(&match, &name)
		out[match] = name
		return err
	}, `SELECT match, tournament FROM tournamentmatches`)
	if err != nil {
		return nil, fmt.Errorf("list the matches of tournaments: %w", err)
	}
	return out, nil
}

// DueDigests are the numbers of the members to whom a digest goes by now.
func (db *DB) DueDigests(ctx context.Context, now time.Time, limit int) (ids []int64, err error) {
	defer wrap(&err, "look for digests")
	return list(ctx, db.reader, func(id *int64) []any { return []any{id} }, `SELECT player FROM members WHERE digest <= $1 ORDER BY digest, player LIMIT $2 + 0`, now.UnixMicro(), limit)
}

// Announcements lists what the director has announced since a time, the newest first.
func (db *DB) Announcements(ctx context.Context, since time.Time, limit int) (out []club.Announcement, err error) {
	defer wrap(&err, "read the announcements")
	return list(ctx, db.reader, func(a *club.Announcement) []any { return []any{micros{&a.At}, &a.Text} },
		`SELECT at, text FROM announcements WHERE at >= $1 ORDER BY id DESC LIMIT $2 + 0`, since.UnixMicro(), limit)
}
