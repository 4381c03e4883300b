// Package mail transports letters between players and the referee: IMAP in, SMTP out, and tests of both (Probe).
// Package [samizdat/mail/message] reads and writes the letters. Package mail knows no games, matches or
// storage.
//
// # Incoming letters
//
// The inbox is the queue. A letter in the inbox has not been handled; a handled letter is moved to Samizdat/Done,
// Samizdat/Refused, Samizdat/Ignored or Samizdat/Questions. Letters are never deleted.
//
//   - Letters are passed to the [Handler] oldest first. Letters with a common key ([IMAPConfig].Keys) are handled one
//     after the other, others at the same time. At most 64 letters or 8 MB are in progress. A slow letter
//     delays only letters with a common key.
//   - The Handler returns after its effects are committed. The letter is then moved, with other handled letters. After a
//     crash between commit and move the Handler is called again, so it must be idempotent.
//   - After an error of the Handler the letter stays in the inbox and is tried again, after pauses of one second to ten
//     minutes. Other letters do not wait.
//   - A letter that the server does not deliver, while it delivers others for an hour, is quarantined unread and the
//     operator is told. If the connection is lost while letters are fetched, each is fetched alone from then
//     on, after the others; if it is lost again, the letter counts as not delivered.
//   - A failing letter in the inbox blocks deadlines for at most an hour: [Poller.InboxWatermark].
//   - A letter is moved to Samizdat/Quarantine and the operator is told if the Handler panicked or the process died three
//     times, or the Handler failed three times and for a minute. If the operator cannot be told, the letter stays.
//     Letters that were in progress together when the process died are handled alone from then on, and counted only then.
//   - If a letter was handled but cannot be moved, only the move is repeated, also if the letter is still in the inbox after
//     a successful move.
//   - Letters flagged \Deleted are skipped: another program deleted them, or we copied them on a server without MOVE.
//   - Letters above the size limit are fetched up to the limit and marked as truncated.
//   - After a change of UIDVALIDITY the [Poller] forgets its knowledge about letters. It opens the inbox again every nine
//     minutes, because the mailbox may have been deleted, renamed or created again.
//   - Every command has a time-out. After a NO or BAD the connection stays open; after any other error it is closed and
//     opened again after a pause of one second to two minutes. If the server limits requests, the pause is the time that
//     the server names, or up to a quarter of an hour.
//   - After a refused login the pause grows to an hour, because providers lock accounts. A new password in its file or a
//     new token ends the pause within a minute.
//   - New mail is announced by IDLE (RFC 2177), renewed every nine minutes. Without IDLE the inbox is polled.
//
// # Outgoing letters
//
// The [Queue] is the outbox, stored by another package. The [Sender] submits each letter to one SMTP server over a
// few persistent connections, by default up to four.
//
//   - Another connection is opened if more letters wait than connections are open, or if sending is slow. If the server
//     refuses the connection, it is tried again after a growing pause; sending continues over the others.
//   - Letters to a recipient are sent in order. A letter never overtakes an older one to the same reader: while the older
//     letter waits for a retry, later letters wait too, and their tries are not counted.
//   - Sent letters are recorded in batches. After a crash up to 64 letters are sent again, with the same Message-ID.
//   - A letter has one recipient. Its bytes and Message-ID are the same in every try.
//   - After a 4xx reply, or a connection lost inside a letter, the letter is tried again after 1, 2, 4 ... minutes, at most
//     4 hours apart, for about 5 days. See [Schedule].
//   - After a connection lost after the final dot the outcome is unknown and the letter is sent again. The same Message-ID
//     lets mail programs drop the duplicate.
//   - A 5xx reply about the recipient or the content is permanent. A reply about our account, login, sender address or
//     relaying is not the letter's fault: a letter is tried again after one minute, two minutes, at last once an hour. A
//     reply to RCPT may come from the recipient's server. An unclear reply counts as about our account if two
//     recipients in a row cause it; otherwise the letter is given up after about two hours, if the server accepted others.
//   - A recipient address with a line end or angle bracket is never sent; the letter fails at once.
//   - The provider's limits hold for every minute and day, also after a restart. Urgent letters are sent first, and a tenth
//     of the daily limit is reserved for them.
//   - If the only connection is lost inside a letter, sending pauses.
//   - If the server is unreachable, its certificate untrusted or the login refused, all letters wait and no try is counted.
//     The pause grows from one second to five minutes, after a refused login to an hour.
//   - If the server has closed an idle connection, the letter is sent over a new one and no try is counted.
package mail
