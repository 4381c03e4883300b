package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

const (
	// maxSignatures bounds the work of one letter; real ones have one to three.
	maxSignatures = 5
	lookupTimeout = 10 * time.Second
)

// LookupTXT asks the domain name system.
type LookupTXT func(ctx context.Context, name string) ([]string, error)

// SignatureProof is a DKIM signature (RFC 6376) of the author's own domain, or
// the one above it, that we verify ourselves. A nil lookup asks the system's
// resolver. That there is one author only must have been seen to before: a
// signature of one From field stays good when a second one is put on top.
func SignatureProof(lookup LookupTXT) Proof {
	if lookup == nil {
		lookup = net.DefaultResolver.LookupTXT
	}
	return func(ctx context.Context, raw []byte, l Letter) (bool, error) {
		domain := domainOf(l.Author)
		if domain == "" || doubled(raw) {
			return false, nil
		}
		found, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{
			MaxVerifications: maxSignatures,
			LookupTXT: func(name string) ([]string, error) {
				ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
				defer cancel()
				return lookup(ctx, name)
			},
		})
		if err != nil && !errors.Is(err, dkim.ErrTooManySignatures) {
			// The header cannot be read: nobody could have signed that.
			return false, nil
		}
		var later error
		for _, v := range found {
			switch {
			case !aligned(v.Domain, domain):
			case v.Err == nil:
				return true, nil
			case dkim.IsTempFail(v.Err):
				later = fmt.Errorf("verify the signature of %s: %w: %w", v.Domain, ErrLater, v.Err)
			}
		}
		return false, later
	}
}
