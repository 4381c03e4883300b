package command

import "slices"

// Uncertainty is what a letter leaves open: nothing of it is carried out before its writer has answered.
// For "PLAY 36 EVENT, if the weather holds" Proposed is none, and Unread the whole sentence; for
// "PLAY 36 EVENT, my train is late" Proposed is PLAY 36 EVENT, and Unread that sentence.
type Uncertainty struct {
	// Proposed are the orders that YES carries out, in this order. There are none where the letter
	// names no order, or denies, retracts, asks or conditions the one that it names.
	Proposed []Line
	// Choices are the two or three orders in canonical form that the letter can mean; then nothing is
	// proposed, and no YES is taken.
	Choices []string
	// Own is the first word of an order that the letter seems to mean and that is never proposed, since
	// it cannot be undone: REVOLUTION.
	Own string
	// Unread are the parts of the letter that were not understood, as they were written.
	Unread []string
	// Reasons are further sentences that say why an order is not carried out at once.
	Reasons []string
}

// UncertaintyOf sums up what the lines of a letter leave open; nothing does if ok is false.
func UncertaintyOf(lines []Line) (d Uncertainty, ok bool) {
	for _, l := range lines {
		switch {
		case l.Kind == Doubt:
			d.Unread = append(d.Unread, l.Text)
		case l.Unsure != "" && !slices.Contains(d.Reasons, l.Unsure):
			d.Reasons = append(d.Reasons, l.Unsure)
		}
		if len(l.Can) > 0 {
			d.Choices = l.Can
		}
		if l.Own != "" {
			d.Own = l.Own
		}
	}
	if ok = len(d.Unread)+len(d.Reasons)+len(d.Choices) > 0; ok && len(d.Choices) == 0 {
		d.Proposed = slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return !l.Acts() })
	}
	return d, ok
}
