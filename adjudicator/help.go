package adjudicator

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/rules"
	"samizdat/templates"
)

// Help implements letter.Host. The pages are parts of the answer: what can be written,
// and examples that answer what the writer is asked, made of what he sees.
func (s host) Help(name string) (letter.Outcome, error) {
	s.j.reply.help = true
	q, pages := rules.Query(letter.HelpWord), s.j.play.a.readers[s.j.turn.game.Name()]().Manual()
	if i := slices.IndexFunc(pages, func(p rules.Topic) bool { return p.Name == name }); i >= 0 {
		s.j.explain(q, "Help: "+name, pages[i].Text)
		s.examples("Examples for "+name, &pages[i])
		return letter.Done("It stands below.")
	}
	if name != "" {
		if about := s.aboutCard(name); about != "" {
			return letter.Done(about)
		}
		if text := letter.Mentions(name); text != "" {
			s.j.explain(q, "Help: "+strings.ToUpper(letter.Echo(name)), text)
			return letter.Done("It stands below.")
		}
		if topic := s.topicOf(name); topic != "" {
			return letter.Done(fmt.Sprintf("Pages of HELP are on orders. RULES %s tells of the game.", topic))
		}
		return letter.Done(fmt.Sprintf("There is no page on %q. %s", letter.Echo(name), pageList(pages)))
	}
	s.j.explain(q, "How to write orders", s.overview(pages))
	s.examples("Examples", nil)
	s.table()
	return letter.Done("Help is below.")
}

// aboutCard tells of the card whose number somebody asks HELP for; empty where it is none.
func (s host) aboutCard(name string) string {
	cards, ok := s.j.turn.game.(rules.Cards)
	if _, err := strconv.ParseUint(name, 10, 16); !ok || err != nil || s.j.turn.pos == nil {
		return ""
	}
	o, err := s.j.play.a.readers[s.j.turn.game.Name()]().Orders.Order(string(letter.Card) + " " + name)
	if err != nil || len(o.Clauses) != 1 || len(o.Clauses[0].Items) != 1 {
		return ""
	}
	return strings.Join(cards.About(s.j.turn.pos.View(s.j.play.seat), o.Clauses[0].Items[0].Name), "\n")
}

// topicOf is the topic of the game's rules that somebody asks HELP for; empty where it is none.
func (s host) topicOf(name string) string {
	library, ok := s.j.turn.game.(rules.Librarian)
	if !ok {
		return ""
	}
	for _, t := range library.Topics() {
		if slices.ContainsFunc(append([]string{t.Name}, t.Aliases...), func(n string) bool { return strings.EqualFold(n, name) }) {
			return t.Name
		}
	}
	return ""
}

// table lists the orders that every match understands.
func (s host) table() {
	const last = "What stands between the lines MESSAGE and END MESSAGE is passed on to the other " +
		"players, and never read as orders."
	var lines []string
	var blocks []rules.Block
	for _, f := range letter.Help(s.j.turn.game) {
		lines = append(lines, wrapped(f.Does, pad(f.Order), strings.Repeat(" ", orderWidth))...)
		blocks = append(blocks, rules.Block{Lead: f.Order, Text: f.Does})
	}
	lines = append(append(lines, ""), strings.Split(templates.Wrap(last), "\n")...)
	s.j.add(rules.Query(letter.HelpWord), "Orders in every match", lines, append(blocks, rules.Block{Text: last}))
}

// pageList names the pages.
func pageList(pages []rules.Topic) string {
	var names []string
	for _, p := range pages {
		names = append(names, p.Name)
	}
	return "There are pages on: " + strings.Join(names, ", ") + ". Write HELP and one of these."
}

// overview says how orders are written, and what there is to read of them.
func (s host) overview(pages []rules.Topic) string {
	text := `Write one order a line, above the first line of this letter. Capitals and accents do not matter; names may be shortened as long ` +
		`as only one thing can be meant, and what has a number may be given by its number. Lines are carried out from the top; the ` +
		`first that is refused stops the letter. Talk that can change none of it is left alone; beside other talk you are asked first.`
	text += "\nOrders of the game begin with: " + strings.Join(letter.Verbs(s.j.turn.game), ", ") + "."
	return text + "\n" + pageList(pages) + " HELP " + letter.Whole + " sends everything on orders, some ten pages."
}

// orderWidth is the width of the column of orders.
const orderWidth = 17

// pad begins the row of an order in the table.
func pad(order string) string {
	return "    " + order + strings.Repeat(" ", max(1, orderWidth-4-len(order)))
}

// examples tells whole answers to what the writer is asked, each with what it means; of a
// page only those that it is about, or what the game shows where nothing of the sort is asked.
func (s host) examples(title string, page *rules.Topic) {
	if s.j.turn.pos == nil {
		return
	}
	reader, view := s.j.play.a.readers[s.j.turn.game.Name()](), s.j.turn.pos.View(s.j.play.seat)
	const head = "These answer what is asked of you now. Each can be sent as it stands."
	lines, blocks := []string{head, ""}, []rules.Block{{Text: head}}
	for _, d := range s.j.turn.owed(s.j.play.seat) {
		forms := s.j.turn.game.Prompt(view, d, s.j.turn.pos.Options(nil, d.ID)).Forms
		if page != nil {
			forms = reader.Forms(*page, forms)
		}
		for _, form := range forms {
			meaning, ok := s.meaning(reader, view, d, form)
			if !ok {
				continue
			}
			lines = append(lines, wrapped(form, "    ", "      ")...)
			if meaning != "" {
				lines = append(lines, wrapped(meaning, "      ", "      ")...)
			}
			blocks = append(blocks, rules.Block{Lead: form, Text: meaning})
		}
	}
	if len(blocks) == 1 && page != nil {
		lines, blocks = s.samples(*page)
	}
	if len(blocks) > 1 {
		s.j.add(rules.Query(letter.HelpWord), title, lines, blocks)
	}
}

// samples are the examples of a page while nothing is asked that it is about.
func (s host) samples(page rules.Topic) (lines []string, blocks []rules.Block) {
	g, ok := s.j.turn.game.(rules.Exemplar)
	if !ok {
		return nil, nil
	}
	out, reader := g.Samples(s.j.turn.pos.View(s.j.play.seat), page), s.j.play.a.readers[s.j.turn.game.Name()]()
	lines = append(strings.Split(templates.Wrap(out.Head), "\n"), "")
	blocks = []rules.Block{{Text: out.Head}}
	for _, o := range out.Orders {
		if len(reader.Forms(page, []string{o.Order})) == 0 {
			continue
		}
		lines = append(lines, wrapped(o.Order, "    ", "      ")...)
		lines = append(lines, wrapped(o.Meaning, "      ", "      ")...)
		blocks = append(blocks, rules.Block{Lead: o.Order, Text: o.Meaning})
	}
	return lines, blocks
}

// meaning is what an order means in the game's words, if it has any. An order that would
// have to be confirmed is no example.
func (s host) meaning(reader *letter.Reader, view rules.View, d rules.Decision, form string) (meaning string, ok bool) {
	o, err := reader.Orders.Order(form)
	if err != nil {
		return "", false
	}
	answers, err := s.j.turn.game.Answers(o, []rules.Decision{d})
	if err != nil || s.j.rash(answers[0]) != "" {
		return "", false
	}
	if guide, is := s.j.turn.game.(rules.Guide); is {
		meaning = guide.Meaning(view, d, answers)
	}
	return meaning, true
}

// explain puts a text into the answer, once: a paragraph a line, entries with a dash, and what
// is indented as it stands.
func (j *adjudication) explain(q rules.Query, title, text string) {
	var lines []string
	var blocks []rules.Block
	before := ""
	for line := range strings.SplitSeq(text, "\n") {
		dash, code := strings.HasPrefix(line, "- "), strings.HasPrefix(line, "    ")
		alike := dash && strings.HasPrefix(before, "- ") || code && strings.HasPrefix(before, "    ")
		if before != "" && !alike {
			lines = append(lines, "")
		}
		before = line
		switch {
		case dash:
			lines = append(lines, wrapped(line[2:], "- ", "  ")...)
		case code:
			lines = append(lines, wrapped(line, "    ", "      ")...)
		default:
			lines = append(lines, strings.Split(templates.Wrap(line), "\n")...)
		}
		blocks = append(blocks, rules.Block{Text: strings.TrimSpace(line)})
	}
	j.add(q, title, lines, blocks)
}
