// Package mail carries letters between players and the referee: IMAP in, SMTP out,
// and the probing of both. What stands in a letter is read and written by
// [samizdat/mail/message]. It knows nothing of games, matches or storage.
//
// # Letters in
//
// The inbox is the queue. A letter that still lies in the inbox is not handled;
// a handled one is moved to Samizdat/Done, Samizdat/Refused or Samizdat/Ignored.
// Nothing is ever deleted.
//
//   - Letters are given to the [Handler] oldest first. Those that share one of their
//     [IMAPConfig.Keys] are handled one after the other, in the order in which they came; others
//     at the same time, a few for each core. Sixty-four are in hand at most, and 8 MB.
//   - The Handler returns only after its effects are committed. Only then is the
//     letter moved, together with others that are done. A crash between commit and move leads
//     to a second call, so a Handler must be idempotent.
//   - A letter that takes long holds up those that share a key with it, and no others.
//   - An error of the Handler leaves the letter in the inbox. It is tried again,
//     after one second at first and every ten minutes at last. The letters behind
//     it do not wait for it.
//   - A letter the server does not hand out, while it hands out others for an hour,
//     is put in quarantine unread, and the operator is told. So is one at which the
//     connection ends: where that happens among others, each is fetched alone from
//     then on, behind the rest.
//   - While a letter lies in the inbox and could not be handled no deadline passes, but
//     for an hour at most: [Poller.InboxWatermark].
//   - A letter that made the Handler panic or the process die three times, or that
//     failed three times and for a minute, is put in Samizdat/Quarantine, and the
//     operator is told. When he cannot be told, the letter stays where it is. Letters
//     that were in hand together when the process died are handled alone from then on:
//     only what happens then is counted.
//   - A letter that was handled but could not be moved is not handled again by
//     the same process; only the move is repeated, also where the server says that
//     it has moved the letter and the letter still lies there.
//   - Letters flagged \Deleted are left alone: somebody else threw them away, or
//     we copied them on a server that has neither MOVE nor UIDPLUS.
//   - Letters longer than the limit are fetched up to the limit and marked so.
//   - A changed UIDVALIDITY makes the [Poller] forget what it knew about letters.
//     The inbox is opened again every nine minutes, for it may have been deleted,
//     renamed or made anew by others without a word to us.
//   - Every command runs under a deadline. An answer of the server (NO, BAD) keeps
//     the connection; anything else throws it away, and a new one is made after a
//     pause that grows from one second to two minutes. A server that says that it
//     is asked too much is left alone for as long as it says, or up to a quarter of
//     an hour.
//   - A refused login is tried ever more seldom, at last once an hour, for providers
//     lock accounts. A new password in its file, or a new token, ends the wait: it is
//     looked for every minute.
//   - New mail is learned by IDLE, renewed every nine minutes, else by polling,
//     also when IDLE is offered and then refused.
//
// # Letters out
//
// The [Queue] is the outbox, kept by somebody else on disk. The [Sender] hands
// each letter to one submission server over a few kept connections, four where nothing
// else is configured.
//
//   - Another connection is made where more letters wait than there are connections, or those
//     on their way are slow. A server that does not want it is asked for it again after a
//     pause that grows; the work goes on over the others.
//   - The letters to a recipient go one after the other. A letter never overtakes an
//     older one to the same reader: while that waits for another try, so do the newer ones,
//     and their tries are not counted.
//   - Sent letters are booked together, in one transaction beside the sending. After a
//     crash up to 64 are sent again, with the same Message-ID.
//   - A letter has one recipient, and its bytes are fixed before the first try: every
//     try sends the same, with the same Message-ID.
//   - A refusal with 4xx, or a connection lost inside a letter, is tried again
//     after 1, 2, 4 ... minutes, at most 4 hours, for about 5 days. Then the letter
//     is given up. The schedule is the zero [Schedule].
//   - A connection lost after the final dot has an unknown outcome. It is tried
//     again: a letter twice is better than no letter, and the same Message-ID lets
//     mail programs drop the copy.
//   - A refusal of the recipient or the content with 5xx is permanent at once. A
//     refusal that speaks of our own account, login or sender address or of a relay
//     that is closed to us is our trouble: no letter is blamed, and one is tried again
//     after a minute, then after two, at last once an hour. What is said at RCPT may
//     come from the recipient's server. Where a refusal may mean either, it is our
//     trouble when two recipients in a row draw it. Else it is the letter's: it is
//     given up after about two hours, but only if the server took others meanwhile.
//   - An address that is more than an address, with a line end or a bracket, is
//     never shown to the server: the letter fails at once.
//   - The provider's limits hold for any minute and any day, across restarts.
//     Urgent letters go first, and a tenth of a day's limit is theirs alone.
//   - After the only connection was lost in a letter there is a pause, whatever else is due.
//   - When the server cannot be reached, its certificate is not trusted or the
//     login is refused, no letter is blamed: all wait, and the pause grows from one
//     second to five minutes, after a refused login to an hour, as above.
//   - A kept connection that the server closed while it was idle is replaced
//     without blaming the letter that found out.
package mail
