// Package letter splits letters into lines, and reads the orders to the referee, e.g. STATUS. Most of these orders are the same in all
// games. Packages adjudicator and clubmail carry the lines out.
//
// OrderSpecsByRole lists the orders of players, members of a club and directors, each as an OrderSpec: its word, its syntax, and its
// text in HELP. A new order needs an OrderSpec in a table, and a function in package adjudicator or clubmail. HELP and the lists of
// verbs in refusals are made from the tables.
//
// A Reader turns the text of a letter into a list of Lines, in one pass over its rows:
//
//   - text between MESSAGE and END MESSAGE is a message, with any content;
//   - a row with an order of the class Setting is a Line;
//   - package order splits all other rows into lines, and joins lines that together are one order. Each line is an order
//     to the referee, an order of the game, a conditional order, talk, or unreadable with a reason.
//
// For example, the rows "Hi Ben," and "PLACE Gdansk 2" give a line of talk and an order of the game. The lines are in the order in which
// they are carried out: settings, other lines, messages.
package letter

import (
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/consent"
	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
)

// Command is an order to the referee. Its word decides which fields are used.
type Command struct {
	Word Word
	// Choice is a choice among a few words, in capitals, e.g. YES after TAKEBACK.
	Choice string
	// Text is an address, a topic, the name of a match, or a player's words or message.
	Text string
	// PersonName is a player's new name, or the name of another member.
	PersonName string
	// Number is the number of a turn or a letter; 0 for none.
	Number   int
	Duration time.Duration
	// First and Last are days, e.g. 2026-12-20.
	First, Last string
	Name        rules.Name
	// HasMoreClauses is set if another order follows on the same line.
	HasMoreClauses bool
	Recipients     []rules.Seat

	// Hook is the web hook in a member's order NOTIFY.
	Hook club.HookOrder
	// Wanted are the terms of the match in a member's order.
	Wanted club.MatchRequest

	isMemberOrder bool
}

// QueryKey identifies a query, e.g. "CARD 36": queries of a letter with the same key have the same answer. It is empty for other
// orders, and for queries with answers that may change (OrderSpec.AnswerMayChange).
func (c Command) QueryKey() string {
	if e := findPlayerOrderSpec(c.Word); e == nil || e.AnswerMayChange || e.Class != ClassQuery && e.Class != ClassQueryInSequence {
		return ""
	}
	return fmt.Sprintf("%s %q %d %q", c.Word, c.Text, c.Number, c.Name.Text)
}

// Class says when an order is carried out, and whether other lines of the letter can prevent it.
type Class int

const (
	// ClassNone is the class of lines that are not orders to the referee.
	ClassNone Class = iota
	// ClassSetting orders concern only the writer. Each is a row of its own, and is carried out before orders of other classes.
	ClassSetting
	// ClassQuery orders are answered even if other lines are refused.
	ClassQuery
	// ClassMessage orders write to other seats. They may be anywhere in a readable letter.
	ClassMessage
	// ClassQueryInSequence orders are queries, answered after the lines above them, even if such lines were refused.
	ClassQueryInSequence
	// ClassAction orders change the match, or the data stored for the writer.
	ClassAction
	// ClassModifier orders describe the letter, or modify its other orders; their place among the lines does not matter.
	ClassModifier
)

// OrderSpec describes an order to the referee, of a player, a member or a director.
type OrderSpec struct {
	Word  Word
	Class Class
	// IsInGame reports whether a game has the order; nil if every game has it.
	IsInGame func(*rules.Game) bool
	// ReadLine reads a line of the order; nil if Keyword suffices.
	ReadLine lineReader
	// readArgs reads the text after the word of a member's order; nil if the order takes no text.
	readArgs      argReader
	readDirective directiveReader
	// requiredText describes the text that must follow the name of a tournament, e.g. "the name of a member, such as ENTER ...".
	requiredText string
	// Keyword, if set, lets the parser of the game's orders read this order. Then its words may be shortened or misspelt, and it may take
	// names, like an order of the game.
	Keyword *rules.Keyword
	// AnswerMayChange is set for a query that is answered again if a letter repeats it, because other lines may change the answer.
	AnswerMayChange bool
	// NeedsParagraph is set for orders that cannot be undone. Such an order must be a paragraph of its own; elsewhere the writer is
	// asked for a confirmation.
	NeedsParagraph bool
	// Help is the text of HELP; empty if HELP omits the order. HelpInGame reports whether HELP for a game has it; nil means every game that
	// has the order.
	Help       []Form
	HelpInGame func(*rules.Game) bool
}

// Role is the role of the person who writes a letter.
type Role int

// The roles of writers. A director corrects matches, a club director directs the club.
const (
	RolePlayer Role = iota
	RoleMember
	RoleDirector
	RoleClubDirector
)

// OrderSpecsByRole lists the orders by the role of their writer, in the order of HELP.
var OrderSpecsByRole = map[Role][]*OrderSpec{RolePlayer: playerOrderSpecs, RoleMember: memberOrderSpecs, RoleDirector: directorOrderSpecs,
	RoleClubDirector: clubDirectorOrderSpecs}

// Form is a form of an order with its effect, as HELP shows them.
type Form struct{ Order, Effect string }

// Word names an order to the referee.
type Word string

const (
	Status       Word = "STATUS"
	Resend       Word = "RESEND"
	ResendLetter Word = "RESEND LETTER"
	History      Word = "HISTORY"
	Stats        Word = "STATS"
	Hand              = Word(rules.QueryHand)
	Discards          = Word(rules.QueryDiscards)
	Map               = Word(rules.QueryMap)
	BigMap            = Word(rules.QueryBigMap)
	Position     Word = "POSITION"
	Record       Word = "RECORD"
	Witness      Word = "WITNESS"
	Rules        Word = "RULES"
	Card         Word = "CARD"
	HelpWord     Word = "HELP"
	Next              = Word(ahead.WordNext)
	Answer            = Word(ahead.WordAnswer)
	ShowOrders   Word = "SHOW ORDERS"
	CancelOrders Word = "CANCEL ORDERS"
	Drop         Word = "DROP"
	TakeBack     Word = "TAKEBACK"
	Now          Word = "NOW"
	Grace        Word = "GRACE"
	Delay        Word = "DELAY"
	Message      Word = "MESSAGE"
	Ask          Word = "ASK"
	Note         Word = "NOTE"
	Join         Word = "JOIN"
	Open         Word = "OPEN"
	CallMe       Word = "CALL ME"
	TimeZone     Word = "TIMEZONE"
	Vacation     Word = "VACATION"
	Quiet        Word = "QUIET"
	Notify       Word = "NOTIFY"
	Nudge        Word = "NUDGE"
	NewToken     Word = "NEW TOKEN"
	Address      Word = "ADDRESS"
	Plain        Word = "PLAIN"
	Language     Word = "LANGUAGE"
	Observe      Word = "OBSERVE"
	Unobserve    Word = "UNOBSERVE"
	Yes          Word = "YES"
	No           Word = "NO"
	Preview      Word = "PREVIEW"
	Resign       Word = "RESIGN"
	Decline      Word = "DECLINE"
	Draw         Word = "DRAW"
	Abort        Word = "ABORT"
	Pause        Word = "PAUSE"
	Replace      Word = "REPLACE"
	Claim        Word = "CLAIM"
	Give         Word = "GIVE"
	// Words of members' orders to their club.
	Register    Word = "REGISTER"
	Who         Word = "WHO"
	Games       Word = "GAMES"
	ResendAll   Word = "RESEND ALL"
	Settings    Word = "SETTINGS"
	Name        Word = "NAME"
	Most        Word = "MOST"
	MyData      Word = "MY DATA"
	ForgetMe    Word = "FORGET ME"
	Leave       Word = "LEAVE"
	Offer       Word = "OFFER"
	Challenge   Word = "CHALLENGE"
	Accept      Word = "ACCEPT"
	Block       Word = "BLOCK"
	Unblock     Word = "UNBLOCK"
	Withdraw    Word = "WITHDRAW"
	Start       Word = "START"
	Offers      Word = "OFFERS"
	PairMe      Word = "PAIR ME"
	Unpair      Word = "UNPAIR"
	Rematch     Word = "REMATCH"
	PlayRobot   Word = "PLAY ROBOT"
	Log         Word = "LOG"
	Enter       Word = "ENTER"
	TableWord   Word = "TABLE"
	Tournaments Word = "TOURNAMENTS"
	Digest      Word = "DIGEST"
	Ladder      Word = "LADDER"
	Rating      Word = "RATING"
	Results     Word = "RESULTS"
	Pace        Word = "PACE"
	// FormatWord begins the orders that set the format of letters, e.g. FORMAT TEXT.
	FormatWord Word = "FORMAT"
	// ForSure follows an order of the game that has an immediate disadvantage, and confirms it: "PLAY 14 EVENT FOR
	// SURE". Surely is an older word for FOR SURE.
	ForSure = "FOR SURE"
	Surely  = "SURELY"
)

var playerOrderSpecs = []*OrderSpec{
	{Word: Status, Class: ClassQueryInSequence, Keyword: &rules.Keyword{}, Help: []Form{{"STATUS", "sends the current position"}}},
	{Word: Resend, Class: ClassQueryInSequence, Keyword: &rules.Keyword{}},
	{Word: Drop, Class: ClassAction, Keyword: &rules.Keyword{}, Help: []Form{{"DROP", "drops your saved orders"}}},
	{Word: HelpWord, Class: ClassQueryInSequence, Keyword: &rules.Keyword{}, ReadLine: readHelp,
		Help: []Form{{"HELP", "sends this page; HELP MESSAGE: more about MESSAGE"}}},
	{Word: Card, Class: ClassQueryInSequence, IsInGame: hasCards, Keyword: &rules.Keyword{NameKinds: []rules.NameKind{rules.CardName}},
		Help: []Form{{"CARD 1", "shows what card 1 does; a title works too"}}},
	{Word: Next, Class: ClassModifier, IsInGame: hasOrdersAhead, Help: []Form{{"NEXT ...", "saves an order for your next action: NEXT IF ...: ..."}}},
	{Word: Answer, Class: ClassModifier, IsInGame: hasOrdersAhead, Help: []Form{{"ANSWER 1 ...", "saves an answer for a question of card 1"}}},
	{Word: ShowOrders, Class: ClassQueryInSequence, AnswerMayChange: true, Keyword: &rules.Keyword{}, HelpInGame: hasSavedOrders,
		Help: []Form{{"SHOW ORDERS", "lists your saved orders; CANCEL ORDERS drops them"}}},
	{Word: CancelOrders, Class: ClassAction, Keyword: &rules.Keyword{}},
	{Word: Preview, Class: ClassModifier, HelpInGame: hasOrdersAhead, Help: []Form{{"PREVIEW", "above other orders: only shows what they would do"}}},
	{Word: History, Class: ClassQuery, ReadLine: readHistory,
		Help: []Form{{"HISTORY 1", "shows what happened in turn 1; HISTORY alone: in the last"}}},
	{Word: Stats, Class: ClassQuery, ReadLine: matchWords("stats", "statistics"), Help: []Form{{"STATS", "shows statistics of dice and cards"}}},
	{Word: Hand, Class: ClassQuery, IsInGame: hasQueries, ReadLine: matchWords("hand"), Help: []Form{{"HAND", "shows your hand only"}}},
	{Word: Discards, Class: ClassQuery, IsInGame: hasQueries, ReadLine: matchWords("discards"), Help: []Form{{"DISCARDS", "lists the open piles"}}},
	{Word: Map, Class: ClassQuery, IsInGame: hasQueries, ReadLine: matchWords("map"), Help: []Form{{"MAP", "shows the map only; MAP BIG: the large one"}}},
	{Word: BigMap, Class: ClassQuery, IsInGame: hasQueries, ReadLine: matchWords("big map", "map big")},
	{Word: Rules, Class: ClassQuery, IsInGame: hasTopics, ReadLine: readTopic,
		Help: []Form{{"RULES turn", "explains a part of the rules; RULES alone lists the parts"}}},
	{Word: Position, Class: ClassQuery, IsInGame: hasPositions, ReadLine: matchWords("position"),
		Help: []Form{{"POSITION", "sends what you see as data, to try out orders"}}},
	{Word: Record, Class: ClassQuery, ReadLine: matchWords("record"),
		Help: []Form{{"RECORD", "sends the record of the match, to check dice and letters"}}},
	{Word: Witness, Class: ClassAction, ReadLine: matchPattern(`WITNESS(?:\s+([0-9a-f]+))?`, readLowerText), Help: []Form{{"WITNESS", "confirms the history that the letter showed"}}},
	// TAKEBACK, DRAW, ABORT, PAUSE and REPLACE ask the other players. With YES, NO or OFF after them they answer such requests.
	{Word: TakeBack, Class: ClassAction, ReadLine: matchPattern(`TAKE[ -]?BACK(?:\s*[,:]?\s*(YES|NO|OFF))?`, readChoice),
		Help: []Form{{"TAKEBACK", "asks whether you may take back your last order"}}},
	{Word: Grace, Class: ClassSetting, ReadLine: matchDuration("GRACE"), Help: []Form{{"GRACE 1 hour",
		"delays your orders by that time; GRACE OFF ends it"}}},
	{Word: Delay, Class: ClassSetting, ReadLine: matchDuration("DELAY"), HelpInGame: hasOrdersAhead,
		Help: []Form{{"DELAY 6 h", "lets saved orders answer at a random time; DELAY OFF: at once"}}},
	{Word: ResendLetter, Class: ClassQuery, ReadLine: matchNumbered("resend", "letter"), Help: []Form{{"RESEND 1", "shows letter 1 again"}}},
	{Word: Message, Class: ClassMessage, Help: []Form{{"MESSAGE", "begins a message to other players, up to END MESSAGE"}}},
	{Word: Ask, Class: ClassQuery, AnswerMayChange: true, Help: []Form{{"ASK ...", "sends your question to the operator, up to END ASK"}}},
	{Word: Note, Class: ClassSetting, ReadLine: readNote, Help: []Form{{"NOTE ...", "keeps a note in your own letters; NOTE CLEAR deletes it"}}},
	{Word: CallMe, Class: ClassSetting, NeedsParagraph: true, ReadLine: readCall,
		Help: []Form{{"CALL ME ...", "sets your name in the match: CALL ME Ben"}}},
	{Word: FormatWord, Class: ClassSetting,
		ReadLine: matchPattern(`FORMAT\s*[:=]?\s*(TEXT|HTML|PICTURES?|SPOKEN|UTF-?8|ASCII|QUIET|NORMAL|LOUD|CALENDAR(?:\s+(?:OFF|NONE))?|NO\s+CALENDAR)`, readChoice),
		Help: []Form{{"FORMAT TEXT", "sends text only; or FORMAT HTML, FORMAT PICTURE"},
			{"FORMAT ...", "FORMAT SPOKEN: sentences for a screen reader, no tables"},
			{"FORMAT QUIET", "stops letters without a question"},
			{"FORMAT LOUD", "sends a letter for every order; FORMAT NORMAL ends both"},
			{"FORMAT ...", "FORMAT CALENDAR: adds your deadlines to your calendar"}}},
	{Word: TimeZone, Class: ClassSetting, ReadLine: readZone, Help: []Form{{"TIMEZONE ...",
		"sets your time zone: TIMEZONE Warsaw"}}},
	{Word: Vacation, Class: ClassSetting, ReadLine: readVacation, Help: []Form{{"VACATION ...", "stops your clocks: " + vacationSyntax}}},
	{Word: Quiet, Class: ClassSetting, ReadLine: readQuiet, Help: []Form{{"QUIET ...", "holds back reminders: QUIET 22:00-07:00; QUIET OFF ends it"}}},
	{Word: NewToken, Class: ClassSetting, ReadLine: matchPattern(`NEW\s+TOKEN`, nil), Help: []Form{{"NEW TOKEN", "gives you a new reply address; old ones stop working"}}},
	{Word: Address, Class: ClassSetting, NeedsParagraph: true, ReadLine: readAddress, Help: []Form{{"ADDRESS ...", "sends your letters to that address"}}},
	{Word: Plain, Class: ClassSetting, ReadLine: matchPattern(`PLAIN`, nil), Help: []Form{{"FORMAT UTF8", "writes names as they are printed; PLAIN: ASCII only"}}},
	{Word: Language, Class: ClassSetting, ReadLine: matchPattern(`LANGUAGE\s*[:=]?\s*([\p{L}-]+)`, readChoice)},
	{Word: Observe, Class: ClassSetting, ReadLine: matchPattern(`OBSERVE(?:\s+(?:MATCH\s+)?\[?(?:SAMIZDAT\s+)?([a-z0-9]{1,12})\]?)?[\s.!]*`, readLowerText)},
	{Word: Unobserve, Class: ClassSetting, ReadLine: matchPattern(`UNOBSERVE(?:\s+[a-z0-9]{1,12})?`, nil)},
	// NOW alone carries out the orders that GRACE delays. With other orders in the letter, it exempts these from GRACE. A NOW that
	// would apply only to a part of the letter is refused.
	{Word: Now, Class: ClassAction, Keyword: &rules.Keyword{Exact: true}},
	{Word: Draw, Class: ClassAction, NeedsParagraph: true, IsInGame: hasDraws, ReadLine: matchPattern(`DRAW(?:\s*[,:]?\s*(YES|NO|OFF))?`, readChoice),
		Help: []Form{{"DRAW", "offers a draw; the answer is DRAW YES or DRAW NO"}}},
	{Word: Abort, Class: ClassAction, NeedsParagraph: true, ReadLine: matchPattern(`ABORT(?:\s*[,:]?\s*(YES|NO|OFF)|\s+`+matchIDPattern+`)?`, readAbort),
		Help: []Form{{"ABORT", "breaks the match off; after the start all must agree"}}},
	{Word: Pause, Class: ClassAction, ReadLine: matchPattern(`PAUSE(?:\s*[,:]?\s*(YES|NO|OFF)|\s*[:=]?\s*(?:FOR\s+)?(\d{1,3})\s*(DAYS?|D|WEEKS?|W))?`, readPause),
		Help: []Form{{"PAUSE 5 days", "stops all clocks if all agree; PAUSE OFF restarts them"}}},
	{Word: Replace, Class: ClassAction, NeedsParagraph: true, ReadLine: matchPattern(`REPLACE(?:\s*[,:]?\s*(YES|NO|OFF)|\s+(\S.{0,40}?)\s+(?:WITH|BY)\s+(?:A\s+)?ROBOT(?:\s+(?:OF\s+)?(?:LEVEL\s+)?([1-9]))?)`, readReplace),
		Help: []Form{{"REPLACE ...", "lets a robot play for an absent player if all agree"}}},
	{Word: Resign, Class: ClassAction, NeedsParagraph: true, Keyword: &rules.Keyword{Exact: true}, ReadLine: matchPattern(`RESIGN\s+`+matchIDPattern, readLowerText),
		Help: []Form{{"RESIGN", "resigns the match; we ask you to confirm"}}},
	{Word: Nudge, Class: ClassQueryInSequence, ReadLine: matchPattern(`NUDGE`, nil), Help: []Form{{"NUDGE", "reminds a player who has used half the time"}}},
	{Word: Claim, Class: ClassAction, NeedsParagraph: true, ReadLine: matchPattern(`CLAIM`, nil), Help: []Form{{"CLAIM", "wins the match when another player has run out of time"}}},
	{Word: Give, Class: ClassAction, NeedsParagraph: true, ReadLine: matchPattern(`GIVE\s+(?:(?:HIM|HER|THEM)\s+)?(\d{1,4})\s*(H|HRS?|HOURS?|D|DAYS?)(?:\s+MORE)?`, readGive),
		Help: []Form{{"GIVE 3 days", "gives more time to a player who has run out"}}},
	// JOIN accepts an invitation to a seat, with the player's name and words for the dice; OPEN reveals sealed words; DECLINE
	// declines the invitation. They are read only before the match begins.
	{Word: Join, Class: ClassModifier},
	{Word: Open, Class: ClassModifier},
	{Word: Decline, Class: ClassModifier},
	// YES and NO answer the question of a letter: whether the writer means the order that the letter spells out, agrees to the
	// request of another player, or wants to watch. ADDRESS YES and ADDRESS KEEP confirm or reject a new address of the writer.
	{Word: Yes, Class: ClassAction, ReadLine: matchConsent(consent.Yes, `ADDRESS[\s:=]+YES\s*[.!]*`)},
	{Word: No, Class: ClassAction, ReadLine: matchConsent(consent.No, `(?:ADDRESS[\s:=]+)?(?:KEEP|NO)\s*[.!;]*`)},
}

// playerOrderSpecByWord has the elements of playerOrderSpecs by their Word. It is filled in init, because the readers in playerOrderSpecs
// use it: an initializer would refer to itself.
var playerOrderSpecByWord = map[Word]*OrderSpec{}

func init() {
	for _, e := range playerOrderSpecs {
		playerOrderSpecByWord[e.Word] = e
	}
}

// orderSpec returns the table's description of the order; nil for a player's order that is not in the table.
func (c Command) orderSpec() *OrderSpec {
	if !c.isMemberOrder {
		return findPlayerOrderSpec(c.Word)
	}
	return memberOrderSpecs[slices.IndexFunc(memberOrderSpecs, func(e *OrderSpec) bool { return e.Word == c.Word })]
}

// IsQuery reports whether an order only asks, and has no effect. It is true for a word that no table has.
func (c Command) IsQuery() bool {
	e := c.orderSpec()
	return e == nil || e.Class == ClassQuery || e.Class == ClassQueryInSequence
}

func findPlayerOrderSpec(word Word) *OrderSpec { return playerOrderSpecByWord[word] }

// Forms lists the forms of all orders of a role, as HELP shows them.
func Forms(role Role) (out []Form) {
	for _, e := range OrderSpecsByRole[role] {
		out = append(out, e.Help...)
	}
	return out
}

// Help lists the orders that a game's matches understand, as HELP shows them.
func Help(g *rules.Game) (out []Form) {
	for _, e := range playerOrderSpecs {
		if (e.IsInGame == nil || e.IsInGame(g)) && (e.HelpInGame == nil || e.HelpInGame(g)) {
			out = append(out, e.Help...)
		}
	}
	return out
}

// refereeLanguage is the language of a game, with the orders to the referee that are read like the game's own.
type refereeLanguage struct{ *rules.Game }

func (l refereeLanguage) Keywords() []rules.Keyword {
	out := slices.Clone(l.Game.Keywords())
	for _, e := range playerOrderSpecs {
		if e.Keyword != nil && (e.IsInGame == nil || e.IsInGame(l.Game)) {
			k := *e.Keyword
			k.Word, k.IsVerb, k.Exact = string(e.Word), true, k.Exact || e.NeedsParagraph
			out = append(out, k)
		}
	}
	return out
}

// Verbs lists the first words of the game's own orders.
func Verbs(g *rules.Game) []string {
	var out []string
	for _, k := range g.Keywords() {
		if k.IsVerb {
			out = append(out, k.Word)
		}
	}
	return out
}

// Features of a game that an order needs.
func hasCards(g *rules.Game) bool       { return g.Cards != nil }
func hasQueries(g *rules.Game) bool     { return g.AnswerQuery != nil }
func hasTopics(g *rules.Game) bool      { return g.Topics != nil }
func hasOrdersAhead(g *rules.Game) bool { return g.Ahead != nil }
func hasDraws(g *rules.Game) bool       { return g.Draws }

func hasSavedOrders(g *rules.Game) bool { return g.Ahead != nil || g.MayStillAsk != nil }

func hasPositions(g *rules.Game) bool { return g.DecodeView != nil && g.Imagine != nil }
