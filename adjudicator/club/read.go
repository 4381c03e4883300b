package club

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/adjudicator/consent"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/naming"
	"samizdat/adjudicator/order"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
)

// Kind is what a line of a letter is.
type Kind int

// The kinds of lines.
const (
	// Talk is no order.
	Talk Kind = iota
	// Unreadable lines are meant as orders and cannot be understood; Why says what is wrong.
	Unreadable
	// Order lines are orders of the club.
	Order
)

// Line is a line of a letter as it was read.
type Line struct {
	// Text is the line as it was written.
	Text string
	Kind Kind
	// Why says why the line is no order.
	Why     string
	Command Command
}

// Command is an order of the club.
type Command struct {
	Word Word
	// Name is the name that the order has, another member's or a new one. Text is another word
	// behind the order, Number a number.
	Name, Text string
	Number     int64
	// Wanted is the match that the order is about, Setting what it says of what is the player's in
	// matches too.
	Wanted  Wanted
	Setting letter.Command
	entry   *Entry
}

// Asks reports whether the order changes nothing.
func (c Command) Asks() bool { return c.entry == nil || c.entry.Asks }

// Is reports whether the line is this order.
func (l *Line) Is(w Word) bool { return l.Kind == Order && l.Command.Word == w }

// Reader reads letters to a club that plays some games.
type Reader struct{ Games rules.Games }

// Read reads a letter, line by line.
func (r *Reader) Read(text string) (out []Line) {
	var texts []string
	for _, l := range order.Split(text) {
		texts = append(texts, l.Text)
	}
	courtesies := order.Courtesies(texts)
	for i, text := range texts {
		l := r.line(text)
		if l.Kind == Talk {
			if said, ok := r.asked(text); ok {
				l = said
			} else if courtesies[i] {
				continue // "Hi,", "Thanks, Ada"
			}
		}
		out = append(out, l)
	}
	return out
}

// asked reads a line that asks for an order in a sentence: "Please ENTER autumn-cup", "I would like to accept 1
// please". What should be sure, such as LEAVE, is none.
func (r *Reader) asked(text string) (Line, bool) {
	for rest, ok := order.WithoutFunctionWord(text); ok; rest, ok = order.WithoutFunctionWord(rest) {
		fields := strings.Fields(rest)
		e, n := begins(fields)
		if e == nil || slices.Contains([]Word{Leave, ForgetMe, Address, Yes, No}, e.Word) {
			continue
		}
		if _, more := order.WithoutFunctionWord(strings.Join(fields[n:], " ")); more {
			return Line{}, false // "please register me as Ada"
		}
		l := r.line(rest)
		l.Text = text
		return l, l.Kind == Order
	}
	return Line{}, false
}

// line reads a line.
func (r *Reader) line(text string) Line {
	l := Line{Text: text}
	fields := strings.Fields(text)
	e, n := begins(fields)
	if word := map[consent.Answer]Word{consent.Yes: Yes, consent.No: No}[consent.Read(text)]; word != "" && (e == nil || e.Word == Yes || e.Word == No) {
		e, n = Table[slices.IndexFunc(Table, func(e *Entry) bool { return e.Word == word })], len(fields)
	}
	if e == nil {
		l.Why = "It begins with no order of the club."
		if near := nearest(order.First(text)); near != "" && len(fields) <= 3 {
			l.Kind, l.Why = Unreadable, fmt.Sprintf("Did you mean %s?", near)
		}
		return l
	}
	rest := strings.TrimSpace(strings.TrimLeft(order.WithoutThanks(strings.Join(fields[n:], " ")), ":.!"))
	l.Command = Command{Word: e.Word, entry: e}
	switch {
	case e.read != nil:
		l.Why = e.read(r, rest, &l.Command)
	case strings.Trim(rest, ".!,;:") != "":
		if e.Word == Yes || e.Word == No || len(fields) > n+4 {
			l.Why = "It is no order of the club: " + string(e.Word) + " stands alone on its line."
			return l // Somebody talks.
		}
		l.Why = fmt.Sprintf("Nothing stands behind %s. Write it alone on its line.", e.Word)
	}
	if l.Kind = Order; l.Why != "" {
		l.Kind = Unreadable
	}
	return l
}

// begins finds the order that a line begins with, the longest, and how many words it has.
func begins(fields []string) (best *Entry, n int) {
	for _, e := range Table {
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

// Addressed is the order of the club that a line plainly is, wherever it stands: its word alone, or
// in capitals. It is empty for other lines.
func Addressed(line string) Word {
	fields := strings.Fields(line)
	e, n := begins(fields)
	if e == nil || len(fields) > n && strings.Join(fields[:n], " ") != string(e.Word) {
		return ""
	}
	return e.Word
}

// nearest is the order that a word is a slip for, or the beginning of; empty for none.
func nearest(word string) string {
	if len(word) < 3 {
		return ""
	}
	for _, e := range Table {
		for _, part := range strings.Fields(strings.ToLower(string(e.Word))) {
			if len(part) > 2 && (part == word || slip(word, part)) {
				return string(e.Word)
			}
		}
	}
	return ""
}

// slip reports whether two words differ by one letter more, less, or other.
func slip(a, b string) bool {
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

// readName reads an order that wants a name.
func readName(_ *Reader, rest string, c *Command) string {
	if c.Name = naming.Clean(rest); c.Name == "" {
		return fmt.Sprintf("Write a name behind %s, such as %s Ada.", c.Word, c.Word)
	}
	return ""
}

// readWho reads WHO, with a name or without.
func readWho(_ *Reader, rest string, c *Command) string {
	c.Name = naming.Clean(strings.TrimRight(rest, "?"))
	return ""
}

// readMost reads how many matches somebody plays at once.
func readMost(_ *Reader, rest string, c *Command) string {
	n, err := strconv.Atoi(strings.Trim(rest, ".!"))
	if err != nil || n < 1 {
		return "Write behind MOST how many matches you want to play at once, such as MOST 5."
	}
	c.Number = int64(n)
	return ""
}

// readZone reads a time zone.
func readZone(_ *Reader, rest string, c *Command) string {
	if rest == "" {
		return "Write a city behind TIMEZONE, such as TIMEZONE Europe/Warsaw, or UTC."
	}
	var err error
	if c.Text, err = zone.Find(order.ASCII(rest)); err != nil {
		return sentence(err)
	}
	return ""
}

// readFormat reads what letters are to be.
func readFormat(_ *Reader, rest string, c *Command) string {
	switch c.Text = strings.ToUpper(strings.Trim(rest, ".!")); c.Text {
	case "TEXT", "HTML", "PICTURE":
		return ""
	}
	return "Behind FORMAT stands TEXT, HTML or PICTURE."
}

// readNumber reads an order that wants the number of an offer.
func readNumber(_ *Reader, rest string, c *Command) string {
	number, behind, _ := strings.Cut(strings.TrimPrefix(rest, "#"), " ")
	n, err := strconv.ParseInt(strings.Trim(number, ".,!"), 10, 64)
	if err != nil || n < 1 || c.Word != Accept && strings.TrimSpace(behind) != "" {
		return fmt.Sprintf("Write the number of an offer behind %s, such as %s 12. OFFERS lists them.", c.Word, c.Word)
	}
	c.Number, c.Text = n, strings.TrimSpace(behind)
	return ""
}

// readDigest reads how often somebody wants news.
func readDigest(_ *Reader, rest string, c *Command) string {
	switch strings.ToLower(strings.Trim(rest, ".,!")) {
	case "weekly", "on", "":
		c.Text = string(Weekly)
	case "daily":
		c.Text = string(Daily)
	case "off", "none", "never":
		c.Text = ""
	default:
		return "Write DIGEST WEEKLY, DIGEST DAILY or DIGEST OFF."
	}
	return ""
}

// readTournament reads an order that wants the name of a tournament.
func readTournament(_ *Reader, rest string, c *Command) string {
	if c.Text = strings.Trim(rest, ".,!?"); c.Text == "" || strings.Contains(c.Text, " ") {
		return fmt.Sprintf("Write the name of a tournament behind %s, such as %s autumn-cup. TOURNAMENTS lists them.", c.Word, c.Word)
	}
	return ""
}

// readWithdraw reads the number of an offer, or the name of a tournament.
func readWithdraw(r *Reader, rest string, c *Command) string {
	if CheckTournamentName(strings.ToLower(strings.Trim(rest, ".,!?"))) == nil {
		return readTournament(r, rest, c)
	}
	return readNumber(r, rest, c)
}

// readVacation reads when somebody is away.
func readVacation(_ *Reader, rest string, c *Command) string {
	read, why, ok := letter.ReadVacation("VACATION " + rest)
	if !ok {
		return "Write the first day and the last, with the year: VACATION 2026-12-20 TO 2027-01-04. VACATION OFF ends one."
	}
	c.Setting = read
	return why
}

// readAddress reads where letters are to go.
func readAddress(_ *Reader, rest string, c *Command) string {
	read, ok := letter.ReadAddress("ADDRESS " + rest)
	if !ok {
		return "Write the new address behind ADDRESS, such as ADDRESS ada@new.example. ADDRESS alone shows where your letters go, ADDRESS KEEP leaves it so."
	}
	c.Setting = read
	return ""
}

// readDecline reads the number of an offer, or ALL.
func readDecline(r *Reader, rest string, c *Command) string {
	if strings.EqualFold(strings.Trim(rest, ".,!"), "all") {
		c.Text = "all"
		return ""
	}
	return readNumber(r, rest, c)
}

// readAccept reads the number of an offer, and the side that its reader wants.
func readAccept(r *Reader, rest string, c *Command) string {
	if why := readNumber(r, rest, c); why != "" || c.Text == "" {
		return why
	}
	as, side, _ := strings.Cut(c.Text, " ")
	if c.Wanted.As = strings.TrimSpace(side); !strings.EqualFold(as, "AS") || c.Wanted.As == "" {
		return "Behind the number stands nothing, or AS and the side that you want."
	}
	return ""
}

// readOffer reads the terms of a match.
func readOffer(r *Reader, rest string, c *Command) string {
	var err error
	if c.Wanted, err = r.terms(rest); err != nil {
		return sentence(err)
	}
	if c.Wanted.Most > 0 {
		return "UP TO belongs to PAIR ME."
	}
	return ""
}

// readChallenge reads a name, and the terms of a match: the game begins them.
func readChallenge(r *Reader, rest string, c *Command) string {
	fields := strings.Fields(rest)
	at := len(fields)
	for i, f := range fields {
		if _, err := FindGame(r.Games, f); err == nil && i > 0 {
			at = i
			break
		}
	}
	if c.Name = naming.Clean(strings.Join(fields[:at], " ")); c.Name == "" || at == len(fields) && len(r.Games) > 1 {
		return "Write the name of a member and the game, such as CHALLENGE Ben " + r.Games[0].Name() + "."
	}
	return readOffer(r, strings.Join(fields[at:], " "), c)
}

// readPairMe reads which matches somebody is to be paired for.
func readPairMe(r *Reader, rest string, c *Command) string {
	var err error
	if c.Wanted, err = r.terms(rest); err != nil {
		return sentence(err)
	}
	switch t := c.Wanted; {
	case t.As != "", t.Days != 0:
		return "Neither a side nor a time belongs to PAIR ME. Write PAIR ME, the game, and UP TO 3 for three matches at once."
	case t.Terms.Seats != 2:
		return "PAIR ME finds an opponent for games of two. For others, OFFER gathers players."
	}
	return ""
}

// readPlayRobot reads which match somebody plays against robots.
func readPlayRobot(r *Reader, rest string, c *Command) string {
	if why := readOffer(r, rest, c); why != "" {
		return why
	}
	if t := c.Wanted; t.Days != 0 || t.Terms.Tempo != "" || t.Terms.Zero != "" {
		return "No clock runs against a robot, and nothing has to wait for one."
	}
	return ""
}

// readUnpair reads for which game somebody is not to be paired any more; all, where none is named.
func readUnpair(r *Reader, rest string, c *Command) string {
	rest = strings.TrimSpace(strings.TrimPrefix(strings.ToLower(rest), "me"))
	if rest == "" {
		return ""
	}
	g, err := FindGame(r.Games, rest)
	if err != nil {
		return sentence(err)
	}
	c.Wanted.Terms.Game = g.Name()
	return ""
}

// readRematch reads with whom, or which match, is played again; the last, where nothing is said.
func readRematch(_ *Reader, rest string, c *Command) string {
	c.Text = strings.Trim(rest, ".!?")
	return ""
}

// sentence makes a sentence of an error.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// readGame reads an order that may name a game.
func readGame(r *Reader, rest string, c *Command) string {
	if rest = strings.TrimRight(rest, "?."); rest == "" {
		return ""
	}
	g, err := FindGame(r.Games, rest)
	if err != nil {
		return sentence(err)
	}
	c.Text = g.Name()
	return ""
}

// ignoreRest takes an order whatever stands behind it.
func ignoreRest(*Reader, string, *Command) string { return "" }
