package letter

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/consent"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/naming"
	"samizdat/adjudicator/order"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
)

// MemberReader reads letters to a club.
type MemberReader struct{ Games rules.Games }

// Read reads the lines of a letter.
func (r MemberReader) Read(text string) (out []Line) {
	var texts []string
	for _, l := range order.Split(text) {
		texts = append(texts, l.Text)
	}
	courtesies := order.MarkCourtesies(texts)
	for i, text := range texts {
		l := r.readLine(text)
		if l.Kind == KindTalk {
			if first, ok := r.readSentence(text); ok {
				l = first
			} else if courtesies[i] {
				continue // "Hi,", "Thanks, Ada"
			}
		}
		out = append(out, l)
	}
	return out
}

// readSentence reads an order in a sentence. For example, "Please ENTER autumn-cup" and "I would like to accept 1 please". It does not
// read irrevocable orders like LEAVE.
func (r MemberReader) readSentence(text string) (Line, bool) {
	for rest, ok := order.TrimFunctionWord(text); ok; rest, ok = order.TrimFunctionWord(rest) {
		fields := strings.Fields(rest)
		e, n := findMemberOrderSpec(fields)
		if e == nil || slices.Contains([]Word{Leave, ForgetMe, Address, Yes, No}, e.Word) {
			continue
		}
		if _, hasMore := order.TrimFunctionWord(strings.Join(fields[n:], " ")); hasMore {
			return Line{}, false // "please register me as Ada"
		}
		l := r.readLine(rest)
		l.Text = text
		return l, l.Kind == KindRefereeOrder
	}
	return Line{}, false
}

func (r MemberReader) readLine(text string) Line {
	l := Line{Text: text}
	fields := strings.Fields(text)
	e, n := findMemberOrderSpec(fields)
	answer := map[consent.Answer]Word{consent.Yes: Yes, consent.No: No}[consent.Read(text)]
	if answer != "" && (e == nil || e.Word == Yes || e.Word == No) {
		e, n = Command{Word: answer, isMemberOrder: true}.orderSpec(), len(fields)
	}
	if e == nil {
		l.Why = "This line does not begin with an order of the club."
		if near := findSimilarOrder(order.FirstWord(text)); near != "" && len(fields) <= 3 {
			l.Kind, l.Why = KindUnreadable, fmt.Sprintf("Did you mean %s?", near)
		}
		return l
	}
	rest := strings.TrimSpace(strings.TrimLeft(order.TrimThanks(strings.Join(fields[n:], " ")), ":.!"))
	l.Command = Command{Word: e.Word, isMemberOrder: true}
	switch {
	case e.readArgs != nil:
		if err := e.readArgs(r, rest, &l.Command); err != nil {
			l.Why = match.ErrorSentence(err)
		}
		l.Command.Word, l.Command.isMemberOrder = e.Word, true
	case strings.Trim(rest, ".!,;:") != "":
		if e.Word == Yes || e.Word == No || len(fields) > n+4 {
			l.Why = "This line is not an answer: write " + string(e.Word) + " alone on its line."
			return l // The line is talk.
		}
		l.Why = fmt.Sprintf("Write %s alone on its line.", e.Word)
	}
	if l.Kind = KindRefereeOrder; l.Why != "" {
		l.Kind = KindUnreadable
	}
	return l
}

// findMemberOrderSpec finds the order of a member that a line begins with, and its number of words. If there are several, it returns the
// order with the most words.
func findMemberOrderSpec(fields []string) (best *OrderSpec, n int) {
	for _, e := range memberOrderSpecs {
		words := strings.Fields(string(e.Word))
		if len(words) <= n || len(words) > len(fields) {
			continue
		}
		if slices.EqualFunc(words, fields[:len(words)], func(w, f string) bool { return strings.EqualFold(w, strings.Trim(f, ".:!,")) }) {
			best, n = e, len(words)
		}
	}
	return best, n
}

// FindClubOrder returns the order of the club that a line clearly means: the line is only the order's word, e.g. "offers", or begins with
// this word in capitals. It returns "" for other lines.
func FindClubOrder(line string) Word {
	fields := strings.Fields(line)
	e, n := findMemberOrderSpec(fields)
	if e == nil || len(fields) > n && strings.Join(fields[:n], " ") != string(e.Word) {
		return ""
	}
	return e.Word
}

func findSimilarOrder(word string) string {
	if len(word) < 3 {
		return ""
	}
	for _, e := range memberOrderSpecs {
		for _, part := range strings.Fields(strings.ToLower(string(e.Word))) {
			if len(part) > 2 && (part == word || isOneLetterOff(word, part)) {
				return string(e.Word)
			}
		}
	}
	return ""
}

func isOneLetterOff(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		return i < len(a) && len(a) > 3 && a[i+1:] == b[i+1:]
	case 1:
		return a[i:] == b[i+1:]
	}
	return false
}

func readName(_ MemberReader, rest string, c *Command) error {
	if c.PersonName = naming.Clean(rest); c.PersonName == "" {
		return fmt.Errorf("write a name after %s, such as %s Ada", c.Word, c.Word)
	}
	return nil
}

func readWho(_ MemberReader, rest string, c *Command) error {
	c.PersonName = naming.Clean(strings.TrimRight(rest, "?"))
	return nil
}

func readMost(_ MemberReader, rest string, c *Command) (err error) {
	if c.Number, err = strconv.Atoi(strings.Trim(rest, ".!")); err != nil || c.Number < 1 {
		return errors.New("write after MOST how many matches you want to play at once, such as MOST 5")
	}
	return nil
}

func readMemberZone(_ MemberReader, rest string, c *Command) (err error) {
	if rest == "" {
		return errors.New("write a city after TIMEZONE, such as TIMEZONE Europe/Warsaw, or UTC")
	}
	c.Text, err = zone.ParseName(order.ASCII(rest))
	return err
}

// readOneOf returns a reader for an order that takes a word of a list. texts maps each word to the value of Command.Text. hint is the error
// for other words.
func readOneOf(hint string, texts map[string]string) argReader {
	return func(_ MemberReader, rest string, c *Command) error {
		text, ok := texts[strings.ToUpper(strings.Trim(rest, ".,!"))]
		if c.Text = text; !ok {
			return errors.New(hint)
		}
		return nil
	}
}

func readNumber(_ MemberReader, rest string, c *Command) error {
	number, after, _ := strings.Cut(strings.TrimPrefix(rest, "#"), " ")
	n, err := strconv.Atoi(strings.Trim(number, ".,!"))
	if err != nil || n < 1 || c.Word != Accept && strings.TrimSpace(after) != "" {
		return fmt.Errorf("write the number of an offer after %s, such as %s 12. OFFERS lists them", c.Word, c.Word)
	}
	c.Number, c.Text = n, strings.TrimSpace(after)
	return nil
}

func readTournament(_ MemberReader, rest string, c *Command) error {
	if c.Text = strings.Trim(rest, ".,!?"); c.Text == "" || strings.Contains(c.Text, " ") {
		return fmt.Errorf("write the name of a tournament after %s, such as %s autumn-cup. TOURNAMENTS lists them", c.Word, c.Word)
	}
	return nil
}

func readWithdraw(reader MemberReader, rest string, c *Command) error {
	if club.CheckTournamentName(strings.ToLower(strings.Trim(rest, ".,!?"))) == nil {
		return readTournament(reader, rest, c)
	}
	return readNumber(reader, rest, c)
}

// readLikePlayer returns a reader for an order with the same syntax as a player's order. hint is the error for other text.
func readLikePlayer(word Word, read lineReader, hint string) argReader {
	return func(_ MemberReader, rest string, c *Command) error {
		command, reason, ok := read(nil, lineText{text: string(word) + " " + rest})
		switch *c = command; {
		case !ok:
			return errors.New(hint)
		case reason != "":
			return errors.New(reason)
		}
		return nil
	}
}

func readNotify(_ MemberReader, rest string, c *Command) (err error) {
	c.Hook, err = club.ReadHookOrder(rest)
	return err
}

func readDecline(reader MemberReader, rest string, c *Command) error {
	if strings.EqualFold(strings.Trim(rest, ".,!"), "all") {
		c.Text = "all"
		return nil
	}
	return readNumber(reader, rest, c)
}

func readAccept(reader MemberReader, rest string, c *Command) error {
	if err := readNumber(reader, rest, c); err != nil || c.Text == "" {
		return err
	}
	as, side, _ := strings.Cut(c.Text, " ")
	if c.Wanted.SeatName = strings.TrimSpace(side); !strings.EqualFold(as, "AS") || c.Wanted.SeatName == "" {
		return errors.New("after the number write nothing, or AS and the side that you want")
	}
	return nil
}

func readOffer(reader MemberReader, rest string, c *Command) (err error) {
	c.Wanted, err = club.ReadTerms(reader.Games, rest)
	switch {
	case err != nil:
		return err
	case c.Wanted.MaxMatches > 0 || c.Wanted.Terms.Within > 0:
		return errPairMeTerms
	case c.Wanted.Level > 0:
		return errLevelWithoutRobot
	}
	return nil
}

var errLevelWithoutRobot, errPairMeTerms = errors.New("LEVEL belongs to PLAY ROBOT"), errors.New("UP TO and WITHIN belong to PAIR ME")

// readChallenge reads a name and the terms of a match, which start with the game.
func readChallenge(reader MemberReader, rest string, c *Command) error {
	fields := strings.Fields(rest)
	at := len(fields)
	for i, f := range fields {
		if _, err := club.FindGame(reader.Games, f); err == nil && i > 0 {
			at = i
			break
		}
	}
	if c.PersonName = naming.Clean(strings.Join(fields[:at], " ")); c.PersonName == "" || at == len(fields) && len(reader.Games) > 1 {
		return errors.New("write the name of a member and the game, such as CHALLENGE Ben " + reader.Games[0].Name())
	}
	return readOffer(reader, strings.Join(fields[at:], " "), c)
}

func readPairMe(reader MemberReader, rest string, c *Command) (err error) {
	c.Wanted, err = club.ReadTerms(reader.Games, rest)
	switch t := c.Wanted; {
	case err != nil:
		return err
	case t.SeatName != "", t.Days != 0:
		return errors.New("neither a side nor a time belongs to PAIR ME. Write PAIR ME, the game, and UP TO 3 for three matches at once")
	case t.Level > 0:
		return errLevelWithoutRobot
	case t.Terms.Seats != 2:
		return errors.New("PAIR ME finds an opponent for games of two. For others, OFFER gathers players")
	}
	return nil
}

// readPlayRobot reads the terms of a match against robots, e.g. "1989 AS DEMOCRAT LEVEL 3".
func readPlayRobot(reader MemberReader, rest string, c *Command) (err error) {
	c.Wanted, err = club.ReadTerms(reader.Games, rest)
	switch t := c.Wanted; {
	case err != nil:
		return err
	case t.MaxMatches > 0 || t.Terms.Within > 0:
		return errPairMeTerms
	case t.Days != 0 || t.Terms.Tempo != "" || t.Terms.OnTimeout != "":
		return errors.New("no clock runs against a robot, and nothing has to wait for one")
	}
	if t := c.Wanted; t.Level > 0 {
		g, err := club.FindGame(reader.Games, t.Terms.Game)
		if err != nil {
			return err
		}
		_, err = g.RobotOfLevel(t.Level)
		return err
	}
	return nil
}

func readUnpair(reader MemberReader, rest string, c *Command) (err error) {
	c.Wanted.Terms.Game, err = reader.findGame(strings.TrimSpace(strings.TrimPrefix(strings.ToLower(rest), "me")))
	return err
}

// readRematch reads the name of an opponent or a match; empty for the last match.
func readRematch(_ MemberReader, rest string, c *Command) error {
	c.Text = strings.Trim(rest, ".!?")
	return nil
}

func readGame(reader MemberReader, rest string, c *Command) (err error) {
	c.Text, err = reader.findGame(strings.TrimRight(rest, "?."))
	return err
}

var clubStatsPattern = regexp.MustCompile(`(?i)^(.*?)\s*(?:\bCARD\s+#?(\d{1,4}))?[?.]?$`)

// readClubStats reads a game and a card. For example, "", "1989" and "1989 CARD 14".
func readClubStats(reader MemberReader, rest string, c *Command) (err error) {
	groups := clubStatsPattern.FindStringSubmatch(rest)
	if groups[2] != "" {
		c.Number, _ = strconv.Atoi(groups[2]) // at most four digits
	}
	if c.Text, err = reader.findGame(groups[1]); err != nil {
		return errors.New("after STATS write a game, a card, or both, such as STATS CARD 14")
	}
	return nil
}

func (r MemberReader) findGame(word string) (string, error) {
	if word == "" {
		return "", nil
	}
	g, err := club.FindGame(r.Games, word)
	if err != nil {
		return "", err
	}
	return g.Name(), nil
}

func ignoreRest(MemberReader, string, *Command) error { return nil }

const weekly = string(club.Weekly)

var memberOrderSpecs = []*OrderSpec{
	{Word: Register, Class: ClassAction, Help: []Form{{"REGISTER Ada", "joins the club, as Ada"}}, readArgs: readName},
	{Word: Who, Class: ClassQueryInSequence, Help: []Form{{"WHO", "lists the members"}, {"WHO Ben", "shows what the club knows about Ben"}},
		readArgs: readWho},
	{Word: Games, Class: ClassQueryInSequence, Help: []Form{{"GAMES", "lists your matches, whose move it is, and the time left"}}},
	{Word: ResendAll, Class: ClassAction, Help: []Form{{"RESEND ALL", "sends the newest letter of each of your matches again"}}},
	{Word: Offers, Class: ClassQueryInSequence, Help: []Form{{"OFFERS", "lists the matches offered to you, with their numbers"}}},
	{Word: Offer, Class: ClassAction, readArgs: readOffer, Help: []Form{
		{"OFFER {game}", "offers a match of {game} to all members"},
		{"OFFER {game} AS {side} TEMPO standard", "the same, with your side and a time limit"},
		{"OFFER {game} BY BALANCE", "assigns sides by what both have played before; or BY LOT and, if the game has it, BY BID"},
		{"OFFER {game} FOR 10 DAYS", "keeps the offer open that long; a game for many gathers players, up to SEATS and a " +
			"number, and then begins with those who have joined"},
	}},
	{Word: Challenge, Class: ClassAction, readArgs: readChallenge,
		Help: []Form{{"CHALLENGE Ben {game}", "offers a match to Ben alone, with the same options as OFFER"}}},
	{Word: Accept, Class: ClassAction, readArgs: readAccept, Help: []Form{{"ACCEPT 12", "accepts offer 12; ACCEPT 12 AS and a side " +
		"also names the side that you want"}}},
	{Word: Decline, Class: ClassAction, readArgs: readDecline, Help: []Form{{"DECLINE 12", "declines a challenge; DECLINE ALL declines all"}}},
	{Word: Block, Class: ClassAction, readArgs: readName, Help: []Form{{"BLOCK Ben",
		"stops Ben from challenging you or being paired with you; UNBLOCK Ben ends this"}}},
	{Word: Unblock, Class: ClassAction, readArgs: readName},
	{Word: Withdraw, Class: ClassAction, readArgs: readWithdraw,
		Help: []Form{{"WITHDRAW 12", "withdraws your offer, or leaves an offer that you joined"}}},
	{Word: Start, Class: ClassAction, readArgs: readNumber, Help: []Form{{"START 12", "begins your offer with the players who have joined"}}},
	{Word: PairMe, Class: ClassAction, readArgs: readPairMe, Help: []Form{{"PAIR ME {game} UP TO 3",
		"finds you opponents of your strength, for up to three matches at once; with WITHIN 2 DAYS, only players who usually answer within two days"}}},
	{Word: Unpair, Class: ClassAction, readArgs: readUnpair, Help: []Form{{"UNPAIR", "stops finding opponents for you"}}},
	{Word: PlayRobot, Class: ClassAction, readArgs: readPlayRobot, Help: []Form{{"PLAY ROBOT {game}", "begins an unrated match " +
		"against a robot, which answers quickly. LEVEL sets how well it plays: 1 to 5 in 1989, 1 to 2 in 1789"}}},
	{Word: Rematch, Class: ClassAction, readArgs: readRematch,
		Help: []Form{{"REMATCH Ben", "challenges Ben to the same game again, with sides swapped"}}},
	{Word: Tournaments, Class: ClassQueryInSequence, Help: []Form{{"TOURNAMENTS", "lists the tournaments"}}},
	{Word: Enter, Class: ClassAction, Help: []Form{{"ENTER autumn-cup", "enters a tournament; WITHDRAW autumn-cup leaves it"}},
		readArgs: readTournament},
	{Word: TableWord, Class: ClassQueryInSequence, Help: []Form{{"TABLE autumn-cup", "shows the standings of a tournament"}}, readArgs: readTournament},
	{Word: Digest, Class: ClassAction, Help: []Form{{"DIGEST WEEKLY", "sends you the news of the club each Monday; DIGEST DAILY each " +
		"day, DIGEST OFF never"}}, readArgs: readOneOf("write DIGEST WEEKLY, DIGEST DAILY or DIGEST OFF",
		map[string]string{"WEEKLY": weekly, "ON": weekly, "": weekly, "DAILY": string(club.Daily), "OFF": "", "NONE": "",
			"NEVER": ""})},
	{Word: Ladder, Class: ClassQueryInSequence, Help: []Form{{"LADDER", "shows the players by strength; LADDER {game} for one " +
		"game"}}, readArgs: readGame},
	{Word: Rating, Class: ClassQueryInSequence, Help: []Form{{"RATING Ben", "shows Ben's rating; RATING alone shows yours"}},
		readArgs: readWho},
	{Word: Results, Class: ClassQueryInSequence, Help: []Form{{"RESULTS", "lists the newest results; RESULTS Ben, those of Ben"}}, readArgs: readWho},
	{Word: Stats, Class: ClassQueryInSequence, readArgs: readClubStats, Help: []Form{{"STATS {game}", "counts set-ups, lengths and dice of all " +
		"matches; STATS CARD 14 how card 14 was played"}}},
	{Word: Pace, Class: ClassAction, readArgs: readOneOf("write PACE, PACE SHOW or PACE HIDE",
		map[string]string{"": "", "SHOW": "show", "HIDE": "hide"}),
		Help: []Form{{"PACE", "shows how soon you answer; PACE SHOW lets others see it, PACE HIDE does not"}}},
	{Word: Settings, Class: ClassQueryInSequence, Help: []Form{{"SETTINGS", "shows what you have set"}}},
	{Word: Name, Class: ClassAction, readArgs: readName, Help: []Form{{"NAME Ada", "changes your name"}}},
	{Word: Most, Class: ClassAction, readArgs: readMost, Help: []Form{{"MOST 5",
		"limits you to five matches at a time: you are not paired for more, and cannot accept more"}}},
	{Word: TimeZone, Class: ClassAction, readArgs: readMemberZone, Help: []Form{{"TIMEZONE Warsaw", "sets your time zone"}}},
	{Word: FormatWord, Class: ClassAction, readArgs: readOneOf("write FORMAT TEXT, HTML, PICTURE or SPOKEN",
		map[string]string{"TEXT": "TEXT", "HTML": "HTML", "PICTURE": "PICTURE", "SPOKEN": "SPOKEN"}),
		Help: []Form{{"FORMAT TEXT", "sends text only; FORMAT HTML adds a page, FORMAT PICTURE a map too"},
			{"FORMAT SPOKEN", "sends sentences in place of tables, for screen readers"}}},
	{Word: Address, Class: ClassAction, readArgs: readLikePlayer(Address, readAddress,
		"write the new address after ADDRESS, such as ADDRESS ada@new.example. ADDRESS alone shows where your letters go, ADDRESS "+
			"KEEP leaves it so"), Help: []Form{{"ADDRESS ada@new.example",
		"sends all your letters there, after we ask both addresses; ADDRESS KEEP cancels this"}}},
	{Word: Vacation, Class: ClassAction, readArgs: readLikePlayer(Vacation, readVacation,
		"write the first day and the last, with the year: "+vacationSyntax+". VACATION OFF ends one"),
		Help: []Form{{"VACATION 2026-12-20 TO 2027-01-04",
			"stops your clocks in all matches; VACATION shows your plans, VACATION OFF ends it"}}},
	{Word: Quiet, Class: ClassAction, readArgs: readLikePlayer(Quiet, readQuiet, quietSyntax), Help: []Form{{"QUIET 22:00-07:00",
		"sends you no reminders in these hours; QUIET OFF ends it"}}},
	{Word: Notify, Class: ClassAction, readArgs: readNotify, Help: []Form{{"NOTIFY https://ntfy.example/ada",
		"sends notices to a web hook, for example that it is your move, after you confirm it; AS and a format (json, discord, slack, " +
			"matrix, ntfy, text) and ON and kinds (to-move, over, offer, round, announcement) may follow; NOTIFY OFF ends it"}}},
	{Word: Log, Class: ClassQueryInSequence, Help: []Form{{"LOG", "shows what was done in the club, by whom and why"}}},
	{Word: MyData, Class: ClassQueryInSequence, Help: []Form{{"MY DATA", "sends you everything stored about you"}}},
	{Word: Leave, Class: ClassAction, Help: []Form{{"LEAVE", "leaves the club; your matches go on"}}},
	{Word: ForgetMe, Class: ClassAction, Help: []Form{{"FORGET ME", "deletes everything stored about you, after you confirm"}}},
	{Word: HelpWord, Class: ClassQueryInSequence, Help: []Form{{"HELP", "sends this page"}}, readArgs: ignoreRest},
	{Word: Yes, Class: ClassAction, Help: []Form{{"YES", "confirms what our last letter asked; NO declines it"}}},
	{Word: No, Class: ClassAction},
}

// MemberForms lists the forms of members' orders for HELP, with a game of the club as the example.
func MemberForms(games rules.Games) (out []Form) {
	g := games[0]
	minimum, _ := g.Seats()
	replacer := strings.NewReplacer("{game}", g.Name(), "{side}", g.SeatNames(rules.Setup{Seats: minimum, Revision: g.Revision()})[0])
	for _, f := range Forms(RoleMember) {
		out = append(out, Form{replacer.Replace(f.Order), replacer.Replace(f.Effect)})
	}
	return out
}
