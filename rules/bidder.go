package rules

// Bidder is a Game whose players may bid for their sides. It is optional.
type Bidder interface {
	// Bidding are the options of a match that begins with bids.
	Bidding() map[string]string
}
