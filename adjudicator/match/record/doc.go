// Package record is the history of a match: the sealed stream that its outcomes
// come from, the chain that its entries form, the file that holds them, and the
// means to play a file again and to verify it. Nothing that is said here can be
// changed later: letters in players' mailboxes are witnesses of it.
//
// # Canonical JSON
//
// What is hashed is canonical JSON: RFC 8785, restricted to integers from
// -(2^53-1) to 2^53-1. Members are sorted by their names in UTF-16 code units;
// there is no white space; strings escape only the quotation mark, the reverse
// solidus and the control characters below U+0020 (\b \t \n \f \r, the others
// \u00xx); everything else is written as UTF-8. A member never stands twice.
// Digests are written as lower-case hexadecimal digits. Below, H(x) is SHA-256
// of canonical JSON, HMAC(k, x) is HMAC-SHA256 under k of canonical JSON.
//
// # The sealed stream
//
// A match begins with a secret of 32 bytes. Its commitment, the SHA-256 of these
// bytes, goes out with the invitations, before any seat sends its words.
//
//	key     = HMAC(secret, ["key", match, [words of every seat, in seat order]])
//	digest  = HMAC(key, [epoch, n, i, kind])
//
// An outcome stands at the place (epoch, n, i, kind). The epoch is 0 and rises
// with every take-back, undo and restore from a backup, so that no place is used
// twice. n counts the entries that carry game orders: the first deal, which no
// order caused, has 0, the first entry with orders 1. i counts the outcomes of
// the entry from 0. The kind is "roll", "lot", or "draw " and the name of a pile.
//
// Whoever knows the secret could choose among the outcomes of many epochs. So an epoch
// rises by one, with an entry that says why and has no outcomes: a take-back, an undo or
// a restore. VerifyEpochs names every other change of it.
//
// The digest is four integers of 64 bits, highest byte first. For an outcome out
// of m, the first of them that is below the greatest multiple of m not above
// 2^64 is taken modulo m. If none of the four is, the digest of
// [epoch, n, i, kind, 1] is taken, then that of [epoch, n, i, kind, 2], and so
// on. A roll is the result for m = 6, plus 1. A draw or a lot is the result for
// m = the size of the pile: an index, from 0, into the pile in the order that
// the game documents.
//
// # Entries
//
// An entry is a line with these members, of which those without a value are left
// out (except seq and seat):
//
//	seq      0, 1, 2, ...
//	at       time in UTC, whole seconds, such as "1989-06-04T09:00:00Z"
//	seat     name of the seat that answered, null for none and for several
//	letter   SHA-256 of the raw letter that ordered it
//	setup    in entry 0: digest of the header (below)
//	epoch    epoch of the outcomes
//	orders   orders in canonical form; hidden if private
//	private  true if only the seat may know the orders before the end
//	silence  how the orders were found when the time for them was over: default,
//	         the first of the legal answers, or lot
//	player   who sits at seat from then on ("player 6"); such an entry has no
//	         orders and no outcomes, and the position stays as it was
//	act      what was done to the match beside playing it (below); such an entry has
//	         no orders and no outcomes
//	answers  sealed answers opened together, in seat order, in place of seat and
//	         orders: each has seat, orders, private, letter and silence as an
//	         entry does
//	tally    ballots counted together, in place of seat, orders and letter: group
//	         (of the decisions that they answered) and outcome (the game's own
//	         object, all that is published of them)
//	chance   outcomes, in order
//	state    H(position); hidden
//	source, forced, note   in foreign records: what asked; an answer that had no
//	         alternative; a remark
//	sealed, prev, hash     the chain
//
// An act is an object with "kind", and, where they have a value, "by" ("director" or
// "operator", where he did it; otherwise the entry's seat did, or, without a seat, nobody), "why" (the
// director's or operator's reason), "until" (a time) and "end": how the match ends by the act, with
// "winners" (names of seats, in their order) or "draw":true; {} means that nobody wins.
// Without "end" the match goes on, and the position stays as it was. A witness has "entry" and
// "hash": an entry before, and its hash. All of it is public.
//
//	resign   seat gives the match up; the game says how it ends, or that it goes on
//	forfeit  the time of seat is over; what that means is as with resign, but seats whose
//	         time is over too do not win by it
//	draw     all agree on a draw, which seat has offered; the game must know it
//	abort    the match is broken off: nobody wins
//	claim    seat wins on the other's time
//	pause, resume, extend   clocks stand still, run again, or have more time
//	undo     the director goes back: stands with takeback, and the epoch is higher
//	annul    the director breaks the match off: nobody wins
//	rule     the director says how it ends
//	witness  seat has seen the history up to "entry", whose hash it signs off
//	restore  the operator has put a backup back, whose newest entry has the time "until":
//	         the position stays as it was, and the epoch is higher
//
// Where the rules end the match, a seat does not win whose player has left by resign or forfeit,
// or sits there without an order of his own while silence has answered for him: an order of his
// own is one without silence, and in answers one with a letter. Games may let such seats win in
// matches of older revisions (1789: revision 1).
//
// After an end no entry follows. But an end by forfeit, claim, annul or rule may be undone,
// annulled or ruled otherwise for seven days. Until then the record of the match shows no more
// than before the end, and the secret is not published.
//
// An outcome is a roll, {"roll":4}, or a draw, with "draw" (the element, a number
// or a string), "i" (its index in the pile), "n" (the size of the pile), "from"
// (the pile; "lot" for a lot), "to" (the seat that receives it), "hand" (the seat
// that loses it) and "hidden" (true if only "to" may know it: then draw is hidden).
// The index of a draw is always hidden, except that of a lot: it tells how many
// lower cards are in the pile. Both have "for", which says what the outcome is for.
//
// Lots that answer for seats that stay silent come before all that the game draws:
// "draw" is the answer as an order, "from" is "lot", "to" the seat, "for" "silence".
// A lot for a private answer is hidden, its "n" too.
//
// # The chain
//
//	entry key = HMAC(secret, ["entry", match, seq])
//	sealed    = HMAC(entry key, hidden fields)
//	hash      = H([prev, public fields, sealed])
//	prev      = hash of the entry before; in entry 0, the commitment
//
// The public fields are the entry without sealed, prev, hash and what is hidden.
// The hidden fields are an object with these members, of which those without a
// value are left out:
//
//	chance   [k, draw, i] for every draw but lots, k counting all outcomes of
//	         the entry from 0
//	         ([k, draw, i, n] for a hidden lot)
//	orders   the orders, if private
//	answers  [k, orders] for every private answer, k counting all answers
//	state    the state
//
// The seal is keyed because a bare hash would be as good as the thing itself: a
// hand is one of some ten million and could be found by trying them all.
//
// The setup of entry 0 is H of the header's members format, version, game, rules,
// match, options, commitment, words and chance, empty where they are missing
// ({} for options, [] for words). So the chain also binds what the match was
// agreed to be, but not the names of its players.
//
// # The file
//
// A record is JSON Lines, in UTF-8. The first line is the header: format
// ("samizdat-record"), version (1), game, rules (the revision), match, options,
// seats (seat name to player), commitment, words, secret once that is published,
// and "chance":"recorded" if the outcomes come from elsewhere. Unknown members of
// the header are passed over. Every further line is an entry, or
// {"expect":{...}}: part of the position that must have been reached by then.
// Unknown members of an entry are refused. In the header and the entries no member
// stands twice, and all numbers are integers.
//
// Before a match is over, its record shows the public fields with sealed, prev and
// hash. Afterwards it shows everything and the secret. A record of a game with
// recorded chance may have a chain under a secret of its own, which then seals
// nothing but the hidden fields; in such records i, n, state and the chain may be
// missing.
package record
