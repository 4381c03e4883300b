package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"samizdat/internal/desk"
)

func deskCommand() *cobra.Command {
	listen := "127.0.0.1:0"
	cmd := &cobra.Command{
		Use:   "desk [FILE]",
		Short: "Serve the page on which orders are composed by clicks",
		Long: "Serve the page of the desk on this machine until Ctrl-C, and print its address: open it in\n" +
			"a browser. FILE is a letter with a link to the desk, which the page opens, or the record of\n" +
			"a match, which the page checks. The page sends no data (docs/desk.md).",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return exactArgs("FILE")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := desk.Page(); err != nil {
				return err
			}
			fragment, match := "", []byte(nil)
			if len(args) > 0 {
				var err error
				if fragment, match, err = desk.Open(args[0]); err != nil {
					return err
				}
			}
			l, err := (&net.ListenConfig{}).Listen(cmd.Context(), "tcp", listen)
			if err != nil {
				return fmt.Errorf("serve the desk: %w", err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Open http://%s/%s\n", l.Addr(), fragment)
			s := &http.Server{Handler: desk.Handler(match), ReadHeaderTimeout: 10 * time.Second}
			stop := context.AfterFunc(cmd.Context(), func() { _ = s.Close() })
			defer stop()
			if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&listen, "listen", listen, "address to serve the page at")
	return cmd
}
