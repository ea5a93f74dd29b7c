package bottest_test

import (
	"context"
	"testing"

	"sedmabot/bot/bottest"
	"sedmabot/game"
	"sedmabot/game/ai"
)

func TestConversations(t *testing.T) {
	if testing.Short() {
		t.Skip("whole matches take too long under the race detector; TestStorm plays under it")
	}
	bottest.Talk(t, "testdata", easy)
}

// easy plays every AI seat at the cheapest level, because the tests don't depend on who wins.
func easy(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
	return ai.Beginner.Try(context.Background(), v, 0, 0)
}
