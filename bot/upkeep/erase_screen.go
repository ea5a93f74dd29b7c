package upkeep

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// erasing says that a person's data is being deleted.
func erasing(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Plain, "mydata.begun")
	return w.Screen
}

// erased says that a person's data was deleted.
func erased(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Plain, "mydata.done")
	return w.Screen
}
