package discord_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/lang"
)

// The input has Discord's description of a place and the bot's permissions there.
func TestThePlaceOfACommandArrives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	inputs := make(chan chat.Input, 1)
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		inputs <- in
		return chat.Reply{}
	})
	in := func(c *discordtest.Channel) chat.Input {
		w.ann.Slash(c, "new", nil).Wait()
		return <-inputs
	}
	thread := w.guild.NewThread("a thread")
	if got := in(thread); got.Lacks != nil || got.Chat.ID != "discord:"+thread.ID || got.Chat.Home != "discord:"+w.guild.ID || got.Chat.Visit {
		t.Errorf("a thread: %+v", got)
	}
	for _, test := range []struct {
		may             uint64
		channel, thread []string
	}{
		{discordtest.MayAll, nil, nil},
		{8, nil, nil}, // an administrator
		{0, []string{"view", "send"}, []string{"view", "threads"}},
		{discordtest.MayView, []string{"send"}, []string{"threads"}},
		{discordtest.MayView | discordtest.MaySend, nil, []string{"threads"}},
	} {
		w.guild.Permit(test.may)
		if diff := cmp.Diff([][]string{test.channel, test.thread}, [][]string{in(w.channel).Lacks, in(thread).Lacks}); diff != "" {
			t.Errorf("permissions %b: (-wanted +has)\n%s", test.may, diff)
		}
	}
	w.guild.RemoveBot()
	if got := in(w.channel); !got.Chat.Visit || got.Chat.Private {
		t.Errorf("a server where the bot is not: %+v", got)
	}
	between := w.NewPrivate()
	if got := in(between); !got.Chat.Visit || got.Chat.Private || got.Admin || got.Chat.ID != "discord:"+between.ID {
		t.Errorf("between others: %+v", got)
	}
	if got := in(w.ann.DM()); got.Chat.Visit || !got.Chat.Private {
		t.Errorf("in private: %+v", got)
	}
	// Her private messages go to her own direct messages, not to the place of her last command.
	if _, err := w.adapter.Send(t.Context(), chat.Target{Player: "discord:" + w.ann.ID}, textScreen("a hand"), "1"); err != nil {
		t.Fatal(err)
	}
	in(between)
	if _, err := w.adapter.Send(t.Context(), chat.Target{Player: "discord:" + w.ann.ID}, textScreen("a hand"), "2"); err != nil {
		t.Fatal(err)
	}
	if got := w.ann.Sees(w.ann.DM()); !strings.HasSuffix(got[len(got)-1].Text, "a hand") {
		t.Errorf("she sees %v", got)
	}
}

// Discord accepts no other names, and refuses all commands if one is wrong.
// https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-naming
func TestCommandsHaveNamesInEveryLanguage(t *testing.T) {
	t.Parallel()
	good := regexp.MustCompile(`^[-_'\p{Ll}\p{N}\p{Lo}]{1,32}$`)
	for _, code := range lang.Languages() {
		c := lang.For(code)
		names := map[string]bool{}
		check := func(key, plain string, names map[string]bool) {
			name := c.Text(key)
			switch {
			case !c.Has(key):
				t.Errorf("%s: no %s", code, key)
			case !good.MatchString(name) || names[name]:
				t.Errorf("%s: %s is %q: malformed, or there twice", code, key, name)
			case code == "en" && name != plain:
				t.Errorf("%s: %s is %q, and the command is %q", code, key, name, plain)
			}
			names[name] = true
		}
		inGroup := map[string]map[string]bool{}
		for _, command := range bot.Commands() {
			if command.Spare && command.Group == "" {
				continue
			}
			key := "slash." + command.Name
			check(key, command.Name, names)
			if command.Group != "" {
				if inGroup[command.Group] == nil {
					inGroup[command.Group] = map[string]bool{}
				}
				own := key
				if command.In != "" {
					own = "slash.in." + command.Name
				}
				check(own, nameInGroup(command), inGroup[command.Group])
			}
			options := map[string]bool{}
			for _, o := range command.Options {
				check(key+"."+o.Name, o.Name, options)
			}
		}
	}
}

func TestHelpSpellsCommandsAsTheReaderSeesThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for language, want := range map[string]string{"en": "/sedma new", "cs": "/sedma nový", "sk": "/sedma new", "": "/sedma new"} {
		if got := w.adapter.Spelling(bot.Commands()[0], language); got != want {
			t.Errorf("%q: %s, wanted %s", language, got, want)
		}
	}
}

// A command of a group is spelled with the group. Apps of Discord keep an older list of commands for a while: they send
// it without the group, under its own name, or send what no list has any more, and the bot answers that too.
func TestCommandsInGroups(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asked := make(chan chat.Input, 1)
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		asked <- in
		return chat.Reply{Toast: "hello"}
	})
	top, groups := 0, map[string]bool{}
	for _, c := range bot.Commands() {
		switch {
		case c.Spare && c.Group == "":
			continue
		case c.Group == "":
			top++
			continue
		}
		groups[c.Group] = true
		for _, slash := range []string{c.Group + " " + nameInGroup(c), c.Name} {
			w.ann.Slash(w.channel, slash, nil).Wait()
			if in := <-asked; in.Command != c.Name {
				t.Errorf("/sedma %s is the command %q", slash, in.Command)
			}
		}
		if got, want := w.adapter.Spelling(c, "en"), "/sedma "+c.Group+" "+nameInGroup(c); got != want {
			t.Errorf("%s is spelled %s", c.Name, got)
		}
	}
	if n := top + len(groups); n > 20 {
		t.Errorf("/sedma has %d of 25 subcommands and groups", n)
	}
	for slash, want := range map[string]string{
		"leave": "leave", "start": "start", "table kick": "kick", "table pause": "pause", "evening": "evening", "tournament evening": "evening", "tournament now": "tournament",
	} {
		w.ann.Slash(w.channel, slash, nil).Wait()
		if in := <-asked; in.Command != want {
			t.Errorf("/sedma %s is the command %q", slash, in.Command)
		}
	}
	w.ann.Slash(w.channel, "table open", nil).Wait()
	select {
	case in := <-asked:
		t.Errorf("a subcommand that doesn't exist is %q", in.Command)
	default:
	}
}

// nameInGroup returns the name of a command in its group.
func nameInGroup(c chat.Command) string {
	if c.In != "" {
		return c.In
	}
	return c.Name
}
