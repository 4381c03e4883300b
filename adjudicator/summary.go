package adjudicator

// summarize keeps the summary of the match as it stands by now.
func (c *account) summarize() {
	t := c
	if t.pos == nil || t.m.Summary != nil && len(t.entries) == 0 {
		return
	}
	s := Summarize(t.game, t.pos)
	if t.m.Summary != nil {
		s.Began = t.m.Summary.Began
	} else if len(t.entries) > 0 {
		s.Began = t.entries[0].At
	}
	if t.m.State == Over && len(t.entries) > 0 {
		s.Ended = t.entries[len(t.entries)-1].At
	}
	t.m.Summary = &s
}
