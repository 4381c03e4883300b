package secretary

import (
	"context"
	"fmt"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// mostRobots is how many matches against robots a member may begin in a day: each letter of such
// a match costs as much as many others.
const mostRobots = 5

// playRobot begins a match of the writer against robots: unrated, without clocks, and answered at
// once.
func (a *answer) playRobot(ctx context.Context, l letter.Line) error {
	w := l.Command.Wanted
	g, err := rules.Games(a.s.Adjudicator.Games).Find(w.Terms.Game)
	if err != nil {
		return err
	}
	if full, err := a.full(ctx, l, a.member); err != nil || full {
		return err
	}
	today, err := a.today(ctx, (*club.Offer).Robots)
	if err != nil {
		return err
	}
	if today >= mostRobots {
		a.line(l.Text, refused, fmt.Sprintf("You have begun %d matches against robots since yesterday. You can begin more tomorrow.", mostRobots))
		return nil
	}
	robots := g.RobotNames()
	least, _ := g.Seats()
	w.Terms.Seats, w.Terms.Unrated, w.Terms.Tempo, w.Terms.Zero = max(least, w.Terms.Seats), true, "none", ""
	id, err := a.s.Store.NextOffer(ctx)
	if err != nil {
		return err
	}
	for _, o := range a.change.Offers {
		id = max(id, o.ID+1)
	}
	secret, err := record.NewSecret(a.s.Adjudicator.Random)
	if err != nil {
		return err
	}
	o := &club.Offer{ID: id, Terms: w.Terms, Created: a.s.now(), Expires: a.s.now(), Secret: secret.Bytes(), Parties: []club.Party{a.party(w.As)}}
	for len(o.Parties) < w.Terms.Seats {
		o.Parties = append(o.Parties, club.Party{Robot: robots[len(robots)-1], Words: "a robot has nothing to say"})
	}
	b, err := a.s.begin(ctx, o, a.players)
	if err != nil {
		return err
	}
	a.keepOffer(o)
	a.did, a.begun = true, append(a.begun, b)
	a.line(l.Text, done, fmt.Sprintf("The match is called %s. It is not rated, and no clock runs. Its first letter comes on its own: answer that.", b.Match.ID))
	return nil
}

// plain are the terms of a match against robots, which neither seal words nor wait for a beacon.
func plain(inv adjudicator.Invitation) adjudicator.Invitation {
	inv.SealedWords, inv.Beacon = false, adjudicator.BeaconTerms{}
	return inv
}
