package main

import (
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
)

func TestSyncEmojis(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	unraced(t)
	server := discordtest.New(t)
	config := []string{"discord.token: " + server.Token(), "discord.api_base: " + server.URL()}
	for _, want := range []string{"140 emojis uploaded", "all cards are there\n"} {
		if out, err := with(t, config, "discord", "sync-emojis"); err != nil || !strings.Contains(out, want) {
			t.Errorf("%q is missing in %q: %v", want, out, err)
		}
	}
	if out, err := with(t, config, "doctor"); err != nil || !strings.Contains(out, "good   discord emojis") {
		t.Errorf("the doctor says %v:\n%s", err, out)
	}
	if _, err := with(t, nil, "discord", "sync-emojis"); err == nil || !strings.Contains(err.Error(), "discord.token") {
		t.Errorf("without a token: %v", err)
	}
}
