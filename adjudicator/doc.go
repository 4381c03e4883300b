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
//     answered by another such text (identity.go).
//   - Of letters that did nothing, the configured [Limiter] bounds how many are
//     answered, so that a robot comes to an end. It never keeps an order from being answered.
//   - Where there is a club its secretary takes letters of members, and of those who want to join
//     (club.go); Prepare makes a match for players who have agreed to play it.
//   - A report that a letter of ours did not arrive is booked if it shows the
//     letter's Message-ID or its token (bounced.go), and never answered.
//   - A letter that asks to observe a match is answered by a question to its sender's
//     address, once a day, which does not depend on the match. Who answers it with YES
//     observes, if the players have agreed (observeroffer.go).
//   - A letter delivered twice (same sender, Message-ID and text) changes nothing
//     and is not answered the second time.
//
// # What a letter does
//
//   - All lines are read before anything is done. A line that is an order and
//     cannot be understood refuses the letter. Harmless talk is ignored; beside any
//     other the orders wait for a YES (proposal.go). Two answers to one question are
//     refused (oneanswer.go).
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
//     last of its group is in; then all make one entry, in the order of seats
//     (sealed.go). Ballots are counted then and never opened, and no letter repeats
//     one (ballot.go).
//   - An answer may stand for all such questions to come (standing.go). When the time
//     for a question is over the host calls Silence, and the rule or a lot answers
//     (silence.go).
//   - A player's GRACE holds his orders back for a while (grace.go); DELAY lets what
//     is kept for him answer at a random time (delay.go); both are carried out by
//     Due, each in a transaction of its own. When the clock is set back, what waits
//     begins its own time again (waits.go). TAKEBACK goes back, with the consent
//     of all, to where nothing was revealed since (takeback.go): the epoch of
//     chance rises, and letters from before ask nothing any more.
//   - ADDRESS moves a player's mail to an address that has said YES to a question with
//     a token of its own, by the rules of package contact (address.go). It is the
//     player's, and counts for all matches that he sits in (player.go).
//   - Where a match has a tempo, each seat has a clock, by the rules of package clock
//     (clocks.go). Letters say what is left (timeleft.go); Due lets the end of it take effect
//     (zero.go), or CLAIM does (claim.go).
//   - VACATION stops the clocks of a player in all his matches (vacation.go), TIMEZONE names
//     the zone in which his letters write times. Both are the player's. Who does not answer
//     is reminded by Due (reminder.go).
//   - A robot may have a seat: it answers within the transaction that asks it, out of the view of
//     its seat, and gets no letters (robot.go).
//   - Replace puts another player into a seat (replace.go).
//   - The director mends matches, by mail or through Direct (director.go). What he writes is
//     read by package letter, and done only when he has said YES to a letter that names it.
//   - The work and the answer that one letter can cause are bounded (report.go).
//
// # Who is told
//
// The sender gets one letter. A letter that asks nothing is a confirmation without the standing
// parts, and comes where it tells something new, or to whoever wants all or none
// (confirmation.go). One that asks tells all since the last that asked. Another seat gets one when something happened that
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
// adjudicator.go takes a letter in, identity.go says whose it is, retry.go tries again.
// Package command reads it, and holds the orders to the host, which host.go lets do their
// work; orders.go carries out those of the game, refusal.go says why not, proposal.go asks
// back where a letter leaves a doubt, message.go passes messages on.
//
// An adjudication (adjudication.go) has three parts. Its progress (progress.go) is the match
// under way, which carrying out moves: history.go writes entries, sealed.go opens sealed
// answers, held.go keeps what waits in a play, conditionalorders.go what is meant for later
// (package conditional), takeback.go goes back. Its account (account.go) is what there is
// to tell: the match before and after, and the events between. Its reply (reply.go) is what
// the letter is answered with beside that; query*.go and help.go answer questions, and question.go passes
// those on that are for a person. What players are called is in called.go.
//
// What is done to a match beside playing it is an act (act.go): resign.go, and, by the consent
// of all (consent.go), draw.go, abort.go and pause.go. An end that the director may undo is
// published later (publish.go). calloff.go is about matches that never begin.
//
// compose.go writes a letter out of an account, for a reader; letters.go says who gets one,
// and addresses it; confirmation.go says how much of the match it shows. Observers come and
// go in observeroffer.go, and are told by the same code as seats (observerletters.go,
// observeranswer.go). due.go does what no letter has to bring, resend.go what the operator
// asks for.
//
// Nothing here knows a game, or how many sit at the table. The adjudicator states
// the interfaces that it needs (Store, Post); storage and mail fulfil them.
package adjudicator
