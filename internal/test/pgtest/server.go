// Package pgtest runs a PostgreSQL server for tests, with Debian's programs: a cluster in a
// temporary directory, on a free local port, that ends with the test. A Proxy before it simulates
// network failures.
//
// Its databases use the collation en-US, so that tests find statements that need byte order but do
// not ask for it.
package pgtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Server is a PostgreSQL cluster, running or stopped.
type Server struct {
	// dir contains the cluster in data and the server's log in log.
	dir, bin string
	address  string
	password string
	settings []string
	// as is the user that runs the server; nil for the user of the test.
	as     *syscall.Credential
	server *exec.Cmd
}

// owner is the superuser of the cluster.
const owner = "samizdat"

// Start runs a new cluster until the test ends. Settings are lines of postgresql.conf, e.g.
// fsync=on. The default fsync=off still keeps commits when the server is killed.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s, err := New(t.Context(), settings...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the last words of PostgreSQL:\n%s", s.lastWords())
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// New runs a new cluster until Close.
func New(ctx context.Context, settings ...string) (_ *Server, err error) {
	s := &Server{password: rand.Text(), settings: settings}
	if s.bin, err = programs(); err != nil {
		return nil, err
	}
	if s.as, err = unprivileged(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp(place(), "samizdat-postgres"); err != nil {
		return nil, fmt.Errorf("making a directory for PostgreSQL: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.address, err = freeAddress(ctx); err != nil {
		return nil, err
	}
	if err := s.initialize(ctx); err != nil {
		return nil, err
	}
	return s, s.Run(ctx)
}

// programs returns the directory of PostgreSQL's programs. Debian installs them by version, e.g. in
// /usr/lib/postgresql/*/bin.
func programs() (dir string, err error) {
	if found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb"); err == nil && len(found) > 0 {
		slices.Sort(found)
		return filepath.Dir(found[len(found)-1]), nil
	}
	found, err := exec.LookPath("initdb")
	if err != nil {
		return "", fmt.Errorf("no PostgreSQL on this machine (%w): apt-get install postgresql", err)
	}
	return filepath.Dir(found), nil
}

// unprivileged returns the user postgres of Debian's package if the tests run as root, because
// PostgreSQL refuses to run as root.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("the number of user postgres: %w", err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("the group of user postgres: %w", err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// place returns a directory that every user may enter, unlike t.TempDir: /dev/shm if it has 4 GB
// free, else /tmp.
func place() string {
	const memory, plenty = "/dev/shm", 4 << 30
	var s syscall.Statfs_t
	if err := syscall.Statfs(memory, &s); err == nil && s.Bavail*uint64(s.Bsize) >= plenty {
		return memory
	}
	return "/tmp"
}

// freeAddress returns a free local address. The server keeps it over restarts.
func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("looking for a free port: %w", err)
	}
	return l.Addr().String(), l.Close()
}

// initialize makes the cluster.
func (s *Server) initialize(ctx context.Context) error {
	secret := filepath.Join(s.dir, "password")
	if err := os.WriteFile(secret, []byte(s.password), 0o600); err != nil {
		return fmt.Errorf("writing the password: %w", err)
	}
	if s.as != nil {
		if err := errors.Join(os.Chown(s.dir, int(s.as.Uid), int(s.as.Gid)), os.Chown(secret, int(s.as.Uid), int(s.as.Gid))); err != nil {
			return fmt.Errorf("giving the directory to PostgreSQL: %w", err)
		}
	}
	out, err := s.program(ctx, "initdb", "--pgdata", s.data(), "--username", owner, "--pwfile", secret, "--auth", "scram-sha-256", "--no-sync",
		"--encoding", "UTF8", "--locale", "C.UTF-8", "--locale-provider", "icu", "--icu-locale", "en-US").CombinedOutput()
	if err != nil {
		return fmt.Errorf("making a cluster: %w\n%s", err, out)
	}
	return nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// program returns a command of PostgreSQL, run by the user s.as.
func (s *Server) program(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as}
	return cmd
}

// Run starts a server that was stopped, and waits until it serves.
func (s *Server) Run(ctx context.Context) error {
	_, port, err := net.SplitHostPort(s.address)
	if err != nil {
		return fmt.Errorf("the address of PostgreSQL: %w", err)
	}
	args := []string{"-D", s.data(), "-p", port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
		"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200"}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	log, err := os.OpenFile(s.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("opening PostgreSQL's log: %w", err)
	}
	defer log.Close()
	// The server outlives ctx, which limits the start only, but dies with the test process.
	s.server = s.program(context.WithoutCancel(ctx), "postgres", args...)
	s.server.SysProcAttr.Pdeathsig = syscall.SIGQUIT
	s.server.Stdout, s.server.Stderr = log, log
	if err := s.server.Start(); err != nil {
		s.server = nil
		return fmt.Errorf("starting PostgreSQL: %w", err)
	}
	return s.ready(ctx)
}

// startTakes is the time limit of a start, including crash recovery.
const startTakes = time.Minute

// ready waits until postmaster.pid says that the server is ready.
func (s *Server) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTakes)
	defer cancel()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	pid := []byte(strconv.Itoa(s.server.Process.Pid) + "\n")
	for {
		said, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
		if err == nil && bytes.HasPrefix(said, pid) && strings.HasSuffix(strings.TrimSpace(string(said)), "ready") {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL does not come up: %w\n%s", ctx.Err(), s.lastWords())
		}
	}
}

// Restart stops the server and starts it again. With crash it stops like a failed machine; otherwise
// it rolls back transactions and closes connections first.
func (s *Server) Restart(ctx context.Context, crash bool) error {
	how := syscall.SIGINT
	if crash {
		how = syscall.SIGQUIT
	}
	if err := s.stop(how); err != nil {
		return err
	}
	return s.Run(ctx)
}

// Stop ends the server; Run starts it again.
func (s *Server) Stop() error { return s.stop(syscall.SIGINT) }

func (s *Server) stop(how syscall.Signal) error {
	if s.server == nil {
		return nil
	}
	if err := s.server.Process.Signal(how); err != nil {
		return fmt.Errorf("stopping PostgreSQL: %w", err)
	}
	err := s.server.Wait()
	s.server = nil
	// A server that was killed exits with an error.
	if exit := (*exec.ExitError)(nil); err != nil && (how != syscall.SIGQUIT || !errors.As(err, &exit)) {
		return fmt.Errorf("stopping PostgreSQL: %w", err)
	}
	return nil
}

// Close stops the server and deletes the cluster.
func (s *Server) Close() error {
	return errors.Join(s.stop(syscall.SIGQUIT), os.RemoveAll(s.dir))
}

// Address returns the server's host and port.
func (s *Server) Address() string { return s.address }

// URL returns the URL of a database for the superuser. The database postgres always exists.
func (s *Server) URL(database string) string { return s.url(s.address, database) }

func (s *Server) url(address, database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(owner, s.password), Host: address, Path: "/" + database, RawQuery: "sslmode=disable"}
	return u.String()
}

func (s *Server) log() string { return filepath.Join(s.dir, "log") }

// lastWords returns the end of the server's log.
func (s *Server) lastWords() string {
	said, err := os.ReadFile(s.log())
	if err != nil {
		return err.Error()
	}
	return string(said[max(0, len(said)-4000):])
}
