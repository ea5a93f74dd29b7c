package telegram

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/web"
)

// unloaded is what Telegram says if it can't load a picture.
var unloaded = telegramtest.Failure{Method: "editMessageMedia", Inline: true, Code: http.StatusBadRequest, Description: "Bad Request: failed to get HTTP URL content"}

// withSite returns a match in a chat where the bot isn't, with a server from which Telegram can load its pictures. set prepares the
// scene.
func withSite(t *testing.T, set func(*match)) *match {
	t.Helper()
	return elsewhere(t, func(m *match) {
		pages, err := web.New(web.Config{URL: "https://pages.test", Pages: func() chat.Pages { return m.bot.Pages() }, Easel: easel})
		if err != nil {
			t.Fatal(err)
		}
		m.change, m.Web = func(c *Config) { c.Picture = pages.PictureAddress }, pages
		m.Guests, m.Inline = true, true
		m.ben.Start("")
		set(m)
	})
}

// summon makes Ann mention the bot in a chat where it isn't, and waits for the lobby.
func (m *match) summon() {
	m.t.Helper()
	var err error
	if m.group, err = m.ann.Summon(soon(m.t), m.Group("Cards"), "new sedma-2p"); err != nil {
		m.t.Fatal(err)
	}
	m.table = m.see(m.group, "who plays?")
}

// photo returns the photo of the table's only message, and its text.
func (m *match) photo() (photo, text string) {
	m.t.Helper()
	all := m.group.Messages()
	if len(all) != 1 {
		m.t.Fatalf("the chat has %d messages of the bot", len(all))
	}
	return all[0].Photo, all[0].Text
}

// edits returns the bot's edits of the table's message.
func (m *match) edits(method string) (edits []telegramtest.Call) {
	for _, c := range m.Calls(method) {
		if c.Params["inline_message_id"] != "" {
			edits = append(edits, c)
		}
	}
	return edits
}

// A table in a chat where the bot isn't has pictures, which Telegram loads from the bot's own server. Each state has an
// address, all in the one message.
func TestATableElsewhereHasPictures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := withSite(t, func(*match) {})
		m.summon()
		lobby, _ := m.photo()
		m.begin()
		dealt, _ := m.photo()
		m.play(func() bool { return !m.dealOver() })
		over, _ := m.photo()
		if lobby == "" || dealt == "" || over == "" || lobby == dealt || dealt == over {
			t.Errorf("the photos are %q, %q and %q", lobby, dealt, over)
		}
		for _, c := range m.edits("") {
			if c.Method != "editMessageMedia" || strings.Contains(c.Params["reply_markup"], `"play:`) {
				t.Errorf("%s of the table, with %s", c.Method, c.Params["reply_markup"])
			}
		}
	})
}

// A table that somebody has opened by an invitation has them, too.
func TestAnInvitationElsewhereHasPictures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := withSite(t, func(*match) {})
		var err error
		if m.group, err = m.ann.Post(soon(t), "", "new"); err != nil {
			t.Fatal(err)
		}
		m.tap(m.ben, m.see(m.group, "Ann invites you"), "New table")
		m.see(m.group, "who plays?")
		if photo, _ := m.photo(); photo == "" {
			t.Error("the lobby has no picture")
		}
	})
}

// If Telegram can't load the first picture of a table, the table has words, and no other picture is tried.
func TestATableElsewhereWithoutPictures(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		m := withSite(t, func(m *match) { m.Fail(unloaded) })
		m.summon()
		m.begin()
		m.play(func() bool { return !m.dealOver() })
		if photo, _ := m.photo(); photo != "" {
			t.Errorf("the photo is %q", photo)
		}
		if n := len(m.edits("editMessageMedia")); n != 1 {
			t.Errorf("%d pictures were tried", n)
		}
	})
}

// If Telegram can't load a later picture, the words stand under the one before, until a picture is tried once more.
func TestALaterPictureIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := withSite(t, func(*match) {})
		m.summon()
		m.begin()
		before, _ := m.photo()
		m.Fail(unloaded)
		tried := len(m.edits("editMessageMedia"))
		m.play(func() bool { _, text := m.photo(); return !strings.Contains(text, "in the stock") }) // words of the picture
		if photo, _ := m.photo(); photo != before || len(m.edits("editMessageMedia")) != tried+1 {
			t.Errorf("the photo is %q, and %d pictures were tried", photo, len(m.edits("editMessageMedia"))-tried)
		}
		m.Heal()
		photos := refusal{inlinePeer(m.edits("")[0].Params["inline_message_id"]), kindPhoto}
		if until, _ := m.adapter.refused.until.Get(photos); time.Until(until) > oldPictureFor {
			t.Errorf("no picture is tried for %v", time.Until(until))
		}
		m.adapter.refused.until.Take(photos) // as if that time had passed
		m.play(func() bool { photo, _ := m.photo(); return photo == before })
	})
}

// If the address of a picture doesn't answer, Telegram doesn't either. The message then shows words. They are its caption if
// it has a picture.
func TestAnAddressThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := withSite(t, func(*match) {})
		m.summon()
		held := unloaded
		held.Hold = make(chan struct{})
		defer close(held.Hold)
		m.Fail(held)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		at, s := chat.Address(inlineChat(m.edits("")[0].Params["inline_message_id"])), pictured("Cards", false, 1, 2)
		if err := m.adapter.edit(ctx, at, s); err == nil {
			t.Fatal("the picture was shown")
		}
		for _, s := range []screen.Screen{s, text("Only words")} {
			if err := m.adapter.edit(t.Context(), at, s); err != nil {
				t.Error(err)
			}
			m.see(m.group, s.Blocks[0].Spans[0].Text)
		}
	})
}
