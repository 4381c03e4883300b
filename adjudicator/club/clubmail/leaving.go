package clubmail

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
)

func (s *accountService) sendData(ctx context.Context, ans *answer, line letter.Line) error {
	if ans.attachment != nil {
		ans.addLine(line.Text, outcomeIgnored, "Once is enough.")
		return nil
	}
	data, err := s.store.PersonalData(ctx, ans.member.ID)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		return err
	}
	if len(text) > maxAttachment {
		return ans.refuseLine(line, fmt.Sprintf("It has %d MB, which is too much for a letter. Ask the operator for it.", len(text)>>20))
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(text); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	ans.attachment = packed.Bytes()
	return ans.informLine(line, "Everything that is stored about you is attached as JSON, including your letters as they came. "+
		"Hidden information of current matches is left out, and so are the secret keys of your reply addresses.")
}

// leave removes the writer from the club. The writer's matches continue, and the name stays reserved.
func (s *accountService) leave(ctx context.Context, ans *answer, line letter.Line) error {
	if err := s.offers.leaveOffersAndQueue(ctx, ans, ans.member); err != nil {
		return err
	}
	ans.member.State = club.MemberLeft
	ans.addLogEntry(ans.member.ID, byMember, "has left", "")
	seats, err := findRunningSeats(ctx, s.store, ans.member.ID)
	if err != nil {
		return err
	}
	matchesText := ""
	if len(seats) > 0 {
		matchesText = "Your matches go on: answer their letters, or RESIGN there. "
	}
	return ans.confirmLine(line, "You have left the club. "+matchesText+"Your name is kept for you, and REGISTER in reply to this letter "+
		"brings you back. To delete your data, write FORGET ME.")
}

func (s *accountService) rejoin(ans *answer, line letter.Line) error {
	switch s.club.Registration {
	case club.RegistrationOpen:
		ans.member.State = club.MemberActive
		ans.addLogEntry(ans.member.ID, byMember, "has come back", "")
		return ans.confirmLine(line, "Welcome back. Your name is still "+ans.member.Name+".")
	case club.RegistrationByApproval:
		ans.member.State = club.MemberApplied
		return ans.confirmLine(line, "The director decides who may join the club. You will get a letter.")
	}
	return ans.refuseLine(line, "The club takes no new members at present.")
}

func (s *accountService) forgetMe(ctx context.Context, ans *answer, line letter.Line) error {
	seats, err := findRunningSeats(ctx, s.store, ans.member.ID)
	if err != nil {
		return err
	}
	if len(seats) > 0 {
		var ids []string
		for _, seat := range seats {
			ids = append(ids, seat.Match)
		}
		return ans.refuseLine(line, "You are still playing matches: "+match.JoinAnd(ids)+". End them first, with RESIGN or ABORT "+
			"in reply to their letters, or with DECLINE if they have not begun.")
	}
	ans.propose(club.Proposal{Word: string(letter.ForgetMe)})
	ans.addLine(line.Text, outcomeAsked, fmt.Sprintf("This deletes everything that is stored about you: your name, your address, your "+
		"letters and your settings. Finished matches stay, with your words for their dice, because the dice cannot be checked "+
		"without them; there you are called %s. This cannot be undone. MY DATA sends you everything first.\nTo "+
		"delete your data now, reply to this letter with YES. Without a YES nothing is deleted.", ans.member.Pseudonym()))
	return nil
}

// confirm carries out YES to the question about FORGET ME. After questions about other orders, replaceConsent has already
// replaced YES by these orders.
func (s *accountService) confirm(ctx context.Context, ans *answer, line letter.Line) error {
	p := ans.member.Proposal
	switch {
	case ans.letter.HasOtherRecipients:
		return ans.refuseLine(line, sharedNotCounted)
	case ans.orderCount > 1 || !ans.isAnswerToQuestion():
		return ans.refuseLine(line, "There is no open question to answer with YES. Reply YES to the letter with the question, "+
			"alone on its line, within a week.")
	}
	ans.member.Proposal = nil
	if p.Word != string(letter.ForgetMe) {
		return fmt.Errorf("no handler for YES to %s", p.Word)
	}
	seats, err := findRunningSeats(ctx, s.store, ans.member.ID)
	if err != nil {
		return err
	}
	if len(seats) > 0 {
		return ans.refuseLine(line, "You are still playing matches, so your data cannot be deleted.")
	}
	if err := s.offers.leaveOffersAndQueue(ctx, ans, ans.member); err != nil {
		return err
	}
	ans.deletesMember = true
	ans.addLogEntry(ans.member.ID, byMember, "has been forgotten", "")
	return ans.confirmLine(line, "Your data has been deleted. This is our last letter to you. The record that we sent it will be deleted "+
		"some weeks later. Farewell.")
}

func (s *accountService) dropProposal(_ context.Context, ans *answer, line letter.Line) error {
	if ans.member.Proposal == nil {
		return ans.refuseLine(line, "There is no open question to answer with NO.")
	}
	ans.member.Proposal = nil
	return ans.confirmLine(line, "Nothing was done.")
}
