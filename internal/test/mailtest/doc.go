// Package mailtest is support for tests of mail: a [Proxy] that makes trouble on
// purpose, a [Mailbox] to look into and to change by hand, [Pipes] for a network
// without sockets, and certificates. It shows what a mail program does when
// connections stall, break or lie.
package mailtest
