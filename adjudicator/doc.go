// Package adjudicator is the life of a match: a letter's orders in, a position,
// a history and letters out.
//
// The way of a letter is straight. Receive finds its match and seat by the
// token, and the sender by his registered address. The lines are read, then
// carried out one by one through the gate (package gate), each answer becoming
// an entry of the history with its chance (package record). The letters that
// follow are composed from each reader's view. All of it is stored in one
// transaction, or nothing; when the match moved meanwhile, the letter is
// adjudicated again.
//
// # Who is answered
//
//   - A letter whose token a seat's key made, from the seat's own address, is
//     taken to its match and gets exactly one answer, or none where that would only confirm
//     and tells nothing new.
//   - A registered address without such a token gets a fixed text that says
//     nothing of any match, once a day. Anybody else, and every machine, gets silence.
//   - If a letter went to another address as well, its orders count, and the key
//     of the seat's tokens changes with the next letter to the seat.
//   - Where the operator demands a proof beside the token, a letter without it is
//     answered by another such text.
//   - Of letters that did nothing, the configured [conversation.Limiter] bounds how many are
//     answered, so that a robot comes to an end. It never keeps an order from being answered.
//   - Where there is a club package clubmail takes letters of members, and of those who want to join;
//     Prepare makes a match for players who have agreed to play it.
//   - A report that a letter of ours did not arrive is booked if it shows the
//     letter's Message-ID or its token, and never answered.
//   - A letter that asks to observe a match is answered by a question to its sender's
//     address, once a day, which does not depend on the match. Who answers it with YES
//     observes, if the players have agreed.
//   - A letter delivered twice (same sender, Message-ID and text) changes nothing
//     and is not answered the second time.
//
// # What a letter does
//
//   - All lines are read before anything is done. A line that is an order and
//     cannot be understood refuses the letter. Harmless talk is ignored; beside any
//     other the orders wait for a YES. Two answers to one question are
//     refused.
//   - Lines are carried out from the top. The first that the rules do not allow
//     stops the letter; what stood before it stands.
//   - The first order is stale when no decision that the answered letter asked is
//     open, or when it would fall to a decision that was not asked there
//     while one that was is closed. The orders below it answer what follows.
//   - Surplus answers of a line are kept for later questions of the same play.
//     They are private, are tried when a question that fits opens, and their
//     owner is told when they are carried out, refused or lapsed. They may be
//     replaced or dropped until then. A line behind which another seat's kept
//     order was carried out ends the letter: its writer has not seen that.
//   - A sealed answer is kept outside the history and may be replaced until the
//     last of its group is in; then all make one entry, in the order of seats.
//     Ballots are counted then and never opened, and no letter repeats
//     one.
//   - An answer may stand for all such questions to come. When the time
//     for a question is over the host calls Silence, and the rule or a lot answers.
//   - A player's GRACE holds his orders back for a while; DELAY lets what
//     is kept for him answer at a random time; both are carried out by
//     Due, each in a transaction of its own. When the clock is set back, what waits
//     begins its own time again. TAKEBACK goes back, with the consent
//     of all, to where nothing was revealed since: the epoch of
//     chance rises, and letters from before ask nothing any more.
//   - ADDRESS moves a player's mail to an address that has said YES to a question with
//     a token of its own, by the rules of package contact. It is the
//     player's, and counts for all matches that he sits in.
//   - Where a match has a tempo, each seat has a clock, by the rules of package clock.
//     Letters say what is left; Due lets the end of it take effect,
//     or CLAIM does.
//   - VACATION stops the clocks of a player in all his matches, TIMEZONE names
//     the zone in which his letters write times. Both are the player's. Who does not answer
//     is reminded by Due.
//   - A robot may have a seat: it answers within the transaction that asks it, out of the view of
//     its seat, and gets no letters.
//   - Replace puts another player into a seat.
//   - The director mends matches, by mail or through Direct. What he writes is
//     read by package letter, and done only when he has said YES to a letter that names it.
//   - The work and the answer that one letter can cause are bounded.
//
// # Who is told
//
// The sender gets one letter. A letter that asks nothing is a confirmation without the standing
// parts, and comes where it tells something new, or to whoever wants all or none
// . One that asks tells all since the last that asked. Another seat gets one when something happened that
// it may know, when the match looks otherwise to it, or when an order kept for
// it came to something. Everything in a letter comes from the seat's view and
// from events that it is an audience of, so that neither the text of a letter
// nor its coming tells what is hidden. Those who observe are told in the same way,
// from the public view and from public events, and later where that is agreed.
//
// # When something fails
//
// A refusal is the player's and goes into the answer. Any other error, a panic
// in a game included, leaves no trace in the store: the letter stays where it
// is, and is tried again. A position that another build of the program stored is
// played again from the history before it is used, and a match that comes out
// otherwise stops.
//
// # Where things stand
//
// A letter: adjudicator.go takes it in, identity.go says whose it is, retry.go tries again.
// Package letter reads it to lines. orders.go carries them out: orders of the game by the gate, the others by
// one table of words, whose functions stand in doclock.go, dopeople.go, doends.go, doquestions.go and dosettings.go.
// kept.go keeps what is meant for later. proposal.go asks back where a letter leaves a doubt. Package trial says
// of an order what it would come to, and what could be written instead.
//
// An adjudication (adjudication.go) has a [match.Play], which carrying out moves, and its [match.Turn]: the match
// before and after, and what happened between. Package match holds the rules of both.
//
// The answer: report.go says what became of each line, letters.go who gets a letter. Package compose says how much of the
// match it shows, and writes it out of a turn, for a reader.
//
// Letters of no seat: package conversation bounds and signs what answers them. address.go and addressanswer.go change where
// letters go, observer.go lets people watch, director.go and deeds.go do what the director wants, bounced.go books what
// did not arrive.
//
// Without a letter: due.go does what is due, invite.go and begin.go make matches, replace.go gives a seat to
// another player, rebuild.go plays a match again where another build has stored it.
//
// Nothing here knows a game, or how many sit at the table. The adjudicator states
// the interfaces that it needs (package exchange); storage and mail fulfil them.
package adjudicator
