// Package secretary runs the club: it takes the letters that members and strangers write to
// it, does what they ask, and answers each with one letter.
//
// The adjudicator hands it every letter that no seat's player has proved to have written.
// Package club reads it; what it leads to is one adjudicator.Change, which is stored whole or
// not at all.
//
// # Who is answered
//
//   - A letter whose token a member's key made, from the member's own address, is carried out
//     line by line and gets one answer.
//   - REGISTER from anybody gets a letter to his address, once a day, that says nothing of who
//     is a member. Nobody is a member before that address has answered it with YES.
//   - A club order from a member's address without his token does nothing. He gets a letter
//     with a token, once a day. From other addresses only HELP is answered, with how to join.
//   - Anything else is not the club's.
//
// So whoever forges a sender can make us write one letter a day to an address, and a bounded
// number to all, and never learns who is a member: the answers go elsewhere.
package secretary
