//go:build !linux

package bench

// forget does nothing where the machine cannot be told to forget files.
func forget(string) (bool, error) { return false, nil }
