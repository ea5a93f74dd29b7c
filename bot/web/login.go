package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// maxLogin is the maximum size of a request to log in, in bytes.
const maxLogin = 8 << 10

// A platform's proof of who a person is opens a page for proofFor where the browser has no session of theirs. Some apps hand
// out the same proof for a day. A proof from the future by more than proofAhead is the fault of this machine's clock.
const (
	proofFor   = 24 * time.Hour
	proofAhead = time.Minute
)

// login is a request to log in.
type login struct {
	Way      string `json:"door"`     // "link", or the platform whose app opened the page
	Token    string `json:"token"`    // for "link": what the link's fragment has; for "discord": an access token
	Data     string `json:"data"`     // for "telegram": the Mini App's initData
	Instance string `json:"instance"` // for "discord": the id of the running Activity
	Nick     bool   `json:"nick"`     // for "discord": use the name that the reader has on the server
	Start    string `json:"start"`    // what the page was opened for: a table, view.FrontDoor, or a chat as chat.StartIn names it
}

// errMember reports that a person neither sits at a table nor is a member of one of its chats.
var errMember = chat.NewRefusal("page_member")

// errLeft reports that a player has left the table. Their personal link showed it only to a player.
var errLeft = chat.NewRefusal("page_left")

// login lets a reader in: it checks who they are, and begins a session.
func (s *Site) login(w http.ResponseWriter, r *http.Request) {
	var k login
	if !s.readLogin(w, r, &k) {
		return
	}
	v, show, err := s.authenticate(r, k)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	as, err := s.startSession(r, w, v, show)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.attempts.forget(s.address(r))
	reply(w, map[string]string{"as": as, "table": show.table, "lang": v.Player.Lang})
}

// token answers with the access token for a code that the page got from Discord's app.
func (s *Site) token(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Code string `json:"code"`
	}
	if !s.readLogin(w, r, &asked) {
		return
	}
	if s.Exchange == nil {
		s.refuse(w, r, chat.ErrStranger)
		return
	}
	token, err := s.Exchange(r.Context(), asked.Code)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.attempts.forget(s.address(r))
	reply(w, map[string]string{"access_token": token})
}

// readLogin reads a request to log in. It returns false if it has refused the request,
// because the address was refused too often, or because the request is malformed.
func (s *Site) readLogin(w http.ResponseWriter, r *http.Request, to any) bool {
	if !s.attempts.allow(s.address(r), maxAttempts) {
		s.refuse(w, r, errBusy)
		return false
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxLogin)).Decode(to); err != nil {
		s.refuse(w, r, chat.ErrStranger)
		return false
	}
	return true
}

// authenticate returns the session of the person who logs in, and what to show.
func (s *Site) authenticate(r *http.Request, k login) (v session, show place, err error) {
	if k.Way == "link" {
		who, err := s.Pages().UseLink(r.Context(), k.Token)
		return session{Visitor: chat.Visitor{Player: who.Player}, Links: []usedLink{{who.Table, who.Link}}}, place{table: who.Table}, err
	}
	app := s.Apps[k.Way]
	if app == nil {
		return v, show, chat.ErrStranger
	}
	c, err := app.Authenticate(r.Context(), chat.Credentials{Data: k.Data, Token: k.Token, Instance: k.Instance, Nick: k.Nick})
	if err != nil {
		return v, show, err
	}
	if !s.entries.allow(c.Player.ID, maxEntries) {
		s.attempts.forget(s.address(r)) // others may come from there, too
		return v, show, errBusy
	}
	v, show, err = s.authorize(r, c, k.Start)
	v.App = true
	if err != nil || c.Proof == "" {
		return v, show, err
	}
	if behind := time.Until(c.Made); behind > proofAhead {
		s.Log.Warn("this machine's clock is behind a platform's: the time of a login is in the future", "platform", k.Way, "by", behind.Round(time.Second))
	}
	err = s.Pages().UseProof(r.Context(), c.Proof, c.Made.Add(proofFor))
	if refusal := (*chat.Refusal)(nil); errors.As(err, &refusal) && s.hasSession(r, v.Player.ID) {
		err = nil // the same browser loads the page again
	}
	return v, show, err
}

// authorize returns the session of a person who came from a platform's app, and what to show. That is
// the table of the chat where the app is open, or else the one that the page asked for, which is
// untrusted: the person must sit at that table, or be a member of one of its chats. If that table is
// closed, it is the front door, as for people who ask for no table, for the front door, or for a chat without one.
func (s *Site) authorize(r *http.Request, c chat.Caller, asked string) (v session, show place, err error) {
	ctx := r.Context()
	v = session{Visitor: chat.Visitor{Player: c.Player, Photo: c.Photo}, Homes: map[string]string{}}
	show.table = c.Table
	if v.Player.Lang == "" {
		v.Player.Lang = spoken(r)
	}
	prove := func(here chat.Chat) {
		v.Chats, v.Homes[here.ID] = append(v.Chats, here.ID), here.Home
		show.chat = cmp.Or(show.chat, here.ID)
	}
	if c.Chat.ID != "" {
		prove(c.Chat)
		if show.table, err = s.Pages().OpenIn(ctx, c.Chat); err != nil {
			return v, show, err
		}
	}
	if _, ok := chat.StartedIn(asked); ok {
		asked = "" // the app's proof has named that chat, too
	}
	if show.table = cmp.Or(show.table, asked); show.table == "" && show.chat != "" {
		show.table = view.FrontDoor // not a table elsewhere
	}
	if show.table == "" || show.table == view.FrontDoor {
		return v, show, nil
	}
	t, err := s.Pages().Table(ctx, show.table)
	if err != nil {
		return v, show, err
	}
	if c.Chat.ID == "" && c.Member != nil {
		platform, _, _ := strings.Cut(v.Player.ID, ":")
		for _, here := range t.Public.Chats {
			if here.ID == v.Player.ID || !strings.HasPrefix(here.ID, platform+":") {
				continue
			}
			member, err := c.Member(ctx, here.ID)
			if _, sits := t.Private(v.Player.ID); err != nil && !sits {
				return v, show, err
			}
			if member {
				prove(chat.Chat{ID: here.ID, Home: cmp.Or(here.Home, t.Public.Home)})
				break
			}
		}
	}
	if _, ok := t.Admits(v.Visitor); !ok {
		return v, show, errMember
	}
	if t.Closed() {
		show.table = ""
	}
	return v, show, nil
}

// close ends a session and removes its cookie. A page whose socket was ended sets Over: then the
// session continues if another page of the browser may still use it.
func (s *Site) close(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		As   string `json:"as"`
		Over bool   `json:"over"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxLogin)).Decode(&asked); err != nil {
		s.refuse(w, r, errSession)
		return
	}
	v, _, err := s.session(r, asked.As)
	if err == nil && asked.Over && s.usable(r.Context(), v) {
		reply(w, struct{}{})
		return
	}
	if err == nil {
		err = s.leave(r.Context(), v)
	}
	if err != nil && !errors.Is(err, errSession) {
		s.refuse(w, r, err)
		return
	}
	s.drop(w, r, asked.As)
	reply(w, struct{}{})
}
