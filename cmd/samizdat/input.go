package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// input is the standard input of a command, which Ctrl-C ends. Who sits at a terminal is
// told that something is waited for.
func input(cmd *cobra.Command, hint string) io.Reader {
	in := cmd.InOrStdin()
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintln(cmd.ErrOrStderr(), hint)
	}
	from, to := io.Pipe()
	context.AfterFunc(cmd.Context(), func() { to.CloseWithError(context.Cause(cmd.Context())) })
	go func() {
		_, err := io.Copy(to, in)
		to.CloseWithError(err)
	}()
	return from
}
