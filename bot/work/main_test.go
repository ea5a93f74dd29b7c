package work

import (
	"testing"

	"sedmabot/bot/bottest/clock"
)

func TestMain(m *testing.M) {
	clock.AtOnce(12) // most of the time they wait for the disk
	m.Run()
}
