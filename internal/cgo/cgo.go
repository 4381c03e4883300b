// Package cgo makes a build without a C compiler fail early, with an error that says what to install. The SQLite driver
// needs a C compiler (https://github.com/mattn/go-sqlite3).
package cgo
