package rehearse

import (
	"errors"
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
func (r *rehearsal) measure() {
	if r.Measured == 0 {
		return
	}
	p := r.Plan
	p.Dir, p.Members, p.Matches, p.Progress = filepath.Join(r.Dir, "few"), min(r.Members, 2*few), few, nil
	with := open(r.t, p)
	defer with.close()
	with.register()
	with.fill()
	var withFew, withAll []Rate
	var ratios []float64
	for n := 0; n < r.Measured; n += few {
		withFew, withAll = append(withFew, with.round()), append(withAll, r.round())
		ratios = append(ratios, withFew[len(withFew)-1].CPU/withAll[len(withAll)-1].CPU)
	}
	r.sum.WithFew, r.sum.WithAll = together(withFew), together(withAll)
	r.sum.Ratio, r.sum.RatioMost = median(ratios)
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
func (r *rehearsal) round() (rate Rate) {
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
		stored, err := r.d.DB.Match(r.serving, id)
		r.check(err)
		for _, s := range stored.Seats {
			if x := r.byName[s.PlayerName]; x != nil && !slices.Contains(play, x) {
				play = append(play, x)
			}
		}
	}
	before, began, used := r.sent.Load(), time.Now(), processor()
	r.wake(who, func(m *member) (err error) {
		for _, id := range turns[m] {
			err = errors.Join(err, m.plays(id))
		}
		return err
	})
	r.wake(play, (*member).reads)
	rate.Letters = int(r.sent.Load() - before)
	if rate.Letters == 0 {
		r.t.Fatalf("nobody has answered, of %d who were asked", len(who))
	}
	rate.Second = float64(rate.Letters) / time.Since(began).Seconds()
	rate.CPU = (processor() - used).Seconds() * 1000 / float64(rate.Letters)
	return rate
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
