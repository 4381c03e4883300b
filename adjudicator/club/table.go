package club

import (
	"strings"

	"samizdat/rules"
)

// Word names an order of the club.
type Word string

// The words.
const (
	Register     Word = "REGISTER"
	Who          Word = "WHO"
	Games        Word = "GAMES"
	ResendAll    Word = "RESEND ALL"
	SettingsW    Word = "SETTINGS"
	Name         Word = "NAME"
	Most         Word = "MOST"
	TimeZone     Word = "TIMEZONE"
	Format       Word = "FORMAT"
	Address      Word = "ADDRESS"
	Vacation     Word = "VACATION"
	MyData       Word = "MY DATA"
	ForgetMe     Word = "FORGET ME"
	Leave        Word = "LEAVE"
	MakeOffer    Word = "OFFER"
	Challenge    Word = "CHALLENGE"
	Accept       Word = "ACCEPT"
	Decline      Word = "DECLINE"
	Block        Word = "BLOCK"
	Unblock      Word = "UNBLOCK"
	Withdraw     Word = "WITHDRAW"
	Start        Word = "START"
	Offers       Word = "OFFERS"
	PairMe       Word = "PAIR ME"
	Unpair       Word = "UNPAIR"
	Rematch      Word = "REMATCH"
	PlayRobot    Word = "PLAY ROBOT"
	ShowLog      Word = "LOG"
	Enter        Word = "ENTER"
	TableW       Word = "TABLE"
	TournamentsW Word = "TOURNAMENTS"
	DigestW      Word = "DIGEST"
	LadderW      Word = "LADDER"
	Rating       Word = "RATING"
	ResultsW     Word = "RESULTS"
	Help         Word = "HELP"
	Yes          Word = "YES"
	No           Word = "NO"
)

// Form is one way to write an order, and what it does.
type Form struct{ Order, Does string }

// Entry is an order of the club: its word, what HELP says of it, and how what stands behind the
// word is read.
type Entry struct {
	Word Word
	Help []Form
	// read makes a command of what stands behind the word, or says why it cannot. Nil for orders
	// behind which nothing stands.
	read func(r *Reader, rest string, c *Command) (why string)
	// Asks means that the order changes nothing.
	Asks bool
}

// Table lists the orders, as HELP lists them.
var Table = []*Entry{
	{Word: Register, Help: []Form{{"REGISTER Ada", "joins the club, as Ada"}}, read: readName},
	{Word: Who, Asks: true, Help: []Form{{"WHO", "lists the members"}, {"WHO Ben", "tells what there is to know of Ben"}}, read: readWho},
	{Word: Games, Asks: true, Help: []Form{{"GAMES", "lists your matches: whose move it is, and how much time is left"}}},
	{Word: ResendAll, Help: []Form{{"RESEND ALL", "sends the newest letter of each of your matches again"}}},
	{Word: Offers, Asks: true, Help: []Form{{"OFFERS", "lists the matches that are offered to you, with their numbers"}}},
	{Word: MakeOffer, read: readOffer, Help: []Form{
		{"OFFER {game}", "offers a match of {game} to all members"},
		{"OFFER {game} AS {side} TEMPO standard", "the same, with your side and how much time there is"},
		{"OFFER {game} BY BALANCE", "gives the sides by what both have played; BY LOT and, where the game has it, BY BID are other ways"},
		{"OFFER {game} FOR 10 DAYS", "stands for so long; a game for many gathers players, up to SEATS and a number, and begins then with those who are there"},
	}},
	{Word: Challenge, read: readChallenge, Help: []Form{{"CHALLENGE Ben {game}", "offers a match to Ben alone; what stands behind OFFER may stand here too"}}},
	{Word: Accept, read: readAccept, Help: []Form{{"ACCEPT 12", "plays the match that is offered with the number 12; ACCEPT 12 AS and a side names the side that you want, where there are several"}}},
	{Word: Decline, read: readDecline, Help: []Form{{"DECLINE 12", "declines a challenge; DECLINE ALL declines all"}}},
	{Word: Block, read: readName, Help: []Form{{"BLOCK Ben", "keeps Ben from challenging you, and from being paired with you; UNBLOCK Ben ends that"}}},
	{Word: Unblock, read: readName},
	{Word: Withdraw, read: readWithdraw, Help: []Form{{"WITHDRAW 12", "takes your offer back, or leaves one that gathers players"}}},
	{Word: Start, read: readNumber, Help: []Form{{"START 12", "begins your offer with those who have gathered"}}},
	{Word: PairMe, read: readPairMe, Help: []Form{{"PAIR ME {game} UP TO 3", "finds you opponents of your strength, for up to three matches at once"}}},
	{Word: Unpair, read: readUnpair, Help: []Form{{"UNPAIR", "finds you no more"}}},
	{Word: PlayRobot, read: readPlayRobot, Help: []Form{{"PLAY ROBOT {game}", "begins a match against a robot, which answers at once; it is not rated"}}},
	{Word: Rematch, read: readRematch, Help: []Form{{"REMATCH Ben", "challenges Ben to your last match again, with the sides changed"}}},
	{Word: TournamentsW, Asks: true, Help: []Form{{"TOURNAMENTS", "lists the tournaments"}}},
	{Word: Enter, Help: []Form{{"ENTER autumn-cup", "enters a tournament; WITHDRAW autumn-cup leaves it"}}, read: readTournament},
	{Word: TableW, Asks: true, Help: []Form{{"TABLE autumn-cup", "shows how a tournament stands"}}, read: readTournament},
	{Word: DigestW, Help: []Form{{"DIGEST WEEKLY", "sends you the news of the club each Monday; DIGEST DAILY each day, DIGEST OFF never"}}, read: readDigest},
	{Word: LadderW, Asks: true, Help: []Form{{"LADDER", "shows who is how strong; LADDER {game} for one game"}}, read: readGame},
	{Word: Rating, Asks: true, Help: []Form{{"RATING Ben", "tells how strong Ben is; RATING alone, how strong you are"}}, read: readWho},
	{Word: ResultsW, Asks: true, Help: []Form{{"RESULTS", "lists the newest results; RESULTS Ben, those of Ben"}}, read: readWho},
	{Word: SettingsW, Asks: true, Help: []Form{{"SETTINGS", "shows what you have set"}}},
	{Word: Name, read: readName, Help: []Form{{"NAME Ada", "changes what you are called"}}},
	{Word: Most, read: readMost, Help: []Form{{"MOST 5", "lets nobody pair you, or accept your offers, while you play five matches"}}},
	{Word: TimeZone, read: readZone, Help: []Form{{"TIMEZONE Warsaw", "writes times as they are where you live"}}},
	{Word: Format, read: readFormat, Help: []Form{{"FORMAT TEXT", "sends you text only; FORMAT HTML a page beside it, FORMAT PICTURE a map too"}}},
	{Word: Address, read: readAddress, Help: []Form{{"ADDRESS ada@new.example", "sends all your letters there, when both addresses have been asked; ADDRESS KEEP leaves it as it is"}}},
	{Word: Vacation, read: readVacation, Help: []Form{{"VACATION 2026-12-20 TO 2027-01-04", "stops your clocks in all matches; VACATION shows what is planned, VACATION OFF ends it"}}},
	{Word: ShowLog, Asks: true, Help: []Form{{"LOG", "tells what was done in the club, by whom and why"}}},
	{Word: MyData, Asks: true, Help: []Form{{"MY DATA", "sends you all that is stored about you"}}},
	{Word: Leave, Help: []Form{{"LEAVE", "leaves the club; your matches go on"}}},
	{Word: ForgetMe, Help: []Form{{"FORGET ME", "deletes all that is stored about you, when you have confirmed it"}}},
	{Word: Help, Asks: true, Help: []Form{{"HELP", "sends this page"}}, read: ignoreRest},
	{Word: Yes, Help: []Form{{"YES", "says that you mean what our last letter asked you; NO says that you do not"}}},
	{Word: No},
}

// Forms lists all ways to write an order, as HELP shows them, with a game that is played here.
func Forms(games rules.Games) (out []Form) {
	g := games[0]
	least, _ := g.Seats()
	names := strings.NewReplacer("{game}", g.Name(), "{side}", g.SeatNames(rules.Setup{Seats: least, Revision: g.Revision()})[0])
	for _, e := range Table {
		for _, f := range e.Help {
			out = append(out, Form{names.Replace(f.Order), names.Replace(f.Does)})
		}
	}
	return out
}
