package webhook

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"samizdat/adjudicator/club"
)

const (
	requestTimeout = 10 * time.Second
	maxResponse    = 4 << 10
)

// newClient returns a client that connects to public addresses only, unless private ones are allowed. The address is checked
// when the connection is made, after DNS has answered. It follows no redirect and uses no proxy.
func newClient(allowPrivate bool) *http.Client {
	dialer := &net.Dialer{Timeout: requestTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err == nil && !allowPrivate && !isPublic(at.Addr()) {
			err = fmt.Errorf("%s is not a public address", at.Addr())
		}
		return err
	}}
	return &http.Client{Timeout: requestTimeout,
		Transport: &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: requestTimeout, MaxResponseHeaderBytes: 16 << 10,
			MaxIdleConns: workers, MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// specialRanges are special-purpose address ranges that netip.Addr has no method for
// (https://www.iana.org/assignments/iana-ipv4-special-registry, iana-ipv6-special-registry). 64:ff9b::/96 and 2002::/16
// contain IPv4 addresses, which may be private.
var specialRanges = func() (out []netip.Prefix) {
	for _, p := range []string{"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
		"198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
		"fec0::/10"} {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}()

func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	for _, p := range specialRanges {
		if p.Contains(a) {
			return false
		}
	}
	return a.IsGlobalUnicast() && !a.IsPrivate()
}

// post sends a notice to a hook. Only a 2xx status is a success. No error names the path of the hook, which may be secret.
func (s *Sender) post(ctx context.Context, h club.Hook, n club.Notice) error {
	body, contentType, err := encodeNotice(n, h.Format)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the address of the hook at %s is invalid", h.Host())
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("User-Agent", "Samizdat")
	if h.Format == "ntfy" && n.Link != "" {
		req.Header.Set("Click", n.Link)
	}
	res, err := s.client.Do(req)
	if err != nil {
		return newUnreachableError(err)
	}
	_, err = io.Copy(io.Discard, io.LimitReader(res.Body, maxResponse))
	if closeErr := res.Body.Close(); err == nil {
		err = closeErr
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return fmt.Errorf("%s answers %s", h.Host(), res.Status)
	}
	return err
}
