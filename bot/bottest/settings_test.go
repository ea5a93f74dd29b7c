package bottest

import (
	"testing"
	"testing/synctest"

	"sedmabot/bot/playground"
)

func TestPrivateSettings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, easy)
		defer w.halt()
		must := func(_ any, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		ann := id("ann")
		newest := func() playground.Message {
			all := w.ground.Direct(ann)
			return all[len(all)-1]
		}
		PrivateSettings(t, Private{
			Home:         ann,
			AskElsewhere: func() { must(w.ground.Command(t.Context(), ann, playground.Channel, "/settings")) },
			Ask:          func() { must(w.ground.Command(t.Context(), ann, ann, "/settings")) },
			Press: func(data string) string {
				t.Helper()
				r, err := w.ground.PressData(t.Context(), ann, newest().Address, data)
				must(r, err)
				return r.Toast
			},
			Shown: func() (text string, buttons []string) {
				screen := newest().Screen
				rows := screen.Rows
				for _, m := range screen.Menus {
					rows = append(rows, m.Options)
				}
				for _, row := range rows {
					for _, b := range row {
						buttons = append(buttons, b.Press)
					}
				}
				return screen.String(), buttons
			},
			Until: func(what string, ok func() bool) {
				synctest.Wait()
				if !ok() {
					t.Fatalf("%s: there is %v", what, newest().Screen)
				}
			},
		})
	})
}
