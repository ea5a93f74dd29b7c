package boltstore

import (
	"testing"

	"sedmabot/bot/bottest/clock"
)

func TestMain(m *testing.M) {
	clock.AtOnce(8) // they often wait for the disk
	m.Run()
}
