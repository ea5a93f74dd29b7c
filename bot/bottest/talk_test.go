package bottest_test

import (
	"testing"

	"sedmabot/bot/bottest"
	"sedmabot/game/ai"
)

func TestConversations(t *testing.T) { bottest.Talk(t, "testdata", ai.Think) }
