// Package miniapp is the login from Telegram's Mini App: it identifies the person who opened a
// table's page in Telegram's app. The app gives the page initData, a query string that
// Telegram has signed with a key made from the bot's token
// (https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app).
// Anyone with that string passes for its person. Some apps hand out the same string for a day. So
// the page's server decides how old it may be: see [chat.Caller].
package miniapp

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// maxPhoto is the longest address of a photo that is kept, in bytes.
const maxPhoto = 256

// Login implements [chat.Authenticator].
type Login struct {
	Token string // the bot's token
	// Member asks Telegram whether a person is a member of a chat.
	Member func(ctx context.Context, chat, player string) (bool, error)
	// Link returns the address that opens the app for a table, or "".
	Link func(table string) string
	// Prepare saves a message that the person can send to any chat, and returns its id.
	Prepare func(ctx context.Context, player string, s screen.Screen) (string, error)
}

var _ chat.Authenticator = Login{}

// Frames returns the origins of Telegram's web apps. The last two are older addresses of them.
func (Login) Frames() []string {
	return []string{"https://web.telegram.org", "https://webk.telegram.org", "https://webz.telegram.org"}
}

// Origin returns "": the page is loaded from its own address.
func (Login) Origin() string { return "" }

// Authenticate returns the person whom Telegram has named in initData.
func (d Login) Authenticate(ctx context.Context, k chat.Credentials) (chat.Caller, error) {
	fields, signature, err := d.read(k.Data)
	if err != nil {
		return chat.Caller{}, err
	}
	seconds, err := strconv.ParseInt(fields.Get("auth_date"), 10, 64)
	if err != nil {
		return chat.Caller{}, chat.ErrStranger
	}
	var user struct {
		ID       int64  `json:"id"`
		Bot      bool   `json:"is_bot"`
		First    string `json:"first_name"`
		Last     string `json:"last_name"`
		Username string `json:"username"`
		Lang     string `json:"language_code"`
		Photo    string `json:"photo_url"`
	}
	if err := json.Unmarshal([]byte(fields.Get("user")), &user); err != nil || user.ID <= 0 || user.Bot {
		return chat.Caller{}, chat.ErrStranger
	}
	number := strconv.FormatInt(user.ID, 10)
	id := "telegram:" + number
	c := chat.Caller{
		Player: chat.Player{ID: id, Name: chat.CleanName(user.First+" "+user.Last, user.Username, "#"+number), Lang: user.Lang},
		Table:  fields.Get("start_param"),
		Photo:  user.Photo,
		Member: func(ctx context.Context, chat string) (bool, error) { return d.Member(ctx, chat, id) },
		Proof:  "telegram " + hex.EncodeToString(signature),
		Made:   time.Unix(seconds, 0),
	}
	// Telegram doesn't say in which group the app was opened. The link may name it, and only its members get in.
	if len(c.Photo) > maxPhoto {
		c.Photo = ""
	}
	if here, ok := chat.StartedIn(c.Table); ok {
		c.Table = ""
		member, err := d.Member(ctx, here, id)
		if err != nil {
			return c, err
		}
		if member {
			group, _, _ := strings.Cut(here, "/")
			c.Chat = chat.Chat{ID: here, Home: group}
		}
	}
	return c, nil
}

// IsMember implements [chat.Authenticator].
func (d Login) IsMember(ctx context.Context, where chat.Chat, player string) (bool, error) {
	return d.Member(ctx, where.ID, player)
}

// Invite implements [chat.Authenticator].
func (d Login) Invite(table string, _ chat.Chat) string { return d.Link(table) }

// Share implements [chat.Authenticator].
func (d Login) Share(ctx context.Context, _ chat.Credentials, player string, s screen.Screen) (string, error) {
	return d.Prepare(ctx, player, s)
}

// read returns the fields of initData and its signature, if Telegram has signed it for
// this bot.
func (d Login) read(data string) (fields url.Values, signature []byte, err error) {
	fields, err1 := url.ParseQuery(data)
	signature, err2 := hex.DecodeString(fields.Get("hash"))
	if err := errors.Join(err1, err2); err != nil {
		return nil, nil, chat.ErrStranger
	}
	var lines []string
	for name, values := range fields {
		if len(values) != 1 {
			return nil, nil, chat.ErrStranger
		}
		if name != "hash" {
			lines = append(lines, name+"="+values[0])
		}
	}
	slices.Sort(lines)
	key := sign([]byte("WebAppData"), d.Token)
	if !hmac.Equal(signature, sign(key, strings.Join(lines, "\n"))) {
		return nil, nil, chat.ErrStranger
	}
	return fields, signature, nil
}

func sign(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
