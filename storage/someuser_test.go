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

// someUsers gives a file to him.
func someUsers(path string) error {
	if os.Getuid() != 0 {
		return nil
	}
	return os.Chown(path, 65534, 65534)
}
