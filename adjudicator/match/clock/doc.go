// Package clock counts the time that players have to answer. It is pure: all times come
// from outside, in UTC and whole microseconds, and the same times give the same deadline,
// whenever and how often it is asked for.
//
// # The rules
//
//  1. A seat begins a match with the bank of the [Tempo].
//  2. A seat owes while the match asks it anything. A sealed answer is owed, for all others to
//     see, until the answers of all are opened.
//  3. When a seat comes to owe, it is asked. Its time runs from the start: the earliest
//     moment when the mail server had taken a letter that asks what it owes. A letter does not
//     count of which a report says that it did not arrive; then the first letter
//     of the player himself counts as well, that came after one of ours was taken. Where
//     none counts, the seat is asked again a day after the last report. Whoever has a letter
//     of ours can forge such a report. So a report counts for nothing that comes when the time is
//     over, or after a letter of the player who was asked, or that says that the letter may still
//     arrive (4.x.x); [MaxRestarts] reports at most let the time for a question begin anew, and
//     by [MaxVoidedTime] at most in a match.
//  4. It runs until the arrival of the letter that leaves nothing of what the seat owes
//     unanswered. A letter counts as arrived when our mailbox took it in, but not later than
//     it was read and not before the start. What was held back for its player counts when
//     it is carried out, and at zero at the latest.
//  5. Where an answer leads to other questions to the same seat, and to nobody else between,
//     the seat is asked again: what it used is taken off, and its time runs on from the
//     start of the new question. While one of its questions stays open, it runs on.
//  6. Each time a seat goes from owing to owing none it gains the increment, up to the cap;
//     never less than it had. So does each seat whose sealed answer is opened with the others
//     and that owed nothing else, whatever it is asked then. It gains nothing when something
//     is taken back or undone, and nothing for an answer that was kept for it and given in the
//     same moment in which it was asked.
//  7. Time is not counted in a [Span] of the seat's [Pauses]: vacations of its player, pauses of the
//     match, and the times in which nobody looked into our mailbox. Spans that overlap
//     count once.
//  8. Zero is the first moment at which as much was counted since the start as was left
//     then. A letter that arrives at zero or later is late. What zero means is the match's
//     [TimeoutPolicy]: with forfeit, a letter is late only when [ForfeitGrace] more was counted, and the match
//     is then lost; with claim, none is late, and whoever has not answered can lose the match
//     to a claim from zero on, but not while the match is paused; with silence, the rules of the game answer, and where
//     they wait, it is as with claim.
//  9. Nothing becomes of zero before somebody has looked through the inbox with a look that
//     began at zero or later. What is held back for the seat is carried out first.
//  10. With a time a phase each question has that time, and nothing is gained or kept.
//  11. Time that is given is counted from the moment when it is given, or from zero where
//     that is later. A new player begins with the bank, and so do all where a match that was
//     over is taken up again.
//  12. What began at a time later than now, since the system clock was set back, began now.
//
// Other seats are shown, of a seat whose sealed answers wait for those of others, what they would
// be shown if it had not answered.
package clock
