package bot

import (
	"strings"
	"testing"

	"sedmabot/bot/screen"
)

// oldPresses are presses as they stand on buttons in chats, at least one for each first word. They must be read as long as there are
// such buttons. Each room tests what its own presses mean.
var oldPresses = []string{
	"join:k3", "leave:k3", "quit:k3", "sure:k3:leave", "sure:k3:close", "sure:k3:last", "ai:k3", "unai:k3", "start:k3", "rules:k3", "how:k3", "exact:k3", "learn:usual", "read:usual", "read:sedma-4p-kase5-10-15", "cards:k3", "back:k3", "rematch:k3", "shorter:k3", "close:k3",
	"last:k3", "default:k3", "rest:k3", "resume:k3", "more:k3", "proof:k3", "bump:k3", "lesson:", "courses:", "words:", "new:", "kick:k3:2", "kick:k3:2:0a9f", "set:k3:page:game",
	"set:k3:burn:5-10-15", "play:k3:12:7:9h", "play:k3:12:7:stop", "place:k3:12:31:4", "place:k3:12:31:stop",
	"hint:k3", "replay:k3:2:1:0:", "replay:k3:2:1:99999:abcDEF-_012", "deals:k3:2:3:0:abcDEF-_012", "record:k3:2:0:0:abcDEF-_012", "coach:k3:2:0:0:abcDEF-_012", "retry:k3:2:1:15:xrE", "send:k3:1:0:0:", "film:k3:1:0:0:", "series:k3:3", "check:k3:2:3:0:abcDEF-_012",
	"board:k3", "ladder:season:all:0:0", "ladder:week:sedma:10:1", "hall:season:sedma-4p:0:0", "seen:month:all:20:1", "unseen:all:hola:0:1", "feats:first-sweep",
	"daily:now:", "daily:2026-11-21:telegram:-1009", "day:2026-11-20:discord:4211", "finalin:2026-11-22:telegram:-1009", "finalout:2026-11-22:telegram:-1009",
	"puzzle:abcdefghij:2:", "puzzle:abcdefghij:2:discord:4211", "puzzle:day:2026-11-21:telegram:-4", "puzzle:day:today:", "puzzle:next:now:", "puzzle:quiz:1-2026-11-21:telegram:-4",
	"cup:0123456789abc:join:0", "cup:0123456789abc:partner:list", "cup:open:open:pairs", "evening:0123456789abc:join:1", "evening:0123456789abc:length:1-8", "evening:0123456789abc:plan:fnu5o0-so-sedma",
	"sit:k3:2", "tell:k3", "hush:k3", "silence:k3",
	"now:", "solo:", "warm:k3", "post:ABCDEFGH", "help:play", "meet:k3:say:1",
	"look:k3:face:german", "mine:page:list:", "mine:face:german:discord:4211", "cfg:page:list:telegram:-4", "cfg:season:6:telegram:-4", "data:export",
}

// Every press that a button in a chat may have is still read by a room, and the list above has one for each button.
func TestOldPressesAreRead(t *testing.T) {
	t.Parallel()
	b := declared(nil)
	listed := map[string]bool{}
	for _, press := range oldPresses {
		listed[screen.PressWord(press)] = true
		if _, _, err := b.read(press); err != nil {
			t.Errorf("%q: %v", press, err)
		}
	}
	for word := range b.buttons {
		if !listed[word] {
			t.Errorf("no press begins with %q", word)
		}
	}
}

// A press that no button has is refused before anything is looked up.
func TestMadeUpPressesAreRefused(t *testing.T) {
	t.Parallel()
	b := declared(nil)
	for _, press := range []string{
		"", ":", "data", "mine", "daily", "ladder", "join", "join:", "join:A", "join:a:", "join:a:1", "join:a b", "join:01234567890123456", "dance:a", "ladder:week", "ladder:week:all:0", "ladder:week:all:-1:0", "hall:season:all:0:0:0", "ladder::all:0:0", "Join:a",
		"replay:a", "replay:a:1:1:0", "replay:a:1:1:0:012345678901", "replay:a:1:01:0:", "replay:a:1:1:-1:", "record:a:1:1:0:a b", "deals:a:1:1:0:!",
		"set:a", "set:a:b", "set:a:b:", "set:a::b", "set:a:b:c:d", "set:a:B:c", "set:a:b:c ", "set:a:b:0123456789012345678901234", "default:a:b",
		"play:a:1:2", "play:a:1:2:9h:3", "play:a:01:2:9h", "play:a:-1:2:9h", "play:a:1:+2:9h", "play:a:1:2:", "play:a:1:2:9H", "play:a:1:2:xx",
		"play:a:1234567890:2:9h", "place:a:1:2:", "place:a:1:2:-1", "place:a:1:2:9h", "place:a:1:2:0", "play:a:1:2:7", "place:a:1:2:1 ", "play::1:2:9h",
		"kick:a", "kick:a:-1", "kick:a:1:2", "kick:a:1:2345:", "kick:a:1:abcg", "cfg:a:b", "cfg:a:b:", "cfg:a:b:x", "cfg:a:b:X:1", "mine:a:b:x:1:2", "mine::b:x:1", "cfg:a:b:x:--1", "cfg:a:B:x:1",
		"now", "now:a", "lesson:a", "courses:a", "new::", "feats:", "feats:a b", "feats:a:b", "feats:é", "feats:" + strings.Repeat("a", screen.PressLimit), "cup:a:b", "evening:a:b:c:d", "puzzle:a:b", "puzzle:a::", "puzzle:a:b:x", "day:now:", "day:2026-11-20:", "daily:now:discord:1",
		"daily:2026-11-2:discord:1", "sit:a", "sit:a:b", "hint:a:b", "board:", "data:A", "data:a:b", "tell:", "coach:a:1:0:0", "retry:a:1:1:0", "retry:a:1:1:0:", "retry:a:1:1:0:E", "retry:a:1:1:0:x0", "cfg:page:aaaaaaaaaaaaaaaaaaaaaaaa:aaaaaaaaaaaaaaaa:aaaaaaaaaaaaaaaaaaaaaaaa",
	} {
		if _, _, err := b.read(press); err == nil {
			t.Errorf("%q is read", press)
		}
	}
}
