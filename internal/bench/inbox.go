package bench

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"samizdat/mail"
)

// inbox is a mailbox that letters are put into, past all mail servers.
type inbox struct{ c *imapclient.Client }

func dialInbox(l mail.Login) (inbox, error) {
	options := &imapclient.Options{}
	dial := imapclient.DialInsecure
	switch l.TLS {
	case mail.NoTLS:
	case mail.StartTLS:
		dial = imapclient.DialStartTLS
	default:
		dial = imapclient.DialTLS
	}
	if l.CAFile != "" {
		pem, err := os.ReadFile(l.CAFile)
		if err != nil {
			return inbox{}, err
		}
		host, _, err := net.SplitHostPort(l.Address)
		if err != nil {
			return inbox{}, err
		}
		options.TLSConfig = &tls.Config{ServerName: host, RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
		options.TLSConfig.RootCAs.AppendCertsFromPEM(pem)
	}
	c, err := dial(l.Address, options)
	if err != nil {
		return inbox{}, fmt.Errorf("connect to the inbox: %w", err)
	}
	if err := c.Login(l.User, l.Password).Wait(); err != nil {
		return inbox{}, fmt.Errorf("log in to the inbox: %w", err)
	}
	return inbox{c}, nil
}

// put puts letters into the inbox.
func (i inbox) put(letters [][]byte) error {
	for _, raw := range letters {
		cmd := i.c.Append("INBOX", int64(len(raw)), nil)
		if _, err := cmd.Write(raw); err != nil {
			return err
		}
		if err := cmd.Close(); err != nil {
			return err
		}
		if _, err := cmd.Wait(); err != nil {
			return fmt.Errorf("put a letter into the inbox: %w", err)
		}
	}
	return nil
}

// left counts the letters that lie there.
func (i inbox) left() (uint32, error) {
	s, err := i.c.Status("INBOX", &imap.StatusOptions{NumMessages: true}).Wait()
	if err != nil {
		return 0, fmt.Errorf("look into the inbox: %w", err)
	}
	if s.NumMessages == nil {
		return 0, fmt.Errorf("look into the inbox: the server does not say what lies there")
	}
	return *s.NumMessages, nil
}

func (i inbox) close() error { return i.c.Close() }
