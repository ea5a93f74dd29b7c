package view

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
)

// These are the requests of ActData. DataErase confirms DataDelete, and DataKeep doesn't.
const (
	DataExport = "export"
	DataDelete = "delete"
	DataErase  = "erase"
	DataKeep   = "keep"
)

func dataButton(w *writer, key, what string, tone Tone) Button {
	return Button{Label: w.Text(key), Press: Press{Action: ActData, What: what}.String(), Tone: tone}
}

// Privacy says which personal data is kept, for how long, and what a person can do
// about it.
func Privacy(c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Title, "privacy.title")
	for _, key := range []string{"privacy.kept", "privacy.not", "privacy.long", "privacy.yours"} {
		w.say(Plain, key)
	}
	dataButtons(w)
	return w.Screen
}

// MyData lets a person download or delete their data.
func MyData(c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Title, "mydata.title")
	w.say(Plain, "privacy.yours")
	dataButtons(w)
	return w.Screen
}

func dataButtons(w *writer) {
	w.row(dataButton(w, "button.export", DataExport, Quiet), dataButton(w, "button.delete", DataDelete, Quiet))
}

// MyDataFile sends a person their data as a file.
func MyDataFile(data []byte, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Plain, "mydata.file")
	w.Screen.File = &File{Name: "sedma-my-data.json", Data: data}
	return w.Screen
}

// EraseSure asks whether a person really wants to delete their data.
func EraseSure(c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Title, "mydata.sure")
	for _, key := range []string{"mydata.goes", "mydata.stays"} {
		w.say(Plain, key)
	}
	w.row(dataButton(w, "button.erase", DataErase, Danger), dataButton(w, "button.keep", DataKeep, Quiet))
	return w.Screen
}

// Erasing says that a person's data is being deleted.
func Erasing(c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Plain, "mydata.begun")
	return w.Screen
}

// Erased says that a person's data was deleted.
func Erased(c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Plain, "mydata.done")
	return w.Screen
}
