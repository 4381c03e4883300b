package mail

import (
	"context"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestSilentServer: a port on which the client speaks first says nothing to who waits
// for a greeting. One command's time is enough to see that, and the port tells why.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{StartTLS, NoTLS} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				dial := func(context.Context, string, string) (net.Conn, error) {
					here, there := net.Pipe()
					t.Cleanup(func() { _ = there.Close() })
					return here, nil
				}
				var found []Finding
				p := Probe{Tell: func(f Finding) { found = append(found, f) },
					In:  IMAPConfig{Login: Login{Address: "mail.example:993", TLS: mode, User: referee, Password: pass}, Dial: dial},
					Out: SMTPConfig{Login: Login{Address: "mail.example:465", TLS: mode, User: referee, Password: pass}, Dial: dial}}
				began := time.Now()
				p.Run(t.Context())
				if took := time.Since(began); took > 2*30*time.Second {
					t.Errorf("it took %v", took)
				}
				for i, key := range []string{"imap", "smtp"} {
					if len(found) != 3 || found[i].Level != Wrong || found[i].Do != "this port wants tls: tls, under "+key {
						t.Fatalf("found: %+v", found)
					}
				}
				_, err := dialSMTP(t.Context(), p.Out.WithDefaults())
				if err == nil || !strings.Contains(configTrouble(err), "this port wants tls: tls") {
					t.Errorf("the hint for %v is %q", err, configTrouble(err))
				}
				p.Out.Address = "mail.example:587"
				_, err = dialSMTP(t.Context(), p.Out.WithDefaults())
				if err == nil || configTrouble(err) != "" || !strings.Contains(connectAdvice(err, "smtp"), "did not answer in time") {
					t.Errorf("at another port: %v, %q", err, connectAdvice(err, "smtp"))
				}
			})
		})
	}
}
