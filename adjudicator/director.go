package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
	"samizdat/templates"
)

// The director corrects matches: on the command line (ExecuteDirective), or by mail from the configured address. Package letter reads the
// directives, e.g. "EXTEND democrat BY 2 days BECAUSE he was ill".
//
// A letter of the director has an effect only if it answers the newest letter to the director about the match; the token
// shows this. A directive is carried out only after YES to a letter that names the directive, its reason and its effect,
// and only while the match has not changed. A letter without a token is answered once a day for each match; a letter with
// an older token is answered each time. The director sees only public information, and may not direct a match in which
// the director plays.

// receiveFromDirector handles letters of the director. isHandled is true if the letter has a token of the director,
// or names a match to direct.
func (a *Adjudicator) receiveFromDirector(ctx context.Context, incoming exchange.Letter) (disposition exchange.Disposition,
	isHandled bool, err error) {
	if a.Director == "" || !contact.SameAddress(incoming.From, a.Director) {
		return "", false, nil
	}
	hasToken := incoming.HasToken(a.Replies.DirectorKey()) && incoming.Token.Director
	var match string
	switch {
	case hasToken:
		match = incoming.Token.Match
		if earlier, isDuplicate, err := a.Store.Received(ctx, match, rules.NoSeat, incoming.ReceiptDigest(), ""); err != nil || isDuplicate {
			return earlier, true, err
		}
	case !incoming.IsTooLong():
		match = letter.DirectedMatch(incoming.Text, incoming.Subject)
	}
	if match == "" || match == exchange.ClubName && a.Club != nil {
		return "", false, nil
	}
	if disposition, isRefused, err := a.Replies.RefuseUnauthenticated(ctx, incoming, a.Director); isRefused || err != nil {
		return disposition, err == nil, err
	}
	disposition, err = receiveDirective(ctx, a, incoming, match, hasToken)
	return disposition, true, err
}

// receiveDirective handles a letter of the director about a match. hasToken is set if the letter is a reply to a
// letter of ours.
func receiveDirective(ctx context.Context, a *Adjudicator, incoming exchange.Letter, match string, hasToken bool) (exchange.Disposition,
	error) {
	m, err := a.findMatch(ctx, match)
	switch {
	case err != nil:
		return "", err
	case m == nil:
		return refuseDirector(ctx, a, incoming, match, "There is no such match", fmt.Sprintf("There is no match %s. You find the "+
			"name of a match in brackets at the end of the subject of its letters.", match))
	case m.HasPlayer(incoming.From):
		a.Log.WarnContext(ctx, "a letter of the director about a match that he plays in is refused", "match", m.ID, "uid", incoming.UID)
		return refuseDirector(ctx, a, incoming, match, "You play in this match", fmt.Sprintf("You play in match %s, so you cannot "+
			"direct it. Your letter was not carried out. Ask the operator, who can do this on the command line.", match))
	case !hasToken:
		return sendAnswerableLetter(ctx, a, incoming, m, a.Replies.DailyDigest("director", match), "")
	case !a.Replies.IsAnswer(incoming, a.Replies.DirectorQuestion(match, m.Director.LastLetter)):
		return sendAnswerableLetter(ctx, a, incoming, m, incoming.ReceiptDigest(),
			"You replied to an older letter, or to one that you had already answered, so your letter was not carried out. "+
				"Reply to this one.")
	}
	return executeDirectorLetter(ctx, a, incoming, m)
}

func refuseDirector(ctx context.Context, a *Adjudicator, incoming exchange.Letter, match, title, text string) (exchange.Disposition,
	error) {
	return a.Replies.AnswerOnce(ctx, incoming, a.Replies.DailyDigest("no director", match, title), exchange.DispositionRefused,
		exchange.TextLetter(title, a.Replies.FormatNote(text)))
}

// sendAnswerableLetter sends the director the newest letter again, with its token and the open question, so that the
// director can reply to it. It sends only one letter for each digest, and does not change the match.
func sendAnswerableLetter(ctx context.Context, a *Adjudicator, incoming exchange.Letter, m *match.Match, digest,
	reason string) (exchange.Disposition, error) {
	dr, err := newDirectorRun(ctx, a, m, incoming)
	if err != nil {
		return "", err
	}
	disposition := exchange.DispositionDone
	if reason != "" {
		disposition, dr.problems = exchange.DispositionRefused, append(dr.problems, reason)
	}
	if p := m.Director.Proposed; p != nil {
		dr.repeatQuestion(p.Directive)
	}
	dr.showsState = true
	outgoing, err := dr.writeLetter(ctx)
	if err != nil {
		return "", err
	}
	return a.Replies.AnswerOnce(ctx, incoming, digest, disposition, outgoing)
}

// directorRun handles a letter of the director, or writes a letter to the director.
type directorRun struct {
	run      *letterRun
	lines    []templates.Line
	problems []string
	// showsState adds the public state of the match to the letter. showsHelp adds the list of orders. lastEntry is
	// the number of the last history entry that the letter shows; -1 for the newest entry.
	showsState, showsHelp bool
	lastEntry             int
	fromCommandLine       bool
	wasExecuted           bool
}

func newDirectorRun(ctx context.Context, a *Adjudicator, m *match.Match, incoming exchange.Letter) (*directorRun, error) {
	run, err := a.newRun(ctx, m, rules.NoSeat, incoming)
	if err != nil {
		return nil, err
	}
	return &directorRun{run: run, lastEntry: -1}, nil
}

func executeDirectorLetter(ctx context.Context, a *Adjudicator, incoming exchange.Letter, m *match.Match) (exchange.Disposition, error) {
	dr, err := newDirectorRun(ctx, a, m, incoming)
	if err != nil {
		return "", err
	}
	before, digest := m.Director, incoming.ReceiptDigest()
	change, err := dr.carryOut(ctx)
	if err != nil {
		return "", err
	}
	if !dr.wasExecuted && !a.Replies.AllowAnswerTo(ctx, incoming, "director "+m.ID, a.Director) {
		return exchange.DispositionIgnored, nil // The limit ends a mail loop with a program at that address.
	}
	if m.Director != before {
		change.Match = m
	} else if before.Proposed != nil {
		dr.repeatQuestion(before.Proposed.Directive)
	}
	change.Receipt = incoming.Receipt(digest, dr.run.effects.disposition, a.Now())
	change.Receipt.Match = m.ID
	outgoing, err := dr.writeLetter(ctx)
	if err != nil {
		return "", err
	}
	if a.Replies.AddressReply(ctx, incoming, digest, &outgoing) {
		change.Letters = append(change.Letters, outgoing)
	}
	if err := a.Store.Apply(ctx, change); err != nil {
		return "", err
	}
	if dr.wasExecuted {
		a.Log.InfoContext(ctx, "a directive was carried out by mail", "match", m.ID, "directive", string(before.Proposed.Directive.Verb), "uid",
			incoming.UID)
	}
	return dr.run.effects.disposition, nil
}

// carryOut carries out the director's letter: it asks the director to confirm a new directive, or carries out the proposed
// directive after YES. Only in the latter case it sets change.Match.
func (dr *directorRun) carryOut(ctx context.Context) (change exchange.Change, err error) {
	incoming := dr.run.letter
	switch other := findOtherMatch(dr.run); {
	case incoming.HasOtherRecipients:
		// The other reader has seen the token, and could say YES in the director's name.
		dr.recordProposal(nil)
		dr.addRefusal("", "Your letter also went to another address, and its reader could answer in your name. So it was not "+
			"carried out. Reply to this letter, to the referee alone.")
		return change, nil
	case incoming.IsTooLong():
		dr.addRefusal("", "Your letter was too long, so it was not carried out.")
		return change, nil
	case other != "":
		dr.addRefusal("", fmt.Sprintf("Your letter was not carried out. It went to the address of match %s, but its subject "+
			"names match %s.", dr.run.turn.Match.ID, other))
		return change, nil
	}
	orders := letter.ReadDirectorLetter(incoming.Text, incoming.Name)
	dr.showsState, dr.showsHelp, dr.lastEntry = orders.Status, orders.Help, orders.Entry
	for _, r := range orders.RefusedLines {
		dr.addRefusal(r.Text, r.Why)
	}
	if reason := dr.explainRefusal(orders); reason != "" {
		for _, directive := range orders.Directives {
			dr.addRefusal(directive.String(), reason)
		}
		if len(orders.Directives) == 0 {
			dr.addRefusal("", reason)
		}
		return change, nil
	}
	doubts := quoteDoubts(orders.Doubts)
	switch {
	case len(orders.Directives) == 1:
		return change, dr.proposeDirective(ctx, orders.Directives[0], doubts)
	case orders.No:
		dr.recordProposal(nil)
		dr.addLine("NO", match.OutcomeDone, "Nothing was done.")
	case orders.Yes:
		return dr.confirmDirective(ctx, doubts)
	}
	return change, nil
}

func (dr *directorRun) explainRefusal(orders letter.DirectorOrders[match.Directive]) string {
	asks := orders.Status || orders.Help || orders.History
	switch {
	case len(orders.RefusedLines) > 0 && len(orders.Directives) > 0:
		return "Not done, because a line of your letter was not understood."
	case len(orders.Directives) > 0 && orders.No:
		return "Not done, because your letter also says NO."
	case len(orders.Directives) > 1:
		return "Send one order in each letter, each time in reply to our newest letter."
	case len(orders.RefusedLines) > 0 || len(orders.Directives) > 0:
		return ""
	case orders.Yes && orders.No:
		return "Your letter says YES and NO. Nothing was done."
	case !orders.Yes && !orders.No && !asks && len(orders.Doubts) > 0:
		dr.showsHelp = true
		return "Your letter was not understood, so nothing was done. Write each order on a line of its own." +
			strings.Replace(quoteDoubts(orders.Doubts), "Your letter also says", "Your letter says", 1)
	case !orders.Yes && !orders.No && !asks:
		dr.showsHelp = true
		return "There was no order in your letter."
	}
	return ""
}

func quoteDoubts(doubts []string) string {
	if len(doubts) == 0 {
		return ""
	}
	return " " + letter.AlsoSays(doubts)
}

// recordProposal records the directive that the next letter to the director asks about; nil for none. Older letters
// can then no longer be answered.
func (dr *directorRun) recordProposal(p *match.ProposedDirective) {
	dr.run.turn.Match.Director = match.DirectorState{LastLetter: dr.run.turn.Match.Director.LastLetter + 1, Proposed: p}
}

// proposeDirective asks the director to confirm a directive. doubt says why we ask again, or quotes the parts of the
// letter that were not understood; empty for none.
func (dr *directorRun) proposeDirective(ctx context.Context, directive match.Directive, doubt string) error {
	action, err := planDirective(ctx, dr.run, directive)
	if refusal := (*RefusedDirectiveError)(nil); errors.As(err, &refusal) {
		dr.addRefusal(directive.String(), refusal.Error())
		return nil
	} else if err != nil {
		return err
	}
	dr.recordProposal(&match.ProposedDirective{Directive: directive, EntryCount: dr.run.turn.Match.EntryCount,
		AskedAt: dr.run.adjudicator.Now()})
	dr.addQuestion(directive, doubt, action.effect)
	dr.run.effects.disposition = exchange.DispositionRefused
	return nil
}

func (dr *directorRun) addQuestion(directive match.Directive, doubt, effect string) {
	switch {
	case directive.Verb == match.DirectorCancel:
		effect += " They will read your reason: " + compose.Quote(directive.Why)
	case directive.Why != "":
		effect += " The players will be told your reason, and it will stay in the record: " + compose.Quote(directive.Why)
	}
	if doubt = strings.TrimSpace(doubt); doubt != "" {
		doubt += "\n"
	}
	if first, _, _ := strings.Cut(effect, " "); first == "All" || first == "The" {
		effect = strings.ToLower(first) + strings.TrimPrefix(effect, first)
	}
	dr.addOutcome(directive, match.OutcomeAsked, doubt+"If you reply YES to this letter, "+effect+"\nWithout a YES nothing happens.")
}

// confirmDirective handles YES: it carries out the proposed directive, if the match has not changed since the question.
func (dr *directorRun) confirmDirective(ctx context.Context, doubt string) (change exchange.Change, err error) {
	p := dr.run.turn.Match.Director.Proposed
	if p == nil {
		dr.addRefusal("YES", "There is no open question to answer with YES.")
		return change, nil
	}
	switch {
	case doubt != "":
		return change, dr.proposeDirective(ctx, p.Directive, doubt)
	case p.EntryCount != dr.run.turn.Match.EntryCount:
		return change, dr.proposeDirective(ctx, p.Directive, " The match has moved on since we asked, so we are asking you again.")
	case !conversation.IsQuestionOpen(p.AskedAt, dr.run.adjudicator.Now()):
		return change, dr.proposeDirective(ctx, p.Directive, fmt.Sprintf(" We asked more than %d days ago, so we are asking you "+
			"again.", conversation.QuestionDays))
	}
	action, err := planDirective(ctx, dr.run, p.Directive)
	if refusal := (*RefusedDirectiveError)(nil); errors.As(err, &refusal) {
		dr.recordProposal(nil)
		dr.addRefusal(p.Directive.String(), refusal.Error())
		return change, nil
	} else if err != nil {
		return change, err
	}
	dr.recordProposal(nil)
	dr.wasExecuted = true
	note := "All players have been told."
	switch p.Directive.Verb {
	case match.DirectorPause:
		note = "The match is paused. " + note
	case match.DirectorResume:
		note = "The match is running again. " + note
	case match.DirectorUndo:
		note = fmt.Sprintf("Entry %d and everything after it are undone. The match is back where it was before entry %d. ", p.Directive.Entry,
			p.Directive.Entry) + note
	}
	dr.addOutcome(p.Directive, match.OutcomeDone, note)
	return action.carryOut(ctx)
}

// repeatQuestion adds the open question about a directive to the letter, so that the director can answer YES to this letter.
func (dr *directorRun) repeatQuestion(directive match.Directive) {
	dr.addOutcome(directive, match.OutcomeAsked, "You have not confirmed this. To confirm it, reply YES to this letter. Without a "+
		"YES nothing happens.")
}

// addOutcome reports the outcome of a directive. For TELL it leaves out the text, which the letter already contains.
func (dr *directorRun) addOutcome(directive match.Directive, outcome match.LineOutcome, note string) {
	text := directive.String()
	if directive.Verb == match.DirectorTell {
		text = string(match.DirectorTell)
	}
	dr.addLine(text, outcome, note)
}

func (dr *directorRun) addLine(text string, outcome match.LineOutcome, note string) {
	dr.lines = append(dr.lines, conversation.ReportLine(text, outcome, note))
}

func (dr *directorRun) addRefusal(text, reason string) {
	dr.run.effects.disposition = exchange.DispositionRefused
	if text == "" {
		dr.problems = append(dr.problems, reason)
		return
	}
	dr.addLine(text, match.OutcomeRefused, reason)
}

// ExecuteDirective carries out a directive from the command line, and returns its effect in words. If execute is false, it only returns the
// effect. The error is a *RefusedDirectiveError if the match does not allow the directive.
func (a *Adjudicator) ExecuteDirective(ctx context.Context, match string, directive match.Directive,
	execute bool) (effect string, err error) {
	err = a.retryOnConflict(ctx, "match "+match, func() error {
		m, err := a.Store.Match(ctx, match)
		if err != nil {
			return err
		}
		run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
		if err != nil {
			return err
		}
		action, err := planDirective(ctx, run, directive)
		if err != nil {
			return err
		}
		if effect = action.effect; !execute {
			return nil
		}
		m.Director.Proposed = nil // A question by mail about the earlier state is closed.
		change, err := action.carryOut(ctx)
		if err != nil {
			return err
		}
		return a.Store.Apply(ctx, change)
	})
	if err != nil {
		return "", fmt.Errorf("match %s: %w", match, err)
	}
	return effect, nil
}
