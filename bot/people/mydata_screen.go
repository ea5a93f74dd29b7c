package people

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// These are the requests of actData. DataErase confirms DataDelete, and DataKeep doesn't.
const (
	DataExport = "export"
	DataDelete = "delete"
	DataErase  = "erase"
	DataKeep   = "keep"
)

func dataButton(w *view.Writer, key, what string, tone screen.Tone) screen.Button {
	return screen.Button{Label: w.Text(key), Press: screen.PressOf(actData, what), Tone: tone}
}

// Privacy says which personal data is kept, for how long, and what a person can do
// about it.
func Privacy(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "privacy.title")
	for _, key := range []string{"privacy.kept", "privacy.not", "privacy.long", "privacy.yours"} {
		w.Say(screen.Plain, key)
	}
	dataButtons(w)
	return w.Screen
}

// MyData lets a person download or delete their data.
func MyData(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "mydata.title")
	w.Say(screen.Plain, "privacy.yours")
	dataButtons(w)
	return w.Screen
}

func dataButtons(w *view.Writer) {
	w.Row(dataButton(w, "button.export", DataExport, screen.Quiet), dataButton(w, "button.delete", DataDelete, screen.Quiet))
}

// MyDataFile sends a person their data as a file.
func MyDataFile(data []byte, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Plain, "mydata.file")
	w.Screen.File = &screen.File{Name: "sedma-my-data.json", Data: data}
	return w.Screen
}

// EraseSure asks whether a person really wants to delete their data.
func EraseSure(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "mydata.sure")
	for _, key := range []string{"mydata.goes", "mydata.stays"} {
		w.Say(screen.Plain, key)
	}
	w.Row(dataButton(w, "button.erase", DataErase, screen.Danger), dataButton(w, "button.keep", DataKeep, screen.Quiet))
	return w.Screen
}
