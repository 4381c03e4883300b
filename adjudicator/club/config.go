package club

import "fmt"

// Registration says how people become members.
type Registration string

// The ways to become a member.
const (
	// None: there is no club.
	None Registration = "none"
	// Open: whoever answers the letter that asks him.
	Open Registration = "open"
	// Approval: the director admits or refuses him then.
	Approval Registration = "approval"
	// Closed: nobody new.
	Closed Registration = "closed"
)

// Config is what the operator has decided for his club.
type Config struct {
	// Registration says how people become members; none, where there is no club.
	Registration Registration `mapstructure:"registration"`
	// Name is what the club is called in its letters.
	Name string `mapstructure:"name"`
	// MostMatches is how many matches a member may play at once.
	MostMatches int `mapstructure:"most_matches"`
	// MostOffers is how many offers of a member may be open at once.
	MostOffers int `mapstructure:"most_offers"`
	// OfferDays is for how many days an offer is good.
	OfferDays int `mapstructure:"offer_days"`
	// MostAsked is how many addresses are asked in a day whether they want to join: whoever
	// forges senders must not make us write to the world.
	MostAsked int `mapstructure:"most_asked"`
}

// Default is no club, and what one is if nothing else is said.
func Default() Config {
	return Config{Registration: None, Name: "The club", MostMatches: 30, MostOffers: 10, OfferDays: 14, MostAsked: 200}
}

// Exists reports whether there is a club.
func (c Config) Exists() bool { return c.Registration != None && c.Registration != "" }

// Validate finds what cannot be.
func (c Config) Validate() error {
	switch c.Registration {
	case None, Open, Approval, Closed:
	default:
		return fmt.Errorf("club: registration: %q is none of open, approval, closed and none", c.Registration)
	}
	for name, n := range map[string]int{"most_matches": c.MostMatches, "most_offers": c.MostOffers, "offer_days": c.OfferDays, "most_asked": c.MostAsked} {
		if n < 1 {
			return fmt.Errorf("club: %s: %d is less than 1", name, n)
		}
	}
	if c.Exists() && c.Name == "" {
		return fmt.Errorf("club: name: the club needs a name")
	}
	return nil
}
