package table

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

// screen is a terminal that shows each seat the new parts of its letters. The standing parts of a letter are those that
// show the position (rules.LetterTexts.Sections), for example YOUR HAND and THE MAP.
type screen struct {
	*Match
	keyboard           keyboard
	out                io.Writer
	clearsBetweenSeats bool
	// lastShown is the number of the last letter shown to each seat. currentSeat is the seat at the keyboard.
	lastShown   map[rules.Seat]int64
	currentSeat rules.Seat
	// hasSeenAll is set for the seats that have seen the standing parts.
	hasSeenAll map[rules.Seat]bool
	// showAll means that STATUS has requested the complete letter.
	showAll bool
	// usualTitles are the titles of the standing parts that every letter has, the hand first, for example YOUR HAND,
	// WHAT IS KNOWN, THE MAP.
	usualTitles []string
	// shownTexts has, by title, the last shown text of the standing parts that are not in usualTitles.
	shownTexts map[string]string
	// shownEntries is the number of entries of the match at the last screen against robots.
	shownEntries int
}

func (m *Match) newScreen(in io.Reader, out io.Writer) *screen {
	return &screen{Match: m, keyboard: newKeyboard(in, out), out: out, lastShown: map[rules.Seat]int64{}, hasSeenAll: map[rules.Seat]bool{},
		currentSeat:        rules.NoSeat,
		clearsBetweenSeats: len(m.robots) == 0 && isTerminal(in) && isTerminal(out)}
}

// clearScreen clears the screen and its scroll-back (ECMA-48).
const clearScreen = "\x1b[H\x1b[2J\x1b[3J"

// switchSeat clears the screen before another seat is shown its letter, and waits until the seat's player confirms.
func (s *screen) switchSeat(ctx context.Context, seat rules.Seat) error {
	if !s.clearsBetweenSeats || s.currentSeat == rules.NoSeat || s.currentSeat == seat {
		return nil
	}
	fmt.Fprintln(s.out)
	if _, err := s.readLine(ctx, "Press Enter to clear the screen.", rules.NoSeat); err != nil {
		return err
	}
	fmt.Fprint(s.out, clearScreen)
	_, err := s.readLine(ctx, fmt.Sprintf("The %s is next. Press Enter when you sit at the screen.",
		s.store.match.Seats[seat].Name), rules.NoSeat)
	return err
}

// errQuit means that the player has closed the input, quit, or pressed Ctrl-C.
var errQuit = errors.New("the player has left")

// readLine waits for a line of a seat. It returns errQuit at the end of the input and after Ctrl-C.
func (s *screen) readLine(ctx context.Context, prompt string, seat rules.Seat) (string, error) {
	text, err := s.keyboard.readLine(ctx, prompt, seat)
	if errors.Is(err, io.EOF) || err != nil && ctx.Err() != nil {
		err = errQuit
	}
	return text, err
}

// show shows a seat its newest letter. The standing parts are shown only the first time, and the hand when the seat
// changes. In a match against robots showWindow fills one screen instead.
func (s *screen) show(seat rules.Seat, view rules.View) {
	var standingTitles []string
	for _, p := range s.game.Sections(view) {
		standingTitles = append(standingTitles, strings.ToUpper(p.Title))
	}
	if s.usualTitles == nil {
		s.usualTitles = standingTitles
	}
	letter := s.store.newestLetters[seat]
	isNew := letter.Number != s.lastShown[seat]
	if !isNew && seat == s.currentSeat {
		return
	}
	if s.store.match.Seats[seat].Format == match.FormatSpoken {
		// A spoken letter is shown whole: it has no underlined titles that separate its parts.
		fmt.Fprintf(s.out, "\n%s", letter.Body)
		s.lastShown[seat], s.currentSeat, s.shownEntries = letter.Number, seat, s.store.match.EntryCount
		return
	}
	if len(s.robots) > 0 {
		s.showWindow(seat, view, standingTitles)
		return
	}
	if seat != s.currentSeat {
		s.shownTexts = map[string]string{}
		fmt.Fprintf(s.out, "\n%s\n", formatBanner(s.store.match.Seats[seat].Name))
	}
	s.print(joinParts(s.takeMissedParts(seat)))
	parts := splitLetter(letter.Body)
	if !s.hasSeenAll[seat] {
		// The map and the known facts are printed first, so that the decision below them remains visible.
		s.print(joinParts(onlyParts(parts, s.usualTitles[1:]...)))
		s.hasSeenAll[seat] = true
	}
	parts = s.selectParts(parts, standingTitles, isNew, seat == s.currentSeat)
	for _, p := range parts {
		s.shownTexts[p.title] = p.format()
	}
	fmt.Fprintf(s.out, "\n%s\n", joinParts(parts))
	s.lastShown[seat], s.currentSeat, s.showAll = letter.Number, seat, false
}

// selectParts returns the parts of a letter to show. isNew means that the letter was not shown before, isSameSeat that
// the seat was already at the keyboard.
func (s *screen) selectParts(parts []letterPart, standingTitles []string, isNew, isSameSeat bool) []letterPart {
	onlyReplies := lacksStandingParts(parts, standingTitles)
	switch {
	case !isNew:
		parts = withoutParts(parts, partOrders, partEvents)
	case onlyReplies:
		parts = withoutParts(parts, partDecision, partRequest)
	}
	if onlyReplies || s.showAll {
		return parts
	}
	parts = withoutParts(parts, s.usualTitles[1:]...)
	if isSameSeat {
		parts = withoutParts(parts, s.usualTitles[0])
	}
	return slices.DeleteFunc(parts, func(p letterPart) bool {
		return slices.Contains(standingTitles, p.title) && !slices.Contains(s.usualTitles, p.title) && s.shownTexts[p.title] == p.format()
	})
}

// lacksStandingParts reports whether a letter lacks standing parts because it only replies to a request, for example
// HAND.
func lacksStandingParts(parts []letterPart, standingTitles []string) bool {
	return len(onlyParts(parts, standingTitles...)) < len(standingTitles)
}

func formatBanner(seat string) string {
	text := "==== For the eyes of the " + seat + " "
	return text + strings.Repeat("=", max(0, 72-len(text)))
}

// takeMissedParts returns the events and messages of the letters between the last shown and the newest letter, and marks
// all letters as read.
func (s *screen) takeMissedParts(seat rules.Seat) []letterPart {
	var out []letterPart
	for _, letter := range s.store.unreadLetters[seat] {
		if letter.Number <= s.lastShown[seat] || letter.Number == s.store.newestLetters[seat].Number {
			continue
		}
		out = append(out, slices.DeleteFunc(splitLetter(letter.Body), func(p letterPart) bool {
			return p.title != partEvents && !strings.HasPrefix(p.title, partMessage)
		})...)
	}
	s.store.unreadLetters[seat] = nil
	return out
}

// read returns the input of a seat: an order, several orders between BEGIN and END, or a message up to END MESSAGE.
func (s *screen) read(ctx context.Context, seat rules.Seat) (string, error) {
	fmt.Fprintln(s.out)
	text, err := s.readLine(ctx, s.store.match.Seats[seat].Name+"> ", seat)
	if err != nil {
		return "", err
	}
	text = strings.TrimSpace(text)
	firstWords := strings.ToLower(strings.Join(order.Words(text), " "))
	terminator := ""
	switch {
	case firstWords == "quit", firstWords == "exit":
		return "", errQuit
	case firstWords == "begin":
		terminator = "end"
	case strings.HasPrefix(firstWords+" ", "message ") && !strings.HasSuffix(firstWords, "end message"):
		terminator = "end message"
	}
	for terminator != "" {
		more, err := s.readLine(ctx, "", seat)
		if err != nil {
			return "", err
		}
		text += "\n" + more
		if strings.Join(order.Words(more), " ") == terminator {
			break
		}
	}
	return text, nil
}

// showResults shows a seat the results of its orders, before the next seat is shown its letter. It also shows the
// events, unless the letter of the next seat contains them. Against robots it shows neither, because the next screen
// contains both.
func (s *screen) showResults(seat, next rules.Seat) {
	if len(s.robots) > 0 {
		return
	}
	titles := []string{partOrders}
	if next == rules.NoSeat || s.newsText(next, partEvents) != s.newsText(seat, partEvents) {
		titles = append(titles, partEvents)
	}
	s.print(s.newsText(seat, titles...))
	s.lastShown[seat] = s.store.newestLetters[seat].Number
}

func (s *screen) newsText(seat rules.Seat, titles ...string) string {
	return joinParts(onlyParts(splitLetter(s.store.newestLetters[seat].Body), titles...))
}

func (s *screen) print(text string) {
	if text != "" {
		fmt.Fprintf(s.out, "\n%s\n", text)
	}
}

func (s *screen) showEnd(pos rules.Position) {
	s.print(s.formatNews(s.personSeat))
	r, isOver := pos.Result()
	if !isOver {
		fmt.Fprintln(s.out, "\nNo seat has a decision.")
		return
	}
	var names []string
	for _, seat := range s.store.match.Seats {
		names = append(names, "the "+seat.Name)
	}
	winners := r.WinnersOf(names)
	outcome := "A draw"
	switch names := match.JoinAnd(winners); len(winners) {
	case 0:
		if r.AllLost {
			outcome = "Nobody wins"
		}
	case 1:
		outcome = "T" + names[1:] + " wins"
	default:
		outcome = "T" + names[1:] + " win"
	}
	s.print(templates.Wrap(fmt.Sprintf("The match is over. %s (%s).", outcome, r.Reason)))
	s.print(r.Words)
}

func (s *screen) printGoodbye() error {
	_, err := fmt.Fprintln(s.out, "\nYou have left the table.")
	return err
}

// keyboard reads typed lines. io.EOF is the end of the input.
type keyboard interface {
	// readLine shows a prompt and waits for a line. Each seat can recall only the lines that it has typed.
	readLine(ctx context.Context, prompt string, seat rules.Seat) (string, error)
}

func newKeyboard(in io.Reader, out io.Writer) keyboard {
	if !isTerminal(in) || !isTerminal(out) {
		return &plainKeyboard{in: bufio.NewScanner(in), out: out}
	}
	from := in.(*os.File)
	return &editor{fd: int(from.Fd()), histories: map[rules.Seat]*lineHistory{}, terminal: term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, out}, "")}
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// plainKeyboard reads lines from a file or a pipe.
type plainKeyboard struct {
	in  *bufio.Scanner
	out io.Writer
}

func (k *plainKeyboard) readLine(ctx context.Context, prompt string, _ rules.Seat) (string, error) {
	fmt.Fprint(k.out, prompt)
	return readTyped(ctx, func() (string, error) {
		if k.in.Scan() {
			return k.in.Text(), nil
		}
		return "", cmp.Or(k.in.Err(), io.EOF)
	})
}

// readTyped waits for a line or the end of ctx. After the end of ctx the source must not be read any
// more, because the last call of read may still wait for a line.
func readTyped(ctx context.Context, read func() (string, error)) (string, error) {
	type result struct {
		text string
		err  error
	}
	results := make(chan result, 1)
	go func() {
		text, err := read()
		results <- result{text, err}
	}()
	select {
	case r := <-results:
		return r.text, r.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// editor reads lines that can be edited at a terminal. The terminal is in raw mode only during a read, so that Ctrl-C
// ends the program at other times.
type editor struct {
	fd        int
	terminal  *term.Terminal
	histories map[rules.Seat]*lineHistory
}

func (e *editor) readLine(ctx context.Context, prompt string, seat rules.Seat) (text string, err error) {
	if e.histories[seat] == nil {
		e.histories[seat] = new(lineHistory)
	}
	e.terminal.History = e.histories[seat]
	e.terminal.SetPrompt(prompt)
	if width, height, err := term.GetSize(e.fd); err == nil && width > 0 && height > 0 {
		if err := e.terminal.SetSize(width, height); err != nil {
			return "", fmt.Errorf("set terminal size: %w", err)
		}
	}
	state, err := term.MakeRaw(e.fd)
	if err != nil {
		return "", fmt.Errorf("set terminal to raw mode: %w", err)
	}
	defer func() { err = errors.Join(err, term.Restore(e.fd, state)) }()
	return readTyped(ctx, e.terminal.ReadLine)
}

// lineHistory holds the lines that a seat has typed, newest last.
type lineHistory struct{ lines []string }

var _ term.History = (*lineHistory)(nil)

func (h *lineHistory) Add(line string) {
	if line != "" && (len(h.lines) == 0 || h.lines[len(h.lines)-1] != line) {
		h.lines = append(h.lines, line)
	}
}

func (h *lineHistory) Len() int { return len(h.lines) }

// At implements term.History: 0 is the newest.
func (h *lineHistory) At(i int) string { return h.lines[len(h.lines)-1-i] }

// letterPart is a part of a letter with its title. The first part, above all titles, has none.
type letterPart struct {
	title string
	lines []string
}

// The titles of parts in letters of every game.
const (
	partOrders   = "YOUR ORDERS"
	partEvents   = "WHAT HAPPENED"
	partDecision = "YOUR DECISION"
	partRequest  = "A REQUEST"     // a request of another player, which asks for an answer too
	partMessage  = "MESSAGE FROM " // the beginning of the titles of messages, for example MESSAGE FROM BEN
)

// splitLetter splits a letter at its titles. It drops letterMark at the start and the lines about replying at the end.
func splitLetter(body string) []letterPart {
	for _, footer := range []string{"\nReply to this letter", "\nYou need not reply."} {
		body, _, _ = strings.Cut(body, footer)
	}
	rows := strings.Split(strings.TrimPrefix(body, letterMark), "\n")
	parts := []letterPart{{}}
	for i := 0; i < len(rows); i++ {
		if i+1 < len(rows) && rows[i] != "" && rows[i] == strings.ToUpper(rows[i]) && rows[i+1] == strings.Repeat("-", len([]rune(rows[i]))) {
			parts = append(parts, letterPart{title: rows[i]})
			i++
			continue
		}
		p := &parts[len(parts)-1]
		p.lines = append(p.lines, rows[i])
	}
	return parts
}

func (p letterPart) format() string {
	body := strings.Trim(strings.Join(p.lines, "\n"), "\n")
	if p.title == "" {
		return body
	}
	return p.title + "\n" + strings.Repeat("-", len([]rune(p.title))) + "\n" + body
}

func withoutParts(parts []letterPart, titles ...string) []letterPart {
	return slices.DeleteFunc(slices.Clone(parts), func(p letterPart) bool { return slices.Contains(titles, p.title) })
}

func onlyParts(parts []letterPart, titles ...string) []letterPart {
	return slices.DeleteFunc(slices.Clone(parts), func(p letterPart) bool { return !slices.Contains(titles, p.title) })
}

func joinParts(parts []letterPart) string {
	var out []string
	for _, p := range parts {
		if t := p.format(); t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n\n")
}

// joinLines returns the lines of parts without their titles.
func joinLines(parts []letterPart) string {
	var out []string
	for _, p := range parts {
		out = append(out, p.lines...)
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}
