package redisstore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// An overwritten document counts as damaged. It hides no other document, and no message shows its name.
func TestDamagedDocument(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s := open(t, server.URL(), redisstore.Options{})
	var c store.Change
	for _, name := range []string{"table:a", "table:b", "table:c"} {
		c.Writes = append(c.Writes, store.Write{Name: name, Data: []byte(name)})
	}
	if err := s.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"table:a": "x", "table:c": strings.Repeat("x", 40)} {
		if answer, err := server.Do("SET", "sedma:{p00}:doc:"+name, value); answer != "+OK" {
			t.Fatal(answer, err)
		}
	}
	bad := []store.Key{{Name: "table:a"}, {Name: "table:c"}}
	docs, next, err := s.Scan(t.Context(), 0, "table:", "")
	var d *store.Damaged
	if !errors.As(err, &d) || !slices.Equal(d.Keys, bad) || len(docs) != 1 || next != "" {
		t.Errorf("%v, %q, %v", docs, next, err)
	}
	if _, err := s.Get(t.Context(), store.Key{Name: "table:b"}, bad[1]); !errors.As(err, &d) || !slices.Equal(d.Keys, bad[1:]) || strings.Contains(err.Error(), "table:c") {
		t.Errorf("%v", err)
	}
	if docs, err := s.Get(t.Context(), store.Key{Name: "table:b"}); err != nil || string(docs[0].Data) != "table:b" {
		t.Errorf("%v, %v", docs, err)
	}
}
