package web

import (
	"encoding/json"
	"net/http"

	"sedmabot/bot/chat"
)

// maxDoor is the maximum size of a request at a door, in bytes.
const maxDoor = 8 << 10

// knock is a request at a door.
type knock struct {
	Door  string `json:"door"`
	Token string `json:"token"` // "link": what the link's fragment has
}

// errDoor reports a request that no door of this page makes.
var errDoor = chat.NewRefusal("page_door")

// door lets a reader in: it checks who they are, and begins a session.
func (s *Site) door(w http.ResponseWriter, r *http.Request) {
	var k knock
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxDoor)).Decode(&k); err != nil {
		s.refuse(w, r, errDoor)
		return
	}
	v, table, err := s.enter(r, k)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	key, err := s.admit(r.Context(), w, r, v)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	reply(w, map[string]string{"as": key, "table": table, "lang": v.Player.Lang})
}

// enter returns the visitor who stands at a door, and the table to show first.
func (s *Site) enter(r *http.Request, k knock) (v chat.Visitor, table string, err error) {
	if k.Door != "link" {
		return v, "", errDoor
	}
	v, err = s.Pages().Redeem(r.Context(), k.Token)
	return v, v.Table, err
}

// close ends a session: it removes the cookie.
func (s *Site) close(w http.ResponseWriter, r *http.Request) {
	c := s.cookie(r, r.FormValue("as"))
	c.MaxAge = -1
	http.SetCookie(w, c)
	w.WriteHeader(http.StatusNoContent)
}
