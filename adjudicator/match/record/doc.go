// Package record is the history of a match as a verifiable record: the sealed stream of outcomes,
// the chain of entries, the file format, replay and verification. docs/record.md specifies the
// format; it can never change, because players' letters quote its hashes.
//
// The main formulas, with H(x) = SHA-256 and HMAC(k, x) = HMAC-SHA256 of canonical JSON (RFC 8785):
//
//	key       = HMAC(secret, ["key", match, [words of every seat]])
//	digest    = HMAC(key, [epoch, n, i, kind])           an outcome of chance (Key.Sample)
//	entry key = HMAC(secret, ["entry", match, seq])
//	sealed    = HMAC(entry key, hidden fields)
//	hash      = H([prev, public fields, sealed])         prev is the hash of the entry before
//
// The secret's commitment, its SHA-256, is in the invitations, before any seat sends its words. The
// epoch rises with every take-back, undo and restore, so no place in the stream is used twice. The
// hidden fields of an entry are hidden draws, the indexes of all draws, private orders and the
// position hash. The seal is keyed because a hand has only some ten million possibilities, so a
// bare hash could be broken by trying them all.
//
// A record is a file of JSON lines: a header, then entries. For example:
//
//	{"format":"samizdat-record","version":1,"game":"1989","rules":2,"options":{},"seats":{...}}
//	{"seq":0,"seat":null,"chance":[{"draw":36,"from":"strategy","to":"communist"}],"hash":"5be1..."}
//	{"seq":1,"seat":"communist","orders":["PLACE Berlin 2"],"prev":"5be1...","hash":"07aa..."}
//
// Replay executes a record; VerifyChain, VerifyStream, VerifySeals, VerifyBeacon, VerifyEpochs,
// VerifyForm and VerifyWitnesses check its proofs. The public form of a record, without secret and
// hidden fields, can be verified except for its outcomes.
package record
