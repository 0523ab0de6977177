package conformance_test

import (
	"io"
	"os"
	"testing"

	"k8s.io/klog/v2"
)

// The reference logs what it decides; nobody reads that here.
func TestMain(m *testing.M) {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	os.Exit(m.Run())
}
