package rehearse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// Rate is what letters take: those of members, with all that is sent in answer.
type Rate struct {
	Letters int `json:"letters"`
	// Second is letters a second by the clock on the wall, CPU milliseconds of the processor for
	// each: medians.
	Second float64 `json:"letters_a_second"`
	CPU    float64 `json:"processor_ms_a_letter"`
}

// measure measures letters with few matches and with all. Machines have quick and slow minutes:
// so a second club, which has few matches, lives beside the first, and letters of the one are
// measured in turn with letters of the other, in matches that are as old.
func (r *rehearsal) measure(ctx context.Context) (err error) {
	if r.Measured == 0 {
		return nil
	}
	p := r.Plan
	p.Dir, p.Members, p.Matches, p.Progress = filepath.Join(r.Dir, "few"), min(r.Members, 2*few), few, nil
	with, serving, err := open(ctx, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, with.close()) }()
	for _, do := range []func(context.Context) error{with.register, with.fill} {
		if err := do(serving); err != nil {
			return err
		}
	}
	var rates [2][]Rate
	var ratios []float64
	for n := 0; n < r.Measured; n += few {
		var both [2]Rate
		for i, club := range []*rehearsal{with, r} {
			if both[i], err = club.round(serving); err != nil {
				return err
			}
			rates[i] = append(rates[i], both[i])
		}
		ratios = append(ratios, both[0].CPU/both[1].CPU)
	}
	r.sum.WithFew, r.sum.WithAll = together(rates[0]), together(rates[1])
	r.sum.Ratio, r.sum.RatioMost = median(ratios)
	return nil
}

// together are rates as one.
func together(all []Rate) (out Rate) {
	var second, cpu []float64
	for _, x := range all {
		out.Letters += x.Letters
		second, cpu = append(second, x.Second), append(cpu, x.CPU)
	}
	out.Second, _ = median(second)
	out.CPU, _ = median(cpu)
	return out
}

// median is that of some numbers, and what it is at most but for one case in forty.
func median(x []float64) (is, most float64) {
	slices.Sort(x)
	n := len(x)
	return x[n/2], x[min(n-1, n/2+int(math.Ceil(math.Sqrt(float64(n)))))]
}

// round lets members answer what the first matches ask, one letter each.
func (r *rehearsal) round(ctx context.Context) (rate Rate, err error) {
	turns := map[*member][]string{}
	var who, play []*member
	for _, id := range r.first {
		i := slices.IndexFunc(r.members, func(m *member) bool { _, asked := m.asks[id]; return asked })
		if i < 0 {
			continue // It is over.
		}
		m := r.members[i]
		if turns[m] == nil {
			who = append(who, m)
		}
		turns[m] = append(turns[m], id)
		if play, err = r.players(ctx, play, id); err != nil {
			return rate, err
		}
	}
	if len(who) == 0 {
		return rate, errors.New("nobody is asked")
	}
	before, began, used := r.sent.Load(), time.Now(), processor()
	err = r.wake(ctx, who, func(m *member, ctx context.Context) error {
		for _, id := range turns[m] {
			if err := m.plays(ctx, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return rate, err
	}
	if err := r.wake(ctx, play, (*member).reads); err != nil {
		return rate, err
	}
	rate.Letters = int(r.sent.Load() - before)
	if rate.Letters == 0 {
		return rate, fmt.Errorf("nobody has answered, of %d who were asked", len(who))
	}
	rate.Second = float64(rate.Letters) / time.Since(began).Seconds()
	rate.CPU = (processor() - used).Seconds() * 1000 / float64(rate.Letters)
	return rate, nil
}

// players adds those of a match to others.
func (r *rehearsal) players(ctx context.Context, to []*member, id string) ([]*member, error) {
	m, err := r.d.DB.Match(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, s := range m.Seats {
		if x := r.byName[s.Called]; x != nil && !slices.Contains(to, x) {
			to = append(to, x)
		}
	}
	return to, nil
}

// processor is how much of the processor's time was used.
func processor() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func usage() (u syscall.Rusage) {
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // Nothing is measured where it fails.
	return u
}
