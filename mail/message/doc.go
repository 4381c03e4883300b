// Package message reads what a person wrote with any mail program, and writes answers
// that any of them can show: bytes to a [Letter], and a [Draft] to bytes. It does no
// input or output and knows no other package of the program; what has to be asked of
// the domain name system is handed in.
//
// # Reading
//
// [Read] takes apart what real inboxes hold and never fails; [ReadOrders] keeps
// what the writer typed. Both take time and memory in proportion to the letter,
// whatever is in it. Letters of machines say so in Auto.
//
// # Trust
//
// Nothing in a letter is proof of who wrote it except the seat's [Token], and
// beside it the [Proof] that an operator may demand. A letter without exactly one
// From address has no [Letter] Author, and is not to be trusted at all.
//
// A delivery report is believed when it shows the [LetterID] or the token of the
// letter that came back: [Letter.Report] finds them. Nobody can guess either. A report
// proves nothing else, and no order counts by it.
package message
