package main

import "context"

// A match in memory is watched by nobody.

// ObserverKey implements adjudicator.Store.
func (s *memory) ObserverKey() []byte { return nil }

// Observes implements adjudicator.Store.
func (s *memory) Observes(context.Context, string) (bool, error) { return false, nil }

// ReceivedLike implements adjudicator.Store.
func (s *memory) ReceivedLike(context.Context, string) (int, error) { return 0, nil }

func (desk) ObserverReplyTo([]byte, string, int, int64) string  { return "" }
func (desk) ObserverLetterID([]byte, string, int, int64) string { return "" }
func (desk) Referee() string                                    { return "" }
