package play

import (
	"testing"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen/screentest"
	"sedmabot/bot/view"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

func TestReplyScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		lobby := table.New("a", "test:home", table.Chat{}, table.Player{ID: "test:1", Name: "Eva"}, gametest.Preset(t, "sedma-4p"), 0, table.DefaultLimit, time.Unix(0, 0)).Public()
		screentest.Golden(t, language, "share", screentest.Words(t, askShare(lobby, "ABCDEFGH", c), view.Said(c.Text("reply.shared"), c)))
		screentest.Golden(t, language, "hello", screentest.Words(t, hello(0, c), hello(1, c), hello(3, c)))
	})
}
