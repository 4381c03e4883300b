// Package adjudicator handles each letter in one transaction: it receives a letter, identifies its match and seat, carries out
// its orders, composes the resulting letters, and stores all changes or none. If the match has changed since it was loaded, the
// letter is adjudicated again. docs/architecture.md describes the path of a letter, function by function.
//
// # Which letters are answered
//
//   - A letter with a token that was made with a seat's key, from an address of that seat's player, goes to the match. It gets one
//     answer, or none if the answer would be a confirmation without news.
//   - A registered address whose letter has no genuine token gets a fixed text that does not mention any match, at
//     most three times a day. Strangers and automatic letters get no answer.
//   - The orders of a letter that went to another address as well count, but the key of the seat's tokens changes with the next
//     letter to the seat.
//   - A letter without the proof that the operator demands beside the token is answered by a fixed text.
//   - A [conversation.Limiter] limits the answers to letters without any effect, so that an exchange with another program
//     ends. A letter that carried out an order is always answered.
//   - Letters of the club go to [Club], reports of mail servers to receiveBounce; a request to watch a match is answered by a question
//     to its sender, once a day, which does not depend on the match.
//   - A letter that is delivered twice (same sender, Message-ID and text) has no effect the second time.
//
// # What a letter does
//
//   - All lines are read before any is carried out. An order that cannot be understood refuses the letter. Harmless talk is ignored;
//     beside other talk the orders wait for a YES. Two answers to one question are refused.
//   - Lines are carried out from the top. The first that is refused stops the letter; the lines above it keep their effect.
//   - The first order is stale when no decision that the answered letter asked for is open. The orders below it answer what follows.
//   - Surplus answers become pending answers of the same play. Their owner is told when one is carried out, refused or lapsed, and may
//     replace or drop it until then. A line that lets another seat's pending answer be carried out ends the letter: its writer has not
//     seen that.
//   - Sealed answers are kept outside the history until the last of their group has come; then one entry opens all, in the order
//     of seats. Ballots are counted and never opened, and no letter repeats one.
//   - GRACE delays the orders of a letter, DELAY the pending answers; RunDueTasks carries both out later. TAKEBACK goes back, if all agree
//     and no new information was revealed since; later chance belongs to a new epoch, and the questions of earlier letters are closed.
//   - ADDRESS, VACATION and TIMEZONE change the player, in all the player's matches. Where a match has a tempo, each seat has a clock.
//   - A robot answers in the transaction that asks it, and knows only the view of its seat.
//   - The director's letters are read by package letter, and carried out after a YES of the director.
//
// # What letters tell
//
// A letter with a question reports all that happened since the last letter with a question. Another seat gets a letter when something
// happened that it may know. Everything in a letter comes from its reader's view and from events that the reader may know, so that
// neither the text nor the arrival of a letter reveals hidden information. Letters to observers use the public view,
// with a delay if agreed.
//
// # When something fails
//
// A refusal goes into the answer. After any other error, even a panic in a game, nothing is stored: the letter stays where it is, and
// is tried again. A position that another build has stored is replayed from the history before it is used; if the replay gives another
// position, the match is stopped.
//
// # Files
//
// A letter: adjudicator.go receives it, identity.go finds its match and seat, retry.go tries again, letterrun.go begins a run.
// orders.go carries out its lines: orders of the game, and those to the referee by one table of words, whose functions are in
// clockorders.go, peopleorders.go, endorders.go, queryorders.go and settingorders.go. pending.go saves orders for later, proposal.go
// asks for a confirmation of doubtful orders, report.go reports the outcome of each line, writeletters.go writes the letters,
// history.go reads older ones.
//
// Letters that belong to no seat: address.go, observer.go, director.go, directoractions.go, otheraddress.go and bounces.go.
//
// Without a letter: duetasks.go carries out due steps, invite.go and begin.go make matches, replace.go gives a seat to another player,
// rebuild.go replays a match that another build has stored.
package adjudicator
