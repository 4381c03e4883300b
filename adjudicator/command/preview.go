package command

// Preview stands above orders, or before one on its line, and asks what they would do.
// Surely stands behind an order that would lose something on the spot.
const (
	Preview Word   = "PREVIEW"
	Surely  string = "SURELY"
)

var preview = &Entry{
	Word: Preview, Class: Aside,
	Help: []Form{{Order: "PREVIEW", Does: "above other orders: tells what they would do, no more", In: takesConditional}},
}
