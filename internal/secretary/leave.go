package secretary

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/templates"
)

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
	a.line(l.Text, done, "It is attached, as JSON: each table, and in it what concerns you, your letters as they came included. What is hidden from you in matches under way is left out, "+
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
	a.line(l.Text, done, "You have left the club. Your matches go on: answer their letters, or RESIGN there. Your name stays yours, and REGISTER in answer to this letter brings you back. FORGET ME is another thing: write to us again if you want it.")
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
			if err := a.callOff(ctx, o, club.Withdrawn, fmt.Sprintf("Offer %d, which you had accepted, is withdrawn. There will be no match.", o.ID)); err != nil {
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
		a.line(l.Text, refused, "You play matches that are not over: "+templates.List(ids)+". End them first, with RESIGN or ABORT in answer to their letters, or DECLINE where they have not begun; they need you, and your address.")
		return nil
	}
	a.propose(club.Proposed{Word: string(letter.ForgetMe)})
	a.line(l.Text, asked, fmt.Sprintf("All that is stored about you would be deleted: your name, your address, your letters and what you have set. Matches that are over stay, "+
		"with the words that you gave for their dice, without which nobody could check them; there you are called %s. It cannot be undone. MY DATA sends it all to you before.\nIf you mean this, reply to this letter with YES.", a.member.Pseudonym()))
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
	a.note.Ask = &templates.Ask{Question: adjudicator.MeansOrder(len(rows)), Orders: rows, Taps: []string{string(letter.Yes), string(letter.No)}}
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
		a.line(l.Text, refused, "Your letter went to another address as well, so this does not count. Write the order again, to the referee alone.")
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
