package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// versionCommand says the same as --version: either is tried first by somebody.
func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version, as --version does", Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "samizdat", version())
			return err
		},
	}
}

// strict makes a command that is not there an error everywhere, also below another and as
// what help is wanted about: a script that misspells one must not think that it was done.
func strict(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		strictBelow(c)
		if c.Name() == "help" {
			tell := c.Run
			c.RunE = func(cmd *cobra.Command, args []string) error {
				found, rest, err := root.Find(args)
				if err == nil && len(rest) > 0 && found.HasSubCommands() {
					err = unknown(found, rest[0])
				}
				if err != nil {
					return err
				}
				tell(cmd, args)
				return nil
			}
		}
	}
}

func strictBelow(c *cobra.Command) {
	for _, below := range c.Commands() {
		strictBelow(below)
	}
	if c.HasSubCommands() && !c.Runnable() {
		c.DisableFlagsInUseLine = true
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknown(cmd, args[0])
			}
			return cmd.Help()
		}
	}
}

// unknown says of a command below another what cobra says of one of the program.
func unknown(below *cobra.Command, name string) error {
	var near strings.Builder
	below.SuggestionsMinimumDistance = 2
	for i, s := range below.SuggestionsFor(name) {
		if i == 0 {
			near.WriteString("\n\nDid you mean this?\n")
		}
		fmt.Fprintf(&near, "\t%s\n", s)
	}
	return errUnknown{below, fmt.Errorf("unknown command %q for %q%s", name, below.CommandPath(), near.String())}
}

// errUnknown is a command that there is not below another.
type errUnknown struct {
	below *cobra.Command
	error
}

// pointed is an error as it is printed: one who named no command that there is learns where
// all of them stand.
func pointed(root *cobra.Command, err error) string {
	said, unknown := err.Error(), errUnknown{below: root}
	if !errors.As(err, &unknown) && !strings.HasPrefix(said, "unknown command ") {
		return said
	}
	help := strings.Replace(unknown.below.CommandPath(), root.Name(), root.Name()+" help", 1)
	return fmt.Sprintf("%s\n%q tells which there are.", strings.TrimRight(said, "\n"), help)
}
