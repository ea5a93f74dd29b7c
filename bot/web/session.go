package web

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
)

// sessionFor is how long a session lasts. After that, its reader has to open the page again.
const sessionFor = 24 * time.Hour

// maxLinks is how many tables, and how many chats, a session keeps: the latest ones.
const maxLinks = 12

// session is the content of a page's cookie: who its reader is, and what they may see. A browser
// has one for each person. The store knows its ID until it ends, which may be before Until.
type session struct {
	chat.Visitor            // the person, and the chats whose member they have proven to be
	ID           string     `json:"id"`
	App          bool       `json:"app,omitempty"`   // a platform's app has opened the page: for all tables at which they sit
	Links        []usedLink `json:"links,omitempty"` // the tables for which they have used personal links, the latest last

	Homes map[string]string `json:"homes,omitempty"` // the home of each chat of Visitor.Chats

	Until time.Time `json:"until"`
}

// usedLink is a personal link that was used.
type usedLink struct {
	Table string `json:"table"`
	Link  int    `json:"link"`
}

// visitor returns who the reader of a page is that was opened for a table; "": for any.
func (v session) visitor(show string) (chat.Visitor, error) {
	if v.App {
		return v.Visitor, nil
	}
	i := slices.IndexFunc(v.Links, func(p usedLink) bool { return p.Table == show })
	if i < 0 {
		return chat.Visitor{}, errSession
	}
	return chat.Visitor{Player: v.Player, Table: show, Link: v.Links[i].Link}, nil
}

// merge adds to a new session what the browser had before.
func (v session) merge(had session) session {
	v.ID, v.App, v.Photo = had.ID, v.App || had.App, cmp.Or(v.Photo, had.Photo)
	v.Chats = slices.Concat(slices.DeleteFunc(had.Chats, func(id string) bool { return slices.Contains(v.Chats, id) }), v.Chats)
	v.Chats = v.Chats[max(0, len(v.Chats)-maxLinks):]
	homes := maps.Clone(had.Homes)
	if homes == nil {
		homes = map[string]string{}
	}
	maps.Copy(homes, v.Homes)
	maps.DeleteFunc(homes, func(id, _ string) bool { return !slices.Contains(v.Chats, id) })
	v.Homes = homes
	v.Links = slices.Concat(slices.DeleteFunc(had.Links, func(p usedLink) bool {
		return slices.ContainsFunc(v.Links, func(newer usedLink) bool { return newer.Table == p.Table })
	}), v.Links)
	v.Links = v.Links[max(0, len(v.Links)-maxLinks):]
	return v
}

// place is what a page shows first, and from where its reader came. It is in the name of the page's session.
type place struct {
	table string // "": none
	chat  string // the chat from which the reader came; "": unknown
}

// String returns the place as readPlace reads it.
func (p place) String() string {
	if p.chat == "" {
		return p.table
	}
	return p.table + "@" + p.chat
}

// readPlace returns the place with a name, which is untrusted.
func readPlace(name string) place {
	table, here, _ := strings.Cut(name, "@")
	return place{table, here}
}

// here returns the chat from which the reader of a page came, if they have proven to be a member; otherwise its id is "".
func (v session) here(p place) chat.Chat {
	if p.chat == "" || !slices.Contains(v.Chats, p.chat) || v.Homes[p.chat] == "" {
		return chat.Chat{}
	}
	return chat.Chat{ID: p.chat, Home: v.Homes[p.chat]}
}

// errSession reports a request without a valid session.
var errSession = chat.NewRefusal("page_session")

// seal returns the value of a session's cookie: the session and its signature.
func seal(secret []byte, v session) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(data)
	return text + "." + base64.RawURLEncoding.EncodeToString(sign(secret, text)), nil
}

// unseal returns the session of a cookie, if its signature is right and it hasn't ended.
func unseal(secret []byte, value string, now time.Time) (session, error) {
	text, mac, _ := strings.Cut(value, ".")
	signature, err := base64.RawURLEncoding.DecodeString(mac)
	if err != nil || !hmac.Equal(signature, sign(secret, text)) {
		return session{}, errSession
	}
	var v session
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err := errors.Join(err, json.Unmarshal(data, &v)); err != nil || !now.Before(v.Until) {
		return session{}, errSession
	}
	return v, nil
}

func sign(secret []byte, text string) []byte { return derive(secret, "session "+text) }

// derive returns 32 bytes for a purpose that only those who know the secret can compute.
func derive(secret []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// Prefixes of the cookies' names. The rest is the key of the person, so that one browser can have
// pages of several people. Browsers take a cookie with the second prefix only by https and from
// this very host (https://www.rfc-editor.org/rfc/draft-ietf-httpbis-rfc6265bis#name-the-__host-prefix).
const (
	cookiePrefix = "sedma-"
	hostPrefix   = "__Host-"
)

// keyOf returns the key of a person's session, which nobody else can compute.
func keyOf(secret []byte, player string) string {
	return base64.RawURLEncoding.EncodeToString(derive(secret, "key "+player)[:9])
}

// startSession begins a session, or adds to the one that the browser has, and sets its cookie. It returns
// the name of the session for a page that shows a place.
func (s *Site) startSession(r *http.Request, w http.ResponseWriter, v session, show place) (as string, err error) {
	secret, err := s.Pages().Secret(r.Context())
	if err != nil {
		return "", err
	}
	as = keyOf(secret, v.Player.ID)
	switch had, _, err := s.session(r, as); {
	case err == nil:
		v = v.merge(had)
	case errors.Is(err, errSession):
		v.ID = rand.Text()
	default:
		return "", err
	}
	v.Until = time.Now().Add(sessionFor)
	if err := s.Pages().Begin(r.Context(), v.Player.ID, v.ID, v.Until); err != nil {
		return "", err
	}
	c := s.cookie(as)
	if c.Value, err = seal(secret, v); err != nil {
		return "", err
	}
	c.MaxAge = int(sessionFor.Seconds())
	http.SetCookie(w, c)
	if show != (place{}) {
		as += "." + show.String()
	}
	return as, nil
}

// cookie returns a session's cookie without a value. Under an https address it works in
// a frame of another site, too, and only there.
func (s *Site) cookie(key string) *http.Cookie {
	c := &http.Cookie{Name: cookiePrefix + key, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode}
	if s.secure() {
		c.Name = hostPrefix + c.Name
		c.Secure, c.SameSite, c.Partitioned = true, http.SameSiteNoneMode, true
	}
	return c
}

// session returns the session with that name, and what its page shows. The
// error is errSession if there is none, or it has ended.
func (s *Site) session(r *http.Request, as string) (v session, show place, err error) {
	key, name, _ := strings.Cut(as, ".")
	show = readPlace(name)
	c, err := r.Cookie(s.cookie(key).Name)
	if err != nil {
		return v, show, errSession
	}
	secret, err := s.Pages().Secret(r.Context())
	if err != nil {
		return v, show, err
	}
	if v, err = unseal(secret, c.Value, time.Now()); err != nil {
		return v, show, err
	}
	if open, err := s.Pages().Open(r.Context(), v.Player.ID, v.ID); err != nil {
		return v, show, err
	} else if !open {
		return v, show, errSession
	}
	return v, show, nil
}

// leave ends a session. It is nothing to a session that has ended. If it fails, the pages of the session stay as they are, and
// their reader can try again.
func (s *Site) leave(ctx context.Context, v session) error {
	if err := s.Pages().End(ctx, v.Player.ID, v.ID); err != nil {
		return err
	}
	s.hub.end(v.ID)
	return nil
}

// drop removes a session's cookie.
func (s *Site) drop(w http.ResponseWriter, r *http.Request, as string) {
	key, _, _ := strings.Cut(as, ".")
	c := s.cookie(key)
	if _, err := r.Cookie(c.Name); err == nil {
		c.MaxAge = -1
		http.SetCookie(w, c)
	}
}

// usable reports whether a session may still show something: its reader hasn't used newer links
// in another browser to all of its tables.
func (s *Site) usable(ctx context.Context, v session) bool {
	if v.App {
		return true
	}
	return slices.ContainsFunc(v.Links, func(p usedLink) bool {
		t, err := s.Pages().Table(ctx, p.Table)
		if refusal := (*chat.Refusal)(nil); err != nil {
			return !errors.As(err, &refusal)
		}
		_, ok := t.Admits(chat.Visitor{Player: v.Player, Table: p.Table, Link: p.Link})
		return ok
	})
}

// hasSession reports whether the browser already has a session of that person.
func (s *Site) hasSession(r *http.Request, player string) bool {
	secret, err := s.Pages().Secret(r.Context())
	if err != nil {
		return false
	}
	_, _, err = s.session(r, keyOf(secret, player))
	return err == nil
}

// checkMember checks again that a visitor who doesn't sit at a table is a member of one of its chats,
// as they have proven, unless they may return to it. If they aren't any more, their session ends. An error that is no
// *chat.Refusal says nothing about it.
func (s *Site) checkMember(ctx context.Context, v session, t *chat.PageTable) error {
	if t.Returns(v.Player.ID) {
		return nil
	}
	var chats []chat.Chat
	for _, here := range t.Public.Chats {
		chats = append(chats, chat.Chat{ID: here.ID, Home: cmp.Or(here.Home, t.Public.Home)})
	}
	return s.checkChats(ctx, v, chats...)
}

// checkChats is checkMember for one of these chats.
func (s *Site) checkChats(ctx context.Context, v session, chats ...chat.Chat) error {
	platform, _, _ := strings.Cut(v.Player.ID, ":")
	app := s.Apps[platform]
	if app == nil {
		return nil
	}
	for _, here := range chats {
		if !slices.Contains(v.Chats, here.ID) {
			continue
		}
		if member, err := app.IsMember(ctx, here, v.Player.ID); err != nil || member {
			return err
		}
	}
	if err := s.leave(ctx, v); err != nil {
		return err
	}
	return errMember
}
