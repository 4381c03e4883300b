// Package mail carries letters between players and the referee: IMAP in, SMTP
// out, and everything needed to read what a person wrote and to write an answer
// that any mail program can show. It knows nothing of games, matches or storage.
//
// # Letters in
//
// The inbox is the queue. A letter that still lies in the inbox is not handled;
// a handled one is moved to Samizdat/Done, Samizdat/Refused or Samizdat/Ignored.
// Nothing is ever deleted.
//
//   - A letter is given to the [Handler] oldest first, one at a time.
//   - The Handler returns only after its effects are committed. Only then is the
//     letter moved. A crash between commit and move leads to a second call, so a
//     Handler must be idempotent.
//   - An error of the Handler leaves the letter in the inbox. It is tried again,
//     after one second at first and every ten minutes at last, for as long as it
//     lies there. It is never skipped silently, and the letters behind it do not
//     wait for it. The same holds for a letter the server cannot hand out.
//   - A letter that was handled but could not be moved is not handled again by
//     the same process; only the move is repeated.
//   - Letters flagged \Deleted are left alone: somebody else threw them away, or
//     we copied them on a server that has neither MOVE nor UIDPLUS.
//   - Letters longer than the limit are fetched up to the limit and marked so.
//   - A changed UIDVALIDITY makes the [Poller] forget what it knew about letters.
//   - Every command runs under a deadline. An answer of the server (NO, BAD) keeps
//     the connection; anything else throws it away, and a new one is made after a
//     pause that grows from one second to two minutes.
//   - New mail is learned by IDLE, renewed every nine minutes, else by polling.
//
// # Letters out
//
// The [Outbox] is the queue, kept by somebody else on disk. The [Sender] hands
// each letter to one submission server over one kept connection.
//
//   - A letter has one recipient, and its bytes are fixed when it is queued: every
//     try sends the same Message-ID.
//   - A refusal with 4xx, or a connection lost inside a letter, is tried again
//     after 1, 2, 4 ... minutes, at most 4 hours, for about 4 days. Then the letter
//     is given up. The schedule is [RetryDelay] and [MaxAttempts].
//   - A connection lost after the final dot has an unknown outcome. It is tried
//     again: a letter twice is better than no letter, and the same Message-ID lets
//     mail programs drop the copy.
//   - A refusal of the recipient or the content with 5xx is permanent at once. A
//     5xx that speaks of our own login, our own sender address or a relay that is
//     closed to us is not: it is our trouble, not the recipient's, and the letter
//     keeps its place in the schedule.
//   - When the server cannot be reached, its certificate is not trusted or the
//     login is refused, no letter is blamed: all wait, and the pause grows from one
//     second to five minutes.
//   - A kept connection that the server closed while it was idle is replaced
//     without blaming the letter that found out.
//
// # Trust
//
// Nothing in a letter is proof of who wrote it except the seat's [Token]. A
// letter without exactly one From address is not to be trusted at all.
package mail
