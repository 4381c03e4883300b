package rehearse

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// Rate is the cost of letters from members, with all letters sent in answer.
type Rate struct {
	Letters int `json:"letters"`
	// Second is the number of letters a second in real time, CPU the processor milliseconds for each
	// letter. Both are medians.
	Second float64 `json:"letters_a_second"`
	CPU    float64 `json:"processor_ms_a_letter"`
}

// measure compares the cost of a letter with few matches and with all. The speed of a machine
// varies: a second club with few matches therefore runs beside the first. Letters of the two clubs
// are measured in turn, in matches of the same age.
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

// together combines rates into their medians.
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

// median returns the median of x and an upper bound of it that fails in one case of forty.
func median(x []float64) (is, most float64) {
	slices.Sort(x)
	n := len(x)
	return x[n/2], x[min(n-1, n/2+int(math.Ceil(math.Sqrt(float64(n)))))]
}

// round lets members answer each open question of the first matches with a letter.
func (r *rehearsal) round() (rate Rate) {
	turns := map[*member][]string{}
	var who, play []*member
	for _, id := range r.first {
		i := slices.IndexFunc(r.members, func(m *member) bool { _, asked := m.asks[id]; return asked })
		if i < 0 {
			continue // the match is over
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

// processor returns the processor time that the process has used.
func processor() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func usage() (u syscall.Rusage) {
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // on an error the usage stays zero
	return u
}
