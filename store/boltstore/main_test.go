package boltstore

import (
	"testing"

	"sedmabot/bot/clocktest"
)

func TestMain(m *testing.M) {
	clocktest.AtOnce(8) // they often wait for the disk
	m.Run()
}
