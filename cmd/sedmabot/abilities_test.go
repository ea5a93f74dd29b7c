package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/lang"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store/redistest"
)

// The program uses what only some platforms can do. On Discord, these are the champion's role and the link that adds the bot to
// a server. If a right is missing, it says so.
func TestAbilitiesOnDiscord(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t)
	ann := s.NewPerson("Ann")
	guild := s.NewGuild(ann)
	channel := guild.NewChannel("cards")
	startEager(t, dataFile(t), "discord.token: "+s.Token(), "discord.api_base: "+s.URL())
	s.Until("the commands are there", func() bool { return len(s.Commands()) > 0 && s.Connected() == 1 })

	help, _ := ann.Slash(ann.DM(), "help", nil).Wait()
	if b, ok := help.Button(text("button.invite")); !ok || !strings.HasPrefix(b.URL, "https://discord.com/oauth2/authorize?client_id=") {
		t.Errorf("the help has %+v", help.Buttons)
	}

	settings, _ := ann.Slash(channel, "settings", nil).Wait()
	marks := func(want string) {
		t.Helper()
		if m, _ := ann.Press(settings, "cfg:marks:on:discord:"+guild.ID).Wait(); !strings.Contains(m.Text, want) {
			t.Errorf("instead of %q: %s", want, m.Text)
		}
	}
	marks(text("marks.rights"))
	s.Fail(discordtest.Fault{Method: "GET", Path: "/guilds/" + guild.ID + "/members/", Times: 1, Status: 404, Code: 10007})
	marks(text("marks.rights"))
	guild.AddRole(text("marks.role"))
	guild.Place(true, 5, text("marks.role"), 6)
	marks(text("marks.above"))
	guild.Place(true, 5, text("marks.role"), 1)
	s.Fail(discordtest.Fault{Method: "GET", Path: "/guilds/" + guild.ID + "/roles", Times: 1, Status: 404, Code: 10004})
	marks(text("reply.trouble"))
	marks(text("pref.marks.on"))
}

// On Telegram, these are the members' tags and the link that adds the bot to a group.
func TestAbilitiesOnTelegram(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	c := newTelegram(t, s, "Ann")
	ann, group := c.people[0], c.chat
	startEager(t, dataFile(t), "telegram.token: "+s.Token, "telegram.api_base: "+s.URL)
	ctx, cancel := c.context()
	defer cancel()

	ann.Say(ann.Private(), "/help")
	m, err := ann.Private().Wait(ctx, telegramtest.Contains(text("help.open")))
	if err != nil {
		t.Fatal(err)
	}
	if last := m.Buttons[len(m.Buttons)-1][0]; last.Label != text("button.invite") || last.URL != "https://t.me/"+s.Username+"?startgroup" {
		t.Errorf("the button is %+v", last)
	}

	f := &features{app: &telegramApp{c}, t: t}
	f.say(0, "settings")
	settings := f.shows(0, "", "cfg:page:").it.(telegramtest.Message)
	marks := func(want string) {
		t.Helper()
		a, err := ann.PressData(ctx, settings, fmt.Sprintf("cfg:marks:on:telegram:%d", group.ID))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(a.Text, want) || a.Text == "" && want != "" {
			t.Errorf("instead of %q: %q", want, a.Text)
		}
	}
	marks(text("marks.tags"))
	group.Tagger(true)
	marks("")
}

// Nobody is offered to add the bot to a group if its owner has turned that off.
func TestNoInviteToGroupsWhereTheBotCannotBe(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	s.Alone = true
	c := newTelegram(t, s, "Ann")
	startEager(t, dataFile(t), "telegram.token: "+s.Token, "telegram.api_base: "+s.URL)
	ctx, cancel := c.context()
	defer cancel()
	c.people[0].Say(c.people[0].Private(), "/help")
	m, err := c.people[0].Private().Wait(ctx, telegramtest.Contains(text("help.open")))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.URL != "" && strings.Contains(b.URL, "startgroup") {
				t.Errorf("the button is %+v", b)
			}
		}
	}
}

func TestNoInviteToServersIfTheApplicationIsPrivate(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t)
	s.Private = true
	ann := s.NewPerson("Ann")
	startEager(t, dataFile(t), "discord.token: "+s.Token(), "discord.api_base: "+s.URL())
	s.Until("the commands are there", func() bool { return len(s.Commands()) > 0 && s.Connected() == 1 })
	help, _ := ann.Slash(ann.DM(), "help", nil).Wait()
	if b, ok := help.Button(text("button.invite")); ok {
		t.Errorf("the button is %+v", b)
	}
}

// Text returns an English text.
func text(key string) string { return lang.For("en").Text(key) }

// A table in a Telegram chat where the bot isn't has the pictures that Telegram can load from web.url. Without web.url, it has
// words, and no button to its page.
func TestPicturesForGuests(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for _, pages := range []bool{true, false} {
		s := telegramtest.New(t)
		s.Guests = true
		c := newTelegram(t, s, "Ann")
		at := redistest.Address(t)
		config := []string{dataFile(t), "telegram.token: " + s.Token, "telegram.api_base: " + s.URL, "http.listen: " + at}
		if pages {
			config = append(config, "web.url: http://"+at+"/sedma/", "telegram.app: table")
		}
		startEager(t, config...)
		ctx, cancel := c.context()
		defer cancel()
		chat, err := c.people[0].Summon(ctx, c.chat, "new")
		if err != nil {
			t.Fatal(err)
		}
		m, err := chat.Wait(ctx, telegramtest.Contains("who plays?"))
		if err != nil {
			t.Fatal(err)
		}
		if ours := strings.HasPrefix(m.Photo, "http://"+at+"/sedma/pictures/"); ours != pages || !pages && m.Photo != "" {
			t.Errorf("web.url %v: the photo is %q", pages, m.Photo)
		}
		if _, err := c.people[0].Press(ctx, m, text("button.start")); err != nil {
			t.Fatal(err)
		}
		m, err = chat.Wait(ctx, isTable)
		if err != nil {
			t.Fatal(err)
		}
		toPage := func(b telegramtest.Button) bool {
			return strings.HasPrefix(b.URL, "https://t.me/"+s.Username+"/table?startapp=")
		}
		if slices.ContainsFunc(slices.Concat(m.Buttons...), toPage) != pages {
			t.Errorf("web.url %v: the buttons are %v", pages, m.Buttons)
		}
	}
}
