package adjudicator

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/command"
	"samizdat/rules"
	"samizdat/templates"
)

// Help implements command.Host. The pages are parts of the answer: what can be written,
// and examples that answer what the writer is asked, made of what he sees.
func (s host) Help(name string) (command.Outcome, error) {
	s.help = true
	q, pages := rules.Query(command.HelpWord), s.a.readers[s.game.Name()].Manual
	if i := slices.IndexFunc(pages, func(p rules.Topic) bool { return p.Name == name }); i >= 0 {
		s.add(q, "Help: "+name, laidOut(pages[i].Text))
		if lines := s.examples(&pages[i]); lines != nil {
			s.add(q, "Examples for "+name, lines)
		}
		return command.Done("It stands below.")
	}
	if name != "" {
		return command.Done(fmt.Sprintf("There is no page on %q. %s", command.Echo(name), pageList(pages)))
	}
	s.add(q, "How to write orders", laidOut(s.overview(pages)))
	if lines := s.examples(nil); lines != nil {
		s.add(q, "Examples", lines)
	}
	var table []string
	for _, f := range command.Help(s.game) {
		table = append(table, wrapped(f.Does, pad(f.Order), strings.Repeat(" ", orderWidth))...)
	}
	s.add(q, "Orders in every match", append(table, "",
		"A match cannot be given up by mail. What stands between the lines MESSAGE", "and END MESSAGE is passed on to the other players, and never read as orders."))
	return command.Done("Help is below.")
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
		`first that is refused stops the letter. Talk is ignored.`
	text += "\nOrders of the game begin with: " + strings.Join(command.Verbs(s.game), ", ") + "."
	return text + "\n" + pageList(pages) + " HELP " + command.Whole + " sends everything on orders, some ten pages."
}

// orderWidth is the width of the column of orders.
const orderWidth = 17

// pad begins the row of an order in the table.
func pad(order string) string {
	return "    " + order + strings.Repeat(" ", max(1, orderWidth-4-len(order)))
}

// examples are whole answers to what the writer is asked, each with what it means; of a
// page only those that it is about. Nothing where nothing of the sort is asked.
func (s host) examples(page *rules.Topic) []string {
	if s.pos == nil {
		return nil
	}
	reader, view := s.a.readers[s.game.Name()], s.pos.View(s.seat)
	var out []string
	for _, d := range s.owed(s.seat) {
		forms := s.game.Prompt(view, d, s.pos.Options(nil, d.ID)).Forms
		if page != nil {
			forms = reader.Forms(*page, forms)
		}
		for _, form := range forms {
			meaning, ok := s.meaning(reader, view, d, form)
			if !ok {
				continue
			}
			out = append(out, wrapped(form, "    ", "      ")...)
			if meaning != "" {
				out = append(out, wrapped(meaning, "      ", "      ")...)
			}
		}
	}
	if out == nil {
		return nil
	}
	return append([]string{"These answer what is asked of you now. Each can be sent as it stands.", ""}, out...)
}

// meaning is what an order means in the game's words, if it has any. An order that would
// have to be confirmed is no example.
func (s host) meaning(reader *command.Reader, view rules.View, d rules.Decision, form string) (meaning string, ok bool) {
	o, err := reader.Orders.Order(form)
	if err != nil {
		return "", false
	}
	answers, err := s.game.Answers(o, []rules.Decision{d})
	if err != nil || s.rash(answers[0]) != "" {
		return "", false
	}
	if guide, is := s.game.(rules.Guide); is {
		meaning = guide.Meaning(view, d, answers)
	}
	return meaning, true
}

// laidOut lays a text out: a paragraph a line, entries with a dash, and what is indented
// as it stands.
func laidOut(text string) []string {
	var out []string
	var before string
	for line := range strings.SplitSeq(text, "\n") {
		listed := strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "    ")
		if before != "" && !(listed && line[:2] == before[:min(2, len(before))]) {
			out = append(out, "")
		}
		before = line
		switch {
		case strings.HasPrefix(line, "- "):
			out = append(out, wrapped(line[2:], "- ", "  ")...)
		case listed:
			out = append(out, wrapped(line, "    ", "      ")...)
		default:
			out = append(out, strings.Split(templates.Wrap(line), "\n")...)
		}
	}
	return slices.Clip(out)
}
