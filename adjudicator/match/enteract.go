package match

import (
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// EnterAct carries out an act (a change other than an answer, e.g. a resignation) and adds its entry. The act may pause
// or end the match, or return to the position before the entry with the number entry.FirstTakenBack.
func (p *Execution) EnterAct(ctx context.Context, entry record.Entry) error {
	pos, act := p.Turn.After, entry.Act
	at := p.Turn.Now.Truncate(time.Second)
	p.Turn.Match.ApplyPause(act, at)
	switch {
	case act.Kind == record.Undo:
		var err error
		if pos, err = p.rewind(ctx, entry.FirstTakenBack); err != nil {
			return err
		}
	case act.End != nil:
		p.Turn.Match.Pending, p.Turn.Match.Requests, p.Turn.Match.Takeback = nil, nil, nil
		p.Turn.Match.Ended = &EndingAct{Seat: entry.Seat, Act: *act, At: at, Final: act.Kind.FinalAt(at)}
		var err error
		if pos, err = positionBeforeEnd(p); err != nil {
			return err
		}
		pos = record.EndPosition(pos, act.Result(p.OutcomeNames.Seats))
	}
	return p.AddEntry(ctx, pos, nil, entry, p.Chance(p.Turn.Match.OrderEntryCount))
}

// positionBeforeEnd returns the current position. If an earlier act has ended the match, it returns the stored position from before
// that act.
func positionBeforeEnd(p *Execution) (rules.Position, error) {
	if _, over := p.Turn.After.Result(); !over {
		return p.Turn.After, nil
	}
	return p.Turn.Game.Decode(p.Turn.Match.Position)
}

// rewind restores the position before entry seq, even if hidden information was revealed later. Only the director may do this.
func (p *Execution) rewind(ctx context.Context, seq int) (pos rules.Position, err error) {
	entries, err := p.LoadHistory(ctx)
	if err != nil {
		return nil, err
	}
	if seq < 1 || seq >= len(entries) {
		return nil, fmt.Errorf("undo: entry must be from 1 to %d, got %d", len(entries)-1, seq)
	}
	final, err := record.Replay(RecordOf(p.Turn.Game, p.Turn.Match, entries[:seq]), p.Turn.Game, func(v record.Visit) error {
		p.Turn.Match.Resigned = v.Resigned
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("undo entry %d of match %s: %w", seq, p.Turn.Match.ID, err)
	}
	for _, entry := range entries[seq:] {
		if entry.Player != "" { // A replacement of a player is not undone.
			p.Turn.Match.Resigned &^= p.Turn.Match.SeatsOf([]record.SeatName{entry.Seat})
		}
	}
	pos = final.Position
	if _, over := pos.Result(); over {
		return nil, fmt.Errorf("undo: the match was over before entry %d", seq)
	}
	p.dropAllPending()
	p.Turn.Match.Requests = nil
	p.Turn.Match.Epoch++
	p.Turn.Match.State, p.Turn.Match.Ended = Playing, nil
	return pos, nil
}

// RemovePlayer removes the player of a seat by an act, e.g. a resignation. The match ends as the game's rules say,
// or continues without the player. The seats in lateSeats do not win.
func (p *Execution) RemovePlayer(ctx context.Context, seat rules.Seat, act record.Act, letter string, lateSeats rules.Seats) error {
	resigned := p.Turn.Match.Resigned | rules.Only(seat)
	if act.End = record.EndByResignation(p.Turn.Game, p.Turn.After, resigned, p.OutcomeNames.Seats); act.End != nil {
		act.End.Winners = slices.DeleteFunc(act.End.Winners, func(w record.SeatName) bool {
			return lateSeats&p.Turn.Match.SeatsOf([]record.SeatName{w}) != 0
		})
	} else {
		p.Turn.Match.Resigned = resigned
		dropPendingOf(p.Turn, seat)
		p.Turn.Match.DropRequestsOf(seat)
	}
	if err := p.EnterAct(ctx, record.Entry{Seat: record.SeatName(p.Turn.Match.Seats[seat].Name), Letter: letter, Act: &act}); err != nil {
		return err
	}
	for _, r := range p.Turn.Match.Requests {
		if p.Turn.Match.State != Playing {
			break // A request to which all others had agreed has ended the match.
		}
		// Perhaps only the consent of this player was missing.
		if _, err := p.EnactIfAgreed(ctx, r); err != nil {
			return err
		}
	}
	_, err := p.Settle(ctx)
	return err
}

// Forfeit removes the player of a seat that has not answered within the grace period, and usually ends the match. at is
// the time when the grace period ended. Other seats that are out of time then do not win.
func (p *Execution) Forfeit(ctx context.Context, seat rules.Seat, at time.Time) error {
	var lateSeats rules.Seats
	for i := range p.Turn.Match.Seats {
		if p.Turn.Match.IsOverdue(rules.Seat(i), at) {
			lateSeats |= rules.Only(rules.Seat(i))
		}
	}
	return p.RemovePlayer(ctx, seat, record.Act{Kind: record.Forfeit}, "", lateSeats)
}

// AnnounceOutOfTime announces that the time of a seat is over, and that the others may claim the match.
func (p *Execution) AnnounceOutOfTime(seat rules.Seat) {
	p.Turn.Match.Seats[seat].Clock.Flagged, p.Turn.Match.Seats[seat].Clock.LateFrom = true, time.Time{}
	p.Turn.Remarks = append(p.Turn.Remarks, Capitalize(p.Turn.FullName(seat))+" has run out of time."+
		describeClaim(ListClaimants(p.Turn, seat)))
}

func describeClaim(claimants []string) string {
	if len(claimants) == 0 {
		return ""
	}
	return " " + Capitalize(JoinOr(claimants)) + " may claim the win or give more time."
}

// MayAbortAlone reports whether a single player may break the match off: at least one seat has sent fewer than
// ordersBeforeBinding orders, and the match belongs to no tournament.
func (p *Execution) MayAbortAlone(ctx context.Context) (bool, error) {
	if p.Turn.Match.Tournament {
		return false, nil
	}
	entries, err := p.LoadHistory(ctx)
	if err != nil {
		return false, err
	}
	orderCounts := map[record.SeatName]int{}
	for _, entry := range append(entries, p.Turn.Entries...) {
		if entry.Seat != "" && entry.HasOrders() {
			orderCounts[entry.Seat]++
		}
		for _, a := range entry.Answers {
			orderCounts[a.Seat]++
		}
		if entry.Tally == nil {
			continue
		}
		for i := range p.Turn.Match.Seats {
			orderCounts[record.SeatName(p.Turn.Match.Seats[i].Name)]++
		}
	}
	for i := range p.Turn.Match.Seats {
		if !p.Turn.Match.Resigned.Has(rules.Seat(i)) && orderCounts[record.SeatName(p.Turn.Match.Seats[i].Name)] < ordersBeforeBinding {
			return true, nil
		}
	}
	return false, nil
}

// ordersBeforeBinding is the number of orders of each seat after which a player can break the match off only with consent.
const ordersBeforeBinding = 2

// EnactIfAgreed carries out a request if all seats have agreed.
func (p *Execution) EnactIfAgreed(ctx context.Context, r Request) (isEnacted bool, err error) {
	for i := range p.Turn.Match.Seats {
		if r.needsConsent(p.Turn.Match, rules.Seat(i)) {
			return false, nil
		}
	}
	p.Turn.Match.EndRequest(r.Kind)
	if r.Kind == record.Replace {
		return true, p.replaceWithRobot(ctx, r)
	}
	act := &record.Act{Kind: r.Kind}
	switch r.Kind {
	case record.Draw:
		act.End = &record.End{Draw: true}
	case record.Abort:
		act.End = &record.End{}
	case record.Pause:
		act.Until = p.Turn.Now.Add(r.Duration).Truncate(time.Second)
	}
	return true, p.EnterAct(ctx, record.Entry{Seat: record.SeatName(p.Turn.Match.Seats[r.Seat].Name), Act: act})
}

// DeclineDraw ends another seat's open draw offer, because this seat sent a public order and did not reply to the offer.
func (t *Turn) DeclineDraw(seat rules.Seat) {
	request, isOpen := t.Match.OpenRequest(record.Draw)
	if !isOpen || request.Seat == seat || request.Agreed.Has(seat) || t.Match.State != Playing {
		return
	}
	t.Match.EndRequest(record.Draw)
	t.Remarks = append(t.Remarks, fmt.Sprintf("%s played on, so the draw that %s offered is declined.", Capitalize(t.FullName(seat)),
		t.FullName(request.Seat)))
}

// PositionBefore returns the position before entry seq. If entry seq or a later entry has revealed hidden information, reason
// explains why the order cannot be taken back.
func (p *Execution) PositionBefore(entries []record.Entry, seq int) (pos rules.Position, reason string, err error) {
	undone := FindUndoneEntries(entries)
	_, err = record.Replay(RecordOf(p.Turn.Game, p.Turn.Match, entries), p.Turn.Game, func(v record.Visit) error {
		entry := v.Entry
		switch {
		case entry.Seq == seq-1:
			pos = v.Position.Clone()
		case entry.Seq < seq || reason != "" || undone[entry.Seq]:
		default:
			if reason = record.TakebackObstacle(entry, v.Events); reason != "" {
				reason = "It cannot be taken back: " + reason + " since."
			}
		}
		return nil
	})
	if err != nil {
		return nil, "", fmt.Errorf("take back entry %d of %s: %w", seq, p.Turn.Match.ID, err)
	}
	return pos, reason, nil
}

// FindUndoneEntries returns the numbers of the entries that were taken back, and of the entries that took them back.
func FindUndoneEntries(entries []record.Entry) map[int]bool {
	out := map[int]bool{}
	for i, entry := range entries {
		if entry.FirstTakenBack == 0 {
			continue
		}
		for j := entry.FirstTakenBack; j <= i; j++ {
			out[j] = true
		}
	}
	return out
}

// AgreeToTakeback adds the consent of seats to the open request for a take-back, and takes the order back when all have agreed. If the
// order can no longer be taken back, reason explains why.
func (p *Execution) AgreeToTakeback(ctx context.Context, seats rules.Seats) (allAgreed bool, reason string, err error) {
	takeback := *p.Turn.Match.Takeback
	takeback.Agreed |= seats
	for i := range p.Turn.Match.Seats {
		if !(takeback.Agreed | p.Turn.Match.Resigned | rules.Only(takeback.Seat)).Has(rules.Seat(i)) {
			p.Turn.Match.Takeback = &takeback
			return false, "", nil
		}
	}
	entries, err := p.LoadHistory(ctx)
	if err != nil {
		return true, "", err
	}
	pos, reason, err := p.PositionBefore(entries, takeback.Seq)
	if err != nil {
		return true, "", err
	}
	p.Turn.Match.Takeback = nil
	if reason != "" {
		return true, reason, nil
	}
	p.dropAllPending()
	// In the new epoch, known dice and cards are not used again.
	p.Turn.Match.Epoch++
	entry := record.Entry{Seat: record.SeatName(p.Turn.Match.Seats[takeback.Seat].Name), FirstTakenBack: takeback.Seq}
	if err := p.AddEntry(ctx, pos, nil, entry, p.Chance(p.Turn.Match.OrderEntryCount)); err != nil {
		return true, "", err
	}
	p.Turn.Remarks = append(p.Turn.Remarks, p.Turn.DescribeTakeback(entries, &entry)+" All later dice and cards are new.")
	return true, "", nil
}

// dropAllPending drops all pending answers, and closes the questions of all letters so far, because the numbers of
// decisions may be used again.
func (p *Execution) dropAllPending() {
	for _, pending := range p.Turn.Match.Pending {
		const why = "This saved order was dropped with the orders that were taken back."
		if pending.Conditional != nil {
			p.Turn.ReportLine(pending.Seat, pending.Conditional.String(), OutcomeLapsed, why)
			continue
		}
		reportPending(p.Turn, pending, OutcomeLapsed, why)
	}
	p.Turn.Match.Pending = nil
	for i := range p.Turn.Match.Seats {
		p.Turn.Match.Seats[i].ClosedThrough = p.Turn.Match.Seats[i].LastLetter
	}
	endDelays(p.Turn, "Your waiting orders were dropped with the orders that were taken back.")
}

// EndTakeback drops the open request to take back.
func (t *Turn) EndTakeback(remark string) {
	t.Match.Takeback = nil
	t.Remarks = append(t.Remarks, remark)
}
