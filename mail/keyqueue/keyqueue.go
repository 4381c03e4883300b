// Package keyqueue runs jobs of the same key one after the other, and jobs of different keys at the same time.
package keyqueue

import "sync"

// Queue runs jobs, each in a goroutine of its own that ends with it. A job may have several keys: jobs
// "ann", "ben" and then "ann ben" run the first two at the same time, and the third after both.
type Queue struct {
	// ended is called after each job that is no longer counted.
	ended func()
	// places has one value for each job that runs.
	places chan struct{}
	all    sync.WaitGroup

	mu sync.Mutex
	// last is, for each key, the end of the newest job that has it.
	last map[string]chan struct{}
	// jobs counts all that have not ended, ready those of them that wait for no other job.
	jobs, ready int
}

// New makes a queue that runs atOnce jobs at the same time. It calls ended after each job, in the job's goroutine.
func New(atOnce int, ended func()) *Queue {
	return &Queue{ended: ended, places: make(chan struct{}, atOnce), last: map[string]chan struct{}{}}
}

// Add runs a job after all jobs added before it that share a key with it. It does not wait for the job.
func (q *Queue) Add(keys []string, job func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	end := make(chan struct{})
	var before []chan struct{}
	for _, k := range keys {
		if e := q.last[k]; e != nil && e != end {
			before = append(before, e)
		}
		q.last[k] = end
	}
	q.jobs++
	if len(before) == 0 {
		q.ready++
	}
	q.all.Go(func() {
		defer q.ended()
		defer q.remove(keys, end)
		q.await(before)
		q.places <- struct{}{}
		defer func() { <-q.places }()
		job()
	})
}

// await waits for the ends of older jobs.
func (q *Queue) await(before []chan struct{}) {
	if len(before) == 0 {
		return
	}
	for _, end := range before {
		<-end
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ready++
}

// remove forgets a job that has ended, and lets those go on that wait for it.
func (q *Queue) remove(keys []string, end chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs--
	q.ready--
	for _, k := range keys {
		if q.last[k] == end {
			delete(q.last, k)
		}
	}
	close(end)
}

// Len counts the jobs that have not ended, and those of them that wait for no other job.
func (q *Queue) Len() (jobs, ready int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.jobs, q.ready
}

// Wait waits until all jobs have ended.
func (q *Queue) Wait() { q.all.Wait() }
