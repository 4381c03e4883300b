package secretary

import (
	"context"
	"slices"
	"strings"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/templates"
)

// answer is the letter to a member that answers one of his, with what his letter leads to.
type answer struct {
	s      *Secretary
	member *club.Member
	letter adjudicator.Letter
	note   templates.Note
	// offers are orders that the letter offers: a page makes them links.
	offers []string
	// subject says what the letter is about, unsubscribe how to get no more such letters.
	subject, unsubscribe string
	change               club.Change
	// begun are matches that begin with the letter, letters those to others.
	begun   []adjudicator.Beginning
	letters []adjudicator.Dispatch
	// others are matches whose letters are sent again, player is the member if what is his own as
	// a player changes, players are those who were read.
	others  []*adjudicator.Match
	player  *adjudicator.Player
	players players
	// file is attached; proposed means that the letter asks its reader something, forgets that
	// it is the last to him.
	file              []byte
	proposed, forgets bool
	// dropped means that it is not sent, counted that it was looked whether it is.
	dropped, counted bool
	// did means that his letter has changed something.
	did bool
	// refused means that something in it was not done, notDone that nothing was, and why is asked.
	refused, notDone bool
	// orders is how many lines of his letter are no talk.
	orders int
}

// answer begins the answer to a letter of a member.
func (s *Secretary) answer(m *club.Member, l adjudicator.Letter) *answer {
	return &answer{s: s, players: players{}, member: m, letter: l, note: templates.Note{Mark: s.Adjudicator.Post.Mark()}, change: club.Change{Members: []*club.Member{m}}}
}

// says adds paragraphs to the beginning.
func (a *answer) says(paragraphs ...string) { a.note.Says = append(a.note.Says, paragraphs...) }

// part adds a part.
func (a *answer) part(p templates.Part) { a.note.Parts = append(a.note.Parts, p) }

// line says what became of a line of the letter.
func (a *answer) line(text string, came outcome, note string) {
	a.refused = a.refused || came == refused
	a.note.Lines = append(a.note.Lines, templates.Line{Text: letter.Echo(text), Outcome: string(came), Note: note})
}

// outcome is what became of a line of a letter.
type outcome string

// The outcomes.
const (
	done    outcome = "done"
	refused outcome = "refused"
	ignored outcome = "ignored"
	asked   outcome = "not done yet"
	unread  outcome = "not understood"
)

// help adds the page on orders.
func (a *answer) help() {
	a.part(templates.Part{Title: "What you can write", Says: []string{"One order a line:"}, Rows: listed(letter.MemberForms(a.s.Adjudicator.Games))})
}

// listed are forms as rows of a part.
func listed(forms []letter.Form) (rows []string) {
	for _, f := range forms {
		rows = append(rows, f.Order)
		for line := range strings.SplitSeq(templates.Indented(f.Does, "        "), "\n") {
			rows = append(rows, strings.TrimPrefix(line, "    "))
		}
	}
	return rows
}

// dispatch writes the letter. Its number is the member's next.
func (a *answer) dispatch() (d adjudicator.Dispatch, err error) {
	m, adj := a.member, a.s.Adjudicator
	m.Letters++
	token := adjudicator.MemberToken(m.ID, m.Letters)
	key := a.s.key(m)
	d = adjudicator.Dispatch{Addressee: adjudicator.Addressee{To: m.Address, Number: m.Letters}, Heading: adjudicator.Heading{Token: adj.Post.Token(key, token), MessageID: adj.Post.LetterID(key, token), Subject: a.s.Club.Name, Unsubscribe: a.unsubscribe}}
	if a.subject != "" {
		d.Subject += ": " + a.subject
	}
	if a.notDone {
		d.Subject = "Not done yet: " + a.s.Club.Name
	}
	if a.letter.MessageID != "" {
		d.Reply, d.InReplyTo = true, a.letter.MessageID
	}
	d.Body = a.note.Text()
	if a.file != nil {
		d.FileName, d.File = "my-data.json", a.file
	}
	pages := m.Settings.Format != string(match.FormatText)
	return d, adj.Replies.Write(&d, pages, a.offers...)
}

// store writes what the letter leads to, with the answer. Whose is to whom the receipt belongs.
func (a *answer) store(ctx context.Context, whose string, as adjudicator.Disposition) (adjudicator.Disposition, error) {
	adj := a.s.Adjudicator
	c := adjudicator.Change{Receipt: adj.Replies.Receipt(whose, a.letter, as), Club: &a.change, Begun: a.begun}
	d, err := a.dispatch()
	if err != nil {
		return "", err
	}
	if a.forgets {
		a.change.Forgotten = &club.Member{ID: a.member.ID, Address: a.member.Address}
		m := a.member
		m.Name, m.Skeleton, m.State, m.Settings, m.Proposed = m.Pseudonym(), "", club.Forgotten, club.Settings{}, nil
		c.Receipt = nil // Nothing of him is kept; without his address the letter does nothing when it comes again.
	}
	c.Player, c.Others = a.player, a.others
	c.Letters = append([]adjudicator.Dispatch{d}, a.letters...)
	return as, adj.Store.Apply(ctx, c)
}

// tell writes to another member. Offers are orders that the letter offers.
func (a *answer) tell(ctx context.Context, m *club.Member, subject string, n templates.Note, offers ...string) error {
	for _, known := range a.change.Members {
		if known.ID == m.ID {
			m = known // Both letters are counted.
		}
	}
	if m.Address == "" {
		return nil
	}
	other := a.s.answer(m, adjudicator.Letter{})
	n.Mark = other.note.Mark
	other.note, other.subject, other.offers = n, subject, offers
	d, err := other.dispatch()
	if err != nil {
		a.s.log.WarnContext(ctx, "a member cannot be written to", "member", m.ID, "error", err)
		return nil
	}
	a.letters = append(a.letters, d)
	if !slices.Contains(a.change.Members, m) {
		a.change.Members = append(a.change.Members, m)
	}
	return nil
}

// paragraphs are some without a mark above them.
func paragraphs(list ...string) (out string) {
	for _, p := range list {
		out += "\n" + templates.Wrap(p) + "\n"
	}
	return out
}

// indented is what stands apart from the text around it.
func indented(text string) string { return "\n    " + strings.TrimSpace(text) + "\n" }
