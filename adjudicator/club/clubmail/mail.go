// Package clubmail runs the club by mail: it receives the letters that members and strangers write to the club, carries
// out their orders, and answers each letter with one letter.
//
// The adjudicator passes a letter to the club if no token proves that a player of a match wrote the letter. Package
// letter reads the orders. Everything that a letter changes is one exchange.Change, which is stored in one transaction.
//
// # Which letters are answered
//
//   - A letter with a valid token of a member, from the member's own address, is carried out line by line and gets one
//     answer.
//   - REGISTER is answered by a letter to the sender's address, once a day. The answer does not reveal who is a member. The sender
//     becomes a member after a reply with YES from that address.
//   - A club order without a valid token, from a member's address, has no effect. The member gets a letter with a token, at
//     most a few times a day. From other addresses only HELP is answered: the answer explains how to join.
//   - All other letters are not for the club.
//
// So a forged sender address gets only a few letters a day, and letters from forged addresses cannot make the club write
// to more than club.Config.MaxAskedPerDay addresses a day. The forger never learns who is a member, because the answers
// go to the forged address.
package clubmail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// Store holds the methods of the store that only the club needs.
type Store interface {
	Results
	Tournaments
	News
	// These four methods return nil if there is no member. Package contact defines the mailbox of an address, package
	// naming the skeleton of a name.
	Member(ctx context.Context, id int64) (*club.Member, error)
	MemberByAddress(ctx context.Context, address string) (*club.Member, error)
	MemberByMailbox(ctx context.Context, mailbox string) (*club.Member, error)
	MemberBySkeleton(ctx context.Context, skeleton string) (*club.Member, error)
	// Members lists the members in a state, sorted by name.
	Members(ctx context.Context, state club.MemberState) ([]club.Member, error)
	// PlayerIDByAddress returns the ID of the player with an address, or the next free ID. If two callers get the
	// same free ID, the change of the second caller fails with a conflict.
	PlayerIDByAddress(ctx context.Context, address string) (int64, error)
	// Applicant returns nil for an address that has not applied. CountAskedSince counts the addresses that the club has
	// asked since a time whether they want to join.
	Applicant(ctx context.Context, address string) (*club.Applicant, error)
	CountAskedSince(ctx context.Context, since time.Time) (int, error)
	// Player returns nil if there is none. CountRunning counts the matches that the player plays or is invited to.
	// SeatCounts returns how often the player has had each seat of a game.
	Player(ctx context.Context, id int64) (*match.Player, error)
	CountRunning(ctx context.Context, player int64) (int, error)
	SeatCounts(ctx context.Context, player int64, game string) (map[string]int, error)
	// AnswerTimes returns how long the newest answers of a player took, newest first.
	AnswerTimes(ctx context.Context, player int64, limit int) ([]time.Duration, error)
	// Offer returns nil if there is none. DueOffers lists the offers in state OfferOpen that expire at or before until.
	// OffersSince lists a member's offers since a time, including offers made by the queue, tournaments and PLAY ROBOT.
	// NextOfferID returns the next free ID. If two callers get the same ID, the change of the second caller fails with a
	// conflict.
	Offer(ctx context.Context, id int64) (*club.Offer, error)
	OpenOffers(ctx context.Context) ([]club.Offer, error)
	DueOffers(ctx context.Context, until time.Time, limit int) ([]club.Offer, error)
	OffersSince(ctx context.Context, member int64, since time.Time) ([]club.Offer, error)
	NextOfferID(ctx context.Context) (int64, error)
	// Hook returns nil if the member has no web hook.
	Hook(ctx context.Context, member int64) (*club.Hook, error)
	SeatsOf(ctx context.Context, player int64) ([]match.SeatRef, error)
	// PersonalData returns all stored data about the player, by table.
	PersonalData(ctx context.Context, player int64) (map[string][]map[string]any, error)
	DirectorState(ctx context.Context) (club.DirectorState, error)
	// ClubLog lists the newest entries of the public log, newest first.
	ClubLog(ctx context.Context, limit int) ([]club.LogEntry, error)
	// LastMatch returns the newest finished match between two players, or of the first player against anyone if other is
	// 0; empty for none. Opponents lists the opponents in a player's running matches.
	LastMatch(ctx context.Context, player, other int64) (string, error)
	Opponents(ctx context.Context, player int64) ([]int64, error)
	// Queue lists all queue entries, the longest wait first. Each has the number of its member's running matches.
	Queue(ctx context.Context) ([]club.QueueEntry, error)
	// QueueEntriesOf lists the queue entries of a member, one for each game.
	QueueEntriesOf(ctx context.Context, member int64) ([]club.QueueEntry, error)
	// HasQueuedSince reports whether a queue entry has a later QueueEntry.Since than the given time.
	HasQueuedSince(ctx context.Context, since time.Time) (bool, error)
	DeleteApplicants(ctx context.Context, before time.Time) error
}

// Config is the configuration of Mail.
type Config struct {
	Adjudicator *adjudicator.Adjudicator
	Store       Store
	Club        club.Config
	// Terms are the default terms of matches.
	Terms adjudicator.Invitation
}

// Mail handles the letters to the club. It is safe for concurrent use.
type Mail struct {
	store       Store
	replies     conversation.Replies
	registrar   *registrationService
	orders      *orderService
	director    *directorService
	tournaments *tournamentService
	ladders     *ladderService
	// tasks are the tasks of RunDueTasks. Their order matters: a member who has lost a match on time must leave the
	// queue before the next pairing.
	tasks []func(context.Context, time.Time) error
}

var _ adjudicator.Club = (*Mail)(nil)

// New returns the Mail of a club, and sets Adjudicator.Club to it.
func New(c Config) *Mail {
	store, replies, games := c.Store, c.Adjudicator.Replies, rules.Games(c.Adjudicator.Games)
	writer, reader := letterWriter{replies, c.Club.Name, games}, letter.MemberReader{Games: c.Adjudicator.Games}
	starter := &matchStarter{store, c.Adjudicator, games, c.Terms}
	ratings := &ratingCache{store: store, replies: replies}
	offers := &offerService{store, replies, c.Club, games, writer, starter}
	pairer := &pairingService{store: store, replies: replies, club: c.Club, writer: writer, starter: starter, ratings: ratings}
	tournaments := &tournamentService{store, replies, games, writer, starter, ratings}
	ladders := &ladderService{store, replies, games, pairer}
	statistics := &usageService{store, replies, games}
	accounts := &accountService{store, replies, c.Club, games, reader, c.Adjudicator, offers}
	digests := &digestService{store: store, replies: replies, games: games, writer: writer, accounts: accounts, offers: offers,
		ladders: ladders, tournaments: tournaments}
	director := &directorService{store, replies, c.Club, writer, offers, ladders, tournaments}
	registrar := &registrationService{store, replies, c.Club, games, reader, writer, director}
	m := &Mail{store: store, replies: replies, registrar: registrar, director: director, tournaments: tournaments, ladders: ladders,
		orders: &orderService{replies, writer, reader, accounts, offers, pairer, tournaments, ladders, statistics, nil},
		tasks: []func(context.Context, time.Time) error{registrar.forgetApplicants, offers.expireOffers, ladders.examineMatches,
			statistics.countUsage, pairer.pairQueue, tournaments.runTournaments, ladders.computeStaleLadders, digests.sendDueDigests}}
	m.orders.handlers = m.orders.newHandlers()
	c.Adjudicator.Club = m
	return m
}

// MemberKey implements adjudicator.Club.
func (m *Mail) MemberKey(ctx context.Context, member int64) ([]byte, string, error) {
	found, err := m.store.Member(ctx, member)
	if err != nil || found == nil || found.Address == "" {
		return nil, "", err
	}
	return memberKey(m.replies, found), found.Address, nil
}

// Receive implements adjudicator.Club.
func (m *Mail) Receive(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, bool, error) {
	writer, err := m.findWriter(ctx, incoming)
	if err != nil {
		return "", false, err
	}
	if writer != nil {
		disposition, err := m.orders.receive(ctx, incoming, writer)
		return disposition, true, err
	}
	if m.director.isForDirector(incoming) {
		disposition, err := m.director.receive(ctx, incoming)
		return disposition, true, err
	}
	if disposition, isDone, err := m.registrar.receiveAnswer(ctx, incoming); isDone || err != nil {
		return disposition, isDone, err
	}
	return m.registrar.receiveWithoutToken(ctx, incoming)
}

// ReceiveNewcomer implements adjudicator.Club.
func (m *Mail) ReceiveNewcomer(ctx context.Context, incoming exchange.Letter) (exchange.Disposition, error) {
	return m.registrar.receiveNewcomer(ctx, incoming)
}

func (m *Mail) findWriter(ctx context.Context, incoming exchange.Letter) (*club.Member, error) {
	if incoming.Token == nil || incoming.Token.Match != exchange.ClubName || incoming.Token.Member <= 0 {
		return nil, nil
	}
	writer, err := m.store.Member(ctx, incoming.Token.Member)
	if err != nil || writer == nil || writer.Address == "" || !incoming.HasToken(memberKey(m.replies, writer)) {
		return nil, err
	}
	if contact.SameAddress(writer.Address, incoming.From) {
		return writer, nil
	}
	p, err := m.store.Player(ctx, writer.ID)
	if err != nil || p == nil || !p.Contains(incoming.From) {
		return nil, err
	}
	return writer, nil
}

// RunDueTasks runs the due tasks. Each item of a task, e.g. an expired offer, has its own transaction. An item that
// fails does not delay the other items, and is tried again.
func (m *Mail) RunDueTasks(ctx context.Context, now time.Time) error {
	var errs []error
	for _, runTask := range m.tasks {
		errs = append(errs, runTask(ctx, now))
	}
	return errors.Join(errs...)
}

// ApplyDirective carries out a directive of the director or the operator, and writes the resulting letters. author is
// the person's name in the public log, e.g. "the operator".
func (m *Mail) ApplyDirective(ctx context.Context, directive club.Directive, author string) error {
	c, err := m.director.applyDirective(ctx, directive, author)
	if err != nil {
		return err
	}
	return m.replies.Store.Apply(ctx, c)
}

// AnnouncementReach describes how many members will read an announcement.
func (m *Mail) AnnouncementReach(ctx context.Context) (string, error) {
	return m.director.describeReach(ctx)
}

// OpenTournament creates a tournament that members can enter. author and reason appear in the public log.
func (m *Mail) OpenTournament(ctx context.Context, t club.Tournament, terms tournament.Terms, author, reason string) error {
	c, err := m.tournaments.openTournament(ctx, t, terms, author, reason)
	if err != nil {
		return err
	}
	return m.replies.Store.Apply(ctx, exchange.Change{Club: c})
}

// CorrectTournament applies a change of the director to a tournament, and returns the matches that no longer belong to
// the tournament. author, act and reason appear in the public log.
func (m *Mail) CorrectTournament(ctx context.Context, name, author, act, reason string,
	change func(*tournament.Tournament) ([]string, error)) (calledOff []string, err error) {
	c, calledOff, err := m.tournaments.correctTournament(ctx, name, author, act, reason, change)
	if err != nil {
		return nil, err
	}
	return calledOff, m.replies.Store.Apply(ctx, exchange.Change{Club: c})
}

// FindMember finds a member by name.
func (m *Mail) FindMember(ctx context.Context, name string) (*club.Member, error) {
	if _, _, err := club.CleanName(name, nil); err != nil {
		return nil, err
	}
	member, err := findMemberByName(ctx, m.store, name)
	if err == nil && member == nil {
		err = fmt.Errorf("no member is called %q", name)
	}
	return member, err
}

// RateMatches rates all matches that are not rated yet, and computes the ladders that have changed.
func (m *Mail) RateMatches(ctx context.Context, now time.Time) error {
	return m.ladders.examineAllMatches(ctx, now)
}

// ComputeLadder computes the ladder of a game from its results.
func (m *Mail) ComputeLadder(ctx context.Context, game string, now time.Time) (club.Ladder, error) {
	return m.ladders.computeLadder(ctx, game, now)
}

// PlayerNames returns the names of the players of a ladder.
func (m *Mail) PlayerNames(ctx context.Context, gameLadder club.Ladder) (map[int64]string, error) {
	var players []int64
	for _, line := range gameLadder.Lines {
		players = append(players, line.Player)
	}
	return loadNames(ctx, m.store, players)
}

func findMemberByName(ctx context.Context, store Store, name string) (*club.Member, error) {
	_, skeleton, err := club.CleanName(name, nil)
	if err != nil {
		return nil, nil // No member has an invalid name.
	}
	return store.MemberBySkeleton(ctx, skeleton)
}

func loadNames(ctx context.Context, store Store, players []int64) (map[int64]string, error) {
	names := map[int64]string{}
	for _, p := range players {
		if _, isKnown := names[p]; isKnown {
			continue
		}
		m, err := store.Member(ctx, p)
		if err != nil {
			return nil, err
		}
		if names[p] = "a non-member"; m != nil {
			names[p] = m.Name
		}
	}
	return names, nil
}

func findRunningSeats(ctx context.Context, store Store, member int64) ([]match.SeatRef, error) {
	seats, err := store.SeatsOf(ctx, member)
	return slices.DeleteFunc(seats, func(s match.SeatRef) bool { return s.State != match.Playing && s.State != match.Inviting }), err
}

// listSeatNames returns the names of all seats of all games. A member may not have the name of a seat.
func listSeatNames(games rules.Games) (out []string) {
	for _, g := range games {
		minimum, maximum := g.Seats()
		for n := minimum; n <= maximum; n++ {
			out = append(out, g.SeatNames(rules.Setup{Seats: n, Revision: g.Revision()})...)
		}
	}
	return out
}

// interval limits how often a task runs. It also works after the system clock was set back.
type interval struct {
	mu      sync.Mutex
	lastRun time.Time
}

// isOver reports whether at least minGap has passed since the last run of the task, and returns the time of that run.
func (i *interval) isOver(now time.Time, minGap time.Duration) (bool, time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	since := now.Sub(i.lastRun)
	return since < 0 || since >= minGap, i.lastRun
}

func (i *interval) restart(now time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.lastRun = now
}
