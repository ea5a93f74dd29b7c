// Package activity is the login from Discord's Activity: it identifies the person who opened a
// table's page inside Discord, and the channel. The page gets a code from Discord's app, and
// the server exchanges it for an access token ([Login.Exchange]). With the token the page
// finishes its handshake with the app, and proves to the server who its reader is
// ([Login.Authenticate]). The server asks Discord in which channel the Activity runs, and for whom.
package activity

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
	"sedmabot/bot/discord/verdict"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
)

const (
	// timeout is the timeout of one request.
	timeout = 5 * time.Second
	// answerLimit is the most that is read of an answer, in bytes.
	answerLimit = 1 << 20
	// userAgent has the format that Discord requires
	// (https://discord.com/developers/docs/reference#user-agent).
	userAgent = "DiscordBot (sedmabot, 1)"
	// Discord is believed for this long about who has a token, and where they have the Activity open.
	keptFor = time.Minute
	maxKept = 10_000 // of these answers
)

// Login implements [chat.Authenticator].
type Login struct {
	Token   string // the bot's token
	Client  string // the application's id, which is also its OAuth2 client id
	Secret  string // the application's client secret
	APIBase string // address of the API, up to /api/…
	HTTP    *http.Client
	Easel   *face.Easel // draws what people share

	mu     sync.Mutex
	known  cache.Cache[[sha256.Size]byte, *entry] // by the hash of the credentials
	owners cache.Cache[[sha256.Size]byte, *entry] // by the hash of a token: who has it
}

// entry is a question to Discord. The answer is there once done is closed. It is kept unless it is an error.
type entry struct {
	done   chan struct{}
	until  time.Time // the question was asked keptFor earlier
	caller chat.Caller
	err    error
}

var _ chat.Authenticator = (*Login)(nil)

// Frames returns the origins of Discord's apps, and of the proxy that serves the page. Other
// hosts below discordsays.com serve the Activities of other developers.
func (d *Login) Frames() []string {
	return []string{"https://discord.com", "https://ptb.discord.com", "https://canary.discord.com", d.Origin()}
}

// Origin returns the origin at which Discord's proxy serves the page
// (https://discord.com/developers/docs/activities/development-guides/networking).
func (d *Login) Origin() string { return "https://" + d.Client + ".discordsays.com" }

// ErrSecret reports that Discord doesn't accept the client secret.
var ErrSecret = errors.New("discord doesn't accept the client secret")

// Exchange returns the access token for a code, and asks Discord who has it, so that a login with a wrong Activity costs one
// request. The error is a *chat.Refusal if the code is wrong, or was used before, and ErrSecret if the client secret is wrong.
// https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
func (d *Login) Exchange(ctx context.Context, code string) (string, error) {
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "client_id": {d.Client}, "client_secret": {d.Secret}}
	var grant struct {
		Token string `json:"access_token"`
	}
	err := d.ask(ctx, http.MethodPost, "/oauth2/token", "", form, &grant)
	switch {
	case errors.Is(err, refused(http.StatusBadRequest)) || err == nil && grant.Token == "":
		err = chat.ErrStranger
	case errors.Is(err, refused(http.StatusUnauthorized)):
		err = ErrSecret
	case err == nil:
		_, _ = d.owner(ctx, grant.Token) // the login asks again if Discord hasn't answered
	}
	return grant.Token, err
}

// Authenticate returns the person who gave this application the access token, and the channel
// where they have the Activity open. It asks Discord only once in keptFor for the same
// valid credentials. A page may arrive before its reader is in Discord's list, and then comes again.
func (d *Login) Authenticate(ctx context.Context, k chat.Credentials) (chat.Caller, error) {
	return d.once(ctx, &d.known, fmt.Sprintf("%s %s %t", k.Token, k.Instance, k.Nick), func(ctx context.Context) (chat.Caller, error) { return d.identify(ctx, k) })
}

// once returns what ask answers, which it calls once in keptFor for a key, unless the answer is an error.
func (d *Login) once(ctx context.Context, answers *cache.Cache[[sha256.Size]byte, *entry], of string, ask func(ctx context.Context) (chat.Caller, error)) (chat.Caller, error) {
	key := sha256.Sum256([]byte(of))
	d.mu.Lock()
	e, ok := answers.Get(key)
	if !ok || !time.Now().Before(e.until) {
		e = &entry{done: make(chan struct{}), until: time.Now().Add(keptFor)}
		answers.Put(key, e, maxKept)
		go func() {
			defer close(e.done)
			if e.caller, e.err = ask(context.WithoutCancel(ctx)); e.err != nil {
				answers.Take(key)
			}
		}()
	}
	d.mu.Unlock()
	select {
	case <-e.done:
		return e.caller, e.err
	case <-ctx.Done():
		return chat.Caller{}, ctx.Err()
	}
}

// identify asks Discord who logs in, and where they have the Activity open.
func (d *Login) identify(ctx context.Context, k chat.Credentials) (chat.Caller, error) {
	if k.Token == "" || strings.ContainsFunc(k.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return chat.Caller{}, chat.ErrStranger // no header can have it
	}
	if k.Instance == "" || strings.Trim(k.Instance, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") != "" {
		return chat.Caller{}, chat.ErrStranger // no address can have it
	}
	person, err := d.owner(ctx, k.Token) // before the Activity: whoever has no token costs one request, and everybody else is known
	if err != nil {
		return chat.Caller{}, err
	}
	in, err := d.running(ctx, k.Instance)
	if err != nil {
		return chat.Caller{}, err
	}
	if _, id, _ := strings.Cut(person.Player.ID, ":"); !slices.Contains(in.Users, id) {
		return chat.Caller{}, chat.ErrStranger
	}
	if in.Location.Guild == "" {
		return person, nil
	}
	person.Chat = chat.Chat{ID: "discord:" + in.Location.Channel, Home: "discord:" + in.Location.Guild}
	if k.Nick {
		person.Player.Name = chat.CleanName(d.nick(ctx, k.Token, person.Chat), person.Player.Name)
	}
	return person, nil
}

// owner returns who has a token. It asks Discord only once in keptFor.
func (d *Login) owner(ctx context.Context, token string) (chat.Caller, error) {
	return d.once(ctx, &d.owners, token, func(ctx context.Context) (chat.Caller, error) { return d.person(ctx, token) })
}

// person asks Discord who has given this application the token. Its answer names the application that the token is for, unlike
// /users/@me. A token that another application got from the person must not log in here.
// https://discord.com/developers/docs/topics/oauth2#get-current-authorization-information
func (d *Login) person(ctx context.Context, token string) (chat.Caller, error) {
	var grant struct {
		Application struct {
			ID string `json:"id"`
		} `json:"application"`
		User struct {
			ID         string `json:"id"`
			Username   string `json:"username"`
			GlobalName string `json:"global_name"`
			Avatar     string `json:"avatar"`
		} `json:"user"`
	}
	err := d.ask(ctx, http.MethodGet, "/oauth2/@me", "Bearer "+token, nil, &grant)
	if errors.Is(err, refused(http.StatusUnauthorized)) {
		return chat.Caller{}, chat.ErrStranger
	} else if err != nil {
		return chat.Caller{}, err
	}
	who := grant.User
	if grant.Application.ID != d.Client || who.ID == "" {
		return chat.Caller{}, chat.ErrStranger
	}
	return chat.Caller{
		Player: chat.Player{ID: "discord:" + who.ID, Name: chat.CleanName(who.GlobalName, who.Username, who.ID)},
		Photo:  message.Avatar(who.ID, who.Avatar),
	}, nil
}

// nick returns the name that the person has on a channel's server, or "". The person has allowed the page to ask for it.
// https://discord.com/developers/docs/resources/user#get-current-user-guild-member
func (d *Login) nick(ctx context.Context, token string, where chat.Chat) string {
	_, guild, _ := strings.Cut(where.Home, ":")
	var member struct {
		Nick string `json:"nick"`
	}
	if d.ask(ctx, http.MethodGet, "/users/@me/guilds/"+url.PathEscape(guild)+"/member", "Bearer "+token, nil, &member) != nil {
		return "" // they are shown with their own name
	}
	return member.Nick
}

// Invite implements [chat.Authenticator]: the address of a chat's channel, where the table is.
func (d *Login) Invite(_ string, where chat.Chat) string {
	_, guild, ok1 := strings.Cut(where.Home, ":")
	_, channel, ok2 := strings.Cut(where.ID, ":")
	if !ok1 || !ok2 {
		return ""
	}
	return "https://discord.com/channels/" + guild + "/" + channel
}

// Share uploads the picture of a screen to Discord, and returns its address there. Discord keeps it for a day, and only its own
// addresses can be shared.
// https://discord.com/developers/docs/activities/development-guides/user-actions#open-share-moment-dialog
func (d *Login) Share(ctx context.Context, k chat.Credentials, _ string, s screen.Screen) (string, error) {
	if k.Token == "" || s.Picture == nil || d.Easel == nil {
		return "", nil
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", "sedma.png")
	if err == nil {
		_, err = part.Write(d.Easel.PNG(s.Picture.Draw))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	var uploaded struct {
		Attachment struct {
			URL string `json:"url"`
		} `json:"attachment"`
	}
	err = d.send(ctx, http.MethodPost, "/applications/"+d.Client+"/attachment", "Bearer "+k.Token, w.FormDataContentType(), &body, &uploaded)
	return uploaded.Attachment.URL, err
}

// IsMember reports whether a person is still a member of the channel's server, as far as Discord
// shows it to the bot.
// https://discord.com/developers/docs/resources/guild#get-guild-member
func (d *Login) IsMember(ctx context.Context, where chat.Chat, player string) (bool, error) {
	_, guild, _ := strings.Cut(where.Home, ":")
	_, person, _ := strings.Cut(player, ":")
	var member struct{}
	err := d.ask(ctx, http.MethodGet, "/guilds/"+url.PathEscape(guild)+"/members/"+url.PathEscape(person), "Bot "+d.Token, nil, &member)
	if errors.Is(err, refused(http.StatusNotFound)) || errors.Is(err, refused(http.StatusForbidden)) {
		return false, nil
	}
	return err == nil, err
}

// instance is an Activity that runs.
type instance struct {
	Location struct {
		Channel string `json:"channel_id"`
		Guild   string `json:"guild_id"` // "": a private chat
	} `json:"location"`
	Users []string `json:"users"` // who has it open
}

// running asks Discord about an Activity. The error is a *chat.Refusal if it doesn't run.
// https://discord.com/developers/docs/resources/application#get-application-activity-instance
func (d *Login) running(ctx context.Context, id string) (in instance, err error) {
	err = d.ask(ctx, http.MethodGet, "/applications/"+d.Client+"/activity-instances/"+url.PathEscape(id), "Bot "+d.Token, nil, &in)
	if errors.Is(err, refused(http.StatusNotFound)) || errors.Is(err, refused(http.StatusBadRequest)) {
		err = chat.ErrStranger
	}
	return in, err
}

// refused is the status with which Discord's API refused a request.
type refused int

func (r refused) Error() string { return fmt.Sprintf("discord answered %d", int(r)) }

// ask sends a request and decodes the answer into out. A request with a form sends it as
// its body. Errors hold nothing of the request, which may contain secrets.
func (d *Login) ask(ctx context.Context, method, path, as string, form url.Values, out any) error {
	kind := ""
	if form != nil {
		kind = "application/x-www-form-urlencoded"
	}
	return d.send(ctx, method, path, as, kind, strings.NewReader(form.Encode()), out)
}

// send sends a request with a body of that media type, and decodes the answer into out. Errors hold nothing of the request.
func (d *Login) send(ctx context.Context, method, path, as, kind string, body io.Reader, out any) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(d.APIBase, "/")+"/api/v10"+path, body)
	if err != nil {
		return errors.New("ask discord: the address is malformed")
	}
	req.Header.Set("User-Agent", userAgent)
	if as != "" {
		req.Header.Set("Authorization", as)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	resp, err := d.HTTP.Do(req)
	if err != nil {
		if u := (*url.Error)(nil); errors.As(err, &u) {
			err = u.Err // without the address
		}
		return fmt.Errorf("ask discord: %w", err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, answerLimit))
	switch {
	case err != nil:
		return errors.New("ask discord: the answer was cut")
	case resp.StatusCode != http.StatusOK:
		if !own(resp.StatusCode, data) {
			return fmt.Errorf("ask discord: an answer of status %d that is not one of its API", resp.StatusCode)
		}
		return refused(resp.StatusCode)
	case json.Unmarshal(data, out) != nil:
		return errors.New("ask discord: the answer isn't JSON")
	}
	return nil
}

// own reports whether Discord itself has refused a request.
func own(status int, data []byte) bool {
	var grant struct {
		Error string `json:"error"` // of OAuth2: https://www.rfc-editor.org/rfc/rfc6749#section-5.2
	}
	_, api := verdict.Read(status, data)
	return api || json.Unmarshal(data, &grant) == nil && strings.HasPrefix(grant.Error, "invalid_")
}
