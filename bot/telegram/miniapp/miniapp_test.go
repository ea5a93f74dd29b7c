package miniapp_test

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/telegram/miniapp"
	"sedmabot/bot/telegram/telegramtest"
)

const (
	token = "123456:AAtoken"
	group = "telegram:-1001/7" // a topic of a group
)

var ann = &telegramtest.Person{ID: 7, First: "Ann"}

// login is the login of a bot in a group where Ann is a member.
var login = miniapp.Login{Token: token, Member: func(_ context.Context, where, player string) (bool, error) {
	if where == "telegram:-1009" {
		return false, errors.New("telegram is away")
	}
	return where == group && player == "telegram:7", nil
}}

// with returns signed initData of Ann's with some fields changed. An empty one is left out.
func with(at time.Time, start string, fields map[string]string) string {
	all := telegramtest.InitData(ann, at, start)
	maps.Copy(all, fields)
	maps.DeleteFunc(all, func(_, value string) bool { return value == "" })
	return telegramtest.Sign(token, all)
}

func TestTelegramSaysWhoOpensThePage(t *testing.T) {
	t.Parallel()
	now := time.Now().Truncate(time.Second)
	user := map[string]string{"user": `{"id":7,"first_name":"Ann","last_name":"Nováková","language_code":"cs","photo_url":"https://t.example/a.jpg"}`}
	c, err := login.Authenticate(t.Context(), chat.Credentials{Data: with(now, "atable", user)})
	if err != nil {
		t.Fatal(err)
	}
	if c.Player != (chat.Player{ID: "telegram:7", Name: "Ann Nováková", Lang: "cs"}) || c.Photo != "https://t.example/a.jpg" || c.Table != "atable" || c.Chat.ID != "" {
		t.Errorf("the person is %+v", c)
	}
	if c.Proof == "" || !c.Made.Equal(now) {
		t.Errorf("the proof %q was made at %v", c.Proof, c.Made)
	}
	if here, err := c.Member(t.Context(), group); !here || err != nil {
		t.Errorf("Ann is a member of the group: %v, %v", here, err)
	}
	user["user"] = `{"id":7,"first_name":"\u3164","username":"ann"}`
	c, err = login.Authenticate(t.Context(), chat.Credentials{Data: with(time.Now(), "", user)})
	if err != nil || c.Player.Name != "ann" {
		t.Errorf("a person with an invisible name is %q, %v", c.Player.Name, err)
	}
	user["user"] = `{"id":7,"first_name":"Ann","photo_url":"https://t.example/` + strings.Repeat("a", 300) + `"}`
	if c, err := login.Authenticate(t.Context(), chat.Credentials{Data: with(now, "", user)}); err != nil || c.Photo != "" {
		t.Errorf("a long address of a photo: %q, %v", c.Photo, err)
	}
}

// A link may name a group. Only its members get there, and others just the page.
func TestALinkNamesAGroup(t *testing.T) {
	t.Parallel()
	for where, want := range map[string]chat.Chat{group: {ID: group, Home: "telegram:-1001"}, "telegram:-1002": {}} {
		c, err := login.Authenticate(t.Context(), chat.Credentials{Data: with(time.Now(), chat.StartIn(where), nil)})
		if err != nil || c.Chat != want || c.Table != "" {
			t.Errorf("%s: chat %+v, table %q, %v", where, c.Chat, c.Table, err)
		}
	}
	if _, err := login.Authenticate(t.Context(), chat.Credentials{Data: with(time.Now(), chat.StartIn("telegram:-1009"), nil)}); err == nil {
		t.Error("nobody knows whether Ann is a member, and the login says nothing")
	}
}

func TestPeopleWithoutProofAreRefused(t *testing.T) {
	t.Parallel()
	now := time.Now()
	fields := telegramtest.InitData(ann, now, "")
	good := telegramtest.Sign(token, fields)
	if _, err := login.Authenticate(t.Context(), chat.Credentials{Data: good}); err != nil {
		t.Fatal(err)
	}
	unsigned := url.Values{}
	for name, value := range fields {
		unsigned.Set(name, value)
	}
	for what, data := range map[string]string{
		"empty":         "",
		"unsigned":      unsigned.Encode(),
		"no query":      "%zz;",
		"forged":        strings.Replace(good, "Ann", "Eve", 1),
		"another bot":   telegramtest.Sign("987654:AAother", fields),
		"twice":         good + "&start_param=x",
		"a bot":         with(now, "", map[string]string{"user": `{"id":7,"is_bot":true,"first_name":"Bot"}`}),
		"nobody":        with(now, "", map[string]string{"user": ""}),
		"undated":       with(now, "", map[string]string{"auth_date": ""}),
		"a short hash":  good[:40],
		"without an id": with(now, "", map[string]string{"user": `{"first_name":"Ann"}`}),
	} {
		var refusal *chat.Refusal
		if c, err := login.Authenticate(t.Context(), chat.Credentials{Data: data}); !errors.As(err, &refusal) {
			t.Errorf("%s: %+v, %v", what, c, err)
		}
	}
}
