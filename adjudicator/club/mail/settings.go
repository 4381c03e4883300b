package clubmail

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/zone"
	"samizdat/templates"
)

// settings shows what the writer has set.
func (a *answer) settings(ctx context.Context, _ letter.Line) error {
	m := a.member
	player, err := a.s.Store.Player(ctx, m.ID)
	if err != nil {
		return err
	}
	in := m.Zone
	if in == "" {
		in = zone.UTC
	}
	format := m.Settings.Format
	if format == "" {
		format = "as the club sends them"
	}
	blocked, err := a.blocked(ctx)
	if err != nil {
		return err
	}
	rows := [][]string{
		{"NAME", m.Name},
		{"MOST", pluralEs(m.Most(a.s.Club), "match") + " at once"},
		{"TIMEZONE", fmt.Sprintf("%s. It is %s", in, zone.FormatTime(a.s.now(), m.Zone))},
		{"FORMAT", format},
		{"DIGEST", cmp.Or(string(m.Settings.Digest), "off")},
		{"BLOCK", cmp.Or(strings.Join(blocked, ", "), "nobody")},
		{"ADDRESS", m.Address},
	}
	a.part(templates.Part{Title: "Your settings", Rows: templates.Columns(rows), Says: []string{a.s.Adjudicator.Vacations(player), "Each is changed by a line of its name, such as MOST 5. " +
		"FORMAT in an answer to a match changes that one. Nobody else is shown your address or your time zone."}})
	return nil
}

// most changes how many matches the writer plays at once.
func (a *answer) most(_ context.Context, l letter.Line) error {
	if n := l.Command.Number; n > a.s.Club.MostMatches {
		a.line(l.Text, refused, fmt.Sprintf("The club lets nobody play more than %d matches at once.", a.s.Club.MostMatches))
	} else {
		a.member.Settings.Most, a.did = n, true
		a.line(l.Text, done, fmt.Sprintf("You play %s at once at most. Those that have begun go on.", pluralEs(n, "match")))
	}
	return nil
}

func pluralEs(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ses", n, what)
}

// rename changes what the writer is called.
func (a *answer) rename(ctx context.Context, l letter.Line) error {
	name, skeleton, err := club.Called(l.Command.As, a.s.seats())
	if err != nil {
		a.line(l.Text, refused, match.Sentence(err)+" You are called "+a.member.Name+", as before.")
		return nil
	}
	taken, err := a.s.Store.MemberLike(ctx, skeleton)
	switch {
	case err != nil:
		return err
	case taken != nil && taken.ID != a.member.ID:
		a.line(l.Text, refused, fmt.Sprintf("Somebody is called %s already, or so nearly that you would be taken for each other. "+
			"You are called %s, as before.", name, a.member.Name))
		return nil
	}
	a.member.Name, a.member.Skeleton, a.did = name, skeleton, true
	a.line(l.Text, done, "You are called "+name+" from now on. Matches that have begun keep the name that they have.")
	return nil
}

// address shows or changes where the writer's letters go, in the club and in his matches.
func (a *answer) address(ctx context.Context, l letter.Line) error {
	c := l.Command
	switch {
	case c.Text != "" && a.letter.Shared:
		a.line(l.Text, refused, "Your letter went to another address as well, so this does not count. "+
			"Write the order again, to the referee alone.")
		return nil
	case c.Text != "" && (a.orders > 1 || l.Text != a.s.reader.Read(a.letter.Orders)[0].Text):
		a.line(l.Text, refused, "ADDRESS counts only in the first line of a letter that has no other order. Your letters go where they went.")
		return nil
	}
	seats, err := a.s.Store.SeatsOf(ctx, a.member.ID)
	if err != nil {
		return err
	}
	switch {
	case len(seats) > 0:
	case c.Choice != "" && c.Text == "":
		a.line(l.Text, done, "Nothing is asked for, and nothing changes.")
		return nil
	case c.Text == "":
		a.line(l.Text, done, "Your letters go to "+a.member.Address+".")
		return nil
	default:
		a.line(l.Text, refused, "You have played no match yet, so there is nothing that would have to move. "+
			"Write FORGET ME here, and then REGISTER from the other address. Your letters go to "+a.member.Address+".")
		return nil
	}
	at := seats[0]
	for _, s := range seats {
		if s.State == match.Playing {
			at = s
		}
	}
	p, err := a.own(ctx)
	if err != nil {
		return err
	}
	out, changed, letters, err := a.s.Adjudicator.Address(ctx, p, at, a.letter, c)
	if err != nil {
		return err
	}
	came := done
	if changed {
		a.players[a.member.ID], a.player, a.did = p, p, true
		a.letters = append(a.letters, letters...)
	} else if c.Text != "" {
		came = refused
	}
	if changed && c.Choice != "" {
		// Somebody else may have asked, with a letter of his.
		a.member.Serial++
		out.Note += " The address that you answer to has changed: reply to this letter, older ones no longer count."
	}
	a.line(l.Text, came, out.Note)
	return nil
}

// own is the member as a player, as his letter has changed him so far.
func (a *answer) own(ctx context.Context) (*match.Player, error) {
	if known := a.players[a.member.ID]; known != nil {
		return known, nil
	}
	return a.s.Store.Player(ctx, a.member.ID)
}

// timeZone changes in which zone times are written.
func (a *answer) timeZone(ctx context.Context, l letter.Line) error {
	p, err := a.own(ctx)
	if err != nil {
		return err
	}
	p.Zone, a.member.Zone = l.Command.Text, l.Command.Text
	a.players[a.member.ID], a.player, a.did = p, p, true
	a.line(l.Text, done, fmt.Sprintf("The times in your letters are those of %s. It is %s. "+
		"Nobody else is told.", p.Zone, zone.FormatTime(a.s.now(), p.Zone)))
	return nil
}

// vacation plans or ends a vacation of the writer, or shows what is planned.
func (a *answer) vacation(ctx context.Context, l letter.Line) error {
	p, err := a.own(ctx)
	if err != nil {
		return err
	}
	note, changed, letters, others, err := a.s.Adjudicator.Vacation(ctx, p, l.Command, a.others)
	if err != nil {
		return err
	}
	came := done
	if changed {
		a.players[a.member.ID], a.player, a.did = p, p, true
		a.others, a.letters = others, append(a.letters, letters...)
	} else if l.Command.Choice != "" {
		came = refused
	}
	a.line(l.Text, came, note)
	return nil
}

// format changes what the writer's letters are.
func (a *answer) format(_ context.Context, l letter.Line) error {
	a.member.Settings.Format, a.did = strings.ToLower(l.Command.Text), true
	said := map[match.Format]string{
		match.FormatText: "text only", match.FormatHTML: "text with a page beside it, without pictures", match.FormatPicture: "text with a page beside it, and a picture of the map",
	}[match.Format(a.member.Settings.Format)]
	a.line(l.Text, done, "The letters of the club, and of matches that begin from now on, are "+said+".")
	return nil
}

// myData attaches all that is stored about the writer.
func (a *answer) myData(ctx context.Context, l letter.Line) error {
	if a.file != nil {
		a.line(l.Text, ignored, "Once is enough.")
		return nil
	}
	data, err := a.s.Store.DataOf(ctx, a.member.ID)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(text); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if a.file = packed.Bytes(); len(text) > mostAttached {
		a.file = nil
		a.line(l.Text, refused, fmt.Sprintf("It has %d MB, which is too much for a letter. Ask the operator for it.", len(text)>>20))
		return nil
	}
	a.line(l.Text, done, "It is attached, as JSON: each table, and in it what concerns you, your letters as they came included. "+
		"What is hidden from you in matches under way is left out, "+
		"and so are the keys that make your tokens.")
	return nil
}

// mostAttached is how many bytes a file has at most that is attached.
const mostAttached = 8 << 20

// leave lets the writer leave the club. His matches go on, and his name stays his.
func (a *answer) leave(ctx context.Context, l letter.Line) error {
	if err := a.retire(ctx, a.member); err != nil {
		return err
	}
	a.member.State, a.did = club.Left, true
	a.log(a.member.ID, byMember, "has left", "")
	a.line(l.Text, done, "You have left the club. Your matches go on: answer their letters, or RESIGN there. "+
		"Your name stays yours, and REGISTER in answer to this letter brings you back. FORGET ME is another thing: "+
		"write to us again if you want it.")
	return nil
}

// retire takes back all that a member offers or waits for.
func (a *answer) retire(ctx context.Context, m *club.Member) error {
	open, err := a.openOffers(ctx)
	if err != nil {
		return err
	}
	for _, o := range open {
		switch {
		case o.By() == m.ID:
			if err := a.callOff(ctx, o, club.Withdrawn, fmt.Sprintf("Offer %d, which you had accepted, is withdrawn. "+
				"There will be no match.", o.ID)); err != nil {
				return err
			}
		case o.Has(m.ID):
			o.Parties = drop(o.Parties, m.ID)
			a.keepOffer(o)
		}
	}
	a.unqueue(m.ID, "")
	return nil
}

// unqueue lets a member wait no more to be paired, in a game or in all, whatever his letter has
// said before.
func (a *answer) unqueue(member int64, game string) {
	a.change.Queued = slices.DeleteFunc(a.change.Queued, func(q club.Queued) bool { return q.Member == member && (game == "" || q.Terms.Game == game) })
	a.change.Unqueued = append(a.change.Unqueued, club.Queued{Member: member, Terms: club.Terms{Game: game}})
}

func drop(parties []club.Party, member int64) (out []club.Party) {
	for _, p := range parties {
		if p.Member != member {
			out = append(out, p)
		}
	}
	return out
}

// forgetMe asks the writer whether he means it.
func (a *answer) forgetMe(ctx context.Context, l letter.Line) error {
	seats, err := a.s.running(ctx, a.member.ID)
	if err != nil {
		return err
	}
	if len(seats) > 0 {
		var ids []string
		for _, at := range seats {
			ids = append(ids, at.Match)
		}
		a.line(l.Text, refused, "You play matches that are not over: "+match.List(ids)+". End them first, with RESIGN or ABORT in answer "+
			"to their letters, or DECLINE where they have not begun; they need you, and your address.")
		return nil
	}
	a.propose(club.Proposed{Word: string(letter.ForgetMe)})
	a.line(l.Text, asked, fmt.Sprintf("All that is stored about you would be deleted: "+
		"your name, your address, your letters and what you have set. Matches that are over stay, "+
		"with the words that you gave for their dice, without which nobody could check them; there you are called %s. It cannot be undone. "+
		"MY DATA sends it all to you before.\nIf you mean this, reply to this letter with YES.", a.member.Pseudonym()))
	return nil
}

// propose notes what the letter that is being written asks.
func (a *answer) propose(p club.Proposed) {
	p.Number, p.Asked = a.member.Letters+1, a.s.now().UTC()
	a.member.Proposed, a.proposed = &p, true
	a.offers = append(a.offers, string(letter.Yes), string(letter.No))
}

// asksBack asks whether the writer means the orders of a letter in which something was not understood;
// nothing but questions is carried out.
func (a *answer) asksBack(ctx context.Context, lines []letter.Line) error {
	var rows []string
	for _, l := range lines {
		switch {
		case l.Kind == letter.Talk:
			a.line(l.Text, unread, "")
		case l.Kind == letter.HostOrder && l.Command.Asks():
			if err := a.do(ctx, l); err != nil {
				return err
			}
		case l.Kind == letter.HostOrder && !l.Is(letter.Yes) && !l.Is(letter.No):
			rows = append(rows, l.Text)
		}
	}
	a.refused, a.notDone = true, true
	if slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.HostOrder && a.aloneOnly(l) }) {
		a.says("Not done yet. Write " + strings.Join(rows, ", and ") + " in a letter of its own.")
		return nil
	}
	a.note.Ask = &templates.Ask{Question: compose.MeansOrder(len(rows)), Orders: rows, Taps: []string{string(letter.Yes), string(letter.No)}}
	a.propose(club.Proposed{Orders: strings.Join(rows, "\n")})
	return nil
}

// aloneOnly reports whether an order counts only in a letter that says nothing else: what cannot be undone,
// and where letters go.
func (a *answer) aloneOnly(l letter.Line) bool {
	return l.Is(letter.ForgetMe) || l.Is(letter.Leave) || l.Is(letter.Address) && l.Command.Text != ""
}

// yes takes the answer to what the writer was asked last.
func (a *answer) yes(ctx context.Context, l letter.Line) error {
	p := a.member.Proposed
	switch {
	case a.letter.Shared:
		a.line(l.Text, refused, "Your letter went to another address as well, so this does not count. "+
			"Write the order again, to the referee alone.")
		return nil
	case a.orders > 1 || !p.Good(a.letter.Token.Number, a.s.now()):
		a.line(l.Text, refused, "There is nothing that YES answers. It counts in answer to the letter that asks, alone, and for a week.")
		return nil
	}
	a.member.Proposed = nil
	if p.Word != string(letter.ForgetMe) {
		return fmt.Errorf("nothing confirms %s", p.Word)
	}
	seats, err := a.s.running(ctx, a.member.ID)
	if err != nil {
		return err
	}
	if len(seats) > 0 {
		a.line(l.Text, refused, "You play matches that are not over, so you are not forgotten.")
		return nil
	}
	if err := a.retire(ctx, a.member); err != nil {
		return err
	}
	a.forgets = true
	a.did = true
	a.log(a.member.ID, byMember, "has been forgotten", "")
	a.line(l.Text, done, "You are forgotten. This is the last letter; the note that it was sent to you is deleted some weeks later. Farewell.")
	return nil
}

// no drops what the writer was asked.
func (a *answer) no(_ context.Context, l letter.Line) error {
	if a.member.Proposed == nil {
		a.line(l.Text, refused, "There is nothing that NO answers.")
		return nil
	}
	a.member.Proposed, a.did = nil, true
	a.line(l.Text, done, "Nothing is done.")
	return nil
}

// log adds what was done to the log that members can read.
func (a *answer) log(member int64, by, act, why string) {
	a.change.Log = append(a.change.Log, club.LogEntry{At: a.s.now(), Member: member, By: by, Act: act, Why: why})
}

// showLog shows the log.
func (a *answer) showLog(ctx context.Context, _ letter.Line) error {
	entries, err := a.s.Store.ClubLog(ctx, mostLogged)
	if err != nil {
		return err
	}
	var rows []string
	for _, e := range entries {
		act := strings.ToUpper(e.Act[:1]) + e.Act[1:]
		if e.Member != 0 {
			m, err := a.s.Store.Member(ctx, e.Member)
			if err != nil {
				return err
			}
			if m != nil {
				act = m.Name + " " + e.Act
			}
		}
		row := day(e.At) + ": " + act
		if e.By != byMember {
			row += ", by " + e.By
		}
		if e.Why != "" {
			row += ": " + strings.TrimRight(e.Why, ".")
		}
		rows = append(rows, row+".")
	}
	a.part(templates.Part{Title: "What was done", Rows: rows})
	return nil
}

const (
	// mostLogged is how many entries of the log a letter shows, the newest.
	mostLogged = 60
	byDirector = "the director"
	byMember   = "member"
)
