package bot

import (
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen/screentest"
)

func TestHelpScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		screentest.Golden(t, language, "help", screentest.Words(t, HelpScreen(lang.For(language))))
	})
}
