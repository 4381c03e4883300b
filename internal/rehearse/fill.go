package rehearse

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"syscall"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/record"
)

// fillAtOnce is how many matches are begun before their letters go out.
const fillAtOnce = 100

// fill begins matches between members until as many run as the plan says.
func (r *rehearsal) fill(ctx context.Context) error {
	began, said := time.Now(), 0
	for r.sum.Filled < r.Matches {
		for range min(fillAtOnce, r.Matches-r.sum.Filled) {
			// Everybody plays as many, and each time with another.
			i, n := r.sum.Filled, len(r.members)
			a, b := i%n, (i+1+i/n*7%(n-1))%n
			if a == b {
				b = (b + 1) % n
			}
			if err := r.begin(ctx, r.members[a], r.members[b]); err != nil {
				return err
			}
		}
		if err := r.settle(ctx); err != nil {
			return err
		}
		if said < r.sum.Filled/1000 {
			said = r.sum.Filled / 1000
			r.say("  %d matches, %v", r.sum.Filled, time.Since(began).Round(time.Second))
		}
	}
	return r.wake(ctx, r.members, (*member).reads)
}

// begin begins a match of two members as the club does when an offer is accepted.
func (r *rehearsal) begin(ctx context.Context, pair ...*member) error {
	id, err := r.d.DB.NextOffer(ctx)
	if err != nil {
		return err
	}
	secret, err := record.NewSecret(r.d.Adjudicator.Random)
	if err != nil {
		return err
	}
	now := r.clock.now()
	o := &club.Offer{ID: id, Terms: club.Terms{Game: r.Game.Name()}, State: club.Accepted, Created: now, Expires: now, Secret: secret.Bytes()}
	inv := r.cfg.Terms()
	inv.Game, inv.Secret = r.Game.Name(), &secret
	for _, m := range pair {
		is, err := r.d.DB.MemberAt(ctx, m.account.Address)
		if err != nil {
			return err
		}
		player, err := r.d.DB.Player(ctx, is.ID)
		if err != nil {
			return err
		}
		words := fmt.Sprintf("words of %s", m.name)
		o.Parties = append(o.Parties, club.Party{Member: is.ID, Words: words})
		inv.Entrants = append(inv.Entrants, adjudicator.Entrant{Player: player, Called: is.Name, Words: words})
	}
	b, err := r.d.Adjudicator.Prepare(ctx, inv)
	if err != nil {
		return err
	}
	o.Match = b.Match.ID
	r.sum.Filled++
	return r.d.Adjudicator.Store.Apply(ctx, adjudicator.Change{Begun: []adjudicator.Beginning{b}, Club: &club.Change{Offers: []*club.Offer{o}}})
}

// measureFew begins few matches, and measures letters while there are no others.
func (r *rehearsal) measureFew(ctx context.Context) error {
	for i := range few {
		if err := r.begin(ctx, r.members[2*i%len(r.members)], r.members[(2*i+1)%len(r.members)]); err != nil {
			return err
		}
	}
	if err := r.settle(ctx); err != nil {
		return err
	}
	if err := r.wake(ctx, r.members, (*member).reads); err != nil {
		return err
	}
	var err error
	r.sum.WithFew, err = r.measure(ctx)
	return err
}

// measureAll measures letters while all matches are there.
func (r *rehearsal) measureAll(ctx context.Context) (err error) {
	r.sum.WithAll, err = r.measure(ctx)
	if r.sum.WithFew.CPU > 0 {
		r.sum.Ratio = r.sum.WithFew.CPU / r.sum.WithAll.CPU
	}
	return err
}

// Rate is what letters take: those of members, with all that is sent in answer.
type Rate struct {
	Letters int `json:"letters"`
	// Second is letters a second by the clock on the wall, CPU milliseconds of the processor for
	// each.
	Second float64 `json:"letters_a_second"`
	CPU    float64 `json:"processor_ms_a_letter"`
}

// measure lets members answer what few matches ask, one letter each, as often as it takes.
func (r *rehearsal) measure(ctx context.Context) (rate Rate, err error) {
	before := r.sent.Load()
	began, used := time.Now(), processor()
	at := 0
	for n := 0; n < r.Measured; {
		type turn struct {
			m  *member
			id string
		}
		var turns []turn
		for range r.members {
			m := r.members[at%len(r.members)]
			at++
			if ids := slices.Sorted(maps.Keys(m.asks)); len(ids) > 0 && len(turns) < few {
				turns = append(turns, turn{m, ids[m.random.IntN(len(ids))]})
			}
		}
		if len(turns) == 0 {
			return rate, fmt.Errorf("nobody is asked, after %d letters", n)
		}
		var who []*member
		ids := map[*member]string{}
		for _, t := range turns {
			who, ids[t.m] = append(who, t.m), t.id
		}
		if err := r.wake(ctx, who, func(m *member, ctx context.Context) error { return m.plays(ctx, ids[m]) }); err != nil {
			return rate, err
		}
		n += len(turns)
		// Whoever is asked next reads it: with few matches, that is nearly all who play.
		if err := r.wake(ctx, r.opponents(ctx, turnsOf(ids)), (*member).reads); err != nil {
			return rate, err
		}
	}
	rate.Letters = int(r.sent.Load() - before)
	if rate.Letters > 0 {
		rate.Second = float64(rate.Letters) / time.Since(began).Seconds()
		rate.CPU = float64((processor() - used).Milliseconds()) / float64(rate.Letters)
	}
	return rate, nil
}

func turnsOf(ids map[*member]string) []string { return slices.Sorted(maps.Values(ids)) }

// opponents are the players of matches.
func (r *rehearsal) opponents(ctx context.Context, ids []string) (out []*member) {
	for _, id := range ids {
		m, err := r.d.DB.Match(ctx, id)
		if err != nil {
			continue
		}
		for _, s := range m.Seats {
			name := s.Called
			if x := r.byName[name]; x != nil && !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// processor is how much of the processor's time was used, and memory how much was held at most.
func processor() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func usage() (u syscall.Rusage) {
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // Nothing is measured where it fails.
	return u
}
