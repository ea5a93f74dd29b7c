package web

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"sedmabot/bot/chat"
)

// sessionFor is how long a session lasts. After that, its reader has to open the page again.
const sessionFor = 24 * time.Hour

// session is the content of a page's cookie: who its reader is.
type session struct {
	chat.Visitor
	Show  string    `json:"show,omitempty"` // the table to show first; it grants nothing
	Until time.Time `json:"until"`
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

func sign(secret []byte, text string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("session " + text))
	return mac.Sum(nil)
}

// cookiePrefix is the prefix of the cookies' names. The rest is the session's key, so that
// one browser can have pages of several people or tables.
const cookiePrefix = "sedma-"

// keyOf returns the key of a person's sessions for a table.
func keyOf(v session) string {
	sum := sha256.Sum256([]byte(v.Player.ID + " " + v.Show))
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

// admit sets the cookie of a new session, and returns its key.
func (s *Site) admit(ctx context.Context, w http.ResponseWriter, v session) (string, error) {
	secret, err := s.Pages().Secret(ctx)
	if err != nil {
		return "", err
	}
	v.Until = time.Now().Add(sessionFor)
	value, err := seal(secret, v)
	if err != nil {
		return "", err
	}
	c := s.cookie(keyOf(v))
	c.Value, c.MaxAge = value, int(sessionFor.Seconds())
	http.SetCookie(w, c)
	return keyOf(v), nil
}

// cookie returns a session's cookie without a value. Under an https address it works in
// a frame of another site, too, and only there.
func (s *Site) cookie(key string) *http.Cookie {
	c := &http.Cookie{Name: cookiePrefix + key, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode}
	if s.secure() {
		c.Secure, c.SameSite, c.Partitioned = true, http.SameSiteNoneMode, true
	}
	return c
}

// session returns the session of a page with that key.
func (s *Site) session(r *http.Request, key string) (session, error) {
	c, err := r.Cookie(cookiePrefix + key)
	if err != nil {
		return session{}, errSession
	}
	secret, err := s.Pages().Secret(r.Context())
	if err != nil {
		return session{}, err
	}
	return unseal(secret, c.Value, time.Now())
}

// knows reports whether the browser already has a session of that person.
func (s *Site) knows(r *http.Request, v session) bool {
	had, err := s.session(r, keyOf(v))
	return err == nil && had.Player.ID == v.Player.ID
}
