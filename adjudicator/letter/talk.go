package letter

import (
	"fmt"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"slices"
	"strings"
)

// lone are lines that ask, each with the order that answers it. None of those does anything.
var lone = map[string]Word{
	"score": Status, "scores": Status, "the score": Status, "vp": Status, "vps": Status, "points": Status, "victory points": Status, "standing": Status, "standings": Status,
	"time": Status, "times": Status, "clock": Status, "clocks": Status, "deadline": Status, "deadlines": Status, "who": Status, "turn": Status, "move": Status,
	"legal": Status, "options": Status, "legal moves": Status, "legal orders": Status, "what now": Status, "now what": Status, "state": Status, "refresh": Status,
	"log": History, "journal": History, "moves": History, "board": Word(rules.QueryMap), "cards": Hand,
}

// knows reports whether the game's matches know an order.
func (r *Reader) knows(w Word) bool {
	e := entryOf(w)
	return e.In == nil || e.In(r.game)
}

// notTaken is why a line is no order.
func (r *Reader) notTaken(line string) string {
	words := r.Orders.Texts(line)
	for _, k := range r.keywords {
		if !k.Verb || len(words) == 0 || words[0] != order.First(k.Word) || len(words) < len(strings.Fields(k.Word)) {
			continue
		}
		if _, err := r.Orders.Order(line); err != nil {
			return "It was not taken as an order. " + Sentence(err)
		}
	}
	if _, bare := order.Number(line); bare {
		return "A number alone does not answer what is asked."
	}
	if w := r.Orders.Exact(line); w != "" {
		return notExact(w)
	}
	if len(words) > 0 && strings.HasPrefix(strings.TrimSpace(line), string(Open)) && words[0] == "open" {
		return "The match has begun, and all words are open."
	}
	if word, ok := elsewhere[strings.Join(words[:min(1, len(words))], "")]; ok && len(words) < 4 && (word != givesUp || len(words) == 1 || ofMatch[words[len(words)-1]]) {
		return "Here that is " + word + "."
	}
	if how := wished(words); how != "" {
		return "It was not taken as an order. " + how
	}
	return NotUnderstood
}

// NotUnderstood is said of a line that is no order in any way that is known. Answers to letters leave it out.
const NotUnderstood = "It was not understood as an order. HELP shows how orders are written."

// wished says how what is told in a sentence is written, where that is known by a few of its words.
func wished(words []string) string {
	said := " " + strings.Join(words, " ") + " "
	switch {
	case len(words) >= 4 && slices.ContainsFunc(words, func(w string) bool { return elsewhere[w] == vacationForm }):
		return "To stop your clocks while you are away, write " + vacationForm + "."
	case strings.Contains(said, " give up ") || strings.Contains(said, " giving up "):
		return "To give the match up, write " + string(Resign) + "; you are asked once whether you mean it."
	case strings.Contains(said, " take back ") || strings.Contains(said, " undo "):
		return "To take an order back, write " + string(TakeBack) + ", which asks the other side."
	}
	return ""
}

// notExact is notTaken of a line that has a word which is an order only where it stands as it is.
func notExact(w string) string {
	const no = "It is not an order."
	if e := entryOf(Word(w)); e != nil && e.Alone && len(e.Help) > 0 {
		return no + " " + e.Help[0].Order + ", alone on its line, " + e.Help[0].Does + "."
	}
	return no + " " + w + " counts only as it is written, on a line of its own."
}

// elsewhere are words of other referees and programs, and what they are here.
var elsewhere = map[string]string{
	"undo": "TAKEBACK, which asks the other side", "revert": "TAKEBACK, which asks the other side", "log": "HISTORY", "luck": "STATS", "odds": "STATS", "journal": "HISTORY", "moves": "HISTORY",
	"draw": "DRAW, on a line of its own, where the game knows agreed draws", "tie": "DRAW, where the game knows agreed draws", "vacation": vacationForm,
	"holiday": vacationForm, "holidays": vacationForm, "quit": givesUp, "exit": givesUp, "leave": givesUp, "forfeit": givesUp,
	"surrender": givesUp, "press": "MESSAGE ... END MESSAGE", "say": "MESSAGE ... END MESSAGE", "chat": "MESSAGE ... END MESSAGE",
	"tell": "MESSAGE ... END MESSAGE", "board": "MAP", "state": "STATUS", "info": "STATUS or HELP", "refresh": "STATUS", "wait": "GRACE, which holds your orders back",
	"manual": "HELP and RULES", "commands": "HELP", "text": "FORMAT TEXT", "calendar": "FORMAT CALENDAR",
	"format": "FORMAT with TEXT, HTML, PICTURE, CALENDAR, QUIET, NORMAL, LOUD, UTF8 or ASCII behind it", "timezone": "TIMEZONE Europe/Warsaw", "html": "FORMAT HTML", "cards": "HAND or DISCARDS", "show": "STATUS, HAND, MAP or DISCARDS",
	"unsubscribe": fewer, "stop": fewer,
}

// givesUp is for whoever leaves a match, and ofMatch are the words that say so behind others: "leave Krakow" does not.
const givesUp = "RESIGN, which gives the match up"

var ofMatch = map[string]bool{"match": true, "game": true, "now": true, "please": true}

// fewer is for whoever wants no more letters.
const fewer = "FORMAT QUIET, which stops letters that ask nothing; RESIGN gives the match up, and ASK writes to the operator"

// questioned says why who asks is asked back.
const questioned = "It ends with a question mark."

// Sentence makes an error read like a sentence.
func Sentence(err error) string {
	t := strings.TrimSpace(err.Error())
	if t == "" {
		return ""
	}
	t = strings.ToUpper(t[:1]) + t[1:]
	if !strings.ContainsAny(t[len(t)-1:], ".!?") {
		t += "."
	}
	return t
}

// mostEchoed is how much of a line is repeated to its writer: a long letter must not get
// a longer answer.
const mostEchoed = 240

// Echo shortens a line that is repeated to its writer. What is left out is shown otherwise than
// by dots alone, which its writer may have put there himself, and which no order has.
func Echo(line string) string {
	r := []rune(line)
	if len(r) <= mostEchoed {
		return line
	}
	cut := string(r[:mostEchoed])
	if end := strings.LastIndexByte(cut, ' '); end > len(cut)/2 && r[mostEchoed] != ' ' {
		cut = cut[:end] // No word is cut in two.
	}
	return strings.TrimSpace(cut) + " [...]"
}

// short reads lines that leave the verb to the question: "2" where the answers are
// numbered, the number of a card where a card is asked, "2 in Gdansk, Lodz" where
// points are. Only the question of the letter that is answered counts, never a later one.
type short struct {
	r *Reader
	// order is set when an order stands above: then a short line would answer a
	// question that its writer has not seen.
	order    bool
	asked    func() (Asked, error)
	question *Asked
}

// read reads a line that may be a short answer, and reports whether it is one, or is
// refused as one.
func (s *short) read(l *Line, o order.Line) (done bool, err error) {
	n, bare := order.Number(o.Text)
	if s.asked == nil || !bare {
		return false, nil
	}
	if s.question == nil {
		q, err := s.asked()
		if err != nil {
			return false, err
		}
		s.question = &q
	}
	q := s.question
	switch {
	case s.order && q.Open != nil && q.Forms != nil:
		l.Kind, l.Why = Unreadable, "A number alone answers the question of the letter, and an order for it stands above."
	case !s.order && q.Closed != "":
		l.Kind, l.Why = Unreadable, q.Closed
	case s.order || q.Open == nil:
	case q.Forms != nil:
		err = s.numbered(l, n)
	}
	return l.Kind != Talk, err
}

// numbered takes a number for the answer that bears it.
func (s *short) numbered(l *Line, n int) error {
	forms := s.question.Forms
	if n < 1 || n > len(forms) {
		l.Kind, l.Why = Unreadable, fmt.Sprintf("The answers are numbered from 1 to %d.", len(forms))
		return nil
	}
	said, err := s.r.Orders.Order(forms[n-1])
	if err != nil {
		return fmt.Errorf("read the numbered answer %q: %w", forms[n-1], err)
	}
	s.r.ordered(l, said)
	return nil
}
