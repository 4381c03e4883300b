//go:build !cgo

package cgo

// Without a C compiler in PATH, or with CGO_ENABLED=0, go build prints this undefined name.
var _ = samizdat_needs_a_C_compiler__On_Debian_run__apt_install_gcc_libc6_dev__and_leave_CGO_ENABLED_unset
