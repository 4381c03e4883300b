package record

import "encoding/hex"

// Letter is what the entry of a conditional order has as its letter: HMAC-SHA256, under
// the secret, of ["letter", match, seq, letter]. Two entries with one digest would
// tell everybody that the second was ordered by the letter of the first; this tells
// nothing before the secret is known, and then names the letter.
func (s Secret) Letter(match string, seq int, letter string) (string, error) {
	sum, err := mac(s.b, "letter", match, seq, letter)
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sum[:]), nil
}
