package keyqueue

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestOrder: a job begins when all older ones that share a key with it have ended, and no later.
func TestOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := New(10, func() {})
		startTime := time.Now()
		var mu sync.Mutex
		at := map[string]time.Duration{}
		for _, j := range []struct {
			name, keys string
			lasts      time.Duration
		}{{"ann1", "ann m1", 3}, {"ben1", "ben", 1}, {"ann2", "ann ann", 1}, {"both", "ben m1", 1}, {"ben2", "ben", 1}, {"eve1", "eve", 1}} {
			q.Add(strings.Fields(j.keys), func() {
				mu.Lock()
				at[j.name] = time.Since(startTime)
				mu.Unlock()
				time.Sleep(j.lasts)
			})
			synctest.Wait()
		}
		if jobs, ready := q.Len(); jobs != 6 || ready != 3 {
			t.Errorf("%d jobs, %d of them ready", jobs, ready)
		}
		q.Wait()
		for name, want := range map[string]time.Duration{"ann1": 0, "ben1": 0, "ann2": 3, "both": 3, "ben2": 4, "eve1": 0} {
			if is, ran := at[name]; is != want || !ran {
				t.Errorf("%s began at %d, want %d", name, is, want)
			}
		}
		if jobs, ready := q.Len(); jobs != 0 || ready != 0 || len(q.lastEnds) > 0 {
			t.Errorf("left are %d jobs, %d of them ready, and %d keys", jobs, ready, len(q.lastEnds))
		}
	})
}

// TestOrderOfKeys: whatever keys jobs have and however long they last, one of a key runs at a time, those of a key run in order, no
// more than the limit run at once, and the end of each is told after it.
func TestOrderOfKeys(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const most, jobs = 8, 500
		var q *Queue
		current, peak := 0, 0
		left := make(chan int, jobs)
		q = New(most, func() { n, _ := q.Len(); left <- n })
		keyed := map[string][]int{}
		busy := map[string]bool{}
		var mu sync.Mutex
		for i := range jobs {
			keys := []string{fmt.Sprint("match", rand.IntN(60)), fmt.Sprint("player", rand.IntN(60))}
			q.Add(keys, func() {
				mu.Lock()
				current++
				peak = max(peak, current)
				for _, k := range keys {
					if busy[k] {
						t.Errorf("two jobs of %s run", k)
					}
					busy[k], keyed[k] = true, append(keyed[k], i)
				}
				mu.Unlock()
				time.Sleep(time.Duration(rand.IntN(20)))
				mu.Lock()
				current--
				for _, k := range keys {
					busy[k] = false
				}
				mu.Unlock()
			})
		}
		q.Wait()
		for range jobs {
			if n := <-left; n >= jobs {
				t.Errorf("%d jobs are left when one has ended", n)
			}
		}
		for k, order := range keyed {
			if !slices.IsSorted(order) {
				t.Errorf("%s: %v", k, order)
			}
		}
		if peak != most {
			t.Errorf("%d jobs ran at once, want %d", peak, most)
		}
	})
}
