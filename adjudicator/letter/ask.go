package letter

import (
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"slices"
	"strings"
	"sync"
)

// inquiry is a way to ask for something in a sentence: it has all words of one of the
// sets in about, and no word that is not in one of those or in with.
type inquiry struct {
	word  Word
	about []string
	with  string
}

// asking words may stand in any question.
const asking = "can could may might would you i we please pls me us the a an again also and now so far thanks afterwards btw by way " +
	"hey wait oh so anyway well then " +
	"want need like to get have has got see show send tell remind give look at of in on is are what whats do does how my your for it that once more just"

// inquiries are what can be asked in a sentence, the first that fits counts.
var inquiries = []inquiry{
	{Word(rules.QueryBigMap), []string{"big map", "large map"}, ""},
	{Word(rules.QueryMap), []string{"map", "board"}, "current"},
	{Word(rules.QueryDiscards), []string{"discard pile", "discards", "discarded"}, "been which cards pile there"},
	{Hand, []string{"my hand", "my cards", "my struggle cards"}, "which still left hold holding am"},
	{Status, []string{"score", "how many cards", "send again", "resend", "who move", "whose turn", "how stand", "deadline", "how much time", "who opponent", "whos opponent"},
		"he she they hold holds have does hand left stands many cards mail letter last it deleted lost by accident whos whose turn move points vp when until next"},
	{History, []string{"what happened", "whats happened"}, "this last turn round turn since game match"},
	{HelpWord, []string{"help", "how write orders", "how do play", "how order", "how move"}, "with should must this works work give orders order write play move"},
}

// request is one set of words by which something is asked for.
type request struct {
	word Word
	need []string
	with map[string]bool
}

// What is asked in a sentence is made for the first letter that may ask.
var (
	requests = sync.OnceValue(func() (out []request) {
		for _, q := range inquiries {
			for _, about := range q.about {
				out = append(out, request{q.word, strings.Fields(about), wordSet(q.with)})
			}
		}
		return out
	})
	polite    = sync.OnceValue(func() map[string]bool { return wordSet(asking) })
	explained = sync.OnceValue(func() map[string]bool {
		return wordSet("say says exactly explain describe mean means work works good text effect event card cards about actually again anyway")
	})
)

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// inquire reads a sentence that asks the referee for something, in other words than those
// of his orders.
func (r *Reader) inquire(sentence string) []Line {
	if len(sentence) > longestInquiry {
		return nil
	}
	words := r.Orders.Words(sentence)
	if len(words) == 0 || len(words) > mostInquiry {
		return nil
	}
	for _, q := range requests() {
		if slices.ContainsFunc(q.need, func(w string) bool { return !slices.Contains(words, w) }) ||
			slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(q.need, w) && !polite()[w] && !q.with[w] }) {
			continue
		}
		if len(words) > len(q.need) && r.knows(q.word) {
			return []Line{{Text: sentence, Kind: HostOrder, Command: Command{Word: q.word}}}
		}
	}
	return append(r.aboutCards(sentence, words), r.aboutRules(sentence, words)...)
}

// A question in a sentence has at most so many words beside what is harmless, and bytes in all.
const (
	mostInquiry    = 16
	longestInquiry = 400
)

// aboutCards reads a question about cards.
func (r *Reader) aboutCards(sentence string, words []string) []Line {
	if !hasCards(r.game) || !slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"what", "whats", "explain", "remind", "tell", "describe"}, w)
	}) {
		return nil
	}
	names, rest := r.Orders.Named(sentence, rules.CardName)
	for _, w := range rest {
		if !polite()[w] && !explained()[w] {
			return nil
		}
	}
	var out []Line
	for _, n := range names {
		out = append(out, Line{Text: sentence, Kind: HostOrder, Command: Command{Word: Card, Name: n}})
	}
	return out
}

// aboutRules reads a question about a part of the rules.
func (r *Reader) aboutRules(sentence string, words []string) []Line {
	if r.topics == nil || slices.Contains(words, "that") || slices.Contains(words, "this") || !slices.Contains(words, "work") && !slices.Contains(words, "works") && !slices.Contains(words, "rules") {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return polite()[w] || slices.Contains([]string{"work", "works", "rules", "explain"}, w)
	})
	o, err := r.topics.Order(string(Rules) + " " + strings.Join(rest, " "))
	if err != nil || len(rest) == 0 {
		return nil
	}
	return []Line{{Text: sentence, Kind: HostOrder, Command: Command{Word: Rules, Text: o.Clauses[0].Items[0].Name.Text}}}
}

// inquired takes the sentences that ask for something out of the talk of a letter, and
// reads what is left of their lines anew.
func (r *Reader) inquired(lines []order.Line) (rest []order.Line, asks []Line) {
	for _, l := range lines {
		_, _, host := r.find(unadorned(l.Text), Question, Asking, Acting)
		if o, err := r.Orders.Order(unadorned(l.Text)); err == nil && entryOf(Word(o.Clauses[0].Word)) != nil {
			host = true
		}
		if l.Enclosed || host || r.Orders.IsOrder(l.Text) && !strings.ContainsAny(l.Text, ".?!:") {
			rest = append(rest, l)
			continue
		}
		var left []string
		sentences := order.Sentences(l.Text)
		for _, s := range sentences {
			if found := r.inquire(s); len(found) > 0 {
				asks = append(asks, found...)
			} else {
				left = append(left, s)
			}
		}
		switch text := strings.TrimSpace(strings.Join(left, " ")); {
		case len(left) == len(sentences):
			rest = append(rest, l)
		case text != "":
			l.Text = text
			rest = append(rest, l)
		}
	}
	return rest, asks
}

// separate puts what stands between two pages that are asked for into one form.
var separate = strings.NewReplacer(",", "\n", "/", "\n", "&", "\n", " and ", "\n", " AND ", "\n")

// each makes a line of each number that a question lists, "CARD 70, 8" and "RESEND 3 and 5".
// Titles are not cut: some have these words in them. CARD has to be in capitals, as "card 36,
// 3" may be a play. HELP and RULES are asked for several pages in the same way.
func (r *Reader) each(lines []order.Line) (out []order.Line) {
	for _, l := range lines {
		word, rest, _ := strings.Cut(l.Text, " ")
		if pages := r.pages(l.Text); pages != nil {
			for _, p := range pages {
				one := l
				one.Text = p
				out = append(out, one)
			}
			continue
		}
		var numbers []string
		if word == string(Card) || strings.EqualFold(word, string(Resend)) {
			numbers = strings.FieldsFunc(rest, func(c rune) bool { return strings.ContainsRune(" ,&", c) })
			numbers = slices.DeleteFunc(numbers, func(w string) bool { return strings.EqualFold(w, "and") })
		}
		if len(numbers) < 2 || len(numbers) > mostAsked || slices.ContainsFunc(numbers, func(w string) bool { return strings.Trim(w, "0123456789") != "" }) {
			out = append(out, l)
			continue
		}
		for _, n := range numbers {
			one := l
			one.Text = word + " " + n
			out = append(out, one)
		}
	}
	return out
}

// pages are the lines that a line comes to which asks for several pages, "HELP PLAY, OPS" and
// "RULES turn and scoring": each of them names one. It is nil for any other line.
func (r *Reader) pages(text string) []string {
	entry, word := HelpWord, ""
	switch word = order.First(text); {
	case strings.EqualFold(word, string(HelpWord)):
	case strings.EqualFold(word, string(Rules)) && r.topics != nil:
		entry = Rules
	default:
		return nil
	}
	_, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimRight(text, " .!?")), " ")
	if !strings.Contains(separate.Replace(rest), "\n") {
		return nil
	}
	if c, _, ok := entryOf(entry).Line(r, r.say(text)); ok && r.isPage(entry, c.Text) {
		return nil // The name of a page may have a comma.
	}
	var out []string
	known := false
	for name := range strings.SplitSeq(separate.Replace(rest), "\n") {
		if name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "and ")); name == "" {
			continue
		}
		one := strings.ToUpper(word) + " " + name
		c, _, ok := entryOf(entry).Line(r, r.say(one))
		if !ok || len(out) == mostAsked {
			return nil
		}
		known = known || r.isPage(entry, c.Text)
		out = append(out, one)
	}
	if !known || len(out) < 2 {
		return nil
	}
	return out
}

// isPage reports whether a page of HELP, or a topic of the rules, has this name.
func (r *Reader) isPage(word Word, name string) bool {
	pages := r.Manual()
	if word == Rules {
		pages = r.game.Topics()
	}
	return slices.ContainsFunc(pages, func(p rules.Topic) bool { return p.Name == name })
}
