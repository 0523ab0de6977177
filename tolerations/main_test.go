package tolerations_test

import (
	"testing"

	"github.com/daemonplan/daemonplan/internal/gen"
)

func TestMain(m *testing.M) { gen.Main(m, "10000") }
