package bottest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/upkeep"
)

// data checks that the newest file sent to a person is the export of their data, and contains the words.
func (w *world) data(person, words string) error {
	var data []byte
	for _, m := range w.private(person) {
		if m.Screen.File != nil {
			data = m.Screen.File.Data
		}
	}
	var export struct{ Player string }
	if err := json.Unmarshal(data, &export); err != nil {
		return fmt.Errorf("no file of data: %w", err)
	}
	if export.Player != id(person) {
		return fmt.Errorf("it is of %s", export.Player)
	}
	for _, other := range cast {
		if other != person && bytes.Contains(data, []byte(id(other))) {
			return fmt.Errorf("it contains %s", other)
		}
	}
	return holds(true, words, string(data))
}

// trace checks whether a full backup contains anything of a person.
func (w *world) trace(person string, should bool) error {
	var backup bytes.Buffer
	if _, err := upkeep.WriteBackup(w.t.Context(), w.store, bot.Kinds(), &backup, time.Now()); err != nil {
		return err
	}
	name := `"` + strings.ToUpper(person[:1]) + person[1:] + `"`
	found := bytes.Contains(backup.Bytes(), []byte(id(person))) || bytes.Contains(backup.Bytes(), []byte(name))
	switch {
	case found && !should:
		return errors.New("there is a trace")
	case !found && should:
		return errors.New("there is no trace")
	}
	return nil
}
