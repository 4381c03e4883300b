// Package adjudicator handles each letter in one transaction: it identifies the match and seat of the letter, carries out its orders,
// composes the resulting letters, and stores all changes or none. If the match has changed since it was loaded, the letter is handled
// again. Package internal/post calls it with each letter of the inbox, package internal/daemon when a deadline is reached.
// docs/architecture.md describes the path of a letter, function by function.
//
// # Which letters are answered
//
//   - A letter from an address of a player, with a token of that player's seat, goes to the match. The token is signed with the key of
//     the seat. The letter gets one answer, or none if the answer would be a confirmation without news.
//   - A letter without a valid token, from the address of a player, gets a fixed text that does not mention any match, at most three
//     times a day. Letters of strangers and automatic letters get no answer.
//   - The orders of a letter that also went to another address are carried out, but the seat gets a new key with its next letter.
//   - If the operator requires sender authentication, a letter without it is answered by a fixed text.
//   - A [conversation.Limiter] limits the answers to letters without any effect, so that an exchange with another program ends. A letter
//     that carried out an order is always answered.
//   - Letters to the club go to [Club], bounces to receiveBounce. A request to watch a match is answered by a question to its sender, at
//     most once a day. The question is the same whether the match exists or not.
//   - A letter that is delivered twice (same sender, Message-ID and text) has no effect the second time.
//
// # What a letter does
//
//   - All lines are read before any is carried out. If an order is not understood, the whole letter is refused. Talk is ignored. If a line
//     may doubt or restrict the orders, e.g. "if that is allowed", they wait for a YES. Two answers to one question are refused.
//   - Lines are carried out from the top. The lines above the first refused line keep their effect; those below are not carried out.
//   - The first order answers a question of our letter to which the player replies. If all questions of our letter are closed, the
//     order is stale. The orders below the first one answer the questions that follow.
//   - Further answers become pending answers for the later questions of the same play (in 1989, one played card). Their player is told
//     when a pending answer is carried out, refused or dropped, and may replace or drop it before that. If a line causes another seat's
//     pending answer to be carried out, the lines below are not carried out, because their writer has not seen the new
//     position.
//   - Sealed answers are stored outside the history until all answers of their group have arrived; then one entry opens all, in the
//     order of seats. Ballots are counted and never opened, and no letter repeats a ballot.
//   - GRACE delays the orders of a letter, DELAY the pending answers; RunDueTasks carries both out later. TAKEBACK undoes an order if all
//     players agree and no new information was revealed since. Dice and draws after a take-back belong to a new
//     epoch, and the questions of earlier letters are closed.
//   - ADDRESS, VACATION and TIMEZONE change data of the player that all matches of the player share. In a match with a tempo, each
//     seat has a clock.
//   - A robot answers in the transaction that asks it, and knows only the view of its seat.
//   - The director's letters are read by package letter, and carried out after a YES of the director.
//
// # What letters contain
//
// A letter with a question reports all events since the last letter with a question. A seat without a question gets a
// letter after an event that the seat may know. A letter is made from its reader's view and from events that the reader
// may know, so neither its text nor its arrival reveals hidden information. Letters to observers use the public view,
// with a delay if the players agreed on one.
//
// # When something fails
//
// The answer to a letter explains a refusal. After any other error, even a panic in a game, no change is stored: the letter stays in the
// inbox and is handled again. If another build of the program has stored a position, it is computed again from the history before
// it is used. If the result differs from the stored position, the match is stopped.
//
// # Files
//
// A letter of a player: adjudicator.go receives it, identity.go finds its match and seat, letterrun.go begins a run, and retry.go repeats
// the run if the match has changed.
// orders.go carries out orders of the game. It has a table of the orders to the referee, e.g. PAUSE; their functions are in
// clockorders.go, peopleorders.go, endorders.go, queryorders.go and settingorders.go. pending.go saves orders for later, proposal.go
// asks for a confirmation of doubtful orders, report.go reports the outcome of each line, writeletters.go writes the letters,
// history.go reads older letters.
//
// Letters that belong to no seat: addressanswer.go, observer.go, director.go, directoractions.go, otheraddress.go and bounces.go.
//
// Without a letter: duetasks.go runs due tasks, backgroundjobs.go slow jobs, invite.go and begin.go create matches, replace.go gives a
// seat to another player, rebuild.go replays a match that another build has stored.
package adjudicator
