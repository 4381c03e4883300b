package message

import (
	"crypto/hmac"
	"crypto/sha256"
	"strconv"
	"strings"
)

// ObserverToken stands in the Reply-To of a letter to somebody who watches a match,
// or has been asked whether he wants to. A seat's number has no letter in front, so
// neither sort of token reads as the other.
type ObserverToken struct {
	// Match is what the match was called: lower-case letters and digits, no dash.
	Match string
	// Observer is the observer's number within the match; 0 asks for a confirmation.
	Observer int
	// Number is the number of the letter, or the day of a question.
	Number int64
	// MAC is 80 bits of HMAC-SHA256 under the address's key, in base32.
	MAC string
}

// NewObserverToken makes the token of one letter to one observer.
func NewObserverToken(key []byte, match string, observer int, number int64) ObserverToken {
	t := ObserverToken{Match: match, Observer: observer, Number: number}
	t.MAC = t.mac(key)
	return t
}

// Valid reports whether the token was made with key. It takes the same time
// whatever the MAC is.
func (t ObserverToken) Valid(key []byte) bool { return hmac.Equal([]byte(t.mac(key)), []byte(t.MAC)) }

// Address puts the token into the address base as a +detail. A base that is no
// address gives an empty string.
func (t ObserverToken) Address(base string) string {
	local, domain, ok := SplitAddress(base)
	if !ok {
		return ""
	}
	return local + "+" + t.name() + "-" + t.MAC + "@" + domain
}

// FindObserverToken looks for the address of an observer's token under base where
// FindToken looks for a seat's, and gives the first. It proves nothing.
func FindObserverToken(l Letter, base string) (ObserverToken, bool) {
	local, domain, ok := SplitAddress(base)
	if !ok {
		return ObserverToken{}, false
	}
	for _, list := range [][]string{l.To, l.Cc, l.DeliveredTo} {
		for _, a := range list {
			al, ad, ok := SplitAddress(a)
			if !ok || ad != domain {
				continue
			}
			if detail, ok := strings.CutPrefix(al, local+"+"); ok {
				if t, ok := parseObserverToken(detail); ok {
					return t, true
				}
			}
		}
	}
	return ObserverToken{}, false
}

func (t ObserverToken) name() string {
	return t.Match + "-o" + strconv.Itoa(t.Observer) + "-" + strconv.FormatInt(t.Number, 10)
}

func (t ObserverToken) mac(key []byte) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("samizdat observer token\x00" + t.name()))
	return tokenEncoding.EncodeToString(h.Sum(nil)[:10])
}

// parseObserverToken accepts canonical spellings only.
func parseObserverToken(detail string) (ObserverToken, bool) {
	p := strings.Split(detail, "-")
	if len(p) != 4 || !isMatchID(p[0]) || len(p[3]) != macChars || !strings.HasPrefix(p[1], "o") {
		return ObserverToken{}, false
	}
	if _, err := tokenEncoding.DecodeString(p[3]); err != nil {
		return ObserverToken{}, false
	}
	t := ObserverToken{Match: p[0], MAC: p[3]}
	var err error
	if t.Observer, err = strconv.Atoi(p[1][1:]); err != nil || t.Observer < 0 {
		return ObserverToken{}, false
	}
	if t.Number, err = strconv.ParseInt(p[2], 10, 64); err != nil || t.Number < 0 {
		return ObserverToken{}, false
	}
	return t, t.name() == p[0]+"-"+p[1]+"-"+p[2]
}
