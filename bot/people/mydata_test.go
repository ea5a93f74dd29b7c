package people

import (
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen/screentest"
)

func TestDataScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		screentest.Golden(t, language, "mydata", screentest.Words(t, Privacy(c))+"\n"+screentest.Words(t, MyData(c))+"\n"+
			screentest.Words(t, EraseSure(c))+"\n"+screentest.Words(t, MyDataFile([]byte("{}"), c))+"\n")
	})
}
