package table_test

import (
	"testing"

	"sedmabot/bot/bottest/clock"
)

func TestMain(m *testing.M) {
	clock.Seldom()
	m.Run()
}
