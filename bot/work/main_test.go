package work

import (
	"testing"

	"sedmabot/bot/clocktest"
)

func TestMain(m *testing.M) {
	clocktest.AtOnce(12) // most of the time they wait for the disk
	m.Run()
}
