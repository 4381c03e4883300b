// Package mailtest helps to test mail programs against stalled, broken and lying connections. It has
// a [Proxy] that causes failures, a [Mailbox] client, in-memory connections ([Pipes]) and
// certificates.
package mailtest
