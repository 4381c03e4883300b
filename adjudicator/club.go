package adjudicator

import (
	"context"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
)

// Club takes the letters of a club whose members play here. What it needs of the adjudicator
// are the methods of this file.
type Club interface {
	// Receive takes a letter that no seat's player has proved to have written, and reports
	// whether it is one to the club. It stores what the letter leads to in one transaction,
	// and may be asked again with the same letter.
	Receive(ctx context.Context, l Letter) (d Disposition, done bool, err error)
	// Newcomer takes a letter of somebody who is nobody here and has said nothing that is understood,
	// such as "Hello, I would like to join".
	Newcomer(ctx context.Context, l Letter) (Disposition, error)
	// Key is the key of the tokens in letters to a member, and his address; nil where there is
	// none of that number.
	Key(ctx context.Context, member int64) (key []byte, address string, err error)
}

// toClub takes the letters to the club, where there is one.
func (a *Adjudicator) toClub(ctx context.Context, l Letter) (Disposition, bool, error) {
	if a.Club == nil {
		return "", false, nil
	}
	return a.Club.Receive(ctx, l)
}

// knowsMember reports whether a token is genuine, of a member at an address.
func (a *Adjudicator) knowsMember(ctx context.Context, t Token, genuine func(key []byte) bool, address string) (bool, error) {
	if a.Club == nil || t.Member == 0 {
		return false, nil
	}
	key, is, err := a.Club.Key(ctx, t.Member)
	return err == nil && key != nil && contact.Same(is, address) && genuine(key), err
}

// Vacations says which vacations of a player are planned, and how many days he has left.
func (a *Adjudicator) Vacations(p *match.Player) string {
	return strings.TrimSpace(compose.PlannedVacations(p, a.Now()) + compose.VacationBudget(p, a.Now(), a.VacationDays))
}
