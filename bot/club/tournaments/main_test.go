package tournaments_test

import (
	"testing"

	"sedmabot/bot/clocktest"
)

func TestMain(m *testing.M) {
	clocktest.Seldom()
	m.Run()
}
