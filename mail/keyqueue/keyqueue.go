// Package keyqueue runs jobs with a common key in order, and jobs with different keys concurrently.
package keyqueue

import "sync"

// Queue runs each job in a goroutine. A job may have several keys. For example, of three jobs with the keys {ann}, {ben}
// and {ann, ben} the first two run concurrently, and the third runs after both.
type Queue struct {
	// afterJob is called after each job, when Len no longer counts it.
	afterJob func()
	slots    chan struct{}
	running  sync.WaitGroup

	mu sync.Mutex
	// lastEnds contains for each key the channel that is closed at the end of the newest job with this key.
	lastEnds map[string]chan struct{}
	// jobs counts the jobs that have not ended. ready counts those that do not wait for a job with a common key.
	jobs, ready int
}

// New returns a queue that runs at most limit jobs concurrently. It calls afterJob after each job, in the goroutine of
// the job.
func New(limit int, afterJob func()) *Queue {
	return &Queue{afterJob: afterJob, slots: make(chan struct{}, limit), lastEnds: map[string]chan struct{}{}}
}

// Add runs a job after all earlier jobs with a common key. Add does not block.
func (q *Queue) Add(keys []string, job func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	end := make(chan struct{})
	var before []chan struct{}
	for _, k := range keys {
		if e := q.lastEnds[k]; e != nil && e != end {
			before = append(before, e)
		}
		q.lastEnds[k] = end
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
		if q.lastEnds[k] == end {
			delete(q.lastEnds, k)
		}
	}
	close(end)
}

// Len returns the number of jobs that have not ended, and the number of jobs that do not wait for a job with a common
// key.
func (q *Queue) Len() (jobs, ready int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.jobs, q.ready
}

// Wait blocks until all jobs have ended.
func (q *Queue) Wait() { q.running.Wait() }
