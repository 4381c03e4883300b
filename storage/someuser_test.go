package storage

import (
	"os"
	"os/exec"
	"syscall"
)

// someUser runs a program as nobody in particular, when we are root: root may
// write everywhere.
func someUser(cmd *exec.Cmd) {
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
}
