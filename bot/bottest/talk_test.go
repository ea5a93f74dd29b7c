package bottest_test

import (
	"testing"

	"sedmabot/bot/bottest"
	"sedmabot/game"
	"sedmabot/game/ai"
)

func TestConversations(t *testing.T) {
	bottest.Talk(t, "testdata", func(_ string, v game.View) game.Move { return ai.Think("easy", v) })
}
