package daemon

const (
	// restQuiet is how many bytes a daemon may ask for between two looks and still rest: its ticks need some.
	restQuiet = 512 << 10
	// restLooks is in how many looks after each other it must rest before memory is given back.
	restLooks = 2
	// restWorth is how many bytes must have been asked for since memory was last given back. A runtime
	// that nobody tuned collects garbage as often.
	restWorth = 4 << 20
)

// rest decides when a daemon gives memory back. While letters come, garbage gathers to a multiple
// of what is in use (see garbage), and nothing takes it away when they stop: the runtime collects next in two minutes,
// and even then keeps what it might need. A daemon that waits for letters, as most do nearly
// always, would hold on to it.
type rest struct {
	// last is how much had been asked for at the last look, given when memory was last given back.
	last, given uint64
	// quiet counts the looks at which it rested.
	quiet int
}

// rests is told how many bytes were ever asked for, and says whether memory should be given back.
func (r *rest) rests(allocated uint64) bool {
	busy := allocated-r.last > restQuiet
	r.last = allocated
	if busy {
		r.quiet = 0
		return false
	}
	r.quiet++
	if r.quiet < restLooks || allocated-r.given < restWorth {
		return false
	}
	r.given = allocated
	return true
}
