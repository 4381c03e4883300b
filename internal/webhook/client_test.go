package webhook

import (
	"net/netip"
	"testing"
)

// TestPublicAddresses: special ranges are private, also where IPv6 contains an IPv4 address.
func TestPublicAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"8.8.8.8": true, "2a00:1450:4001:830::200e": true, "172.32.0.1": true,
		"127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "100.64.1.1": false,
		"0.0.0.0": false, "198.18.0.1": false, "224.0.0.1": false, "255.255.255.255": false, "::1": false, "::": false, "fe80::1": false,
		"fe80::1%eth0": false, "fd00:ec2::254": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "64:ff9b::7f00:1": false,
		"2002:7f00:1::": false, "2001:0:53aa:64c::": false, "ff02::1": false,
	} {
		if got := isPublic(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is public: %v", text, got)
		}
	}
}
