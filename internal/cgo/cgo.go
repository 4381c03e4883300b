// Package cgo stops a build without a C compiler at once, with an error that says what to install. SQLite is
// written in C (https://github.com/mattn/go-sqlite3).
package cgo
