package upkeep

import (
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen/screentest"
)

func TestErasureScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		screentest.Golden(t, language, "erase", screentest.Words(t, erasing(c))+"\n"+screentest.Words(t, erased(c))+"\n")
	})
}
