package people

import (
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen/screentest"
	"sedmabot/bot/view"
)

func TestDataScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		screentest.Golden(t, language, "mydata", screentest.Words(t, Privacy(c))+"\n"+screentest.Words(t, MyData(c))+"\n"+
			screentest.Words(t, EraseSure(c))+"\n"+screentest.Words(t, MyDataFile([]byte("{}"), c))+"\n")
		for _, what := range []string{DataExport, DataDelete, DataErase, DataKeep} {
			p := view.Press{Action: view.ActData, What: what}
			if got, err := view.ParsePress(p.String()); err != nil || got != p {
				t.Errorf("%s: %v, %v", p, got, err)
			}
		}
	})
}
