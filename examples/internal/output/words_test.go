package output

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 63000: "63,000", 4200000: "4,200,000"} {
		assert.Equal(t, want, Thousands(n))
	}
}
