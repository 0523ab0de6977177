package programtest

import "os"

// BrokenWriter is an output that takes nothing. Its error is os.ErrClosed.
type BrokenWriter struct{}

func (BrokenWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }
