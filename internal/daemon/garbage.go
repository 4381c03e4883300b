package daemon

const (
	// roomForGarbage is how many bytes of garbage may gather before it is collected. What that costs
	// depends on what is in use, which is little, and not on the garbage: with a seventh of it a letter
	// takes a sixth more of the processor.
	roomForGarbage = 36 << 20
	// leastGarbage is how much there may be at least, and mostGarbage at most, in percent of what is in use.
	leastGarbage, mostGarbage = 200, 900
)

// garbage is how much garbage there may be now, in percent of what is in use.
type garbage int

// changes is told how many bytes were in use when garbage was last collected, and says whether the
// share has changed by so much that the runtime should know.
func (g *garbage) changes(inUse uint64) bool {
	share := garbage(mostGarbage)
	if inUse > 0 {
		share = garbage(min(max(100*roomForGarbage/inUse, leastGarbage), mostGarbage))
	}
	if d := share - *g; -*g < 8*d && 8*d < *g {
		return false
	}
	*g = share
	return true
}
