package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// errUsage is what is wrong with how a command was called.
type errUsage struct {
	cmd *cobra.Command
	err error
}

func (e errUsage) Unwrap() error { return e.err }

func (e errUsage) Error() string {
	return fmt.Sprintf("%s: %v\nIt is written: %s\n\"%s --help\" tells more.", e.cmd.Name(), e.err, e.cmd.UseLine(), e.cmd.CommandPath())
}

// arguments wants exactly the arguments that are named.
func arguments(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch missing := len(names) - len(args); {
		case missing == 1:
			return errUsage{cmd, fmt.Errorf("%s is missing", names[len(args)])}
		case missing > 1:
			return errUsage{cmd, fmt.Errorf("%s are missing", strings.Join(names[len(args):], " and "))}
		case missing < 0:
			return errUsage{cmd, fmt.Errorf("%q is too much", strings.Join(args[len(names):], " "))}
		}
		return nil
	}
}

// flagError says in words what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
		wanted, ok := map[string]string{
			"int": "a whole number", "uint64": "a whole number from 0 on", "float64": "a number",
			"bool": "true or false", "duration": "a time with its unit, such as 30s or 5m",
		}[invalid.GetFlag().Value.Type()]
		if ok {
			err = fmt.Errorf("--%s wants %s, and %q is none", invalid.GetFlag().Name, wanted, invalid.GetValue())
		}
	}
	return errUsage{cmd, err}
}

// release is the version that who builds a package links in; without it the program names
// the revision of its source, where Go knows that.
var release string

// version names the release or the source that this program was built from, and with what.
func version() string { return versionOf(release) }

func versionOf(release string) string {
	info, ok := debug.ReadBuildInfo()
	if release != "" {
		return fmt.Sprintf("%s, %s %s/%s", release, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	}
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return fmt.Sprintf("of an unknown source, %s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	}
	return fmt.Sprintf("%s, %s %s/%s", info.Main.Version, info.GoVersion, runtime.GOOS, runtime.GOARCH)
}

// shellWord is a word as a shell takes it.
func shellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%:,=") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// typed is this program as it is called here, so that a command that is printed can be
// typed as it stands.
func typed() string {
	self, err := os.Executable()
	switch {
	case err != nil:
		return "samizdat"
	case strings.Contains(filepath.ToSlash(self), "/go-build"):
		return "go run ./cmd/samizdat"
	}
	if found, err := exec.LookPath("samizdat"); err == nil {
		a, errFound := os.Stat(found)
		b, errSelf := os.Stat(self)
		if errFound == nil && errSelf == nil && os.SameFile(a, b) {
			return "samizdat"
		}
	}
	return os.Args[0]
}
