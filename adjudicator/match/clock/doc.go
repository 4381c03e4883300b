// Package clock implements the clocks of a match. It is pure: all times are parameters, in UTC and
// whole microseconds, and equal inputs give equal deadlines.
//
// # The rules
//
//  1. A seat begins a match with the bank of the [Tempo], for example 72 hours.
//  2. A seat is to move while it has an open decision. A sealed answer counts as open, as other seats
//     see it, until the answers of its group are opened.
//  3. The clock starts when the mail server accepts the first letter with the question. A bounced
//     letter does not count; then the clock also starts with the player's first letter after an
//     accepted question letter. If all letters bounced, the question is sent again a day after the
//     last bounce. Recipients can forge bounces, so a bounce is ignored after the time-out, after a
//     letter of the player, and if it only reports a delay (4.x.x, RFC 3463). At most [MaxRestarts]
//     bounces restart the clock for a question, and bounces add at most [MaxVoidedTime] in a match.
//  4. The clock stops with the arrival of the letter that answers the last open decision. The arrival
//     is the delivery to our mailbox, but not later than reading the letter and not before the start.
//     An order held for GRACE counts when it is executed, at the latest at the time-out.
//  5. If an answer leads to new questions for the same seat and for no other seat in between, the
//     used time is subtracted and the clock restarts with the new question. While an old question of
//     the seat stays open, the clock runs on.
//  6. When a seat has answered its last decision, it gains the increment, up to the cap, and keeps
//     more if it had more. A seat whose sealed answer is opened also gains the increment if it had no
//     other open decision, whatever it is asked next. Take-backs and undos give nothing, nor does a
//     pending answer that is executed in the moment of its question.
//  7. The clock does not run in [Pauses]: vacations of the player, pauses of the match, and inbox
//     outages. Overlapping pauses count once.
//  8. The time-out is the moment when the remaining time has run. Letters at or after the time-out
//     are late. [TimeoutPolicy] decides: with forfeit the match is lost after [ForfeitGrace] more
//     time, and only then a letter is late. With claim no letter is late, and from the time-out on an
//     opponent may claim the match unless it is paused. With silence the rules of the game answer,
//     and decisions without a default are as with claim.
//  9. A time-out takes effect only after an inbox scan that began at or after the time-out. Held
//     orders of the seat are executed first.
//  10. With a time for each phase every question has this time; there is no increment.
//  11. Added time counts from the moment of the addition, or from the time-out if that is later. A new
//     player begins with the bank, and so do all players of a match that is resumed after its end.
//  12. Stored times in the future, after the system clock was set back, become the present time.
//
// Other seats see the clock of a seat with sealed answers as if it had not answered.
package clock
