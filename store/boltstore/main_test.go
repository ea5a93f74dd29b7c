package boltstore

import (
	"os"
	"testing"

	"sedmabot/bot/clocktest"
)

// checked is the variable that makes this test binary check a file and nothing else.
const checked = "SEDMABOT_TEST_CHECK"

func TestMain(m *testing.M) {
	if path := os.Getenv(checked); path != "" {
		if Check(path) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	clocktest.AtOnce(8) // they often wait for the disk
	m.Run()
}
