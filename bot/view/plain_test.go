package view

import (
	"strings"
	"testing"

	"sedmabot/game/table"
)

// Plain letters are those of the reader's own pack. Their meaning is said once in the settings, and
// once in a match.
func TestPlainLettersAreExplainedOnce(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{
		"en": "J jack · Q queen · K king · A ace · c clubs · s spades · h hearts · d diamonds",
		"cs": "Sp spodek · Sv svršek · K král · E eso · a žaludy · l zelené · h červené · b kule",
	} {
		s := open(t, "sedma-2p", language)
		s.table.Chats[0].Face = "plain"
		s.do(petr, table.Join{Seat: -1})
		s.do(eva, table.Start{})
		if got := s.show(nil); strings.Count(got, want) != 1 {
			t.Errorf("%s: without %q:\n%s", language, want, got)
		}
	}
}
