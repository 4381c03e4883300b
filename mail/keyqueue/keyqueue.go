// Package keyqueue runs jobs with a common key in order, and jobs with different keys at the same time.
package keyqueue

import "sync"

// Queue runs each job in a goroutine. A job may have several keys. For example, of the jobs "ann", "ben" and "ann ben" the
// first two run at the same time, and the third after both.
type Queue struct {
	// afterJob is called after each job, when Len no longer counts it.
	afterJob func()
	// slots limits the jobs that run at the same time.
	slots   chan struct{}
	running sync.WaitGroup

	mu sync.Mutex
	// last is, for each key, the end of the newest job with the key.
	last map[string]chan struct{}
	// jobs counts the jobs that have not ended; ready counts those that wait for no other job.
	jobs, ready int
}

// New returns a queue that runs up to atOnce jobs at the same time and calls ended after each job, in the
// goroutine of the job.
func New(atOnce int, ended func()) *Queue {
	return &Queue{afterJob: ended, slots: make(chan struct{}, atOnce), last: map[string]chan struct{}{}}
}

// Add runs a job after all earlier jobs with a common key. Add does not block.
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
	q.running.Go(func() {
		defer q.afterJob()
		defer q.remove(keys, end)
		q.waitFor(before)
		q.slots <- struct{}{}
		defer func() { <-q.slots }()
		job()
	})
}

func (q *Queue) waitFor(before []chan struct{}) {
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

// Len returns the number of jobs that have not ended, and how many of these jobs wait for no other job.
func (q *Queue) Len() (jobs, ready int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.jobs, q.ready
}

// Wait blocks until all jobs have ended.
func (q *Queue) Wait() { q.running.Wait() }
