package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
)

// backedUp returns a keeper of a data file with a person in it, and the nights whose backups it made.
func backedUp(t *testing.T, nights int) (*keeper, kept, []time.Time) {
	t.Helper()
	data := onBolt(t)
	k := &keeper{path: strings.TrimPrefix(data.config, "store.path: "), log: slog.New(slog.DiscardHandler)}
	s, err := data.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	key := doc.PlayerKey("test:ann")
	if err := s.Commit(t.Context(), store.Change{Partition: key.Partition, Writes: []store.Write{{Name: key.Name, Data: doc.Encode(doc.Player{Zone: "Europe/Prague"})}}}); err != nil {
		t.Fatal(err)
	}
	var all []time.Time
	for i := range nights {
		all = append(all, time.Date(2030, 1, 25+i, nightHour, 0, 0, 0, time.UTC))
		for range 2 { // the second time, it is there already
			if err := k.backup(t.Context(), s, all[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return k, data, all
}

// Seven nightly backups are kept. The last one that is as it was written is named, and only such a one can be restored.
func TestNightlyBackups(t *testing.T) {
	t.Parallel()
	k, data, all := backedUp(t, 9)
	files := backupsOf(k.path)
	if len(files) != 7 || files[0] != backupOf(k.path, all[2]) || files[6] != backupOf(k.path, all[8]) {
		t.Errorf("kept: %q", files)
	}
	if info, err := os.Stat(files[6]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if said := lastBackup(k.path); !strings.Contains(said, "sedmabot restore "+files[6]) {
		t.Error(said)
	}
	text, err := os.ReadFile(files[6])
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(text, []byte(`"Europe/Prague"`), []byte(`"Europe/Berlin"`), 1)
	if err := os.WriteFile(files[6], changed, 0o600); err != nil || bytes.Equal(changed, text) {
		t.Fatal(err)
	}
	if said := lastBackup(k.path); !strings.Contains(said, "sedmabot restore "+files[5]) {
		t.Error(said)
	}
	file, err := os.ReadFile(k.path)
	if err != nil {
		t.Fatal(err)
	}
	clear(file[2*os.Getpagesize():])
	if err := os.WriteFile(k.path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"restore", files[5]}, {"backup", k.path + ".copy"}} {
		out, err := with(t, []string{data.config, "playground.listen: 127.0.0.1:0"}, args...)
		if err == nil || !strings.Contains(err.Error(), k.path+": the stored data is damaged") || !strings.Contains(err.Error(), "sedmabot restore "+files[5]) {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	if err := os.Remove(k.path); err != nil {
		t.Fatal(err)
	}
	if out, err := with(t, []string{data.config}, "restore", files[6]); err == nil || !strings.Contains(err.Error(), "its checksum is another") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := with(t, []string{data.config}, "restore", files[5]); err != nil || !strings.HasPrefix(out, "1 documents are restored") || strings.Contains(out, "deletions") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if said := lastBackup(k.path); said != "there is none beside it" {
		t.Error(said)
	}
}

// A restore deletes again what people deleted after the backup, and nothing else.
func TestARestoreRepeatsDeletions(t *testing.T) {
	t.Parallel()
	k, data, all := backedUp(t, 1)
	file := backupOf(k.path, all[0])
	early := `{"at":"2020-01-01T00:00:00Z","player":"test:ben"}` + "\n"
	if err := os.WriteFile(deletionsFile(k.path), []byte(early), 0o600); err != nil {
		t.Fatal(err)
	}
	k.erased("test:ann")
	k.erased("test:ann")
	if err := os.Rename(k.path, filepath.Join(t.TempDir(), "away")); err != nil {
		t.Fatal(err)
	}
	out, err := with(t, []string{data.config}, "restore", file)
	if err != nil || !strings.Contains(out, "1 deletions of people's data were after this backup") {
		t.Fatalf("%v\n%s", err, out)
	}
	s, err := data.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	docs, err := s.Get(t.Context(), doc.PlayerKey("test:ann"), store.Key{Partition: doc.PlayerKey("test:ann").Partition, Name: upkeep.EraseName("test:ann")})
	var ann doc.Player
	if err != nil || doc.Decode(docs[0], &ann) != nil || !ann.Erasing || docs[1].Version == 0 {
		t.Errorf("%+v, %v", docs, err)
	}
	jobs, _, err := s.Claim(t.Context(), time.Now().Add(time.Minute), time.Minute, 10)
	if err != nil || len(jobs) != 1 || jobs[0].ID != upkeep.EraseName("test:ann") {
		t.Errorf("due: %+v, %v", jobs, err)
	}
	if err := k.forget(file); err != nil {
		t.Fatal(err)
	}
	if left, err := deletions(k.path); err != nil || len(left) != 2 {
		t.Errorf("the list: %+v, %v", left, err)
	}
}
